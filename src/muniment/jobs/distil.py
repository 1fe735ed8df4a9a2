"""Passages a model has not read and statements that went stale: asked about, and kept if they still stand.

Models are asked outside any transaction. What one gave is stored the moment it is given, so that a crash
repeats one call at most, and acts once the item is compiled with it.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from decimal import Decimal
from typing import Final

from muniment.assertions.distil import AGAIN, LONGEST_REPLY, extractor_of
from muniment.assertions.verify import Verified, verify_drafts, verify_ruling
from muniment.domain.distilled import Distilled, Planned, Stopped
from muniment.events.rights import RESERVED
from muniment.gate.binding import writing
from muniment.index.modelled import Due, due_of
from muniment.jobs.attempts import put_off, try_compile
from muniment.jobs.compile import Key, examine
from muniment.jobs.lease import Turn, try_turn
from muniment.jobs.loop import Work
from muniment.jobs.outputs import asked_of, outputs_of
from muniment.jobs.turns import Turn as CompileTurn
from muniment.jobs.turns import hold_keys, unhindered
from muniment.models.language import Completion, LanguageModel, LanguageModelResting, input_hash
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["BATCH", "TURN", "distil_due", "due_items", "plan", "retry", "troubles"]

log = logging.getLogger(__name__)
SQL: Final = load("distil")
JOBS: Final = load("jobs")
TURN: Final = "distil"
BATCH: Final = 16  # calls of a worker before it looks for more urgent work
AT_ONCE: Final = (
    256  # calls after which an item is first compiled with what they gave; a crash loses none of it
)
LOOKED_AT: Final = 200  # items a question for what is due
DEMAND: Final = timedelta(days=30)  # for how long what was asked decides what is read first
# This many failures running, and it is not the texts: the model is down, and the rest is not tried.
MOST_IN_A_ROW: Final = 3
MOST_TRIES: Final = 5
_NOT_ITS_FAULT: Final = ("down", "resting")
_FIRST_WAIT: Final = timedelta(seconds=30)
_LONGEST_WAIT: Final = timedelta(hours=1)


@dataclass(slots=True)
class _Run:
    """A run as it goes on: what it may still do, and what it has done."""

    turn: Turn
    model: LanguageModel
    limit: int | None
    spend: Decimal | None
    done: Distilled = field(default_factory=Distilled)
    cost: Decimal = Decimal(0)
    in_a_row: int = 0
    stopped: Stopped | None = None

    @property
    def work(self) -> Work:
        return self.turn.work

    @property
    def extractor(self) -> str:
        return extractor_of(self.model.name)

    @property
    def is_over(self) -> bool:
        """Whether anything ended it."""
        return self.stopped is not None

    def may_ask(self) -> bool:
        """Whether another call is within what this run may make and spend, by what calls cost so far."""
        calls = self.done.calls
        if self.limit is not None and calls + self.done.failed >= self.limit:
            self.stopped = "limit"
        elif self.spend is not None and self.cost + (self.cost / calls if calls else 0) > self.spend:
            self.stopped = "spend"
        return not self.is_over

    def count(self, **more: int) -> None:
        """Add to what was done."""
        sums = {name: getattr(self.done, name) + number for name, number in more.items()}
        self.done = replace(self.done, **sums)


def distil_due(
    work: Work, model: LanguageModel, *, limit: int | None = None, spend: Decimal | None = None
) -> Distilled:
    """Ask about what is due, what agents ask for first, until nothing is.

    Or until `limit` calls were made, or one more would likely pass `spend` dollars. A text that fails is put
    off and the others are asked about; a model that fails whatever it is asked ends the run. What another
    worker is at is left to it.
    """
    with try_turn(work, TURN) as turn:
        if turn is None:
            return Distilled(stopped="busy", waiting=_waiting(work, extractor_of(model.name)))
        run = _Run(turn, model, limit, spend)
        _catch_up(run)
        _distil_all(run)
        waiting = _waiting(work, run.extractor)
        return replace(run.done, cost=f"{run.cost:f}", stopped=run.stopped or "done", waiting=waiting)


def _distil_all(run: _Run) -> None:
    """Item by item, each once a run: a text that changes as fast as it is read must not keep it."""
    looked: set[Key] = set()
    while names := [name for name in _names(run.work, run.extractor) if name not in looked]:
        for name in names:
            looked.add(name)
            _distil_item(run, name)
            if run.is_over:
                return


def retry(work: Work) -> None:
    """Have what was given up or put off tried again."""
    with writing(work.database, work.tenant) as conn:
        conn.execute(SQL["revive"], {"tenant": work.tenant})


def troubles(work: Work) -> list[str]:
    """What keeps models from reading on, a line for each model and kind of failure."""
    with writing(work.database, work.tenant) as conn:
        rows = conn.execute(SQL["troubled"], {"tenant": work.tenant}).fetchall()
    return [
        f"{extractor} failed on {count:,} items ({failed}); rules have read them (muniment distil --retry)"
        for extractor, failed, count in rows
    ]


def due_items(work: Work, model: LanguageModel) -> list[Planned]:
    """Everything that is due, in the order of a run. For desks, which know what they may show of it."""
    with writing(work.database, work.tenant) as conn:
        rows = conn.execute(SQL["due"], _looked_for(work, extractor_of(model.name), None))
        return [Planned(source, id_, asked) for source, id_, asked in rows]


def plan(work: Work, model: LanguageModel, items: Sequence[Planned], each: Decimal | None) -> list[Planned]:
    """What is due of these items, and what it may cost where a call costs so much. Asks nothing."""

    def look(turn: CompileTurn) -> list[Planned]:
        with writing(work.database, work.tenant) as conn:
            turn(conn, work.tenant)
            return [_planned(conn, work, model, one, each) for one in items]

    return unhindered(look)


def _planned(
    conn: Connection, work: Work, model: LanguageModel, item: Planned, each: Decimal | None
) -> Planned:
    _, dues = _due(conn, work, (item.source, item.item), extractor_of(model.name))
    stale = sum(due.purpose == AGAIN for due in dues)
    # Four characters a token: nobody counts as the model does but the model.
    tokens = sum((len(due.prompt.instructions) + len(due.prompt.material)) // 4 for due in dues)
    cost = None if each is None else f"{each * len(dues):.6f}"
    return replace(item, passages=len(dues) - stale, stale=stale, tokens=tokens, cost=cost)


def _looked_for(work: Work, extractor: str, limit: int | None) -> dict[str, object]:
    now = work.clock()
    values = {"tenant": work.tenant, "extractor": extractor, "reserved": RESERVED, "now": now}
    return {**values, "since": now - DEMAND, "limit": limit}


def _names(work: Work, extractor: str) -> list[Key]:
    with writing(work.database, work.tenant) as conn:
        rows = conn.execute(SQL["due"], _looked_for(work, extractor, LOOKED_AT))
        return [(source, id_) for source, id_, _ in rows]


def _waiting(work: Work, extractor: str) -> int:
    values = {"tenant": work.tenant, "extractor": extractor, "reserved": RESERVED}
    with writing(work.database, work.tenant) as conn:
        row = conn.execute(SQL["waiting"], values).fetchone()
    return 0 if row is None else int(row[0])


def _due(conn: Connection, work: Work, name: Key, extractor: str) -> tuple[int | None, tuple[Due, ...]]:
    """The version an item is at, and what is to be asked of it."""
    found = examine(conn, work.tenant, work.key, name)
    if found is None:
        return None, ()
    asked = asked_of(conn, work.tenant, name, extractor)
    outputs = outputs_of(conn, work.tenant, [name])[name] if asked else ()
    one = found.projection
    return one.standing.seq, due_of(work.key, one, outputs, asked)


def _distil_item(run: _Run, name: Key) -> None:
    """Everything due of one item, passages first, until nothing is or something went wrong."""
    run.count(items=1)
    lost = run.done.lost
    while not run.is_over and run.done.lost == lost:
        seq, dues = unhindered(lambda turn: _due_or_settled(run, name, turn))
        if not dues:
            return
        failed = _ask_all(run, name, dues)
        if failed is not None:
            _put_off(run, name, seq, failed)
            return


def _due_or_settled(run: _Run, name: Key, turn: CompileTurn) -> tuple[int | None, tuple[Due, ...]]:
    """What is due of an item, in a turn, as looking holds what it was made from; noted where nothing is.

    The key is held between: words that are blanked or reduced meanwhile leave the version as it is, and
    would never be read.
    """
    with writing(run.work.database, run.work.tenant) as conn:
        turn(conn, run.work.tenant)
        hold_keys(conn, run.work.tenant, [name])
        seq, dues = _due(conn, run.work, name, run.extractor)
        if not dues:
            _settle(conn, run, name, seq)
        return seq, dues


def _ask_all(run: _Run, name: Key, dues: Sequence[Due]) -> str | None:
    """Ask part by part; what went wrong first, in the first part in which anything did.

    Each part is as long as all before it, so that an item of any length is compiled a few times.
    """
    lost, start = run.done.lost, 0
    while start < len(dues) and not run.is_over and run.done.lost == lost:
        part = dues[start : start + max(AT_ONCE, start)]
        failed = [why for due in part if run.may_ask() and (why := _ask(run, name, due))]
        _apply(run, name)
        if failed:
            return failed[0]
        start += len(part)
    return None


def _ask(run: _Run, name: Key, due: Due) -> str | None:
    """Ask, and keep what was given; what went wrong, if anything did."""
    try:
        given = run.model.complete(due.prompt)
    except LanguageModelResting as error:
        log.info("%s", error)
        run.stopped = "resting"
        return type(error).__name__
    except Exception as error:  # a model is anybody's code, and one text must not stop the rest
        log.warning("model %r failed with %s", run.model.name, type(error).__name__)
        run.count(failed=1)
        run.in_a_row += 1
        if run.in_a_row >= MOST_IN_A_ROW:
            run.stopped = "down"
        return type(error).__name__  # its words may quote the text
    run.in_a_row = 0
    run.cost += given.cost
    run.count(calls=1, tokens_in=given.tokens_in, tokens_out=given.tokens_out)
    _keep(run, name, due, given)
    return None


def _keep(run: _Run, name: Key, due: Due, given: Completion) -> None:
    verified = _verified(due, given.text, run.extractor)
    with writing(run.work.database, run.work.tenant) as conn:
        if not run.turn.holds(conn):
            run.stopped = "busy"
            return
        # Held, so that what is erased or redacted at this moment is seen to be.
        hold_keys(conn, run.work.tenant, [name])
        kept = conn.execute(SQL["store"], _row(run, name, due, given, verified)).fetchone()
    if kept is None:
        run.count(lost=1)
    else:
        run.count(statements=len(verified.accepted), refused=len(verified.refused))


def _verified(due: Due, reply: str, extractor: str) -> Verified:
    if due.before is None:
        return verify_drafts(reply, due.shown, extractor)
    ruled = verify_ruling(reply, due.before, due.shown, extractor)
    if isinstance(ruled, str):
        return Verified(refused=(ruled,))
    return Verified(() if ruled.now is None else (ruled.now,))


def _row(run: _Run, name: Key, due: Due, given: Completion, verified: Verified) -> dict[str, object]:
    context = due.shown.unit.context
    return {
        "tenant": run.work.tenant,
        "source": name[0],
        "id": name[1],
        "purpose": due.purpose,
        "unit": due.unit,
        "extractor": run.extractor,
        "input": input_hash(run.work.key, run.model.name, due.prompt),
        "reply": _storable(given.text),
        "outcome": "refused" if verified.refused and not verified.accepted else "accepted",
        "reason": next(iter(verified.refused), None),
        "statements": len(verified.accepted),
        "refused": len(verified.refused),
        "tokens_in": given.tokens_in,
        "tokens_out": given.tokens_out,
        "cost": given.cost,
        "now": run.work.clock(),
        "passage": due.passage,
        "title": context.title,
        "author": context.author,
        "account": context.account,
        "project": context.project,
        "service": context.service,
    }


def _storable(reply: str) -> str:
    """What can be stored of it. One character over the limit says that there was more."""
    return reply[: LONGEST_REPLY + 1].replace("\x00", " ").encode("utf-8", "replace").decode()


def _apply(run: _Run, name: Key) -> None:
    """Have what was given for the item act, from now on."""
    unhindered(lambda turn: _apply_now(run.work, name, turn))


def _apply_now(work: Work, name: Key, turn: CompileTurn) -> None:
    values = {"tenant": work.tenant, "source": name[0], "id": name[1], "now": work.clock()}
    with writing(work.database, work.tenant) as conn:
        turn(conn, work.tenant)
        hold_keys(conn, work.tenant, [name])
        if not conn.execute(SQL["stamp"], values).rowcount:
            return
        error = try_compile(conn, work.tenant, work.key, [name])
        if error is not None:
            conn.execute(JOBS["reopen"], values)
            put_off(conn, work.tenant, name, error, work.clock())


def _catch_up(run: _Run) -> None:
    """What an earlier run was given and did not live to apply."""
    with writing(run.work.database, run.work.tenant) as conn:
        names = [(source, id_) for source, id_ in conn.execute(SQL["unapplied"], {"tenant": run.work.tenant})]
    for name in names:
        _apply(run, name)


def _settle(conn: Connection, run: _Run, name: Key, seq: int | None) -> None:
    values = {"tenant": run.work.tenant, "source": name[0], "id": name[1], "extractor": run.extractor}
    conn.execute(SQL["settle"], {**values, "seq": seq})


def _put_off(run: _Run, name: Key, seq: int | None, why: str) -> None:
    """A text's own failures count towards its last try; those of a model that answers nobody do not."""
    values = {
        "tenant": run.work.tenant,
        "source": name[0],
        "id": name[1],
        "extractor": run.extractor,
        "seq": seq,
        "counts": 1 if run.done.calls and run.stopped not in _NOT_ITS_FAULT else 0,
        "now": run.work.clock(),
        "first": _FIRST_WAIT,
        "longest": _LONGEST_WAIT,
        "most": MOST_TRIES,
        "failed": why,
    }
    with writing(run.work.database, run.work.tenant) as conn:
        conn.execute(SQL["put_off"], values)
