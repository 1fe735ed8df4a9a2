"""What a text is, as far as reading its references needs it: its own names, its scheme, what it declares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from muniment.domain.events import Body, ItemRef
from muniment.graph.handles import TITLED, edition_of, handles
from muniment.graph.names import title_name
from muniment.graph.numbers import scheme_of

__all__ = ["Referrer"]

# Texts that stand for themselves: `this` in a message or a meeting is something that was just spoken of.
_STANDING = frozenset(("document", "note", "issue", "pull_request", "email", "episode"))


@dataclass(frozen=True, slots=True)
class Referrer:
    """`names`: what others call it. `title`: the first of these, without its `edition`."""

    kind: str
    id: str
    title: str = ""
    names: frozenset[str] = frozenset()
    edition: str = ""
    declared: Mapping[str, object] = field(default_factory=dict)
    says_when: bool = False

    @classmethod
    def of(cls, ref: ItemRef, body: Body) -> Referrer:
        """Of an item as one of its versions has it."""
        if body.kind not in TITLED:
            return cls(body.kind, ref.id, declared=body.metadata)
        names = frozenset(one.name for one in handles(ref, body) if one.role in ("title", "number"))
        title = title_name(body.title).name if body.title else ""
        return cls(
            body.kind, ref.id, title, names, edition_of(body), body.metadata, body.valid_from is not None
        )

    def is_called(self, name: str | None, edition: str | None) -> bool:
        """Whether that is a name of the text itself, and not of another edition of it."""
        return name in self.names and edition in (None, self.edition)

    @property
    def stands_for_itself(self) -> bool:
        """Whether its `this` is the text."""
        return self.kind in _STANDING

    @property
    def scheme(self) -> str | None:
        """What a bare number in one of its fields is a number of."""
        return scheme_of(self.id)
