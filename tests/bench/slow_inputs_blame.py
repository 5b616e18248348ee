"""Where the time of one input goes: the functions it is spent in, and the patterns that are slow.

Each pattern is searched for alone. A rule may try it on parts only, so it is a suspect, no culprit.
"""

from __future__ import annotations

import contextlib
import cProfile
import functools
import gc
import re
import sys
from collections import deque
from collections.abc import Iterator
from functools import partial
from types import CodeType
from typing import Any, Final

from mnemod.domain.folded import fold
from tests.bench.slow_inputs_steps import Step, TooSlow, limited

_CONTAINERS: Final = (dict, list, tuple, set, frozenset, functools._lru_cache_wrapper)
_ASKED: Final = ("gates", "normalise", "folded", "unicode")
_MADE_FOR_ONE_TEXT: Final = frozenset({"_clusters", "_long_run", "_runs_of"})
_DEPTH_MAX: Final = 12


def patterns_of_rules() -> dict[re.Pattern[Any], str]:
    """Every compiled pattern that a module of the domain holds or has cached, with its module."""
    found: dict[re.Pattern[Any], str] = {}
    for name, module in sorted(sys.modules.items()):
        if name.startswith("mnemod.domain"):
            for variable, value in sorted(vars(module).items()):
                if variable in _MADE_FOR_ONE_TEXT:
                    continue
                for pattern in _held(value):
                    found.setdefault(pattern, f"{name.removeprefix('mnemod.domain.')}.{variable}")
    return found


def busiest(step: Step, text: str, count: int = 5) -> list[tuple[float, str]]:
    """Milliseconds spent in a function itself, while it is watched, and its place."""
    ready = step.ready(text)
    with cProfile.Profile() as profile, contextlib.suppress(TooSlow), limited():
        step.call(ready)
    spent = [(entry.inlinetime * 1_000, _place(entry.code)) for entry in profile.getstats()]
    return sorted(spent, reverse=True)[:count]


def suspects(text: str, count: int = 4) -> list[tuple[float, str, str]]:
    """Milliseconds, place and source of the patterns that take longest over `text`, folded."""
    folded = fold(text).text
    data = folded.encode("ascii", "replace")
    timed = []
    for pattern, place in patterns_of_rules().items():
        if not place.startswith(_ASKED):
            continue
        over: Any = folded if isinstance(pattern.pattern, str) else data
        alone = Step(place, partial(_searched, pattern), lambda _, over=over: over)  # type: ignore[misc]
        timed.append((alone.cpu_ms(text, rounds=1), place, str(pattern.pattern)))
    return sorted(timed, reverse=True)[:count]


def _place(code: CodeType | str) -> str:
    if isinstance(code, str):
        return code
    return f"{code.co_filename.rpartition('mnemod/')[2]}:{code.co_firstlineno} {code.co_name}"


def _searched(pattern: re.Pattern[Any], over: Any) -> None:
    deque(pattern.finditer(over), 0)


def _held(value: object) -> Iterator[re.Pattern[Any]]:
    """The patterns that can be reached from a module's value without passing through code."""
    seen: set[int] = set()
    todo: deque[tuple[object, int]] = deque([(value, 0)])
    while todo:
        each, depth = todo.popleft()
        if id(each) in seen or depth > _DEPTH_MAX:
            continue
        seen.add(id(each))
        if isinstance(each, re.Pattern):
            yield each
        elif _is_data(each):
            todo.extend((inner, depth + 1) for inner in gc.get_referents(each))


def _is_data(value: object) -> bool:
    if isinstance(value, _CONTAINERS):
        return not (isinstance(value, dict) and "__builtins__" in value)
    kind = type(value)
    ours = kind.__module__.startswith("mnemod.domain") and not isinstance(value, type)
    return ours or kind.__name__ == "_lru_list_elem"
