"""Days counted from when something was said, measured on a labelled set; and what holds of every date."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path

from muniment.assertions.terms import find_terms
from muniment.assertions.validity import Said, resolve_term
from muniment.domain.times import find_zone, parse_instant

LABELLED = Path(__file__).parent.parent / "data" / "relative_dates.jsonl"
FLOOR = 0.98


def cases() -> list[Mapping[str, str]]:
    return [json.loads(line) for line in LABELLED.read_text(encoding="utf-8").splitlines()]


def read(case: Mapping[str, str]) -> str | None:
    """The day of the first term that plays the part asked for."""
    when = Said(parse_instant(case["said"]), find_zone(case["zone"]) if case["zone"] else None)
    kinds = ("date", "when") if case["kind"] == "date" else (case["kind"],)
    terms = [resolve_term(one.term, when) for one in find_terms(case["text"]) if one.term.kind in kinds]
    return (terms[0].resolved or terms[0].value) if terms else None


def test_relative_dates_mean_the_days_people_mean() -> None:
    every = cases()

    wrong = [(case, found) for case in every if (found := read(case)) != case["resolved"]]

    for case, found in wrong:
        sys.stdout.write(
            f"{case['said']} {case['zone'] or ''} {case['text']} {case['resolved']} not {found}\n"
        )
    sys.stdout.write(f"relative dates: {len(every) - len(wrong)}/{len(every)}\n")
    assert len(every) >= 200
    assert len(every) - len(wrong) >= FLOOR * len(every)
