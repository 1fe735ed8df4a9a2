"""A version for what we found out ourselves: after all that the source said, before all it will say next."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from muniment.domain.regex import regex
from muniment.domain.versions import Form, form_of, orders

__all__ = ["after", "newest"]

_BEGINNING: Final = datetime(1970, 1, 1, tzinfo=UTC)
_FINER: Final = "0" * 10  # a source's next version differs in one of these places, or before them
_STAMP: Final = regex(rf"(?<=[.\d]){_FINER}\d{{16}}\Z")
_SAID: Final = regex(r" \d{16}\Z")


def newest(stamps: Sequence[tuple[str | None, datetime, bool]]) -> str | None:
    """The version, of these of one item, after which none comes."""
    places = orders(stamps)
    return stamps[max(range(len(stamps)), key=places.__getitem__)][0]


def after(version: str | None, at: datetime) -> str | None:
    """A version just after this one, in its form, and later still the later `at` is.

    Sources do not version what they merely stopped or began to list again. A version of another form would
    have all of the item's compare by time, and an equal one would be a duplicate the second time.
    """
    stamp = f"{(at - _BEGINNING) // timedelta(microseconds=1):016d}"
    match form_of(version):
        case Form.TIME:
            return None
        case Form.DECIMAL:
            return _finer(version or "", stamp)
        case Form.BYTES:
            # A space sorts before whatever else a longer version would go on with.
            return f"{_SAID.sub('', version or '')} {stamp}"


def _finer(version: str, stamp: str) -> str | None:
    """The number with digits after it; more digits make a negative one smaller, so that time must decide."""
    if version.startswith("-"):
        return None
    whole = _STAMP.sub("", version)
    return f"{whole}{'' if '.' in whole else '.'}{_FINER}{stamp}"
