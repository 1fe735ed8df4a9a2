"""The real Prometheus and Alertmanager of Debian, where they are there: what they send is what we read."""

from __future__ import annotations

import json
import socket
import subprocess
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from shutil import which
from urllib.error import URLError

import pytest

from muniment.domain.errors import Unavailable
from muniment.sources.alertmanager.hook import AlertmanagerHook
from muniment.sources.parsed import Event
from muniment.sources.prometheus.observe import Prometheus
from tests.places import until
from tests.served import Answer, Question, configured, delivery, fit, served

TEMPLATE = Path("/usr/share/prometheus/alertmanager/email.tmpl")
PRESENT = which("prometheus") and which("prometheus-alertmanager") and TEMPLATE.is_file()
pytestmark = pytest.mark.skipif(
    not PRESENT, reason="Debian's prometheus and prometheus-alertmanager are not installed: see .ci/run"
)


def free_port() -> int:
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return int(door.getsockname()[1])


@contextmanager
def running(command: Sequence[str], ready: str) -> Iterator[None]:
    """A program, until it is told to end; it is ready once the address answers."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as program:
        try:
            until(lambda: answers(ready))
            yield
        finally:
            program.terminate()
            program.wait(20)


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=2) as reply:  # noqa: S310  # our own server
            return bool(reply.status == 200)
    except (URLError, OSError):
        return False


@pytest.fixture
def heard() -> Queue[Question]:
    return Queue()


@contextmanager
def hearing(heard: Queue[Question], refused: int) -> Iterator[str]:
    """A webhook that fails so many times first."""
    answered = iter([500] * refused)

    def speaks(question: Question) -> Answer:
        heard.put(question)
        return Answer(b"", next(answered, 200))

    with served(speaks) as url:
        yield url


@contextmanager
def alertmanager(folder: Path, webhook: str) -> Iterator[str]:
    """The real one, which notifies that webhook at once, over and over."""
    config = {
        "route": {"receiver": "us", "group_by": ["alertname"], "group_wait": "50ms",
                  "group_interval": "300ms", "repeat_interval": "600ms"},
        "receivers": [{"name": "us", "webhook_configs": [{
            "url": webhook, "http_config": {"authorization": {"type": "Bearer", "credentials": "s"}}}]}],
    }  # fmt: skip
    (folder / "alertmanager.yml").write_text(json.dumps(config), encoding="utf-8")
    url = f"http://127.0.0.1:{free_port()}"
    command = ["prometheus-alertmanager", f"--config.file={folder}/alertmanager.yml",
               f"--storage.path={folder}/am", f"--web.listen-address={url[7:]}",
               "--cluster.listen-address="]  # fmt: skip
    with running(command, f"{url}/-/ready"):
        yield url


@contextmanager
def prometheus(folder: Path, config: object) -> Iterator[str]:
    (folder / "prometheus.yml").write_text(json.dumps(config), encoding="utf-8")
    url = f"http://127.0.0.1:{free_port()}"
    command = ["prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/tsdb",
               f"--web.listen-address={url[7:]}", "--rules.alert.resend-delay=1s"]  # fmt: skip
    with running(command, f"{url}/-/ready"):
        yield url


def told(question: Question) -> list[Event]:
    """What our hook makes of a notification."""
    hook = AlertmanagerHook(configured("alertmanager", {"bearer": "s"}, audiences="*=group:sre"))
    return fit(hook.hear(delivery(question.body, authorization=question.headers["authorization"])).parsed)


def posted(url: str, alert: dict[str, object]) -> None:
    body = json.dumps([alert]).encode()
    headers = {"content-type": "application/json"}
    request = urllib.request.Request(f"{url}/api/v2/alerts", body, headers)  # noqa: S310  # our own server
    with urllib.request.urlopen(request, timeout=10):  # noqa: S310  # as above
        pass


KETTLE: dict[str, object] = {
    "labels": {"alertname": "KettleDry", "service": "kitchen"},
    "annotations": {"summary": "The kettle is dry."},
    "startsAt": "2026-06-02T10:00:00Z",
}


def test_alertmanager_sends_one_occurrence_many_times_and_its_end_once(
    tmp_path: Path, heard: Queue[Question]
) -> None:
    with hearing(heard, refused=1) as webhook, alertmanager(tmp_path, webhook) as url:
        posted(url, KETTLE)
        first, again = heard.get(timeout=30), heard.get(timeout=30)
        posted(url, {**KETTLE, "endsAt": "2026-06-02T10:30:00Z"})
        last = heard.get(timeout=30)
        while b'"resolved"' not in last.body:
            last = heard.get(timeout=30)

    assert first.body == again.body
    assert b'"endsAt":"0001-01-01T00:00:00Z"' in first.body
    assert [one["op"] for one in told(first)] == ["audience", "upsert"]
    assert told(last)[1] == told(first)[1]
    assert told(last)[2]["state"] == "resolved"


def test_a_rule_that_fires_in_prometheus_arrives_as_an_alert(tmp_path: Path, heard: Queue[Question]) -> None:
    rule = {"alert": "KettleDry", "expr": "vector(1)", "labels": {"service": "kitchen"},
            "annotations": {"summary": "The kettle is dry."}}  # fmt: skip
    groups = {"groups": [{"name": "kitchen", "interval": "200ms", "rules": [rule]}]}
    (tmp_path / "rules.yml").write_text(json.dumps(groups), encoding="utf-8")

    with hearing(heard, refused=0) as webhook, alertmanager(tmp_path, webhook) as url:
        config = {"rule_files": [f"{tmp_path}/rules.yml"],
                  "alerting": {"alertmanagers": [{"static_configs": [{"targets": [url[7:]]}]}]}}  # fmt: skip
        with prometheus(tmp_path, config):
            [_, alert] = told(heard.get(timeout=60))

    assert (alert["title"], alert["body"]) == ("KettleDry on kitchen", "The kettle is dry.")


def test_prometheus_answers_what_is_asked_and_names_what_is_wrong(tmp_path: Path) -> None:
    queries = "one: vector(1)\nnan: 0/0\ninf: 1/0\nwrong: up{\nlong over 2w step 1m: vector(2)"
    with prometheus(tmp_path, {}) as url:
        asked = Prometheus(configured("prometheus", url=url, queries=queries)).pull(None)
        pages = [next(asked) for _ in range(5)]
        with pytest.raises(Unavailable, match="wrong: bad_data"):
            list(asked)

    said = {one["title"]: one["body"] for one in fit(one for page in pages for one in page.parsed)}
    assert said == {
        "one": "{} 1", "nan": "scalar NaN", "inf": "scalar +Inf",
        "long": "{} 2 (least 2, greatest 2, 20161 points)",
    }  # fmt: skip
