"""How commands talk to a person: pages of lines, tables and passages.

On a terminal a page is drawn with `rich`, which obeys NO_COLOR; anywhere else it is plain text
without escape codes, so that output can be piped, searched and compared. `page()` decides.
"""

from __future__ import annotations

import os
import sys

from mnemod.commands.terminal.page import Page


def page() -> Page:
    """The page on standard output."""
    if is_terminal():
        from mnemod.commands.terminal.drawn import DrawnPage

        return DrawnPage()
    from mnemod.commands.terminal.plain import PlainPage

    return PlainPage(sys.stdout)


def is_terminal() -> bool:
    """Whether standard output is a terminal that can draw."""
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def can_ask() -> bool:
    """Whether there is a person at both ends to ask and to answer."""
    return sys.stdin.isatty() and sys.stdout.isatty()
