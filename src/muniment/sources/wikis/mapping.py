"""Who may read what of an export, as somebody wrote it down: a file from path prefix to audience."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from muniment.domain.audience import Audience, parse_audience
from muniment.domain.errors import Malformed
from muniment.sources.strict import Node, Wrong, compose

__all__ = ["Mapping", "read_mapping"]

_LONGEST = 1_000_000


@dataclass(frozen=True, slots=True)
class Mapping:
    """Audiences by path, longest path first; what lies under no path is left to the importer.

    `members` says who is meant by a name the tool knows: `hr-team` is `group:hr`.
    """

    places: tuple[tuple[tuple[str, ...], Audience], ...] = ()
    members: tuple[tuple[str, str], ...] = ()

    def nearest(self, path: Sequence[str]) -> Audience | None:
        """That of the longest path above: a page may be shared more widely than its folder."""
        return next((one for place, one in self.places if tuple(path[: len(place)]) == place), None)

    def every(self, path: Sequence[str]) -> Audience | None:
        """The AND of all paths above: where a restriction holds for everything under it."""
        found: Audience | None = None
        for place, one in self.places:
            if tuple(path[: len(place)]) == place:
                found = one if found is None else found & one
        return found

    def member(self, kind: str, source: str, name: str) -> str:
        """Who a group or user of the tool's is; one of the source's own, whom nobody is, where not said."""
        return dict(self.members).get(name, f"{kind}:{source}:{name}")


def read_mapping(file: str | None) -> Mapping:
    """From a YAML file; none at all maps nothing. Malformed says what is wrong, and where."""
    if not file:
        return Mapping()
    what = f"the mapping of audiences {file}"
    try:
        text = Path(file).expanduser().read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Malformed(f"{what} cannot be read: {error}") from None
    try:
        root = compose(text, what, longest=_LONGEST, begins="audiences:")
        listed = root.fields(("audiences", "members"))
        if "audiences" not in listed:
            raise root.wrong("field 'audiences' is missing")
        places = [_place(one) for one in listed["audiences"].each()]
        members = [_member(one) for one in listed["members"].each()] if "members" in listed else []
    except Wrong as error:
        raise Malformed(f"{what} is wrong at {error}") from None
    return Mapping(tuple(sorted(places, key=lambda one: (-len(one[0]), one[0]))), tuple(members))


def _member(node: Node) -> tuple[str, str]:
    fields = node.fields(("name", "is"))
    for name in ("name", "is"):
        if name not in fields:
            raise node.wrong(f"field {name!r} is missing")
    meant = fields["is"].text()
    try:
        parse_audience([meant])
    except ValueError as error:
        raise fields["is"].wrong(str(error)) from None
    return fields["name"].text(), meant


def _place(node: Node) -> tuple[tuple[str, ...], Audience]:
    fields = node.fields(("path", "audience"))
    for name in ("path", "audience"):
        if name not in fields:
            raise node.wrong(f"field {name!r} is missing")
    path = tuple(part.strip() for part in fields["path"].text().split("/") if part.strip())
    members = [
        [inner.text() for inner in one.each()] if one.is_list else one.text()
        for one in fields["audience"].each()
    ]
    clauses: list[object] = [one if isinstance(one, list) else [one] for one in members]
    try:
        flat = all(isinstance(one, str) for one in members)
        return path, parse_audience(list(members) if flat else clauses)
    except ValueError as error:
        raise fields["audience"].wrong(str(error)) from None
