"""Which talk an item is part of, and traits at a glance: what asks, names a time, names a number."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

import pytest

from muniment.domain.audience import Audience
from muniment.domain.events import Body, ItemRef
from muniment.index.places import ASKS, COUNTS, DATES, WHOLE, Place, place_of, traits_of
from muniment.items.fold import Standing
from tests.worlds import KEY, NOW

IN_A_CHANNEL = Place(1, datetime(2026, 1, 1, tzinfo=UTC), 0, is_whole=False)
IN_A_THREAD = replace(IN_A_CHANNEL, is_whole=True)


@pytest.mark.parametrize(
    ("text", "traits"),
    [
        ("Shall we go?", ASKS),
        ('He asked "why?"', ASKS),
        ("我们去吗？", ASKS),
        ("Why? Because it rained.", 0),
        ("We leave on Monday", DATES),
        ("It was last week", DATES),
        ("我们昨天去了", DATES),
        ("They have two dogs", COUNTS),
        ("她买了三个苹果", COUNTS),
        ("It took two weeks", DATES | COUNTS),
        ("Was it in 2023?", ASKS | DATES | COUNTS),
        ("She may march on", 0),
        ("一下子", 0),
        ("The pump runs hot. " * 20 + "Why?", 0),
        ("", 0),
        ("?" * 50_000 + "x", 0),
    ],
)
def test_a_text_shows_what_it_is_like(text: str, traits: int) -> None:
    assert traits_of(text, IN_A_CHANNEL) == traits
    assert traits_of(text, IN_A_THREAD) == traits | WHOLE


def standing(
    id_: str, *, readers: str = "user:ann", source: str = "chat", thread: str | None = None, **said: object
) -> Standing:
    """An item with a body of these fields, in no container."""
    body = Body(**{"kind": "message", "body": "Hello.", "author": f"user:{id_[:1]}", **said})  # type: ignore[arg-type]
    return Standing(
        ref=ItemRef(source, id_),
        body=body,
        seq=1,
        text_seq=1,
        at=NOW,
        created_at=NOW,
        version=None,
        state="live",
        status=None,
        container=None,
        thread=thread,
        audience=Audience.of(readers),
        inherits=False,
        since=NOW,
        merged_into=None,
        moved_to=None,
        versions=(),
        bodies={1: body},
    )


def place(one: Standing, level: str = "exact") -> Place:
    return place_of(KEY, UUID(bytes=one.ref.id.encode().ljust(16, b".")), one, level)


@pytest.mark.parametrize("kind", ["message", "email", "note"])
def test_what_is_said_in_no_container_is_one_talk_that_rests(kind: str) -> None:
    one, other = place(standing("a1", kind=kind)), place(standing("b2", kind=kind))

    assert one.line == other.line
    assert (one.turn, other.turn) == (1, 2)
    assert not one.is_whole


@pytest.mark.parametrize(
    "other",
    [
        standing("b2", readers="user:bo"),
        standing("b2", source="mail"),
        standing("b2", kind="email"),
        standing("b2", participants=("user:ann", "user:cy")),
        standing("b2", title="Lease"),
        standing("b2", thread="t1"),
    ],
)
def test_other_readers_sources_people_or_subjects_are_another_talk(other: Standing) -> None:
    assert place(other).line != place(standing("a1")).line


def test_the_same_people_are_one_talk_whoever_of_them_writes() -> None:
    one = standing("a1", author="user:ann", participants=("user:bo",))
    other = standing("b2", author="user:bo", participants=("User:Ann", "user:bo"))

    assert place(one).line == place(other).line


@pytest.mark.parametrize("answered", ["Re: Office lease", "FW: Re:  office  LEASE", "回复：Office lease"])
def test_an_answer_by_its_subject_stands_with_what_it_answers(answered: str) -> None:
    mail = standing("a1", kind="email", title="Office lease")

    assert place(standing("b2", kind="email", title=answered)).line == place(mail).line


@pytest.mark.parametrize("said", [{"kind": "document"}, {"kind": "note", "title": "Plan"}, {"kind": "issue"}])
def test_a_text_of_its_own_stands_alone_and_is_whole(said: dict[str, object]) -> None:
    one, other = place(standing("a1", **said)), place(standing("b2", **said))  # type: ignore[arg-type]

    assert one.line != other.line
    assert one.is_whole


def test_what_is_disclosed_stands_alone() -> None:
    one, other = (place(standing(id_, kind="note"), "range") for id_ in ("a1", "b2"))

    assert one.line != other.line
