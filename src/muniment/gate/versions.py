"""Versions of statements in an order that SQL and Python cannot disagree about."""

from __future__ import annotations

import re
from typing import Final

from muniment.domain.regex import regex

__all__ = ["sortable"]

_DECIMAL: Final = regex(r"([0-9]{1,999})(?:\.([0-9]{1,999}))?", re.ASCII)


def sortable(version: str | None) -> str:
    """Text whose bytes compare as versions do: absent, then decimals as numbers, then other text bytewise.

    Versions that are equal as numbers (`1`, `01.0`) become equal text, so that they are a tie.
    """
    if not version:
        return ""
    decimal = _DECIMAL.fullmatch(version)
    if decimal is None:
        return "2" + version
    whole, fraction = decimal[1].lstrip("0"), (decimal[2] or "").rstrip("0")
    return f"1{len(whole):03d}{whole}.{fraction}"
