"""What a process answered and how long it took, in Prometheus' text format, and no name in the record."""

from __future__ import annotations

import bisect
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from muniment.domain.values import Status
from muniment.surfaces.http.logs import Line

__all__ = ["REQUEST_ID", "Counted", "Counting"]

REQUEST_ID = "muniment.request"  # where a request's id lies in its scope

_BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


@dataclass(slots=True)
class Counted:
    """Requests by route and status, and their durations by route."""

    _requests: Counter[tuple[str, str, int]] = field(default_factory=Counter)
    _within: dict[str, list[int]] = field(default_factory=dict)
    _seconds: dict[str, float] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, method: str, route: str, status: int, took: float) -> None:
        """Count one request."""
        with self._lock:
            self._requests[method, route, status] += 1
            self._within.setdefault(route, [0] * (len(_BOUNDS) + 1))[bisect.bisect_left(_BOUNDS, took)] += 1
            self._seconds[route] = self._seconds.get(route, 0.0) + took

    def text(self, status: Status) -> str:
        """All of it, with how the record stands."""
        with self._lock:
            lines = [*self._counts(), *self._durations()]
        return "\n".join([*lines, *_standing(status), ""])

    def _counts(self) -> Iterator[str]:
        yield "# TYPE muniment_http_requests_total counter"
        for (method, route, code), count in sorted(self._requests.items()):
            yield f'muniment_http_requests_total{{method="{method}",route="{route}",status="{code}"}} {count}'

    def _durations(self) -> Iterator[str]:
        name = "muniment_http_request_seconds"
        yield f"# TYPE {name} histogram"
        for route, within in sorted(self._within.items()):
            total = 0
            for bound, count in zip((*map(str, _BOUNDS), "+Inf"), within, strict=True):
                total += count
                yield f'{name}_bucket{{route="{route}",le="{bound}"}} {total}'
            yield f'{name}_sum{{route="{route}"}} {self._seconds[route]:.6f}'
            yield f'{name}_count{{route="{route}"}} {total}'


def _standing(status: Status) -> Iterator[str]:
    gauges = {
        "queue_waiting": status.queue.waiting,
        "queue_running": status.queue.running,
        "queue_dead": status.queue.dead,
        "pending_audience": status.pending_audience,
        "vectors_behind": status.vectors_behind,
        "quarantined": status.quarantined,
        "candidates": status.candidates,
        "stale": status.stale,
        "conflicts": status.conflicts,
        "workers": status.workers,
    }
    for name, value in gauges.items():
        yield f"# TYPE muniment_{name} gauge"
        yield f"muniment_{name} {value}"
    states = Counter(source.state for source in status.sources)
    yield "# TYPE muniment_sources gauge"
    # Each state, none left out at nothing: an alarm must see it go back.
    for state in ("current", "behind", "failing", "paused"):
        yield f'muniment_sources{{state="{state}"}} {states[state]}'
    yield from _replicas(status)


def _replicas(status: Status) -> Iterator[str]:
    """By their numbers in the setting: where a database is need not be told to whoever draws figures."""
    states = Counter(one.state for one in status.replicas)
    yield "# TYPE muniment_replicas gauge"
    for state in ("current", "behind", "unfit", "away"):
        yield f'muniment_replicas{{state="{state}"}} {states[state]}'
    for number, one in enumerate(status.replicas, 1):
        # Without a figure nobody knows how far it is, and nothing is drawn.
        if one.behind_bytes is not None:
            yield f'muniment_replica_behind_bytes{{replica="{number}"}} {one.behind_bytes}'
        for end, times in {"made": one.reads, "lost": one.lost, "passed": one.passed}.items():
            yield f'muniment_replica_reads_total{{replica="{number}",end="{end}"}} {times}'


@dataclass(frozen=True, slots=True)
class Counting:
    """An application whose requests are counted and logged, by their route and never by what was asked."""

    app: ASGIApp
    counted: Counted
    ticks: Callable[[], float]
    line: Line | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, code = self.ticks(), 500

        async def seen(message: Message) -> None:
            nonlocal code
            if message["type"] == "http.response.start":
                code = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, seen)
        finally:
            self._note(scope, code, self.ticks() - began)

    def _note(self, scope: Scope, code: int, took: float) -> None:
        route = _route(scope)
        self.counted.add(scope["method"], route, code, took)
        if self.line is not None:
            name = scope.get(REQUEST_ID)
            self.line(
                request=name, method=scope["method"], route=route, status=code, ms=round(took * 1000, 1)
            )


def _route(scope: Scope) -> str:
    """The pattern of the route that was taken; what no route takes is one."""
    if (found := getattr(scope.get("route"), "path", None)) is not None:
        return str(found)
    first = scope["path"].split("/")[1]
    return {"hooks": "/hooks/{source}", "mcp": "/mcp"}.get(first, "other")
