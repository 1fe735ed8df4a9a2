"""Who may read what, in words: the rule the database is compared with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import TypeVar

from muniment.domain.audience import Audience
from muniment.domain.events import AudienceEvent, MemberEvent, PrincipalEvent
from tests.people import day

USERS = ("user:ann", "user:bo", "user:cy", "user:slack:U1")
GROUPS = ("group:a", "group:b", "group:c")
CONTAINERS = {"container:slack:K": "K", "container:slack:L": "L"}
NARROWEST_FIRST = ("deactivated", "external", "guest", "member")


@dataclass(frozen=True, slots=True)
class Grant:
    """A steward's word on one container, given before anything else was said."""

    ref: str
    principal: str


@dataclass(frozen=True, slots=True)
class Limit:
    """How long the containers of a source may go unverified, from a day on; None is as long as they like."""

    since: datetime
    within: timedelta | None


Statement = PrincipalEvent | MemberEvent | AudienceEvent
Said = Statement | Grant
Key = tuple[int, int, Decimal | bytes]
Row = tuple[str, frozenset[str], frozenset[Audience]]
One = TypeVar("One", PrincipalEvent, MemberEvent, AudienceEvent)


@dataclass(frozen=True, slots=True)
class World:
    """Everything said in order of arrival, in batches or one by one, and the audiences content has.

    `limits` are a steward's, and `now` is when somebody reads.
    """

    said: tuple[Said, ...]
    in_batches: bool
    audiences: frozenset[Audience]
    limits: tuple[Limit, ...]
    now: datetime


def key_of(event: Statement) -> Key:
    """Later is greater; at one time, no version is least, then decimals by value, then text by its bytes."""
    on = (event.at - day(0)).days
    if event.version is None:
        return on, 0, b""
    if event.version.replace(".", "", 1).isdecimal():
        return on, 1, Decimal(event.version)
    return on, 2, event.version.encode()


def is_account(who: str) -> bool:
    """Whether an id says whose it is: user:slack:U1 is Slack's."""
    return who.count(":") > 1


def latest(events: Iterable[One]) -> list[One]:
    """Those that none is later than: several where they tie."""
    found = list(events)
    return [event for event in found if key_of(event) == max(map(key_of, found))]


