"""A pack never exceeds its budget, counts what it left out, and goes on where it ended until all is out."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.app import Org
from muniment.context.assemble import LEAST_BUDGET, read_cursor
from muniment.context.pack import PLAIN, Draft, Manner, Packed, Place, pack
from muniment.context.tokens import count_tokens
from muniment.domain.errors import Usage
from muniment.domain.values import Pack
from tests.faults.corpora import at_once, corpus, play
from tests.worlds import open_org, person, said, taken

WORDS = (
    "kettle",
    "übermäßig",
    "三天",
    "𝔘𝔫𝔦",
    "\n",
    " ",
    "…",
    "**",
    "<|endoftext|>",
    "10.5 %",
    "a" * 40,
    "👩‍🚀",
)
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=60).map("".join) | st.text(
    min_size=1, max_size=200
)


@st.composite
def drafts(draw: st.DrawFn) -> list[Draft]:
    """Drafts of any kind, each grade a text of its own: no order of length is taken for granted."""
    graded = st.lists(texts, min_size=1, max_size=4).map(tuple)
    return [
        Draft("passage", grades, f"draft {number}", (), draw(places))
        for number, grades in enumerate(draw(st.lists(graded, max_size=12)))
    ]


places = st.none() | st.builds(
    Place, st.sampled_from(["a", "b", "c"]).map(lambda key: (key,)), texts, st.tuples(st.sampled_from("123"))
)
manners = st.sampled_from((PLAIN, Manner(0, 0, 0, by_time=True), Manner(1, 1, 1), Manner(0.2, 0.9, 0.2)))
budgets = st.integers(LEAST_BUDGET, 400)


@given(drafts(), budgets, manners)
def test_a_pack_is_within_its_budget_and_counts_what_it_left_out(
    given: list[Draft], budget: int, manner: Manner
) -> None:
    packed = pack(given, budget=budget, count=count_tokens, manner=manner)

    assert packed.used == count_tokens(packed.text) <= budget
    assert packed.taken + packed.left == len(given)
    assert len(packed.parts) == packed.taken


@given(drafts(), budgets, manners)
def test_a_pack_holds_the_first_drafts_each_in_one_of_its_grades(
    given: list[Draft], budget: int, manner: Manner
) -> None:
    packed = pack(given, budget=budget, count=count_tokens, manner=manner)
    by_why = {part.why: part.text for part in packed.parts}

    assert set(by_why) == {draft.why for draft in given[: packed.taken]}
    assert packed.text == "\n\n".join(part.text for part in packed.parts)
    for draft in given[: packed.taken]:
        heads = ("",) if draft.place is None else ("", f"{draft.place.head}\n")
        assert by_why[draft.why] in {f"{head}{grade}" for head in heads for grade in draft.grades}


@given(drafts(), budgets)
def test_what_stands_in_one_place_is_told_together_in_its_order(given: list[Draft], budget: int) -> None:
    packed = pack(given, budget=budget, count=count_tokens)
    of = {draft.why: draft for draft in given}

    told = [of[part.why].place for part in packed.parts]
    for key in {place.key for place in told if place is not None}:
        here = [number for number, place in enumerate(told) if place is not None and place.key == key]
        orders = [place.order for place in told if place is not None and place.key == key]
        assert here == list(range(here[0], here[0] + len(here)))
        assert orders == sorted(orders)


@given(drafts(), budgets)
def test_whoever_goes_on_gets_every_draft_once_unless_one_never_fits(given: list[Draft], budget: int) -> None:
    walked = list(walk(given, budget))
    whys = [part.why for packed in walked for part in packed.parts]

    assert sorted(whys) == sorted(draft.why for draft in given[: len(whys)])
    if len(whys) < len(given):
        stuck = given[len(whys)]
        assert all(count_tokens(grade) > budget for grade in stuck.grades)


def walk(given: list[Draft], budget: int) -> Iterator[Packed]:
    """Pack after pack, each from where the last one ended."""
    after = 0
    while True:
        packed = pack(given[after:], budget=budget, count=count_tokens)
        yield packed
        if not packed.left or not packed.taken:
            return
        after += packed.taken


@pytest.fixture(scope="module")
def org(url: str) -> Iterator[Org]:
    """With something to say, and none of it says whether a request is in order."""
    with open_org(url, "packing") as opened:
        taken(opened, [person("user:ann"), said("m1", "The renewal date of Acme is 2027-03-01.")])
        yield opened


def packs(org: Org, task: str, budget: int) -> Iterator[Pack]:
    """Every pack of a task, following cursors."""
    ann = org.reader("user:ann")
    found = ann.context(task, budget=budget)
    yield found
    while found.cursor is not None:
        assert read_cursor(found.cursor) > 0
        found = ann.context(task, budget=budget, cursor=found.cursor)
        yield found


TASKS = ("Draft the renewal offer for Globex", "Everything about Acme and Initech", "折扣 discount", "kettle")


def test_contexts_hold_their_budget_and_cursors_walk_through_everything_once(
    url: str, tenant: str, seed: int
) -> None:
    draw = random.Random(seed)
    with play(url, tenant, corpus(draw, days=3, events=40, items=40), at_once) as org:
        for task in TASKS:
            walk_through(org, draw, task)


def walk_through(org: Org, draw: random.Random, task: str) -> None:
    (whole,) = packs(org, task, 10**6)
    for budget in (LEAST_BUDGET, 64, draw.randint(16, 400), draw.randint(400, 4000)):
        walked = list(packs(org, task, budget))
        kept = [cited(part.citations, part.why) for one in walked for part in one.parts]

        assert all(one.budget.used == count_tokens(one.text) <= budget for one in walked)
        assert all(len(one.parts) > 0 for one in walked[:-1])
        assert len(walked[0].parts) + walked[0].omitted.parts == len(whole.parts)
        assert sorted(kept) == sorted(cited(part.citations, part.why) for part in whole.parts)


def cited(citations: object, why: str) -> str:
    return f"{why} {citations}"


@pytest.mark.parametrize("budget", [-1, 0, 1, LEAST_BUDGET - 1])
def test_a_budget_too_small_to_say_anything_is_refused(org: Org, budget: int) -> None:
    with pytest.raises(Usage):
        org.reader("user:ann").context("Acme", budget=budget)


@pytest.mark.parametrize(
    "cursor", ["", "x", "YWZ0ZXI6LTE=", "YWZ0ZXI6OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5", "é", "YQ"]
)
def test_a_cursor_of_anybody_elses_is_refused_or_finds_the_end(org: Org, cursor: str) -> None:
    try:
        found = org.reader("user:ann").context("Acme", cursor=cursor)
    except Usage:
        return
    assert found.parts == ()
