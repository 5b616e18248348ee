"""What in a message is not the speaker's own statement: code, quotations, lyrics, handed-over text.

Such passages are masked in place, so that no rule sees their words and every offset stays true.
A line's own marks are looked at only when one of its sentences is read.
"""

from __future__ import annotations

import re
from typing import Final

from mnemod.domain.reading.folding import MASK, fold
from mnemod.domain.reading.lexicon import Lexicon

# Fences may stay open to the end of the text.
_BLOCKS: Final = re.compile(r"```[\s\S]*?(?:```|\Z)|~~~[\s\S]*?(?:~~~|\Z)|<!--[\s\S]*?(?:-->|\Z)")
_WHOLE_LINES: Final = re.compile(r"\s*(?:>|\|)|[^♪♫♬🎵🎶]*[♪♫♬🎵🎶]|(?: {4}|\t)\S.*[=(){};]")
_QUOTES: Final = re.compile(
    r'(?<!\d)"[^"\n]*"?|“[^”\n]*”?|„[^“”\n]*[“”]?|«[^»\n]*»?|「[^」\n]*」?|『[^』\n]*』?|＂[^＂\n]*＂?'
    r"|`[^`\n]*`?|(?<![\w'])'(?=\w)[^'\n]*(?:(?<=\w)'(?=\w)[^'\n]*)*'|(?<!\w)‘[^’\n]*(?:’(?=\w)[^’\n]*)*’?"
)
# "Head: rest": the rest is somebody's words or material, unless the head is a label of one's own.
_LEAD: Final = re.compile(r"([^\n:：]{1,80}?)(?:[:：](?![\d/])|(?<!\d)[:：](?!/))")
_LABEL_WORDS_MAX: Final = 3
_STOP: Final = re.compile(r"[.!?。！？](?:\s|$)|[。！？]")


def without_blocks(text: str) -> str:
    """`text` with code blocks and comments masked."""
    return _BLOCKS.sub(_mask, text)


def own_words(line: str, vocabulary: Lexicon) -> str:
    """`line` with what is not the speaker's own masked."""
    if _WHOLE_LINES.match(line):
        return MASK * len(line)
    unquoted = _QUOTES.sub(_mask, line)
    lead = _LEAD.match(unquoted)
    if lead is None or vocabulary.cue("own_label").search(fold(lead[1], vocabulary.fold)):
        return unquoted
    end = len(line) if _is_label(lead[1]) else _sentence_end(line, lead.end())
    return unquoted[: lead.end()] + MASK * (end - lead.end()) + unquoted[end:]


def _is_label(head: str) -> bool:
    """Whether a head looks like a name, whose words the whole line then is ("Kai: ...")."""
    words = head.split()
    named = all(word[:1] == word[:1].upper() for word in words)
    return len(words) == 1 or (named and len(words) <= _LABEL_WORDS_MAX)


def _sentence_end(line: str, begin: int) -> int:
    end = _STOP.search(line, begin)
    return end.end() if end else len(line)


def _mask(found: re.Match[str]) -> str:
    return "\n".join(MASK * len(line) for line in found[0].split("\n"))
