"""Policies and grids: what may be said, what is refused, and what bands together give away."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from itertools import pairwise

import pytest

from muniment.disclosure.files import read_policy
from muniment.disclosure.grids import Grid, quantity
from muniment.disclosure.levels import Disclosed, Topic, disclosed
from muniment.disclosure.policy import Policy, regrids
from muniment.disclosure.windows import floor
from muniment.disclosure.words import level_projection
from muniment.domain.errors import Malformed
from muniment.domain.identity import keyed_uuid
from tests.statements import NOW, day, item
from tests.statements import said as stated

RULE = "levels:\n  - about: [revenue]\n"
RANGE = "    range: {groups: [group:sales], unit: EUR, grid: "
BAD = {
    "": "the policy is empty",
    "levels: [": "the policy is no YAML: line 1",
    "a: &x 1\nb: *x": "no YAML aliases",
    "rules: []": "line 1, policy: field 'rules' is unknown",
    "levels: 3": "line 1, policy.levels: a list of at least one",
    "levels: [3]": "line 1, policy.levels[1]: fields are wanted here",
    RULE: "line 2, policy.levels[1]: says neither range nor trend",
    "levels:\n  - range: {}": "field 'about' is missing",
    "levels:\n  - about: [thing]\n    range: {}": "'thing' is no attribute",
    RULE + "    about: [arr]": "line 3, policy.levels[1].about: is given twice",
    RULE + "    trust: high\n    range: {}": "line 3, policy.levels[1].trust: 'high' is unknown",
    RULE + "    trend: {groups: [group:sales]}": "field 'window' is missing",
    RULE + "    trend: {groups: [group:sales], window: week}": "'week' is unknown",
    RULE + "    trend: {groups: [sales], window: month}": "'sales' is no group",
    RULE + "    trend: {groups: [], window: month}": "a list of at least one",
    RULE + "    trend: {window: month}": "field 'groups' is missing",
    RULE + "    range: {groups: [group:sales], grid: [0, 1]}": "field 'unit' is missing",
    RULE + RANGE + "[0]}": "1 to 200 bands, not 0",
    RULE + RANGE + "[0, x]}": "'x' is no number",
    RULE + RANGE + "[0, .inf]}": "'.inf' is no number",
    RULE + RANGE + "[0, 1e30]}": "too large or too fine",
    RULE + RANGE + "[0, 5, 5]}": "edge 5 does not come after 5",
    RULE + RANGE + "[0, 50, 100, 101]}": "the band 100 to 101 is too narrow",
    RULE + RANGE + "[0, 3, 10]}": "edge 10 is no multiple of the narrowest band, 3",
    RULE + RANGE + "{from: 0, to: 10}}": "field 'step' is missing",
    RULE + RANGE + "{from: 0, step: 3, to: 10}}": "steps of 3 do not lead from 0 to 10",
    RULE + RANGE + "[0, 1]}\n  - about: [revenue]\n    trend: {groups: [group:a], window: month}": "one rule",
}


@pytest.mark.parametrize(("text", "why"), BAD.items(), ids=range(len(BAD)))
def test_a_bad_policy_is_refused_with_its_line_and_field(text: str, why: str) -> None:
    with pytest.raises(Malformed) as refused:
        read_policy(text)

    assert why in str(refused.value)
    assert "\n" not in str(refused.value)


def policy(grid: str, unit: str = "EUR", about: str = "revenue") -> Policy:
    return read_policy(
        f"levels:\n  - about: [{about}]\n    range: {{groups: [group:sales], unit: {unit}, grid: {grid}}}"
    )


@pytest.mark.parametrize(
    ("grid", "unit", "goes"),
    [
        ("[0, 10, 20, 30, 40]", "EUR", True),
        ("[0, 20, 40]", "EUR", True),
        ("[0, 5, 10, 15, 20, 25, 30, 35, 40]", "EUR", False),
        ("[0, 15, 30, 45]", "EUR", False),
        ("[0, 10, 20, 30, 40, 50]", "EUR", False),
        ("[0, 20, 40]", "USD", False),
    ],
)
def test_a_grid_is_followed_only_by_one_that_leaves_edges_out(grid: str, unit: str, *, goes: bool) -> None:
    old = [(NOW, policy("[0, 10, 20, 30, 40]")), (NOW, Policy(()))]

    assert (list(regrids(policy(grid, unit), old)) == []) is goes
    assert list(regrids(policy(grid, unit, "budget"), old)) == []


def test_synonyms_are_one_attribute() -> None:
    (rule,) = policy("[0, 10]", about="the maximum, 预算").rules

    assert rule.attributes == {"limit", "budget"}


@pytest.mark.parametrize(
    "value", ["EUR 1..2", ">= EUR 15", "not EUR 15", "15", "USD 15", "EUR 41", "EUR -1", "2026-03-10", "EUR"]
)
def test_what_the_grid_cannot_place_has_no_band(value: str) -> None:
    assert Grid("EUR", tuple(map(Decimal, (0, 10, 20, 40)))).band(value) is None


def test_bands_are_half_open() -> None:
    grid = Grid("days", tuple(map(Decimal, (0, 10, 20))))

    assert [band.words for value in ("9 days", "10 days", "1 day") if (band := grid.band(value))] == [
        "between 0 and 10 days",
        "between 10 and 20 days",
        "between 0 and 10 days",
    ]


# ── what bands together give away ──


def spans(edges: tuple[Decimal, ...], cells: int, parts: list[int]) -> list[tuple[int, int]]:
    """For each part, which of the grid's narrowest cells it may still lie in, given every band and the sum's.

    A sum of n values, each anywhere in its cell of width 1, lies anywhere in the n cells from its lowest on.
    """
    bands = [(int(low), int(high)) for low, high in pairwise(edges)]

    def band(cell: int) -> tuple[int, int]:
        return next((low, high) for low, high in bands if low <= cell < high)

    total = band(sum(parts) + cells)
    known = [band(part) for part in parts]
    found = []
    for own in range(len(parts)):
        low = sum(one[0] for at, one in enumerate(known) if at != own)
        high = sum(one[1] for at, one in enumerate(known) if at != own)
        possible = [
            cell for cell in range(*known[own]) if cell + low < total[1] and total[0] < cell + 1 + high
        ]
        found.append((min(possible), max(possible) + 1))
    return found


@pytest.mark.parametrize("edges", [range(21), (0, 1, 2, 4, 8, 16, 32), (0, 1, 2, 5, 10, 20)], ids=str)
def test_sums_and_their_parts_never_narrow_a_value_below_the_narrowest_band(
    edges: range | tuple[int, ...], seed: int
) -> None:
    """On equal bands not at all."""
    draw, grid = random.Random(seed), Grid("EUR", tuple(map(Decimal, edges)))
    narrowed = 0
    for _ in range(500):
        parts = [draw.randrange(5) for _ in range(draw.randint(2, 4))]
        carried = draw.randrange(len(parts))  # what the parts of cells add up to beyond their lower edges
        if sum(parts) + carried >= max(edges):
            continue
        for part, (low, high) in zip(parts, spans(grid.edges, carried, parts), strict=True):
            band = grid.band(f"EUR {part}")
            assert band is not None
            assert high - low >= grid.narrowest
            narrowed += Decimal(high - low) < band.high - band.low
    assert narrowed == 0 or edges != range(21)


def test_two_grids_that_do_not_nest_would_narrow_a_value() -> None:
    """Planted fault: what `regrids` refuses is what narrows."""
    one, other = (Grid("EUR", tuple(map(Decimal, edges))) for edges in ((0, 10, 20, 30), (0, 15, 30)))
    left, right = one.band("EUR 12"), other.band("EUR 12")
    assert left is not None
    assert right is not None

    assert min(left.high, right.high) - max(left.low, right.low) < one.narrowest


# ── a level is a function of the band ──

POLICY = policy("{from: 0, step: 100, to: 2000}")


def topic(draw: random.Random, bands: list[int]) -> Topic:
    """Statements whose bands and order are given, and whose values and days are drawn."""
    said = []
    for number, band in enumerate(bands):
        at = day(f"2026-{number + 1:02}-01") + timedelta(days=draw.randrange(28))
        source = item(f"i{number}", author="user:fin", at=at, created_at=at)
        one = stated(source, f"EUR {100 * band + draw.randrange(100)}", stated_at=at, known_from=at)
        row = replace(
            one.row, attribute="revenue", qualifier=f"q{number % 3 + 1} 2025", entity="acme", trust="member"
        )
        said.append(replace(one, row=row, entity="acme"))
    begun = {one.item.item: one.row.known_from for one in said}
    return Topic("acme", "revenue", said, frozenset(), begun)


def honest(given: Topic) -> list[Disclosed]:
    return disclosed(given, POLICY.rules[0])


def with_exact_times(given: Topic) -> list[Disclosed]:
    """Planted fault: the level is said when the item was."""
    at = given.statements[0].row.stated_at
    return [
        replace(
            one, held=tuple(replace(h, parts=tuple(replace(p, said=at) for p in h.parts)) for h in one.held)
        )
        for one in honest(given)
    ]


def with_edges_from_the_value(given: Topic) -> list[Disclosed]:
    """Planted fault: the band is drawn around the value."""
    found = quantity(given.statements[0].row.value or "")
    assert found is not None
    words = f"between EUR {found.number - 50} and {found.number + 50}"
    return [
        replace(
            one,
            held=tuple(replace(h, parts=tuple(replace(p, words=words) for p in h.parts)) for h in one.held),
        )
        for one in honest(given)
    ]


def differ(levels: object, seed: int) -> bool:
    """Whether two worlds with the same bands have different levels in some rows."""
    draw = random.Random(seed)
    bands = [draw.randrange(19) for _ in range(draw.randint(1, 6))]
    key = keyed_uuid(b"k", "test").bytes
    one, other = (
        [level_projection(key, each) for each in levels(topic(random.Random(f"{seed} {side}"), bands))]  # type: ignore[operator]
        for side in ("one", "other")
    )
    return one != other


def test_worlds_with_the_same_bands_have_the_same_levels(seed: int, *, prove: bool) -> None:
    for number in range(seed, seed + (5_000 if prove else 200)):
        assert not differ(honest, number), f"MUNIMENT_SEED={number}"


@pytest.mark.parametrize("fault", [with_exact_times, with_edges_from_the_value])
def test_the_comparison_sees_a_level_that_is_made_from_more(fault: object, seed: int) -> None:
    assert any(differ(fault, number) for number in range(seed, seed + 20))


def test_times_are_the_windows_own() -> None:
    assert [floor(day("2026-08-31"), kind).isoformat()[:10] for kind in ("month", "quarter", "year")] == [
        "2026-08-01",
        "2026-07-01",
        "2026-01-01",
    ]
