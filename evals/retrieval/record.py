"""A record that holds a set: in a folder that goes, or kept so that only the questions are asked again."""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import muniment
from evals.retrieval.cache import cached
from evals.retrieval.dataset import Cluster, Question
from evals.shared import NotHere, settings
from muniment.models.embedding import Embedder
from muniment.models.nano import find_embedder

__all__ = ["Where", "holding"]


@dataclass(frozen=True, slots=True)
class Where:
    """Where records are kept, or None for a folder that goes; and whether meaning is searched too."""

    keep: Path | None
    words_only: bool

    def embedder(self) -> Embedder | None:
        """The default embedder, its vectors kept where MUNIMENT_EVAL_CACHE says."""
        if self.words_only:
            return None
        found = find_embedder("auto")
        if found is None:
            raise NotHere("no embedder is installed; give --words to search by words alone")
        return cached(found)


@contextmanager
def holding(
    where: Where, record: str, clusters: Iterable[Cluster]
) -> Iterator[tuple[muniment.Org, list[tuple[str, Question]]]]:
    """The organisation, once it holds these clusters and, unless by words only, all their vectors.

    With their questions; of a cluster's events no more is kept than the record has.
    """
    with _folder(where.keep, record) as folder, _opened(folder, where) as org:
        questions = list(_take(org, folder / "taken.json", clusters))
        if not where.words_only:
            org.sync(progress=lambda done: _say(f"{record}: {done} vectors"))
        _say("")
        yield org, questions


@contextmanager
def _folder(keep: Path | None, record: str) -> Iterator[Path]:
    if keep is not None:
        (keep / record).mkdir(parents=True, exist_ok=True)
        # An unprivileged server must be able to enter it.
        for folder in (keep, keep / record):
            folder.chmod(0o711)
        yield keep / record
        return
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o711)
        yield Path(name)


def _opened(folder: Path, where: Where) -> muniment.Org:
    embedder = where.embedder()
    said = settings(folder)
    return muniment.open(
        folder / "org",
        embedder=embedder,
        settings=replace(said, embedder="off") if embedder is None else said,
    )


def _take(org: muniment.Org, noted: Path, clusters: Iterable[Cluster]) -> Iterator[tuple[str, Question]]:
    """Ingest what is not there yet; a cluster that is there with other events is an error."""
    taken: dict[str, str] = json.loads(noted.read_text()) if noted.exists() else {}
    for cluster in clusters:
        digest = hashlib.sha256(json.dumps(cluster.events, sort_keys=True).encode()).hexdigest()
        held = taken.get(cluster.name)
        if held is not None and held != digest:
            raise SystemExit(f"{noted.parent} holds other events of {cluster.name}; remove the folder")
        if held is None:
            _say(f"{cluster.name}: {len(cluster.events)} events")
            _ingest(org, cluster.events)
            taken[cluster.name] = digest
            noted.write_text(json.dumps(taken))
        yield from ((cluster.name, question) for question in cluster.questions)


def _ingest(org: muniment.Org, events: Sequence[Mapping[str, object]]) -> None:
    receipt = org.ingest(events)
    if receipt.quarantined:
        refused = next(one for one in receipt.items if one.state == "quarantined")
        raise SystemExit(f"{receipt.quarantined} events were refused, first {refused}")


def _say(what: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\033[K{what}", end="", file=sys.stderr, flush=True)
