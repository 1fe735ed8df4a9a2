"""Granola and Fireflies, asked: pages, limits, what broke off, and what is gone."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from muniment.domain.errors import Unavailable
from muniment.sources.connector import CursorLost, Page, Throttled, Unauthorised, Unsigned
from muniment.sources.meetings.asked_fireflies import Fireflies, FirefliesHook
from muniment.sources.meetings.asked_granola import Granola
from muniment.sources.meetings.files import read_granola
from muniment.sources.parsed import Event
from tests.served import Answer, Question, configured, delivery, fit, served
from tests.sources.test_meetings import FIREFLIES, GRANOLA, handed, told_in

Thing = dict[str, object]


def notes(count: int) -> list[Thing]:
    return [{**GRANOLA, "id": f"not_{number:03}"} for number in range(count)]


def granola(there: list[Thing], asked: list[Question], at_once: int = 2) -> Callable[[Question], Answer]:
    def speaks(question: Question) -> Answer:
        asked.append(question)
        if question.headers.get("authorization") != "Bearer grn_1":
            return Answer({}, 401)
        if question.path != "/v1/notes":
            found = [one for one in there if question.path == f"/v1/notes/{one['id']}"]
            return Answer(found[0]) if found else Answer({}, 404)
        start = int(question.query.get("cursor", "0"))
        listed = [{"id": one["id"], "title": one["title"]} for one in there[start : start + at_once]]
        onward = start + at_once
        return Answer({"notes": listed, "hasMore": onward < len(there), "cursor": str(onward)})

    return speaks


def connected(url: str, key: str = "grn_1", **settings: str) -> Granola:
    return Granola.of(configured("meet", {"key": key}, api=url, **settings))


def events(pages: list[Page]) -> list[Event]:
    return fit(one for page in pages for one in page.parsed)


def test_all_pages_are_read_and_the_next_pull_asks_for_what_changed_since() -> None:
    asked: list[Question] = []
    with served(granola(notes(5), asked)) as url:
        pages = list(connected(url).pull(None))
        list(connected(url).pull(pages[-1].cursor))

    assert len(events(pages)) == 10
    assert pages[-1].cursor == {"since": "2026-06-20T08:55:00Z"}
    assert [question.query.get("updated_after") for question in asked if question.path == "/v1/notes"] == [
        None, None, None, *["2026-06-20T08:55:00Z"] * 3,
    ]  # fmt: skip


def test_a_pull_that_broke_off_goes_on_with_its_page() -> None:
    asked: list[Question] = []
    with served(granola(notes(5), asked)) as url:
        first = next(iter(connected(url).pull(None)))
        rest = list(connected(url).pull(first.cursor))

    assert {one["id"] for one in events([first, *rest]) if one["kind"] == "meeting"} == {
        f"not_{n:03}" for n in range(5)
    }
    assert len(rest) == 2


def test_a_note_read_live_is_the_same_as_from_a_file(tmp_path: Path) -> None:
    with served(granola([dict(GRANOLA)], [])) as url:
        live = events(list(connected(url, folders="Sales=group:sales").pull(None)))

    assert live == fit(read_granola(told_in(tmp_path, [GRANOLA]), handed(folders="Sales=group:sales")))


def test_a_sweep_lists_every_note_and_its_summary() -> None:
    with served(granola(notes(3), [])) as url:
        (listing,) = connected(url).sweep()

    assert listing.complete
    assert listing.ids == {
        name for number in range(3) for name in (f"not_{number:03}", f"not_{number:03}/summary")
    }


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (Answer({}, 429, {"retry-after": "7"}), Throttled),
        (Answer({}, 401), Unauthorised),
        (Answer(b"<html>", 200), Unavailable),
        (Answer({"notes": [], "hasMore": True, "cursor": "x"}), Unavailable),
    ],
)
def test_a_refusal_is_what_it_means(answer: Answer, error: type[Exception]) -> None:
    with served(lambda _: answer) as url, pytest.raises(error):
        list(connected(url).pull(None))


def test_a_page_that_is_no_longer_known_loses_the_cursor() -> None:
    with served(lambda _: Answer({}, 400)) as url, pytest.raises(CursorLost):
        list(connected(url).pull({"page": "gone", "began": "2026-06-01T00:00:00Z"}))


# Fireflies


def transcripts(there: list[Thing], asked: list[Thing]) -> Callable[[Question], Answer]:
    def speaks(question: Question) -> Answer:
        variables = json.loads(question.body)["variables"]
        asked.append(variables)
        skip, limit = variables["skip"], variables["limit"]
        return Answer({"data": {"transcripts": there[skip : skip + limit]}})

    return speaks


def fireflies(url: str) -> Fireflies:
    return Fireflies.of(configured("ff", {"key": "k", "webhook_secret": "s"}, api=url))


def test_transcripts_are_paged_and_reading_them_again_gives_the_same_versions() -> None:
    there: list[Thing] = [
        {**FIREFLIES, "id": f"t{number:03}", "date": 1_781_900_000_000} for number in range(120)
    ]
    asked: list[Thing] = []
    with served(transcripts(there, asked)) as url:
        first = list(fireflies(url).pull(None))
        again = list(fireflies(url).pull(first[-1].cursor))
        (listing,) = fireflies(url).sweep()

    assert [variables["skip"] for variables in asked[:3]] == [0, 50, 100]
    assert len(events(first)) == 120
    assert events(first) == events(again)
    assert first[-1].cursor["since"] == "2026-06-18T09:00:00Z"
    assert listing.complete
    assert len(listing.ids) == 240


def test_a_listing_that_changes_while_it_is_read_may_delete_nothing() -> None:
    there: list[Thing] = [{**FIREFLIES, "id": f"t{number}"} for number in range(3)]

    def shrinks(question: Question) -> Answer:
        answer = transcripts(list(there), [])(question)
        there.pop()
        return answer

    with served(shrinks) as url:
        (listing,) = fireflies(url).sweep()

    assert not listing.complete


@pytest.mark.parametrize(
    ("code", "error"),
    [("too_many_requests", Throttled), ("invalid_api_key", Unauthorised), ("object_not_found", Unavailable)],
)
def test_an_error_in_an_answer_is_what_it_means(code: str, error: type[Exception]) -> None:
    said = {"errors": [{"code": code, "extensions": {"metadata": {"retryAfter": 2000}}}], "data": None}

    with served(lambda _: Answer(said)) as url, pytest.raises(error) as raised:
        list(fireflies(url).pull(None))

    assert getattr(raised.value, "after", 2.0) == 2.0


def test_a_delivery_asks_for_a_pull_where_its_signature_holds() -> None:
    raw = b'{"meetingId": "t1", "eventType": "Transcription completed"}'
    signed = hmac.digest(b"s", raw, hashlib.sha256).hex()
    hook = FirefliesHook(configured("ff", {"webhook_secret": "s"}))

    assert hook.hear(delivery(raw, x_hub_signature=signed)).again
    assert hook.hear(delivery(raw, x_hub_signature=f"sha256={signed}")).again
    for wrong in ("", "sha256=", signed[:-1], "é"):
        with pytest.raises(Unsigned):
            hook.hear(delivery(raw, x_hub_signature=wrong))
