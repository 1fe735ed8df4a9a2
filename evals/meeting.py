"""How statements meet: labelled pairs, each handed in by itself, read back through the public surface."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import muniment
from evals.shared import ROOT, Report, lines
from muniment.domain.values import Citation, PageClaim
from muniment.view import View

__all__ = ["held", "pairs"]

Pair = Mapping[str, Any]
RELATIONS = ("confirm", "add", "correct", "supersede", "amend", "contradict", "unrelated")
_NOT_NOW = frozenset({"Upcoming", "Recalled", "History"})
_NO_STATEMENTS = frozenset({"Questions", "Observations", "Attempts", "Pitfalls", "Recalled"})
_LATE = "2026-06-01"


@dataclass(frozen=True, slots=True)
class _Shown:
    """A claim on the page, and the items it cites."""

    section: str
    claim: PageClaim
    items: frozenset[str]

    @property
    def is_current(self) -> bool:
        return self.section not in _NOT_NOW | _NO_STATEMENTS and self.claim.status == "active"


@dataclass(frozen=True, slots=True)
class _Judged:
    pair: Pair
    relation: str
    current: bool
    everywhere: bool


def pairs(org: muniment.Org) -> Report:
    """The pairs the rules may be tuned on."""
    return _report("meeting", org, ROOT / "datasets" / "statement_pairs.jsonl")


def held(org: muniment.Org) -> Report:
    """The pairs kept apart, on which nothing was tuned."""
    return _report("meeting-held", org, ROOT / "datasets" / "statement_pairs_held.jsonl")


def _report(name: str, org: muniment.Org, path: Path) -> Report:
    every = list(lines(path))
    for pair in every:
        for event in _events(pair):  # each at its own instant: what comes and goes in one was never known
            org.ingest([event])
    judged = [_judge(org, pair) for pair in every]
    table = Counter((one.pair["relation"], one.relation) for one in judged)
    wrong = [_miss(one) for one in judged if one.relation != one.pair["relation"] or not one.current]
    return Report(name, f"`python -m evals {name}`\n\n{_confusion(table)}", _figures(judged, table), wrong)


def _figures(judged: Sequence[_Judged], table: Counter[tuple[str, str]]) -> dict[str, tuple[float, int]]:
    figures: dict[str, tuple[float, int]] = {}
    acting = RELATIONS[:-1]
    for relation in RELATIONS:
        said, wanted = _said(table, [relation]), _wanted(table, [relation])
        figures[f"{relation}, precision"] = (table[relation, relation], said)
        figures[f"{relation}, recall"] = (table[relation, relation], wanted)
    for name, some in (("all relations", acting), ("all but add", [one for one in acting if one != "add"])):
        right = sum(table[relation, relation] for relation in some)
        figures[f"{name}, precision"] = (right, _said(table, some))
        figures[f"{name}, recall"] = (right, _wanted(table, some))
    dated = [one for one in judged if one.pair["current"]]
    figures["what is current at each date"] = (sum(one.current for one in dated), len(dated))
    shown = [one for one in judged if one.relation == one.pair["relation"] == "contradict"]
    figures["contradiction on page, in answer, in conflicts"] = (
        sum(one.everywhere for one in shown),
        len(shown),
    )
    return figures


def _said(table: Counter[tuple[str, str]], relations: Iterable[str]) -> int:
    return sum(table[label, relation] for label in RELATIONS for relation in relations)


def _wanted(table: Counter[tuple[str, str]], relations: Iterable[str]) -> int:
    return sum(table[relation, said] for said in RELATIONS for relation in relations)


def _confusion(table: Counter[tuple[str, str]]) -> str:
    head = ["| label ↓ said → |" + "|".join(f" {said} " for said in RELATIONS) + "|", "|---" * 8 + "|"]
    rows = [
        f"| {label} |" + "|".join(f" {table[label, said]} " for said in RELATIONS) + "|"
        for label in RELATIONS
    ]
    return "\n".join([*head, *rows])


def _miss(one: _Judged) -> str:
    pair = one.pair
    said = " / ".join(str(event.get("body", event.get("op"))) for event in pair["events"]).replace("\n", "⏎")
    when = "" if one.current else ", wrong at a date"
    return f"{pair['id']} {pair['relation']} ({pair['tag']}) → {one.relation}{when}: {said}"


def _reader(pair: Pair) -> str:
    return f"user:{pair['id']}"


def _events(pair: Pair) -> list[dict[str, Any]]:
    """The pair's events, readable by one principal of its own, so that no two pairs meet."""
    member = {"op": "principal", "source": "dir", "id": _reader(pair), "at": "2026-01-01T00:00:00Z"}
    return [{**member, "standing": "member"}, *(_event(pair, event) for event in pair["events"])]


