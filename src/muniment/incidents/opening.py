"""Opening an incident: by hand or from an alert, once for what is one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from muniment.domain.audience import parse_audience
from muniment.domain.errors import Refused, Usage
from muniment.domain.events import ItemRef
from muniment.domain.incidents import Incident
from muniment.domain.investigating import Start
from muniment.domain.names import normal_name
from muniment.domain.times import format_instant
from muniment.domain.values import Json
from muniment.gate.reader import Hearing, Reader
from muniment.incidents.hand_in import Draft, Grounds, clean, digest, grounds_of
from muniment.index.projection import item_uuid
from muniment.jobs.loop import Work
from muniment.lenses.incidents.ledger import Row, incidents

__all__ = ["alerted", "draft_of", "open_already"]

_ENVIRONMENTS: Final = ("environment", "env", "cluster")
_VERSIONS: Final = ("version", "release")
_EXTERNAL: Final = "external_tool"


def alerted(reader: Reader, start: Start) -> tuple[Start, Grounds]:
    """The start, filled in from its alert where it says nothing itself. The alert's words are only quoted."""
    if start.alert is None:
        if not start.title.strip():
            raise Usage("an incident needs a title or an alert: say what is wrong, or --alert SOURCE:ID")
        return start, Grounds()
    row = _alert(reader, start.alert)
    labels = {name: one for name, one in row.labels.items() if isinstance(one, str)}
    named = labels.get("alertname")
    filled = replace(
        start,
        title=start.title or row.title or start.alert,
        service=start.service or row.service or labels.get("service"),
        environment=start.environment or _first(labels, _ENVIRONMENTS),
        version=start.version or _first(labels, _VERSIONS),
        signals=tuple(dict.fromkeys((*start.signals, *((named,) if named else ())))),
    )
    return filled, Grounds(frozenset({start.alert}), _EXTERNAL if row.kind == "alert" else None)


def _alert(reader: Reader, name: str) -> Row:
    source, colon, id_ = name.partition(":")
    item = item_uuid(reader.key, ItemRef(source, id_))
    rows = reader.rows(Row, "incidents", "items_with_labels", items=[item]) if colon else []
    if not rows:
        raise Refused(f"no alert {name!r} for this reader; name it as SOURCE:ID")
    return rows[0]


def _first(labels: Mapping[str, str], names: Sequence[str]) -> str | None:
    return next((labels[name] for name in names if labels.get(name)), None)


def open_already(reader: Reader, start: Start) -> Incident | None:
    """The open incident that this is part of, of those that this reader sees.

    The same alert is; and of a storm, whatever signals the same about the same service in one environment.
    """
    for one in incidents(reader):
        if one.state == "open" and (_is_same_alert(one, start) or _is_same_storm(one, start)):
            return one
    return None


def _is_same_alert(one: Incident, start: Start) -> bool:
    return start.alert is not None and one.alert == start.alert


def _is_same_storm(one: Incident, start: Start) -> bool:
    if start.alert is None or not start.signals or not start.service:
        return False
    return (
        normal_name(one.service or "") == normal_name(start.service)
        and one.environment == start.environment
        and not {normal_name(name) for name in start.signals}.isdisjoint(map(normal_name, one.signals))
    )


def draft_of(work: Work, reader: Reader, hearing: Hearing, start: Start, grounds: Grounds) -> Draft:
    """The entry that opens it, for whoever opens it and those they name."""
    author, at = reader.permitted.principal, start.at or work.clock()
    try:
        audience = parse_audience(sorted({author, *start.audience}))
    except ValueError as error:
        raise Usage(f"audience: {error}") from None
    title = clean(start.title, "a title", 300)
    text = start.text.strip() or title
    name = digest(
        work, "open", author, hearing.agent or "", title, start.alert or "", format_instant(at), text
    )
    said: dict[str, Json] = {
        "text": clean(text, "what is wrong"),
        "environment": start.environment,
        "version": start.version,
        "signals": [*start.signals],
        "entities": [*start.entities],
        "alert": start.alert,
        "audience": [*map(list, audience.as_lists())],  # type: ignore[list-item]  # texts are JSON
    }
    own = grounds_of(reader, hearing, (), f"{title}\n{text}") if hearing.agent or start.text else Grounds()
    return Draft(
        entry="opened",
        kind="observation",
        title=title,
        text=text,
        incident=f"inc-{name[:16]}",
        audience=audience.as_lists(),
        at=at,
        said={name: one for name, one in said.items() if one},
        grounds=grounds | own,
        id=f"incident/inc-{name[:16]}/opened",
        service=start.service,
    )
