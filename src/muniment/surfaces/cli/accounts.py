"""Commands for whoever has an account or takes one over, and for tasks that are left and taken up."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Annotated

import typer

from muniment.domain.accounts import Checkpoint, Commitment, Handoff, Landmine, SignOff
from muniment.domain.errors import Usage
from muniment.domain.values import Citation
from muniment.surfaces.cli.answers import cited, day, moment
from muniment.surfaces.cli.everywhere import Call
from muniment.surfaces.cli.exits import Exit
from muniment.surfaces.cli.opening import reading
from muniment.surfaces.cli.out import Line, Look, give, one_line, put, put_each, say, show

__all__ = [
    "checkpoint",
    "commitments",
    "handoff",
    "landmine_lines",
    "landmines",
    "page_lines",
    "resume",
]

Account = Annotated[
    str,
    typer.Argument(
        metavar="ACCOUNT", help="Its name, CRM id, domain, channel, or somebody there.", show_default=False
    ),
]
Accounts = Annotated[
    str | None,
    typer.Argument(
        metavar="[ACCOUNT]", help="Its name, CRM id, domain or channel; all of them.", show_default=False
    ),
]
Ics = Annotated[bool, typer.Option("--ics", help="Instead, the due days as an iCalendar file.")]


def handoff(
    call: Call,
    account: Account,
    *,
    budget: Annotated[int, typer.Option(metavar="N", help="Tokens the page may take.")] = 5000,
    ics: Ics = False,
    sign: Annotated[
        bool, typer.Option("--sign", help="Sign the page that is shown: each side signs once.")
    ] = False,
    seen: Annotated[
        str | None,
        typer.Option(
            metavar="SEEN", help="With --sign: only if the page is still this one.", show_default=False
        ),
    ] = None,
) -> int:
    """Show one page for whoever takes an account over, every line of it cited."""
    with reading(call) as view:
        if ics:
            put(view.due_days(account).replace("\r\n", "\n").rstrip("\n"))
            return Exit.DONE
        if seen is not None and not sign:
            raise Usage("--seen says which page to sign: use it with --sign")
        page = view.handoff(account, budget=budget)
        if sign:
            signed = view.sign_handoff(account, seen or page.seen, budget=budget)
            give(signed, _signed(signed), as_json=call.json)
            return Exit.DONE
    give(page, page_lines(page), as_json=call.json)
    return Exit.DONE


def page_lines(found: Handoff) -> Iterator[Line]:
    """The page as it is read on a terminal, with its budget and who signed it."""
    yield Line(found.markdown.rstrip())
    yield Line()
    budget = found.budget
    yield Line(
        f"{budget.used:,} of {budget.limit:,} tokens · as of {moment(found.as_of)} · page {found.seen}",
        Look.FAINT,
    )
    yield from (line for one in found.signed for line in _signed(one))


def _signed(one: SignOff) -> Iterator[Line]:
    yield Line(f"signed by {one.by}, {moment(one.at)}, page {one.seen}")


def commitments(call: Call, account: Accounts = None, *, ics: Ics = False) -> int:
    """List who owes what to whom, overdue first, each with its words."""
    with reading(call) as view:
        if ics:
            put(view.due_days(account).replace("\r\n", "\n").rstrip("\n"))
            return Exit.DONE
        found = view.commitments(account)
    if call.json:
        put_each(found)
    elif not found:
        say("no commitments")
    else:
        show(line for one in found for line in _commitment(one))
    return Exit.DONE


def _commitment(one: Commitment) -> Iterator[Line]:
    due = "" if one.due is None else f" · due {one.due.date or one.due.text}"
    how = "" if one.strength == "firm" else f", {one.strength}"
    look = Look.ALERT if one.overdue else Look.STRONG
    state = f"{'overdue, ' if one.overdue else ''}{one.state}{how}"
    yield Line(f"{one.debtor or 'somebody'} → {one.creditor or '?'}: {one_line(one.content)}", look)
    on = "" if one.condition is None else f" · {one_line(one.condition)}"
    yield Line(f"  {one.side} · {state}{due}{on}")
    yield from _cited(one.citations)


def _cited(citations: Sequence[Citation]) -> Iterator[Line]:
    for citation in citations:
        yield Line(f"  {cited(citation)}")
        yield Line(f"    explain {citation.id}", Look.FAINT)


def landmines(call: Call, account: Accounts = None) -> int:
    """List what to know before a subject is opened again: objections, arrangements, secrets."""
    with reading(call) as view:
        found = view.landmines(account)
    if call.json:
        put_each(found)
    elif not found:
        say("no landmines")
    else:
        show(line for one in found for line in landmine_lines(one))
    return Exit.DONE


def landmine_lines(one: Landmine) -> Iterator[Line]:
    """One subject, and what proves that it is one."""
    yield Line(f"{one.kind.replace('_', ' ')}: {one_line(one.what)}", Look.STRONG)
    if one.handled is not None:
        yield Line(f"  handled: {one_line(one.handled)}")
    yield from _cited(one.citations)


def checkpoint(
    call: Call,
    task: Annotated[str, typer.Argument(metavar="TASK", help="Its name.", show_default=False)],
    state: Annotated[
        str, typer.Argument(metavar="JSON", help="How far it has come, as an object.", show_default=False)
    ],
) -> int:
    """Keep how far a task has come, for yourself alone; muniment resume gives it back."""
    try:
        said = json.loads(state)
    except (ValueError, RecursionError) as error:
        raise Usage(f"the state of a task is a JSON object: {error}") from None
    if not isinstance(said, dict):
        raise Usage('the state of a task is a JSON object, such as {"goal": "…", "done": []}')
    with reading(call) as view:
        kept = view.checkpoint(task, said)
    give(kept, _kept(kept), as_json=call.json)
    return Exit.DONE


def _kept(one: Checkpoint) -> Iterator[Line]:
    yield Line(f"{one_line(one.task)}, version {one.version}, {day(one.at)}")


def resume(
    call: Call,
    task: Annotated[str, typer.Argument(metavar="TASK", help="Its name.", show_default=False)],
) -> int:
    """Show the state in which you left a task."""
    with reading(call) as view:
        found = view.resume(task)
    give(found, _resumed(found), as_json=call.json)
    return Exit.DONE


def _resumed(one: Checkpoint) -> Iterator[Line]:
    yield from _kept(one)
    yield Line(json.dumps(one.state, ensure_ascii=False, indent=2))
