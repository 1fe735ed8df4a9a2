r"""Sentences with a mark in place of each text they name, so that a phrase can be matched around it. Pure.

`\x01 3 \x02` is the fourth mention; `\x01 3! \x02` is one that is the text's own name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from muniment.domain.regex import regex
from muniment.graph.mentions import Mention
from muniment.graph.referrer import Referrer

__all__ = ["OWN", "REF", "REFS", "Template", "is_own", "named_in", "templates"]

REF = "\x01\\d+!?\x02"
OWN = "\x01\\d+!\x02"
REFS = (
    rf"(?P<refs>{REF}(?:(?:\s*[,、，]\s*|\s*(?:,\s*)?(?:and|or|&|as well as|以及|及|和|与|或)\s*|\s*/\s*)(?:"
    rf"(?:the|our|its|of)\s+)*{REF})*)"
)
_MARK = regex("\x01(\\d+)!?\x02")
_END = regex(
    r"[.!?](?=[\"”’)*_`]{0,3}(?:\s+[A-Z\x01\"“(\[*_#>-]|\s*\Z))|[。！？；]|;\s|\n[ \t]{0,8}\n|\n(?=[ \t]{0,8}"
    r"(?:[-*+•>#|]|\d{1,3}[.)])\s)"
)


@dataclass(frozen=True, slots=True)
class Template:
    """One sentence, its mentions as marks, and whether it asks."""

    text: str
    asks: bool


def is_own(one: Mention, by: Referrer) -> bool:
    """Whether a mention is the text's own name."""
    return one.section is None and by.is_called(one.name, one.edition)


def templates(text: str, named: Sequence[Mention], by: Referrer) -> Iterator[Template]:
    """The sentences that name something."""
    marked = _marked(text, named, by)
    start = 0
    for match in [*_END.finditer(marked), None]:
        end = len(marked) if match is None else match.end()
        sentence = marked[start:end]
        if "\x01" in sentence or _EDITIONS.search(sentence):
            yield Template(_plain(sentence), asks=sentence.rstrip().endswith(("?", "？")))
        start = end


_EDITIONS = regex(r"(?i)\b(?:edition|version|revision)\b|版")
_SPACES = regex(r"\s+")
_LEAD = regex(r"\A(?:[>#|•+*-] ?|\[[ xX]\] |\d{1,3}[.)] )+")
_MARKUP = regex(r"[*_`]+")


def _plain(sentence: str) -> str:
    return _LEAD.sub("", _SPACES.sub(" ", _MARKUP.sub("", sentence)).strip())


def _marked(text: str, named: Sequence[Mention], by: Referrer) -> str:
    parts = []
    at = 0
    for number, one in enumerate(named):
        parts += [text[at : one.start], f"\x01{number}{'!' if is_own(one, by) else ''}\x02"]
        at = one.end
    return "".join([*parts, text[at:]])


def named_in(marks: str) -> list[int]:
    """The numbers of the mentions in a stretch of a template."""
    return [int(number) for number in _MARK.findall(marks)]
