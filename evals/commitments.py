"""Promises found in single sentences, with owner and strength, against labels; and the days that dates mean.

Half of the sentences, every other one, is kept back: rules are looked at with the other half only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import muniment
from evals.shared import ROOT, Report, lines
from muniment.assertions import extract
from muniment.assertions.terms import find_terms
from muniment.assertions.validity import Said, resolve_term
from muniment.domain.assertions import Assertion, Context, Kind
from muniment.domain.events import Body
from muniment.domain.times import find_zone, parse_instant
from muniment.items.passages import cut
from muniment.items.text import structure
from muniment.lenses.accounts.promise import Promise, read_promise

__all__ = ["SENTENCES", "found_in", "held", "rows_of", "tuned"]

SENTENCES = ROOT / "datasets" / "commitments.jsonl"
DATES = ROOT.parent / "tests" / "data" / "relative_dates.jsonl"
SPEAKER = "user:speaker"
Row = Mapping[str, Any]


def held(_: muniment.Org) -> Report:
    """The half that no rule was looked at with."""
    return _report("commitments", "held")


def tuned(_: muniment.Org) -> Report:
    """The other half: it guards against regress, and estimates nothing."""
    return _report("commitments-tuned", "tuned")


def rows_of(half: str) -> list[Row]:
    """One half of the labelled sentences."""
    return [row for row in lines(SENTENCES) if row["half"] == half]


def found_in(text: str) -> tuple[Assertion, Promise] | None:
    """What the record takes a message of this one sentence to promise, and how the lens reads it."""
    body = Body(kind="message", body=text, media="text/plain", title=None)
    said = extract(cut(structure("message", text, body.media)), Context("message", None, SPEAKER, "acme"))
    one = next((each for each in said if each.kind is Kind.COMMITMENT), None)
    return None if one is None else (one, read_promise(one.statement))


def _report(name: str, half: str) -> Report:
    rows = rows_of(half)
    found = [(row, found_in(str(row["text"]))) for row in rows]
    given = [(row, one) for row, one in found if one is not None]
    right = [(row, one) for row, one in given if row["promise"]]
    figures: dict[str, tuple[float, int]] = {
        "precision": (len(right), len(given)),
        "recall, firm": _recall(found, ("firm",)),
        "recall, all": _recall(found, ("firm", "hedged", "conditional")),
        "owner": (sum(one[1].owner == row["owner"] for row, one in right), len(right)),
        "strength": (sum(one[1].strength == row["strength"] for row, one in right), len(right)),
        "quotes verbatim": (sum(one[0].quote.text in row["text"] for row, one in given), len(given)),
    }
    for lang in ("en", "zh"):
        mine = [(row, one) for row, one in found if row["lang"] == lang]
        taken = [(row, one) for row, one in mine if one is not None]
        figures[f"precision, {lang}"] = (sum(bool(row["promise"]) for row, _ in taken), len(taken))
        figures[f"recall, firm, {lang}"] = _recall(mine, ("firm",))
    figures["due day, relative dates"] = _days()
    how = f"`python -m evals {name}`: {len(rows)} sentences, {_negatives(rows)} negatives"
    return Report(name, how, figures, _wrong(found) if half == "tuned" else _counts(found))


def _negatives(rows: Sequence[Row]) -> int:
    return sum(not row["promise"] for row in rows)


def _recall(found: Iterable[tuple[Row, object]], strengths: Sequence[str]) -> tuple[float, int]:
    wanted = [one for row, one in found if row["promise"] and row["strength"] in strengths]
    return sum(one is not None for one in wanted), len(wanted)


def _wrong(found: Iterable[tuple[Row, tuple[Assertion, Promise] | None]]) -> list[str]:
    """Every sentence that was read otherwise than labelled."""
    lines_ = []
    for row, one in found:
        if row["promise"] and one is None:
            lines_.append(f"missed, {row['strength']}: {row['text']}")
        elif one is not None and not row["promise"]:
            lines_.append(f"none, {row['why_not']}: {row['text']}")
        elif one is not None and (one[1].owner, one[1].strength) != (row["owner"], row["strength"]):
            lines_.append(f"{one[1].owner}, {one[1].strength}: {row['text']}")
    return lines_


def _counts(found: Iterable[tuple[Row, object]]) -> list[str]:
    """Of what is kept back only of which sort the faults are, or it would be tuned on."""
    sorts: Counter[str] = Counter()
    for row, one in found:
        if row["promise"] != (one is not None):
            sorts[f"missed, {row['strength']}" if row["promise"] else f"none, {row['why_not']}"] += 1
    return [f"{sort}: {count}" for sort, count in sorted(sorts.items())]


def _days() -> tuple[float, int]:
    rows = list(lines(DATES))
    return sum(_day(row) == row["resolved"] for row in rows), len(rows)


def _day(row: Row) -> str | None:
    """The day of the first term that plays the part asked for."""
    when = Said(parse_instant(row["said"]), find_zone(row["zone"]) if row["zone"] else None)
    kinds = ("date", "when") if row["kind"] == "date" else (row["kind"],)
    terms = [resolve_term(one.term, when) for one in find_terms(row["text"]) if one.term.kind in kinds]
    return (terms[0].resolved or terms[0].value) if terms else None
