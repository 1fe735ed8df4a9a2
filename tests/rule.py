"""Who may read what, in words: the rule the database is compared with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeVar

from muniment.domain.audience import Audience
from muniment.domain.events import AudienceEvent, MemberEvent, PrincipalEvent
from tests.people import day

USERS = ("user:ann", "user:bo", "user:cy")
GROUPS = ("group:a", "group:b", "group:c")
CONTAINERS = {"container:slack:K": "K", "container:slack:L": "L"}
NARROWEST_FIRST = ("deactivated", "external", "guest", "member")


@dataclass(frozen=True, slots=True)
class Grant:
    """A steward's word on one container, given before anything else was said."""

    ref: str
    principal: str


Statement = PrincipalEvent | MemberEvent | AudienceEvent
Said = Statement | Grant
Key = tuple[int, int, Decimal | bytes]
Row = tuple[str, frozenset[str], frozenset[Audience]]
One = TypeVar("One", PrincipalEvent, MemberEvent, AudienceEvent)


@dataclass(frozen=True, slots=True)
class World:
    """Everything said in order of arrival, in batches or one by one, and the audiences content has."""

    said: tuple[Said, ...]
    in_batches: bool
    audiences: frozenset[Audience]


def key_of(event: Statement) -> Key:
    """Later is greater; at one time, no version is least, then decimals by value, then text by its bytes."""
    on = (event.at - day(0)).days
    if event.version is None:
        return on, 0, b""
    if event.version.replace(".", "", 1).isdecimal():
        return on, 1, Decimal(event.version)
    return on, 2, event.version.encode()


def latest(events: Iterable[One]) -> list[One]:
    """Those that none is later than: several where they tie."""
    found = list(events)
    return [event for event in found if key_of(event) == max(map(key_of, found))]


class Rule:
    """Who may read what by everything that was said, taken as a set."""

    def __init__(self, said: Iterable[Said]) -> None:
        everything = list(said)
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
        """The latest word on an edge holds, a removal before an addition; a listing is a word on everyone."""
        words: list[tuple[Key, bool]] = []
        for one in self.members:
            if one.group != group:
                continue
            words += [(key_of(one), True)] * (who in one.add) + [(key_of(one), False)] * (who in one.remove)
            words += [] if one.listing is None else [(key_of(one), who in one.listing)]
        return bool(words) and all(present for key, present in words if key == max(words)[0])

    def audience(self, ref: str) -> Audience | None:
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
        stated = [audience for ref in CONTAINERS if (audience := self.audience(ref))]
        named = {
            member for audience in (*content, *stated) for clause in audience.clauses for member in clause
        }
        spoken = {one.id for one in self.principals} | {who for who, _ in self.edges}
        spoken |= {who for one in self.members for who in one.add + one.remove}
        return who.startswith("user:") and who in named | spoken

    def meant(self, name: str, content: Iterable[Audience]) -> str | None:
        """An id comes first; another name must be one principal's alone."""
        if self.known(name, content):
            return name
        spelled = name.casefold() if "@" in name else name
        owners = [who for who in USERS if spelled in self.names(who)]
        return owners[0] if len(owners) == 1 else None

    def subjects(self, who: str) -> frozenset[str]:
        """Who someone is: themselves, their groups and the groups of those, `*`, and containers."""
        if self.standing(who) == "deactivated":
            return frozenset()
        found = {who}
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
