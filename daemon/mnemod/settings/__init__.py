"""What a person may set, read once at start: a TOML file, then the environment on top of it.

The file is `--config`, else `$MNEMOD_CONFIG`, else `config.toml` in the user's configuration
directory. It may carry a byte order mark and CRLF line ends. Each key is also an environment
variable, `chat.base_url` -> `MNEMOD_CHAT_BASE_URL`; an empty one counts as absent; lists are
written with commas. The order of precedence is: environment, file, default. A `.env` file is
never read. A key nobody knows, or a value that does not fit, is an error that names key and line,
because a setting that is silently ignored is worse than a daemon that does not start.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NoReturn

from mnemod.config import ChatConfig, Config, Interpreter, Tier
from mnemod.settings.checks import Value
from mnemod.settings.errors import SettingsError
from mnemod.settings.keys import KEYS, SECTIONS, variable_of
from mnemod.settings.toml_file import TomlFile

__all__ = ["Settings", "SettingsError", "default_file", "describe", "load"]

_RESERVED_ENV: Final = frozenset({"MNEMOD_CONFIG", "MNEMOD_DATA_DIR"})


@dataclass(frozen=True, slots=True)
class Settings:
    """The effective configuration, the file it was read from, and where each value came from."""

    config: Config
    file: Path | None
    values: Mapping[str, Value]
    origins: Mapping[str, str]


def load(data_dir: Path, config_file: Path | None, env: Mapping[str, str]) -> Settings:
    """The configuration for `data_dir`. Raises SettingsError; no file at all is none."""
    file = _find_file(config_file, env)
    values: dict[str, Value] = {name: key.default for name, key in KEYS.items()}
    origins = dict.fromkeys(KEYS, "default")
    for layer in (_from_file(file), _from_env(env)):
        for name, value, origin in layer:
            values[name] = value
            origins[name] = origin
    _require_whole(values, env, str(file) if file else "configuration")
    return Settings(_config(data_dir, values), file, values, origins)


def describe(settings: Settings) -> dict[str, dict[str, object]]:
    """Each key with its value and where it came from: `default`, `file` or a variable."""
    return {
        name: {"value": list(value) if isinstance(value, tuple) else value, "from": origin}
        for (name, value), origin in zip(
            settings.values.items(), settings.origins.values(), strict=True
        )
    }


def default_file() -> Path:
    """Where the configuration is looked for when nobody says where."""
    from platformdirs import user_config_path

    return user_config_path("mnemod", appauthor=False) / "config.toml"


def _find_file(config_file: Path | None, env: Mapping[str, str]) -> Path | None:
    named = config_file or (Path(env["MNEMOD_CONFIG"]) if env.get("MNEMOD_CONFIG") else None)
    if named is not None:
        return named.absolute()
    usual = default_file()
    return usual if usual.exists() else None


def _from_file(file: Path | None) -> Iterator[tuple[str, Value, str]]:
    if file is None:
        return
    toml = TomlFile(file)
    for name, raw in toml.values(SECTIONS):
        key = KEYS.get(name) or _unknown(str(file), name, toml.line_of(name))
        try:
            yield name, key.check(raw), "file"
        except ValueError as why:
            raise SettingsError(str(file), name, str(why), toml.line_of(name)) from None


def _from_env(env: Mapping[str, str]) -> Iterator[tuple[str, Value, str]]:
    for name, key in KEYS.items():
        variable = variable_of(name)
        if not env.get(variable):
            continue
        try:
            yield name, key.check(key.from_text(env[variable])), variable
        except ValueError as why:
            raise SettingsError(f"environment variable {variable}", name, str(why)) from None


def _unknown(where: str, name: str, line: int | None) -> NoReturn:
    raise SettingsError(where, name, f"unknown key (known: {', '.join(KEYS)})", line)


def _require_whole(values: Mapping[str, Value], env: Mapping[str, str], where: str) -> None:
    """Refuse what only shows when all values are there."""
    known = {variable_of(name) for name in KEYS} | _RESERVED_ENV | {str(values["chat.api_key_env"])}
    for variable in sorted(env.keys() - known):
        if variable.startswith(tuple(variable_of(f"{section}.") for section in SECTIONS)):
            named = ", ".join(sorted(map(variable_of, KEYS)))
            raise SettingsError("environment", variable, f"unknown setting (known: {named})")
    for needed in ("chat.base_url", "chat.model"):
        if values["formation.interpreter"] == Interpreter.CHAT and not values[needed]:
            raise SettingsError(where, needed, 'needed when formation.interpreter is "chat"')


def _config(data_dir: Path, values: Mapping[str, Value]) -> Config:
    chat = ChatConfig(
        base_url=str(values["chat.base_url"]),
        model=str(values["chat.model"]),
        api_key_env=str(values["chat.api_key_env"]),
        tier=Tier(str(values["chat.tier"])),
        timeout_s=_as_float(values["chat.timeout_s"]),
    )
    waits = values["jobs.retry_waits_s"]
    return Config(
        data_dir=data_dir,
        interpreter=Interpreter(str(values["formation.interpreter"])),
        workers=int(_as_float(values["formation.workers"])),
        chat=chat,
        retry_waits_s=waits if isinstance(waits, tuple) else (),
        idle_exit_s=_as_float(values["daemon.idle_exit_s"]),
        secrets=str(values["secrets"]),
        log_level=str(values["log.level"]),
        log_format=str(values["log.format"]),
    )


def _as_float(value: Value) -> float:
    if isinstance(value, tuple):
        raise TypeError("a list is not a number")
    return float(value)
