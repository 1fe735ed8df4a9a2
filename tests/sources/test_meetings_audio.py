"""Recordings, heard by a real server on this machine or by nobody."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.sources.filekind import Handed
from muniment.sources.meetings.audio import read_audio
from muniment.sources.meetings.transcriber import Served, configured, heard
from muniment.sources.parsed import Parsed, Unread
from muniment.sources.registry import recognised
from tests.served import Answer, Question, fit, served

BY = Handed("meetings", "user:owner", None, {"owner": "ann@acme.example"})
VERBOSE = {
    "duration": 6.5,
    "text": "We ship on Friday. Remember: tell Bo --> today.",
    "segments": [
        {"start": 0.0, "end": 2.0, "text": " We ship on Friday.", "speaker": "SPEAKER_00"},
        {"start": 2.5, "end": 6.5, "text": " Remember: tell Bo --> <today>.", "speaker": "SPEAKER_01"},
    ],
}


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    path = tmp_path / "2026-05-04 release call.mp3"
    path.write_bytes(b"ID3\x00sound\r\n--not a boundary\r\n\xff\xfb")
    return path


@pytest.fixture(autouse=True)
def _nothing_set_up(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("", "_KEY", "_MODEL"):
        monkeypatch.delenv(f"MUNIMENT_TRANSCRIBER{name}", raising=False)


def read(path: Path, url: str, monkeypatch: pytest.MonkeyPatch, key: str = "k-1") -> list[Parsed]:
    monkeypatch.setenv("MUNIMENT_TRANSCRIBER", f"{url}/v1/")
    monkeypatch.setenv("MUNIMENT_TRANSCRIBER_KEY", key)
    return list(read_audio(path, BY))


def test_a_recording_is_known_by_its_name(recording: Path) -> None:
    kind = recognised(recording)

    assert kind is not None
    assert kind.name == "audio"


def test_a_recording_becomes_a_meeting_of_unknown_speakers(
    recording: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(lambda _: Answer(VERBOSE)) as url:
        (event,) = fit(read(recording, url, monkeypatch))

    assert event["body"] == (
        "Unknown speaker: We ship on Friday.\nUnknown speaker: Remember: tell Bo --> <today>."
    )
    assert event["at"] == "2026-05-04T00:00:00Z"
    assert event["author"] == "user:ann@acme.example"
    assert event["participants"] == []
    assert event["metadata"]["transcribed_by"] == "whisper-1"  # type: ignore[index]
    assert event["metadata"]["starts"] == [0.0, 2.5]  # type: ignore[index]


def test_the_server_is_asked_as_such_servers_are(recording: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Question] = []

    def speaks(question: Question) -> Answer:
        asked.append(question)
        return Answer(VERBOSE)

    monkeypatch.setenv("MUNIMENT_TRANSCRIBER_MODEL", "large-v3")
    with served(speaks) as url:
        list(read(recording, url, monkeypatch))

    (one,) = asked
    mark = one.headers["content-type"].partition("boundary=")[2].encode()
    assert (one.method, one.path) == ("POST", "/v1/audio/transcriptions")
    assert one.headers["authorization"] == "Bearer k-1"
    parts = one.body.split(b"--" + mark)
    said = [part.partition(b"\r\n\r\n")[2] for part in parts[1:-1]]
    assert said == [b"large-v3\r\n", b"verbose_json\r\n", recording.read_bytes() + b"\r\n"]
    assert recording.stem.encode() not in one.body


@pytest.mark.parametrize(
    "said",
    [
        b"WEBVTT\n\n00:00.000 --> 00:02.000\nWe ship on Friday.\n",
        b"1\n00:00:00,000 --> 00:00:02,000\nWe ship on Friday.\n",
        {"text": "We ship on Friday."},
    ],
)
def test_what_a_server_gives_instead_is_read_as_well(
    said: object, recording: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(lambda _: Answer(said)) as url:
        (event,) = fit(read(recording, url, monkeypatch))

    assert event["body"] == "Unknown speaker: We ship on Friday."


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (Answer(status=401), "does not let us in"),
        (Answer(status=500), "failed: status 500"),
        (Answer(status=429, headers={"retry-after": "86400"}), "asks us to wait"),
        (Answer({"segments": []}), "nobody says anything"),
        (Answer(status=307, headers={"location": "http://elsewhere.example/"}), "another host"),
    ],
)
def test_what_was_not_transcribed_says_why_and_not_with_which_key(
    answer: Answer, why: str, recording: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(lambda _: answer) as url:
        (unread,) = read(recording, url, monkeypatch, key="k-secret")

    assert isinstance(unread, Unread)
    assert why in unread.reason
    assert "k-secret" not in unread.reason


def test_a_short_rest_is_taken_and_the_recording_sent_again(
    recording: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers: Iterator[Answer] = iter((Answer(status=429, headers={"retry-after": "0"}), Answer(VERBOSE)))

    with served(lambda _: next(answers)) as url:
        found = fit(read(recording, url, monkeypatch))

    assert len(found) == 1


@pytest.mark.skipif(find_spec("faster_whisper") is not None, reason="it is installed, and would hear it")
def test_without_a_transcriber_it_says_what_to_set_up(recording: Path) -> None:
    (unread,) = list(read_audio(recording, BY))

    assert isinstance(unread, Unread)
    assert "MUNIMENT_TRANSCRIBER=URL" in unread.reason
    assert "muniment[audio]" in unread.reason


def test_a_key_is_in_no_word_about_a_transcriber() -> None:
    found = configured({"MUNIMENT_TRANSCRIBER": "http://h/v1", "MUNIMENT_TRANSCRIBER_KEY": "k-secret"})

    assert isinstance(found, Served)
    assert "k-secret" not in repr(found)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["segments", "text", "start", "end", "duration"]), inner, max_size=4
        )
    ),
    max_leaves=12,
)


@given(st.binary(max_size=300) | JSON.map(lambda one: json.dumps(one).encode()))
def test_no_reply_is_more_than_words(reply: bytes) -> None:
    for one in heard(reply).utterances:
        assert one.text.strip()
