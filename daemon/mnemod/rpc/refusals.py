"""From an exception that left a handler to the error its caller may see.

What was raised on purpose is answered as it is. Anything else is a fault of ours: the caller gets
an error id, and the log gets that id with the types raised and where. Neither ever gets the text
of an exception, its arguments or local variables: they may hold what a person said.
"""

from __future__ import annotations

from collections.abc import Iterator

from mnemod import log
from mnemod.errors import Internal, MnemodError
from mnemod.ids import Mint


def refusal_for(fault: Exception, doing: str, mint: Mint) -> MnemodError:
    """The error to answer for `fault`. `doing` names the method, for the log."""
    leaves = list(_leaves(fault))
    known = [leaf for leaf in leaves if isinstance(leaf, MnemodError)]
    if len(known) == len(leaves):
        return known[0]  # several at once are siblings of one nursery; the first says enough
    error_id = mint("er_")
    log.current().error("call_failed", method=doing, error_id=error_id, at=log.types_only(fault))
    return Internal(error_id)


def _leaves(fault: BaseException) -> Iterator[BaseException]:
    """The exceptions themselves, however deep nurseries have wrapped them in groups."""
    if isinstance(fault, BaseExceptionGroup):
        for inner in fault.exceptions:
            yield from _leaves(inner)
    else:
        yield fault
