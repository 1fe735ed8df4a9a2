"""Worlds in which some read values exactly, some their band, some their direction and some nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence

from muniment.app import Org
from muniment.domain.errors import MunimentError
from muniment.domain.record import Moment
from muniment.domain.values import Answer, Citation, Pack, Page, dump
from muniment.gate.reader import Hearing, reading_as
from muniment.index.words import lexemes
from muniment.view import View
from tests.exported import wiki_of
from tests.worlds import Event, at, member, person, said

__all__ = [
    "ALL_KINDS",
    "AUTUMN",
    "POLICY",
    "Ask",
    "Kind",
    "cast",
    "delivered",
    "everything",
    "finance",
    "indexed",
    "stored",
    "told",
]

AUTUMN = 3_000  # hours after the worlds' first: Q2 2026 has closed, Q4 has not
POLICY = """\
levels:
  - about: [revenue]
    range: {groups: [group:sales], unit: EUR, grid: {from: 0, step: 1_000_000, to: 20_000_000}}
    trend: {groups: [group:ops], window: quarter}
  - about: [churn rate]
    range: {groups: [group:sales], unit: "%", grid: [0, 5, 10, 15, 20, 50, 100]}
    trend: {groups: [group:ops], window: quarter}
  - about: [notice period]
    range: {groups: [group:sales], unit: days, grid: [0, 500, 1000, 1500, 2000, 5000]}
    trend: {groups: [group:ops], window: quarter}
  - about: [capacity]
    range: {groups: [group:sales], unit: seats, grid: {from: 0, step: 1000, to: 10000}}
    trend: {groups: [group:ops], window: quarter}
  - about: [headcount]
    range: {groups: [group:sales], unit: number, grid: {from: 0, step: 10000, to: 200000}}
    trend: {groups: [group:ops], window: quarter}
  - about: [contract value]
    range: {groups: [group:sales], unit: USD, grid: {from: 0, step: 500_000, to: 10_000_000}}
    trend: {groups: [group:ops], window: quarter}
