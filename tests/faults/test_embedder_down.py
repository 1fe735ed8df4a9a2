"""An embeddings server that fails in every way it can: words go on, it is said, nothing is lost, it heals."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from threading import Event

import pytest

import muniment
from muniment.app import Org
from muniment.models.metered import IN_A_ROW
from muniment.models.spared import SparedEmbedder
from muniment.settings import Settings
from tests.placing import Act, Request, Server, fails, placing
from tests.worlds import KEY, Clock, person, said, taken

pytest.importorskip("httpx2", reason="pip install 'muniment[models]'")

COUNT = 40
QUESTION = "message hotel"


@pytest.fixture
def placer() -> Iterator[Server]:
    with placing() as serving:
        yield serving


@pytest.fixture
def org(url: str, tenant: str, clock: Clock, placer: Server) -> Iterator[Org]:
    """Forty messages without vectors yet."""
    with closing(open_served(url, tenant, clock, placer)) as opened:
        taken(opened, [person("user:ann"), *(said(f"m{n}", f"message {n} hotel") for n in range(COUNT))])
        yield opened


def open_served(url: str, tenant: str, clock: Clock, placer: Server, **more: str) -> Org:
    said = placer.said(_SECONDS="0.4", _QUESTION_SECONDS="0.4", **more)
    settings = Settings(login="owner", key=KEY, embedder=said.pop("MUNIMENT_EMBEDDER"), embedding=said)
    return muniment.open(url, tenant, clock=clock, settings=settings)


def embedder(org: Org) -> SparedEmbedder:
    found = org._surroundings.embedder
    assert isinstance(found, SparedEmbedder)
    return found


def legs(org: Org) -> set[str]:
    """By what the best hits were found."""
    return {leg for hit in org.reader("user:ann").search(QUESTION, limit=5) for leg in hit.why}


def warned(org: Org) -> list[str]:
    return [one for one in org.reader("user:ann").ask(QUESTION).warnings if "meaning" in one]


def pass_by(org: Org, clock: Clock, seconds: int) -> None:
    """Let time pass, for the record and for the embedder."""
    clock.forward(seconds=seconds)
    spared = embedder(org)
    if spared.breaker.until is not None:
        spared.breaker.until -= seconds


def hang(request: Request) -> None:
    """Say nothing, for longer than anybody waits."""
    Event().wait(0.6)
    request.send("{}")


def one_more(request: Request) -> None:
    request.send_vectors([[1.0] * 64] * (len(request.texts) + 1))


def no_numbers(request: Request) -> None:
    request.send_vectors([[float("nan")] * 64] * len(request.texts))


def too_wide(request: Request) -> None:
    request.send_vectors([[1.0] * 65] * len(request.texts))


WAYS: dict[str, Act] = {
    "hangs": hang,
    "gives one more": one_more,
    "gives no numbers": no_numbers,
    "gives another dimension": too_wide,
    "is busy": fails(429, retry_after="5"),
    "breaks": fails(500),
    "lets nobody in": fails(401),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_whatever_the_server_does_words_go_on_and_all_heals(
    org: Org, clock: Clock, placer: Server, way: Act
) -> None:
    placer.act = way

    failing = org.sync()
    found, told = legs(org), warned(org)
    behind = org.status().vectors_behind
    placer.act = placer.place
    pass_by(org, clock, 1_000)
    healed = org.sync()

    assert (failing["vectors"], failing["dead"], behind) == (0, 0, COUNT)
    assert found == {"lexical"}
    assert len(told) == 1
    assert "canary" not in told[0]
    assert healed["vectors"] == COUNT
    assert (org.status().vectors_behind, warned(org)) == (0, [])
    assert legs(org) == {"lexical", "vector"}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_server_that_is_down_for_long_is_asked_little_and_no_text_is_blamed(
    org: Org, clock: Clock, placer: Server, way: Act
) -> None:
    placer.act = way

    for _ in range(12):
        org.work()
        pass_by(org, clock, 20)

    assert org.status().notes == ()
    assert len(placer.asked) <= 2 * 12
    assert "embed" in {cost.purpose for cost in org.steward("user:owner").model_costs()}


def test_a_server_says_how_long_it_wants_to_be_left_alone(org: Org, clock: Clock, placer: Server) -> None:
    placer.act = fails(429, retry_after="120")

    org.sync()
    asked_once = len(placer.asked)
    placer.act = placer.place
    pass_by(org, clock, 100)
    org.sync()
    told = warned(org)
    still = len(placer.asked)
    pass_by(org, clock, 21)

    assert asked_once == still == 1
    assert told == [
        "meaning was not used: embedder 'openai-compatible:m/64' is down and not asked for a while"
    ]
    assert org.sync()["vectors"] == COUNT


def test_after_some_failures_in_a_row_it_is_left_alone_and_then_asked_once(
    org: Org, clock: Clock, placer: Server
) -> None:
    placer.act = fails(503)

    for _ in range(10):
        warned(org)
    questions = len(placer.asked)
    pass_by(org, clock, 31)
    warned(org)

    assert questions == IN_A_ROW
    assert len(placer.asked) == questions + 1


def test_a_text_the_server_will_not_take_is_set_aside_seen_and_tried_again_when_told(
    org: Org, clock: Clock, placer: Server
) -> None:
    def picky(request: Request) -> None:
        if any("message 7 " in text for text in request.texts):
            fails(400)(request)
        else:
            placer.place(request)

    placer.act = picky

    done = 0
    for _ in range(6):
        done += org.sync()["vectors"]
        pass_by(org, clock, 3_600)
    status, before = org.status(), len(placer.asked)
    org.sync()

    assert (done, status.vectors_behind) == (COUNT - 1, 1)
    (note,) = status.notes
    assert note.startswith("openai-compatible:m/64 could not place 1 passages (EmbedderFailed)")
    assert [one.what for one in org.doctor() if one.name == "set aside"] == [note]
    assert len(placer.asked) == before
    placer.act = placer.place
    org.steward("user:owner").revive()
    assert (org.sync()["vectors"], org.status().notes) == (1, ())


def test_what_passages_took_does_not_keep_questions_from_being_placed(
    url: str, tenant: str, clock: Clock, placer: Server
) -> None:
    with closing(open_served(url, tenant, clock, placer, _TOKENS_PER_DAY="9000")) as org:
        taken(org, [person("user:ann"), *(said(f"m{n}", f"{n}" + " many words" * 60) for n in range(COUNT))])

        org.sync()
        behind = org.status().vectors_behind
        told = warned(org)

        assert (behind, told) == (COUNT, [])
        assert {one.purpose for one in org.steward("user:owner").model_costs()} <= {"embed", "place"}


def test_what_it_took_is_in_the_ledger(org: Org) -> None:
    org.sync()
    warned(org)

    costs = {one.purpose: one for one in org.steward("user:owner").model_costs()}
    assert costs["embed"].calls == 4  # our own texts in two requests, the messages in two
    assert costs["embed"].tokens_in > COUNT
    assert costs["place"].calls == 1
    assert costs["place"].model == "openai-compatible:m/64"


def test_one_server_takes_the_place_of_another_and_questions_never_stop(
    url: str, tenant: str, clock: Clock, placer: Server
) -> None:
    events = [person("user:ann"), *(said(f"m{n}", f"message {n} hotel") for n in range(COUNT))]
    with placing(128) as wider:
        with closing(open_served(url, tenant, clock, placer)) as org:
            taken(org, events)
            org.sync()
        before = {name.replace("EMBEDDER", "EMBEDDER_BEFORE"): one for name, one in placer.said().items()}
        with closing(open_served(url, tenant, clock, wider, **_tails(before))) as org:
            wider.act = fails(503)
            org.sync()
            during = (legs(org), warned(org))
            check = next(one for one in org.doctor() if one.name == "vectors")
            wider.act = wider.place
            pass_by(org, clock, 1_000)
            org.sync()

            assert during == ({"lexical", "vector"}, [])
            assert "until then questions go by openai-compatible:m/64" in check.what
            asked = len(placer.asked)
            assert (legs(org), warned(org)) == ({"lexical", "vector"}, [])
            assert len(placer.asked) == asked
            assert wider.texts[-1] == QUESTION


def _tails(said: dict[str, str]) -> dict[str, str]:
    return {name.removeprefix("MUNIMENT_EMBEDDER"): value for name, value in said.items()}
