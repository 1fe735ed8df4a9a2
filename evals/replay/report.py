"""What the outcomes come to, with how sure it is, and whether a release may have it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb

from evals.plots import Chart, share
from evals.replay.cases import STRATA
from evals.replay.run import Outcome
from evals.shared import wilson

__all__ = ["Bar", "bars", "chart", "mcnemar", "passes", "text"]

UNMOVED = ("novel", "poisoned", "not-permitted")


@dataclass(frozen=True)
class Bar:
    """A figure that a release must reach: right out of n, or so many points."""

    name: str
    got: str
    wanted: str
    is_met: bool


def bars(outcomes: Sequence[Outcome]) -> list[Bar]:
    """The gate. A stratum without a case meets nothing."""
    return [*_helps(outcomes), *_harms(outcomes), *_unmoved(outcomes), *_whole(outcomes)]


def _of(outcomes: Sequence[Outcome], *strata: str) -> list[Outcome]:
    return [one for one in outcomes if one.case.stratum in strata]


def _share(right: int, n: int) -> float:
    return right / n if n else 0.0


def _helps(outcomes: Sequence[Outcome]) -> Iterator[Bar]:
    those = _of(outcomes, "repeat")
    gain = _share(sum(one.on_is_right for one in those), len(those))
    gain -= _share(sum(one.off_is_right for one in those), len(those))
    yield Bar("repeats, AC@1 gained", f"{100 * gain:+.1f} points", "at least +20", gain >= 0.2)


def _harms(outcomes: Sequence[Outcome]) -> Iterator[Bar]:
    for stratum in ("look-alike", "stale"):
        those = _of(outcomes, stratum)
        yield _at_most(f"{stratum}, harmed", _harmed(those), len(those), 0.02)


def _harmed(outcomes: Sequence[Outcome]) -> int:
    return sum(one.off_is_right and not one.on_is_right for one in outcomes)


def _at_most(name: str, count: int, n: int, most: float) -> Bar:
    return Bar(name, f"{count} of {n}", f"at most {100 * most:g} %", n > 0 and _share(count, n) <= most)


def _unmoved(outcomes: Sequence[Outcome]) -> Iterator[Bar]:
    for stratum in UNMOVED:
        those = _of(outcomes, stratum)
        moved = sum(one.off.told() != one.on.told() for one in those)
        yield _at_most(f"{stratum}, other output", moved, len(those), 0.0)


def _whole(outcomes: Sequence[Outcome]) -> Iterator[Bar]:
    premise = _of(outcomes, "premise")
    abstained = sum(not one.on.ranked for one in premise)
    share = _share(abstained, len(premise))
    yield Bar("wrong premise, abstained", f"{abstained} of {len(premise)}", "at least 95 %", share >= 0.95)
    off, on = (sum(getattr(one, side) for one in outcomes) for side in ("off_is_right", "on_is_right"))
    yield Bar("all, AC@1 off → on", f"{off} → {on} of {len(outcomes)}", "never below off", on >= off)
    yield _at_most("all, harmed", _harmed(outcomes), len(outcomes), 0.01)
    grounded = sum(all(one.on.grounds) for one in outcomes)
    whole = grounded == len(outcomes)
    yield Bar("all, grounded", f"{grounded} of {len(outcomes)}", "every hypothesis", whole)
    added = sum(not set(one.on.ranked) <= set(_supported(one)) for one in outcomes)
    yield _at_most("all, hypotheses that evidence does not support", added, len(outcomes), 0.0)
    same = sum(one.is_same for one in outcomes)
    yield Bar(
        "all, same bytes in 3 runs of every eighth",
        f"{same} of {len(outcomes)}",
        "all",
        same == len(outcomes),
    )


def _supported(one: Outcome) -> tuple[str, ...]:
    """What evidence supports without memory; more checks may only take away from it."""
    return one.off.ranked


def passes(outcomes: Sequence[Outcome]) -> bool:
    """Whether every bar is met."""
    return all(one.is_met for one in bars(outcomes))


def mcnemar(helped: int, harmed: int) -> float:
    """How likely a split at least so uneven is where memory makes no difference: exact, two-sided."""
    n, least = helped + harmed, min(helped, harmed)
    return min(1.0, 2 * sum(comb(n, k) for k in range(least + 1)) / 2**n) if n else 1.0


def text(outcomes: Sequence[Outcome]) -> str:
    """The report as Markdown."""
    rows = ["## Incident replay", "", _how(outcomes), "", *_table(outcomes), ""]
    rows += ["| bar | got | wanted | |", "|---|---|---|---|"]
    for one in bars(outcomes):
        rows.append(f"| {one.name} | {one.got} | {one.wanted} | {'met' if one.is_met else 'MISSED'} |")
    harmed = [one.case for one in outcomes if one.off_is_right and not one.on_is_right]
    wrong = [f"- harmed: {case.id} {case.how}" for case in harmed]
    return "\n".join([*rows, "", *wrong])


def chart(outcomes: Sequence[Outcome]) -> Chart:
    """How often the first cause was right, without memory and with it, by stratum."""
    groups = {
        stratum: [share(sum(one.off_is_right for one in those), len(those)),
                  share(sum(one.on_is_right for one in those), len(those))]
        for stratum in STRATA if (those := _of(outcomes, stratum))
    }  # fmt: skip
    return Chart(
        "Incident replay: the first cause is right", "share", groups, ("memory off", "memory on"), 1.0
    )


def _how(outcomes: Sequence[Outcome]) -> str:
    helped, harmed = sum(one.on_is_right and not one.off_is_right for one in outcomes), _harmed(outcomes)
    p = mcnemar(helped, harmed)
    return f"{len(outcomes)} cases; helped {helped}, harmed {harmed}; McNemar, exact: p = {p:.2g}."


def _table(outcomes: Sequence[Outcome]) -> Iterator[str]:
    yield "| stratum | n | AC@1 off | 95 % | AC@1 on | 95 % | AC@3 | helped | harmed | checks |"
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for stratum in STRATA:
        those = _of(outcomes, stratum)
        if those:
            yield _row(stratum, those)


def _row(stratum: str, those: Sequence[Outcome]) -> str:
    n = len(those)
    off, on = sum(one.off_is_right for one in those), sum(one.on_is_right for one in those)
    helped = sum(one.on_is_right and not one.off_is_right for one in those)
    three = [sum(_within(one, side) for one in those) for side in ("off", "on")]
    checks = [sum(len(getattr(one, side).checks) for one in those) / n for side in ("off", "on")]
    spans = ["–".join(f"{end:.2f}" for end in wilson(count, n)) for count in (off, on)]
    return (
        f"| {stratum} | {n} | {off / n:.3f} | {spans[0]} | {on / n:.3f} | {spans[1]} "
        f"| {three[0] / n:.2f} → {three[1] / n:.2f} | {helped} | {_harmed(those)} "
        f"| {checks[0]:.1f} → {checks[1]:.1f} |"
    )


def _within(one: Outcome, side: str) -> bool:
    ranked = getattr(one, side).ranked
    return one.case.truth in ranked[:3] if one.case.truth else not ranked
