"""What somebody does about an incident from its page: one form each, one entry each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from muniment.domain.errors import Usage
from muniment.domain.investigating import Ending, Observed, Reached, Start
from muniment.domain.times import read_instant
from muniment.surfaces.web.rendering import percent
from muniment.surfaces.web.visits import Gone, Visit

if TYPE_CHECKING:
    from muniment.app import View

__all__ = ["act", "open_incident"]

_TICKED: Final = "rests."  # the fields of ticked entries begin so: a form has each name once
_LONGEST: Final = 2_000  # characters of a field or line
_MOST_LINES: Final = 100
_Sent = Mapping[str, str]


def open_incident(visit: Visit) -> Gone:
    """Open an incident, or join the open one that the alert is part of."""
    sent = visit.sent
    start = Start(
        title=_text(sent, "title"),
        alert=_some(sent, "alert"),
        service=_some(sent, "service"),
        environment=_some(sent, "environment"),
        version=_some(sent, "version"),
        signals=_lines(sent, "signals"),
        audience=_lines(sent, "audience"),
        text=_text(sent, "text"),
    )
    opened = visit.view.incidents.open(start)
    return _back(opened.incident, opened.state)


def act(visit: Visit) -> Gone:
    """Hand in what was seen, supposed, judged, reached, or how it ended."""
    incident, (name, _, target) = visit.path["id"], visit.sent.get("act", "").partition(" ")
    view = visit.view
    # As it is: whoever may not see it learns nothing from what they sent being wrong.
    view.incidents.show(incident)
    if target:
        view.incidents.verdict(incident, target, name, _ticked(visit.sent), _text(visit.sent, "words"))
        return _back(incident, "judged")
    if name not in _ACTS:
        raise Usage(f"{name!r} is nothing to do about an incident: use {', '.join(_ACTS)}")
    _ACTS[name](view, incident, visit.sent)
    return _back(incident, name)


def _back(incident: str, done: str) -> Gone:
    return Gone(f"/incidents/{percent(incident)}?done={done}")


def _observe(view: View, incident: str, sent: _Sent) -> None:
    seen = Observed(
        text=_text(sent, "text"),
        tool=_some(sent, "tool"),
        query=_some(sent, "query"),
        kind=_some(sent, "kind") or "observation",
        outcome=_some(sent, "outcome"),
    )
    view.incidents.observe(incident, seen)


def _gather(view: View, incident: str, sent: _Sent) -> None:
    since, until = (read_instant(name, _some(sent, name)) for name in ("since", "until"))
    view.incidents.gather(incident, _lines(sent, "services"), since, until)


def _suppose(view: View, incident: str, sent: _Sent) -> None:
    view.incidents.hypothesis(incident, _text(sent, "words"), _ticked(sent))


def _doubt(view: View, incident: str, sent: _Sent) -> None:
    view.incidents.hypothesis(incident, _text(sent, "words"), (), _ticked(sent))


def _reach(view: View, incident: str, sent: _Sent) -> None:
    reached = Reached(
        _text(sent, "goal"), _lines(sent, "plan"), _lines(sent, "finished"), _lines(sent, "questions")
    )
    view.incidents.checkpoint(incident, reached)


def _close(view: View, incident: str, sent: _Sent) -> None:
    ending = Ending(
        cause=_some(sent, "cause"),
        evidence=_ticked(sent),
        result=_text(sent, "result"),
        conditions=_lines(sent, "conditions"),
        misleading=_lines(sent, "misleading"),
        check=_some(sent, "check"),
        confirmed_by="me" if sent.get("confirmed") else None,
    )
    view.incidents.close(incident, ending)


def _propose(view: View, incident: str, sent: _Sent) -> None:
    view.incidents.propose(incident, _lines(sent, "steps"), _text(sent, "reuse"))


_ACTS: Final[Mapping[str, Callable[[View, str, _Sent], None]]] = {
    "observe": _observe,
    "gather": _gather,
    "suppose": _suppose,
    "doubt": _doubt,
    "reach": _reach,
    "close": _close,
    "propose": _propose,
}


def _text(sent: _Sent, name: str) -> str:
    return sent.get(name, "").replace("\r\n", "\n").strip()


def _some(sent: _Sent, name: str) -> str | None:
    """A short text, if there is one."""
    text = _text(sent, name)
    if len(text) > _LONGEST:
        raise Usage(f"{name} has at most {_LONGEST:,} characters, not {len(text):,}")
    return text or None


def _lines(sent: _Sent, name: str) -> tuple[str, ...]:
    """What stands on each line of a field."""
    lines = tuple(line.strip() for line in _text(sent, name).split("\n") if line.strip())
    if len(lines) > _MOST_LINES or any(len(line) > _LONGEST for line in lines):
        raise Usage(f"{name} has at most {_MOST_LINES} lines of {_LONGEST:,} characters")
    return lines


def _ticked(sent: _Sent) -> tuple[str, ...]:
    return tuple(sorted(name.removeprefix(_TICKED) for name in sent if name.startswith(_TICKED)))
