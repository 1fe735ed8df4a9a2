"""Input of any kind has one of three outcomes, and as many things come out as went in."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from muniment.app import Org
from muniment.domain.values import Receipt
from muniment.events.parse import BODY_LIMIT
from tests.worlds import Event, at, member, open_org, person, said


@pytest.fixture
def org(url: str, tenant: str) -> Iterator[Org]:
    with open_org(url, tenant) as opened:
        opened.ingest([person("user:ann")])
        yield opened


def balanced(receipt: Receipt, handed_in: int) -> bool:
    counted = receipt.accepted + receipt.duplicate + receipt.quarantined
    return counted == handed_in == len(receipt.items)


def deep(levels: int) -> object:
    value: object = "bottom"
    for _ in range(levels):
        value = [value]
    return value


def long_name(draw: random.Random, length: int = 1000) -> str:
    """A name that no compression shortens, three bytes a character."""
    return "".join(chr(draw.randint(0x4E00, 0x9FFF)) for _ in range(length))


REFUSED: Mapping[str, Any] = {
    "nothing": {},
    "a list": [],
    "a number": 7,
    "null": None,
    "no source": {"op": "upsert", "id": "x", "at": at(0), "body": "x"},
    "naive date": said("x", "x", at="2026-06-03T09:00:00"),
    "date beyond the calendar": said("x", "x", at="9999-12-31T23:59:59-14:00"),
    "date before the calendar": said("x", "x", at="0001-01-01T00:00:00+14:00"),
    "day that does not exist": said("x", "x", valid_from="2026-02-30"),
    "a body too long": said("x", "x" * (BODY_LIMIT + 1)),
    "a body that is a number": {**said("x", "x"), "body": 7},
    "an empty audience": said("x", "x", audience=[]),
    "an audience of strangers to the grammar": said("x", "x", audience=[["everybody"]]),
    "an id of the record's own": said("@topology", "x"),
    "a source of the record's own": said("x", "x", source="muniment"),
    "not a number": said("x", "x", metadata={"ratio": float("nan")}),
    "an infinite number": said("x", "x", metadata={"ratio": float("inf")}),
    "a value JSON has no form for": said("x", "x", metadata={"when": datetime(2026, 1, 1, tzinfo=UTC)}),
    "a set": said("x", "x", participants={"user:ann"}),
    "a number of 5,000 digits": said("x", "x", metadata={"n": 10**5000}),
    "nested 100,000 deep": said("x", "x", metadata={"deep": deep(100_000)}),
    "a container of a source with a colon": {
        "op": "audience",
        "source": "a:b",
        "container": "hall",
        "at": at(0),
        "audience": [["*"]],
    },
    "a redaction without spans": {"op": "redact", "source": "chat", "id": "x", "at": at(0), "spans": []},
    "a group with no name": member("group:", "user:ann"),
    "a span no integer holds": {
        "op": "redact",
        "source": "chat",
        "id": "x",
        "at": at(0),
        "spans": [[0, True], ["a", 2]],
    },
}

TAKEN: Mapping[str, Event] = {
    "an unknown principal": said("t1", "x", author="user:stranger", audience=[["user:stranger"]]),
    "an unknown source": said("t2", "x", source="never-heard-of"),
    "an author who is no principal": said("t3", "x", author="U042"),
    "nested 100 deep": said("t4", "x", metadata={"deep": deep(100)}),
    "NUL everywhere": said("t\x005", "x\x00", title="\x00", metadata={"a\x00": ["\x00"]}),
    "lone surrogates": said("t6", "\ud800 x \udfff", title="\ud83d"),
    "an empty body": said("t7", ""),
    "blank body": said("t8", " \n\t\r\n "),
    "every kind of line end": said("t9", "a\rb\u2028c\u2029d\x85e\x0bf\x0cg"),
    "controls and bidi": said("t10", "\x01\x02\x1b[31m \u202e drowssap \u200b\ufeff"),
    "one endless word": said("t11", "a" * 300_000),
    "a million brackets": said("t12", "[" * 200_000, kind="document", media="text/markdown"),
    "a heading after heading": said("t13", "# a\n" * 4_000, kind="document", media="text/markdown"),
    "an endless title": said("t14", "x", kind="document", title="wort " * 40_000),
    "a huge integer": said("t15", "x", metadata={"n": 10**400}),
    "a year one": said("t16", "x", at="0001-01-01T00:00:00Z"),
    "a year 9999": said("t17", "x", at="9999-12-31T23:59:59Z", valid_to="9999-12-31T00:00:00Z"),
    "a redaction of nothing": {
        "op": "redact",
        "source": "chat",
        "id": "t18",
        "at": at(0),
        "spans": [[0, 9**30]],
    },
    "a restore of nothing": {"op": "restore", "source": "chat", "id": "t19", "at": at(0)},
    "an author name that is empty": said("t20", "x", author="user:ann", author_name=""),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_can_never_be_read_is_kept_with_its_reason(org: Org, what: str) -> None:
    receipt = org.ingest([said("before", "one"), REFUSED[what], said("after", "two")])

    assert balanced(receipt, 3)
    assert (receipt.accepted, receipt.quarantined) == (2, 1), receipt.items
    (kept,) = org.steward("user:owner").quarantined()
    assert kept.reason
    assert "could not be stored" not in kept.reason


@pytest.mark.parametrize("what", TAKEN)
def test_what_is_odd_but_readable_is_taken_and_compiled(org: Org, what: str) -> None:
    receipt = org.ingest([said("before", "one"), TAKEN[what], said("after", "two")])

    assert balanced(receipt, 3)
    assert receipt.accepted == 3, [item.reason for item in receipt.items]
    queue = org.steward("user:owner").status().queue
    assert (queue.waiting, queue.dead) == (0, 0)
    again = org.ingest([TAKEN[what]])
    assert again.duplicate == 1
    changed = org.ingest([{**TAKEN[what], "at": at(5), "version": "2"}])
    assert changed.accepted == 1
    assert org.steward("user:owner").status().queue.waiting == 0


def test_a_subject_of_any_length_blocks_nobody(org: Org, seed: int) -> None:
    name = long_name(random.Random(seed), 3_000)
    spread = "ﷺ" * 200  # 18 characters each in their normal form
    bodies = [f"The renewal date of {name} is 2027-03-01.", f"{name} 的 discount 是 12 %。", f"- {name}: 7\n"]
    events = [said(f"m{number}", body, kind="document") for number, body in enumerate(bodies)]
    events += [said("m9", f"| {name} | b |\n|---|---|\n| {name} | 12 |", kind="document", account=spread)]
    receipt = org.ingest(events)

    assert receipt.accepted == len(events)
    queue = org.steward("user:owner").status().queue
    assert (queue.waiting, queue.dead) == (0, 0)


FIELDS = ("id", "source", "title", "container", "thread", "account", "project", "service", "url", "version")


@pytest.mark.parametrize("field", [*FIELDS, "author_name", "author"])
def test_a_name_of_any_length_is_taken_or_refused_and_blocks_nobody(org: Org, seed: int, field: str) -> None:
    name = long_name(random.Random(seed))
    value = f"user:{name}" if field == "author" else name
    event = {**said("x", "x", kind="document"), field: value}
    receipt = org.ingest([said("before", "one"), event, said("after", "two")])

    assert balanced(receipt, 3)
    assert receipt.accepted >= 2, [item.reason for item in receipt.items]
    queue = org.steward("user:owner").status().queue
    assert (queue.waiting, queue.dead) == (0, 0)


def test_directory_names_of_any_length_are_taken_or_refused_and_block_nobody(org: Org, seed: int) -> None:
    name = long_name(random.Random(seed))
    events = [
        person(f"user:{name}"),
        person("user:bo", emails=[f"{name}@example.org"], aliases=[name]),
        member(f"group:{name}", "user:ann"),
        member("group:team", f"user:{name}"),
        {"op": "audience", "source": "chat", "container": name, "at": at(0), "audience": [["*"]]},
        {"op": "audience", "source": "chat", "item": name, "at": at(0), "audience": [[f"user:{name}"]]},
        said("m1", "x", audience=[[f"group:{name}"]]),
        said("m2", "x", supersedes=[name, f"docs:{name}"]),
    ]
    receipt = org.ingest([*events, said("after", "two")])

    assert balanced(receipt, len(events) + 1)
    assert receipt.items[-1].state == "accepted" or receipt.accepted > 0
    assert [hit.item for hit in org.reader("user:ann").search("two")] == ["after"]


def test_a_file_of_10_000_lines_with_one_bad_line_loses_that_line_only(org: Org, tmp_path: Path) -> None:
    lines = [json.dumps(said(f"m{number}", f"Line {number}.")) for number in range(10_000)]
    lines[6_543] = lines[6_543][:-1]
    file = tmp_path / "events.jsonl"
    file.write_text("\n".join(lines))

    receipt = org.add(file, defer=True)

    assert balanced(receipt, 10_000)
    assert (receipt.accepted, receipt.quarantined) == (9_999, 1)
    (kept,) = org.steward("user:owner").quarantined()
    assert (kept.line, kept.reason[:8]) == (6_544, "not JSON")


def test_a_file_of_rubbish_is_kept_line_by_line(org: Org, tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    good = json.dumps(said("m1", "Fine.")).encode()
    rubbish = [
        b"\xff\xfe\x00",
        b"\x00",
        b"{",
        b"[" * 200_000,
        b"{}" * 3,
        b'"text"',
        b"NaN",
        b"\xed\xa0\x80",
        json.dumps(said("x", "x", ratio=float("nan"))).encode(),
        json.dumps(said("x", "x", ratio=7.5)).replace("7.5", "1e999").encode(),
        bytes(draw.choice(b'{}[]",:0e\\u\x01\xff ') for _ in range(500)).replace(b"\n", b"") + b"x",
        b'{"a": ' * 100_000,
    ]
    draw.shuffle(rubbish)
    file = tmp_path / "events.jsonl"
    file.write_bytes(b"\n".join([*rubbish, good, b"", b"  "]))

    receipt = org.add(file)

    assert balanced(receipt, len(rubbish) + 1)
    assert (receipt.accepted, receipt.quarantined) == (1, len(rubbish)), receipt.items
    assert len(org.steward("user:owner").quarantined()) == len(rubbish)
    again = org.replay()
    assert (again.accepted, again.quarantined) == (0, len(rubbish))


def test_binary_documents_are_refused_by_name(org: Org, tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    (tmp_path / "noise.md").write_bytes(draw.randbytes(10_000))
    (tmp_path / "nul.txt").write_bytes(b"\x00" * 10_000)
    (tmp_path / "empty.md").write_bytes(b"")
    (tmp_path / "fine.md").write_text("# Fine\n\nThis is fine.")

    receipt = org.add(tmp_path, audience=["*"])

    assert balanced(receipt, 4)
    assert "fine.md" in {item.id for item in receipt.items if item.state == "accepted"}
    assert org.steward("user:owner").status().queue.dead == 0
