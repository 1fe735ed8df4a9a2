"""Singer's and Airbyte's messages: each record an item, whichever wrote it, for its importer alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.errors import Usage
from muniment.sources.filekind import Handed
from muniment.sources.parsed import Parsed, Unread
from muniment.sources.singer import FILES
from muniment.sources.singer.records import tell
from tests.served import fit, takes

[SINGER] = FILES
TICKET = {
    "id": 7, "subject": "The kettle leaks", "description": "Water drips.",
    "updated_at": "2026-06-02T10:00:00Z",
    "requester": {"name": "Ann", "email": "ann@acme.example"}, "is_deleted": False,
}  # fmt: skip
MAPPING = """
streams:
  - name: tickets
    kind: issue
    id: id
    at: updated_at
    title: subject
    body: [description, solution]
    author: requester.email
    author_name: requester.name
    deleted: is_deleted
"""


def read(folder: Path, *messages: object, mapping: str | None = None) -> list[Parsed]:
    path = folder / "tickets.jsonl"
    path.write_text("\n".join(json.dumps(one) for one in messages), encoding="utf-8")
    options = {}
    if mapping is not None:
        (folder / "mapping.yaml").write_text(mapping, encoding="utf-8")
        options = {"mapping": str(folder / "mapping.yaml")}
    return list(SINGER.read(path, Handed("zendesk", "user:owner", options=options)))


def singer(record: object) -> dict[str, object]:
    return {"type": "RECORD", "stream": "tickets", "record": record, "time_extracted": "2026-06-03T10:00:00Z"}


def airbyte(record: object) -> dict[str, object]:
    return {"type": "RECORD", "record": {"stream": "tickets", "data": record, "emitted_at": 1780480800000}}


def test_a_record_is_the_same_item_whichever_of_the_two_wrote_it(tmp_path: Path) -> None:
    [one] = fit(read(tmp_path, {"type": "STATE", "value": {}}, singer(TICKET), mapping=MAPPING))

    assert [one] == fit(read(tmp_path, airbyte(TICKET), mapping=MAPPING))
    assert (one["id"], one["kind"], one["body"]) == ("tickets/7", "issue", "Water drips.")
    assert (one["author"], one["author_name"]) == ("user:ann@acme.example", "Ann")
    assert "audience" not in one
    assert "container" not in one


def test_a_file_of_messages_is_recognised_and_one_of_events_is_not(tmp_path: Path) -> None:
    (tmp_path / "tap.jsonl").write_text(json.dumps(singer(TICKET)), encoding="utf-8")
    (tmp_path / "events.jsonl").write_text('{"op": "upsert", "type": "RECORD"}', encoding="utf-8")

    assert [SINGER.recognises(tmp_path / name) for name in ("tap.jsonl", "events.jsonl")] == [True, False]


def test_without_a_mapping_the_schemas_key_and_the_usual_names_count(tmp_path: Path) -> None:
    schema = {"type": "SCHEMA", "stream": "tickets", "schema": {}, "key_properties": ["subject", "id"]}

    [one] = fit(read(tmp_path, schema, singer({**TICKET, "note": None})))

    assert (one["id"], one["title"]) == ("tickets/The kettle leaks/7", "The kettle leaks")
    assert "description: Water drips." in str(one["body"])


def test_a_record_that_says_it_is_deleted_deletes(tmp_path: Path) -> None:
    said, gone = fit(read(tmp_path, singer(TICKET), singer({**TICKET, "is_deleted": True}), mapping=MAPPING))

    assert (gone["op"], gone["id"]) == ("delete", said["id"])


def test_a_line_that_cannot_be_read_is_kept_and_the_others_are_taken(tmp_path: Path) -> None:
    found = read(tmp_path, "RECORD", singer({"subject": "no id"}), {"type": "SONG"}, singer(TICKET))

    assert [one.origin for one in found if isinstance(one, Unread)] == [
        "line 1", "line 2, stream 'tickets'", "line 3",
    ]  # fmt: skip
    assert len(found) == 4


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ("streams:\n  - name: a\n    colour: red\n", "line 3.*'colour' is unknown"),
        ("streams:\n  - kind: issue\n", "name is missing"),
        ("streams:\n  - name: a\n    title: [b, c]\n", "one field is wanted"),
        ("streams:\n  - name: a\n  - name: a\n", "twice"),
    ],
)
def test_a_mapping_that_is_wrong_is_named_with_its_place(tmp_path: Path, wrong: str, why: str) -> None:
    with pytest.raises(Usage, match=why):
        read(tmp_path, singer(TICKET), mapping=wrong)


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(ODD, st.sampled_from(sorted(TICKET)), st.binary(max_size=60))
def test_any_line_is_read_or_kept(odd: object, field: str, raw: bytes) -> None:
    lines = [
        singer(odd),
        airbyte({**TICKET, field: odd}),
        {"type": "SCHEMA", "stream": odd, "key_properties": [odd]},
    ]

    takes(tell("zendesk", enumerate([raw, *(json.dumps(one).encode() for one in lines)], 1), {}))
