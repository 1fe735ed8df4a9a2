"""The command that shows what reached a wider audience than it came from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Annotated, Protocol

import typer

from muniment.domain.errors import Usage
from muniment.domain.times import parse_day_or_instant
from muniment.surfaces.cli.answers import moment
from muniment.surfaces.cli.everywhere import Call
from muniment.surfaces.cli.exits import Exit
from muniment.surfaces.cli.opening import desk
from muniment.surfaces.cli.out import Line, Look, one_line, put_each, say, show

__all__ = ["widened"]


class Widening(Protocol):
    """One item's words in another's."""

    @property
    def origin(self) -> str: ...
    @property
    def to(self) -> str: ...
    @property
    def at(self) -> datetime: ...
    @property
    def new_readers(self) -> int: ...
    @property
    def words(self) -> tuple[str, ...] | None: ...


def widened(
    call: Call,
    *,
    since: Annotated[
        str | None,
        typer.Option(
            "--since", help="Only what happened since a day or instant.", metavar="T", show_default=False
        ),
    ] = None,
) -> int:
    """List what turned up where more people can read it than where it came from. For stewards.

    The words themselves are shown only where you may read both items.
    """
    with desk(call) as steward:
        found = steward.widened(since=None if since is None else _instant(since))
    if call.json:
        put_each(found)
    else:
        show(_lines(found))
        if not found:
            say("nothing reached a wider audience")
    return Exit.DONE


def _instant(said: str) -> datetime:
    try:
        return parse_day_or_instant(said)
    except ValueError as error:
        raise Usage(f"since: {error}") from None


def _lines(found: Sequence[Widening]) -> Iterator[Line]:
    for one in found:
        people = "person" if one.new_readers == 1 else "people"
        reach = f"{one.new_readers:,} {people} more can read it"
        yield Line(f"{moment(one.at)}  {one_line(one.origin)} in {one_line(one.to)}: {reach}")
        if one.words is None:
            yield Line("    its words are not for you", Look.FAINT)
        else:
            yield from (Line(f"    “{one_line(words)}”") for words in one.words)
