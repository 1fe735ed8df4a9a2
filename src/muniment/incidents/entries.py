"""Entries of an open incident: what was observed, done, supposed, decided; and where it stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from muniment.domain.errors import Conflict, Refused, Usage
from muniment.domain.incidents import HINT_VERDICTS, HYPOTHESIS_VERDICTS, OBSERVED_AS
from muniment.domain.investigating import Observed, Reached, Start
from muniment.domain.values import Json
from muniment.events.rights import RESERVED
from muniment.gate.reader import Hearing, Reader
from muniment.incidents.hand_in import Draft, Grounds, clean, digest, grounds_of
from muniment.jobs.loop import Work
from muniment.lenses.incidents.ledger import Row, audience_of, entries_of, find_entry, opening, thread_of

__all__ = [
    "HOLDS",
    "checkpointed",
    "clocked",
    "entry_in",
    "joined_by",
    "judged",
    "observed",
    "supposed",
    "worded",
]

HOLDS: Final = timedelta(minutes=10)  # how long what was observed is told as current
_AHEAD: Final = timedelta(minutes=2)  # of our clock; more of it is a clock that is wrong, and said so
_MOST_LIST: Final = 100


def observed(reader: Reader, hearing: Hearing, now: datetime, incident: str, seen: Observed) -> Draft:
    """An observation, an action with its outcome, or an attempt that was given up."""
    if seen.kind not in OBSERVED_AS:
        raise Usage(f"kind {seen.kind!r} is unknown: use {', '.join(OBSERVED_AS)}")
    text = clean(seen.text, "an observation")
    at, ahead = clocked(seen.at or now, now)
    is_seen = seen.kind == "observation"
    said: dict[str, Json] = {
        "text": text,
        "tool": seen.tool,
        "query": seen.query,
        "version": seen.version,
        "signals": [*seen.signals],
        "entities": [*seen.entities],
        "outcome": seen.outcome,
        "evidence": [*seen.evidence],
        "digest": seen.digest,
        "clock_ahead_s": ahead,
    }
    title = " ".join(part for part in (seen.tool, seen.query) if part) or text.splitlines()[0]
    words = "\n".join(part for part in (text, seen.outcome) if part)
    grounds = grounds_of(reader, hearing, seen.evidence, words)
    draft = _entry(reader, incident, seen.kind, at, said, grounds)
    tool = Grounds(at_most="internal_tool") if is_seen else Grounds()
    return worded(draft, title, words, grounds=draft.grounds | tool, lasts=HOLDS if is_seen else None)


def joined_by(work: Work, reader: Reader, incident: str, start: Start) -> Draft:
    """A further alert of a storm, as an observation: one for each alert, whoever joins it and whenever."""
    alert = start.alert or ""
    at, ahead = clocked(start.at or work.clock(), work.clock())
    said: dict[str, Json] = {
        "text": start.title,
        "tool": "alert",
        "query": alert,
        "signals": [*start.signals],
        "entities": [*start.entities],
        "clock_ahead_s": ahead,
    }
    grounds = Grounds(frozenset({alert}), "external_tool")
    draft = entry_in(entries_of(reader, incident), incident, "observation", at, said, grounds)
    place = f"{thread_of(incident)}/{digest(work, 'joined', incident, alert)}"
    return replace(worded(draft, f"alert {alert}", start.title, lasts=HOLDS), id=place)


def clocked(at: datetime, now: datetime) -> tuple[datetime, int | None]:
    """When it was, by a clock that may be ahead of ours: then it was now, and by how much is kept."""
    if at <= now + _AHEAD:
        return min(at, now), None
    return now, int((at - now).total_seconds())


def supposed(
    reader: Reader,
    hearing: Hearing,
    now: datetime,
    incident: str,
    statement: str,
    evidence: tuple[Sequence[str], Sequence[str]],
) -> Draft:
    """A hypothesis with the evidence for it and against it."""
    text, (supports, against) = clean(statement, "a hypothesis", 2_000), evidence
    said: dict[str, Json] = {"text": text, "supports": [*supports], "against": [*against]}
    grounds = grounds_of(reader, hearing, (*supports, *against), text)
    draft = _entry(reader, incident, "hypothesis", now, said, grounds)
    return worded(draft, f"Hypothesis: {text}", text)


def judged(
    reader: Reader,
    hearing: Hearing,
    now: datetime,
    incident: str,
    said: tuple[str, str, str],
    evidence: Sequence[str],
) -> Draft:
    """A verdict on a hypothesis or on a hint, by current evidence: (target, verdict, reason)."""
    target, verdict, reason = said
    allowed = HINT_VERDICTS if target.startswith("h_") else HYPOTHESIS_VERDICTS
    if verdict not in allowed:
        raise Usage(f"verdict {verdict!r} is unknown for {target!r}: use {', '.join(allowed)}")
    if verdict != "ignored" and not evidence:
        raise Usage(
            f"a verdict rests on current evidence: name the entries for which {target!r} is {verdict}"
        )
    if target.startswith("e_") and find_entry(reader, target).entry != "hypothesis":
        raise Refused(f"no hypothesis {target!r} for this reader")
    for one in evidence:
        _require_current(reader, incident, one)
    about: dict[str, Json] = {
        "target": target,
        "verdict": verdict,
        "text": reason.strip() or verdict,
        "evidence": [*evidence],
    }
    grounds = grounds_of(reader, hearing, (target, *evidence), reason)
    draft = _entry(reader, incident, "verdict", now, about, grounds)
    return worded(draft, f"Verdict: {verdict}", clean(reason or verdict, "a reason", 2_000))


def _require_current(reader: Reader, incident: str, evidence: str) -> None:
    """A hint is judged by what was observed in this incident, not by what is remembered."""
    row = find_entry(reader, evidence)
    if not row.id.startswith(f"{thread_of(incident)}/") or row.entry not in ("opened", *OBSERVED_AS):
        raise Usage(f"{evidence!r} is no observation of incident {incident!r}")


def checkpointed(reader: Reader, hearing: Hearing, now: datetime, incident: str, at: Reached) -> Draft:
    """Where it stands, so that somebody else can go on."""
    lists = {"plan": at.plan, "done": at.done, "questions": at.questions, "evidence": at.evidence}
    for name, values in lists.items():
        if len(values) > _MOST_LIST:
            raise Usage(f"{name} has {len(values)} parts; {_MOST_LIST} is the limit")
    goal = clean(at.goal, "a goal", 2_000)
    said: dict[str, Json] = {"goal": goal, **{name: [*values] for name, values in lists.items()}}
    parts = [
        f"{name}:\n" + "\n".join(f"- {one}" for one in values) for name, values in lists.items() if values
    ]
    text = clean("\n\n".join((f"goal: {goal}", *parts)), "a checkpoint")
    grounds = grounds_of(reader, hearing, at.evidence, text)
    draft = _entry(reader, incident, "checkpoint", now, said, grounds)
    return worded(draft, f"Checkpoint: {goal}", text)


def _entry(
    reader: Reader, incident: str, entry: str, at: datetime, said: dict[str, Json], grounds: Grounds
) -> Draft:
    return entry_in(entries_of(reader, incident), incident, entry, at, said, grounds)


def entry_in(
    rows: Sequence[Row], incident: str, entry: str, at: datetime, said: dict[str, Json], grounds: Grounds
) -> Draft:
    """An entry beside those that are there; Conflict where the incident is closed."""
    if any(row.entry == "closed" for row in rows):
        raise Conflict(f"incident {incident!r} is closed; open another one that names it")
    kinds = {"checkpoint": "checkpoint", "hypothesis": "note", "verdict": "note"}
    return Draft(
        entry=entry,
        kind=kinds.get(entry, "observation"),
        title="",
        text="",
        incident=incident,
        audience=audience_of(rows),
        at=at,
        said={name: one for name, one in said.items() if one},
        grounds=grounds | _opened(rows),
        service=opening(rows).service,
    )


def _opened(rows: Sequence[Row]) -> Grounds:
    """Whoever may no longer read what it was opened from reads none of its entries."""
    return Grounds(frozenset({f"{RESERVED}:{opening(rows).id}"}))


def worded(
    draft: Draft, title: str, text: str, *, grounds: Grounds | None = None, lasts: timedelta | None = None
) -> Draft:
    """The entry with its words for people, and how long it is told as current."""
    return replace(draft, title=title, text=text, grounds=grounds or draft.grounds, lasts=lasts)
