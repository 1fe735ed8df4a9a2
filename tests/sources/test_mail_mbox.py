"""A file of mails is cut where mails begin and nowhere else, however it is quoted."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.sources.mail.mbox import begins_mbox, mails
from tests.mails import EML, MBOX, accepted, handed, items, mbox, raw, told, unread

FROM_HERE = "Hello.\n\nFrom here on we ship daily.\n\nFrom Monday, 3 June: no more mails.\n"
LINES = st.lists(
    st.sampled_from(
        [
            "",
            "text",
            "From here on we ship",
            ">From me",
            ">>From you",
            "From: ann",
            "Subject: x",
            "> quoted",
            "-- ",
        ]
    ),
    max_size=12,
)


def bodies(data: bytes) -> list[bytes]:
    return [one.raw.partition(b"\n\n")[2].strip() for one in mails(io.BytesIO(data))]


def test_a_sentence_that_begins_with_from_begins_no_mail() -> None:
    found = bodies(mbox(raw(FROM_HERE), raw("Next."), quote=False))

    assert found == [FROM_HERE.strip().encode(), b"Next."]


def test_a_mark_before_the_first_mail_hides_none() -> None:
    assert bodies(b"\xef\xbb\xbf" + mbox(raw("One."), raw("Two."))) == [b"One.", b"Two."]
    assert begins_mbox(b"\xef\xbb\xbf" + mbox(raw("One.")))


@given(LINES, LINES)
def test_quoting_is_undone_as_it_was_done(one: list[str], two: list[str]) -> None:
    texts = ["\n".join(lines).strip("\n") for lines in (one, two)]

    assert bodies(mbox(*(raw(text) for text in texts))) == [text.strip().encode() for text in texts]


def test_a_length_that_leads_to_the_next_mail_is_believed() -> None:
    inner = "A forwarded one:\n\nFrom x@y.example Wed Jun  3 07:00:00 2026\nSubject: inner\n\n>From me\n"
    data = mbox(raw(inner, Content_Length=str(len(inner))), raw("Next."), quote=False)

    assert bodies(data) == [inner.strip().encode(), b"Next."]


@pytest.mark.parametrize("length", ["3", "999999", "0", "12345678901"])
def test_a_length_that_leads_nowhere_is_not_believed(length: str) -> None:
    assert bodies(mbox(raw("Some words.", Content_Length=length), raw("Next."))) == [b"Some words.", b"Next."]


def test_lines_may_end_as_they_do_on_windows() -> None:
    data = mbox(raw("One."), raw("Two.")).replace(b"\n", b"\r\n")

    assert [one.raw.partition(b"\r\n\r\n")[2].strip() for one in mails(io.BytesIO(data))] == [
        b"One.",
        b"Two.",
    ]


def test_what_stands_before_the_first_mail_is_said_to_be_unread(tmp_path: Path) -> None:
    path = tmp_path / "in.mbox"
    path.write_bytes(b"some junk\n\n" + mbox(raw("One.")))
    parsed = list(MBOX.read(path, handed()))

    assert "before the first mail" in unread(parsed)[0]
    assert [one["body"] for one in items(one for one in parsed if isinstance(one, dict))] == ["One."]


@given(st.binary(max_size=400))
def test_any_bytes_are_cut_into_mails(junk: bytes) -> None:
    found = list(mails(io.BytesIO(mbox(raw("One.")) + junk)))

    assert found[0].raw.startswith(b"From: Ann Lee")


def test_files_are_known_by_their_name_and_how_they_begin(tmp_path: Path) -> None:
    box, lone, other = tmp_path / "takeout", tmp_path / "a.eml", tmp_path / "notes.txt"
    box.write_bytes(mbox(raw()))
    lone.write_bytes(raw())
    other.write_text("From here on we ship daily.\n")

    assert [MBOX.recognises(one) for one in (box, lone, other, tmp_path)] == [True, False, False, False]
    assert [EML.recognises(one) for one in (box, lone, other, tmp_path)] == [False, True, False, False]


def test_a_mail_is_one_item_whatever_it_lay_in(tmp_path: Path) -> None:
    folder = tmp_path / "mails"
    (folder / "Archive" / "cur").mkdir(parents=True)
    (folder / "Archive" / "new").mkdir()
    (folder / "a.eml").write_bytes(raw().replace(b"\n", b"\r\n"))
    (folder / "b.emlx").write_bytes(str(len(raw())).encode() + b"\n" + raw() + b"<?xml version='1.0'?>")
    (folder / "Archive" / "cur" / "1700.host:2,S").write_bytes(
        raw(X_Folder="Archive", Received="from a by b")
    )
    (folder / "Archive" / "cur" / "1701.host:2,ST").write_bytes(raw("Thrown away."))

    found = {str(one["id"]) for one in items(accepted(EML.read(folder, handed())))}

    assert found == {str(one["id"]) for one in items(told(tmp_path / "x.mbox", mbox(raw())))}


def test_spam_and_trash_of_an_export_stay_out_and_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "takeout.mbox"
    path.write_bytes(
        mbox(
            raw("Kept.", X_Gmail_Labels="Inbox,Important"),
            raw("Junk.", X_Gmail_Labels="=?UTF-8?Q?Spam?="),
            raw("Gone.", X_Gmail_Labels="Trash,Opened"),
            raw("Not sent.", X_Gmail_Labels="Drafts"),
        )
    )
    parsed = list(MBOX.read(path, handed()))
    asked = list(MBOX.read(path, handed(also="spam,trash,drafts")))

    assert unread(parsed) == [
        "left out: 1 in drafts, 1 in spam, 1 in trash; to take them in, say also=spam,trash,drafts"
    ]
    assert [one["body"] for one in items(one for one in parsed if isinstance(one, dict))] == ["Kept."]
    assert len(items(accepted(asked))) == 4
