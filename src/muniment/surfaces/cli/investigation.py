"""An investigation as a person reads it on a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from muniment.domain.incidents import (
    Briefing,
    Checkpoint,
    Duplicate,
    Entry,
    Episode,
    FaultDomain,
    Gathered,
    Hint,
    Incident,
    Opened,
    Recurring,
    Topology,
    Unused,
)
from muniment.domain.times import format_instant
from muniment.domain.values import Value
from muniment.surfaces.cli.out import Line, Look, clean, one_line

__all__ = ["told"]


def told(found: Value | Sequence[Value]) -> Iterator[Line]:
    """The lines of one value, or of each."""
    match found:
        case Incident():
            yield from _incident(found)
        case Entry():
            yield _entry(found)
        case Gathered():
            yield from map(_entry, found.entries)
            left = f", {found.left} left: gather again" if found.left else ""
            here = f"{len(found.entries)} taken in, {found.already} were here"
            yield Line(f"{here}{left}", Look.FAINT)
        case Checkpoint():
            yield from _checkpoint(found)
        case Briefing():
            yield from _briefing(found)
        case Topology() | FaultDomain():
            yield from _topology(found)
        case Opened() | Episode() | Unused() | Duplicate() | Recurring():
            yield from _short(found)
        case Sequence():
            for one in found:
                yield from told(one)


def _short(found: Opened | Episode | Unused | Duplicate | Recurring) -> Iterator[Line]:
    match found:
        case Opened():
            how = "opened" if found.state == "opened" else "is open already"
            yield Line(f"{found.incident} {how}", Look.STRONG)
            yield Line(f"  for {found.audience}", Look.FAINT)
        case Episode():
            confirmed = "confirmed" if found.is_confirmed else "not confirmed"
            yield Line(f"closed; kept as {found.id}, its cause {confirmed}", Look.STRONG)
            yield Line(clean(found.text))
        case Recurring():
            where = " in ".join(one_line(part) for part in (found.service, found.environment) if part)
            yield Line(f"{len(found.instances)} times, {where}: {one_line(found.statement)}", Look.STRONG)
            yield from (Line(f"  step: {one_line(step)}") for step in found.steps)
            first, *others = found.instances
            more = " ".join(f"--evidence {one}" for one in others)
            yield Line(f"  muniment incident propose {first} STEP… --reason WHY {more}", Look.FAINT)
        case Unused():
            yield Line(f"{found.id} {one_line(found.statement)}")
            yield Line(f"  {found.age_days} days old; {one_line(found.why)}", Look.FAINT)
        case Duplicate():
            yield Line(f"{found.one} {one_line(found.statements[0])}")
            yield Line(f"{found.other} {one_line(found.statements[1])}")
            yield Line(f"  {one_line(found.why)}", Look.FAINT)


def _incident(found: Incident) -> Iterator[Line]:
    about = (found.service, found.environment, found.version, *found.signals)
    yield Line(f"{found.id} {found.state}: {one_line(found.title)}", Look.STRONG)
    where = ", ".join(one_line(one) for one in about if one)
    yield Line(f"  {where or 'no service'}; since {format_instant(found.opened_at)}", Look.FAINT)
    for entry in found.entries:
        yield _entry(entry)
    for one in found.hypotheses:
        count = f"{len(one.supports)} for, {len(one.against)} against"
        yield Line(f"  {one.verdict}: {one_line(one.statement)} ({count}) {one.id}")
    for one_, other in found.contradictions:
        yield Line(f"  contradict each other: {one_} {other}", Look.ALERT)


def _entry(one: Entry) -> Line:
    return Line(f"  {format_instant(one.at)} {one.kind} {one_line(one.text)[:160]} [{one.id}]")


def _checkpoint(found: Checkpoint) -> Iterator[Line]:
    yield Line(one_line(found.goal), Look.STRONG)
    for title, parts in (("to do", found.plan), ("done", found.done), ("open", found.questions)):
        yield from (Line(f"  {title}: {one_line(part)}") for part in parts)
    if found.evidence:
        yield Line(f"  evidence: {', '.join(found.evidence)}", Look.FAINT)


def _briefing(found: Briefing) -> Iterator[Line]:
    for hint in found.hints:
        yield from _hint(hint)
    if not found.hints:
        yield Line("no hints: nothing that you may read is like this and still holds")
    for clash in found.clashes:
        both = " and ".join(map(one_line, clash.sources))
        yield Line(f"at odds on {one_line(clash.signal)}: {both}; {one_line(clash.why)}", Look.ALERT)
    for one in found.left_out:
        yield Line(f"left out: {one.id}, {one_line(one.why)}", Look.FAINT)


def _hint(hint: Hint) -> Iterator[Line]:
    yield Line(f"{hint.id} {one_line(hint.statement)}", Look.STRONG)
    yield Line(f"  {hint.warning}; {hint.age_days} days old; {one_line(hint.why)}", Look.ALERT)
    if hint.check:
        yield Line(f"  check: {one_line(hint.check)}")
    yield Line(f"  {hint.verdict}; from {one_line(str(hint.conditions.get('source')))}", Look.FAINT)


def _topology(found: Topology | FaultDomain) -> Iterator[Line]:
    if isinstance(found, FaultDomain):
        yield Line(", ".join(found.shared) or "nothing in common that you may know of")
        return
    for edge in found.edges:
        yield Line(f"{edge.upstream} {edge.relation} {edge.downstream}")
    yield Line(f"  leans on: {', '.join(found.leans_on) or 'nothing'}", Look.FAINT)
    yield Line(f"  leaning on it: {', '.join(found.leaning) or 'nothing'}", Look.FAINT)
