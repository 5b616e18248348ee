"""What a person may set, read once at start: a TOML file, then the environment on top of it.

The file is `--config`, else `$MNEMOD_CONFIG`, else `config.toml` in the user's configuration
directory. It may carry a byte order mark and CRLF line ends. Each key is also an environment
variable, `chat.base_url` -> `MNEMOD_CHAT_BASE_URL`; an empty one counts as absent; lists are
written with commas. The order of precedence is: environment, file, default. A `.env` file is
never read. A key nobody knows, or a value that does not fit, is an error that names key and line,
because a setting that is silently ignored is worse than a daemon that does not start.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NoReturn
from urllib.parse import urlsplit

from mnemod.config import ChatConfig, Config, Interpreter, Tier
from mnemod.exits import Exit, Refused
from mnemod.log import LEVELS

Value = str | int | float | tuple[float, ...]
"""A setting's value, already checked."""

_RESERVED_ENV: Final = frozenset({"MNEMOD_CONFIG", "MNEMOD_DATA_DIR"})
_WAITS_MAX: Final = 10
_DAY_S: Final = 86_400.0


class SettingsError(Refused):
    """A setting is wrong. `key` and `line` say which and where; `line` is None for a variable."""

    def __init__(self, where: str, key: str, why: str, line: int | None = None) -> None:
        place = f"{where}, line {line}" if line else where
        super().__init__(Exit.CONFIG, f"{place}: {key}: {why}" if key else f"{place}: {why}")
        self.key = key
        self.line = line


@dataclass(frozen=True, slots=True)
class Settings:
    """The effective configuration, the file it was read from, and where each value came from."""

    config: Config
    file: Path | None
    values: Mapping[str, Value]
    origins: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Key:
    """One setting: what a TOML value must be, its default, and how a variable's text is read."""

    check: Callable[[object], Value]
    default: Value
    from_text: Callable[[str], object] = str


def load(data_dir: Path, config_file: Path | None, env: Mapping[str, str]) -> Settings:
    """The configuration for `data_dir`. Raises SettingsError; no file at all is none."""
    file = _find_file(config_file, env)
    values: dict[str, Value] = {name: key.default for name, key in _KEYS.items()}
    origins = dict.fromkeys(_KEYS, "default")
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
    text = _read(file)
    for name, raw in _flat(_parse(file, text)):
        key = _KEYS.get(name) or _unknown(str(file), name, _line_of(text, name))
        try:
            yield name, key.check(raw), "file"
        except ValueError as why:
            raise SettingsError(str(file), name, str(why), _line_of(text, name)) from None


def _read(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as exc:
        line = exc.object[: exc.start].count(b"\n") + 1
        raise SettingsError(str(file), "", "not UTF-8", line) from None
    except OSError as exc:
        raise SettingsError(str(file), "", f"cannot be read ({type(exc).__name__})") from None


def _parse(file: Path, text: str) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise SettingsError(str(file), "", "not valid TOML", _broken_line(text)) from None


def _broken_line(text: str) -> int:
    """The last line before which everything still parses, counted from 1.

    tomllib says the line only inside its message's prose, and puts the reader's text beside it.
    """
    lines = text.split("\n")
    good = (n for n in range(len(lines) - 1, -1, -1) if _parses("\n".join(lines[:n])))
    return next(good, 0) + 1


def _line_of(text: str, name: str) -> int | None:
    """The line on which `name` gets its value: the end of the shortest prefix that holds it."""
    lines = text.split("\n")
    for count in range(1, len(lines) + 1):
        parsed = _parses("\n".join(lines[:count]))
        if parsed is not None and any(found == name for found, _ in _flat(parsed)):
            return count
    return None


def _parses(text: str) -> dict[str, object] | None:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None


def _flat(table: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, object]]:
    """`section.key` and its value, for every value; an empty table counts as a value."""
    for name, value in table.items():
        if isinstance(value, dict) and value and not prefix:
            yield from _flat(value, f"{name}.")
        elif value != {} or f"{prefix}{name}" not in _SECTIONS:
            yield f"{prefix}{name}", value


def _from_env(env: Mapping[str, str]) -> Iterator[tuple[str, Value, str]]:
    for name, key in _KEYS.items():
        variable = _variable(name)
        if not env.get(variable):
            continue
        try:
            yield name, key.check(key.from_text(env[variable])), variable
        except ValueError as why:
            raise SettingsError(f"environment variable {variable}", name, str(why)) from None


def _variable(name: str) -> str:
    return "MNEMOD_" + name.replace(".", "_").upper()


