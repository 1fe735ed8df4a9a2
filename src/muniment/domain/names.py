"""One normal form for names, so that a mention and an alias meet whatever their case, width or spacing."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["normal_name"]

_GAPS = re.compile(r"[\s_]+")


def normal_name(text: str) -> str:
    """Casefolded, compatibility-normalised, with single spaces; hyphens and dots are kept."""
    return _GAPS.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip(" .,:;'\"")
