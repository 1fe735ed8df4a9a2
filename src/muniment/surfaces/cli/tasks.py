"""The command that does a task: told line by line, and asking on a terminal before anything is changed."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, assert_never

import typer

from muniment.domain.errors import Usage
from muniment.domain.tasks import (
    Clarify,
    Consent,
    Limits,
    Sentence,
    Step,
    Task,
    TaskDone,
    TaskEvent,
    TaskState,
)
from muniment.domain.values import Citation
from muniment.surfaces.cli.everywhere import Call
from muniment.surfaces.cli.exits import Exit
from muniment.surfaces.cli.opening import opened, warned_of_strangers
from muniment.surfaces.cli.out import Look, one_line, put, put_json, say

if TYPE_CHECKING:
    from muniment.app import Org

__all__ = ["task"]

_USUAL = Limits()


def task(
    call: Call,
    text: Annotated[str, typer.Argument(metavar="TASK", show_default=False)],
    *,
    entity: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Bound it to this account, service, …", show_default=False),
    ] = None,
    tools: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The tools it may call, YAML or TOML.", show_default=False),
    ] = None,
    steps: Annotated[int, typer.Option(metavar="N", help="Replies of the model.")] = _USUAL.steps,
    tokens: Annotated[int, typer.Option(metavar="N", help="Tokens in and out.")] = _USUAL.tokens,
    seconds: Annotated[float, typer.Option(metavar="N", help="How long.")] = _USUAL.seconds,
    usd: Annotated[str, typer.Option(metavar="USD", help="What it may cost.")] = str(_USUAL.usd),
    consent: Annotated[
        str | None,
        typer.Option(metavar="TOKEN", help="Agree to what an earlier run asked.", show_default=False),
    ] = None,
) -> int:
    """Have the language model do a task, every sentence of the result cited.

    A tool that changes something is called only if you agree: on a terminal you are asked. Exit 0 answered,
    3 not found, 4 out of scope, 1 stopped or waiting for you.
    """
    said = text.encode("utf-8", "replace").decode()
    limits = Limits(steps, tokens, seconds, _usd(usd))
    asked = Task(said, entity, call.as_of, call.known_at, call.listening, limits, consent)
    with opened(call) as org:
        events = _begun(org, call, asked, tools)
        told = _Told(as_json=call.json)
        for event in events:
            told.tell(event)
    return _exit(told.state)


def _begun(org: Org, call: Call, asked: Task, tools: Path | None) -> Iterator[TaskEvent]:
    who = warned_of_strangers(org, call)
    box = None if tools is None else org.tasks.tools(tools)
    return org.tasks.run(who, asked, agent=call.agent, tools=box, agree=_agree(call))


def _usd(said: str) -> Decimal:
    try:
        found = Decimal(said)
    except InvalidOperation:
        found = Decimal("NaN")
    if not found.is_finite():
        raise Usage(f"--usd {said!r} is no amount of money")
    return found


def _agree(call: Call) -> Callable[[Consent], bool] | None:
    """A question on the terminal; nobody to ask where input or output is not one, or JSON is wanted."""
    there = sys.stdin.isatty() and sys.stderr.isatty() and not call.json
    return _asked if there else None


def _asked(consent: Consent) -> bool:
    say(f"call {consent.tool} with {one_line(_arguments(consent))}", Look.ALERT)
    for one in consent.rests_on:
        say(f"  as {one_line(one.quote or one.statement)} [{one.source}]", Look.FAINT)
    return typer.confirm("do it?", default=False, err=True)


def _arguments(consent: Consent) -> str:
    return json.dumps(consent.arguments, ensure_ascii=False, sort_keys=True)


@dataclass(slots=True)
class _Told:
    """What was told so far: steps on stderr, the result on stdout; with JSON each event a line of it."""

    as_json: bool
    state: TaskState = "stopped"
    _cited: dict[str, Citation] = field(default_factory=dict)

    def tell(self, event: TaskEvent) -> None:
        """One event."""
        if isinstance(event, TaskDone):
            self.state = event.state
        if self.as_json:
            put_json({"event": _name(event), **event.model_dump()})
            return
        match event:
            case Step():
                say(f"{event.number}. {event.did} {one_line(event.what)}: {event.found}", Look.FAINT)
            case Citation():
                self._cited[event.id] = event
            case Sentence():
                numbers = {id_: number for number, id_ in enumerate(self._cited, 1)}
                marks = "".join(f"[{numbers[one]}]" for one in event.citations)
                put(f"{one_line(event.text)} {marks}")
            case Clarify():
                put("\n".join(one_line(one) for one in event.questions))
            case Consent():
                self._wait(event)
            case TaskDone():
                self._end(event)
            case _:
                assert_never(event)

    def _cite(self) -> None:
        for number, cited in enumerate(self._cited.values(), 1):
            where = f"{cited.source} {cited.item or ''}".strip()
            put(f"[{number}] {one_line(cited.quote or cited.statement)}", Look.FAINT)
            put(f"    {where}, {cited.trust}, {cited.id}", Look.FAINT)

    def _wait(self, consent: Consent) -> None:
        put(f"waits for you: call {consent.tool} with {one_line(_arguments(consent))}", Look.ALERT)
        put(f"agree with the same task and --consent {consent.token}")

    def _end(self, ended: TaskDone) -> None:
        self._cite()
        if ended.dropped:
            say(f"{ended.dropped} dropped that no evidence proves", Look.FAINT)
        say(f"{ended.state}{'' if ended.why is None else f': {ended.why}'}", Look.STRONG)


def _name(event: TaskEvent) -> str:
    return "done" if isinstance(event, TaskDone) else type(event).__name__.lower()


def _exit(state: TaskState) -> Exit:
    match state:
        case "answered":
            return Exit.DONE
        case "not_found":
            return Exit.NOT_FOUND
        case "out_of_scope":
            return Exit.OUT_OF_SCOPE
        case "clarify" | "needs_consent" | "stopped":
            return Exit.FAILED
