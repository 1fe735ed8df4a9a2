"""One normal form for names: a mention and an alias meet whatever their case, width, spacing or script."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from muniment.domain.han import simplified
from muniment.domain.regex import regex
from muniment.domain.remembered import forgettable

__all__ = ["is_usable", "normal_name"]

_LIMIT = 1_024  # bytes: what an index holds beside the rest of its entry
_SHORT = 100  # characters: an author, a channel and a project, which come with every message of theirs
_GAPS = regex(r"[\s_]+")


def normal_name(text: str) -> str:
    """Casefolded, compatibility-normalised, simplified, with single spaces; hyphens and dots are kept."""
    return _normal_again(text) if len(text) <= _SHORT else _normal(text)


def _normal(text: str) -> str:
    plain = simplified(unicodedata.normalize("NFKC", text).casefold())
    return _GAPS.sub(" ", plain).strip(" .,:;'\"")


_normal_again = forgettable(lru_cache(maxsize=4096)(_normal))


def is_usable(name: str) -> bool:
    """Whether a normal name says anything, and is no longer than something could be called by."""
    return 0 < len(name.encode()) <= _LIMIT
