"""The end of an investigation: an episode, and a procedure proposed from it that waits for somebody else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from muniment.domain.errors import Conflict, Refused, Usage
from muniment.domain.investigating import Ending
from muniment.domain.values import Json
from muniment.events.rights import RESERVED
from muniment.gate.reader import Hearing, Reader
from muniment.incidents.hand_in import Draft, Grounds, clean, grounds_of
from muniment.lenses.incidents.episode import missing, said_of, text_of_episode
from muniment.lenses.incidents.ledger import (
    Row,
    audience_of,
    entries_of,
    entry_id,
    opening,
    texts_of,
    thread_of,
)

__all__ = ["closing_of", "episode_of", "find_episode", "proposal_of"]

STANDS: Final = timedelta(days=365)  # how long an approved candidate holds before somebody looks again
_MOST_STEPS: Final = 20
_SCOPE: Final = frozenset(("environment", "version", "signals", "entities"))


def episode_of(reader: Reader, hearing: Hearing, now: datetime, incident: str, ending: Ending) -> Draft:
    """The episode, made from the entries that all of the incident's readers may read, and those it names.

    Its cause counts as confirmed where a person says so and names what was observed.
    """
    rows = entries_of(reader, incident)
    if any(row.entry == "closed" for row in rows):
        raise Conflict(f"incident {incident!r} is closed already")
    ending = _checked(reader, hearing, rows, ending)
    named = set(ending.evidence)
    shared = sorted(
        {
            row.item: row for row in (*_shared(rows), *(one for one in rows if entry_id(one.item) in named))
        }.values(),
        key=lambda row: (row.at, row.id),
    )
    typed = "\n".join((ending.cause or "", ending.result, *ending.conditions, *ending.misleading))
    own = grounds_of(reader, hearing, ending.evidence, typed)
    made_from = frozenset(f"{RESERVED}:{row.id}" for row in shared)
    head = opening(rows)
    return Draft(
        entry="episode",
        kind="episode",
        title=f"Episode: {head.title}",
        text=text_of_episode(shared, ending),
        incident=incident,
        audience=audience_of(rows),
        at=now,
        said=said_of(shared, ending),
        grounds=own | Grounds(made_from),
        id=f"episode/{incident}",
        service=head.service,
    )


def _checked(reader: Reader, hearing: Hearing, rows: Sequence[Row], ending: Ending) -> Ending:
    known = {entry_id(row.item) for row in rows}
    if strange := [one for one in ending.evidence if one not in known]:
        raise Refused(f"no entry {strange[0]!r} of incident {opening(rows).said.get('incident')!r}")
    if not ending.result.strip():
        raise Usage("say how it ended: --result")
    is_confirmed = ending.confirmed_by is not None
    if is_confirmed and not (ending.cause and ending.evidence):
        raise Usage("a cause is confirmed by evidence: name the cause and the entries that prove it")
    if is_confirmed and hearing.agent is not None:
        raise Usage(
            "an agent cannot confirm a cause; leave it suspected, and let a person close the incident"
        )
    return replace(ending, confirmed_by=reader.permitted.principal if is_confirmed else None)


def _shared(rows: Sequence[Row]) -> list[Row]:
    """The entries made from nothing but the incident itself: their readers are all of the incident's."""
    every = {f"{RESERVED}:{row.id}": row for row in rows}
    narrow = {name for name, row in every.items() if _rests_on(row) - every.keys()}
    narrow -= {f"{RESERVED}:{opening(rows).id}"}
    while more := {name for name, row in every.items() if _rests_on(row) & narrow} - narrow:
        narrow |= more
    return [row for name, row in every.items() if name not in narrow]


def _rests_on(row: Row) -> frozenset[str]:
    return frozenset(texts_of(row.said.get("rests_on")))


def closing_of(reader: Reader, now: datetime, incident: str, ending: Ending) -> Draft:
    """The entry that closes it, for all of its readers; the episode may be for fewer."""
    rows = entries_of(reader, incident)
    return Draft(
        entry="closed",
        kind="note",
        title=f"Closed: {opening(rows).title}",
        text="The incident is closed.",
        incident=incident,
        audience=audience_of(rows),
        at=now,
        said={"episode": f"episode/{incident}", "is_confirmed": ending.confirmed_by is not None},
        grounds=Grounds(frozenset({f"{RESERVED}:{opening(rows).id}"})),
        id=f"{thread_of(incident)}/closed",
        service=opening(rows).service,
    )


def find_episode(reader: Reader, id_: str) -> Row:
    """An episode of the record's own that this reader may see, by its incident or as a hint names it."""
    for row in reader.rows(Row, "incidents", "episodes"):
        named = (f"h_{row.item.hex}", row.id, row.id.removeprefix("episode/"))
        if row.entry == "episode" and id_ in named:
            return row
    raise Refused(f"no episode {id_!r} for this reader")


def proposal_of(
    reader: Reader,
    hearing: Hearing,
    now: datetime,
    instances: Sequence[Row],
    steps: Sequence[str],
    reuse: str,
) -> Draft:
    """A procedure proposed from an episode and others like it: each step waits until somebody else approves.

    Its scope is that of the first; its readers are those who may read all of them.
    """
    episode, said = instances[0], dict(instances[0].said)
    if lacks := missing(said, episode.service, reuse):
        raise Usage(f"the episode cannot become a candidate; it lacks {'; '.join(lacks)}")
    if not 1 <= len(steps) <= _MOST_STEPS:
        raise Usage(f"a procedure has 1 to {_MOST_STEPS} steps, not {len(steps)}")
    signals = ", ".join(texts_of(said.get("signals")))
    plain = [" ".join(clean(one, "a step", 500).split()) for one in steps]
    # One sentence a step, in a form that is read as an instruction in whatever language the step is.
    lines = [f"To resolve this alert, follow this step: {one}" for one in plain]
    kept = {name: one for name, one in said.items() if name in _SCOPE}
    names = [f"h_{one.item.hex}" for one in instances]
    about: dict[str, Json] = {
        **kept, "episode": episode.id, "instances": [*names], "steps": [*plain], "reuse": reuse
    }  # fmt: skip
    rows = entries_of(reader, str(said.get("incident")))
    own = grounds_of(reader, hearing, names, "\n".join((reuse, *plain)))
    return Draft(
        entry="proposed",
        kind="note",
        title=f"{signals} on {episode.service}",
        text="\n\n".join(lines),
        incident=str(said.get("incident")),
        audience=audience_of(rows),
        at=now,
        said=about,
        grounds=own,
        service=episode.service,
        lasts=STANDS,
    )
