"""Prometheus, asked questions that somebody wrote down, at each pull."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlencode

from muniment.domain.errors import Malformed, Unavailable
from muniment.domain.times import format_instant, parse_duration
from muniment.sources.connector import Configured, Cursor, Listing, Page
from muniment.sources.parsed import Event
from muniment.sources.prometheus.answers import lines_of, windows
from muniment.sources.wire import told
from muniment.sources.wire.ask import Asked
from muniment.sources.wire.mapping import parse_mapping, stated
from muniment.sources.wire.told import Object

__all__ = ["Prometheus", "Query", "parse_queries"]

_CONTAINER: Final = "prometheus"


@dataclass(frozen=True, slots=True)
class Query:
    """A question with a name; `over` a stretch of time in steps, or at one instant."""

    name: str
    expression: str
    over: timedelta | None = None
    step: timedelta | None = None


def parse_queries(said: str) -> tuple[Query, ...]:
    """Lines `NAME: EXPRESSION`, or `NAME over 6h step 5m: EXPRESSION`. Malformed names the wrong one."""
    lines = [line.strip() for line in said.split("\n")]
    found = tuple(_query(line) for line in lines if line and not line.startswith("#"))
    if len({one.name for one in found}) < len(found):
        raise Malformed("queries: two of them have one name")
    return found


def _query(line: str) -> Query:
    head, colon, expression = line.partition(":")
    words = head.split()
    try:
        match words:
            case [name] if colon and expression.strip():
                return Query(name, expression.strip())
            case [name, "over", over, "step", step] if colon and expression.strip():
                return Query(name, expression.strip(), parse_duration(over), parse_duration(step))
    except ValueError as error:
        raise Malformed(f"queries: {line[:100]!r}: {error}") from None
    raise Malformed(f"queries: {line[:100]!r} is not NAME: EXPRESSION, or NAME over 6h step 5m: EXPRESSION")


@dataclass(frozen=True, slots=True)
class _Answer:
    results: tuple[Object, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Prometheus:
    """One server and the questions it is asked."""

    configured: Configured

    def pull(self, cursor: Cursor | None) -> Iterator[Page]:
        """An observation for each question whose answer is another than last time."""
        prints = {name: said for name, said in told.part(cursor, "prints").items() if isinstance(said, str)}
        mapped = parse_mapping(self.configured.settings.get("audiences", ""))
        now, asked, failed = self.configured.clock(), self._asked(), []
        source = self.configured.source
        yield Page(tuple(stated(mapped, source, _CONTAINER, format_instant(now))), {"prints": prints})
        for query in parse_queries(self.configured.require("queries")):
            try:
                answer = _ask(asked, query, now)
            except Malformed as error:
                failed.append(f"{query.name}: {error}")
                continue
            event = _event(source, query, answer, now)
            print_ = hashlib.sha256(str(event["body"]).encode("utf-8", "replace")).hexdigest()[:16]
            parsed = () if prints.get(query.name) == print_ else (event,)
            prints = {**prints, query.name: print_}
            yield Page(parsed, {"prints": prints}, seen=1)
        if failed:
            raise Unavailable(f"source {source!r}: {'; '.join(failed)[:500]}")
        yield Page((), {"prints": prints}, through=now)

    def sweep(self) -> Iterator[Listing]:
        """Nothing: what was observed stays observed."""
        return iter(())

    def _asked(self) -> Asked:
        settings = self.configured.settings
        token = self.configured.secret("token") if settings.get("token") else ""
        headers = {"authorization": f"Bearer {token}"} if token else {}
        return Asked(self.configured.source, self.configured.require("url"), headers)


def _ask(asked: Asked, query: Query, now: datetime) -> _Answer:
    if query.over is None or query.step is None:
        return _joined([_answer(asked, "query", {"query": query.expression, "time": now.timestamp()})])
    step = query.step.total_seconds()
    # On the grid of the step, so that two pulls ask for the same points.
    end = now.timestamp() // step * step
    start = end - query.over.total_seconds()
    return _joined([
        _answer(asked, "query_range", {"query": query.expression, "start": first, "end": last, "step": step})
        for first, last in windows(start, end, step)
    ])  # fmt: skip


def _answer(asked: Asked, verb: str, said: dict[str, str | float]) -> Object:
    reply = asked.get(f"api/v1/{verb}?{urlencode(said)}")
    answer = told.as_object(reply.json())
    if reply.status >= 400 or told.text(answer, "status") != "success":
        kind, why = told.text(answer, "errorType") or "error", told.text(answer, "error") or "no reason given"
        raise Malformed(f"{kind}, {why[:200]} (status {reply.status})")
    return answer


def _joined(answers: Sequence[Object]) -> _Answer:
    warnings = [one for answer in answers for one in _texts(answer.get("warnings"))]
    return _Answer(tuple(told.part(answer, "data") for answer in answers), tuple(dict.fromkeys(warnings)))


def _texts(value: object) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _event(source: str, query: Query, answer: _Answer, now: datetime) -> Event:
    lines = lines_of(answer.results)
    warned = [f"warning, the answer may be partial: {one}" for one in answer.warnings]
    body, is_cut = told.clipped("\n".join([*(lines or ["no series"]), *warned]))
    at = format_instant(now)
    metadata = {"query": query.expression, **({"truncated": True} if is_cut else {})}
    return {
        "source": source, "id": f"{query.name}/{at}", "op": "upsert", "kind": "observation", "at": at,
        "created_at": at, "title": query.name, "body": body, "container": _CONTAINER, "thread": query.name,
        "metadata": metadata,
    }  # fmt: skip
