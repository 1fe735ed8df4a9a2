"""What one delivery of GitHub's says, by its event and action. Pure.

An event that carries nothing to remember is passed by, and told so in the reply; one that is unknown is
kept with its reason. Memberships come without a time: a removal counts from when it was heard, and what
gives a right is looked up instead, so that an old delivery sent anew gives none back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from muniment.sources.github import places, things
from muniment.sources.github.things import Kind, Place
from muniment.sources.parsed import Parsed, Unread
from muniment.sources.wire import told
from muniment.sources.wire.told import Object

__all__ = ["CONTENT", "PASSED_BY", "RIGHTS", "Told", "tell"]

PASSED_BY: Final = frozenset(
    "branch_protection_configuration branch_protection_rule check_run check_suite code_scanning_alert create "
    "custom_property custom_property_values delete dependabot_alert deploy_key deployment "
    "deployment_protection_rule deployment_review deployment_status fork github_app_authorization gollum "
    "installation_target label marketplace_purchase merge_group meta milestone org_block "
    "package page_build personal_access_token_request ping project project_card project_column projects_v2 "
    "projects_v2_item projects_v2_status_update pull_request_review_thread push registry_package "
    "repository_advisory repository_dispatch repository_import repository_ruleset "
    "repository_vulnerability_alert secret_scanning_alert secret_scanning_alert_location security_advisory "
    "security_and_analysis sponsorship star status sub_issues issue_dependencies watch workflow_dispatch "
    "workflow_job workflow_run".split()
)


@dataclass(frozen=True, slots=True)
class Told:
    """What a delivery comes to. `again`: rights changed in a way that has to be looked up."""

    parsed: tuple[Parsed, ...] = ()
    again: bool = False
    note: str | None = None


@dataclass(frozen=True, slots=True)
class _Call:
    """A delivery on its way: whose it is, what it says, and when it was heard.

    `looked_up`: whether GitHub is asked for rights too: a delivery does not say who may read a private place.
    `saved`: whether it lay in a file, so that what happened to the place since is not known.
    """

    source: str
    action: str
    payload: Object
    heard: str
    looked_up: bool
    saved: bool

    @property
    def place(self) -> Place | None:
        return Place.of(self.source, told.part(self.payload, "repository"))


def tell(source: str, event: str, payload: object, heard: str, *, looked_up: bool, saved: bool) -> Told:
    """What an event of that name says."""
    call = _Call(source, told.text(payload, "action") or "", told.as_object(payload), heard, looked_up, saved)
    if event in PASSED_BY:
        return Told(note=f"nothing of {event!r} is kept")
    if (read := RIGHTS.get(event)) is not None:
        return Told(tuple(read(call)), again=True)
    if event not in CONTENT:
        why = "it is of no kind that is known"
        return Told((Unread(f"event {event[:100]!r}", told.written(payload), why),))
    return Told((*_visible(call), *_content(call, event)))


# Content

CONTENT: Final[Mapping[str, tuple[str, Kind]]] = {
    "issues": ("issue", "issue"),
    "pull_request": ("pull_request", "issue"),
    "issue_comment": ("comment", "comment"),
    "commit_comment": ("comment", "commit"),
    "pull_request_review": ("review", "review"),
    "pull_request_review_comment": ("comment", "line"),
    "discussion": ("discussion", "discussion"),
    "discussion_comment": ("comment", "remark"),
    "release": ("release", "release"),
}
_GONE: Final = frozenset(("deleted", "unpublished"))
_OPEN_AGAIN: Final = frozenset(("reopened", "unanswered"))


def _content(call: _Call, event: str) -> Iterator[Parsed]:
    field, kind = CONTENT[event]
    place, thing = call.place, told.part(call.payload, field)
    if place is None or not thing:
        why = f"it has no repository or no {field}"
        yield Unread(f"event {event!r}, {call.action!r}", told.written(call.payload), why)
    elif call.action in _GONE:
        yield from things.deleted(place, kind, thing)
    elif call.action == "transferred":
        yield from _transferred(call, place, kind, thing)
    elif not (kind == "release" and thing.get("draft") is True):  # a draft is for those who may push
        yield from things.told_of(place, kind, thing)
        yield from _before(call, place, kind, thing)
        yield from _again_open(call, place, kind, thing)


def _again_open(call: _Call, place: Place, kind: Kind, thing: Object) -> Iterator[Parsed]:
    id_ = things.id_of(place, kind, thing)
    if call.action in _OPEN_AGAIN and id_ is not None:
        yield from things.reopened(place, id_, told.instant(thing, "updated_at"))


def _transferred(call: _Call, place: Place, kind: Kind, thing: Object) -> Iterator[Parsed]:
    changes = told.part(call.payload, "changes")
    there = Place.of(call.source, told.part(changes, "new_repository"))
    anew = told.part(changes, f"new_{kind}")
    if there is None or not anew:
        yield from things.told_of(place, kind, thing)
        return
    yield from _visibility(call, there, told.part(changes, "new_repository"), anew)
    yield from things.moved(place, kind, thing, there, anew)


def _before(call: _Call, place: Place, kind: Kind, thing: Object) -> Iterator[Parsed]:
    """The move that a new issue came by, told from its other end."""
    changes = told.part(call.payload, "changes")
    here = Place.of(call.source, told.part(changes, "old_repository"))
    old = told.part(changes, f"old_{kind}")
    if call.action == "opened" and here is not None and old:
        yield from (one for one in things.moved(here, kind, old, place, thing) if _is_move(one))


def _is_move(one: Parsed) -> bool:
    return not isinstance(one, Unread) and one.get("op") == "move"


def _visible(call: _Call) -> Iterator[Parsed]:
    """Who may read the repository, as the delivery has it: a flip whose own delivery was lost is told so."""
    place, repository = call.place, told.part(call.payload, "repository")
    fields = ("comment", "review", "issue", "pull_request", "discussion", "release")
    thing = next((part for field in fields if (part := told.part(call.payload, field))), {})
    if place is not None:
        yield from _visibility(call, place, repository, thing)


def _visibility(call: _Call, place: Place, repository: Object, thing: Object) -> Iterator[Parsed]:
    public = places.is_public(repository)
    fields = ("updated_at", "submitted_at", "published_at", "created_at")
    at = next((found for field in fields if (found := told.instant(thing, field))), None)
    # Of a private one a delivery says no more than that it is: who asks GitHub knows better.
    if at is not None and (public or (public is False and not call.looked_up)):
        yield _readable(call, place, at, public=public)


def _readable(call: _Call, place: Place, at: str, *, public: bool) -> Parsed:
    live = not call.saved and (public or call.looked_up)
    through = at if public and call.saved else None
    return places.readers(place, public=public, at=at, live=live, through=through)


# Rights


def _repository(call: _Call) -> Iterator[Parsed]:
    place, repository = call.place, told.part(call.payload, "repository")
    if place is None:
        yield from _nameless(call, "repository")
    elif call.action in ("deleted", "transferred"):
        yield from places.closed_to_all(place, call.heard)
    elif call.action == "privatized" or places.is_public(repository) is False:
        yield _readable(call, place, call.heard, public=False)
    elif (at := told.instant(repository, "updated_at")) is not None and places.is_public(repository):
        yield _readable(call, place, at, public=True)


def _member(call: _Call) -> Iterator[Parsed]:
    place, who = call.place, things.person(call.source, told.part(call.payload, "member"))
    if place is None or who is None:
        yield from _nameless(call, "repository or no member")
    elif call.action == "removed":
        yield places.left(call.source, place.repository, [who], call.heard)


def _membership(call: _Call) -> Iterator[Parsed]:
    team, who = _team_of(call), things.person(call.source, told.part(call.payload, "member"))
    if who is None:
        yield from _nameless(call, "member")
    elif call.action == "removed" and team is not None:  # of a team that is deleted only the name is left
        yield places.left(call.source, team, [who], call.heard)


def _team(call: _Call) -> Iterator[Parsed]:
    place, team = call.place, _team_of(call)
    if team is None:
        yield from _nameless(call, "team")
    elif call.action == "deleted":
        yield places.listed_as(call.source, team, (), call.heard)
    elif call.action == "removed_from_repository" and place is not None:
        group = places.group_of(call.source, team)
        yield places.left(call.source, place.repository, [group], call.heard)


def _team_of(call: _Call) -> str | None:
    return told.name(call.payload, "team", "node_id")


def _nothing(_: _Call) -> Iterator[Parsed]:
    """Only that something has to be looked up."""
    return iter(())


def _nameless(call: _Call, what: str) -> Iterator[Parsed]:
    why = f"it has no {what} that could be told from another"
    yield Unread(f"a delivery, {call.action!r}", told.written(call.payload), why)


RIGHTS: Final[Mapping[str, Callable[[_Call], Iterator[Parsed]]]] = {
    "repository": _repository,
    "public": _repository,
    "member": _member,
    "membership": _membership,
    "team": _team,
    "team_add": _nothing,
    "organization": _nothing,
    "installation": _nothing,
    "installation_repositories": _nothing,
}
