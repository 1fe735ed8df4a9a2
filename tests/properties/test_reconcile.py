"""What holds of reconciling whatever was said, in whichever order."""

from collections.abc import Sequence
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from muniment.claims.claim import Claim, Statement, Tie, Ties, holds
from muniment.claims.reconcile import reconcile
from muniment.claims.ties import cut_rings
from muniment.domain.record import ItemRow
from tests.statements import KEY, amends, day, item, later, said, supersedes

EPOCH = day("2026-01-01")
INSTANTS = st.integers(0, 12).map(lambda step: later(EPOCH, 30 * step))
NAMES = "abcdefgh"


@st.composite
def items(draw: st.DrawFn) -> dict[str, ItemRow]:
    names = draw(st.sets(st.sampled_from(NAMES), min_size=1))
    return {name: draw(one_item(name)) for name in sorted(names)}


@st.composite
def one_item(draw: st.DrawFn, name: str) -> ItemRow:
    at, start = draw(INSTANTS), draw(st.none() | INSTANTS)
    end = draw(st.none() | INSTANTS)
    return item(
        name,
        at=at,
        created_at=at,
        valid_from=start,
        valid_to=end if start is None or end is None or end > start else None,
        author=draw(st.sampled_from([None, "user:ann", "user:bo"])),
        authority=draw(st.sampled_from(["member", "owner"])),
        status=draw(st.sampled_from([None, None, None, "draft", "withdrawn"])),
        state=draw(st.sampled_from(["live", "live", "live", "recalled"])),
    )


@st.composite
def worlds(draw: st.DrawFn) -> tuple[list[Statement], Ties]:
    made = draw(items())
    statements = [
        said(made[name], str(value), attribute=f"slot {slot}", statement=f"{name} says {value} of {slot}.")
        for name, value, slot in draw(
            st.lists(
                st.tuples(st.sampled_from(sorted(made)), st.integers(1, 3), st.integers(1, 2)), max_size=12
            )
        )
    ]
    pairs = draw(
        st.lists(st.tuples(st.sampled_from(sorted(made)), st.sampled_from(sorted(made))), max_size=6)
    )
    return statements, Ties(frozenset(_tie(draw, made[a], made[b]) for a, b in pairs if a != b))


def _tie(draw: st.DrawFn, actor: ItemRow, target: ItemRow) -> Tie:
    return draw(st.sampled_from([supersedes, amends]))(actor, target)


def met(statements: Sequence[Statement], ties: Ties, step: int = 6) -> tuple[Claim, ...]:
    return reconcile(statements, ties, later(EPOCH, 30 * step), key=KEY)


@given(world=worlds(), data=st.data())
def test_the_order_in_which_statements_come_means_nothing(
    world: tuple[list[Statement], Ties], data: st.DataObject
) -> None:
    statements, ties = world

    shuffled = data.draw(st.permutations(statements))

    assert met(shuffled, ties) == met(statements, ties)


@given(world=worlds())
def test_a_statement_read_twice_counts_once(world: tuple[list[Statement], Ties]) -> None:
    statements, ties = world

    assert met([*statements, *statements], ties) == met(statements, ties)


@given(world=worlds(), step=st.integers(0, 12))
def test_every_statement_that_is_not_withheld_supports_exactly_one_claim(
    world: tuple[list[Statement], Ties], step: int
) -> None:
    statements, ties = world

    supports = [support.order for claim in met(statements, ties, step) for support in claim.supports]

    assert len(supports) == len(set(supports))
    assert set(supports) >= {one.order for one in statements if one.item.state != "recalled"}


@given(world=worlds())
def test_claims_have_different_ids_and_point_only_at_each_other(world: tuple[list[Statement], Ties]) -> None:
    made = met(*world)

    ids = {claim.id for claim in made}
    assert len(ids) == len(made)
    assert {claim.superseded_by for claim in made} - {None} <= ids
    assert all(set(claim.conflicts_with) <= ids - {claim.id} for claim in made)


@given(world=worlds())
def test_a_conflict_is_seen_from_both_sides(world: tuple[list[Statement], Ties]) -> None:
    made = {claim.id: claim for claim in met(*world)}

    for claim in made.values():
        for other in claim.conflicts_with:
            assert claim.id in made[other].conflicts_with
            assert made[other].slot == claim.slot
            assert made[other].value != claim.value


def items_of(claim: Claim) -> set[UUID]:
    return {support.item.item for support in claim.supports}


@given(world=worlds(), step=st.integers(0, 12))
def test_two_values_that_hold_at_once_contradict_unless_one_item_says_both_or_one_may_not_act(
    world: tuple[list[Statement], Ties], step: int
) -> None:
    at = later(EPOCH, 30 * step)
    acting = [
        claim
        for claim in met(*world, step)
        if claim.status == "active" and holds(claim, at) and all(one.may_act for one in claim.supports)
    ]

    for one in acting:
        for other in acting:
            if one.slot == other.slot and one.value != other.value:
                listed = items_of(one) & items_of(other)
                assert (other.id in one.conflicts_with) is not bool(listed)


@given(world=worlds(), data=st.data())
def test_a_hidden_slot_changes_nothing_in_the_others(
    world: tuple[list[Statement], Ties], data: st.DataObject
) -> None:
    statements, ties = world
    hidden = data.draw(st.sampled_from(["slot 1", "slot 2"]))

    left = [one for one in statements if one.row.attribute != hidden]

    shown = [claim for claim in met(statements, ties) if claim.slot and claim.slot.attribute != hidden]
    assert list(met(left, ties)) == shown


@given(world=worlds(), step=st.integers(0, 12))
def test_superseded_claims_do_not_hold(world: tuple[list[Statement], Ties], step: int) -> None:
    at = later(EPOCH, 30 * step)

    assert not any(holds(claim, at) for claim in met(*world, step) if claim.status == "superseded")


@given(world=worlds())
def test_what_is_left_of_a_ring_of_ties_has_no_ring(world: tuple[list[Statement], Ties]) -> None:
    kept, rings = cut_rings(world[1].items)

    again, none = cut_rings(kept)

    assert (again, none) == (kept, ())
    assert all(len(ring) > 1 for ring in rings)


@given(world=worlds())
def test_claims_of_one_value_never_overlap(world: tuple[list[Statement], Ties]) -> None:
    made = met(*world)

    for step in range(13):
        held = [(c.slot, c.value, c.status == "recalled") for c in made if holds(c, later(EPOCH, 30 * step))]
        assert len(held) == len(set(held))
