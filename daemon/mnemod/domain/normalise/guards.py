"""Whether a word of time is one: a neighbour may take part of it for a word of its own.

Chinese and Japanese write without spaces, so a word is judged by what stands before and after it
(vocabulary tables `before_*`, `after_*`, and `joins`), never by a list of sentences.
"""

from __future__ import annotations

from mnemod.domain.normalise.joins import is_join
from mnemod.domain.normalise.lexicon import Head, grammar, lexicon
from mnemod.domain.world import Precision

_LOOK_BACK = 4


def is_torn(text: str, start: int, end: int, word: str, head: Head) -> bool:
    """Whether the word is part of others (聪明天使, 以前天天), of a name, or comes round again."""
    known = lexicon()
    never = known.never_before(word)
    if never is not None and never.match(text, end):
        return True
    if head.kana and _inside_kana(text, start, end):
        return True
    before, after = text[start - 1 : start], text[end : end + 1]
    if before and before in known.before_kana.get(word, "") and after < "\u3400":
        return True  # 説明日は: the day of the explanation
    if is_join(text, start, end):
        return True
    takers = known.before_always.get(word[0], "") + known.before_always.get(word, "")
    if before and before in takers:
        return True
    if grammar().pattern("name_after").match(text, end):
        return True
    if head.unit is Precision.DAY and not head.offset and _is_anniversary(text, start):
        return True
    if is_recurring(text, start):
        return True
    if not after or after not in known.after_torn.get(word[-1], ""):
        return False
    free = known.before_free.get(word[0])
    if free is not None:
        return bool(before) and before not in free
    return bool(before) and after != word[-1] and before in known.before_torn.get(word[0], "")


def _is_anniversary(text: str, start: int) -> bool:
    """去年的今天 is another day."""
    before = text[max(0, start - _LOOK_BACK) : start]
    return bool(before) and grammar().pattern("anniversary_before").search(before) is not None


def is_recurring(text: str, start: int) -> bool:
    """Whether what starts there is said to come every year, month or week."""
    before = text[max(0, start - _LOOK_BACK) : start]
    return bool(before) and grammar().pattern("recurring_before").search(before) is not None


def _inside_kana(text: str, start: int, end: int) -> bool:
    before = text[max(0, start - 1) : start]
    if (
        before.isalpha()
        and before >= "\u3041"
        and not grammar().pattern("kana_before").match(before)
    ):
        return True
    return grammar().pattern("kana_after").match(text, end) is None
