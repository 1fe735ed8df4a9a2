"""Locating: what words could mean, in which order, within which bounds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from muniment.app import Org
from tests.evidence import item, rules
from tests.worlds import Clock, open_org, taken


@pytest.fixture
def org(url: str, tenant: str, clock: Clock) -> Iterator[Org]:
    with open_org(url, tenant, clock) as opened:
        taken(opened, rules())
        yield opened


def test_exact_titles_come_first_and_items_before_their_passages(org: Org) -> None:
    found = org.reader("user:ann").locate("Travel policy")

    assert [one.title for one in found[:3]] == ["Travel policy"] * 3
    kinds = [one.kind for one in found]
    assert kinds[:3] == ["item"] * 3
    assert kinds.index("item") < kinds.index("passage")
    board = next(one for one in found if one.title == "Travel policy for the board")
    assert found.index(board) >= 3


def test_headings_count_with_the_title_above_them(org: Org) -> None:
    found = org.reader("user:bo").locate("waiting period travel")

    assert [(one.kind, one.title) for one in found[:1]] == [("passage", "Travel policy › Waiting period")]
    assert "It is 14 days" in found[0].text


def test_words_match_as_in_search_and_chinese_too(org: Org) -> None:
    bo = org.reader("user:bo")

    assert [one.title for one in bo.locate("travelling policies")][:1] == ["Travel policy"]
    assert [one.title for one in bo.locate("年假")][:1] == ["年假制度"]
    assert bo.locate("") == bo.locate("the") == bo.locate("zephyrine mutual") == []


def test_what_is_located_can_be_bounded(org: Org) -> None:
    bo = org.reader("user:bo")

    inside = bo.locate("limit", within="policies:2026")
    assert inside
    assert all("180" in one.text or one.kind == "item" for one in inside)
    assert {one.kind for one in bo.locate("renewal", within="acme")} == {"passage", "claim"}
    assert bo.locate("hotel", within="acme") == []
    passage = next(one.id for one in bo.locate("waiting period") if one.kind == "passage")
    assert [one.id for one in bo.locate("days", within=passage)][:1] == [passage]


def test_more_than_was_asked_for_is_told_and_every_kind_has_a_place(org: Org) -> None:
    bo = org.reader("user:bo")

    found = bo.locate("limit", limit=3)

    assert len(found) == 3
    assert [one.truncated for one in found] == [False, False, True]
    assert {one.kind for one in found} >= {"passage", "claim"}
    assert not bo.locate("renewal")[-1].truncated


def test_an_id_is_located_as_itself(org: Org) -> None:
    bo = org.reader("user:bo")

    assert bo.locate("policies:2025")[0].id == item(bo, "2025")
    assert bo.locate(item(bo, "2025"))[0].id == item(bo, "2025")
