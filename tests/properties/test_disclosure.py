"""A range reader never receives a byte of the exact value; nor does a trend reader, or one of neither."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache

import pytest

from muniment.app import Org
from muniment.domain.values import dump
from muniment.gate.binding import writing
from muniment.view import View
from tests.conftest import PROVE
from tests.disclosed import (
    ALL_KINDS,
    AUTUMN,
    POLICY,
    Ask,
    Kind,
    cast,
    delivered,
    everything,
    finance,
    indexed,
    stored,
    told,
)
from tests.worlds import Clock, Event, at, open_org, said, taken

PAIRS = 1  # 200 in `make prove`
_IDS = re.compile(r"[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
# What tells of the exact item: its source, its author, its ids and its times.
TRACES = ("ledger", "user:fin", "Q1 2026 is", "2026-10-04", "09:00:00.", "-Q1", "-Q2")
LEVELS = {"band": "user:sal", "trend": "user:op", "hidden": "user:noor"}


@pytest.fixture(scope="module")
def record(url: str) -> Iterator[Org]:
    with open_org(url, "disclosure-cases") as org:
        taken(org, cast())
        org.steward(org.login).set_disclosure(POLICY)
        taken(org, told())
        yield org


@pytest.fixture(scope="module")
def every(record: Org) -> Callable[[str], str]:
    """All that somebody gets by every verb at three moments, of every kind, and what is kept of it."""
    kinds = [kind.attribute for kind in ALL_KINDS]
    halves = (kinds, kinds) if PROVE else (kinds[::2], kinds[1::2])
    times: tuple[tuple[dict[str, str], Sequence[str]], ...] = (
        ({}, kinds),
        ({"known_at": at(4_400)}, halves[0]),
        ({"as_of": at(100_000)}, halves[1]),
    )

    @cache
    def of(who: str) -> str:
        replies = [
            reply
            for moment, about in times
            for reply in delivered(record.reader(who, **moment), everything(about))
        ]
        return "\n".join((*replies, stored(record, who), traced(record, who)))

    return of


def found_in(text: str, wanted: Sequence[str]) -> list[str]:
    """Which of these stand in a text, its opaque ids aside."""
    plain = _IDS.sub("", text)
    return [one for one in wanted if re.search(rf"(?<!\d){re.escape(one)}(?!\d)", plain)]


@pytest.mark.parametrize("kind", ALL_KINDS, ids=lambda kind: kind.attribute)
@pytest.mark.parametrize("level", LEVELS)
def test_no_byte_of_the_exact_value_reaches_who_may_not_read_it(
    record: Org, every: Callable[[str], str], level: str, kind: Kind
) -> None:
    who = LEVELS[level]
    found = every(who)

    assert found_in(found, [*kind.spellings(), *TRACES]) == []
    assert indexed(record, who, kind.only_exact()) == 0
    assert (kind.band in found) is (level == "band")
    assert (f"{kind.attribute} (Q2 2026) is up on the previous quarter" in found) is (level == "trend")


@pytest.mark.parametrize("who", ["user:fin", "user:both"])
def test_who_may_read_the_item_gets_the_value_and_only_the_value(record: Org, who: str) -> None:
    """Also someone who is in every group: no duplicate, no conflict."""
    view = record.reader(who)
    every = "\n".join(delivered(view, everything([kind.attribute for kind in ALL_KINDS])))

    for kind in ALL_KINDS:
        assert kind.later in view.ask(f"What is Acme's {kind.attribute} for Q2 2026?").text
        assert found_in(every, [kind.band, "disclosure", "previous quarter"]) == []
    assert view.conflicts() == []


def test_a_level_is_cited_without_a_place(record: Org) -> None:
    (cited,) = record.reader("user:sal").ask("What is Acme's revenue for Q2 2026?").citations

    hidden = (cited.quote, cited.item, cited.version, cited.url, cited.said_by)
    assert (cited.level, cited.source, cited.trust) == ("range", "disclosure", "member")
    assert hidden == (None,) * 5
    assert cited.said_at is not None
    assert cited.said_at.isoformat() == "2026-10-01T00:00:00+00:00"
    assert record.reader("user:sal").explain(cited.id).lineage == ("disclosed as a range by policy",)


def test_every_level_resolves_to_quotes_that_stand_word_for_word(record: Org) -> None:
    desk = record.steward(record.login)
    for who, level in (("user:sal", "range"), ("user:op", "trend")):
        hits = record.reader(who).search("acme", unit="claim", limit=50)
        levels = [hit.citation for hit in hits if hit.citation is not None and hit.citation.level == level]

        assert len(levels) >= len(ALL_KINDS)
        for cited in levels:
            behind = desk.evidence(cited.id)
            assert len(behind) == (2 if level == "trend" else 1)
            assert all(one.verbatim and one.source == "ledger" for one in behind)


TRACED = (
    "select detail::text || coalesce(question, '') from muniment.trace where tenant = %s and principal = %s"
)


def traced(org: Org, who: str) -> str:
    """What is kept of why each thing was recalled for someone; their own questions name no value."""
    with writing(org._work.database, org.tenant) as conn:
        return "\n".join(row[0] for row in conn.execute(TRACED, (org.tenant, who)).fetchall())


# ── inside a band nothing changes ──

BANDS = {"revenue": ("EUR", 1_000_000, 20), "capacity": ("", 1_000, 10)}


def value(draw: random.Random, attribute: str, band: int) -> str:
    unit, width, _ = BANDS[attribute]
    number = band * width + draw.randrange(width)
    return f"EUR {number:,}" if unit else f"{number} seats"


def statement(draw: random.Random, name: str, slot: tuple[str, str], band: int) -> str:
    attribute, quarter = slot
    return f"{name}'s {attribute} for {quarter} 2026 is {value(draw, attribute, band)}."


def twins(seed: int) -> Iterator[tuple[random.Random, bool, dict[tuple[str, str, str], int]]]:
    """The same bands for both worlds, whose values are drawn apart; the second also says more inside them."""
    shape = random.Random(seed)
    bands = {
        (name, attribute, quarter): shape.randrange(1, BANDS[attribute][2])
        for name in ("Acme", "Globex")
        for attribute in BANDS
        for quarter in ("Q1", "Q2")
        if shape.random() < 0.8
    }
    for name in ("Acme", "Globex"):  # apart, so that the direction is the bands' own
        for attribute in BANDS:
            one, two = (name, attribute, "Q1"), (name, attribute, "Q2")
            if one in bands and bands[one] == bands.get(two):
                del bands[two]
    yield random.Random(f"{seed} one"), False, bands
    yield random.Random(f"{seed} other"), True, bands


def first_said(draw: random.Random, bands: dict[tuple[str, str, str], int]) -> list[Event]:
    return [
        finance(
            f"v{number}",
            statement(draw, name, (attribute, quarter), band),
            AUTUMN + number,
            account=name.casefold(),
        )
        for number, ((name, attribute, quarter), band) in enumerate(bands.items())
    ]


def said_later(draw: random.Random, bands: dict[tuple[str, str, str], int]) -> list[Event]:
    """Edits, confirmations, successors and passing remarks, all inside the bands, some of them taken back."""
    events: list[Event] = []
    for number, ((name, attribute, quarter), band) in enumerate(bands.items()):
        body = statement(draw, name, (attribute, quarter), band)
        later = AUTUMN + 900 + number
        id_ = draw.choice((f"v{number}", f"w{number}", f"x{number}"))
        fields: dict[str, object] = {"account": name.casefold()}
        if id_.startswith("x"):
            fields["supersedes"] = [f"v{number}"]
        if draw.random() < 0.3:
            fields |= {"source": "board", "kind": "crm"}
        if id_.startswith("v"):
            fields = {"account": name.casefold()}
        events.append(finance(id_, body, later, **fields))
        if id_.startswith("w") and draw.random() < 0.3:
            events.append(
                {"source": fields.get("source", "ledger"), "op": "delete", "id": id_, "at": at(later + 50)}
            )
    return events


def world(
    url: str, name: str, draw: random.Random, bands: dict[tuple[str, str, str], int], *, busy: bool
) -> list[list[str]]:
    """What each reader gets of a world; of a busy one also after it said more."""
    clock = Clock()
    asks = everything([sorted(BANDS)[len(bands) % len(BANDS)]])
    past = asks if PROVE else asks[len(bands) % 2 :: 2]
    with open_org(url, name, clock) as org:
        taken(org, cast())
        org.steward(org.login).set_disclosure(POLICY)
        taken(org, [*first_said(draw, bands), said("hello", "Acme asked for a call.")])
        clock.forward(days=40)
        seen = [replies(org, asks, past)]
        if busy:
            taken(org, said_later(draw, bands))
            seen.append(replies(org, asks, past))
        return seen


def replies(org: Org, asks: Sequence[Ask], past: Sequence[Ask]) -> list[str]:
    then = {"known_at": at(4_400), "as_of": at(3_100)}
    return [
        reply
        for who in LEVELS.values()
        for view, asked in ((org.reader(who), asks), (org.reader(who, **then), past))
        for reply in delivered(view, asked)
    ]


def test_inside_a_band_no_byte_changes(url: str, tenant: str, seed: int, *, prove: bool) -> None:
    for number in range(seed, seed + (200 if prove else PAIRS)):
        (one,), (other, later) = (
            world(url, f"{tenant}-{number}-{busy}", draw, bands, busy=busy)
            for draw, busy, bands in twins(number)
        )

        assert one == other, f"MUNIMENT_SEED={number}: the values show"
        assert other == later, f"MUNIMENT_SEED={number}: an update inside a band shows"


# ── across a band exactly the level changes ──

QUESTION = "What is Acme's revenue for Q2 2026?"
CROSSED = ("1,000,000 and 2,000,000", "2,000,000 and 3,000,000")


def facts(view: View) -> dict[str, object]:
    """What a page says of Acme, by statement, without what names the moment asked about."""
    claims = [claim for section in view.page("acme").sections for claim in section.claims]
    return {claim.statement: dump(claim) for claim in claims}


def test_across_a_band_the_level_changes_and_nothing_else(url: str, tenant: str) -> None:
    clock = Clock()
    with open_org(url, tenant, clock) as org:
        taken(org, cast())
        org.steward(org.login).set_disclosure(POLICY)
        taken(org, told())
        before = facts(org.reader("user:sal"))
        clock.forward(days=40)
        taken(org, [finance("revenue-Q2", "Acme's revenue for Q2 2026 is EUR 2,100,001.", AUTUMN + 900)])
        after = facts(org.reader("user:sal"))
        (earlier,) = org.reader("user:sal", known_at=at(AUTUMN + 1_500)).ask(QUESTION).citations
        old, new = (f"Acme's revenue (Q2 2026) is between EUR {band}." for band in CROSSED)

        assert before.keys() - after.keys() == {old}
        assert after.keys() - before.keys() == {new}
        assert all(before[one] == after[one] for one in before.keys() & after.keys())
        assert earlier.statement == old
        versions = org.reader("user:sal").history(org.reader("user:sal").ask(QUESTION).citations[0].id)
        assert [(one.statement, one.known_from.isoformat()[:10]) for one in versions] == [
            (old, "2026-11-01"),
            (new, "2027-01-01"),
        ]


def test_what_is_deleted_or_in_conflict_is_no_longer_disclosed(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        taken(org, cast())
        org.steward(org.login).set_disclosure(POLICY)
        taken(org, told())

        asks = everything(["revenue"])

        def band() -> str:
            return org.reader("user:sal").ask(QUESTION).text

        assert "1,000,000 and 2,000,000" in band()
        taken(org, [finance("other", "Acme's revenue for Q2 2026 is EUR 5,000,003.", AUTUMN + 9)])
        assert "revenue (Q2 2026)" not in band()
        taken(org, [{"source": "ledger", "op": "delete", "id": "other", "at": at(AUTUMN + 20)}])
        assert "1,000,000 and 2,000,000" in band()
        taken(org, [{"source": "ledger", "op": "delete", "id": "revenue-Q2", "at": at(AUTUMN + 20)}])
        left = [stored(org, who) for who in LEVELS.values()]
        left += [reply for who in LEVELS.values() for reply in delivered(org.reader(who), asks)]
        assert "revenue (Q2 2026)" not in "\n".join(left)


HOSTILE = (
    "Acme's revenue (1734967 booked) is EUR 1,734,967.",
    "Acme's revenue is EUR 1,734,967 for the falcon merger.",
    "Account 1734967's revenue for Q2 2026 is EUR 1,734,967.",
)


def test_no_words_of_the_item_come_along(url: str, tenant: str) -> None:
    """What narrows a statement is text of its author's, and may hold the value itself."""
    with open_org(url, tenant) as org:
        taken(org, cast())
        org.steward(org.login).set_disclosure(POLICY)
        taken(org, [finance(f"h{number}", body) for number, body in enumerate(HOSTILE)])
        every = "\n".join(
            (stored(org, "user:sal"), *delivered(org.reader("user:sal"), everything(["revenue"])))
        )

        assert found_in(every, ["1734967", "booked", "falcon", "Falcon"]) == []


