"""What sentences say of the texts they name, against labels: those rules were tuned to, and others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import muniment
from evals.shared import ROOT, Report, lines
from muniment.domain.events import Body, ItemRef
from muniment.graph.extract import references
from muniment.graph.referrer import Referrer
from muniment.items.passages import cut
from muniment.items.text import structure

__all__ = ["held", "tuned"]

Said = tuple[object, ...]
KINDS = ("supersedes", "amends", "attaches_to", "refers_to", "cites")


def tuned(_: muniment.Org) -> Report:
    """The labels that the rules were tuned to: they guard against regress, and estimate nothing."""
    return _report("references", ROOT.parent / "tests" / "data" / "references.jsonl")


def held(_: muniment.Org) -> Report:
    """Those written afterwards."""
    return _report("references-held", ROOT / "datasets" / "references_held.jsonl")


def _report(name: str, path: Path) -> Report:
    rows = list(lines(path))
    known = {one[2] for row in rows for one in _wanted(row)}
    counts: dict[str, Counter[object]] = {what: Counter() for what in ("right", "said", "wanted")}
    wrong = []
    for row in rows:
        # A name that no label has leads nowhere in a record of these texts.
        said, wanted = {one for one in _said(row) if one[2] in known}, _wanted(row)
        for what, ones in (("right", said & wanted), ("said", said), ("wanted", wanted)):
            counts[what].update(one[0] for one in ones)
        if said != wanted:
            wrong.append(f"{row['text']} → {sorted(map(str, said))}")
    figures: dict[str, tuple[float, int]] = {}
    for kind in KINDS:
        right = float(counts["right"][kind])
        figures[f"{kind}, precision"] = (right, counts["said"][kind])
        figures[f"{kind}, recall"] = (right, counts["wanted"][kind])
    return Report(name, f"`python -m evals {name}`: {len(rows)} sentences", figures, wrong)


def _said(row: Mapping[str, Any]) -> set[Said]:
    kind, text = row.get("kind", "document"), str(row["text"])
    body = Body(kind=kind, body=text, media="text/markdown", title=row.get("title", "Expense Rules 2024"))
    by = Referrer.of(ItemRef("rules", "rules/expense.md"), body)
    found = references(cut(structure(kind, text, body.media)), by)
    return {(one.kind, one.inverse, one.name, one.section, one.edition) for one in found}


def _wanted(row: Mapping[str, Any]) -> set[Said]:
    return {
        (one["kind"], one.get("inverse", False), one.get("name"), one.get("section"), one.get("edition"))
        for one in row["want"]
    }
