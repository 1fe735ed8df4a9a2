"""OpenTelemetry's exports: what failed is observed once, whatever way it comes, and read by whose it is."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.app import Org
from muniment.domain.errors import Malformed
from muniment.sources.connector import Unsigned
from muniment.sources.filekind import Handed
from muniment.sources.otlp import FILES
from muniment.sources.otlp.hook import OtlpHook
from muniment.sources.otlp.observed import MOST, severity_of, tell
from muniment.sources.parsed import Event, Unread
from muniment.sources.registry import recognised
from muniment.sources.wire.mapping import parse_mapping
from tests.served import configured, delivery, fit, takes
from tests.worlds import Clock, member, open_org, person, taken

Thing = dict[str, object]
HEARD = "2026-06-20T09:00:00Z"
SRE = parse_mapping("*=group:sre")
TRACE, ROOT, CALL = "5b8efff798038103d269b633813fc60c", "eee19b7ec3c1b174", "aaa19b7ec3c1b174"
BEGAN = 1_780_394_400_000_000_000  # 2026-06-02T10:00:00Z
ERROR = severity_of("error")


def words(**said: str) -> list[Thing]:
    return [{"key": key.replace("__", "."), "value": {"stringValue": value}} for key, value in said.items()]


def sender(service: str = "checkout") -> Thing:
    return {
        "attributes": words(service__name=service, deployment__environment="prod", service__version="4.1")
    }


THROWN = words(exception__type="TimeoutError", exception__message="no reply in 300 ms")


def span(id_: str = CALL, **more: object) -> Thing:
    return {
        "traceId": TRACE, "spanId": id_, "parentSpanId": ROOT, "name": "POST /pay", "kind": 3,
        "startTimeUnixNano": str(BEGAN), "endTimeUnixNano": str(BEGAN + 312_000_000),
        "status": {"code": 2, "message": "deadline exceeded"},
        "attributes": words(
            http__route="/pay", url__query="card=4111", http__request__header__authorization="s3cret"
        ),
        "events": [{"name": "exception", "attributes": THROWN}],
        **more,
    }  # fmt: skip


def record(text: str = "pool exhausted", **more: object) -> Thing:
    return {
        "timeUnixNano": str(BEGAN + 5), "observedTimeUnixNano": str(BEGAN + 9), "severityNumber": 17,
        "severityText": "ERROR", "body": {"stringValue": text}, "traceId": TRACE, "spanId": CALL, **more,
    }  # fmt: skip


def traced(*spans: Thing, service: str = "checkout") -> Thing:
    return {
        "resourceSpans": [{"resource": sender(service), "scopeSpans": [{"scope": {}, "spans": [*spans]}]}]
    }


def logged(*records: Thing, service: str = "checkout") -> Thing:
    return {"resourceLogs": [{"resource": sender(service), "scopeLogs": [{"logRecords": [*records]}]}]}


def observed(payload: object, least: int = ERROR) -> list[Event]:
    return [one for one in fit(tell("otlp", payload, SRE, least, HEARD)) if one["op"] == "upsert"]


def test_a_failed_span_says_what_failed_where_and_what_was_thrown() -> None:
    [one] = observed(traced(span()))

    assert (one["id"], one["thread"], one["service"]) == (f"span/{TRACE}/{CALL}", TRACE, "checkout")
    assert one["at"] == "2026-06-02T10:00:00.312000Z"
    assert one["body"] == (
        "POST /pay failed after 312 ms: deadline exceeded\nTimeoutError: no reply in 300 ms"
    )
    assert one["labels"] == {
        "environment": "prod", "version": "4.1", "http.route": "/pay", "trace": TRACE,
        "span": CALL, "parent": ROOT,
    }  # fmt: skip


def test_what_a_request_carried_is_not_kept() -> None:
    said = json.dumps(observed(traced(span())))

    assert "s3cret" not in said
    assert "4111" not in said


@pytest.mark.parametrize("status", [{}, {"code": 0}, {"code": 1}, None, {"code": "STATUS_CODE_OK"}])
def test_a_span_that_did_not_fail_is_passed_by(status: object) -> None:
    assert observed(traced(span(status=status))) == []


def test_a_status_may_be_said_in_a_word() -> None:
    assert observed(traced(span(status={"code": "STATUS_CODE_ERROR"})))


def test_records_are_kept_from_the_severity_up() -> None:
    payload = logged(*(record(str(number), severityNumber=number) for number in range(25)))

    kept = {
        least: len(observed(payload, severity_of(least))) for least in ("fatal", "error", "warn", "trace")
    }

    assert kept == {"fatal": 4, "error": 8, "warn": 12, "trace": 24}
    with pytest.raises(Malformed, match="loud"):
        severity_of("loud")


def test_a_record_stands_in_the_thread_of_its_trace_and_is_one_however_it_came() -> None:
    [one] = observed(logged(record()))

    assert (one["thread"], one["body"], one["title"]) == (TRACE, "pool exhausted", "error in checkout")
    assert observed(logged(record(observedTimeUnixNano=str(BEGAN + 99)))) == [one]
    assert observed(logged(record("pool exhausted again")))[0]["id"] != one["id"]


def test_a_body_that_is_a_mapping_is_kept_as_json() -> None:
    listed = {"arrayValue": {"values": [{"boolValue": True}]}}
    pairs = [{"key": "n", "value": {"intValue": "3"}}, {"key": "l", "value": listed}]
    body = {"kvlistValue": {"values": pairs}}

    [one] = observed(logged(record(body=body)))

    assert json.loads(str(one["body"])) == {"n": "3", "l": ["true"]}


def test_what_has_no_trace_or_no_time_is_told_to_be_unreadable() -> None:
    payload = traced(
        span(traceId="0" * 32), span(spanId="xyz"), span(startTimeUnixNano="0", endTimeUnixNano=None)
    )

    unread = [one for one in tell("otlp", payload, SRE, ERROR, HEARD) if isinstance(one, Unread)]

    assert len(unread) == 3


def test_an_export_of_too_many_says_how_many_were_left_out() -> None:
    payload = logged(*(record(str(number)) for number in range(MOST + 3)))

    *kept, last = tell("otlp", payload, {}, ERROR, HEARD)

    assert len(kept) == MOST
    assert isinstance(last, Unread)
    assert last.reason.startswith("3 spans and records")


def test_a_delivery_is_admitted_by_the_bearer_alone_packed_or_not() -> None:
    hook = OtlpHook(configured("otlp", {"bearer": "s"}, audiences="*=group:sre"))
    raw = json.dumps(traced(span())).encode()

    plain = hook.hear(delivery(raw, authorization="Bearer s"))
    packed = hook.hear(delivery(gzip.compress(raw), authorization="Bearer s", content_encoding="gzip"))

    assert plain.parsed == packed.parsed
    assert (len(plain.parsed), plain.reply) == (2, {})
    for wrong in ("", "Bearer", "Bearer t", "Basic s"):
        with pytest.raises(Unsigned):
            hook.hear(delivery(raw, authorization=wrong))


@pytest.mark.parametrize(
    ("raw", "packing"),
    [
        (gzip.compress(bytes(30 * 1024 * 1024)), "gzip"),
        (gzip.compress(b"{}" * 999)[:-9], "gzip"),
        (b"{}", "gzip"),
        (b"{}", "zstd"),
        (b"\x0a\x10protobuf", ""),
    ],
    ids=["a bomb", "cut off", "not packed", "another packing", "protobuf"],
)
def test_a_delivery_that_cannot_be_read_is_refused(raw: bytes, packing: str) -> None:
    hook = OtlpHook(configured("otlp", {"bearer": "s"}))

    with pytest.raises(Malformed):
        hook.hear(delivery(raw, authorization="Bearer s", content_encoding=packing))


def handed(path: Path, **options: str) -> list[object]:
    (kind,) = FILES
    return list(
        kind.read(path, Handed("otlp", "user:owner", options={"audiences": "*=group:sre", **options}))
    )


@pytest.mark.parametrize("shape", ["lines", "one line", "indented"])
def test_a_file_of_the_collector_says_what_a_delivery_says(tmp_path: Path, shape: str) -> None:
    payloads = [traced(span()), logged(record())] if shape == "lines" else [traced(span())]
    indent = 1 if shape == "indented" else None
    (path := tmp_path / "traces.json").write_text(
        "\n".join(json.dumps(one, indent=indent) for one in payloads)
    )

    upserts = [one for one in handed(path) if isinstance(one, dict) and one["op"] == "upsert"]

    assert upserts == [one for payload in payloads for one in observed(payload)]
    if shape != "indented":
        assert (kind := recognised(path)) is not None
        assert kind.name == "otlp"


def test_a_line_that_is_no_export_is_told_and_the_others_are_read(tmp_path: Path) -> None:
    lines = [json.dumps(traced(span())), "{", '{"resourceMetrics": []}', "", json.dumps(logged(record()))]
    (path := tmp_path / "x.jsonl").write_text("\n".join(lines))

    found = handed(path)

    assert [one.origin for one in found if isinstance(one, Unread)] == ["x.jsonl, line 2", "x.jsonl, line 3"]
    assert len([one for one in found if isinstance(one, dict) and one["op"] == "upsert"]) == 2


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=60)
@given(st.sampled_from([*span(), *record()]), ODD)
def test_any_field_may_be_of_any_form(field: str, odd: object) -> None:
    takes(tell("otlp", traced({**span(), field: odd}), SRE, 0, HEARD))
    takes(tell("otlp", logged({**record(), field: odd}), SRE, 0, HEARD))
    takes(
        tell(
            "otlp",
            {"resourceSpans": odd, "resourceLogs": [{"resource": odd, "scopeLogs": odd}]},
            SRE,
            0,
            None,
        )
    )


@settings(max_examples=60)
@given(st.binary(max_size=200))
def test_any_bytes_may_be_in_a_file(raw: bytes) -> None:
    path = Path("/dev/shm") if Path("/dev/shm").is_dir() else Path()  # noqa: S108  # memory, not a secret
    (file := path / f"muniment-{os.getpid()}-otlp.json").write_bytes(raw)
    try:
        takes(one for one in handed(file) if isinstance(one, Unread | dict))
    finally:
        file.unlink()


@pytest.fixture
def org(url: str, tenant: str) -> Iterator[Org]:
    with open_org(url, tenant, Clock()) as opened:
        taken(opened, [person("user:ann"), person("user:bo"), member("group:sre", "user:ann")])
        yield opened


def test_what_was_sent_is_taken_once_and_read_by_whose_it_is(org: Org) -> None:
    events = fit(tell("otlp", {**traced(span()), **logged(record())}, SRE, ERROR, HEARD))
    taken(org, events)

    again = org.ingest(events)

    assert (again.accepted, again.quarantined) == (0, 0)
    assert org.reader("user:ann").search("deadline exceeded")[0].item == f"span/{TRACE}/{CALL}"
    assert org.reader("user:bo").search("deadline exceeded") == []