"""


class Kind:
    """A kind of value: an attribute, its value in two quarters as written, its band in the second."""

    def __init__(self, attribute: str, earlier: str, later: str, band: str) -> None:
        self.attribute = attribute
        self.earlier = earlier
        self.later = later
        self.band = band

    def only_exact(self) -> str:
        """The lexemes of the exact values that their band does not share."""
        return " ".join(sorted({*lexemes(f"{self.earlier} {self.later}")} - {*lexemes(self.band)}))

    def spellings(self) -> Iterator[str]:
        """Every way in which the exact numbers could be written."""
        for written in (self.earlier, self.later):
            number = re.sub(r"[^\d.]", "", written)
            whole, _, fraction = number.partition(".")
            for gap in ("", ",", ".", " ", "_", "\u202f", "'"):
                yield f"{int(whole):,}".replace(",", gap) + (f".{fraction}" if fraction else "")
            yield f"{int(whole) / 1_000_000:g}" if len(whole) > 6 else number


ALL_KINDS = (
    Kind("revenue", "EUR 1,211,311", "EUR 1,734,967", "between EUR 1,000,000 and 2,000,000"),
    Kind("churn rate", "11.371%", "13.937%", "between 10% and 15%"),
    Kind("notice period", "1173 days", "1397 days", "between 1,000 and 1,500 days"),
    Kind("capacity", "2357 seats", "2791 seats", "between 2,000 and 3,000 seats"),
    Kind("headcount", "71353", "77931", "between 70,000 and 80,000"),
    Kind("contract value", "USD 3,117,933", "USD 3,377,197", "between USD 3,000,000 and 3,500,000"),
)


def cast() -> list[Event]:
    """Finance reads values, sales bands, ops directions; Noor is a member and nothing else."""
    people = [person(f"user:{name}") for name in ("fin", "sal", "op", "noor", "both")]
    groups = [
        member("group:finance", "user:fin", "user:both"),
        member("group:sales", "user:sal", "user:both"),
        member("group:ops", "user:op", "user:both"),
    ]
    return [*people, *groups]


def finance(id_: str, body: str, hours: float = AUTUMN, **fields: object) -> Event:
    """What finance alone may read."""
    own = {"audience": [["group:finance"]], "author": "user:fin", "source": "ledger", "account": "acme"}
    return said(id_, body, hours, **{**own, **fields})


def told() -> list[Event]:
    """Two quarters of every kind of value, and something everybody may read."""
    values = [
        finance(
            f"{kind.attribute}-{quarter}",
            f"Acme's {kind.attribute} for {quarter} 2026 is {value}.",
            AUTUMN + n,
        )
        for kind in ALL_KINDS
        for n, (quarter, value) in enumerate((("Q1", kind.earlier), ("Q2", kind.later)))
    ]
    return [*values, said("hello", "Acme asked for a call about the renewal.", 0, account="acme")]


# ── all that a door gives ──

Ask = Callable[[View], object]


def everything(attributes: Sequence[str]) -> list[Ask]:
    """Every verb, for every attribute."""
    asks: list[Ask] = [
        lambda view: view.pages(),
        lambda view: view.page("acme"),
        lambda view: view.timeline("acme"),
        lambda view: view.conflicts(),
        lambda view: view.context("Prepare the review of Acme", budget=3000),
        lambda view: view.context("Prepare the review of Acme", budget=60),
        lambda view: view.context("Prepare", entity="acme"),
        lambda view: view.explain("c_" + "0" * 32),
        lambda view: view.history("0" * 32),
        lambda view: view.page("treasury"),
        lambda view: view.search("acme", limit=0),
        lambda view: view.changes("acme", at(0)),
        lambda view: view.expand("acme", hops=3),
        lambda view: [view.expand(one.id, hops=2) for one in view.locate("acme", limit=8)],
        wiki_of,
    ]
    for attribute in attributes:
        asks += _about(attribute)
    return asks


def _about(attribute: str) -> list[Ask]:
    question = f"What is Acme's {attribute} for Q2 2026?"
    return [
        lambda view: view.ask(question),
        lambda view: view.ask(f"Did Acme's {attribute} go up?", entity="acme"),
        lambda view: [
            view.search(f"acme {attribute}", unit=unit) for unit in ("item", "passage", "claim", "page")
        ],
        lambda view: view.search(attribute, kind="note", after=at(0)),
        lambda view: [view.locate(attribute), view.locate(attribute, within="acme"), view.locate(question)],
        lambda view: _walked(view, view.ask(question).citations),
        lambda view: _opened(view, view.ask(question).citations),
        lambda view: _opened(view, [hit.citation for hit in view.search(attribute) if hit.citation]),
    ]


def _opened(view: View, citations: Sequence[Citation]) -> list[object]:
    """What stands behind citations, and what their slots held."""
    found: list[object] = [view.explain(one.id) for one in citations]
    return found + [view.history(one.claim) for one in citations if one.claim is not None]


def _walked(view: View, citations: Sequence[Citation]) -> list[object]:
    """What citations lead to in the graph, and what is found within that."""
    found: list[object] = [view.expand(one.id, hops=2) for one in citations]
    return found + [view.locate("acme", within=one.id) for one in citations]


def delivered(view: View, asks: Sequence[Ask]) -> list[str]:
    """What each gives, as bytes; an error by its words."""
    return [_given(view, ask) for ask in asks]


def _given(view: View, ask: Ask) -> str:
    try:
        return json.dumps(dump(ask(view)), ensure_ascii=False, sort_keys=True)
    except MunimentError as error:
        return f"{type(error).__name__}: {error}"


def citations(found: object) -> Iterator[Citation]:
    """The citations in what a verb gave."""
    match found:
        case Citation():
            yield found
        case Answer():
            yield from found.citations
        case Pack():
            yield from (one for part in found.parts for one in part.citations)
        case Page():
            yield from (one for part in found.sections for claim in part.claims for one in claim.citations)
        case list() | tuple():
            for one in found:
                yield from citations(one)


# ── all that the database lets a reader's role see ──

TABLES = (
    "item item_version passage assertion edge entity_name mention reference handle alias person_name "
    "entity_decision topology watermark"
).split()


def stored(org: Org, who: str) -> str:
    """Every row that the second lock lets through for someone, whatever our queries would show of it."""
    now = org._work.clock()
    work, hearing = org._work, Hearing(who)
    with reading_as(work.database, work.tenant, work.key, hearing, Moment(now, now, None)) as reader:
        rows = [
            row[0]
            for table in TABLES
            for row in reader._conn.execute(f"select to_jsonb(t)::text from muniment.{table} t").fetchall()  # noqa: S608
        ]
    return "\n".join(rows)


def indexed(org: Org, who: str, text: str) -> int:
    """How many documents the index gives someone for words."""
    now = org._work.clock()
    work, hearing = org._work, Hearing(who)
    with reading_as(work.database, work.tenant, work.key, hearing, Moment(now, now, None)) as reader:
        return sum(len(reader.scores(era, [word], limit=9).docs) for era in (0, 1) for word in lexemes(text))
