"""The observers: what each asks, and the lines that its answer becomes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from muniment.domain.errors import Unavailable, Usage
from muniment.sources.http import Site

__all__ = ["LONGEST", "OBSERVERS", "Seen", "look"]

LONGEST: Final = 19_000  # characters of an answer; an entry of the ledger holds a little more
_MOST: Final = 1_000  # lines of it
_SPAN: Final = timedelta(hours=1)  # that logs and traces are looked back
Object = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Seen:
    """What was asked, and what was answered. `left` counts the lines that were cut."""

    tool: str
    query: str
    text: str
    left: int


Observer = Callable[[Site, str, datetime], Iterable[str]]


def look(site: Site, tool: str, query: str, now: datetime) -> Seen:
    """Ask once. Raises Throttled, Unauthorised or Unavailable where there is no answer."""
    observer = OBSERVERS.get(tool)
    if observer is None:
        raise Usage(f"observer {tool!r} is unknown: use {', '.join(OBSERVERS)}")
    lines = sorted(observer(site, query, now)) or ["nothing"]
    kept = _within(lines)
    left = len(lines) - len(kept)
    text = "\n".join([*kept, *([f"… and {left} lines more"] if left else [])])
    return Seen(tool, query, text, left)


def _within(lines: list[str]) -> list[str]:
    kept: list[str] = []
    size = 0
    for line in lines[:_MOST]:
        size += len(line) + 1
        if kept and size > LONGEST - 100:
            break
        kept.append(line[: LONGEST - 100])
    return kept


def _prometheus(site: Site, query: str, now: datetime) -> Iterator[str]:
    """An expression at this instant: each series with its value."""
    answer = _asked(site, "api/v1/query", {"query": query, "time": str(now.timestamp())})
    found = _part(answer, "data").get("result")
    if isinstance(found, list) and len(found) == 2 and isinstance(found[1], str):
        yield str(found[1])  # a scalar: [time, value]
        return
    for one in _objects(found):
        value = one.get("value")
        held = value[1] if isinstance(value, list) and len(value) > 1 else "?"
        yield f"{_labels(_part(one, 'metric'))} {held}"


def _alertmanager(site: Site, query: str, now: datetime) -> Iterator[str]:
    """The alerts that a matcher such as service="checkout" selects; all of them if there is none."""
    del now
    params = {"filter": query} if query else {}
    for one in _objects(_json(site, "api/v2/alerts", params)):
        state = _part(one, "status").get("state")
        yield f"{one.get('startsAt')} {state} {_labels(_part(one, 'labels'))}"


def _kubernetes(site: Site, query: str, now: datetime) -> Iterator[str]:
    """The events of a namespace."""
    del now
    _require_name(query)
    for one in _objects(_asked(site, f"api/v1/namespaces/{query}/events", {"limit": "500"}).get("items")):
        about = _part(one, "involvedObject")
        when = (
            one.get("lastTimestamp")
            or one.get("eventTime")
            or _part(one, "metadata").get("creationTimestamp")
        )
        what = f"{about.get('kind')}/{about.get('name')}"
        how = f"{one.get('type')} {what} {one.get('reason')} x{one.get('count') or 1}"
        yield f"{when} {how}: {one.get('message')}"


def _loki(site: Site, query: str, now: datetime) -> Iterator[str]:
    """The lines of the last hour that a query selects."""
    span = {"start": _nanoseconds(now - _SPAN), "end": _nanoseconds(now)}
    answer = _asked(site, "loki/api/v1/query_range", {"query": query, "limit": "500", **span})
    for stream in _objects(_part(answer, "data").get("result")):
        values = stream.get("values")
        for one in values if isinstance(values, list) else []:
            if isinstance(one, list) and len(one) > 1:
                yield f"{one[0]} {_labels(_part(stream, 'stream'))} {one[1]}"


def _jaeger(site: Site, query: str, now: datetime) -> Iterator[str]:
    """The traces of a service in the last hour: the longest span of each, and what failed in it."""
    span = {"start": str(int((now - _SPAN).timestamp() * 1e6)), "end": str(int(now.timestamp() * 1e6))}
    answer = _asked(site, "api/traces", {"service": query, "limit": "50", **span})
    for trace in _objects(answer.get("data")):
        spans = _objects(trace.get("spans"))
        longest = max(spans, key=_duration, default={})
        failed = sorted({str(one.get("operationName")) for one in spans if _has_failed(one)})
        yield (
            f"{trace.get('traceID')} {longest.get('operationName')} {_duration(longest)} us"
            f" failed: {', '.join(failed) or 'none'}"
        )


def _github(site: Site, query: str, now: datetime) -> Iterator[str]:
    """The latest workflow runs of a repository, OWNER/NAME."""
    del now
    owner, _, name = query.partition("/")
    for part in (owner, name):
        _require_name(part)
    for one in _objects(_asked(site, f"repos/{query}/actions/runs", {"per_page": "30"}).get("workflow_runs")):
        sha = str(one.get("head_sha"))[:12]
        how = one.get("conclusion") or one.get("status")
        yield f"{one.get('run_started_at')} {one.get('name')} {one.get('head_branch')} {sha} {how}"


OBSERVERS: Final[Mapping[str, Observer]] = {
    "prometheus": _prometheus,
    "alertmanager": _alertmanager,
    "kubernetes": _kubernetes,
    "loki": _loki,
    "jaeger": _jaeger,
    "github": _github,
}


def _json(site: Site, path: str, params: Mapping[str, str]) -> object:
    return site.get(path, params=params).json()


def _asked(site: Site, path: str, params: Mapping[str, str]) -> Object:
    answer = _json(site, path, params)
    if not isinstance(answer, dict):
        raise Unavailable(f"{path.partition('?')[0]} answered with {type(answer).__name__}, not an object")
    return answer


def _part(said: Object, name: str) -> Object:
    found = said.get(name)
    return found if isinstance(found, dict) else {}


def _objects(value: object) -> list[Object]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _labels(labels: Object) -> str:
    return "{" + ", ".join(f"{name}={labels[name]!s}" for name in sorted(labels)) + "}"


def _duration(span: Object) -> int:
    found = span.get("duration")
    return found if isinstance(found, int) else 0


def _has_failed(span: Object) -> bool:
    return any(tag.get("key") == "error" and tag.get("value") is True for tag in _objects(span.get("tags")))


def _nanoseconds(at: datetime) -> str:
    return f"{int(at.timestamp())}000000000"


def _require_name(part: str) -> None:
    """A name in a path stays a name: nothing in it leads elsewhere."""
    if (
        not part
        or not all(sign.isascii() and (sign.isalnum() or sign in "-_.") for sign in part)
        or ".." in part
    ):
        raise Usage(f"{part!r} is no name of a namespace, an owner or a repository")
