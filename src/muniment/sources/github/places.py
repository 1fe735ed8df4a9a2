"""Who may read a repository, as events about its container and its groups. Pure.

A repository's node id is its container. Public is every full member; private is `group:github:NODE`, in which
are its collaborators and, as groups of their own, its teams. What takes a right away says so at once; what
gives one back is stated only where GitHub was asked just now.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from muniment.sources.github.things import Place, person
from muniment.sources.parsed import Event
from muniment.sources.wire import told
from muniment.sources.wire.told import Object

__all__ = [
    "closed_to_all", "group_of", "is_public", "joined", "left", "listed_as", "named", "readers",
]  # fmt: skip


def group_of(source: str, node: str) -> str:
    """The group of a repository's or team's members."""
    return f"group:{source}:{node}"


def is_public(repository: Object) -> bool | None:
    """Whether everybody may read it; None where the object does not say. Internal is not public."""
    private = repository.get("private")
    if not isinstance(private, bool):
        return None
    # A payload about a repository that just became private may still call its visibility public.
    return not private and told.text(repository, "visibility") in (None, "public")


def readers(place: Place, *, public: bool, at: str, live: bool, through: str | None = None) -> Event:
    """Who may read what stands in a repository since an instant."""
    who = ["*"] if public else [group_of(place.source, place.repository)]
    said: dict[str, object] = {**_about(place, at), "audience": [who], "live": live}
    return said if through is None else {**said, "verified_through": through}


def _about(place: Place, at: str) -> dict[str, object]:
    return {"source": place.source, "op": "audience", "container": place.repository, "at": at}


def closed_to_all(place: Place, at: str) -> Iterator[Event]:
    """That nobody may read it any more: it is gone, or no longer ours to see."""
    yield listed_as(place.source, place.repository, (), at)
    yield readers(place, public=False, at=at, live=True)


def listed_as(source: str, node: str, members: Iterable[str], at: str) -> Event:
    """Everyone who is in a repository's or team's group."""
    group = group_of(source, node)
    return {"source": source, "op": "member", "group": group, "at": at, "set": sorted(set(members))}


def joined(source: str, node: str, members: Sequence[str], at: str) -> Event:
    """Who came into a group."""
    return {
        "source": source, "op": "member", "group": group_of(source, node), "at": at, "add": list(members),
    }  # fmt: skip


def left(source: str, node: str, members: Sequence[str], at: str) -> Event:
    """Who is out of a group."""
    return {
        "source": source, "op": "member", "group": group_of(source, node), "at": at, "remove": list(members),
    }  # fmt: skip


def named(source: str, users: Iterable[Object], at: str) -> Iterator[Event]:
    """What GitHub calls its people. They are known by it and no full members by it."""
    for user in users:
        who, login = person(source, user), told.name(user, "login")
        if who is not None and login is not None:
            yield {"source": source, "op": "principal", "id": who, "at": at, "name": login}
