"""Words that nothing but one thing has, and every place in which a record could still have one."""

from __future__ import annotations

import random
import re
import string
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from muniment.app import Org
from muniment.gate.binding import writing
from muniment.index import lexical
from muniment.index.blocks import term_of
from muniment.index.words import lexemes
from muniment.jobs.distil import distil_due
from tests.doubles import CountingModel
from tests.worlds import Event, at, said

TABLES = """
select tablename from pg_tables where schemaname = 'muniment' and tablename <> 'schema_version' order by 1
"""
_BYTES = re.compile(r"\\\\x([0-9a-f]*)")


def canary(draw: random.Random) -> str:
    """A word that nobody wrote before."""
    return "zq" + "".join(draw.choices(string.ascii_lowercase, k=12))


def dump(org: Org) -> dict[str, str]:
    """Every row of every table, with what is in its bytes in plain sight."""
    with writing(org._work.database, org.tenant) as conn:
        names = [name for (name,) in conn.execute(TABLES)]
        return {name: "\n".join(_rows(conn, org.tenant, name)) for name in names}


def _rows(conn: object, tenant: str, name: str) -> Iterable[str]:
    query = f"select to_jsonb(t)::text from muniment.{name} t where tenant = %(tenant)s"  # noqa: S608  # our tables
    for (row,) in conn.execute(query.encode(), {"tenant": tenant}).fetchall():  # type: ignore[attr-defined]
        yield row
        for found in _BYTES.findall(row):
            yield bytes.fromhex(found).decode("utf-8", "replace")


def tables_with(org: Org, words: str) -> list[str]:
    """The tables that have these words somewhere."""
    return [name for name, text in dump(org).items() if words.casefold() in text.casefold()]


def hits(org: Org, words: Iterable[str]) -> dict[str, list[str]]:
    """Where each word still is: tables, and the index, which holds words by their hashes."""
    tables = {name: text.casefold() for name, text in dump(org).items()}
    with writing(org._work.database, org.tenant) as conn:
        terms = {term for _, term, *_ in lexical.postings_of(conn, org.tenant)}
    found: dict[str, list[str]] = {}
    for word in words:
        places = [name for name, text in tables.items() if word in text]
        places += ["index"] if any(term_of(one) in terms for one in lexemes(word)) else []
        if places:
            found[word] = places
    return found


@dataclass(frozen=True)
class Place:
    """Somewhere a canary can be: the events that bring it, what is done besides, and what is erased."""

    events: Callable[[str, str], Sequence[Event]]
    acts: Callable[[Org, str, str], None] = lambda *_: None
    target: str = "chat:{}"


def _plain(id_: str, **fields: object) -> Event:
    plain: Event = {"title": f"Plan {id_}", "body": f"The {id_} budget is 500 euros.", **fields}
    return {**said(id_, "", 1), **plain}


def _ask(org: Org, _: str, word: str) -> None:
    org.reader("user:ann").ask(f"What is known of {word}?")
    org.reader("user:ann").search(word)


def _dead(org: Org, id_: str, word: str) -> None:
    query = "update muniment.stream set dead = %(why)s where tenant = %(tenant)s and id = %(id)s"
    with writing(org._work.database, org.tenant) as conn:
        conn.execute(query.encode(), {"tenant": org.tenant, "id": id_, "why": f"ValueError: {word}"})


def _held(org: Org, id_: str, word: str) -> None:
    desk = org.steward("user:owner")
    desk.add_hold(f"chat:{id_}", f"about {word}")
    desk.remove_hold(f"chat:{id_}")


def _refused(org: Org, id_: str, word: str) -> None:
    receipt = org.ingest([{"source": "chat", "id": id_, "op": "upsert", "body": word}])
    assert receipt.quarantined == 1


def _unread(org: Org, id_: str, word: str) -> None:
    broken = f'{{"source": "chat", "id": "{id_}", "op": "upsert", "body": "{word}'
    assert org.ingest([broken]).quarantined == 1


def _read_out(org: Org, _: str, _word: str) -> None:
    """By a model that says what stands there, and by one whose reply is none."""
    distil_due(org._work, CountingModel())
    distil_due(org._work, CountingModel(lambda _, shown: f"Well, {shown['text']}", name="other"))


PLACES: dict[str, Place] = {
    "model output": Place(lambda i, w: [said(i, f"The {w} budget stays with the mill.", 1)], _read_out),
    "body": Place(lambda i, w: [said(i, f"The {w} budget is 500 euros.", 1)], _ask),
    "reference": Place(
        lambda i, w: [_plain(i, kind="document", body=f"This replaces the {w.title()} Policy, 2024 edition.")]
    ),
    "numbered": Place(lambda i, w: [_plain(i, kind="document", title=f"{w.title()} Guide (2024 edition)")]),
    "participants": Place(lambda i, w: [_plain(i, participants=[f"{w}@example.com"], author=f"mail:{w}")]),
    "title": Place(lambda i, w: [_plain(i, title=f"The {w} plan")], _ask),
    "author name": Place(lambda i, w: [_plain(i, author_name=f"{w.title()} Smith")]),
    "metadata": Place(lambda i, w: [_plain(i, metadata={"note": {w: [w]}}, labels={"about": w})]),
    "account": Place(lambda i, w: [_plain(i, account=w, url=f"https://example.com/{w}")]),
    "edited version": Place(lambda i, w: [said(i, f"It is {w}.", 1), said(i, "It is settled.", 2)]),
    "late version": Place(lambda i, w: [said(i, "It is settled.", 2), said(i, f"It is {w}.", 1)]),
    "redacted version": Place(
        lambda i, w: [
            said(i, f"Call 555123 about {w}.", 1),
            {"op": "redact", "source": "chat", "id": i, "at": at(2), "spans": [[5, 11]]},
        ]
    ),
    "deleted": Place(
        lambda i, w: [said(i, f"It is {w}.", 1), {"op": "delete", "source": "chat", "id": i, "at": at(2)}]
    ),
    "old id": Place(
        lambda i, w: [
            said(f"{i}-old", f"The {w} budget is 500 euros.", 1),
            {"op": "move", "source": "chat", "id": f"{i}-old", "at": at(2), "to": i},
            said(i, "The budget is 600 euros.", 3),
        ]
    ),
    "new id": Place(
        lambda i, w: [
            said(i, "The budget is 600 euros.", 1),
            {"op": "move", "source": "chat", "id": i, "at": at(2), "to": f"{i}-new"},
            said(f"{i}-new", f"The {w} budget is 500 euros.", 3),
        ]
    ),
    "entity": Place(
        lambda i, w: [
            {
                "op": "entity",
                "source": "crm",
                "id": i,
                "at": at(1),
                "entity_kind": "account",
                "name": f"{w} Ltd",
            }
            | {"aliases": [w], "audience": [["*"]]}
        ],
        _ask,
        "crm:@entity/{}",
    ),
    "failure": Place(lambda i, _: [_plain(i)], _dead),
    "hold": Place(lambda i, _: [_plain(i)], _held),
    "refused": Place(lambda i, _: [_plain(i)], _refused),
    "unread": Place(lambda i, _: [_plain(i)], _unread),
}
