"""What is observed now: the only thing that history is compared with. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from muniment.domain.names import normal_name
from muniment.domain.regex import regex
from muniment.index.words import content_lexemes
from muniment.lenses.incidents.ledger import Row, opening, text_of, texts_of

__all__ = ["Situation", "codes_in", "shape_of", "situation", "words_of"]

# Codes that name one kind of failure: ORA-00060, ECONNREFUSED, SQLSTATE 40001, HTTP 503, x509, OOMKilled.
_CODE: Final = regex(
    r"\b(?:[A-Z]{2,8}-\d{2,6}|E\d{3,5}|E[A-Z]{5,20}|SQLSTATE[ :=]?\w{5}"
    r"|(?:HTTP|status|code)[ :=]{0,2}[45]\d\d"
    r"|x509|OOMKilled|CrashLoopBackOff|ImagePullBackOff|DeadlineExceeded|0x[0-9a-fA-F]{4,16})\b"
)
_MOST_TEXT: Final = 50_000


@dataclass(frozen=True, slots=True)
class Situation:
    """A service in an environment, what it signals, and the words in which that is told."""

    service: str | None
    environment: str | None
    version: str | None
    signals: frozenset[str]
    codes: frozenset[str]
    entities: frozenset[str]
    tools: frozenset[str]
    text: str


def situation(rows: Sequence[Row]) -> Situation:
    """What an incident's opening and its observations say; neither hypotheses nor verdicts count."""
    head = opening(rows)
    seen = [row for row in rows if row.entry in ("opened", "observation")]
    text = "\n".join(_words(row) for row in seen)[:_MOST_TEXT]
    said = head.said
    return Situation(
        service=head.service,
        environment=text_of(said.get("environment")),
        version=_newest([text_of(row.said.get("version")) for row in seen]),
        signals=frozenset(normal_name(one) for row in seen for one in texts_of(row.said.get("signals"))),
        codes=codes_in(text),
        entities=frozenset(normal_name(one) for row in seen for one in texts_of(row.said.get("entities"))),
        tools=shape_of(seen),
        text=text,
    )


def _words(row: Row) -> str:
    return "\n".join(part for part in (row.title, text_of(row.said.get("text"))) if part)


def _newest(versions: Iterable[str | None]) -> str | None:
    """The version that was observed last: the one it was opened with may be over."""
    return next((one for one in reversed(list(versions)) if one), None)


def codes_in(text: str) -> frozenset[str]:
    """The error codes of a text, however they are spaced."""
    return frozenset(re.sub(r"[ :=]+", " ", one).casefold() for one in _CODE.findall(text[:_MOST_TEXT]))


def shape_of(rows: Iterable[Row]) -> frozenset[str]:
    """With which tools it was looked at."""
    return frozenset(tool for row in rows if (tool := text_of(row.said.get("tool"))))


def words_of(text: str) -> frozenset[str]:
    """The content words of a text, as the index has them."""
    return frozenset(content_lexemes(text[:_MOST_TEXT]))
