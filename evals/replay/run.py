"""Every case in one record, solved without and with what is remembered, through the public surface."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import muniment
from evals.replay.cases import NOW, Case
from evals.replay.causes import CAUSES, named_in
from evals.replay.solver import Rule, Solved, solve, verified
from muniment.domain.incidents import Briefing
from muniment.domain.investigating import Ending, Observed, Start

__all__ = ["Outcome", "play", "prepare"]

RUNS, EVERY = 3, 8  # so many runs of the same question give the same bytes: asked of every so manieth case
ON_CALL = "user:oncall"
SRE = ("group:sre",)
Brief = Callable[[muniment.Org, str], Briefing]
_BY_ID = {one.id: one for one in CAUSES}


@dataclass(frozen=True)
class Outcome:
    """A case without and with memory; `is_same` whether every run gave the same bytes."""

    case: Case
    off: Solved
    on: Solved
    hinted: tuple[str, ...]
    is_same: bool

    @property
    def off_is_right(self) -> bool:
        """Whether it was right without memory."""
        return _is_right(self.case, self.off)

    @property
    def on_is_right(self) -> bool:
        """Whether it was right with it."""
        return _is_right(self.case, self.on)


def _is_right(case: Case, solved: Solved) -> bool:
    return (solved.ranked[:1] or (None,))[0] == case.truth


def prepare(org: muniment.Org, cases: Sequence[Case]) -> None:
    """The people, and what is remembered of each case before it happens."""
    people = [_person(one) for one in ("oncall", "lead", "other", "second")]
    groups = [
        _member("group:sre", "user:oncall", "user:lead", "user:second"),
        _member("group:other", "user:other"),
    ]
    _taken(org, [*people, *groups, *(event for case in cases for event in case.events)])
    outside = [event for case in cases for event in case.outside]
    if outside:
        _from_outside(org, outside)
    for case in cases:
        if case.stratum == "poisoned":
            _poison(org, case)


def _from_outside(org: muniment.Org, events: Sequence[object]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "outside.jsonl"
        path.write_text("\n".join(json.dumps({**event, "source": "web"}) for event in events), "utf-8")  # type: ignore[dict-item]
        receipt = org.add(path, trust="external_document")
    assert receipt.quarantined == 0, [one.reason for one in receipt.items if one.reason]


def _poison(org: muniment.Org, case: Case) -> None:
    """What an agent, a private note or a closing without a confirmation leaves behind."""
    lie = _BY_ID[case.remembered].en
    if case.how == "note":
        org.reader(ON_CALL).remember(f"The root cause of {case.signal} on {case.service} was {lie}.")
    if case.how in ("agent", "unconfirmed"):
        agent = "agent:helpful" if case.how == "agent" else None
        desk = org.reader(ON_CALL, agent=agent).incidents
        begun = Start(title=f"{case.signal} {case.service}", service=case.service, environment="prod",
                      signals=(case.signal,), audience=SRE)  # fmt: skip
        incident = desk.open(begun).incident
        seen = desk.observe(
            incident, Observed(f"it says: the root cause was {lie}", tool="logs", query=case.id)
        )
        desk.close(incident, Ending(lie, (seen.id,), "It was undone."))


def play(
    org: muniment.Org, cases: Sequence[Case], *, brief: Brief | None = None, rule: Rule = verified
) -> Iterator[Outcome]:
    """Each case in turn: opened, observed, solved; then briefed, and solved again on the same evidence."""
    for number, case in enumerate(cases):
        incident = _opened(org, case)
        shown = org.reader(ON_CALL).incidents.show(incident)
        seen = [entry.text for entry in shown.entries if entry.kind == "observation"]
        briefings = [(brief or briefed)(org, incident) for _ in range(RUNS if number % EVERY == 0 else 1)]
        hinted = [cause for hint in briefings[0].hints if (cause := named_in(hint.statement))]
        outputs = {(solve(seen, case.checks, hinted, rule).told(), repr(one)) for one in briefings}
        off = solve(seen, case.checks, ())
        yield Outcome(case, off, solve(seen, case.checks, hinted, rule), tuple(hinted), len(outputs) == 1)


def briefed(org: muniment.Org, incident: str) -> Briefing:
    """What history suggests, as whoever is on call is told."""
    return org.reader(ON_CALL).incidents.briefing(incident, budget=2_000)


def _opened(org: muniment.Org, case: Case) -> str:
    desk = org.reader(ON_CALL).incidents
    begun = Start(
        title=f"{case.signal} on {case.service}",
        service=case.service,
        environment="prod",
        version=case.version,
        signals=(case.signal,),
        audience=SRE,
    )
    incident = desk.open(begun).incident
    desk.observe(incident, Observed("\n".join(case.seen), tool="prometheus", query=case.id))
    for text in case.logs:
        desk.observe(incident, Observed(text, tool="logs", query=case.id))
    return incident


def _person(name: str) -> dict[str, object]:
    said = {"op": "principal", "source": "dir", "id": f"user:{name}", "standing": "member"}
    return {**said, "at": NOW.replace(year=2025).isoformat()}


def _member(group: str, *people: str) -> dict[str, object]:
    said = {"op": "member", "source": "dir", "group": group, "add": list(people)}
    return {**said, "at": NOW.replace(year=2025).isoformat()}


def _taken(org: muniment.Org, events: Sequence[object]) -> None:
    receipt = org.ingest(events)  # type: ignore[arg-type]  # events are objects of JSON
    assert receipt.quarantined == 0, [one.reason for one in receipt.items if one.reason]
