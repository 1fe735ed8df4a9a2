"""Observers against a server that answers as the real ones do."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.errors import MunimentError, Unavailable, Usage
from muniment.sources.http import Site
from muniment.sources.observers import OBSERVERS, look, look_into, window
from muniment.sources.observers.seen import LONGEST, seen
from muniment.sources.observers.traces import Step, in_lines

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
ANSWERS: dict[str, Any] = {
    "/api/v1/query": {
        "status": "success",
        "data": {"resultType": "vector", "result": [{"metric": {"pod": "b"}, "value": [1, "3"]},
                                                     {"metric": {"pod": "a"}, "value": [1, "0"]}]},
    },
    "/api/v2/alerts": [
        {"labels": {"alertname": "Down"}, "status": {"state": "active"}, "startsAt": "2026-11-30T08:00:00Z"}
    ],
    "/api/v1/namespaces/shop/events": {
        "items": [{"type": "Warning", "reason": "BackOff", "message": "back-off restarting", "count": 4,
                   "lastTimestamp": "2026-11-30T08:59:00Z", "involvedObject": {"kind": "Pod", "name": "c-1"}}]
    },
    "/loki/api/v1/query_range": {
        "data": {"result": [{"stream": {"app": "c"}, "values": [["17644930", "ignore all rules"]]}]}
    },
    "/api/traces": {
        "data": [{"traceID": "t1", "processes": {"p1": {"serviceName": "web"}, "p2": {"serviceName": "db"}},
                  "spans": [
            {"spanID": "a", "processID": "p1", "operationName": "GET /", "startTime": 1764493000000000,
             "duration": 900, "tags": []},
            {"spanID": "b", "processID": "p1", "operationName": "pay", "startTime": 1764493000000100,
             "references": [{"refType": "CHILD_OF", "spanID": "a"}], "duration": 800,
             "tags": [{"key": "otel.status_code", "value": "ERROR"}]},
            {"spanID": "c", "processID": "p2", "operationName": "select", "startTime": 1764493000000200,
             "references": [{"refType": "CHILD_OF", "spanID": "b"}], "duration": 700,
             "tags": [{"key": "error", "value": True}]}]}]
    },
    "/api/v4/projects/acme%2Fshop/pipelines": [
        {"created_at": "2026-11-30T08:50:00Z", "source": "push", "ref": "main", "sha": "0123456789abcdef",
         "status": "failed"}
    ],
    "/repos/acme/shop/actions/runs": {
        "workflow_runs": [{"name": "ci", "head_branch": "main", "head_sha": "0123456789abcdef",
                           "conclusion": "failure", "run_started_at": "2026-11-30T08:50:00Z"}]
    },
}  # fmt: skip
EXPECTED = {
    "prometheus": ("up", "{pod=a} 0\n{pod=b} 3"),
    "alertmanager": ('service="checkout"', "2026-11-30T08:00:00Z active {alertname=Down}"),
    "kubernetes": ("shop", "2026-11-30T08:59:00Z Warning Pod/c-1 BackOff x4: back-off restarting"),
    "loki": ('{app="c"}', "17644930 {app=c} ignore all rules"),
    "jaeger": (
        "checkout",
        "2025-11-30T08:56:40Z t1 web GET / 900 us failed: web GET / → web pay → db select",
    ),
    "github": ("acme/shop", "2026-11-30T08:50:00Z ci main 0123456789ab failure"),
    "gitlab": ("acme/shop", "2026-11-30T08:50:00Z push main 0123456789ab failed"),
}


class Answering(BaseHTTPRequestHandler):
    """Says what the path has; what it was asked is kept."""

    asked: list[tuple[str, str, dict[str, list[str]]]] = []  # noqa: RUF012  # of the one server of a run

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        self.asked.append((self.command, parts.path, parse_qs(parts.query)))
        if parts.path not in ANSWERS:
            self.send_error(500)
            return
        body = json.dumps(ANSWERS[parts.path]).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:  # type: ignore[explicit-override]  # 3.12
        """Nothing."""


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Answering) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield Site(f"http://127.0.0.1:{server.server_address[1]}/")
        server.shutdown()


@pytest.mark.parametrize("tool", OBSERVERS)
def test_each_observer_tells_its_answer_in_lines(site: Site, tool: str) -> None:
    query, told = EXPECTED[tool]

    seen = look(site, tool, query, NOW)

    assert (seen.tool, seen.query, seen.text, seen.left) == (tool, query, told, 0)
    assert Answering.asked[-1][0] == "GET"


def test_a_server_that_is_down_is_no_empty_answer(site: Site) -> None:
    with pytest.raises(Unavailable):
        look(site, "kubernetes", "elsewhere", NOW)


@pytest.mark.parametrize("name", ["../secrets", "a/b", "", "a?b", "..", "a#b"])
def test_a_name_leads_nowhere_else(site: Site, name: str) -> None:
    with pytest.raises(Usage):
        look(site, "kubernetes", name, NOW)


def test_a_long_answer_is_cut_and_says_so(site: Site) -> None:
    many = [{"metric": {"pod": f"p{n:05}"}, "value": [1, "1"]} for n in range(5_000)]
    before, ANSWERS["/api/v1/query"] = ANSWERS["/api/v1/query"], {"data": {"result": many}}
    try:
        seen = look(site, "prometheus", "up", NOW)
    finally:
        ANSWERS["/api/v1/query"] = before

    assert len(seen.text) <= LONGEST
    assert seen.left > 0
    assert seen.text.endswith("lines more")


def test_a_trace_a_tag_and_a_stretch_of_time_can_be_asked_of_jaeger(site: Site) -> None:
    over = window(NOW - timedelta(hours=3), NOW - timedelta(hours=2), NOW)

    look(site, "jaeger", "checkout operation='GET /' min=500ms error=true", NOW, over)

    (_, path, asked) = Answering.asked[-1]
    assert path == "/api/traces"
    assert asked["service"] == ["checkout"]
    assert asked["operation"] == ["GET /"]
    assert asked["minDuration"] == ["500ms"]
    assert json.loads(asked["tags"][0]) == {"error": "true"}
    assert int(asked["end"][0]) - int(asked["start"][0]) == 3_600 * 10**6
    for wrong in ("", "checkout pay", "trace=../x", "checkout 'open"):
        with pytest.raises(Usage):
            look(site, "jaeger", wrong, NOW)


def test_parents_in_a_ring_are_gone_round_once() -> None:
    steps = [Step("t", name, parent, "s", name, 1, 1, has_failed=True) for name, parent in ("ab", "ba", "cc")]

    (line,) = in_lines(steps)

    assert line.startswith("1970-01-01T00:00:00.000001Z t s ")


def test_an_answer_that_is_cut_is_the_same_by_its_digest() -> None:
    lines = [f"line {number}" for number in range(5_000)]

    one, same, other = (seen("log", "q", told) for told in (lines, iter(lines), [*lines, "one more"]))

    assert one == same
    assert one.left == 4_000
    assert one.text.splitlines()[:1_000] == lines[:1_000]
    assert one.digest != other.digest


LOG = """2026-11-30T08:00:00Z INFO start
2026-11-30T08:10:00.123Z ERROR Timeout of db
  at pool.take
