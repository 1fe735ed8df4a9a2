"""Items under new ids: what an item was before it moved is the history of the id it moved to. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from muniment.domain.events import ContentEvent, Move
from muniment.items.fold import Accepted, Standing, fold

__all__ = ["Moves", "with_earlier"]

Key = tuple[str, str]
# Numbers of another key's events, which must not be taken for this one's.
_ELSEWHERE = 1 << 40


@dataclass(frozen=True, slots=True)
class Moves:
    """Which id led to which, within a source."""

    target: Mapping[Key, frozenset[Key]]

    @classmethod
    def of(cls, rows: Iterable[tuple[str, str, str]]) -> Moves:
        """From (source, id, new id)."""
        found: dict[Key, set[Key]] = {}
        for source, id_, new in rows:
            found.setdefault((source, id_), set()).add((source, new))
        return cls({key: frozenset(targets) for key, targets in found.items()})

    def onward(self, keys: Iterable[Key]) -> frozenset[Key]:
        """The keys and everything that leads on from them."""
        return _reached(keys, self.target)

    def back(self, key: Key) -> list[Key]:
        """What led to the key, in order."""
        origin: dict[Key, set[Key]] = {}
        for one, targets in self.target.items():
            for target in targets:
                origin.setdefault(target, set()).add(one)
        return sorted(_reached([key], origin) - {key})

    def joined(self, keys: Iterable[Key]) -> frozenset[Key]:
        """The keys with everything that is one item with them: what led there and what leads on."""
        ways: dict[Key, set[Key]] = {}
        for one, targets in self.target.items():
            for target in targets:
                ways.setdefault(one, set()).add(target)
                ways.setdefault(target, set()).add(one)
        return _reached(keys, ways)


def _reached(keys: Iterable[Key], ways: Mapping[Key, Iterable[Key]]) -> frozenset[Key]:
    found = set(keys)
    waiting = list(found)
    while waiting:
        for following in ways.get(waiting.pop(), ()):
            if following not in found:
                found.add(following)
                waiting.append(following)
    return frozenset(found)


def with_earlier(own: Sequence[Accepted], earlier: Iterable[Sequence[Accepted]]) -> list[Accepted]:
    """A key's history with those of the keys that led to it, in the order of acceptance."""
    found = list(own)
    for number, history in enumerate(earlier, 1):
        if _has_left(fold(history, {}, frozenset())):
            found += [replace(one, seq=one.seq - number * _ELSEWHERE) for one in history if not _is_move(one)]
    return sorted(found, key=lambda one: (one.accepted_at, one.seq))


def _has_left(standing: Standing | None) -> bool:
    """Whether the item is elsewhere now; a newer text may have brought it back."""
    return standing is not None and standing.state == "moved"


def _is_move(one: Accepted) -> bool:
    return isinstance(one.event, ContentEvent) and isinstance(one.event.detail, Move)
