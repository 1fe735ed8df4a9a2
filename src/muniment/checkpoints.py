"""The state of an unfinished task, kept by whoever works on it, for them alone, until they go on.

It comes in through the front door as any item does, and is made from whatever visible words it repeats: it
is gone for its author when those are.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from muniment.context.echoed import echoed
from muniment.domain.accounts import Checkpoint
from muniment.domain.errors import Refused, Usage
from muniment.domain.events import ItemRef, JsonObject
from muniment.domain.identity import keyed_digest
from muniment.domain.times import format_instant
from muniment.events.rights import RESERVED
from muniment.gate.reader import Hearing, reading_as
from muniment.notes import author_of, hand_in, require_reach

if TYPE_CHECKING:
    from collections.abc import Mapping

    from muniment.domain.record import Moment
    from muniment.gate.reader import Reader
    from muniment.jobs.loop import Work

__all__ = ["LONGEST", "checkpoint", "resume"]

LONGEST: Final = 100_000  # characters of a state as JSON
_LONGEST_TASK = 500


@dataclass(frozen=True, slots=True)
class _Kept:
    state: dict[str, object]
    at: datetime
    version: str


def checkpoint(
    work: Work, hearing: Hearing, moment: Moment, task: str, state: Mapping[str, object]
) -> Checkpoint:
    """Keep how far a task has come. An earlier state of it stays in the record's history."""
    name, text = _named(task), _written(state)
    author = author_of(work, hearing, moment)
    ref = _ref(work, author, name)
    require_reach(work, hearing.agent, ref)
    with reading_as(work.database, work.tenant, work.key, hearing, moment) as reader:
        before = _kept(reader, ref)
        made_from = {f"{one.source}:{one.id}" for one in echoed(reader, text)}
    version = "1" if before is None else str(int(before.version) + 1)
    if before is not None and before.state == json.loads(text):
        return Checkpoint(name, before.state, before.at, before.version)
    now = work.clock()
    event: JsonObject = {
        "source": ref.source,
        "id": ref.id,
        "op": "upsert",
        "kind": "checkpoint",
        "at": format_instant(now),
        "version": version,
        "author": author,
        "title": name,
        "body": f"Checkpoint of {name}",
        "audience": [[author]],
        "derived_from": sorted(made_from - {f"{ref.source}:{ref.id}"}),
        "metadata": {"checkpoint": json.loads(text)},
    }
    hand_in(work, author, event, "checkpoint")
    return Checkpoint(name, json.loads(text), now, version)


def resume(work: Work, hearing: Hearing, moment: Moment, task: str) -> Checkpoint:
    """The last state of a task of this principal's. Missing and another's are refused alike."""
    name = _named(task)
    with reading_as(work.database, work.tenant, work.key, hearing, moment) as reader:
        found = _kept(reader, _ref(work, reader.permitted.principal, name))
    if found is None:
        raise Refused(f"no checkpoint of {task!r} for this reader")
    return Checkpoint(name, found.state, found.at, found.version)


def _kept(reader: Reader, ref: ItemRef) -> _Kept | None:
    rows = reader.rows(_Kept, "notes", "checkpoint", source=ref.source, id=ref.id)
    return rows[0] if rows else None


def _ref(work: Work, author: str, task: str) -> ItemRef:
    return ItemRef(RESERVED, f"checkpoint/{keyed_digest(work.key, 'checkpoint', author, task).hex()}")


def _named(task: str) -> str:
    plain = " ".join(task.replace("\x00", "").encode("utf-8", "replace").decode().split())
    if not 0 < len(plain) <= _LONGEST_TASK:
        raise Usage(f"a task's name has 1 to {_LONGEST_TASK} characters, not {len(plain)}")
    return plain


def _written(state: Mapping[str, object]) -> str:
    try:
        text = json.dumps(dict(state), ensure_ascii=False, sort_keys=True, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise Usage(f"the state of a task is a JSON object: {error}") from None
    if len(text) > LONGEST:
        raise Usage(f"the state of a task has at most {LONGEST:,} characters as JSON, not {len(text):,}")
    return text.replace("\\u0000", "").encode("utf-8", "replace").decode()
