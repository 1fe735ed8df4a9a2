"""Commands of an investigation: incident, topology; and of what is remembered: unused, duplicates."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Final

import typer

from muniment.domain.errors import Usage
from muniment.domain.investigating import Ending, Looked, Observed, Reached, Start
from muniment.domain.times import read_instant
from muniment.domain.values import Value
from muniment.surfaces.cli import investigation
from muniment.surfaces.cli.everywhere import Call
from muniment.surfaces.cli.exits import Exit
from muniment.surfaces.cli.opening import reading
from muniment.surfaces.cli.out import give, say
from muniment.surfaces.cli.said import Said

if TYPE_CHECKING:
    from muniment.app import View

__all__ = ["duplicates", "incident", "recurring", "topology", "unused"]

_ACTIONS: Final = (
    "list|open|observe|look|gather|hypothesis|verdict|checkpoint|resume|close|propose|show|briefing"
)
Many = list[str] | None


def _many(flag: str, metavar: str, text: str) -> object:
    return typer.Option(flag, metavar=metavar, help=text, show_default=False)


Words = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="WORD",
        help=(
            "open TITLE · observe INC TEXT (- reads it) · look INC TOOL QUERY · gather INC [SERVICE…] · "
            "hypothesis INC TEXT · verdict INC ID "
            "supported|refuted|confirmed|adopted|ignored · checkpoint INC GOAL · close INC RESULT · "
            "propose EPISODE STEP… · resume|show|briefing INC"
        ),
        show_default=False,
    ),
]
Confirmed = Annotated[
    bool, typer.Option("--confirmed", help="Close: you stand for the cause; needs --evidence.")
]


def incident(
    call: Call,
    action: Annotated[str, typer.Argument(metavar=_ACTIONS, show_default=False)] = "list",
    words: Words = None,
    *,
    alert: Annotated[str | None, _many("--alert", "SOURCE:ID", "Open: from this alert.")] = None,
    service: Annotated[str | None, _many("--service", "NAME", "Open: which service fails.")] = None,
    environment: Annotated[str | None, _many("--env", "NAME", "Open: where, such as prod.")] = None,
    version: Annotated[str | None, _many("--version", "V", "The version that runs.")] = None,
    signal: Annotated[Many, _many("--signal", "NAME", "An alert's name; may be given again.")] = None,
    entity: Annotated[Many, _many("--entity", "NAME", "What it concerns; may be given again.")] = None,
    audience: Annotated[Many, _many("--audience", "WHO", "Open: who may read it, besides you.")] = None,
    tool: Annotated[str | None, _many("--tool", "NAME", "Observe: what was asked.")] = None,
    query: Annotated[str | None, _many("--query", "Q", "Observe: what it was asked.")] = None,
    kind: Annotated[str, _many("--kind", "KIND", "Observe: observation, action, attempt.")] = "observation",
    at: Annotated[str | None, _many("--at", "TIME", "When it was seen, if not now.")] = None,
    url: Annotated[str | None, _many("--url", "URL", "Look: where the tool answers.")] = None,
    token: Annotated[str | None, _many("--token", "env:NAME", "Look: its bearer, by reference.")] = None,
    file: Annotated[str | None, _many("--file", "PATH", "Look: a file of logs or traces.")] = None,
    since: Annotated[str | None, _many("--since", "TIME", "Look, gather: from when.")] = None,
    until: Annotated[str | None, _many("--until", "TIME", "Look, gather: until when.")] = None,
    outcome: Annotated[str | None, _many("--outcome", "TEXT", "Observe: what an action did.")] = None,
    evidence: Annotated[Many, _many("--evidence", "ID", "What it rests on; propose: more episodes.")] = None,
    against: Annotated[Many, _many("--against", "ID", "Hypothesis: what speaks against it.")] = None,
    reason: Annotated[str, _many("--reason", "WHY", "Verdict, propose: why.")] = "",
    plan: Annotated[Many, _many("--plan", "STEP", "Checkpoint: what is to do.")] = None,
    done: Annotated[Many, _many("--done", "STEP", "Checkpoint: what is done.")] = None,
    question: Annotated[Many, _many("--question", "Q", "Checkpoint: what is open.")] = None,
    cause: Annotated[str | None, _many("--cause", "TEXT", "Close: the root cause.")] = None,
    check: Annotated[str | None, _many("--check", "TEXT", "Close: how to see if it is so again.")] = None,
    condition: Annotated[Many, _many("--condition", "TEXT", "Close: where this holds.")] = None,
    misleading: Annotated[Many, _many("--misleading", "TEXT", "Close: what looked like it.")] = None,
    confirmed: Confirmed = False,
    budget: Annotated[int, typer.Option(metavar="TOKENS", help="Briefing: never exceeded.")] = 1000,
) -> int:
    """Investigate: keep what is observed, supposed and done, and be briefed from history.

    Observations are never changed. A briefing's hints are history, not evidence: judge each by what you see.
    Exit 3 for an incident that is not there or not for you; which of the two is never said.
    """
    when, evidence_, signals = read_instant("--at", at), tuple(evidence or ()), tuple(signal or ())
    entities, audience_ = tuple(entity or ()), tuple(audience or ())
    to_do, is_done, asked = (tuple(one or ()) for one in (plan, done, question))
    held, misled = tuple(condition or ()), tuple(misleading or ())
    said = Said(
        Start("", alert, service, environment, version, signals, entities, audience_, "", when),
        Observed("", tool, query, kind, when, version, signals, entities, outcome, evidence_),
        Reached("", to_do, is_done, asked, evidence_),
        Ending(cause, evidence_, "", held, misled, check, "me" if confirmed else None),
        evidence_,
        tuple(against or ()),
        reason,
        budget,
        Looked("", "", url, token, file, read_instant("--since", since), read_instant("--until", until)),
    )
    act = _act(action)
    with reading(call) as view:
        found = act(view, _texts(words or []), said)
    give(found, investigation.told(found), as_json=call.json)
    return Exit.DONE


def _act(action: str) -> Act:
    if action not in _ACTS:
        raise Usage(f"incident {action!r} is unknown: use {_ACTIONS}")
    return _ACTS[action]


def _texts(words: Sequence[str]) -> list[str]:
    return [one.encode("utf-8", "replace").decode() for one in words]


Act = Callable[["View", Sequence[str], Said], Value | Sequence[Value]]


def _listed(view: View, words: Sequence[str], said: Said) -> Sequence[Value]:
    del said
    _only(words, 0, "list")
    return view.incidents.every()


def _opened(view: View, words: Sequence[str], said: Said) -> Value:
    _only(words, 1, "open TITLE, or open --alert SOURCE:ID", least=0)
    return view.incidents.open(said.started(words[0] if words else ""))


def _observed(view: View, words: Sequence[str], said: Said) -> Value:
    _only(words, 2, "observe INC TEXT; - reads the text")
    text = sys.stdin.read() if words[1] == "-" else words[1]
    return view.incidents.observe(words[0], said.observed(text))


def _looked(view: View, words: Sequence[str], said: Said) -> Value:
    form = "look INC prometheus|alertmanager|kubernetes|loki|jaeger|github|gitlab QUERY --url URL"
    _only(words, 3, f"{form}, or look INC log|otlp [QUERY] --file PATH", least=2)
    return view.incidents.look(words[0], said.looked(words[1], words[2] if len(words) > 2 else ""))


def _gathered(view: View, words: Sequence[str], said: Said) -> Value:
    _only(words, 101, "gather INC [SERVICE…] [--since TIME] [--until TIME]", least=1)
    return view.incidents.gather(words[0], words[1:], said.at.since, said.at.until)


def _supposed(view: View, words: Sequence[str], said: Said) -> Value:
    _only(words, 2, "hypothesis INC TEXT")
    return view.incidents.hypothesis(words[0], words[1], said.evidence, said.against)


def _judged(view: View, words: Sequence[str], said: Said) -> Value:
    _only(words, 3, "verdict INC ID VERDICT")
    return view.incidents.verdict(words[0], words[1], words[2], said.evidence, said.reason)


def _checkpointed(view: View, words: Sequence[str], said: Said) -> Value:
    _only(words, 2, "checkpoint INC GOAL")
    return view.incidents.checkpoint(words[0], said.reaching(words[1]))


def _closed(view: View, words: Sequence[str], said: Said) -> Value:
    _only(words, 2, "close INC RESULT")
    return view.incidents.close(words[0], said.ended(words[1]))


def _proposed(view: View, words: Sequence[str], said: Said) -> Value:
    _only(words, 21, "propose EPISODE STEP… --reason WHY", least=2)
    return view.incidents.propose(words[0], words[1:], said.reason, said.evidence)


def _briefed(view: View, words: Sequence[str], said: Said) -> Value:
    _only(words, 1, "briefing INC")
    return view.incidents.briefing(words[0], said.budget)


def _shown(view: View, words: Sequence[str], said: Said) -> Value:
    del said
    _only(words, 1, "show INC")
    return view.incidents.show(words[0])


def _resumed(view: View, words: Sequence[str], said: Said) -> Value:
    del said
    _only(words, 1, "resume INC")
    return view.incidents.resume(words[0])


def _only(words: Sequence[str], most: int, form: str, *, least: int | None = None) -> None:
    if not (most if least is None else least) <= len(words) <= most:
        raise Usage(f"use: muniment incident {form}")


_ACTS: Final[Mapping[str, Act]] = {
    "list": _listed,
    "open": _opened,
    "observe": _observed,
    "look": _looked,
    "gather": _gathered,
    "hypothesis": _supposed,
    "verdict": _judged,
    "checkpoint": _checkpointed,
    "resume": _resumed,
    "close": _closed,
    "propose": _proposed,
    "show": _shown,
    "briefing": _briefed,
}


def topology(
    call: Call,
    entities: Annotated[list[str], typer.Argument(metavar="ENTITY", show_default=False)],
    *,
    at: Annotated[
        str | None, typer.Option(metavar="TIME", help="As it was then.", show_default=False)
    ] = None,
) -> int:
    """Show what a service leans on and what leans on it; of several, what they all lean on.

    Exit 3 for one that nothing you may read names.
    """
    with reading(call) as view:
        desk = view.incidents
        found: Value = (
            desk.topology(entities[0], at) if len(entities) == 1 else desk.fault_domain(entities, at)
        )
    give(found, investigation.told(found), as_json=call.json)
    return Exit.DONE


def unused(call: Call) -> int:
    """List what is remembered of incidents and was of no use: never adopted, refuted, or over."""
    with reading(call) as view:
        found = view.incidents.unused()
    give(found, investigation.told(found), as_json=call.json)
    if not (found or call.json):
        say("nothing that you may read is unused")
    return Exit.DONE


def recurring(call: Call) -> int:
    """List causes of incidents that came back and that no procedure was proposed for."""
    with reading(call) as view:
        found = view.incidents.recurring()
    give(found, investigation.told(found), as_json=call.json)
    if not (found or call.json):
        say("nothing that you may read came back three times")
    return Exit.DONE


def duplicates(call: Call) -> int:
    """List pairs of what is remembered of incidents that may be one."""
    with reading(call) as view:
        found = view.incidents.duplicates()
    give(found, investigation.told(found), as_json=call.json)
    if not (found or call.json):
        say("nothing that you may read is there twice")
    return Exit.DONE
