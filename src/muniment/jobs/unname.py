"""Names that are to be gone, taken out of what stewards said: the alias file, and what they settled."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final
from uuid import UUID

from muniment.domain.blanking import Blanks
from muniment.domain.names import normal_name
from muniment.index.fields import person_uuid
from muniment.jobs.loop import Work
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["blank_names", "forget_items", "forget_person"]

ALIAS: Final = load("alias")
DECIDING: Final = load("deciding")
IsGone = Callable[[str], bool]


def blank_names(conn: Connection, tenant: str, blanks: Blanks) -> None:
    """Names with words that are blanked, and those words in the reasons of decisions."""
    _leave(conn, tenant, lambda text: blanks.text(text) != text, blanks.text)


def forget_person(conn: Connection, work: Work, ids: Iterable[str]) -> None:
    """Everything by which a person is called, and whatever was settled about who they are."""
    names = {normal_name(one) for one in ids}
    people = [person_uuid(work.key, one) for one in sorted(names)]
    conn.execute(DECIDING["drop_decisions_on"], {"tenant": work.tenant, "entities": people})
    _leave(conn, work.tenant, lambda text: normal_name(text) in names, lambda reason: reason)


def forget_items(conn: Connection, tenant: str, items: Sequence[UUID]) -> None:
    """What was settled of items that are gone."""
    conn.execute(DECIDING["leave_items"], {"tenant": tenant, "items": list(items)})
    conn.execute(DECIDING["drop_empty"], {"tenant": tenant})


def _leave(conn: Connection, tenant: str, is_gone: IsGone, left: Callable[[str], str]) -> None:
    _leave_aliases(conn, tenant, is_gone)
    for decision, target, names, reason in conn.execute(DECIDING["written"], {"tenant": tenant}).fetchall():
        if target is not None and is_gone(target):
            conn.execute(DECIDING["drop_decision"], {"tenant": tenant, "decision": decision})
            continue
        kept = [one for one in names if not is_gone(one)]
        values = {"names": kept, "reason": None if reason is None else left(reason)}
        if values != {"names": names, "reason": reason}:
            conn.execute(DECIDING["rewrite"], {"tenant": tenant, "decision": decision, **values})
    conn.execute(DECIDING["drop_empty"], {"tenant": tenant})


def _leave_aliases(conn: Connection, tenant: str, is_gone: IsGone) -> None:
    """The entries without such names; one whose meaning is such a name goes, as does one with no other."""
    entries = conn.execute(ALIAS["every_entry"], {"tenant": tenant}).fetchall()
    gone = [entry for entry, means, names in entries if is_gone(means) or all(map(is_gone, names))]
    conn.execute(ALIAS["drop_entries"], {"tenant": tenant, "entries": gone})
    for entry, _, names in entries:
        kept = [one for one in names if not is_gone(one)]
        if entry not in set(gone) and kept != names:
            _leave_entry(conn, tenant, entry, {normal_name(one) for one in names if is_gone(one)}, kept)


def _leave_entry(
    conn: Connection, tenant: str, entry: UUID, gone: Collection[str], kept: Sequence[str]
) -> None:
    values = {"tenant": tenant, "entry": entry}
    conn.execute(ALIAS["drop_names"], {**values, "names": sorted(gone)})
    conn.execute(ALIAS["keep_names"], {**values, "names": list(kept)})
