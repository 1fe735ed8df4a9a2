"""How long to leave a source alone after it failed, and what is told of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Literal

from muniment.domain.errors import Conflict, Malformed, Unavailable
from muniment.sources.connector import Throttled, Unauthorised

__all__ = ["LONGEST", "Setback", "chance_of", "setback"]

FIRST: Final = 5.0  # seconds after the first failure
LONGEST: Final = 3600.0
_LONGEST_ASKED: Final = 24 * 3600.0  # a source that asks for more is asked again after a day
_OFTEN: Final = 3  # failures in a row after which a source counts as failing
_DOUBLINGS: Final = 16


@dataclass(frozen=True, slots=True)
class Setback:
    """How a source stands after a failure: `wait` None until a person mends it.

    `told` is for readers and `why` for stewards, who may see what the connector said.
    """

    state: Literal["behind", "failing"]
    wait: timedelta | None
    told: str
    why: str


def setback(error: Exception, failures: int, chance: Callable[[], float]) -> Setback:
    """What a failure means, `failures` in a row with it. `chance` gives numbers from 0 to 1."""
    match error:
        case Throttled():
            return Setback("behind", _asked(error.after, failures, chance), "asks us to wait", str(error))
        case Unauthorised():
            return Setback("failing", None, "does not let us in", str(error))
        case Malformed():
            return Setback("failing", None, "is not set up as it has to be", str(error))
        case Unavailable():
            state: Literal["behind", "failing"] = "failing" if failures >= _OFTEN else "behind"
            return Setback(state, _grown(failures, chance), "could not be reached", str(error))
        case Conflict():
            return Setback("behind", _grown(failures, chance), "could not be taken in yet", str(error))
        case _:
            # Its words may quote what was read, so only its kind is kept.
            fault = f"the connector failed: {type(error).__name__}"
            return Setback("failing", _grown(failures, chance), "could not be read", fault)


def _grown(failures: int, chance: Callable[[], float]) -> timedelta:
    """Twice as long each time, and between half of it and all, so that many do not come back at once."""
    most = min(FIRST * 2 ** min(failures - 1, _DOUBLINGS), LONGEST)
    return timedelta(seconds=most * (0.5 + 0.5 * chance()))


def _asked(after: float | None, failures: int, chance: Callable[[], float]) -> timedelta:
    """As long as the source says, and a little more; as long as after any failure where it says nothing."""
    if after is None or not after > 0:
        return _grown(failures, chance)
    return timedelta(seconds=min(after, _LONGEST_ASKED) * (1 + 0.1 * chance()))


def chance_of(salts: Callable[[], bytes]) -> Callable[[], float]:
    """Numbers from 0 to 1 out of random bytes."""
    return lambda: int.from_bytes(salts()[:6], "big") / 2**48