def _event(pair: Pair, event: Mapping[str, Any]) -> dict[str, Any]:
    tied = {
        name: [re.sub(r":(\w+)$", rf":{pair['id']}-\1", ref) for ref in event[name]]
        for name in ("supersedes", "amends")
        if name in event
    }
    return {
        "op": "upsert",
        **event,
        **tied,
        "id": f"{pair['id']}-{event['id']}",
        "audience": [[_reader(pair)]],
    }


def _judge(org: muniment.Org, pair: Pair) -> _Judged:
    late = max([*pair["current"], _LATE])
    view = org.reader(_reader(pair), as_of=f"{late}T00:00:00Z")
    shown = _shown(view)
    tokens = {token for wanted in pair["current"].values() for token in wanted}
    current = all(
        _is_right(_current(org.reader(_reader(pair), as_of=f"{day}T00:00:00Z"), tokens), set(wanted), pair)
        for day, wanted in pair["current"].items()
    )
    relation = _relation(view, pair, shown)
    return _Judged(pair, relation, current, relation == "contradict" and _everywhere(view, pair))


def _shown(view: View) -> list[_Shown]:
    try:
        sections = view.page("one").sections
    except muniment.Refused:
        return []
    return [
        _Shown(section.title, claim, frozenset(str(one.item) for one in claim.citations))
        for section in sections
        for claim in section.claims
    ]


def _current(view: View, tokens: Iterable[str]) -> set[str]:
    said = [one.claim.statement for one in _shown(view) if one.is_current]
    return {token for token in tokens if any(_says(text, token) for text in said)}


def _is_right(said: set[str], wanted: set[str], pair: Pair) -> bool:
    """One claim is shown in one wording: of two that mean the same, either will do."""
    return said == wanted or (pair["relation"] == "confirm" and bool(said) and said <= wanted)


def _says(text: str, token: str) -> bool:
    end = r"(?!\d)" if token[-1].isdigit() else ""
    return re.search(rf"(?<![\d.,]){re.escape(token)}{end}", text, re.IGNORECASE) is not None


def _relation(view: View, pair: Pair, shown: Sequence[_Shown]) -> str:
    first, second = (f"{pair['id']}-{event['id']}" for event in pair["events"][:2])
    whys = {why for one in shown for why in _whys(view, one.claim)}
    if first == second:
        return (
            "correct"
            if "edit" in whys
            else "add"
            if sum(one.is_current for one in shown) > 1
            else "unrelated"
        )
    if any({first, second} <= one.items for one in shown):
        return "confirm"
    if any(_opposes(one, shown, first, second) for one in shown):
        return "contradict"
    for why in ("amend", "supersede"):
        if why in whys:
            return why
    mine = [one for one in shown if second in one.items and _states(one)]
    return "add" if mine and any(first in one.items for one in shown) else "unrelated"


def _states(one: _Shown) -> bool:
    return one.section not in _NO_STATEMENTS and one.claim.status == "active"


def _opposes(one: _Shown, shown: Sequence[_Shown], first: str, second: str) -> bool:
    others = {other for citation in one.claim.citations for other in citation.conflicts_with}
    return first in one.items and any(second in two.items and two.claim.id in others for two in shown)


def _whys(view: View, claim: PageClaim) -> set[str]:
    return {entry.why for entry in view.history(claim.id)}


def _everywhere(view: View, pair: Pair) -> bool:
    """Whether both sides are cited on the page, in an answer and in the list of conflicts."""
    both = {f"{pair['id']}-{event['id']}" for event in pair["events"][:2]}
    listed = any(both <= _items(group) for group in view.conflicts())
    answer = view.ask(pair["events"][0]["body"], entity="one")
    answered = any(both <= _items(sides) for sides in answer.conflicts)
    return listed and answered and view.page("one").conflicts > 0


def _items(citations: Iterable[Citation]) -> set[str]:
    return {str(one.item) for one in citations}
