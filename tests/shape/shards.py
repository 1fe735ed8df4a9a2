"""Where each statement would run on a PostgreSQL that is distributed by tenant: read off its own words.

`python -m tests.shape.shards > docs/operations/shards.md` writes what the test compares with.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.shape.statements import queries, tenant_tables, without_comments

ROOT = Path(__file__).parents[2]
SQL = ROOT / "src" / "muniment" / "sql"
PAGE = ROOT / "docs" / "operations" / "shards.md"

_TENANT = ":tenant"
# A table of ours where a statement names it, and what the statement calls it.
_NAMED = re.compile(
    r"(?:\b(?:from|join|using|update)|,)\s+(?:only\s+)?muniment\.(\w+)(?!\s*\()(?:\s+as)?(?:\s+(\w+))?"
)
_TARGET = re.compile(r"\binsert\s+into\s+muniment\.(\w+)(?:\s+as\s+\w+)?\s*\(\s*tenant\b[^()]*\)")
_INTO = re.compile(r"\binsert\s+into\s+muniment\.(\w+)")
_FIRST = re.compile(
    r"\s*(?:overriding system value )?(?:select(?: distinct)?|values \()\s*(:tenant|(\w+)\.tenant|tenant)\b"
)
_GIVEN = re.compile(r"(?:\b(\w+)\.)?\btenant = :tenant\b|:tenant = (?:(\w+)\.)?tenant\b")
_SAME = re.compile(r"\b(\w+)\.tenant = (\w+)\.tenant\b")
_QUERY = re.compile(r"\(\s*(?:select|with|insert|update|delete|values)\b")
_WORDS = frozenset(
    "as where on set join left right inner cross full order group limit for returning union values using "
    "select natural tablesample window having default with".split()
)
_LOCKS = re.compile(r"\bpg_(?:try_)?advisory")
Called = tuple[int, str]  # where its query begins, and what the query calls it


@dataclass(frozen=True, slots=True)
class Place:
    """Which of our tables a statement names, and which of them it binds to no tenant of its own."""

    tables: int
    unbound: tuple[str, ...]
    locks: bool

    @property
    def kind(self) -> str:
        if not self.tables:
            return "coordinator"
        return "unbound" if self.unbound else "one shard"


def place_of(sql: str, tenants: Iterable[str]) -> Place:
    """Where it would run: on one shard where each table of a tenant is bound to the one that is given."""
    words = " ".join(without_comments(sql).replace("%(tenant)s", _TENANT).split())
    ours, text = frozenset(tenants), Text(words)
    called = {
        (text.query_at(found.start()), _alias(*found.groups())): found[1]
        for found in _NAMED.finditer(words)
        if found[1] in ours
    }
    bound = _bound(called, text)
    unbound = {table for name, table in called.items() if name not in bound}
    filled = [table for table in _INTO.findall(words) if table in ours]
    unbound |= set(filled) - {found[1] for found in _TARGET.finditer(words) if _is_given(found, text, bound)}
    return Place(len(called) + len(filled), tuple(sorted(unbound)), bool(_LOCKS.search(words)))


@dataclass(frozen=True, slots=True)
class Text:
    """A statement's words, and which query of it each of them is in."""

    words: str

    def queries_at(self, place: int) -> list[int]:
        """Where the queries around a place begin, the innermost first; each half of a union is one."""
        begun = [0]
        for at, letter in enumerate(self.words[:place]):
            if letter == "(":
                begun.append(at + 1 if _QUERY.match(self.words, at) else -1)
            elif letter == ")":
                begun.pop()
            elif self.words.startswith("union ", at) and begun[-1] >= 0:
                begun[-1] = at
        return [one for one in reversed(begun) if one >= 0]

    def query_at(self, place: int) -> int:
        return self.queries_at(place)[0]

    def meant(self, alias: str, place: int, called: Iterable[Called]) -> Called | None:
        """What a name means at a place: the innermost query that calls something so."""
        known = set(called)
        return next(((at, alias) for at in self.queries_at(place) if (at, alias) in known), None)


def _alias(table: str, alias: str | None) -> str:
    return table if not alias or alias in _WORDS else alias


def _bound(called: Iterable[Called], text: Text) -> set[Called]:
    """What is bound to the tenant that is given, or to something that is."""
    bound = {name for found in _GIVEN.finditer(text.words) for name in _given(found, text, set(called))}
    same = [
        (text.meant(found[1], found.start(), called), text.meant(found[2], found.start(), called))
        for found in _SAME.finditer(text.words)
    ]
    while more := {a for pair in same for a, b in (pair, pair[::-1]) if a and b in bound} - bound:
        bound |= more
    return bound