class Rule:
    """Who may read what at a time, by everything that was said, taken as a set."""

    def __init__(self, said: Iterable[Said], limits: Iterable[Limit], now: datetime) -> None:
        everything = list(said)
        self.now = now
        self.within = max(limits, key=lambda one: one.since, default=Limit(now, None)).within
        self.principals = [one for one in everything if isinstance(one, PrincipalEvent)]
        self.members = [one for one in everything if isinstance(one, MemberEvent)]
        self.containers = [one for one in everything if isinstance(one, AudienceEvent)]
        self.grants = [one for one in everything if isinstance(one, Grant)]
        self.edges = {(who, group) for who in (*USERS, *GROUPS) for group in GROUPS if self.holds(who, group)}

    def standing(self, who: str) -> str | None:
        said = latest(one for one in self.principals if one.id == who and one.standing is not None)
        return min((str(one.standing) for one in said), key=NARROWEST_FIRST.index, default=None)

    def names(self, who: str) -> set[str]:
        """Other names: e-mails in any case, aliases as they are. At a tie, those that all statements give."""
        emails = [set(one.emails or ()) for one in latest(self._of(who, "emails"))]
        aliases = [set(one.aliases or ()) for one in latest(self._of(who, "aliases"))]
        shared = set.intersection(*emails) if emails else set()
        return {one.casefold() for one in shared} | (set.intersection(*aliases) if aliases else set())

    def _of(self, who: str, field: str) -> list[PrincipalEvent]:
        return [one for one in self.principals if one.id == who and getattr(one, field) is not None]

    def holds(self, who: str, group: str) -> bool:
        """Whether the latest word on an edge puts someone in now: an addition in its period, no removal."""
        said = self.words(who, group)
        return bool(said) and all(one is not None and self.within_period(one) for one in said)

    def words(self, who: str, group: str) -> list[MemberEvent | None]:
        """The latest words on an edge, None for one that takes out; a listing is a word on everyone."""
        said: list[tuple[Key, MemberEvent | None]] = []
        for one in self.members:
            if one.group != group:
                continue
            said += [(key_of(one), one)] * (who in one.add) + [(key_of(one), None)] * (who in one.remove)
            said += [] if one.listing is None else [(key_of(one), one if who in one.listing else None)]
        last = max((key for key, _ in said), default=None)
        return [word for key, word in said if key == last]

    def within_period(self, said: MemberEvent) -> bool:
        return (said.valid_from is None or said.valid_from <= self.now) and (
            said.valid_to is None or self.now < said.valid_to
        )

    def is_closed(self, ref: str) -> bool:
        """Whether nobody vouched for a container's audience within its source's limit."""
        said = [one for one in self.containers if one.container == CONTAINERS[ref]]
        if self.within is None or all(one.live for one in latest(said)):
            return False
        verified = [one.verified_through for one in latest(one for one in said if one.verified_through)]
        return not verified or min(filter(None, verified)) + self.within < self.now

    def audience(self, ref: str) -> Audience | None:
        """Whom a container admits: as stated, and grants; where it is closed, grants alone."""
        granted = {grant.principal for grant in self.grants if grant.ref == ref}
        stated = self.stated(ref)
        if stated is None or not self.is_closed(ref):
            return stated
        return Audience.of(*granted) if granted else None

    def stated(self, ref: str) -> Audience | None:
        """The latest audience anyone gave a container; at a tie all of them; grants admit regardless."""
        stated = latest(one for one in self.containers if one.container == CONTAINERS[ref] and one.audience)
        audience = None
        for one in stated:
            audience = one.audience if audience is None or one.audience is None else audience & one.audience
        for grant in self.grants:
            audience = audience.or_also(grant.principal) if audience and grant.ref == ref else audience
        return audience

    def known(self, who: str, content: Iterable[Audience]) -> bool:
        """Whether anything names a principal."""
        stated = [audience for ref in CONTAINERS if (audience := self.stated(ref))]
        named = {
            member for audience in (*content, *stated) for clause in audience.clauses for member in clause
        }
        spoken = {one.id for one in self.principals}
        spoken |= {who for one in self.members for who in one.add + one.remove}
        spoken |= {who for group in GROUPS if (words := self.words(who, group)) and all(words)}
        return who.startswith("user:") and who in named | spoken

    def meant(self, name: str, content: Iterable[Audience]) -> str | None:
        """An id comes first; another name must be one principal's alone."""
        if self.known(name, content):
            return name
        spelled = name.casefold() if "@" in name else name
        owners = [who for who in USERS if spelled in self.names(who)]
        people = [who for who in owners if not is_account(who)]
        claims = people if len(people) == 1 else owners
        return claims[0] if len(claims) == 1 else None

    def accounts(self, who: str) -> set[str]:
        """Which accounts at sources a person is: those that share a name no other person has."""
        if is_account(who):
            return set()
        people = [one for one in USERS if not is_account(one) and one != who]
        own = self.names(who).difference(*map(self.names, people))
        found = {one for one in USERS if is_account(one) and not own.isdisjoint(self.names(one))}
        found |= {f"user:{name}" for name in own if ":" in name or "@" in name}
        return {one for one in found if self.standing(one) != "deactivated"}

    def subjects(self, who: str) -> frozenset[str]:
        """Who someone is: themselves, their groups and the groups of those, `*`, and containers."""
        if self.standing(who) == "deactivated":
            return frozenset()
        found = {who} | self.accounts(who)
        while more := {group for member, group in self.edges if member in found} - found:
            found |= more
        found |= {"*"} if self.standing(who) == "member" else set()
        opened = {ref for ref in CONTAINERS if (audience := self.audience(ref)) and audience.admits(found)}
        return frozenset(found | opened)

    def row(self, name: str, content: frozenset[Audience]) -> Row:
        who = self.meant(name, content)
        subjects = frozenset[str]() if who is None else self.subjects(who)
        return who or name, subjects, frozenset(one for one in content if one.admits(subjects))

    def readers(self, audience: Audience) -> set[str]:
        return {who for who in USERS if audience.admits(self.subjects(who))}
