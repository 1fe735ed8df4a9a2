"""What a mail's bytes say: real ones that broke others, rebuilt by hand."""

from __future__ import annotations

import base64
from datetime import UTC, datetime

import pytest

from muniment.sources.mail.headers import dated, people, words
from muniment.sources.mail.message import Unparsed, parse
from tests.mails import raw, read

JUNK_IDS = {
    "<[anu10].1c69b@SMTPIN_ADDED_[au5]@x.example>": "[anu10].1c69b@SMTPIN_ADDED_[au5]@x.example",
    "<[0f3a@x]-8c>": "[0f3a@x]-8c",
    "no brackets at all": "nobracketsatall",
    "<one@x> <two@x>": "one@x",
    "<>": None,
    "": None,
}


def part(body: str, media: str, **fields: str) -> str:
    said = {"Content-Type": media, **{name.replace("_", "-"): value for name, value in fields.items()}}
    return "".join(f"{name}: {value}\n" for name, value in said.items()) + f"\n{body}\n"


def parted(*parts: str, kind: str = "mixed", boundary: str = "b1") -> bytes:
    body = "".join(f"--{boundary}\n{one}" for one in parts) + f"--{boundary}--\n"
    return raw(body, Content_Type=f'multipart/{kind}; boundary="{boundary}"')


@pytest.mark.parametrize(
    "charset", ["cp-850", "", "utf-8 euao6y69zh2w", "iso-8859-8-i", "x-unheard-of", "zlib", "idna"]
)
def test_a_charset_nobody_knows_still_gives_the_text(charset: str) -> None:
    mail = read(raw("Zürich am Freitag".encode(), Content_Type=f'text/plain; charset="{charset}"'))

    assert "rich am Freitag" in mail.text.body


def test_a_charset_by_another_name_is_read_as_it_was_meant() -> None:
    for declared, codec in {
        "cp-850": "cp850",
        "ks_c_5601-1987": "cp949",
        "GB2312": "gb18030",
        "iso-8859-1": "cp1252",
    }.items():
        text = {"cp949": "안녕하세요", "gb18030": "镕基", "cp850": "größe", "cp1252": "€ 5"}[codec]
        mail = read(raw(text.encode(codec), Content_Type=f"text/plain; charset={declared}"))

        assert (mail.text.body, mail.text.notes) == (text, ())


def test_what_is_not_as_declared_is_read_as_something_else_and_says_so() -> None:
    utf8 = read(raw("Grüße".encode(), Content_Type="text/plain; charset=gb2312-x"))
    windows = read(raw("Grüße".encode("cp1252"), Content_Type="text/plain; charset=utf-8"))

    assert (utf8.text.body, windows.text.body) == ("Grüße", "Grüße")
    assert "read as utf-8" in utf8.text.notes[0]
    assert "which is a guess" in windows.text.notes[0]


@pytest.mark.parametrize(("said", "meant"), JUNK_IDS.items())
def test_no_message_id_is_too_odd(said: str, meant: str | None) -> None:
    assert read(raw(Message_ID=said)).message_id == meant


def test_words_cut_in_the_middle_of_a_character_are_joined() -> None:
    whole = "请查收合同".encode()
    halves = (base64.b64encode(whole[:4]).decode(), base64.b64encode(whole[4:]).decode())

    assert words(" ".join(f"=?utf-8?B?{one}?=" for one in halves)) == "请查收合同"
    assert words("=?iso-8859-1?Q?Gr=FC=DFe?=\n =?utf-8?q?_an_alle?= x") == "Grüße an alle x"
    assert words("=?nope?Q?caf=C3=A9?= and =?utf-8?B?!!!?=").startswith("café and")


def test_raw_bytes_in_fields_are_read() -> None:
    mail = read(raw(From=b'"\xdd\xca\xc0" <acq@x.example>', Subject="Größe".encode()))

    assert mail.sender is not None
    assert (mail.sender.address, mail.sender.name, mail.subject) == ("acq@x.example", "ÝÊÀ", "Größe")


def test_addresses_are_found_in_whatever_stands_around_them() -> None:
    said = (
        'undisclosed: "Lee, Ann" <Ann@X.example>, bo@x.example (Bo), =?utf-8?q?C=C3=A9?= <c@x.example>;'
        ' <<broken, "never closed <d@x.example>, nobody, ann@x.example'
    )

    assert [(one.address, one.name) for one in people(said)] == [
        ("ann@x.example", "Lee, Ann"),
        ("bo@x.example", "Bo"),
        ("c@x.example", "Cé"),
        ("d@x.example", "never closed"),
    ]


@pytest.mark.parametrize(
    ("said", "at", "known"),
    [
        ("Wed, 03 Jun 2026 09:00:00 +0200", datetime(2026, 6, 3, 7, tzinfo=UTC), True),
        ("3 Jun 2026 09:00 GMT", datetime(2026, 6, 3, 9, tzinfo=UTC), True),
        ("Wed, 03 Jun 2026 09:00:00 EST (Eastern)", datetime(2026, 6, 3, 14, tzinfo=UTC), True),
        ("Wed, 03 Jun 2026 09:00:00", datetime(2026, 6, 3, 9, tzinfo=UTC), False),
        ("Wed, 03 Jun 2026 09:00:00 -0000", datetime(2026, 6, 3, 9, tzinfo=UTC), False),
        ("Wed, 03 Jun 2026 09:00:00 +9999", datetime(2026, 6, 3, 9, tzinfo=UTC), False),
    ],
)
def test_a_date_is_an_instant_and_says_whether_it_named_a_zone(said: str, at: datetime, known: bool) -> None:  # noqa: FBT001  # a case
    found = dated(said)

    assert found is not None
    assert (found.at, found.tz_known) == (at, known)


