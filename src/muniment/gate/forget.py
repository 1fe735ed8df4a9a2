"""What was asked, and what the audit says was done, about something that is erased: forgotten with it.

A question is about it where it was answered from it, where it quotes it, or where it has a word that nothing
else in the record has. What stays is that somebody asked something, and when.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from psycopg.types.json import Jsonb

from muniment.domain.events import JsonObject
from muniment.domain.regex import regex
from muniment.index import lexical
from muniment.index.words import lexemes, running
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["About", "forget", "strings_of"]

SQL: Final = load("audit")
STRETCH: Final = 5_000  # rows of what was asked and done that are looked at together
QUOTED: Final = 4  # lexemes in a row that make a quotation
_ID: Final = regex(r"[0-9a-f]{32}")
Gram = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class About:
    """How to see that a text is about what was erased.

    ids: of passages and statements, in hex. targets: how it is referred to. names: what it is called.
    asker: whose questions all are. changed: whether a text has words that are blanked.
    """

    ids: frozenset[str] = frozenset()
    targets: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    texts: Sequence[str] = ()
    asker: str | None = None
    changed: Callable[[str], bool] = lambda _: False

    def grams(self) -> frozenset[Gram]:
        """Every few words in a row of its texts, and its names of several words."""
        quoted = {gram for text in self.texts for gram in _grams(running(text), QUOTED)}
        called = (tuple(running(name)) for name in self.names)
        return frozenset(quoted | {name for name in called if 1 < len(name) < QUOTED})


@dataclass(frozen=True, slots=True)
class _Sieve:
    about: About
    grams: frozenset[Gram]
    words: frozenset[str]

    def holds(self, text: str) -> bool:
        """Whether a text quotes or names what was erased."""
        said = running(text)
        return (
            not self.words.isdisjoint(lexemes(text))
            or any(gram in self.grams for size in range(2, QUOTED + 1) for gram in _grams(said, size))
            or not self.about.targets.isdisjoint(part.rstrip(".,;!?") for part in text.split())
            or self.about.changed(text)
        )

    def cites(self, ids: Iterable[str]) -> bool:
        """Whether a citation leads into what was erased."""
        return any(found in self.about.ids for one in ids for found in _ID.findall(one))


def forget(conn: Connection, tenant: str, about: About) -> tuple[int, int]:
    """Forget questions and acts about it, its postings being gone; how many traces and acts that were."""
    sieve = _Sieve(about, about.grams(), _words_left_nowhere(conn, tenant, about))
    traces = list(_traces(conn, tenant, sieve))
    values = {
        "tenant": tenant,
        "traces": [trace for trace, _ in traces],
        "details": [Jsonb(detail) for _, detail in traces],
    }
    conn.execute(SQL["forget_traces"], values)
    acts = list(_acts(conn, tenant, sieve, {trace.hex for trace, _ in traces}))
    if acts:
        conn.execute(SQL["forget_acts"], {"tenant": tenant, "entries": acts})
    return len(traces), len(acts)


def _words_left_nowhere(conn: Connection, tenant: str, about: About) -> frozenset[str]:
    """Words of what was erased that were asked for and that no document has any more."""
    own = {word for text in (*about.texts, *about.names) for word in lexemes(text)}
    asked = {
        word
        for _, question in _streamed(conn, "questions", tenant)
        for word in own.intersection(lexemes(question))
    }
    return frozenset(asked) - lexical.spoken(conn, tenant, asked)


def _traces(conn: Connection, tenant: str, sieve: _Sieve) -> Iterator[tuple[UUID, JsonObject]]:
    for trace, principal, question, detail in _streamed(conn, "traces", tenant):
        kept = [one for one in detail.get("kept", ()) if isinstance(one, str)]
        own = principal == sieve.about.asker and question is not None
        if own or sieve.cites(kept) or (question is not None and sieve.holds(question)):
            yield trace, {**detail, "kept": [one for one in kept if not sieve.cites([one])]}


def _acts(conn: Connection, tenant: str, sieve: _Sieve, traces: set[str]) -> Iterator[int]:
    for entry, what, content in _streamed(conn, "acts", tenant):
        # The names of an act's fields are ours: a word of them says nothing of what was erased.
        said = [text for part in content.values() for text in strings_of(part)]
        if what in traces or what in sieve.about.targets or sieve.cites(said) or any(map(sieve.holds, said)):
            yield entry


def _streamed(conn: Connection, query: str, tenant: str) -> Iterator[tuple[Any, ...]]:
    """Rows by their key, which comes first, a stretch at a time."""
    after: object = None
    while rows := conn.execute(SQL[query], {"tenant": tenant, "after": after, "limit": STRETCH}).fetchall():
        yield from rows
        after = rows[-1][0]


def strings_of(value: object) -> Iterator[str]:
    """Every text in a JSON value, names of fields included."""
    match value:
        case str():
            yield value
        case list():
            for part in value:
                yield from strings_of(part)
        case dict():
            yield from (str(name) for name in value)
            for part in value.values():
                yield from strings_of(part)


def _grams(words: Sequence[str], size: int) -> Iterator[Gram]:
    return (tuple(words[at : at + size]) for at in range(len(words) - size + 1))
