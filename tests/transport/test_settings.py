"""What a person may set, and how a mistake in it is told."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mnemod import settings
from mnemod.config import Config, Interpreter, Tier
from mnemod.exits import Exit
from mnemod.settings import SettingsError


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config.toml"


def _load(file: Path | None, **env: str) -> settings.Settings:
    return settings.load(Path("/data"), file, {"HOME": "/nowhere", **env})


def _refusal(file: Path, content: bytes, **env: str) -> SettingsError:
    file.write_bytes(content)
    with pytest.raises(SettingsError) as caught:
        _load(file, **env)
    return caught.value


def test_nothing_set_is_the_default_configuration() -> None:
    found = _load(None)

    assert found.config == Config(Path("/data"))
    assert set(found.origins.values()) == {"default"}


def test_every_key_of_the_file_reaches_the_configuration(file: Path) -> None:
    file.write_text(
        '[formation]\ninterpreter = "chat"\nworkers = 2\n'
        '[chat]\nbase_url = "http://[::1]:8080/v1"\nmodel = "m"\napi_key_env = "KEY"\n'
        'tier = "local"\ntimeout_s = 3\n'
        "[jobs]\nretry_waits_s = [1, 2.5]\n[daemon]\nidle_exit_s = 0\n"
        '[log]\nlevel = "debug"\nformat = "json"\n'
    )

    config = _load(file).config

    assert (config.interpreter, config.workers) == (Interpreter.CHAT, 2)
    assert (config.chat.base_url, config.chat.model) == ("http://[::1]:8080/v1", "m")
    assert (config.chat.api_key_env, config.chat.tier) == ("KEY", Tier.LOCAL)
    assert (config.chat.timeout_s, config.retry_waits_s) == (3.0, (1.0, 2.5))
    assert (config.idle_exit_s, config.log_level, config.log_format) == (0.0, "debug", "json")


def test_the_environment_beats_the_file_and_both_say_so(file: Path) -> None:
    file.write_text('[log]\nlevel = "error"\nformat = "json"\n')

    shown = settings.describe(_load(file, MNEMOD_LOG_LEVEL="debug"))

    assert shown["log.level"] == {"value": "debug", "from": "MNEMOD_LOG_LEVEL"}
    assert shown["log.format"] == {"value": "json", "from": "file"}
    assert shown["formation.workers"] == {"value": 1, "from": "default"}


@pytest.mark.parametrize("policy", ["hold", "redact", "allow"])
def test_what_becomes_of_secrets_is_set_by_a_word(file: Path, policy: str) -> None:
    file.write_text(f'secrets = "{policy}"')

    assert _load(file).config.secrets == policy
    assert _load(None, MNEMOD_SECRETS=policy).config.secrets == policy
    assert _load(None).config.secrets == "hold"


@pytest.mark.parametrize("text", [b'secrets = "keep"', b"secrets = true", b"[secrets]"])
def test_another_word_for_secrets_is_refused_by_its_key(file: Path, text: bytes) -> None:
    assert _refusal(file, text).key == "secrets"


def test_numbers_and_lists_are_read_from_the_environment() -> None:
    config = _load(None, MNEMOD_FORMATION_WORKERS="3", MNEMOD_JOBS_RETRY_WAITS_S="1, 2.5").config

    assert (config.workers, config.retry_waits_s) == (3, (1.0, 2.5))


def test_the_variable_names_the_file_unless_the_command_line_does(
    file: Path, tmp_path: Path
) -> None:
    file.write_text("[formation]\nworkers = 2\n")
    other = tmp_path / "other.toml"
    other.write_text("[formation]\nworkers = 3\n")

    assert _load(None, MNEMOD_CONFIG=str(file)).config.workers == 2
    assert _load(other, MNEMOD_CONFIG=str(file)).config.workers == 3


@pytest.mark.parametrize(
    "content",
    [
        b'\xef\xbb\xbf[log]\nlevel = "debug"\n',
        b'[log]\r\nlevel = "debug"\r\n',
        b'\xef\xbb\xbflog.level = "debug"',
    ],
    ids=["byte order mark", "CRLF", "no last newline"],
)
def test_a_file_saved_by_an_old_editor_loads(file: Path, content: bytes) -> None:
    file.write_bytes(content)

    assert _load(file).config.log_level == "debug"


@pytest.mark.parametrize(
    ("content", "key", "line"),
    [
        (b'[log]\nlevel = "debug"\ncolour = 1\n', "log.colour", 3),
        (b"[formation]\n\nworkers = 0\n", "formation.workers", 3),
        (b'[formation]\nworkers = "2"\n', "formation.workers", 2),
        (b"[formation]\nworkers = true\n", "formation.workers", 2),
        (b"[formation]\nworkers = 1.5\n", "formation.workers", 2),
        (b"[chat]\ntimeout_s = nan\n", "chat.timeout_s", 2),
        (b'[chat]\nbase_url = "file:///x"\n', "chat.base_url", 2),
        (b'[chat]\napi_key_env = "sk-1234"\n', "chat.api_key_env", 2),
        (b"[jobs]\nretry_waits_s = [\n 1,\n -2,\n]\n", "jobs.retry_waits_s", 5),
        (b"# nothing\n[encoder]\nenabled = true\n", "encoder.enabled", 3),
        (b"[chat.extra]\nx = 1\n", "chat.extra", 1),
        (b'\xef\xbb\xbf\r\nchat = "no"\r\n', "chat", 2),
    ],
)
def test_a_wrong_setting_names_its_key_and_line(
    file: Path, content: bytes, key: str, line: int
) -> None:
    refusal = _refusal(file, content)

    assert (refusal.key, refusal.line, refusal.code) == (key, line, Exit.CONFIG)
    assert f"{file}, line {line}: {key}: " in refusal.reason


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b'[log]\nlevel = "debug\n', 2),
        (b"[log]\nlevel\n[chat]\n", 2),
        (b'[log]\nlevel = "a"\nlevel = "b"\n', 3),
        (b"[log]\n\xff\n", 2),
        (b"# only a comment\nlevel\n", 2),
        (b"=", 1),
    ],
    ids=["cut short", "no value", "said twice", "not UTF-8", "after a comment", "at once"],
)
def test_a_broken_file_names_its_line(file: Path, content: bytes, line: int) -> None:
    assert _refusal(file, content).line == line


def test_a_file_that_was_named_must_exist(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="FileNotFoundError"):
        _load(tmp_path / "absent.toml")


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("MNEMOD_LOG_LEVEL", "loud"),
        ("MNEMOD_FORMATION_WORKERS", "many"),
        ("MNEMOD_CHAT_TIMEOUT", "3"),
    ],
)
def test_a_wrong_variable_is_refused_by_name(variable: str, value: str) -> None:
    with pytest.raises(SettingsError, match=variable):
        _load(None, **{variable: value})


def test_the_variable_of_the_models_key_is_no_unknown_setting(file: Path) -> None:
    file.write_text('chat.api_key_env = "MNEMOD_CHAT_KEY"\n')

    assert _load(file, MNEMOD_CHAT_KEY="secret").config.chat.api_key_env == "MNEMOD_CHAT_KEY"


def test_the_chat_interpreter_needs_an_endpoint(file: Path) -> None:
    refusal = _refusal(file, b'formation.interpreter = "chat"\n')

    assert refusal.key == "chat.base_url"
    assert "needed" in refusal.reason


def test_a_dotenv_file_is_never_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".env").write_text("MNEMOD_LOG_LEVEL=debug\n")
    monkeypatch.chdir(tmp_path)

    assert _load(None).config.log_level == "info"
    assert "MNEMOD_LOG_LEVEL" not in os.environ
