"""Salesforce's ids: fifteen characters in which case matters, or eighteen that say the same and bear it."""

from __future__ import annotations

import re
from typing import Final

from muniment.domain.regex import regex

__all__ = ["whole_id"]

_FIFTEEN: Final = regex(r"[A-Za-z0-9]{15}\Z", re.ASCII)
_DIGITS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345"


def whole_id(id_: str) -> str:
    """The id with its eighteen characters; one of another form as it is."""
    if not _FIFTEEN.match(id_):
        return id_
    return id_ + "".join(_check(id_[at : at + 5]) for at in (0, 5, 10))


def _check(five: str) -> str:
    """A character that tells which of the five are capitals."""
    return _DIGITS[sum(1 << at for at, letter in enumerate(five) if letter.isupper())]
