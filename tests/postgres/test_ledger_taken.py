"""The benchmark's corpus goes into a record and is asked about as it says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from evals.ledger.conditions import CONDITIONS, ask
from evals.ledger.corpus import Taken, take
from evals.ledger.draw import draw_ledger
from evals.ledger.entries import Ledger, Question
from evals.ledger.plan import Size
from evals.ledger.references import resolution
from evals.ledger.scoring import accuracy
from muniment import Org
from tests.worlds import open_org

SAMPLE = 12  # of a split's questions; the whole is the benchmark's own work
SMALL = Size(lines=1, states=3, sentences=(1, 2))


@dataclass(frozen=True, slots=True)
class _World:
    org: Org
    ledger: Ledger
    taken: Taken

    @property
    def titles(self) -> dict[str, str]:
        return {one.id: one.title for one in self.ledger.documents}


@pytest.fixture
def world(url: str, tenant: str, tmp_path: Path, seed: int) -> Iterator[_World]:
    ledger = draw_ledger(seed, SMALL)
    with open_org(url, tenant) as org:
        yield _World(org, ledger, take(org, ledger, tmp_path))


def _accuracy(world: _World, split: str, condition: str) -> list[float]:
    return [
        accuracy(question, ask(world.org, question, wording, condition, world.titles))
        for question in _of(world.ledger, split)[:SAMPLE]
        for wording in question.wordings
    ]


def _of(ledger: Ledger, split: str) -> list[Question]:
    return [one for one in ledger.questions if one.split == split]


def test_every_document_is_taken_and_most_lookups_are_answered_from_it(world: _World) -> None:
    assert world.taken.refused == 0
    assert world.taken.documents == len(world.ledger.documents)
    for condition in CONDITIONS:
        found = _accuracy(world, "lookup", condition)
        assert sum(found) / len(found) > 0.6, condition


def test_nothing_forbidden_or_deleted_is_handed_to_anybody(world: _World) -> None:
    closed = [*_of(world.ledger, "permission"), *_of(world.ledger, "deletion")]
    hidden = [one for one in closed if not one.must_state]

    assert len(hidden) >= 2
    for question in hidden:
        for condition in CONDITIONS:
            for wording in question.wordings:
                handed = ask(world.org, question, wording, condition, world.titles)
                assert accuracy(question, handed) == 1, question.id
                text = "\n".join(one.text for one in handed.shown)
                assert question.must_not_state[0].document not in text, question.id


def test_a_pack_never_costs_more_than_its_budget(world: _World) -> None:
    for question in _of(world.ledger, "budget")[:SAMPLE]:
        for condition in CONDITIONS:
            assert ask(world.org, question, question.wordings[0], condition, world.titles).tokens <= (
                question.budget or 0
            )


def test_front_matter_ties_documents_and_references_lead_to_sections(world: _World) -> None:
    found = resolution(world.org, world.ledger)

    assert found.fields > 0
    assert found.fields_right >= 0.7 * found.fields
    assert found.right >= 0.3 * found.wanted
    assert found.right <= found.documents <= found.wanted == len(world.ledger.references)
