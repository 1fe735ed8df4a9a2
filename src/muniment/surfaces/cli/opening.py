"""From what was said on the command line to an open record and to what one principal may know of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import muniment
from muniment.domain.errors import NotAnOrg, Usage
from muniment.settings import Settings
from muniment.surfaces.cli.everywhere import Call
from muniment.surfaces.cli.out import warn

if TYPE_CHECKING:
    from muniment.app import Org, Steward, View

__all__ = ["desk", "is_org", "is_url", "open_at", "opened", "reading", "warned_of_strangers"]

MARKER = ".muniment"
DEFAULT_TENANT = "default"


@contextmanager
def opened(call: Call) -> Iterator[Org]:
    """The record meant: one that is there, never one made by asking for it."""
    with open_at(_where(call, Settings.read()), call) as org:
        yield org


def open_at(where: str, call: Call) -> Org:
    """The record at a place, made there if it is new. A URL in the environment does not overrule a folder."""
    settings = Settings.read()
    if is_url(where):
        return muniment.open(where, call.tenant or DEFAULT_TENANT, settings=settings)
    if call.tenant is not None:
        raise Usage(
            f"tenant {call.tenant!r}: a folder holds one organisation; tenants are for a PostgreSQL URL"
        )
    return muniment.open(where, settings=replace(settings, database_url=None))


def is_url(where: str) -> bool:
    """Whether a database is meant, and no folder."""
    return where.startswith(("postgresql://", "postgres://"))


def is_org(where: str) -> bool:
    """Whether a folder holds an organisation; of a URL only its server can say."""
    return not is_url(where) and (Path(where) / MARKER).is_dir()


def _where(call: Call, settings: Settings) -> str:
    named = call.org or settings.org or settings.database_url
    if named is None:
        return _nearest(Path.cwd())
    if is_url(named) or is_org(named):
        return named
    what = "holds no organisation" if Path(named).exists() else "does not exist"
    raise NotAnOrg(f"folder {named!r} {what}; make one with: muniment init {named}")


def _nearest(start: Path) -> str:
    for folder in (start, *start.parents):
        if (folder / MARKER).is_dir():
            return str(folder)
    raise NotAnOrg(
        f"no organisation in {str(start)!r} or any folder above it; "
        "make one with: muniment init, or name one with --org DIR"
    )


@contextmanager
def reading(call: Call) -> Iterator[View]:
    """What the principal who asks may know."""
    with opened(call) as org:
        asking = warned_of_strangers(org, call)
        yield org.reader(
            asking, as_of=call.as_of, known_at=call.known_at, agent=call.agent, hearers=call.listening
        )


def warned_of_strangers(org: Org, call: Call) -> str:
    """Who asks; that nobody is known by a name is said on a local folder."""
    asking = call.asker or org.login
    if org.is_local:
        _warn_of_strangers(org, asking, call.listening)
    return asking


def _warn_of_strangers(org: Org, asking: str, hearers: tuple[str, ...]) -> None:
    """Only on a local folder: elsewhere it would tell who exists."""
    strangers = [] if org.knows(asking) else [asking]
    strangers += [name for name in hearers if not org.hears(name)]
    for name in strangers:
        warn(f"this record knows nobody called {name!r}, so they can read nothing; see muniment members")


@contextmanager
def desk(call: Call) -> Iterator[Steward]:
    """The desk of the steward who asks."""
    with opened(call) as org:
        yield org.steward(call.asker or org.login)
