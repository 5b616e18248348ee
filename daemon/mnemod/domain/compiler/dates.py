"""The one date that words state in full: year, month and day in figures. Less is no date."""

from __future__ import annotations

import re
from datetime import date
from typing import Final

from mnemod.domain.compiler.refusal import Refusal
from mnemod.domain.unicode_forms import normal

_FULL_DATE: Final = re.compile(
    r"(?<![\d./-])(\d{4})\s?([-/.\u5e74])\s?(\d{1,2})\s?[-/.\u6708]\s?(\d{1,2})(?![\d/-])"
)


def stated_date(text: str) -> str | None:
    """The ISO date in `text` if it holds exactly one full numeric calendar date, else None."""
    found = list(_FULL_DATE.finditer(normal("NFKC", text)))
    if len(found) != 1:
        return None
    year, month, day = (int(found[0][group]) for group in (1, 3, 4))
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None


def require_date(offered: str) -> None:
    """Raise Refusal unless `offered` is an ISO date. Which date is kept, the words decide."""
    try:
        date.fromisoformat(offered[:10])
    except ValueError:
        raise Refusal(
            "invalid_event_time", "occurred_at is YYYY-MM-DD, as the words say."
        ) from None
