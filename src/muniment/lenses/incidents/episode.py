"""What is kept of a finished investigation: its entries in order, none of them told anew. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from muniment.domain.investigating import Ending
from muniment.domain.times import format_instant
from muniment.domain.values import Json
from muniment.lenses.incidents.ledger import Row, entry_id, opening, text_of, texts_of

__all__ = ["missing", "said_of", "text_of_episode"]

_QUOTED = 600  # characters of an observation that are quoted; the whole of it stays in the ledger


def text_of_episode(rows: Sequence[Row], ending: Ending) -> str:
    """The episode as people read it."""
    return "\n\n".join(part for part in _parts(rows, ending) if part)


def _parts(rows: Sequence[Row], ending: Ending) -> Iterator[str]:
    head = opening(rows)
    yield _section("What was seen", [f"{head.title} at {format_instant(head.at)}.", *_seen(rows)])
    yield _section("Root cause", [_cause(head, ending)])
    yield _section("Evidence", [_quoted(row) for row in rows if entry_id(row.item) in ending.evidence])
    yield _section("What was misleading", [*ending.misleading, *_refuted(rows)])
    yield _section("What was tried and given up", _told(rows, "attempt"))
    yield _section("What was done", _told(rows, "action"))
    yield _section("Result", [ending.result])
    yield _section("Holds where", ending.conditions)


def _section(title: str, lines: Sequence[str]) -> str:
    return f"## {title}\n" + "\n".join(f"- {one}" for one in lines) if lines else ""


def _seen(rows: Sequence[Row]) -> list[str]:
    about = opening(rows).said
    signals = ", ".join(texts_of(about.get("signals")))
    where = text_of(about.get("environment"))
    return [*([f"Signals: {signals}."] if signals else []), *([f"Environment: {where}."] if where else [])]


def _cause(head: Row, ending: Ending) -> str:
    if ending.cause is None:
        return "It was not found."
    if ending.confirmed_by is None:
        return f"Suspected, and confirmed by nobody: {ending.cause}"
    return f"The root cause of “{head.title}” was: {ending.cause}"


def _quoted(row: Row) -> str:
    """The words of an observation on one line, so that none of them is a heading or a step."""
    words = " ".join((text_of(row.said.get("text")) or "").split())
    return f"{row.title}: “{words[:_QUOTED]}{'…' if len(words) > _QUOTED else ''}”"


def _refuted(rows: Sequence[Row]) -> list[str]:
    """The hypotheses that current evidence spoke against."""
    last = {row.said.get("target"): row.said.get("verdict") for row in rows if row.entry == "verdict"}
    return [
        f"Supposed and refuted: {text_of(row.said.get('text'))}"
        for row in rows
        if row.entry == "hypothesis" and last.get(entry_id(row.item)) == "refuted"
    ]


def _told(rows: Sequence[Row], entry: str) -> list[str]:
    return [
        " → ".join(part for part in (text_of(row.said.get("text")), text_of(row.said.get("outcome"))) if part)
        for row in rows
        if row.entry == entry
    ]


def said_of(rows: Sequence[Row], ending: Ending) -> dict[str, Json]:
    """What the episode says of itself beside its text, for recall."""
    about = opening(rows).said
    tools = {tool for row in rows if (tool := text_of(row.said.get("tool")))}
    entities = {one for row in rows for one in texts_of(row.said.get("entities"))}
    versions = [one for row in rows if (one := text_of(row.said.get("version")))]
    signals = dict.fromkeys(one for row in rows for one in texts_of(row.said.get("signals")))
    said: dict[str, Json] = {
        "cause": ending.cause,
        "confirmed_by": ending.confirmed_by,
        "check": ending.check,
        "environment": about.get("environment"),
        "version": versions[-1] if versions else None,
        "signals": [*signals],
        "entities": [*sorted(entities)],
        "tools": [*sorted(tools)],
        "evidence": [*ending.evidence],
        "conditions": [*ending.conditions],
        "actions": [*_told(rows, "action")],
        "result": ending.result,
    }
    return {name: one for name, one in said.items() if one}


def missing(said: dict[str, Json], service: str | None, reuse: str) -> list[str]:
    """What an episode lacks to become a candidate: reuse value, provenance, a verified cause, a scope."""
    lacks = []
    if len(reuse.split()) < 3:
        lacks.append("why it is of use again, in three words or more")
    if not said.get("evidence"):
        lacks.append("evidence")
    if not (said.get("cause") and said.get("confirmed_by")):
        lacks.append("a cause that a person confirmed")
    if not (service and said.get("signals") and said.get("environment")):
        lacks.append("a scope: service, signal and environment")
    return lacks
