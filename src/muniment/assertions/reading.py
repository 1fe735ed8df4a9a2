"""A sentence as the rules see it: markup gone, words known, never anything but prose."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from muniment.assertions.periods import is_period
from muniment.domain.assertions import Context
from muniment.domain.regex import regex

__all__ = ["MAX_LENGTH", "Sentence", "entity_of", "is_document", "read_sentence", "tail_of"]

# Nobody states anything in 400 characters without a full stop; what does so is data, and would cost time.
MAX_LENGTH = 400
_MIN_WORDS = 2
_MIN_HAN = 4
_DOCUMENT_KINDS = frozenset({"document", "page", "runbook", "policy", "file"})

_WORD = regex(r"[a-z0-9]+(?:['’][a-z]+)?")
_HAN = regex(r"[\u4e00-\u9fff]")
_SPACES = regex(r"\s+")
_MARKUP = regex(
    r"!?\[(?P<text>[^\[\]]{0,200})\]\([^()]{0,400}\)|(?P<mark>\*{1,3}|__|`{1,2}|~~)|\{%[^%]{0,200}%\}"
    r"|:[a-z_]{2,30}:|\[#?\w{1,20}\]_"
)
_MARKUP_SIGN = regex(r"[*_`\[{~:]")
# Headings, code, prompts, quoted lines, tags, directives, footnotes and rulers are not statements.
_NOT_PROSE = regex(
    r"\s*(?:#{1,6}\s|>|```|~~~|\$ |>>> |\.\. |<[a-zA-Z/!]|\{[%{]|[-=~^*_]{4,}|(?:def|class|import|from"
    r"|return|for|while|if|const|let|var|function|select|try) .*[:;({]\s*$)"
)
_CODE_SIGN = regex(r"[{}();=<>\[\]\\|]|\w\.\w+\(|--\w")
# Cut short by a line break, or by a link that was not closed.
_CUT = frozenset("a an the of in to and or by with for their your".split())
_ANY_CODE_SIGN = regex(r"[{}();=<>\[\]\\|]")
_RULER = regex(r"\n\s*[-=~^]{4,}\s*$")
_NUMBERED = regex(
    r"[ \t]{0,12}(?:\d{1,2}[.)]|[(（]\d{1,2}[)）]|step \d{1,2}[:.)]"
    r"|第[一二三四五六七八九十]{1,2}步[:：,，]?)[ \t]{0,4}(?:\*\*)?$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence: `text` without markup on one line, and whether it is a numbered step of a list."""

    text: str
    lowered: str
    words: frozenset[str]
    han: bool
    numbered: bool
    document: bool


def read_sentence(source: str, start: int, end: int, context: Context) -> Sentence | None:
    """None where the characters are not prose: too long, too short, code, a heading, a ruler."""
    if not 4 <= end - start <= MAX_LENGTH:
        return None
    raw = source[start:end]
    line = source.rfind("\n", 0, start) + 1
    document = is_document(context)
    if (
        _NOT_PROSE.match(raw)
        or source[line:start].lstrip(" ").startswith(("#", ">"))
        or (document and _is_heading(source, start, end))
    ):
        return None
    text = _plain(raw)
    lowered = text.lower()
    words = frozenset(_WORD.findall(lowered))
    han = not text.isascii() and _HAN.search(text) is not None
    if (len(words) < _MIN_WORDS and not (han and len(text) >= _MIN_HAN)) or not _is_whole(text, lowered):
        return None
    return Sentence(text, lowered, words, han, _is_numbered(source, line, start), document)


def tail_of(sentence: Sentence, start: int) -> Sentence:
    """The sentence from a place on, as if it began there."""
    text = sentence.text[start:]
    lowered = text.lower()
    return replace(
        sentence, text=text, lowered=lowered, words=frozenset(_WORD.findall(lowered)), numbered=False
    )


def entity_of(context: Context) -> str | None:
    """What an item is about when its sentences do not say."""
    title = None if context.title and is_period(context.title) else context.title
    return context.account or context.project or context.service or title


def is_document(context: Context) -> bool:
    """Whether the item describes how things are done rather than carrying a conversation."""
    return context.kind.casefold() in _DOCUMENT_KINDS


def _plain(raw: str) -> str:
    text = _MARKUP.sub(lambda match: match["text"] or "", raw) if _MARKUP_SIGN.search(raw) else raw
    return " ".join(text.split())


def _is_heading(source: str, start: int, end: int) -> bool:
    after = source[end : end + 12].lstrip(" ")
    return (
        after.startswith(("\n====", "\n----", "\n~~~~", "\n^^^^", "\n''''"))
        or _RULER.search(source, start, end) is not None
    )


def _is_numbered(source: str, line: int, start: int) -> bool:
    return 1 < start - line < 24 and _NUMBERED.match(source, line, start) is not None


def _is_whole(text: str, lowered: str) -> bool:
    """Whether it is neither code nor cut short."""
    if lowered[lowered.rfind(" ") + 1 :] in _CUT or "](" in text:
        return False
    if not _ANY_CODE_SIGN.search(text):
        return True
    signs = len(_CODE_SIGN.findall(text))
    return signs <= 3 or signs * 12 <= len(text)
