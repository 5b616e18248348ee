"""`mnemod demo`: all of it, on a throw-away directory, in under 20 seconds.

Nothing shown is canned: a real daemon is spawned as a host would spawn it, and every line is read
back from it or from the disk. Each sentence with a tick was checked in this run; if one does not
hold, the demo says so and exits 1.
"""

from __future__ import annotations

import shutil
import sys
import time
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mnemod import __version__
from mnemod.commands import terminal
from mnemod.exits import Exit

if TYPE_CHECKING:
    from rich.console import Console

_PAUSE_S: Final = 0.7
_NEXT: Final = (
    ("mnemod serve --stdio", "what your assistant spawns: JSON-RPC, a line a message"),
    ("mnemod recall QUERY", "ask your own memory; see also show, forget, export"),
    ("mnemod schema", "every method and type, to make a client from"),
)


def run(arguments: list[str]) -> int:
    """Exit 0 if every claim held, 1 if one did not."""
    options = _options(arguments)
    console = _console(options)
    holds = _play(console, options)
    if options.svg:
        from mnemod.commands.demo import picture

        picture.save(console, Path(options.svg))
    return Exit.OK if holds else Exit.FAILED


def _options(arguments: list[str]) -> Namespace:
    parser = ArgumentParser(prog="mnemod demo", description="See all of it work.")
    parser.add_argument("--fast", action="store_true", help="no pauses between the scenes")
    parser.add_argument("--no-color", action="store_true", help="lines and boxes, no colour")
    parser.add_argument("--plain", action="store_true", help="ASCII lines, [marked] words")
    parser.add_argument("--svg", metavar="FILE", help="also save what was shown as a picture")
    options = parser.parse_args(arguments)
    options.plain = options.plain or not (options.svg or terminal.is_terminal())
    return options


def _console(options: Namespace) -> Console:
    from rich.console import Console

    from mnemod.commands.demo.look import WIDTH

    return Console(
        width=min(WIDTH, shutil.get_terminal_size().columns),
        record=bool(options.svg),
        no_color=options.no_color or None,
        color_system=None if options.plain else "auto",
        highlight=False,
    )


def _play(console: Console, options: Namespace) -> bool:
    from mnemod.commands.demo import corrected, forgotten, formed, kept, killed, recalled
    from mnemod.commands.demo.look import Look
    from mnemod.commands.demo.scene import Scene
    from mnemod.commands.demo.script import load
    from mnemod.commands.demo.stage import stage

    began = time.perf_counter()
    unpaced = options.fast or not sys.stdout.isatty()
    look = Look(console, plain=options.plain, pause_s=0.0 if unpaced else _PAUSE_S)
    look.title(f"mnemod {__version__}", "a throw-away memory, a real daemon, nothing canned")
    with stage() as place:
        started_s = place.spawn()
        look.note(f"`mnemod serve --stdio` spawned, answered after {started_s:.2f} s")
        scene = Scene(place, load(), look)
        for act in (kept, formed, recalled, corrected, forgotten, killed):
            act.play(scene)
    look.gap()
    look.claim("nothing is left: the daemon and its directory are gone", place.is_gone)
    look.ended(_NEXT, time.perf_counter() - began)
    return not look.claims.broken
