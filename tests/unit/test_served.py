"""Embedders behind HTTP: what is sent, what is believed, and what becomes of every way a server can fail."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from muniment.domain.embedder_use import EmbedderUse
from muniment.domain.errors import Usage
from muniment.models import served
from muniment.models.embedding import EmbedderDown, EmbedderFailed, EmbedderLate, Silent, ask, embed
from muniment.models.served import ServedEmbedder, find_served
from tests.placing import Act, Request, Server, fails, placing
from tests.planted import plant

pytest.importorskip("httpx2", reason="pip install 'muniment[models]'")

TEXTS = ["canary text", "two cats", "third"]


@pytest.fixture
def server() -> Iterator[Server]:
    with placing(4) as serving:
        yield serving


def embedder(server: Server, **more: str) -> ServedEmbedder:
    return find_served(EmbedderUse.read(server.said(**more)))


def vectors(*rows: list[float]) -> Act:
    return lambda request: request.send_vectors(rows)


def sends(body: object) -> Act:
    text = body if isinstance(body, str) else json.dumps(body)
    return lambda request: request.send(text)


def test_vectors_are_those_of_their_texts_in_whatever_order_they_come(server: Server) -> None:
    server.act = lambda request: request.send_vectors([[len(text), 0, 0, 1] for text in request.texts])

    placed = embedder(server).place(TEXTS, query=False)

    assert placed.vectors.tolist() == [[11, 0, 0, 1], [8, 0, 0, 1], [5, 0, 0, 1]]
    assert placed.tokens == 5


def test_questions_and_passages_get_their_own_prefix_and_nothing_else_is_sent(server: Server) -> None:
    e5 = embedder(server, _QUERY_PREFIX="query: ", _PASSAGE_PREFIX="passage: ")

    e5.embed(["a"], query=True)
    e5.embed(["b", "c"], query=False)

    question, passages = server.asked
    assert question.body == {"model": "m", "input": ["query: a"], "encoding_format": "float"}
    assert passages.texts == ["passage: b", "passage: c"]
    assert question.key == "Bearer canary-key"


def test_openai_is_told_how_long_vectors_should_be(server: Server) -> None:
    embedder(server, **{"": "openai:text-embedding-3-large", "_PRICE": "0.13"}).embed(["a"], query=True)

    assert server.asked[0].body["dimensions"] == 4


def test_what_changes_a_vector_changes_the_name_and_nothing_else_does(server: Server) -> None:
    variants: list[dict[str, str]] = [
        {},
        {"_DIMENSIONS": "8"},
        {"": "openai-compatible:n"},
        {"_QUERY_PREFIX": "query: "},
        {"_PASSAGE_PREFIX": "query: "},
    ]

    names = [embedder(server, **variant).name for variant in variants]
    moved = embedder(server, _URL="http://127.0.0.2/v1", _KEY="another").name

    assert len(set(names)) == len(variants)
    assert moved == names[0] == "openai-compatible:m/4"


@pytest.mark.parametrize(
    ("act", "kind"),
    [
        (fails(400), EmbedderFailed),
        (fails(413), EmbedderFailed),
        (fails(500), EmbedderFailed),
        (fails(401), EmbedderDown),
        (fails(404), EmbedderDown),
        (fails(429), EmbedderDown),
        (fails(503), EmbedderDown),
        (fails(302, location="http://127.0.0.1:9/"), EmbedderFailed),
        (vectors([1, 0, 0, 0]), EmbedderFailed),
        (vectors(*[[1.0, 0, 0, 0]] * 4), EmbedderFailed),
        (vectors(*[[1.0, 0, 0]] * 3), EmbedderFailed),
        (vectors(*[[0.0] * 4] * 3), EmbedderFailed),
        (vectors(*[[float("nan"), 0, 0, 1]] * 3), EmbedderFailed),
        (vectors(*[[float("inf"), 0, 0, 1]] * 3), EmbedderFailed),
        (sends(""), EmbedderFailed),
        (sends("<html>canary text</html>"), EmbedderFailed),
        (sends("[" * 100_000), EmbedderFailed),
        (sends([]), EmbedderFailed),
        (sends({"data": None}), EmbedderFailed),
        (sends({"data": [1, 2, 3]}), EmbedderFailed),
        (sends({"data": [{"index": 0, "embedding": [1, 0, 0, 0]}] * 3}), EmbedderFailed),
        (sends({"data": [{"index": True, "embedding": [1, 0, 0, 0]}] * 3}), EmbedderFailed),
        (sends({"data": [{"embedding": ["1", "0", "0", "0"]}] * 3}), EmbedderFailed),
        (sends({"data": [{"embedding": "AACAPwAAAAA="}] * 3}), EmbedderFailed),
        (
            sends('{"data": [' + ",".join(['{"embedding": [1%s, 0, 0, 0]}' % ("0" * 400)] * 3) + "]}"),
            EmbedderFailed,
        ),
        (sends({"data": [], "more": "canary text" * 10_000}), EmbedderFailed),
    ],
)
def test_what_is_no_answer_is_a_failure_that_repeats_nothing(
    server: Server, act: Act, kind: type[Exception], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server.act = act

    with pytest.raises(EmbedderFailed) as caught:
        embed(embedder(server), TEXTS, query=False)

    assert type(caught.value) is kind
    told = [str(caught.value), *(record.getMessage() for record in caplog.records)]
    assert not [line for line in told if "canary" in line or "cats" in line]
    assert caught.value.__cause__ is None
    assert len(server.asked) == 1  # asking again is ours to decide


def test_a_server_that_is_not_there_is_down() -> None:
    nobody = {
        "MUNIMENT_EMBEDDER": "openai-compatible:m",
        "MUNIMENT_EMBEDDER_URL": "http://127.0.0.1:9/v1",
        "MUNIMENT_EMBEDDER_DIMENSIONS": "4",
    }

    with pytest.raises(EmbedderDown, match="openai-compatible:m"):
        find_served(EmbedderUse.read(nobody)).embed(["a"], query=False)


def drip(server: Server) -> Callable[[Request], None]:
    def act(request: Request) -> None:
        request.send(" ")
        while not server.go_on.wait(0.02):
            try:
                request.wire.wfile.write(b" ")
            except OSError:
                return

    return act


def test_a_server_that_drips_is_late_and_a_question_waits_less_than_passages(server: Server) -> None:
    patient = embedder(server, _SECONDS="20", _QUESTION_SECONDS="0.3")
    server.act = drip(server)

    found = ask(patient, "hotel")
    with pytest.raises(EmbedderLate):
        embedder(server, _SECONDS="0.3").embed(["a"], query=False)

    assert isinstance(found, Silent)
    assert "took more than 0.3 s" in found.why


@pytest.mark.parametrize(
    ("said", "rest"), [("7", 7.0), ("Wed, 01 Dec 2027 07:28:00 GMT", None), ("9" * 40, None)]
)
def test_how_long_a_server_wants_to_be_left_alone_is_taken_from_it_in_seconds(
    server: Server, said: str, rest: float | None
) -> None:
    server.act = fails(429, retry_after=said)

    with pytest.raises(EmbedderDown) as caught:
        embedder(server).embed(["a"], query=False)

    assert caught.value.rest == rest


def test_no_text_takes_no_request(server: Server) -> None:
    assert embedder(server).embed([], query=False).shape == (0, 4)
    assert server.asked == []


def test_numbers_without_a_point_are_numbers(server: Server) -> None:
    server.act = sends({"data": [{"embedding": [1, 0, 2, 0]}]})

    assert np.array_equal(embedder(server).embed(["a"], query=False), [[1, 0, 2, 0]])


def test_without_the_extra_it_is_said_what_to_install(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch, served, "find_spec", lambda _: None)

    with pytest.raises(Usage, match=r"muniment\[models\]"):
        embedder(server)