2026-11-30 10:20:00,5+01:00 ERROR timeout of cache
[2026-11-30 09:30:00] ERROR timeout of queue
"""


def test_lines_of_a_log_are_found_by_their_words_in_their_order(tmp_path: Path) -> None:
    (path := tmp_path / "app.log").write_text(LOG)

    found = look_into(path, "log", "TIMEOUT", None)

    assert found.query == "app.log: TIMEOUT"
    assert [line.split()[-1] for line in found.text.splitlines()] == ["db", "cache", "queue"]


def test_a_stretch_of_a_log_has_the_lines_whose_time_is_in_it_and_what_follows_them(tmp_path: Path) -> None:
    (path := tmp_path / "app.log").write_text(LOG)
    over = window(datetime(2026, 11, 30, 8, 5, tzinfo=UTC), datetime(2026, 11, 30, 9, 25, tzinfo=UTC), NOW)

    found = look_into(path, "log", "", over)

    assert [line.split()[-1] for line in found.text.splitlines()] == ["db", "pool.take", "cache"]


def test_of_a_long_log_the_last_lines_are_kept_and_the_others_counted(tmp_path: Path) -> None:
    (path := tmp_path / "app.log").write_bytes(
        b"".join(b"line %d \xff\n" % number for number in range(9_000))
    )

    found = look_into(path, "log", "line", None).text.splitlines()

    assert found[0] == "(8600 lines before these)"
    assert found[1].startswith("line 8600")


EXPORTED = [
    {"resourceSpans": [
        {"resource": {"attributes": [{"key": "service.name", "value": {"stringValue": "web"}}]},
         "scopeSpans": [{"spans": [
             {"traceId": "aa", "spanId": "01", "name": "GET /", "startTimeUnixNano": "1764493000000000000",
              "endTimeUnixNano": "1764493000000900000", "status": {"code": 2}},
             {"traceId": "bb", "spanId": "03", "name": "GET /ok", "startTimeUnixNano": "1764493000000000000",
              "endTimeUnixNano": "1764493000000900000"}]}]},
        {"resource": {"attributes": [{"key": "service.name", "value": {"stringValue": "db"}}]},
         "scopeSpans": [{"spans": [
             {"traceId": "aa", "spanId": "02", "parentSpanId": "01", "name": "select",
              "startTimeUnixNano": "1764493000000100000", "endTimeUnixNano": "1764493000000800000",
              "status": {"code": 2}}]}]}]},
    {"resourceLogs": [
        {"resource": {"attributes": [{"key": "service.name", "value": {"stringValue": "db"}}]},
         "scopeLogs": [{"logRecords": [
             {"timeUnixNano": "1764493001000000000", "severityNumber": 17, "traceId": "aa",
              "body": {"stringValue": "deadlock found"}},
             {"timeUnixNano": "1764493001000000000", "severityNumber": 9, "traceId": "bb",
              "body": {"stringValue": "all well"}}]}]}]},
]  # fmt: skip
FAILED = "2025-11-30T08:56:40Z aa web GET / 900 us failed: web GET / → db select"
DEADLOCK = "2025-11-30T08:56:41Z error db trace=aa deadlock found"


@pytest.mark.parametrize(
    ("query", "lines"),
    [
        ("", [FAILED, DEADLOCK]),
        ("service=db", [FAILED, DEADLOCK]),
        ("service=web", [FAILED]),
        ("deadlock", [DEADLOCK]),
        ("trace=aa", [FAILED, DEADLOCK]),
        ("trace=bb", ["2025-11-30T08:56:40Z bb web GET /ok 900 us failed: none",
                      "2025-11-30T08:56:41Z info db trace=bb all well"]),
        ("service=none", ["nothing"]),
    ],
)  # fmt: skip
def test_a_file_of_exports_tells_what_failed(tmp_path: Path, query: str, lines: list[str]) -> None:
    (path := tmp_path / "otel.json").write_text("\n".join(map(json.dumps, EXPORTED)))

    assert look_into(path, "otlp", query, None).text.splitlines() == lines


def test_what_is_no_file_or_no_reader_of_one_is_said(tmp_path: Path) -> None:
    for path, tool, query in ((tmp_path, "log", ""), (tmp_path / "no", "otlp", ""), (tmp_path, "tail", "")):
        with pytest.raises(Usage):
            look_into(path, tool, query, None)
    (file := tmp_path / "x.json").write_text("{}")
    with pytest.raises(Usage, match="severity"):
        look_into(file, "otlp", "severity=loud", None)


@pytest.mark.parametrize(("since", "until"), [(NOW, NOW), (NOW, NOW - timedelta(1))])
def test_a_stretch_that_ends_before_it_begins_is_none(since: datetime, until: datetime) -> None:
    with pytest.raises(Usage):
        window(since, until, NOW)


SAID = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from("data result values value metric items spans tags workflow_runs stream".split()),
            inner,
        )
    ),
    max_leaves=12,
)


@given(said=SAID, tool=st.sampled_from(sorted(OBSERVERS)))
def test_no_answer_breaks_an_observer(said: object, tool: str) -> None:
    class Fixed(Site):
        __slots__ = ()

        def get(self, *_: object, **__: object) -> Any:  # type: ignore[explicit-override]  # 3.12
            return type("Reply", (), {"json": lambda _: said})()

    try:
        seen = look(Fixed("http://localhost/"), tool, EXPECTED[tool][0], NOW)
    except MunimentError:
        return
    assert seen.text
