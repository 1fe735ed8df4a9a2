"""Versions made of a source's times, which sort as the times do.

Times of sources are no finer than a second, and two edits may share one. So a text's version ends in a print
of its content: the same text has the same version whatever way it came, two texts of one second never
contradict each other, and which of them stands does not depend on arrival. What happened to an item
then, a deletion or a state, sorts after every text of that second.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

from muniment.domain.times import format_instant, parse_instant

__all__ = ["after_texts", "of_text", "sortable_time"]


def sortable_time(at: str) -> str:
    """An instant of RFC 3339 with as many digits as any other, so that bytes sort as times do."""
    moment = parse_instant(at)
    return format_instant(moment.replace(microsecond=0))[:19] + f".{moment.microsecond:06d}Z"


def of_text(at: str, event: Mapping[str, object]) -> str:
    """The version of a text that stands since an instant."""
    said = {key: value for key, value in event.items() if key not in ("at", "version", "audience")}
    print_ = hashlib.sha256(json.dumps(said, sort_keys=True, default=str).encode()).hexdigest()[:12]
    return f"{sortable_time(at)}.{print_}"


def after_texts(at: str, rank: int = 0) -> str:
    """The version of what happened to an item at an instant; of one instant, the higher rank is the later."""
    return f"{sortable_time(at)}~{rank}"
