"""One look from an incident: at a system that answers, or into a file; what it gives is an observation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

from muniment.domain.errors import Usage
from muniment.domain.investigating import Looked, Observed
from muniment.sources.http import Site
from muniment.sources.observers import Seen, look, look_into, window
from muniment.sources.secrets import resolve

__all__ = ["looked"]


def looked(at: Looked, now: datetime) -> Observed:
    """What is seen there, as of the end of what was looked at."""
    seen = _seen(at, now)
    when = min(at.until or now, now)
    return Observed(seen.text, tool=seen.tool, query=seen.query, at=when, digest=seen.digest)


def _seen(at: Looked, now: datetime) -> Seen:
    is_bounded = at.since is not None or at.until is not None
    over = window(at.since, at.until, now) if is_bounded else None
    match at.url, at.file:
        case None, str(file):
            return look_into(Path(file), at.tool, at.query, over)
        case str(url), None:
            return look(Site(url.rstrip("/") + "/", _bearer(at.token)), at.tool, at.query, now, over)
    raise Usage("say where to look: the address of a system, or a file, and not both")


def _bearer(token: str | None) -> Callable[[], Mapping[str, str]]:
    """The headers that let us in, read when they are needed."""
    return lambda: {} if token is None else {"authorization": f"Bearer {resolve(token)}"}
