"""Cues: each line is somebody's words, or dropped with a reason; nobody is made to speak."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from muniment.sources.meetings.cues import Cues, read_cues
from muniment.sources.meetings.otter import read_otter
from tests.sources.test_meetings import TEAMS


def words(cues: Cues) -> list[tuple[str | None, str]]:
    return [(one.speaker, one.text) for one in cues.utterances]


def test_a_comma_before_the_milliseconds_loses_nothing() -> None:
    cues = read_cues(
        "1\r\n00:00:01,000 --> 00:00:04,000\r\nThe fee is EUR 20.\r\n\r\n"
        "2\r\n00:00:05,0 --> 00:00:06,0\r\nYes.\r\n"
    )

    assert words(cues) == [(None, "The fee is EUR 20."), (None, "Yes.")]
    assert [one.reason for one in cues.dropped] == ["id of a cue"] * 2


def test_words_after_a_blank_line_and_arrows_in_words_are_words() -> None:
    spoken = "02:34.567 --> that is when the alert fired."
    text = f"02:30.000 --> 02:33.000\n\n{spoken}\n\n02:35.000 --> 02:36.000\nYes."

    assert words(read_cues(text)) == [(None, spoken), (None, "Yes.")]


def test_each_voice_of_a_cue_has_its_own_words() -> None:
    assert words(read_cues(TEAMS)) == [
        ("Ann Lee (Guest)", "We ship on <Friday>."),
        ("Ann Lee (Guest)", "Agreed?"),
        ("Bo Berg", "Agreed & noted. And booked."),
    ]


def test_a_mark_at_the_beginning_and_settings_of_a_cue_are_no_words() -> None:
    cues = read_cues(
        "\ufeffWEBVTT - all hands\nKind: captions\n\n00:01.000 --> 00:02.000 align:start position:0%\nHello."
    )

    assert words(cues) == [(None, "Hello.")]
    assert [one.reason for one in cues.dropped] == ["header", "header"]


def test_captions_that_roll_up_are_read_once_and_a_repeated_yes_is_kept() -> None:
    rolling = "WEBVTT\n\n" + "".join(
        f"00:{2 * n:02}.000 --> 00:{2 * n + 1:02}.990\n{f'word{n - 1} here' if n else ' '}\n"
        f"word{n}<00:{2 * n + 1:02}.000><c> here</c>\n\n"
        f"00:{2 * n + 1:02}.990 --> 00:{2 * n + 2:02}.000\nword{n} here\n \n\n"
        for n in range(6)
    )
    twice = "00:01.000 --> 00:02.000\nYes.\n\n00:02.000 --> 00:03.000\nYes.\n"

    assert words(read_cues(rolling)) == [(None, " ".join(f"word{n} here" for n in range(6)))]
    assert words(read_cues(twice)) == [(None, "Yes."), (None, "Yes.")]


def test_a_colon_names_a_speaker_only_where_the_file_is_written_so() -> None:
    zoom = "".join(
        f"{n}\n00:0{n}.000 --> 00:0{n}.900\n{said}\n\n"
        for n, said in enumerate(
            ("Tomás Rehn: Diego has", "Tomás Rehn: the numbers.", "Diego Marin: Note: yes."), 1
        )
    )
    speech = "".join(
        f"00:0{n}.000 --> 00:0{n}.900\n{said}\n\n"
        for n, said in enumerate(("One thing: we ship.", "Good.", "Done."))
    )

    assert words(read_cues("WEBVTT\n\n" + zoom)) == [
        ("Tomás Rehn", "Diego has the numbers."),
        ("Diego Marin", "Note: yes."),
    ]
    assert {speaker for speaker, _ in words(read_cues(speech))} == {None}


def test_a_number_that_was_said_is_no_id() -> None:
    cues = read_cues(
        "1\n00:01.000 --> 00:02.000\nHow many?\n\n2\n00:03.000 --> 00:04.000\n\n42\n\n"
        "3\n00:05.000 --> 00:06.000\nOh.\n"
    )

    assert [text for _, text in words(cues)] == ["How many?", "42 Oh."]


CUE_PARTS = st.lists(
    st.sampled_from(
        ["WEBVTT", "NOTE secret", "STYLE", "", "", "1", "2", "8f0e7c1a-1111-2222-3333-444455556666",
         "<v Ann>Hi</v><v Bo>",
         "00:00:01.000 --> 00:00:02.000", "00:02,5 --> 00:03,5 line:0", "00:03.000 --> 00:03.010 and words",
         "Ann: hello",
         "x --> y", "<b></b>", "<00:01.000><c>w</c>", "&amp;amp; &#x0;", "hello", "hello",
         "\ufeff", "那么", "{\\an8}up"]
    ) | st.text(max_size=30),
    max_size=40,
)  # fmt: skip


def missing(cues: Cues, text: str) -> set[int]:
    lines = range(1, 2 + len(re.findall(r"\r\n|\n|\r", text)))
    heard = {line for one in cues.utterances for line in one.lines}
    return set(lines) - heard - {one.line for one in cues.dropped} - cues.timings - cues.blank


@given(parts=CUE_PARTS, ending=st.sampled_from(["\n", "\r\n", "\r"]), is_zoom=st.booleans())
def test_no_line_of_cues_goes_missing(parts: list[str], ending: str, *, is_zoom: bool) -> None:
    text = ending.join(parts)

    cues = read_cues(text, named=is_zoom)

    assert missing(cues, text) == set()
    assert all(one.text for one in cues.utterances)


@given(
    st.lists(
        st.sampled_from(
            ["Ann  0:12", "Speaker 1  1:02:03", "", "words", "Transcribed by https://otter.ai", "9:99"]
        )
        | st.text(max_size=20)
    )
)
def test_no_line_of_a_text_goes_missing(parts: list[str]) -> None:
    text = "\n".join(parts)

    assert missing(read_otter(text), text) == set()


def test_hostile_cues_take_no_longer_than_others() -> None:
    for text in (
        "<v " * 100_000,
        "0" * 300_000 + " --> ",
        "a:" * 150_000,
        "1\n" * 100_000,
        "&" * 300_000,
        "(" * 200_000,
    ):
        assert read_cues(f"00:01.000 --> 00:02.000\n{text}").timings == {1}