def _unknown(where: str, name: str, line: int | None) -> NoReturn:
    raise SettingsError(where, name, f"unknown key (known: {', '.join(_KEYS)})", line)


def _require_whole(values: Mapping[str, Value], env: Mapping[str, str], where: str) -> None:
    """Refuse what only shows when all values are there."""
    known = {_variable(name) for name in _KEYS} | _RESERVED_ENV | {str(values["chat.api_key_env"])}
    for variable in sorted(env.keys() - known):
        if variable.startswith(tuple(_variable(f"{section}.") for section in _SECTIONS)):
            raise SettingsError(f"environment variable {variable}", variable, "unknown setting")
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
        log_level=str(values["log.level"]),
        log_format=str(values["log.format"]),
    )


def _as_float(value: Value) -> float:
    if isinstance(value, tuple):
        raise TypeError("a list is not a number")
    return float(value)


# --- checks: each takes what TOML or a variable holds, returns the value, or says what is wanted


def _one_of(*choices: str) -> Callable[[object], Value]:
    def check(raw: object) -> Value:
        if not isinstance(raw, str) or raw not in choices:
            raise ValueError("must be one of " + ", ".join(f'"{choice}"' for choice in choices))
        return raw

    return check


def _text(raw: object) -> Value:
    if not isinstance(raw, str) or not raw.isprintable():
        raise ValueError("must be text of one line")
    return raw


def _http_url(raw: object) -> Value:
    if not isinstance(raw, str) or not _is_http(raw):
        raise ValueError("must be an http:// or https:// address")
    return raw


def _is_http(text: str) -> bool:
    parts = urlsplit(text)
    return text.isprintable() and parts.scheme in ("http", "https") and bool(parts.hostname)


def _variable_name(raw: object) -> Value:
    if not isinstance(raw, str) or not raw.isidentifier() or not raw.isascii():
        raise ValueError("must be the name of an environment variable, not the key itself")
    return raw


def _number(least: float, most: float) -> Callable[[object], Value]:
    def check(raw: object) -> Value:
        number = _to_number(raw)
        if number is None or not least <= number <= most:
            raise ValueError(f"must be a number from {least:g} to {most:g}")
        return number

    return check


def _whole(least: int, most: int) -> Callable[[object], Value]:
    def check(raw: object) -> Value:
        number = _to_number(raw)
        if number is None or not number.is_integer() or not least <= number <= most:
            raise ValueError(f"must be a whole number from {least} to {most}")
        return int(number)

    return check


def _waits(raw: object) -> Value:
    numbers = [_to_number(part) for part in raw] if isinstance(raw, list) else []
    good = tuple(n for n in numbers if n is not None and 0 <= n <= _DAY_S)
    if not 1 <= len(good) <= _WAITS_MAX or len(good) != len(numbers):
        raise ValueError(f"must be 1 to {_WAITS_MAX} numbers of seconds, none over a day")
    return good


def _to_number(raw: object) -> float | None:
    """`raw` as a float if TOML calls it a number; true and false are not."""
    if isinstance(raw, bool) or not isinstance(raw, int | float):
        return None
    try:
        return float(raw)
    except OverflowError:
        return None


def _number_text(text: str) -> object:
    try:
        return float(text)
    except ValueError:
        return text  # the check says what was wanted


def _list_text(text: str) -> object:
    return [_number_text(part) for part in text.split(",")]


_USUAL: Final = Config(Path())

_KEYS: Final[Mapping[str, _Key]] = {
    "formation.interpreter": _Key(_one_of(*Interpreter), _USUAL.interpreter.value),
    "formation.workers": _Key(_whole(1, 16), _USUAL.workers, _number_text),
    "chat.base_url": _Key(_http_url, _USUAL.chat.base_url),
    "chat.model": _Key(_text, _USUAL.chat.model),
    "chat.api_key_env": _Key(_variable_name, _USUAL.chat.api_key_env),
    "chat.tier": _Key(_one_of(*Tier), _USUAL.chat.tier.value),
    "chat.timeout_s": _Key(_number(0.1, 3_600.0), _USUAL.chat.timeout_s, _number_text),
    "jobs.retry_waits_s": _Key(_waits, _USUAL.retry_waits_s, _list_text),
    "daemon.idle_exit_s": _Key(_number(0.0, 30 * _DAY_S), _USUAL.idle_exit_s, _number_text),
    "log.level": _Key(_one_of(*LEVELS), _USUAL.log_level),
    "log.format": _Key(_one_of("text", "json"), _USUAL.log_format),
}
_SECTIONS: Final = frozenset(name.partition(".")[0] for name in _KEYS)
