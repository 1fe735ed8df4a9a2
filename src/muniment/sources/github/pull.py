"""GitHub, asked: what changed since, and what there still is."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from muniment.domain.errors import Malformed, Unavailable
from muniment.domain.times import format_instant
from muniment.sources.connector import Configured, Cursor, Listing, Page
from muniment.sources.github import things
from muniment.sources.github.asked_rights import rights
from muniment.sources.github.discussions import discussions
from muniment.sources.github.rest import Rest, objects
from muniment.sources.github.things import Kind, Place
from muniment.sources.http import next_link
from muniment.sources.parsed import Event, Parsed
from muniment.sources.wire import told
from muniment.sources.wire.ask import Asked
from muniment.sources.wire.told import Object

__all__ = ["GitHub"]

_VERSION: Final = "2022-11-28"
_SINCE: Final[tuple[tuple[Kind, str], ...]] = (
    ("issue", "issues?state=all&"), ("comment", "issues/comments?"), ("line", "pulls/comments?"),
)  # fmt: skip
_LISTED: Final[tuple[tuple[Kind, str], ...]] = (
    ("issue", "issues?state=all&sort=created&direction=asc&"),
    ("comment", "issues/comments?sort=created&direction=asc&"),
    ("line", "pulls/comments?sort=created&direction=asc&"),
    ("release", "releases?"),
)


@dataclass(slots=True)
class _Pull:
    """One pull: what is asked, how far each list of each repository has been read."""

    rest: Rest
    marks: dict[str, str] = field(default_factory=dict)

    def page(self, parsed: Iterable[Parsed], seen: int = 0, through: datetime | None = None) -> Page:
        cursor: Cursor = {"marks": dict(sorted(self.marks.items())), "etags": self.rest.kept()}
        return Page(tuple(parsed), cursor, through, seen)


@dataclass(frozen=True, slots=True)
class GitHub:
    """The repositories of one configuration, read with one token."""

    configured: Configured

    def pull(self, cursor: Cursor | None) -> Iterator[Page]:
        """Who may read each repository, then what changed in it, oldest first."""
        begun = self.configured.clock()
        pull = _Pull(Rest(self._asked(), _etags(cursor)), _marks(cursor))
        found, absent = self._repositories(pull.rest)
        for repository, place in found:
            yield pull.page(self._rights(pull, place, repository))
            yield from self._changed(pull, place, repository)
        _complain(self.configured.source, absent)
        yield pull.page((), through=begun)

    def sweep(self) -> Iterator[Listing]:
        """What each repository still holds, a list for each kind of thing; reviews cannot be listed so."""
        rest = Rest(self._asked())
        found, absent = self._repositories(rest)
        for repository, place in found:
            at = self.configured.clock()
            parsed = tuple(rights(rest, place, repository, format_instant(at), live=self._is_heard))
            for kind, path in _LISTED:
                listed = rest.list_steadily(f"repos/{place.name}/{path}per_page=100")
                yield _listing(place, kind, listed, at, parsed)
                parsed = ()
        _complain(self.configured.source, absent)

    def _rights(self, pull: _Pull, place: Place, repository: Object) -> Sequence[Parsed]:
        """Its audience; and who is in its groups, once an hour and where that is not as it was.

        Deliveries only ever take people out of a group, so that one that is not stated anew opens nothing.
        They may open the place itself, which is why its audience is stated each time.
        """
        now, live = format_instant(self.configured.clock()), self._is_heard
        said = tuple(rights(pull.rest, place, repository, now, live=live))
        print_ = f"{_print_of(said)}/{now[: len('2026-06-20T09')]}"
        what = f"{place.repository}/rights"
        is_known = bool(said) and pull.marks.get(what) == print_
        pull.marks[what] = print_
        return [one for one in said if one["op"] == "audience"] if is_known else said

    @property
    def _is_heard(self) -> bool:
        """Whether GitHub delivers changes of rights by itself, so that they are known without a gap."""
        return bool(self.configured.settings.get("webhook_secret"))

    def _asked(self) -> Asked:
        headers = {
            "authorization": f"Bearer {self.configured.secret('token')}",
            "accept": "application/vnd.github+json",
            "x-github-api-version": _VERSION,
            "user-agent": "muniment",
        }
        base = self.configured.settings.get("api") or "https://api.github.com"
        return Asked(self.configured.source, base, headers)

    def _repositories(self, rest: Rest) -> tuple[list[tuple[Object, Place]], list[str]]:
        """Those there are, and the names of those that are not there for us."""
        names = [one for one in self.configured.settings.get("repositories", "").split(",") if one.strip()]
        organization = self.configured.settings.get("organization", "").strip()
        if not names and not organization:
            raise Malformed(
                f"source {self.configured.source!r} needs the setting 'repositories' or 'organization'"
            )
        listed = rest.everything(f"orgs/{organization}/repos?type=all&per_page=100") if organization else []
        absent = []
        for name in (one.strip() for one in names):
            reply = rest.asked.get(f"repos/{name}")
            if reply.status >= 400:
                absent.append(name)
            else:
                listed.append(told.as_object(reply.json()))
        places = [(one, Place.of(self.configured.source, one)) for one in listed]
        return [(one, place) for one, place in places if place is not None], absent

    def _changed(self, pull: _Pull, place: Place, repository: Object) -> Iterator[Page]:
        for kind, path in _SINCE:
            yield from _since(pull, place, kind, path)
        yield from _reopened(pull, place)
        yield from _released(pull, place)
        if repository.get("has_discussions") is True:
            yield from _discussed(pull, place)


def _print_of(said: Sequence[Event]) -> str:
    """What tells one statement of rights from another, whenever it was made."""
    apart = ("at", "verified_through")
    timeless = [{key: value for key, value in one.items() if key not in apart} for one in said]
    return hashlib.sha256(json.dumps(timeless, sort_keys=True).encode()).hexdigest()[:16]


def _complain(source: str, absent: Sequence[str]) -> None:
    if absent:
        raise Unavailable(f"source {source!r}: {', '.join(absent)} is not there, or not for this token")


def _since(pull: _Pull, place: Place, kind: Kind, path: str) -> Iterator[Page]:
    """What changed since the mark, oldest first.

    A page after the first would shift under our feet whenever something changes; so the list is asked for
    anew from the last time seen, and only things of one second are read page by page.
    """
    what = f"{place.repository}/{kind}"
    since = pull.marks.get(what)
    reply = pull.rest.get_changed(what, _address(place, path, since))
    while reply is not None:
        found = objects(reply)
        times = [at for one in found if (at := told.instant(one, "updated_at")) is not None]
        # The last one's: what stands out of order is read again rather than passed by.
        latest = max(since or "", times[-1]) if times else since
        if latest is not None:
            pull.marks[what] = latest
        yield pull.page(_told(pull.rest, place, kind, found), len(found))
        onward = next_link(reply.headers)
        if onward is None:
            return
        reply = pull.rest.get(onward if latest == since else _address(place, path, latest))
        since = latest


def _address(place: Place, path: str, since: str | None) -> str:
    started = f"&since={since}" if since is not None else ""
    return f"repos/{place.name}/{path}sort=updated&direction=asc&per_page=100{started}"


def _told(rest: Rest, place: Place, kind: Kind, found: Iterable[Object]) -> Iterator[Parsed]:
    for one in found:
        yield from things.told_of(place, kind, one)
        if kind == "issue" and told.part(one, "pull_request"):
            yield from _reviewed(rest, place, things.number_in(one))


def _reviewed(rest: Rest, place: Place, number: str | None) -> Iterator[Parsed]:
    if number is None:
        return
    for review in rest.list_there(f"repos/{place.name}/pulls/{number}/reviews?per_page=100"):
        if told.text(review, "state") != "PENDING":  # which only its author sees
            yield from things.told_of(place, "review", review)


def _reopened(pull: _Pull, place: Place) -> Iterator[Page]:
    """What was opened again: an open pull request does not tell that it ever was closed."""
    what = f"{place.repository}/event"
    last = int(pull.marks.get(what, "0"))
    reply = pull.rest.get_changed(what, f"repos/{place.name}/issues/events?per_page=100")
    if reply is None:
        return
    parsed: list[Parsed] = []
    newest = last
    for page in (reply, *(pull.rest.following(reply) if last else ())):
        numbered = [(number, one) for one in objects(page) if (number := told.whole(one, "id")) is not None]
        newest = max([newest, *(number for number, _ in numbered)])
        new = [one for number, one in numbered if number > last]
        parsed += [said for one in new for said in _again_open(place, one)]
        if len(new) < len(numbered) or not numbered:
            break
    pull.marks[what] = str(newest)
    yield pull.page(parsed, len(parsed))


def _again_open(place: Place, event: Object) -> Iterator[Parsed]:
    id_ = things.id_of(place, "issue", told.part(event, "issue"))
    if told.text(event, "event") == "reopened" and id_ is not None:
        yield from things.reopened(place, id_, told.instant(event, "created_at"))


def _released(pull: _Pull, place: Place) -> Iterator[Page]:
    what = f"{place.repository}/release"
    reply = pull.rest.get_changed(what, f"repos/{place.name}/releases?per_page=100")
    if reply is None:
        return
    for page in (reply, *pull.rest.following(reply)):
        found = [one for one in objects(page) if one.get("draft") is not True]
        yield pull.page([said for one in found for said in things.told_of(place, "release", one)], len(found))


def _discussed(pull: _Pull, place: Place) -> Iterator[Page]:
    """The latest come first, so that the mark moves only once all are read."""
    what = f"{place.repository}/discussion"
    since = latest = pull.marks.get(what)
    for found in discussions(pull.rest.asked, place, since):
        parsed: list[Parsed] = []
        for one, remarks in found:
            parsed += things.told_of(place, "discussion", one)
            parsed += [said for remark in remarks for said in things.told_of(place, "remark", remark)]
            at = told.instant(one, "updated_at")
            latest = at if latest is None else max(latest, at or latest)
        yield pull.page(parsed, len(found))
    if latest is not None:
        pull.marks[what] = latest
    yield pull.page(())


def _listing(
    place: Place, kind: Kind, listed: Sequence[Object], at: datetime, parsed: tuple[Parsed, ...]
) -> Listing:
    shown = [one for one in listed if not (kind == "release" and one.get("draft") is True)]
    ids = [id_ for one in shown if (id_ := things.id_of(place, kind, one)) is not None]
    prefix = f"{place.repository}/{kind}/"
    return Listing(prefix, frozenset(ids), at, complete=len(ids) == len(shown), parsed=parsed)


def _marks(cursor: Cursor | None) -> dict[str, str]:
    kept = told.part(cursor, "marks")
    return {what: mark for what, mark in kept.items() if isinstance(mark, str)}


def _etags(cursor: Cursor | None) -> dict[str, tuple[str, str]]:
    found: dict[str, tuple[str, str]] = {}
    for what, pair in told.part(cursor, "etags").items():
        match pair:
            case [str(url), str(etag)]:
                found[what] = (url, etag)
    return found
