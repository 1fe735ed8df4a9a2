"""Commands by which a steward decides: review, stale."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from muniment.domain.errors import Usage
from muniment.domain.values import Candidate, Citation, Value
from muniment.surfaces.cli.answers import cited
from muniment.surfaces.cli.everywhere import Call
from muniment.surfaces.cli.exits import Exit
from muniment.surfaces.cli.opening import desk
from muniment.surfaces.cli.out import Line, Look, give, one_line, put_json, say, show

if TYPE_CHECKING:
    from muniment.app import Steward

__all__ = ["review", "stale"]

_ACTIONS = "list|show|approve|reject|hold|confirm|resolve"


def review(
    call: Call,
    action: Annotated[str, typer.Argument(metavar=_ACTIONS, show_default=False)] = "list",
    id_: Annotated[
        str | None,
        typer.Argument(
            metavar="ID",
            help="A candidate, or SOURCE:ID of what was recalled, or a claim in conflict.",
            show_default=False,
        ),
    ] = None,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="REASON", help="Why; or: keep CITATION.", show_default=False),
    ] = None,
    *,
    seen: Annotated[
        str | None,
        typer.Option(metavar="TOKEN", help="Approve only what show gave this token for.", show_default=False),
    ] = None,
) -> int:
    """Decide about candidates, what a source recalled, and conflicts; see what was reported.

    A candidate is a rule whose source may not make rules: it acts once somebody other than its author
    approves it. An approval is bound to what was seen, and void once a byte of that changes.
    """
    if action == "list":
        return _list(call)
    if action not in _ACTIONS.split("|"):
        raise Usage(f"review {action!r} is unknown: use {_ACTIONS.replace('|', ', ')}")
    if id_ is None:
        raise Usage(f"review {action} needs an ID, see: muniment review list")
    reason = " ".join(words or [])
    with desk(call) as steward:
        match action:
            case "show":
                return _give(call, steward.candidate(id_))
            case "approve":
                return _give(call, steward.approve(id_, seen=seen))
            case "hold":
                return _give(call, steward.hold(id_, reason))
            case "resolve":
                return _resolve(call, steward, id_, words or [])
            case _:
                return _settle(call, steward, action, id_, reason)


def _settle(call: Call, steward: Steward, action: str, id_: str, reason: str) -> int:
    if action == "reject":
        steward.reject(id_, reason)
    else:
        steward.confirm(id_)
    done = "rejected" if action == "reject" else "confirmed"
    if call.json:
        put_json({"id": id_, "state": done})
    else:
        show([Line(f"{done} {one_line(id_)}")])
    return Exit.DONE


def _resolve(call: Call, steward: Steward, claim: str, words: Sequence[str]) -> int:
    match words:
        case ["keep", keep]:
            dropped = steward.resolve(claim, keep)
        case _:
            raise Usage("review resolve CLAIM keep CITATION: say which side is kept")
    give(dropped, (Line(f"dropped {cited(one)}") for one in dropped), as_json=call.json)
    return Exit.DONE


def _give(call: Call, found: Candidate) -> int:
    give(found, _shown(found), as_json=call.json)
    return Exit.DONE


def _shown(found: Candidate) -> Iterator[Line]:
    yield Line(f"{found.id} · {found.kind} · {found.state}", Look.STRONG)
    yield from (Line(f"  {one_line(line)}") for line in found.diff.splitlines())
    yield from (Line(f"  {cited(one)} · {one.trust}") for one in found.evidence)
    yield Line(f"  {one_line(found.reach)}", Look.FAINT)
    if found.state not in ("approved", "rejected"):
        yield Line(f"  to approve exactly this: --seen {found.seen}", Look.FAINT)


_LISTS: Mapping[str, Callable[[Steward], Sequence[Value]]] = {
    "candidate": lambda steward: steward.candidates(),
    "recalled": lambda steward: steward.recalled(),
    "stale": lambda steward: steward.stale(),
    "reported": lambda steward: steward.reports(),
}


def _list(call: Call) -> int:
    """Everything that waits for a person; as JSON, each with `what` it is."""
    with desk(call) as steward:
        found = [(what, one) for what, listed in _LISTS.items() for one in listed(steward)]
    for what, one in found:
        if call.json:
            put_json({"what": what, **one.model_dump()})
        else:
            show([_line(what, one)])
    if not found and not call.json:
        say("nothing waits for a decision")
    return Exit.DONE


def _line(what: str, one: Value) -> Line:
    said = one.model_dump()
    text = said.get("statement") or said.get("problem") or said.get("text") or ""
    state = said.get("state") or what
    return Line(
        f"{said['id']} · {what if state == what else f'{what}, {state}'} · {one_line(str(text))[:160]}"
    )


def stale(call: Call) -> int:
    """List statements whose words changed at their source and that nobody has confirmed."""
    with desk(call) as steward:
        found: list[Citation] = steward.stale()
    give(found, (Line(f"{one.id} · {cited(one)}") for one in found), as_json=call.json)
    if not found and not call.json:
        say("nothing is stale")
    return Exit.DONE
