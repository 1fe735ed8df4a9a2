"""Every published set goes into a record as it is, is asked there, and can be kept."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from evals.retrieval.ask import EVERYTHING, ask, asking
from evals.retrieval.record import Where
from evals.retrieval.sets import SETS
from tests.published import write_everything
from tests.worlds import open_org

pytestmark = pytest.mark.usefixtures("published")


@pytest.fixture
def published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUNIMENT_SHARED_DATA", str(tmp_path))
    write_everything(tmp_path)


@pytest.mark.parametrize("name", [name for name in SETS if name != "chat"])
def test_nothing_of_a_set_is_refused_and_units_are_found(url: str, tenant: str, name: str) -> None:
    dataset = SETS[name]
    with open_org(url, tenant) as org:
        clusters = list(dataset.clusters())
        receipts = [org.ingest(cluster.events) for cluster in clusters]
        found = [
            ask(org, dataset, cluster.name, question)
            for cluster in clusters
            for question in cluster.questions
        ]

        units = {dataset.unit(str(event["id"])) for cluster in clusters for event in cluster.events}

    assert not any(receipt.quarantined for receipt in receipts)
    assert any(one.found for one in found)
    assert set().union(*(one.found for one in found)) <= units


def test_a_record_that_is_kept_is_asked_again_as_it_is() -> None:
    # Not pytest's own folder, which an unprivileged server could not enter.
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o711)
        where = Where(Path(name), words_only=True)
        found, waiting = [], []
        for _ in range(2):
            with asking(SETS["longmemeval"], where, EVERYTHING) as (org, questions):
                found.append([ask(org, SETS["longmemeval"], *one).found for one in questions])
                waiting.append(org.status().queue.waiting)

        assert waiting == [0, 0]
        assert found[0] == found[1] == [("q1/s2",)]
