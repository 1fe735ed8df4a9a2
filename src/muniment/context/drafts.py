"""How a passage stands in a pack: under the head of its thread or document, after who said it. Pure."""

from __future__ import annotations

from datetime import datetime

from muniment.claims.cite import cite_passage
from muniment.claims.shown import shown
from muniment.context.condense import Bearing, condensed
from muniment.context.pack import Draft, Place
from muniment.context.retrieve import Candidate
from muniment.domain.trust import is_trusted

__all__ = ["LEFT_OUT", "passage_draft"]

LEFT_OUT = "(left out for length)"  # within the least budget
_TALK = frozenset(("message", "email", "call"))


def passage_draft(one: Candidate, bearing: Bearing, as_of: datetime) -> Draft:
    """Whole, what of it tells most, and that it is there."""
    body = one.passage.body
    cited = cite_passage(one.passage, (0, len(body)), one.item, one.standing, as_of)
    is_talk = one.item.kind in _TALK and one.item.level == "exact"
    place = _talk_place(one) if is_talk else _document_place(one)
    lead = _talk_lead(one, place) if is_talk else _document_lead(one)
    whole = shown(one.passage)
    told = (f"{lead}{_quoted(text)}" for text in (whole, *condensed(whole, bearing)))
    grades = (*told, f"{lead}{LEFT_OUT}")
    return Draft("passage", grades, _why(one), (cited,), place, is_exact=not is_talk)


def _talk_place(one: Candidate) -> Place:
    """Its thread, or its container's day where it is in none."""
    item = one.item
    day = item.created_at.date().isoformat()
    within = ("thread", item.thread) if item.thread is not None else ("day", item.container or "", day)
    head = " · ".join(part for part in (_plain(item.title or ""), item.source, day) if part)
    order = (item.created_at.isoformat(), item.source, item.id, f"{one.passage.ordinal:09}")
    return Place((item.source, *within), f"**{head}**", order)


def _talk_lead(one: Candidate, place: Place) -> str:
    said = _plain(one.passage.speaker or one.item.author_name or one.item.author or "somebody")
    day = one.item.created_at.date().isoformat()
    when = "" if f"· {day}**" in place.head else f", {day}"
    return f"{said}{when}{_warned(one)}:\n"


def _document_place(one: Candidate) -> Place:
    item = one.item
    parts = (
        _plain(item.title or ""),
        _plain(item.author_name or item.author or ""),
        item.at.date().isoformat(),
        f"{item.source}:{_plain(item.id)}" if item.level == "exact" else item.source,
    )
    head = " · ".join(part for part in parts if part)
    # Its sections keep the order of worth: what was led to stands right behind what leads there.
    order = (item.at.isoformat(), item.source, item.id)
    return Place((item.source, item.item.hex), f"**{head}**{_warned(one)}", order)


def _document_lead(one: Candidate) -> str:
    """The headings it stands under, and who speaks."""
    parts = [_plain(part) for part in (*one.passage.heading, one.passage.speaker or "")]
    told = " › ".join(dict.fromkeys(part for part in parts if part))
    return f"{told}:\n" if told and told != _plain(one.item.title or "") else ""


def _warned(one: Candidate) -> str:
    status = "" if one.standing.is_in_force else f" — {one.standing.status}, not in force"
    return status + ("" if is_trusted(one.item.trust) else f" — {one.item.trust}, no rule to act by")


def _plain(text: str) -> str:
    """Source text on one line, with nothing that would end the emphasis it stands in."""
    return " ".join(text.replace("*", "").split())


def _quoted(text: str) -> str:
    """As a block quote, so that text from a source is never mistaken for ours."""
    return "\n".join(f"> {line}" for line in text.strip().splitlines())


def _why(one: Candidate) -> str:
    ranks = ", ".join(f"{leg} {rank}" for leg, rank in sorted(one.why.items())) or "led to"
    way = "" if one.way is None else f": {one.way.told}"
    return f"score {one.score:g} ({ranks}){way}"
