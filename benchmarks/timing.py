"""Wall time, and what a list of times comes to."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

__all__ = ["Timed", "quantile", "timed"]


def timed(run: Callable[[], object]) -> float:
    """Seconds it takes."""
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which this share of them lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


@dataclass(frozen=True, slots=True)
class Timed:
    """Milliseconds: median and 95th percentile of n runs."""

    p50: float
    p95: float
    n: int

    @classmethod
    def of(cls, seconds: Sequence[float]) -> Timed:
        """From seconds."""
        return cls(quantile(seconds, 0.5) * 1000, quantile(seconds, 0.95) * 1000, len(seconds))

    def text(self) -> str:
        """For a table."""
        return f"p50 {self.p50:.1f} ms, p95 {self.p95:.1f} ms (n {self.n})"
