"""Words taken out of everything the record holds: events, quarantine, reasons, questions, the audit.

Item after item is rewritten with less than was said, and what follows from it made again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Final

from muniment.domain.blanking import Blanks
from muniment.events.accept import commit
from muniment.gate.forget import About, forget
from muniment.jobs.compile import Key
from muniment.jobs.loop import BATCH, Work
from muniment.jobs.outputs import drop_replies, purge
from muniment.jobs.restate import restate
from muniment.jobs.turns import hold_keys
from muniment.jobs.unname import blank_names
from muniment.store.pool import Connection
from muniment.store.queries import load
from muniment.store.rows import Row, as_json

__all__ = ["blank_beside", "blank_keys", "keys_with", "rewrite"]

SQL: Final = load("erasing")
Left = Callable[[Mapping[str, object]], Mapping[str, object]]


def keys_with(conn: Connection, tenant: str, blanks: Blanks, words: Sequence[str] | None) -> list[Key]:
    """Keys whose events have words that are blanked.

    words: one of which must be in a text; None to look at all.
    """
    found = conn.execute(
        SQL["keys_with"], {"tenant": tenant, "words": None if words is None else list(words)}
    )
    names: list[Key] = found.fetchall()
    parts = (names[start : start + BATCH] for start in range(0, len(names), BATCH))
    rows = (row for part in parts for row in _changes(conn, tenant, part, blanks.event))
    return sorted({(str(row["source"]), str(row["id"])) for row in rows})


def blank_keys(conn: Connection, work: Work, keys: Sequence[Key], blanks: Blanks) -> int:
    """Blank the words in these keys' events and in all that follows from them; how many events had one."""
    changed = rewrite(conn, work, keys, blanks.event)
    if not changed:
        return 0
    purge(conn, work.tenant, work.key, keys)
    restate(conn, work, keys)
    return changed


def rewrite(conn: Connection, work: Work, keys: Collection[Key], left: Left) -> int:
    """Keep of these keys' events what is left of them, under new salts; how many changed."""
    names = sorted(keys)
    hold_keys(conn, work.tenant, names)
    rows = [_rewritten(work, one) for one in _changes(conn, work.tenant, names, left)]
    if rows:
        conn.execute(SQL["rewrite"], {"tenant": work.tenant, "rows": as_json(rows)})
    return len(rows)


def _changes(conn: Connection, tenant: str, keys: Sequence[Key], left: Left) -> Iterator[Row]:
    values = {"tenant": tenant, "sources": [one[0] for one in keys], "ids": [one[1] for one in keys]}
    for source, id_, seq, content in conn.execute(SQL["contents"], values).fetchall():
        kept = left(content)
        if kept != content:
            yield {"source": source, "id": id_, "seq": seq, "content": kept}


def _rewritten(work: Work, change: Row) -> Row:
    content, salt = change["content"], work.salts()
    if not isinstance(content, dict):
        raise TypeError(f"the content of an event is no {type(content).__name__}")
    return {**change, "tenant": work.tenant, "salt": salt, "commitment": commit(salt, content)}


def blank_beside(conn: Connection, work: Work, blanks: Blanks) -> tuple[int, int, int]:
    """Blank the words beside the events; how many refused lines, questions and acts had one."""
    refused = 0
    for entry, raw, reason in conn.execute(SQL["refused"], {"tenant": work.tenant}).fetchall():
        left = (blanks.line(raw), blanks.text(reason))
        if left != (raw, reason):
            refused += 1
            values = {"tenant": work.tenant, "entry": entry, "raw": left[0], "reason": left[1]}
            conn.execute(SQL["rewrite_refused"], values)
    for source, id_, dead in conn.execute(SQL["failures"], {"tenant": work.tenant}).fetchall():
        if blanks.text(dead) != dead:
            values = {"tenant": work.tenant, "source": source, "id": id_, "dead": blanks.text(dead)}
            conn.execute(SQL["rewrite_failure"], values)
    _blank_reasons(conn, work.tenant, blanks)
    blank_names(conn, work.tenant, blanks)
    drop_replies(conn, work.tenant, lambda reply: blanks.text(reply) != reply)
    about = About(changed=lambda text: blanks.text(text) != text)
    return (refused, *forget(conn, work.tenant, about))


def _blank_reasons(conn: Connection, tenant: str, blanks: Blanks) -> None:
    """Why something was decided or held, and what was reported of it."""
    for decision, reason in conn.execute(SQL["reasons"], {"tenant": tenant}).fetchall():
        if blanks.text(reason) != reason:
            values = {"tenant": tenant, "decision": decision, "reason": blanks.text(reason)}
            conn.execute(SQL["rewrite_reason"], values)
    for report, problem in conn.execute(SQL["problems"], {"tenant": tenant}).fetchall():
        if blanks.text(problem) != problem:
            values = {"tenant": tenant, "report": report, "problem": blanks.text(problem)}
            conn.execute(SQL["rewrite_problem"], values)
    for (reason,) in conn.execute(SQL["hold_reasons"], {"tenant": tenant}).fetchall():
        if blanks.text(reason) != reason:
            values = {"tenant": tenant, "was": reason, "reason": blanks.text(reason)}
            conn.execute(SQL["rewrite_hold"], values)
