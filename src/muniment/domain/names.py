"""One normal form for names: a mention and an alias meet whatever their case, width, spacing or script."""

from __future__ import annotations

import re
import unicodedata

from muniment.domain.han import simplified

__all__ = ["is_usable", "normal_name"]

_LIMIT = 1_024  # bytes: what an index holds beside the rest of its entry
_GAPS = re.compile(r"[\s_]+")


def normal_name(text: str) -> str:
    """Casefolded, compatibility-normalised, simplified, with single spaces; hyphens and dots are kept."""
    plain = simplified(unicodedata.normalize("NFKC", text).casefold())
    return _GAPS.sub(" ", plain).strip(" .,:;'\"")


def is_usable(name: str) -> bool:
    """Whether a normal name says anything, and is no longer than something could be called by."""
    return 0 < len(name.encode()) <= _LIMIT
