"""How an element of a page is made to show nothing: by what it is, or by how it is said to look."""

from __future__ import annotations

import re
from typing import Final

from muniment.domain.regex import regex

__all__ = ["ELEMENTS", "hides"]

ELEMENTS: Final = frozenset(
    "script style template noscript head iframe object embed svg canvas audio video textarea select "
    "datalist".split()
)
_END: Final = r"\s*+(?:;|!|\Z)"
_HIDES: Final = regex(
    r"display\s*+:\s*+none|visibility\s*+:\s*+(?:hidden|collapse)"
    rf"|opacity\s*+:\s*+0(?:\.0++)?%?{_END}"
    # As small as a pixel; `1em` is as large as what stands around it.
    rf"|font-size\s*+:\s*+(?:0(?:\.0++)?(?:[a-z]++|%)?|1(?:px|pt|%)?){_END}"
    r"|(?:left|top|text-indent|margin-left)\s*+:\s*+-\d{3}"
    r"|(?<![-\w])clip\s*+:\s*+rect\(\s*+(?:0|1px)[\s,]|clip-path\s*+:\s*+inset\(\s*+(?:50|100)%",
    re.IGNORECASE,
)
_COMMENT: Final = regex(r"/\*.*?\*/", re.DOTALL)


def hides(style: str) -> bool:
    """Whether an element that is to look like this shows nobody its words."""
    return _HIDES.search(_COMMENT.sub("", style) if "/*" in style else style) is not None
