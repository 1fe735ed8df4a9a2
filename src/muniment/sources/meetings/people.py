"""Names of who speaks, without what programs write beside them, and told apart where ids say so."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from muniment.domain.regex import regex

__all__ = ["Named", "Person", "apart", "named"]

_BADGE: Final = (
    r"guest|external|unverified|unfamiliar|host|co-host|organi[sz]er|presenter|me|"
    r"gast|extern|gastgeber|organisator|invité|invitée|externe|hôte|organisateur|访客|外部|主持人|来宾"
)
_BESIDE: Final = regex(
    rf"[ \t]*[(（\[]((?:{_BADGE})(?:[ ,]{{1,2}}(?:{_BADGE})){{0,3}})[)）\]]\Z", re.IGNORECASE
)
# Without brackets, only words that are nobody's surname.
_TRAILING: Final = regex(r"[ \t]+(external unfamiliar|external|unverified|unfamiliar)\Z", re.IGNORECASE)
_LONGEST: Final = 60  # characters; longer, it is no name


class Person(NamedTuple):
    """Somebody who was there or owns the record of it: a name, and an address where there is one.

    A principal without an address, such as `user:ann`, stands here as what follows `user:`.
    """

    name: str | None = None
    address: str | None = None


class Named(NamedTuple):
    """A name, and the badges that stood beside it."""

    name: str
    badges: tuple[str, ...] = ()


def named(said: str) -> Named | None:
    """The name without its badges; None where nothing is left of it."""
    name, badges = " ".join(said.replace(":", " ").replace("：", " ").split()), []
    for _ in range(4):
        found = _BESIDE.search(name) or _TRAILING.search(name)
        if found is None or found.start() == 0:
            break
        badges.append(found[1])
        name = name[: found.start()]
    name = name[:_LONGEST].strip()
    return Named(name, tuple(reversed(badges))) if name else None


def apart(speakers: Iterable[tuple[str, str]]) -> Mapping[tuple[str, str], str]:
    """What to call each (name, id): by the name, with a number where one name has several ids."""
    ids: dict[str, list[str]] = defaultdict(list)
    for name, id_ in speakers:
        if id_ not in ids[name]:
            ids[name].append(id_)
    return {
        (name, id_): name if len(found) == 1 else f"{name} ({number})"
        for name, found in ids.items()
        for number, id_ in enumerate(found, 1)
    }