@pytest.mark.parametrize(
    "said", ["Yesterday at noon", "", "99 Foo 2026", "Wed, 31 Feb 2026 09:00:00 +0200", "0"]
)
def test_a_date_that_is_none_is_kept_as_it_stands(said: str) -> None:
    mail = read(raw(Date=said, Received="from a by b; Thu, 04 Jun 2026 10:00:00 +0000"))

    assert (mail.date, mail.said_date) == (None, said)
    assert mail.arrived == datetime(2026, 6, 4, 10, tzinfo=UTC)


def test_the_hop_nearest_to_the_sender_dates_a_mail_without_a_date() -> None:
    hops = (
        "from c by d; Fri, 05 Jun 2026 10:00:00 +0000\nReceived: from a by b; Thu, 04 Jun 2026 10:00:00 +0000"
    )

    assert read(raw(Date=None, Received=hops)).arrived == datetime(2026, 6, 4, 10, tzinfo=UTC)


def test_references_may_hold_commas_and_junk() -> None:
    mail = read(
        raw(References="<root@x>,\n <two@x>; junk <three@x", In_Reply_To="Ann's mail of 3 June <two@x>")
    )

    assert mail.references == ("root@x", "two@x")


def test_of_alternatives_the_plain_text_is_taken_unless_it_says_nothing() -> None:
    html = part("<p>We ship on <b>Friday</b>.</p>", "text/html; charset=utf-8")
    both = read(parted(part("We ship on Friday, I think.", "text/plain"), html, kind="alternative"))
    stub = read(parted(part("Your client cannot view HTML.", "text/plain"), html, kind="alternative"))
    empty = read(parted(part("   ", "text/plain"), html, kind="alternative"))

    assert (both.text.body, both.text.media) == ("We ship on Friday, I think.", "text/plain")
    assert stub.text.body == empty.text.body == "We ship on Friday."
    assert stub.text.media == "text/html"


def test_html_is_read_as_it_is_seen() -> None:
    page = (
        "<html><head><style>p{}</style></head><body><div style='display:none'>Hidden order</div>"
        "<p>Hi&nbsp;Bo,</p><p>Friday.</p><blockquote>Old words</blockquote><img src='http://t.example/p.gif'></body></html>"
    )
    mail = read(raw(page, Content_Type="text/html"))

    assert "Hidden" not in mail.text.body
    assert "p.gif" not in mail.text.body
    assert mail.text.body.split("\n\n") == ["Hi Bo,", "Friday.", "> Old words"]


def test_files_are_listed_and_are_no_part_of_the_text() -> None:
    mail = read(
        parted(
            part("See attached.", "text/plain"),
            part(
                "QUJD",
                'application/pdf; name="a.pdf"',
                Content_Disposition="attachment",
                Content_Transfer_Encoding="base64",
            ),
            part("rows", "text/csv", Content_Disposition="attachment; filename*=utf-8''%C3%BCbersicht.csv"),
            part(
                "x", "text/plain", Content_Disposition='attachment; filename*0="long"; filename*1="name.txt"'
            ),
            part("BEGIN:VCALENDAR", "text/calendar; method=REQUEST"),
            part("From: x@y\nSubject: Forwarded plan\n\nOld", "message/rfc822"),
        )
    )

    assert mail.text.body == "See attached."
    assert [(one.name, one.media) for one in mail.files] == [
        ("a.pdf", "application/pdf"),
        ("übersicht.csv", "text/csv"),
        ("longname.txt", "text/plain"),
        (None, "text/calendar"),
        ("Forwarded plan", "message/rfc822"),
    ]
    assert mail.files[0].content == b"ABC"


def test_a_mail_of_files_alone_has_no_text_and_is_a_mail() -> None:
    mail = read(
        raw(
            "AAAA", Content_Type='application/ms-tnef; name="winmail.dat"', Content_Transfer_Encoding="base64"
        )
    )

    assert mail.text.body == ""
    assert [one.name for one in mail.files] == ["winmail.dat"]


def test_nul_characters_are_taken_out() -> None:
    mail = read(raw(b"We\x00 ship.", Subject=b"Pl\x00an"))

    assert (mail.text.body, mail.subject) == ("We ship.", "Plan")


def test_deep_nesting_is_read_or_refused_with_a_reason() -> None:
    def nested(depth: int) -> bytes:
        body = "deep\n"
        for level in range(depth):
            body = f'Content-Type: multipart/mixed; boundary="b{level}"\n\n--b{level}\n{body}\n--b{level}--\n'
        return b"From: a@x.example\nSubject: s\n" + body.encode()

    assert parse(nested(150)) is not None
    assert isinstance(parse(nested(300)), Unparsed)


def test_bytes_that_are_no_mail_say_so() -> None:
    for data in (b"", b"\x00\x01\x02", b"just words\n", b"%PDF-1.7\nContent: x\n\n"):
        found = parse(data)

        assert isinstance(found, Unparsed), found


@pytest.mark.parametrize(
    "subject", ["Recall: Plan", "recall:Plan", "Rückruf: Plan", "回收: Plan", "回收：Plan"]
)
def test_a_request_to_give_a_mail_back_names_it(subject: str) -> None:
    assert read(raw(Subject=subject)).recalls == "Plan"
    assert read(raw(Subject="Plan", X_MS_Exchange_Message_Class="IPM.Outlook.Recall")).recalls == "Plan"
    assert read(raw(Subject="Recalling the plan")).recalls is None
