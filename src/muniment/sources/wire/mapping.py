"""Who may read which project or team, where a person has to say so: `ENG=group:eng user:bo, OPS=*`.

A source that cannot tell who may read a thing is never guessed about: what is not named here waits. `*` on
the left, as in `*=group:staff`, stands for every place that is not named.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from muniment.domain.audience import is_principal
from muniment.domain.errors import Malformed
from muniment.sources.parsed import Event

__all__ = ["Mapped", "parse_mapping", "stated"]

Mapped = Mapping[str, tuple[str, ...]]
_REST: Final = "*"


def parse_mapping(said: str) -> Mapped:
    """The places and their readers; Malformed names the part that cannot be read."""
    found: dict[str, tuple[str, ...]] = {}
    for part in (one.strip() for one in said.replace("\n", ",").split(",")):
        if part:
            place, _, readers = (piece.strip() for piece in part.partition("="))
            found[place] = tuple(readers.split())
            if not place or not found[place] or not all(map(_may_read, found[place])):
                raise Malformed(f"audiences: {part!r} is not PLACE=READERS, such as ENG=group:eng or OPS=*")
    return found


def _may_read(name: str) -> bool:
    return name == "*" or is_principal(name) or (name.startswith("group:") and name != "group:")


def stated(mapped: Mapped, source: str, container: str, at: str) -> Iterator[Event]:
    """The container's audience as it is mapped; nothing where it is not.

    It holds until somebody says otherwise, which is what `live` means.
    """
    readers = mapped.get(container) or mapped.get(_REST)
    if readers is not None:
        yield {
            "source": source, "op": "audience", "container": container, "at": at,
            "audience": [list(readers)], "live": True,
        }  # fmt: skip
