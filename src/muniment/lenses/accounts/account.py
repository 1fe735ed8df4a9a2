"""Which account a name, a CRM id, a domain, a person or a channel means to one reader."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from muniment.domain.errors import Refused, Usage
from muniment.domain.names import normal_name
from muniment.domain.record import MentionRow
from muniment.pages.entities import Ambiguous, Entity, entities_called, resolve

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["domains_of", "get_account"]

ACCOUNT: Final = "account"
_LOOKED_AT = 2_000


def get_account(reader: Reader, name: str) -> Entity:
    """The one account that is meant. Missing and forbidden are refused alike."""
    match resolve(reader, name):
        case Entity(kind="account") as account:
            return account
        case Ambiguous(candidates=titles):
            raise Usage(f"{name!r} means more than one: {' or '.join(titles)}; say which")
        case Entity(kind="person") as person:
            found = _of_domains(reader, domains_of(person.names))
        case _:
            found = _of_place(reader, name)
    if len(found) > 1:
        raise Usage(f"{name!r} means more than one: {' or '.join(sorted(found))}; say which")
    if not found:
        raise Refused(f"no account named {name!r} for this reader")
    return next(iter(found.values()))


def domains_of(names: tuple[str, ...]) -> frozenset[str]:
    """The mail domains among names."""
    return frozenset(name.rpartition("@")[2] for name in names if "@" in name)


def _of_domains(reader: Reader, domains: frozenset[str]) -> dict[str, Entity]:
    return {
        one.title: one for one in entities_called(reader, sorted(domains)).values() if one.kind == ACCOUNT
    }


def _of_place(reader: Reader, name: str) -> dict[str, Entity]:
    """The accounts that a channel or container speaks of."""
    places = sorted({plain, plain.lstrip("#")}) if (plain := normal_name(name)) else []
    rows = reader.rows(MentionRow, "accounts", "told_in", names=places, limit=_LOOKED_AT) if places else []
    called = entities_called(reader, sorted({row.name for row in rows}))
    return {one.title: one for one in called.values() if one.kind == ACCOUNT}
