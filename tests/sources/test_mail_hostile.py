"""Whatever bytes come as a mail: an answer, in time, that the front door takes."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.sources.mail.headers import people, words
from muniment.sources.mail.message import Unparsed, parse
from muniment.sources.mail.told import Held, events_of
from tests.mails import accepted, raw

AT = datetime(2026, 6, 3, 9, tzinfo=UTC)
SEEDS = [
    raw(),
    raw(
        "--b\nContent-Type: text/html; charset=x\n\n<p>Hi</p>\n--b\n\nx\n--b--\n",
        Content_Type="multipart/mixed; boundary=b",
    ),
    raw("QUJD\n", Content_Type='text/plain; name="=?utf-8?q?a=2Emd?="', Content_Transfer_Encoding="base64"),
    raw("=FC=", Content_Type="text/plain; charset=cp-850", Content_Transfer_Encoding="quoted-printable"),
    raw(From="=?utf-8?B?w6k=?= <a@x.example>, b@x.example", References="<1@x>,<2@x> junk"),
    raw("begin 644 a\n#0V%T\n`\nend\n", Content_Transfer_Encoding="x-uuencode"),
]
LONG = 200_000


def told(data: bytes) -> None:
    mail = parse(data)
    if not isinstance(mail, Unparsed):
        accepted(events_of(mail, Held("mail", "user:ann", AT)))


@given(st.binary(max_size=600))
def test_any_bytes_are_a_mail_or_none(data: bytes) -> None:
    told(data)
    told(b"From: a@x.example\n" + data)
    told(b"Content-Type: " + data)


@given(st.sampled_from(SEEDS), st.lists(st.tuples(st.integers(0, 700), st.binary(max_size=6)), max_size=8))
def test_a_mail_that_was_damaged_is_a_mail_or_none(seed: bytes, edits: list[tuple[int, bytes]]) -> None:
    data = bytearray(seed)
    for at, new in edits:
        data[at : at + len(new)] = new

    told(bytes(data))


@given(st.binary(max_size=300))
def test_any_bytes_are_a_field(data: bytes) -> None:
    text = data.decode("ascii", "surrogateescape")

    assert "\x00" not in words(text)
    assert all("@" in one.address for one in people(text))


@pytest.mark.parametrize(
    "data",
    [
        raw(To="(" * LONG),
        raw(To='"' * LONG),
        raw(To="<" * LONG),
        raw(To="a@b," * (LONG // 4)),
        raw(To=("x" * 100 + "@") * (LONG // 100)),
        raw(Subject="=?utf-8?q?" * (LONG // 10)),
        raw(Subject="=?utf-8?b?QQ==?= " * (LONG // 17)),
        raw(References="<" * LONG),
        raw(References="<a@b>" * (LONG // 5)),
        raw(Date="1 " * LONG),
        raw(Content_Type="text/plain; " + "a=b; " * (LONG // 5)),
        raw(Content_Type='text/plain; name="' + "\\" * LONG),
        raw(" " * LONG + "x", Content_Type="text/plain"),
        raw("<div>" * 20_000, Content_Type="text/html"),
        raw("<a " + "b " * LONG + ">", Content_Type="text/html"),
        raw("x" * LONG * 10, Content_Type="text/plain; charset=punycode"),
        raw("--b\n" * LONG, Content_Type="multipart/mixed; boundary=b"),
        b"".join(b"X%d: y\n" % number for number in range(LONG)) + raw(),
        b"A" * LONG * 10,
    ],
    ids=[f"case-{number}" for number in range(19)],
)
def test_no_mail_takes_long(data: bytes) -> None:
    began = time.perf_counter()

    told(data)

    assert time.perf_counter() - began < 2