# ── the checks can fail ──

EXACT_TIMES = """
update muniment.item l
   set at = e.at, created_at = e.created_at
  from muniment.item e
 where l.tenant = %(tenant)s and e.tenant = %(tenant)s and l.source = 'disclosure' and e.source = 'ledger'
   and e.id = 'revenue-Q2'
"""
EXACT_WORDS = """
update muniment.passage l
   set body = e.body
  from muniment.passage e
  join muniment.item i on i.tenant = e.tenant and i.item = e.item and i.id = 'revenue-Q2'
 where l.tenant = %(tenant)s and e.tenant = %(tenant)s and l.body like '%%revenue (Q2 2026) is between%%'
"""


@pytest.mark.parametrize("fault", [EXACT_TIMES, EXACT_WORDS], ids=["times", "words"])
def test_the_check_sees_what_a_level_must_not_hold(url: str, tenant: str, fault: str) -> None:
    """Planted faults: a level with its exact item's time, and one with its words."""
    with open_org(url, tenant) as org:
        taken(org, cast())
        org.steward(org.login).set_disclosure(POLICY)
        taken(org, told())
        with writing(org._work.database, org.tenant) as conn:
            conn.execute(fault.encode(), {"tenant": tenant})
        every = "\n".join(
            (*delivered(org.reader("user:sal"), everything(["revenue"])), stored(org, "user:sal"))
        )

        assert found_in(every, [*ALL_KINDS[0].spellings(), *TRACES])
