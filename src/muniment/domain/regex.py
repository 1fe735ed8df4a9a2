"""Regular expressions that are compiled when they are first used.

There are hundreds, of which most processes need a few, and compiling them all takes a third of the time in
which one starts.
"""

from __future__ import annotations

import re
from typing import cast

__all__ = ["regex"]

_ASKED_OF_ONE = (
    *("match", "fullmatch", "search", "finditer", "findall", "sub", "subn", "split", "scanner"),
    *("pattern", "flags", "groups", "groupindex"),
)


def regex(text: str, flags: int = 0) -> re.Pattern[str]:
    """What `re.compile` makes of the same, once it is asked for anything; `re.error` comes then, too."""
    return cast("re.Pattern[str]", _Later(text, flags))


class _Later:
    """Stands in for a compiled pattern: after the first use it has that one's methods, at their price."""

    def __init__(self, text: str, flags: int) -> None:
        self._text = text
        self._flags = flags

    def __getattr__(self, name: str) -> object:
        if name not in _ASKED_OF_ONE:
            raise AttributeError(name)
        compiled = re.compile(self._text, self._flags)
        vars(self).update({each: getattr(compiled, each) for each in _ASKED_OF_ONE})
        return getattr(compiled, name)
