"""What a command's end says to a shell."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from muniment.domain.errors import MunimentError, NotAnOrg, Refused, Usage

if TYPE_CHECKING:
    from muniment.domain.values import AnswerState, Receipt

__all__ = ["Exit", "of_error", "of_receipt", "of_state"]


class Exit(IntEnum):
    """0 done, answered, or an empty list; the rest by what a script can do about it."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    NOT_FOUND = 3  # not found, and a named thing that is missing or forbidden
    OUT_OF_SCOPE = 4
    QUARANTINED = 5  # done, and some of the input was refused
    INTERRUPTED = 130
    BROKEN_PIPE = 141  # as a shell reports a writer whose reader went away


def of_state(state: AnswerState) -> Exit:
    """How an answer or a pack ends."""
    match state:
        case "answered":
            return Exit.DONE
        case "not_found":
            return Exit.NOT_FOUND
        case "out_of_scope":
            return Exit.OUT_OF_SCOPE


def of_receipt(receipt: Receipt) -> Exit:
    """How taking something in ends."""
    return Exit.QUARANTINED if receipt.quarantined else Exit.DONE


def of_error(error: MunimentError) -> Exit:
    """How an error ends; what has no code of its own has failed."""
    match error:
        case Refused():
            return Exit.NOT_FOUND
        case Usage() | NotAnOrg():
            return Exit.USAGE
        case _:
            return Exit.FAILED
