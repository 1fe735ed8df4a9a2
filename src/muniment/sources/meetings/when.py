"""When a meeting began, as whoever hands it in says, a comment in the file, or the file's name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, time, tzinfo
from typing import Final

from muniment.domain.errors import Usage
from muniment.domain.regex import regex
from muniment.domain.times import find_zone, local_instant, parse_instant

__all__ = ["named_start", "said_start", "stem_title", "told_start", "zone_of"]

_DAY: Final = r"(20\d{2})[-_.]?(0[1-9]|1[0-2])[-_.]?([0-2]\d|3[01])"
_CLOCK: Final = (
    r"(?:[T _-]+(?:at[ _])?([01]\d|2[0-3])[-:.hu_]?([0-5]\d)(?:[-:._]?([0-5]\d))?(?!\d)[ ]?(Z|UTC)?)?"
)
_NAMED: Final = regex(rf"(?<!\d)(?P<zoom>GMT)?{_DAY}(?!\d){_CLOCK}", re.ASCII)
_STAMP: Final = regex(
    r"20\d{2}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:\d{2})", re.ASCII
)
_ENDINGS: Final = regex(
    r"[ _.-]*(?:recording|transcript|closed[ _]?caption|captions|meeting[ _]recording|cc|otter[._]ai)\Z",
    re.IGNORECASE,
)


def zone_of(options: Mapping[str, str]) -> tzinfo:
    """The zone that times without one are in: the option `timezone`, else UTC."""
    name = options.get("timezone", "UTC")
    zone = find_zone(name)
    if zone is None:
        raise Usage(f"timezone {name!r} is no zone that is known")
    return zone


def said_start(options: Mapping[str, str]) -> datetime | None:
    """The option `start`: an instant with its zone."""
    if (said := options.get("start")) is None:
        return None
    try:
        return parse_instant(said)
    except ValueError as error:
        raise Usage(f"start: {error}") from None


def told_start(comments: Iterable[str]) -> datetime | None:
    """The first instant with a zone that a comment of the file begins to tell."""
    for comment in comments:
        if (found := _STAMP.search(comment)) is not None:
            try:
                return parse_instant(found[0])
            except ValueError:
                continue
    return None


def named_start(stem: str, zone: tzinfo) -> tuple[datetime, bool] | None:
    """The day in a file's name and whether the time of day is there, too; Zoom writes it in UTC."""
    found = _NAMED.search(stem)
    if found is None:
        return None
    year, month, day, hour, minute, second, utc = found.groups()[1:]
    try:
        on, clock = (
            date(int(year), int(month), int(day)),
            time(int(hour or 0), int(minute or 0), int(second or 0)),
        )
    except ValueError:
        return None
    where = UTC if found["zoom"] or utc else zone
    return local_instant(on, clock, where)[0].astimezone(UTC), hour is not None


def stem_title(stem: str) -> str | None:
    """What a file is called without its date and what recorders add to names; None where that is all."""
    found = _NAMED.search(stem)
    rest = f"{stem[: found.start()]} {stem[found.end() :]}" if found is not None else stem
    for _ in range(3):
        rest = _ENDINGS.sub("", rest.strip(" _-.,"))
    return " ".join(re.split(r"[\s_-]+", rest)).strip() or None
