"""Bars as SVG, without a library: groups along the axis, one bar a condition, its interval as a whisker."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Protocol

from evals.shared import wilson

__all__ = ["Bar", "Chart", "Share", "bars", "share"]

_COLOURS = ("#8c8c8c", "#3b78b8", "#d1672a")
_LEFT, _TOP, _HIGH, _BAR, _GAP = 60, 64, 220, 26, 34
_LETTER = 6.5  # about as wide as a letter of a group's name


class Bar(Protocol):
    """A mean over n of something, with its interval."""

    @property
    def value(self) -> float: ...

    @property
    def low(self) -> float: ...

    @property
    def high(self) -> float: ...

    @property
    def n(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Share:
    """How many of n were right, with the interval that Wilson gives it."""

    value: float
    low: float
    high: float
    n: int


def share(right: float, n: int) -> Share:
    """A bar of a figure that is right out of n."""
    low, high = wilson(right, n)
    return Share(right / n if n else 0.0, low, high, n)


@dataclass(frozen=True, slots=True)
class Chart:
    """What a chart shows: groups of bars, and the value at its top."""

    title: str
    unit: str
    groups: Mapping[str, Sequence[Bar]]
    series: Sequence[str]
    top: float


def bars(chart: Chart) -> str:
    """The chart as an SVG document."""
    longest = max((len(name) for name in chart.groups), default=0)
    wide = max(len(chart.series) * _BAR + _GAP, longest * _LETTER + _BAR)
    width, height = _LEFT + wide * len(chart.groups) + 20, _TOP + _HIGH + 44
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" '
        f'viewBox="0 0 {width:.0f} {height}" font-family="Arial, DejaVu Sans, sans-serif" font-size="12">'
    )
    parts = [
        head,
        f'<rect width="{width:.0f}" height="{height}" fill="#ffffff"/>',
        f'<text x="12" y="20" font-size="14" font-weight="bold">{escape(chart.title)}</text>',
        *_legend(chart),
        *_axis(chart, width),
        *_groups(chart, wide),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _legend(chart: Chart) -> Iterator[str]:
    for place, name in enumerate(chart.series):
        x = 12 + place * 110
        yield f'<rect x="{x}" y="32" width="12" height="12" fill="{_COLOURS[place % len(_COLOURS)]}"/>'
        yield f'<text x="{x + 17}" y="42">{escape(name)}</text>'


def _axis(chart: Chart, width: float) -> Iterator[str]:
    for step in range(5):
        y = _TOP + _HIGH - _HIGH * step / 4
        yield f'<line x1="{_LEFT}" y1="{y:.1f}" x2="{width - 10}" y2="{y:.1f}" stroke="#dddddd"/>'
        label = f"{chart.top * step / 4:,.2f}" if chart.top <= 1 else f"{chart.top * step / 4:,.0f}"
        yield f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{label}</text>'
    yield f'<text x="{width - 10}" y="42" text-anchor="end" fill="#555555">{escape(chart.unit)}</text>'


def _groups(chart: Chart, wide: float) -> Iterator[str]:
    for place, (name, means) in enumerate(chart.groups.items()):
        left = _LEFT + 12 + place * wide
        for nth, one in enumerate(means):
            yield from _bar(left + nth * _BAR, one, chart.top, _COLOURS[nth % len(_COLOURS)])
        middle = left + len(means) * _BAR / 2
        n = means[0].n if means else 0
        yield f'<text x="{middle:.1f}" y="{_TOP + _HIGH + 16}" text-anchor="middle">{escape(name)}</text>'
        yield (
            f'<text x="{middle:.1f}" y="{_TOP + _HIGH + 32}" text-anchor="middle" fill="#777777" '
            f'font-size="10">n = {n}</text>'
        )


def _bar(x: float, one: Bar, top: float, colour: str) -> Iterator[str]:
    high = _HIGH * min(1.0, one.value / top)
    y = _TOP + _HIGH - high
    yield f'<rect x="{x + 2:.1f}" y="{y:.1f}" width="{_BAR - 4}" height="{high:.1f}" fill="{colour}"/>'
    middle, up, down = (
        x + _BAR / 2,
        _TOP + _HIGH - _HIGH * min(1.0, one.high / top),
        _TOP + _HIGH - _HIGH * one.low / top,
    )
    yield (
        f'<line x1="{middle:.1f}" y1="{up:.1f}" x2="{middle:.1f}" y2="{down:.1f}" '
        'stroke="#222222" stroke-width="1.2"/>'
    )
    value = f"{one.value:.2f}" if top <= 1 else f"{one.value:,.0f}"
    yield f'<text x="{middle:.1f}" y="{up - 4:.1f}" text-anchor="middle" font-size="9">{value}</text>'
