"""Every citation that is delivered resolves, to words that stand verbatim in a version its source gave."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from uuid import UUID

import pytest

from muniment.app import Org
from muniment.claims import cite
from muniment.domain.record import AssertionRow, PassageRow
from muniment.domain.values import Answer, Citation, Hit, Pack, Page, TimelineEntry
from muniment.gate.binding import writing
from muniment.view import View
from tests.planted import plant
from tests.properties.test_two_worlds import worlds
from tests.worlds import open_org

WORLDS = 3  # `make prove` tries 300
QUESTIONS = (
    "What is the renewal date of Acme?",
    "Who owns Umbrella?",
    "Acme 的 discount 是多少？",
    "rate limit",
)
PLACES = ("acme", "globex", "initech", "umbrella", "pricing policy")
BODIES = """
select i.source, i.id, p.content ->> 'body'
  from muniment.item i
  join muniment.payload p on p.tenant = i.tenant and p.source = i.source and p.id = i.id
 where i.tenant = %(tenant)s
   and p.content ? 'body'
"""


def delivered(view: View) -> Iterator[Citation]:
    for question in QUESTIONS:
        yield from _in_answer(view.ask(question))
        yield from _in_pack(view.context(question, budget=600))
        for unit in ("item", "passage", "claim"):
            yield from _in_hits(view.search(question, unit=unit))
    named = {one.entity for one in view.pages()}
    for place in PLACES:
        if place in named:
            yield from _in_page(view.page(place))
            yield from _in_timeline(view.timeline(place))
    for sides in view.conflicts():
        yield from sides


def _in_answer(answer: Answer) -> Iterator[Citation]:
    yield from answer.citations
    for sides in answer.conflicts:
        yield from sides


def _in_pack(pack: Pack) -> Iterator[Citation]:
    for part in pack.parts:
        yield from part.citations


def _in_hits(hits: Iterable[Hit]) -> Iterator[Citation]:
    yield from (hit.citation for hit in hits if hit.citation is not None)


def _in_page(page: Page) -> Iterator[Citation]:
    for section in page.sections:
        for claim in section.claims:
            yield from claim.citations


def _in_timeline(entries: Iterable[TimelineEntry]) -> Iterator[Citation]:
    yield from (entry.citation for entry in entries if entry.citation is not None)


def bodies(org: Org) -> dict[tuple[str, str], list[str]]:
    found: dict[tuple[str, str], list[str]] = {}
    with writing(org._work.database, org.tenant) as conn:
        for source, id_, body in conn.execute(BODIES, {"tenant": org.tenant}):
            found.setdefault((source, id_), []).append(body)
    return found


def unproved(url: str, tenant: str, seed: int) -> tuple[list[Citation], int]:
    """The citations of one world that do not resolve to words given, and how many were looked up."""
    found, looked_up = [], 0
    with open_org(url, tenant) as org:
        org.ingest(worlds(seed)[1])
        given = bodies(org)
        for who in ("user:ann", "user:bo", "user:cy"):
            view = org.reader(who)
            for citation in {one.id: one for one in delivered(view)}.values():
                looked_up += 1
                said = given.get((citation.source, citation.item or ""), [])
                stands = citation.quote and any(citation.quote in body for body in said)
                if not stands or view.explain(citation.id).citation.id != citation.id:
                    found.append(citation)
    return found, looked_up


def test_every_citation_resolves_to_words_its_source_gave(
    url: str, tenant: str, seed: int, *, prove: bool
) -> None:
    for number in range(300 if prove else WORLDS):
        found, looked_up = unproved(url, f"{tenant}-{number}", seed + number)

        assert found == [], f"MUNIMENT_SEED={seed + number}"
        assert looked_up


def reworded(row: AssertionRow, passages: Mapping[UUID, PassageRow]) -> str | None:
    """Planted fault: the quote is not the words that were said."""
    passage, start, end = cite.quote_of(row)
    return passages[passage].body[start:end].swapcase() if passage in passages else None


def test_a_reworded_quote_is_found(url: str, tenant: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, cite, "_quote", reworded)

    assert any(unproved(url, f"{tenant}-{number}", seed + number)[0] for number in range(10))
