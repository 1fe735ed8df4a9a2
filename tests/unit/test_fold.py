"""How an item stands after its events, whatever order they came in."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise, permutations

from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.audience import Audience, Cover
from muniment.domain.events import AudienceEvent, Body, ContentEvent, ItemRef, Op
from muniment.items.fold import NOBODY, Accepted, Standing, fold

START = datetime(2026, 6, 1, tzinfo=UTC)
ANN = Audience.of("user:ann")
COVERS = {"container:chat:room": Cover(live=True, verified_through=None)}


def event(op: Op, at: int, version: str | None = None, **said: object) -> ContentEvent:
    detail: object = None
    if op is Op.UPSERT:
        detail = Body(kind="message", **{"body": f"text of {at}", "audience": ANN, **said})  # type: ignore[arg-type]
    elif op is Op.CLOSE:
        detail = f"done at {at}"
    return ContentEvent(op, "chat", "m1", START + timedelta(hours=at), version, detail, {})  # type: ignore[arg-type]


def accepted(events: Sequence[ContentEvent | AudienceEvent]) -> list[Accepted]:
    arrival = START + timedelta(days=30)
    return [
        Accepted(number, arrival + timedelta(minutes=number), "user:imp", one)
        for number, one in enumerate(events, 1)
    ]


def standing(*events: ContentEvent | AudienceEvent) -> Standing:
    found = fold(accepted(events), COVERS, frozenset())
    assert found is not None
    return found


def test_an_older_version_that_arrives_late_does_not_win() -> None:
    found = standing(event(Op.UPSERT, 5, "10"), event(Op.UPSERT, 9, "9"))

    assert found.body.body == "text of 5"
    late = found.versions[1]
    assert late.change == "late"
    assert late.known_from == late.known_to


def test_decimal_versions_compare_as_numbers_and_others_bytewise() -> None:
    assert standing(event(Op.UPSERT, 1, "9"), event(Op.UPSERT, 0, "10")).body.body == "text of 0"
    assert standing(event(Op.UPSERT, 1, "v9"), event(Op.UPSERT, 0, "v10")).body.body == "text of 1"


def test_versions_of_unlike_forms_compare_by_time() -> None:
    assert standing(event(Op.UPSERT, 1, "9"), event(Op.UPSERT, 2, "abc")).body.body == "text of 2"
    assert standing(event(Op.UPSERT, 2, "9"), event(Op.UPSERT, 1, None)).body.body == "text of 2"


def test_a_tombstone_hides_every_version_and_a_later_text_brings_back_only_itself() -> None:
    gone = standing(event(Op.UPSERT, 1), event(Op.DELETE, 2))
    back = standing(event(Op.UPSERT, 1), event(Op.DELETE, 2), event(Op.UPSERT, 3))

    assert gone.state == "deleted"
    assert gone.audience == NOBODY
    assert gone.versions == ()
    assert [version.text_seq for version in back.versions] == [3]


def test_a_removal_wins_a_tie() -> None:
    assert standing(event(Op.DELETE, 2), event(Op.UPSERT, 2)).state == "deleted"


def test_a_restore_brings_every_version_back() -> None:
    found = standing(event(Op.UPSERT, 1), event(Op.DELETE, 2), event(Op.RESTORE, 3))

    assert found.state == "live"
    assert [version.change for version in found.versions] == ["said", "deleted", "restored"]


def test_recalled_text_is_left_to_its_author_who_must_still_be_among_its_readers() -> None:
    found = standing(event(Op.UPSERT, 1, author="user:bo"), event(Op.RECALL, 2))

    assert found.state == "recalled"
    assert found.audience == ANN & Audience.of("user:bo")


def test_an_item_of_a_container_not_yet_verified_waits_readable_by_its_author() -> None:
    said = event(Op.UPSERT, 5, audience=None, container="hall", author="user:bo")
    early = fold(
        accepted([said]), {"container:chat:hall": Cover(live=False, verified_through=START)}, frozenset()
    )
    later = fold(
        accepted([said]),
        {"container:chat:hall": Cover(live=False, verified_through=START + timedelta(hours=5))},
        frozenset(),
    )

    assert early is not None
    assert (early.state, early.audience) == ("pending", Audience.of("user:bo"))
    assert later is not None
    assert (later.state, later.audience) == ("live", Audience.of("container:chat:hall"))


def test_without_container_and_audience_only_the_importer_may_read() -> None:
    assert standing(event(Op.UPSERT, 1, audience=None)).audience == Audience.of("user:imp")


def test_an_audience_said_of_the_item_later_replaces_the_one_it_came_with() -> None:
    later = AudienceEvent(
        "chat", None, "m1", START + timedelta(hours=2), None, Audience.of("user:bo"), None, live=False, raw={}
    )

    assert standing(event(Op.UPSERT, 1), later).audience == Audience.of("user:bo")
    assert standing(later, event(Op.UPSERT, 1)).audience == Audience.of("user:bo")
    assert standing(later, event(Op.UPSERT, 3)).audience == ANN


def test_a_merged_item_leads_to_the_one_it_went_into() -> None:
    merge = ContentEvent(Op.MERGE, "chat", "m1", START + timedelta(hours=2), None, ItemRef("chat", "m2"), {})

    assert standing(event(Op.UPSERT, 1), merge).merged_into == ItemRef("chat", "m2")


def test_nothing_stands_before_a_text_is_known() -> None:
    assert fold(accepted([event(Op.DELETE, 1)]), {}, frozenset()) is None


OPS = st.sampled_from([Op.UPSERT, Op.UPSERT, Op.DELETE, Op.RESTORE, Op.RECALL, Op.CLOSE])


@given(st.lists(st.tuples(OPS, st.integers(0, 4)), min_size=1, max_size=4, unique=True))
def test_how_an_item_stands_does_not_depend_on_arrival(said: list[tuple[Op, int]]) -> None:
    events = [event(op, at) for op, at in said]
    outcomes = set()
    for order in permutations(events):
        found = fold(accepted(order), COVERS, frozenset())
        outcomes.add(None if found is None else (found.body.body, found.state, found.audience, found.status))

    assert len(outcomes) == 1


@given(st.lists(st.tuples(OPS, st.integers(0, 6)), min_size=1, max_size=6, unique=True))
def test_at_most_one_version_is_known_at_any_time(said: list[tuple[Op, int]]) -> None:
    found = fold(accepted([event(op, at) for op, at in said]), COVERS, frozenset())
    versions = () if found is None else tuple(v for v in found.versions if v.known_from != v.known_to)

    for one, after in pairwise(versions):
        assert one.known_to is not None
        assert one.known_to <= after.known_from


def test_of_two_audiences_said_at_once_a_reader_must_satisfy_both() -> None:
    first, second = (
        AudienceEvent(
            "chat", None, "m1", START + timedelta(hours=2), None, Audience.of(who), None, live=False, raw={}
        )
        for who in ("user:ann", "user:bo")
    )

    assert (
        standing(event(Op.UPSERT, 1), first, second).audience
        == standing(event(Op.UPSERT, 1), second, first).audience
    )
    assert standing(event(Op.UPSERT, 1), first, second).audience == Audience.of("user:ann") & Audience.of(
        "user:bo"
    )


def test_of_two_states_said_at_once_arrival_does_not_decide() -> None:
    closes = [ContentEvent(Op.CLOSE, "chat", "m1", START, None, state, {}) for state in ("done", "wontfix")]

    one, other = standing(event(Op.UPSERT, 0), *closes), standing(event(Op.UPSERT, 0), *reversed(closes))

    assert one.status == other.status == "wontfix"
