"""What each source is: who feeds it, how far it is trusted, and how long its containers may go unverified."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Literal

from muniment.domain.audience import is_principal
from muniment.domain.errors import Usage
from muniment.domain.record import DISCLOSURE
from muniment.domain.retention import Keep, parse_keep
from muniment.domain.values import Value
from muniment.events.rights import RESERVED
from muniment.gate import directory
from muniment.jobs.loop import drain
from muniment.jobs.turns import compile_alone
from muniment.steward import retention
from muniment.steward.desk import Desk
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["AUTHORITIES", "TRUSTS", "Change", "Source", "set_source", "sources"]

SQL = load("steward")
# What may be said of a source; `approved` only a decision gives.
TRUSTS = ("external_document", "external_tool", "internal_tool", "member", "system_of_record")
AUTHORITIES = ("external", "tool", "member", "owner", "system_of_record")
_USUAL = "default"  # what the kind of each item usually is worth
_NAME_LIMIT = 256  # bytes, as at the front door


@dataclass(frozen=True, slots=True)
class Source(Value):
    """A source as it is configured; `verify_within_s` None is no limit."""

    source: str
    kind: str
    fed_by: str
    directory: bool
    trust: str
    authority: str
    verify_within_s: float | None
    keep: str = "whole"


@dataclass(frozen=True, slots=True)
class Change:
    """What to set; None leaves a part as it is. `off` lifts a limit; `keep` is whole, quotes, or a time."""

    verify_within: timedelta | Literal["off"] | None = None
    trust: str | None = None
    authority: str | None = None
    directory: bool | None = None
    fed_by: str | None = None
    keep: str | None = None

    def __post_init__(self) -> None:
        if self.keep is not None:
            _kept(self.keep)
        for name, said, known in (
            ("trust", self.trust, TRUSTS),
            ("authority", self.authority, AUTHORITIES),
        ):
            if said is not None and said not in (*known, _USUAL):
                raise Usage(f"{name} {said!r} is unknown: use {', '.join(known)} or {_USUAL}")
        if self.fed_by is not None and not is_principal(self.fed_by):
            raise Usage(f"{self.fed_by!r} names nobody: use user:…, service:… or agent:…")
        if isinstance(self.verify_within, timedelta) and self.verify_within <= timedelta(0):
            raise Usage("a limit is longer than nothing; say off for none")

    def on(self, source: Source) -> Source:
        """The source with this changed."""
        match self.verify_within:
            case timedelta() as within:
                source = replace(source, verify_within_s=within.total_seconds())
            case "off":
                source = replace(source, verify_within_s=None)
        return replace(
            source,
            trust=self.trust or source.trust,
            authority=self.authority or source.authority,
            directory=source.directory if self.directory is None else self.directory,
            fed_by=self.fed_by or source.fed_by,
            keep=source.keep if self.keep is None else str(_kept(self.keep)),
        )


def _kept(said: str) -> Keep:
    try:
        return parse_keep(said)
    except ValueError as error:
        raise Usage(str(error)) from None


def sources(desk: Desk) -> list[Source]:
    """Every source the record knows, by name."""
    with desk.writing() as conn:
        return _configured(conn, desk.tenant, None)


def set_source(desk: Desk, source: str, change: Change) -> Source:
    """Configure a source, or one that will come; its items follow before this returns."""
    _require_name(source)
    with desk.writing() as conn:
        # Alone: what compiled beside this would go by the old word for ever.
        compile_alone(conn, desk.tenant)
        found = _configured(conn, desk.tenant, source)
        old = found[0] if found else _new(source, desk.principal)
        new = change.on(old)
        _write(desk, conn, old, new)
        if new.keep != old.keep:
            retention.set_rule(desk, conn, source, _kept(new.keep))
        desk.record(conn, "sources set", source, {"from": old.model_dump(), "to": new.model_dump()})
    drain(desk.work)
    return new


def _require_name(source: str) -> None:
    if not source.strip() or ":" in source or len(source.encode("utf-8", "replace")) > _NAME_LIMIT:
        raise Usage(f"{source!r} names no source: a short name without a colon, such as slack")
    if source in (RESERVED, DISCLOSURE):
        raise Usage(f"source {source!r} is the record's own")


def _new(source: str, principal: str) -> Source:
    return Source(
        source, "import", principal, directory=False, trust=_USUAL, authority=_USUAL, verify_within_s=None
    )


def _configured(conn: Connection, tenant: str, source: str | None) -> list[Source]:
    return [Source(*row) for row in conn.execute(SQL["configured"], {"tenant": tenant, "source": source})]


def _write(desk: Desk, conn: Connection, old: Source, new: Source) -> None:
    values = {"tenant": desk.tenant, "source": new.source, "now": desk.now, "by": desk.principal}
    conn.execute(SQL["configure"], {**values, **new.model_dump()})
    if new.verify_within_s != old.verify_within_s:
        conn.execute(SQL["limit_source"], {**values, "within": new.verify_within_s})
        directory.settle_containers_of(conn, desk.tenant, new.source)
    if (new.trust, new.authority, new.fed_by) != (old.trust, old.authority, old.fed_by):
        conn.execute(SQL["reopen_source"], values)
