"""Commands about live sources: connect and pull."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Any

import typer

from muniment.domain.connections import ConnectionSaid, KindTold, Plan, Pulled
from muniment.domain.errors import Usage
from muniment.domain.times import parse_duration
from muniment.surfaces.cli.everywhere import Call
from muniment.surfaces.cli.exits import Exit
from muniment.surfaces.cli.filling import clauses
from muniment.surfaces.cli.opening import desk, opened
from muniment.surfaces.cli.out import Line, Look, counted, give, put, put_each, put_json, show
from muniment.surfaces.cli.pairs import pairs
from muniment.surfaces.cli.progress import progress
from muniment.surfaces.cli.watching import repeat

if TYPE_CHECKING:
    from muniment.app import Org

__all__ = ["connect", "pull"]


def _option(flag: str, text: str, metavar: str | None = None) -> Any:
    return typer.Option(flag, help=text, metavar=metavar, show_default=False)


def connect(
    call: Call,
    kind: Annotated[str | None, typer.Argument(metavar="KIND", show_default=False)] = None,
    *,
    source: Annotated[
        str | None, _option("--source", "What it is called here. [default: as its kind]", "NAME")
    ] = None,
    settings: Annotated[
        list[str] | None,
        _option("--set", "A setting, a secret as env:NAME or file:PATH; again for more.", "NAME=VALUE"),
    ] = None,
    audience: Annotated[
        list[str] | None, _option("--audience", "Who may read what names nobody. [default: you]", "WHO")
    ] = None,
    trust: Annotated[str, _option("--trust", "How far its text is trusted.", "TRUST")] = "default",
    every: Annotated[
        str, _option("--every", "How often it is asked for what is new. [default: 5m]", "DURATION")
    ] = "5m",
    sweep_every: Annotated[
        str, _option("--sweep-every", "How often for what it still holds. [default: 24h]", "DURATION")
    ] = "24h",
    pace: Annotated[
        str | None, _option("--pace", "The least time between two pages of it.", "DURATION")
    ] = None,
    dry_run: Annotated[
        bool, _option("--dry-run", "Say what would be read and for whom, with one request; write nothing.")
    ] = False,
    remove: Annotated[
        str | None, _option("--remove", "Stop reading a source; what it said stays.", "SOURCE")
    ] = None,
    pause: Annotated[str | None, _option("--pause", "Leave a source alone for a time.", "SOURCE")] = None,
    resume: Annotated[str | None, _option("--resume", "Go on with a source.", "SOURCE")] = None,
) -> int:
    """Connect a live source, which pull, sync --watch or a worker then reads; list the kinds there are.

    For stewards.
    """
    acts = {"remove": remove, "pause": pause, "resume": resume}
    meant = {name: named for name, named in acts.items() if named is not None}
    if len(meant) + (kind is not None) > 1:
        raise Usage("connect does one thing at a time: KIND, --remove, --pause or --resume")
    for name, named in meant.items():
        return _change(call, name, named)
    if kind is None:
        return _list(call)
    asked = _asked(kind, pairs("--set", settings))
    said = ConnectionSaid(
        source or kind,
        kind,
        asked,
        clauses(audience),
        trust,
        _duration("--every", every),
        _duration("--sweep-every", sweep_every),
        timedelta(0) if pace is None else _duration("--pace", pace),
    )
    return _plan(call, said) if dry_run else _connect(call, said)


def _kinds() -> list[KindTold]:
    # Here, or help would load the database driver.
    from muniment.app import connector_kinds  # noqa: PLC0415

    return connector_kinds()


def _duration(flag: str, said: str) -> timedelta:
    try:
        return parse_duration(said)
    except ValueError as error:
        raise Usage(f"{flag}: {error}") from None


def _asked(kind: str, said: Mapping[str, str]) -> dict[str, str]:
    """The settings, those that are missing asked for where somebody is there to ask."""
    found = next((one for one in _kinds() if one.kind == kind), None)
    asked = dict(said)
    if found is None or not sys.stdin.isatty():
        return asked
    for one in found.settings:
        if one.required and one.default is None and one.name not in asked:
            how = " (env:NAME or file:PATH)" if one.secret else ""
            asked[one.name] = typer.prompt(f"{one.name}: {one.help}{how}", err=True)
    return asked


def _list(call: Call) -> int:
    found = _kinds()
    give(found, _kinds_told(found), as_json=call.json)
    return Exit.DONE


def _kinds_told(found: list[KindTold]) -> Iterator[Line]:
    for kind in found:
        ways = [way for way, has in (("pulled", kind.pulls), ("heard", kind.hears)) if has]
        yield Line(f"{kind.kind}  {kind.summary} ({', '.join(ways)})", Look.STRONG)
        for one in kind.settings:
            marks = [mark for mark, has in (("secret", one.secret), ("optional", not one.required)) if has]
            yield Line(f"  --set {one.name}=…  {' · '.join([one.help, *marks])}")


def _connect(call: Call, said: ConnectionSaid) -> int:
    with desk(call) as steward:
        done = steward.connect(said)
    if call.json:
        put_json(done)
    else:
        put(f"connected {done.source} as {done.kind}; next: muniment pull {done.source}, or a worker does it")
    return Exit.DONE


def _plan(call: Call, said: ConnectionSaid) -> int:
    with desk(call) as steward:
        found = steward.plan_connection(said)
    give(found, _planned(found), as_json=call.json)
    return Exit.DONE if found.reachable else Exit.FAILED


def _planned(found: Plan) -> Iterator[Line]:
    yield Line(f"{found.source}, a source of kind {found.kind}; nothing was written", Look.STRONG)
    yield from (Line(f"  {one}") for one in found.knows)
    yield Line(f"  what names no audience and lies in no container: {found.unnamed_audience}")
    if found.directory:
        yield Line("  its word on who is who counts, as a directory's does")
    yield Line(f"  one request: {found.probe}", Look.PLAIN if found.reachable else Look.ALERT)
    yield from (Line(f"    {counted(count, 'event')} of kind {kind}") for kind, count in found.sample.items())
    yield from (Line(f"    {counted(count, 'text')} for {who}") for who, count in found.audiences.items())
    if found.unread:
        yield Line(f"    {counted(found.unread, 'part')} could not be read", Look.ALERT)


def _change(call: Call, act: str, source: str) -> int:
    with desk(call) as steward:
        if act == "remove":
            steward.disconnect(source)
        else:
            steward.pause(source, paused=act == "pause")
    done = {"remove": "no longer connected", "pause": "paused", "resume": "due again"}[act]
    if call.json:
        put_json({"source": source, "done": act})
    else:
        put(f"{source}: {done}")
    return Exit.DONE


def pull(
    call: Call,
    source: Annotated[
        str | None, typer.Argument(metavar="SOURCE", help="Which. [default: all]", show_default=False)
    ] = None,
    *,
    sweep: Annotated[bool, _option("--sweep", "Also ask what it still holds, and who may read it.")] = False,
    every: Annotated[
        str | None, _option("--every", "Again and again, with so much time between.", "DURATION")
    ] = None,
) -> int:
    """Ask connected sources for what is new, until there is no more. For stewards.

    Exit 1 where one could not be read, 5 where some of it was refused.
    """
    with opened(call) as org:
        org.steward(call.asker or org.login)
        if every is None:
            return _pull(org, call, source, sweep=sweep)
        pause = _duration("--every", every).total_seconds()

        def once() -> int:
            _pull(org, call, source, sweep=sweep)
            return 0

        repeat(once, "pulling; stop with ctrl-c", pause=pause)
    return Exit.DONE


def _pull(org: Org, call: Call, source: str | None, *, sweep: bool) -> int:
    with progress(f"pulling {source or 'every source'}", quiet=call.json) as seen:
        found = org.pull(source, sweep=sweep, progress=seen)
    if call.json:
        put_each(found)
    else:
        show(line for one in found for line in _pulled(one))
        if not found:
            put("no source is connected that could be pulled; see muniment connect")
    return _exit(found)


def _exit(found: list[Pulled]) -> Exit:
    if any(one.state not in ("current", "paused") for one in found):
        return Exit.FAILED
    return Exit.QUARANTINED if any(one.quarantined for one in found) else Exit.DONE


def _pulled(one: Pulled) -> Iterator[Line]:
    counts = [f"{one.accepted:,} accepted"]
    counts += [f"{one.duplicate:,} known already"] if one.duplicate else []
    counts += [f"{one.quarantined:,} in quarantine"] if one.quarantined else []
    counts += [f"{one.deleted:,} no longer there"] if one.deleted else []
    counts += [f"{one.restored:,} there again"] if one.restored else []
    counts += [f"{one.missing:,} listed and never seen"] if one.missing else []
    swept = ", swept" if one.swept else ""
    yield Line(f"{one.source}: {one.state}, {', '.join(counts)}{swept}")
    if one.why is not None:
        again = "once somebody mends it" if one.next_at is None else f"at {one.next_at:%Y-%m-%d %H:%M:%S}"
        yield Line(f"  {one.why}; tried again {again}", Look.ALERT)
