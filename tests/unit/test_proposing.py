"""Which entities a steward is asked about."""

from __future__ import annotations

import pytest

from muniment.pages.entities import Entity
from muniment.steward.proposing import alike


def thing(title: str, *names: str, kind: str = "account") -> Entity:
    return Entity("0" * 32, kind, title, (title.casefold(), *names))


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        (thing("Acme GmbH"), thing("ACME Corp."), "name 'acme'"),
        (thing("The Orrin Group"), thing("Orrin Holdings Ltd"), "name 'orrin'"),
        (thing("海澜港务有限公司"), thing("海澜港务集团"), "name '海澜港务'"),
        (thing("Acme", "acme.example"), thing("Zenith", "acme.example"), "domain 'acme.example'"),
        (thing("Ann Lee", kind="person"), thing("Lee, Ann", kind="person"), "name 'ann lee'"),
        (
            thing("Ann Lee", "ann.lee@a.example", kind="person"),
            thing("A. L.", "ann.lee@b.example", kind="person"),
            "mailbox 'ann.lee'",
        ),
    ],
    ids=str,
)
def test_what_looks_like_one_is_proposed(one: Entity, other: Entity, why: str) -> None:
    (found,) = alike([one, other])

    assert (found.entity, found.other, found.why) == (one.names[0], other.names[0], why)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (thing("Acme"), thing("Acme Labs")),
        (thing("Acme"), thing("acme", kind="service")),
        (thing("Ann", kind="person"), thing("ann", kind="person")),
        (thing("AG"), thing("Co. KG")),
        (thing("user:ann", kind="person"), thing("user:bo", kind="person")),
    ],
    ids=str,
)
def test_what_does_not_is_not(one: Entity, other: Entity) -> None:
    assert alike([one, other]) == []


def test_what_many_have_in_common_says_nothing() -> None:
    assert alike([thing(f"Acme {form}") for form in "ag co gmbh inc kg llc ltd oy plc".split()]) == []
