"""The corpus into a record, through the public door: a folder of files, people, names, withdrawals."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import perf_counter
from typing import Any

import muniment
from evals.ledger.entries import EVERYBODY, UNDERWRITER, Document, Ledger
from evals.ledger.writing import file_text

__all__ = ["NOW", "SOURCE", "Taken", "take"]

SOURCE = "filings"
NOW = "2025-06-01T12:00:00Z"  # the day every question without one of its own is asked as of
_LONG_AGO = "2018-01-01T00:00:00Z"


@dataclass(frozen=True, slots=True)
class Taken:
    """What was handed in: documents, characters, and how long it took."""

    documents: int
    refused: int
    characters: int
    seconds: float


def take(org: muniment.Org, ledger: Ledger, folder: Path) -> Taken:
    """Every document as a file, then what was withdrawn."""
    org.ingest(_people(ledger))
    for document in ledger.documents:
        _file(folder, document)
    began = perf_counter()
    receipt = org.add(folder, source=SOURCE, audience=["*"])
    org.ingest(_withdrawals(ledger))
    org.sync()
    seconds = perf_counter() - began
    standing = [one for one in ledger.documents if not one.is_deleted]
    return Taken(receipt.accepted, receipt.quarantined, sum(len(file_text(one)) for one in standing), seconds)


def _file(folder: Path, document: Document) -> None:
    """A document as it lies in the document management system, filed three weeks before it takes effect."""
    path = folder / document.kind.replace(" ", "-") / f"{document.id}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(file_text(document), encoding="utf-8")
    filed = datetime.combine(document.effective, datetime.min.time(), UTC) - timedelta(days=21)
    os.utime(path, (filed.timestamp(), filed.timestamp()))


def _people(ledger: Ledger) -> Iterator[dict[str, Any]]:
    """Two members, one of them in a group, and what people call a line in a state."""
    said = {"source": "directory", "at": _LONG_AGO}
    for who in (EVERYBODY, UNDERWRITER):
        yield {**said, "op": "principal", "id": who, "standing": "member"}
    yield {**said, "op": "member", "group": "group:underwriting", "set": [UNDERWRITER]}
    for state, line in dict.fromkeys((one.state, one.line) for one in ledger.documents):
        yield {
            **said,
            "op": "entity",
            "id": f"{state}-{line}".casefold().replace(" ", "-"),
            "entity_kind": "project",
            "name": f"{state} {line}",
            "aliases": [f"{line} in {state}", f"{line} policy in {state}"],
            "audience": [["*"]],
        }


def _withdrawals(ledger: Ledger) -> Iterator[dict[str, Any]]:
    at = "2025-01-10T09:00:00Z"
    return (
        {"op": "delete", "source": SOURCE, "id": one.id, "at": at}
        for one in ledger.documents
        if one.is_deleted
    )
