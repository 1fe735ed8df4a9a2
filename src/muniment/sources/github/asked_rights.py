"""Who may read a repository, asked of GitHub just now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from muniment.sources.github import places
from muniment.sources.github.rest import Rest
from muniment.sources.github.things import Place, person
from muniment.sources.parsed import Event
from muniment.sources.wire import told
from muniment.sources.wire.told import Object

__all__ = ["rights"]


def rights(rest: Rest, place: Place, repository: Object, now: str, *, live: bool) -> Iterator[Event]:
    """Its audience and who is in it; nothing where we may not see its collaborators.

    What stands in such a repository then waits, readable by its authors alone.
    """
    if places.is_public(repository):
        yield places.readers(place, public=True, at=now, live=live, through=now)
        return
    everyone = rest.list_allowed(f"repos/{place.name}/collaborators?affiliation=all&per_page=100")
    if everyone is None:
        return
    teams = _teams(rest, place)
    for team, members in teams:
        yield places.listed_as(place.source, team, _people(place, members), now)
    yield places.listed_as(place.source, place.repository, _in_it(rest, place, everyone, teams), now)
    yield places.readers(place, public=False, at=now, live=live, through=now)
    yield from places.named(place.source, everyone, now)


def _in_it(
    rest: Rest, place: Place, everyone: Sequence[Object], teams: Sequence[tuple[str, Sequence[Object]]]
) -> set[str]:
    """Teams as groups, so that who leaves one is out at once; people where no team brings them in."""
    through_teams = {who for _, members in teams for who in _people(place, members)}
    direct = rest.list_allowed(f"repos/{place.name}/collaborators?affiliation=direct&per_page=100")
    by_themselves = set(_people(place, everyone if direct is None else direct))
    others = set(_people(place, everyone)) - through_teams
    return by_themselves | others | {places.group_of(place.source, team) for team, _ in teams}


def _teams(rest: Rest, place: Place) -> list[tuple[str, Sequence[Object]]]:
    """Each team with its members; those whose members we may not see are passed by."""
    owner = (place.name or "").partition("/")[0]
    found = rest.list_allowed(f"repos/{place.name}/teams?per_page=100") or ()
    named = [(told.name(team, "node_id"), told.name(team, "slug")) for team in found]
    listed = [
        (node, rest.list_allowed(f"orgs/{owner}/teams/{slug}/members?per_page=100"))
        for node, slug in named
        if node is not None and slug is not None
    ]
    return [(node, members) for node, members in listed if members is not None]


def _people(place: Place, users: Iterable[Object]) -> list[str]:
    return [who for user in users if (who := person(place.source, user)) is not None]