def _given(found: re.Match[str], text: Text, called: set[Called]) -> list[Called]:
    """Which tables one comparison with the given tenant binds; without a name, the one in its query."""
    alias = found[1] or found[2]
    if alias:
        meant = text.meant(alias, found.start(), called)
        return [] if meant is None else [meant]
    here = [name for name in called if name[0] == text.query_at(found.start())]
    return here if len(here) == 1 else []


def _is_given(found: re.Match[str], text: Text, bound: set[Called]) -> bool:
    """Whether what is put in is said to be of the given tenant, or of a bound row's."""
    first = _FIRST.match(text.words, found.end())
    if first is None or first[1] == "tenant":
        return False
    return first[1] == _TENANT or text.meant(first[2], first.end() + 1, bound) is not None


def places() -> dict[str, dict[str, Place]]:
    """Every statement, by room and name."""
    tenants = tenant_tables((SQL / "schema.sql").read_text(encoding="utf-8"))
    tenants |= tenant_tables((SQL / "vectors.sql").read_text(encoding="utf-8"))
    return {
        file.stem: {name: place_of(sql, tenants) for name, sql in queries(file.read_text(encoding="utf-8"))}
        for file in sorted((SQL / "queries").glob("*.sql"))
    }


def page(found: Mapping[str, Mapping[str, Place]]) -> str:
    """The classification as operators read it."""
    return "\n".join(
        [_HEAD, *_counts(found), "", _BETWEEN, *_unbound(found), "", _LOCKED, *_locks(found), ""]
    )


def _counts(found: Mapping[str, Mapping[str, Place]]) -> Iterator[str]:
    total = Counter(one.kind for room in found.values() for one in room.values())
    kinds = ("one shard", "coordinator", "unbound")
    yield f"| room | {' | '.join(kinds)} |"
    yield "|---|---|---|---|"
    for room, statements in found.items():
        kind = Counter(one.kind for one in statements.values())
        yield f"| `{room}` | {' | '.join(str(kind[one]) for one in kinds)} |"
    yield f"| all | {' | '.join(str(total[one]) for one in kinds)} |"


def _unbound(found: Mapping[str, Mapping[str, Place]]) -> Iterator[str]:
    yield "| statement | of |"
    yield "|---|---|"
    for room, statements in found.items():
        for name, one in statements.items():
            if one.unbound:
                yield f"| `{room}.{name}` | {', '.join(f'`{table}`' for table in one.unbound)} |"


def _locks(found: Mapping[str, Mapping[str, Place]]) -> Iterator[str]:
    named = [f"`{room}.{name}`" for room, all_ in found.items() for name, one in all_.items() if one.locks]
    yield f"{', '.join(named)}."


_HEAD = """\
# Many tenants on a distributed PostgreSQL

Generated by `python -m tests.shape.shards`, and compared with the statements by a test. Every key, foreign
key and statement leads with `tenant`, so that the tables can be distributed by it. One PostgreSQL for each
cell of tenants needs nothing of this page: a tenant moves by [export and import](../how-to/move.md).

## What it needs

From a trial of Citus by hand with rules like ours, not of Muniment: Citus cannot be had where this is built,
and no test here runs on it.

- `citus.propagate_set_commands = 'local'`: row security goes by settings that a transaction makes (`set
  local`). Without it a shard shows nothing.
- The tenant in each statement: row security alone sent a query to all of 8 shards, `tenant = …` to one.
- Work is claimed by `for update skip locked`, which is refused across shards and allowed with one tenant.

## Where each statement goes

Read off its words:

- *One shard*: every table of a tenant that it names is bound to the tenant that is given, by itself or
  through another.
- *Coordinator*: it names no table of a tenant.
- *Unbound*: of some table its words do not say whose rows are meant. Row security still shows one tenant's
  alone; the question goes everywhere. Of rows that are put in from a list, each says itself whose it is, and
  the coordinator sends it on.
"""
_BETWEEN = "Unbound:\n"
_LOCKED = """\
Advisory locks are held where they are asked for. They order transactions only if all of them come through
one coordinator; these take them:
"""

if __name__ == "__main__":
    print(page(places()), end="")  # noqa: T201  # its output is the page
