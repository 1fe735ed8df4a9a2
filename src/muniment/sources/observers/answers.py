"""The observers over HTTP: what each asks, and the lines that its answer becomes."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Final
from urllib.parse import quote

from muniment.domain.errors import Unavailable, Usage
from muniment.sources.http import Site
from muniment.sources.observers.seen import Window
from muniment.sources.observers.traces import Step, in_lines

__all__ = ["ANSWERS"]

Object = Mapping[str, object]
Observer = Callable[[Site, str, Window], Iterable[str]]
_JAEGER: Final[Mapping[str, str]] = {"operation": "operation", "min": "minDuration", "max": "maxDuration"}


def _prometheus(site: Site, query: str, over: Window) -> Iterator[str]:
    """An expression at this instant: each series with its value."""
    answer = _asked(site, "api/v1/query", {"query": query, "time": str(over.until.timestamp())})
    found = _part(answer, "data").get("result")
    if isinstance(found, list) and len(found) == 2 and isinstance(found[1], str):
        yield str(found[1])  # a scalar: [time, value]
        return
    for one in _objects(found):
        value = one.get("value")
        held = value[1] if isinstance(value, list) and len(value) > 1 else "?"
        yield f"{_labels(_part(one, 'metric'))} {held}"


def _alertmanager(site: Site, query: str, over: Window) -> Iterator[str]:
    """The alerts that a matcher such as service="checkout" selects; all of them if there is none."""
    del over
    params = {"filter": query} if query else {}
    for one in _objects(_json(site, "api/v2/alerts", params)):
        state = _part(one, "status").get("state")
        yield f"{one.get('startsAt')} {state} {_labels(_part(one, 'labels'))}"


def _kubernetes(site: Site, query: str, over: Window) -> Iterator[str]:
    """The events of a namespace."""
    del over
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


def _loki(site: Site, query: str, over: Window) -> Iterator[str]:
    """The lines that a query selects, the newest 500."""
    span = {"start": _nanoseconds(over.since), "end": _nanoseconds(over.until), "direction": "backward"}
    answer = _asked(site, "loki/api/v1/query_range", {"query": query, "limit": "500", **span})
    for stream in _objects(_part(answer, "data").get("result")):
        values = stream.get("values")
        for one in values if isinstance(values, list) else []:
            if isinstance(one, list) and len(one) > 1:
                yield f"{one[0]} {_labels(_part(stream, 'stream'))} {one[1]}"


def _jaeger(site: Site, query: str, over: Window) -> Iterator[str]:
    """The traces of a service, and the way to what failed in each.

    SERVICE [operation=NAME] [min=500ms] [max=2s] [TAG=VALUE …], or trace=ID.
    """
    path, params = _jaeger_asked(query, over)
    return in_lines(_jaeger_steps(_asked(site, path, params).get("data")))


def _jaeger_asked(query: str, over: Window) -> tuple[str, dict[str, str]]:
    try:
        words = shlex.split(query)
    except ValueError as error:
        raise Usage(f"{query!r} cannot be read: {error}") from None
    if len(words) == 1 and words[0].startswith("trace="):
        trace = words[0].removeprefix("trace=")
        _require_name(trace)
        return f"api/traces/{trace}", {}
    pairs = [one.partition("=")[::2] for one in words[1:]]
    if not words or not all(name and value for name, value in pairs):
        raise Usage(f"{query!r} is not SERVICE [operation=NAME] [min=500ms] [TAG=VALUE], or trace=ID")
    tags = {name: value for name, value in pairs if name not in _JAEGER}
    return "api/traces", {
        "service": words[0],
        "limit": "50",
        "start": str(int(over.since.timestamp() * 1e6)),
        "end": str(int(over.until.timestamp() * 1e6)),
        **{_JAEGER[name]: value for name, value in pairs if name in _JAEGER},
        **({"tags": json.dumps(tags, sort_keys=True)} if tags else {}),
    }


def _jaeger_steps(traces: object) -> Iterator[Step]:
    for trace in _objects(traces):
        processes = _part(trace, "processes")
        for span in _objects(trace.get("spans")):
            parents = [one for one in _objects(span.get("references")) if one.get("refType") == "CHILD_OF"]
            yield Step(
                trace=str(trace.get("traceID")),
                id=str(span.get("spanID")),
                parent=str(parents[0].get("spanID")) if parents else None,
                service=str(_part(processes, str(span.get("processID"))).get("serviceName") or "?"),
                name=str(span.get("operationName")),
                start=_whole(span, "startTime"),
                took=_whole(span, "duration"),
                has_failed=_has_failed(span),
            )


def _github(site: Site, query: str, over: Window) -> Iterator[str]:
    """The latest workflow runs of a repository, OWNER/NAME."""
    del over
    owner, _, name = query.partition("/")
    for part in (owner, name):
        _require_name(part)
    for one in _objects(_asked(site, f"repos/{query}/actions/runs", {"per_page": "30"}).get("workflow_runs")):
        sha = str(one.get("head_sha"))[:12]
        how = one.get("conclusion") or one.get("status")
        yield f"{one.get('run_started_at')} {one.get('name')} {one.get('head_branch')} {sha} {how}"


def _gitlab(site: Site, query: str, over: Window) -> Iterator[str]:
    """The latest pipelines of a project, GROUP/NAME."""
    del over
    for part in query.split("/"):
        _require_name(part)
    found = _json(site, f"api/v4/projects/{quote(query, safe='')}/pipelines", {"per_page": "30"})
    for one in _objects(found):
        sha = str(one.get("sha"))[:12]
        yield f"{one.get('created_at')} {one.get('source')} {one.get('ref')} {sha} {one.get('status')}"


ANSWERS: Final[Mapping[str, Observer]] = {
    "prometheus": _prometheus,
    "alertmanager": _alertmanager,
    "kubernetes": _kubernetes,
    "loki": _loki,
    "jaeger": _jaeger,
    "github": _github,
    "gitlab": _gitlab,
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


def _whole(span: Object, name: str) -> int:
    found = span.get(name)
    return found if isinstance(found, int) else 0


def _has_failed(span: Object) -> bool:
    """By the tag that clients of Jaeger set, or the status that OpenTelemetry's do."""
    tags = {str(tag.get("key")): tag.get("value") for tag in _objects(span.get("tags"))}
    return tags.get("error") in (True, "true") or tags.get("otel.status_code") == "ERROR"


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
