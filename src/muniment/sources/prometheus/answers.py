"""What Prometheus answers to a query, as an observation in words. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from muniment.sources.wire import told
from muniment.sources.wire.told import Object

__all__ = ["MOST_POINTS", "lines_of", "windows"]

MOST_POINTS: Final = 11_000  # of one series in one answer; a question for more is refused
_MOST_SERIES: Final = 1_000  # lines of one observation; more are counted


def windows(start: float, end: float, step: float) -> Iterator[tuple[float, float]]:
    """The stretch in pieces that each may be asked for, none of whose points is asked for twice."""
    points = math.floor((end - start) / step) + 1
    for first in range(0, points, MOST_POINTS):
        last = min(first + MOST_POINTS, points) - 1
        yield start + first * step, start + last * step


def lines_of(results: Sequence[Object]) -> list[str]:
    """A line for each series: its value, or over a stretch its least, greatest and last."""
    series: dict[str, list[object]] = {}
    for result in results:
        for name, values in _series(result):
            series.setdefault(name, []).extend(values)
    shown = [f"{name} {_told(series[name])}" for name in sorted(series)[:_MOST_SERIES]]
    more = len(series) - len(shown)
    return [*shown, f"and {more} more series"] if more > 0 else shown


def _series(result: Object) -> Iterator[tuple[str, list[object]]]:
    kind, found = told.text(result, "resultType"), result.get("result")
    if kind in ("scalar", "string") and isinstance(found, list) and len(found) == 2:
        yield kind, [found[1]]
        return
    for one in told.listed(result, "result"):
        values = one.get("values", one.get("histograms"))
        many = values if isinstance(values, list) else [one.get("value", one.get("histogram"))]
        pairs = [pair for pair in many if isinstance(pair, list) and len(pair) == 2]
        yield _named(told.part(one, "metric")), [value for _, value in pairs]


def _named(metric: Object) -> str:
    labels = {key: value for key, value in metric.items() if isinstance(value, str)}
    name = labels.pop("__name__", "")
    inside = ", ".join(f'{key}="{value}"' for key, value in sorted(labels.items()))
    return f"{name}{{{inside}}}" if inside or not name else name


def _told(values: Sequence[object]) -> str:
    """NaN and infinities are said as Prometheus says them, and are never the least or greatest."""
    plain = [value if isinstance(value, str) else _histogram(value) for value in values]
    if len(plain) < 2:
        return "".join(plain) or "no points"
    numbers = [(number, said) for said in plain if (number := _number(said)) is not None]
    if not numbers:
        return f"{plain[-1]} ({len(plain)} points)"
    least, greatest = min(numbers)[1], max(numbers)[1]
    odd = f", {len(plain) - len(numbers)} not finite" if len(numbers) < len(plain) else ""
    return f"{plain[-1]} (least {least}, greatest {greatest}, {len(plain)} points{odd})"


def _histogram(value: object) -> str:
    parts: Mapping[str, object] = told.as_object(value)
    return f"histogram of {told.name(parts, 'count') or 'no'}, sum {told.name(parts, 'sum') or 'unknown'}"


def _number(said: str) -> float | None:
    try:
        number = float(said)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
