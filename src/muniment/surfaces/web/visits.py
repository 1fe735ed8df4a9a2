"""One request of somebody signed in: who, in which words, about which moment, and what they sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import urlencode

from muniment.domain.errors import Refused
from muniment.domain.regex import regex
from muniment.surfaces.web.wording import Wording

if TYPE_CHECKING:
    from muniment.app import Org, Steward, View
    from muniment.domain.principals import Bearer

__all__ = ["Gone", "Reply", "Screen", "Sheet", "Shown", "Visit"]

_DAY = regex(r"\d{4}-\d{2}-\d{2}")
_CARRIED = ("as_of", "known_at", "with")  # what stays as one goes from page to page


@dataclass(frozen=True, slots=True)
class Shown:
    """A page, by its template, and what it shows."""

    template: str
    values: Mapping[str, object] = field(default_factory=dict)
    status: int = 200


@dataclass(frozen=True, slots=True)
class Gone:
    """Somewhere else to go, once something was done."""

    place: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """A file to keep, for another program."""

    text: str
    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class Visit:
    """A request as the screens see it. `asked` stands in the address, `sent` in the form."""

    org: Org
    bearer: Bearer
    wording: Wording
    asked: Mapping[str, str]
    sent: Mapping[str, str]
    path: Mapping[str, str]

    @property
    def view(self) -> View:
        """What the visitor may know, of the moment they ask about.

        `with` is somebody else who hears it too: what both may know, and for stewards alone.
        """
        hearers = tuple(filter(None, [self.asked.get("with")]))
        if hearers and not self.is_steward:
            raise Refused("only a steward looks with somebody else's eyes, and with their own")
        return self.org.reader(
            self.bearer.principal,
            as_of=end_of(self.asked.get("as_of")),
            known_at=end_of(self.asked.get("known_at")),
            agent=self.bearer.agent,
            hearers=hearers,
        )

    def view_of(self, as_of: str = "") -> View:
        """What the visitor alone may know, of the moment that a form was shown for: whose word it brings."""
        moment = end_of(as_of)
        return self.org.reader(self.bearer.principal, as_of=moment, agent=self.bearer.agent)

    @property
    def name(self) -> str:
        """What stands in the path as a name, or is asked for where a path cannot hold it."""
        return self.path.get("entity", "") or self.ask("entity")

    @property
    def desk(self) -> Steward:
        """The visitor's desk; Refused where they are no steward, or come through an agent."""
        if self.bearer.agent is not None:
            raise Refused("an agent sits at nobody's desk")
        return self.org.steward(self.bearer.principal)

    @property
    def is_steward(self) -> bool:
        """Whether the visitor has a desk."""
        try:
            return bool(self.desk.principal)
        except Refused:
            return False

    def ask(self, name: str) -> str:
        """What stands in the address under a name, without the space around it."""
        return self.asked.get(name, "").strip()

    def place(self, path: str, **more: str | None) -> str:
        """An address that stays with the moment and the ears of this visit."""
        carried = {name: self.asked[name] for name in _CARRIED if self.asked.get(name)}
        asked = {name: said for name, said in {**carried, **more}.items() if said}
        return f"{path}{'&' if '?' in path else '?'}{urlencode(asked)}" if asked else path


Reply: TypeAlias = Shown | Gone | Sheet
Screen: TypeAlias = Callable[[Visit], Reply]


def end_of(said: str | None) -> str | None:
    """The end of a day, where a day is said; a time as it stands; None for nothing."""
    if not said or not said.strip():
        return None
    return f"{said}T23:59:59Z" if _DAY.fullmatch(said) else said
