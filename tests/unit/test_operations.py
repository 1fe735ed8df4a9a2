"""What operators are told agrees with the program: settings, metrics, alerts and their runbooks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
import yaml

from muniment.domain.replicas import ReplicaStatus
from muniment.domain.values import Queue, Status
from muniment.surfaces.http.metrics import Counted

ROOT = Path(__file__).parents[2]
SETTINGS = (ROOT / "docs" / "reference" / "settings.md").read_text(encoding="utf-8")
RUNBOOKS = (ROOT / "docs" / "operations" / "runbooks.md").read_text(encoding="utf-8")
WATCHING = (ROOT / "docs" / "operations" / "watching.md").read_text(encoding="utf-8")
NAMED = re.compile(r"\bMUNIMENT_[A-Z_]*[A-Z]\b(?!_)")
METRIC = re.compile(r"\bmuniment_[a-z_]+")
# Read by their ending, for the embedder in use and the one before.
COMPOSED = ("MUNIMENT_EMBEDDER_",)


def settings_read() -> set[str]:
    """Every setting that our source names whole."""
    texts = (file.read_text(encoding="utf-8") for file in (ROOT / "src").rglob("*.py"))
    return {name for text in texts for name in NAMED.findall(text)}


def endings_read() -> set[str]:
    """What follows MUNIMENT_EMBEDDER, and what follows that of the one before."""
    text = (ROOT / "src" / "muniment" / "domain" / "embedder_use.py").read_text(encoding="utf-8")
    return {f"MUNIMENT_EMBEDDER_{ending}" for ending in re.findall(r'f"\{name\}_([A-Z_]+)"', text)}


def test_every_setting_is_in_the_reference() -> None:
    told = set(NAMED.findall(SETTINGS))

    assert endings_read() > {"MUNIMENT_EMBEDDER_URL"}
    assert (settings_read() | endings_read()) - told == set()


def test_the_reference_names_no_setting_that_nothing_reads() -> None:
    assert set(NAMED.findall(SETTINGS)) - settings_read() - endings_read() == set()


def metrics_told() -> set[str]:
    """Every name in what /metrics says after one request."""
    counted = Counted()
    counted.add("GET", "/v1/search", 200, 0.01)
    replica = ReplicaStatus("database 'a' at 'b'", "current", None, 0, 0.0, 1, 0, 0)
    status = Status((), Queue(0, 0, 0), 0, 0, 0, 0, 0, 0, 0, replicas=(replica,))
    return set(METRIC.findall(re.sub(r"^#.*$", "", counted.text(status), flags=re.MULTILINE)))


def dashboard() -> Iterator[str]:
    board = json.loads((ROOT / "packaging" / "grafana.json").read_text(encoding="utf-8"))
    yield from (target["expr"] for panel in board["panels"] for target in panel["targets"])


def rules() -> list[Mapping[str, object]]:
    said = yaml.safe_load((ROOT / "packaging" / "alerts.yml").read_text(encoding="utf-8"))
    return [rule for group in said["groups"] for rule in group["rules"]]


def queries() -> list[str]:
    return [*dashboard(), *(str(rule["expr"]) for rule in rules())]


@pytest.mark.parametrize("query", queries())
def test_a_query_asks_for_what_is_counted(query: str) -> None:
    named = set(METRIC.findall(query))

    assert named - metrics_told() == set()
    assert named or query.startswith("up{")
    assert query.count("(") == query.count(")")


def test_everything_counted_is_on_the_dashboard_and_explained() -> None:
    shown = {name for query in dashboard() for name in METRIC.findall(query)}
    explained = WATCHING.replace("`_sum`", "muniment_http_request_seconds_sum").replace(
        "`_count`", "muniment_http_request_seconds_count"
    )

    assert metrics_told() - shown == set()
    assert metrics_told() - set(METRIC.findall(explained)) == set()


def test_every_alert_leads_to_a_runbook() -> None:
    anchors = {title.lower().replace(" ", "-") for title in re.findall(r"^## (.+)$", RUNBOOKS, re.MULTILINE)}

    for rule in rules():
        annotations = rule["annotations"]
        assert isinstance(annotations, dict)
        assert annotations["runbook"].removeprefix("runbooks.md#") in anchors, rule["alert"]
        assert str(rule["alert"]) in WATCHING
