"""A policy of forgetting: what of memories is retired, and after how long. Pure."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from muniment.domain.errors import Malformed
from muniment.domain.incidents import FINDINGS
from muniment.domain.times import parse_duration
from muniment.sources.strict import Wrong, compose

__all__ = ["read_policy"]

_LONGEST: Final = 20_000  # characters


def read_policy(text: str) -> dict[str, timedelta]:
    """How old a memory must be to be retired, by what is found of it; Malformed names the line at fault.

    forget:
      never-hit: 365d
      low-confidence: 30d
    """
    root = compose(text, "the policy of forgetting", longest=_LONGEST, begins="forget:")
    try:
        rules = root.fields(["forget"])
        if "forget" not in rules:
            raise root.wrong("it begins with forget:, and what is forgotten after how long")
        return {name: parse_duration(node.text()) for name, node in rules["forget"].fields(FINDINGS).items()}
    except (Wrong, ValueError) as error:
        raise Malformed(f"the policy of forgetting: {error}") from None
