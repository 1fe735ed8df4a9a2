"""A frozen solver by rules: what current evidence supports, in an order that history may change.

Evidence first. A hint can suggest one more check, and it can put a hypothesis first among equals once its own
check speaks for it. It can add no hypothesis, and what it says counts for nothing by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from evals.replay.causes import CAUSES, SIGNALS

__all__ = ["CHECKS", "Solved", "solve", "unverified", "verified"]

CHECKS = 2  # that whoever is on call makes before they say what they think
_BY_ID = {one.id: one for one in CAUSES}
_STRONG, _AGAINST = 3, -3
Rule = Callable[[str, Mapping[str, int]], bool]


@dataclass(frozen=True)
class Solved:
    """Hypotheses, best first, each with the observations that it rests on; none at all is an abstention."""

    ranked: tuple[str, ...]
    grounds: tuple[tuple[str, ...], ...]
    checks: tuple[str, ...]

    def told(self) -> str:
        """The output, byte for byte, without how many checks it took."""
        return repr((self.ranked, self.grounds))


def verified(cause: str, scores: Mapping[str, int]) -> bool:
    """Only what its own check spoke for goes first among equals."""
    return scores.get(cause, 0) >= _STRONG


def unverified(cause: str, scores: Mapping[str, int]) -> bool:
    """Whatever is supported at all goes first among equals: what the gate is there to catch."""
    return scores.get(cause, 0) > 0


def solve(
    seen: Sequence[str], checks: Mapping[str, str], hinted: Sequence[str], rule: Rule = verified
) -> Solved:
    """What the evidence supports. `checks` tells what looking would show; some cannot be made."""
    looked_like = _looking_like(seen)
    made = [one for one in looked_like if one in checks][:CHECKS]
    made += [one for one in dict.fromkeys(hinted) if one in looked_like and one in checks and one not in made]
    evidence = [*seen, *(checks[one] for one in made)]
    scores = {one: _score(one, evidence) for one in looked_like}
    kept = [one for one in looked_like if scores[one] > 0]
    first = [one for one in hinted if one in kept and rule(one, scores)]
    ranked = sorted(kept, key=lambda one: (-scores[one], one not in first, looked_like.index(one)))
    return Solved(tuple(ranked), tuple(_grounds(one, evidence) for one in ranked), tuple(made))


def _looking_like(seen: Sequence[str]) -> list[str]:
    """The causes whose signal is seen or whose own sign is, in the order of the catalogue."""
    text = "\n".join(seen)
    symptoms = {cause for causes, en, zh in SIGNALS.values() if en in text or zh in text for cause in causes}
    return [one.id for one in CAUSES if one.id in symptoms or any(sign in text for sign in one.yes)]


def _score(cause: str, evidence: Sequence[str]) -> int:
    one = _BY_ID[cause]
    text = "\n".join(evidence)
    strong = any(sign in text for sign in one.yes)
    against = any(sign in text for sign in one.no)
    return 1 + _STRONG * strong + _AGAINST * against


def _grounds(cause: str, evidence: Sequence[str]) -> tuple[str, ...]:
    """What speaks for it: its own signs, else what it looks like."""
    signs = _BY_ID[cause].yes
    own = tuple(one for one in evidence if any(sign in one for sign in signs))
    return own or tuple(evidence[:1])
