"""Which entities may be one: proposed to a steward who sees both, and joined by nothing but their word."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Final

from muniment.domain.entities import EntityProposal
from muniment.domain.names import normal_name
from muniment.domain.regex import regex
from muniment.index.fields import PERSON
from muniment.pages.entities import Entity, all_entities
from muniment.steward.desk import Desk

__all__ = ["alike", "proposals"]

_WORD: Final = regex(r"[^\W_]+")
# Legal forms, and what firms are called by besides: Acme GmbH, ACME Corp.
_FORMS: Final = frozenset(
    "ab ag as bv co company corp corporation gmbh group holding holdings inc incorporated kg limited llc llp "
    "ltd nv oy plc pty sa sarl se spa srl the".split()
)
_HAN_FORM: Final = regex(r"(?:有限责任公司|股份有限公司|有限公司|集团|公司)\Z")
_ADDRESS: Final = regex(r"([^@\s]+)@([^@\s]+\.[^@\s]+)\Z")
_DOMAIN: Final = regex(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+\Z")
_LEAST: Final = 3  # letters of what is left of a name
_MOST: Final = 8  # with one trait: more have it by chance


def proposals(desk: Desk) -> list[EntityProposal]:
    """Pairs among what this steward can see, in the order of their titles."""
    with desk.reading() as reader:
        return alike(all_entities(reader))


def alike(entities: Sequence[Entity]) -> list[EntityProposal]:
    """Pairs of one kind that share what few do: a name but for its legal form, a domain, a mailbox's name."""
    having: dict[tuple[str, str, str], list[Entity]] = defaultdict(list)
    for one in entities:
        for why, trait in sorted(set(_traits(one))):
            having[one.kind, why, trait].append(one)
    found: dict[tuple[str, str], EntityProposal] = {}
    for (kind, why, trait), several in sorted(having.items(), key=lambda each: each[0]):
        for one, other in combinations(several if len(several) <= _MOST else (), 2):
            pair = (one.names[0], other.names[0])
            found.setdefault(pair, EntityProposal(*pair, kind, f"{why} {trait!r}"))
    return [found[pair] for pair in sorted(found)]


def _traits(one: Entity) -> Iterator[tuple[str, str]]:
    names = {normal_name(one.title), *one.names}
    if one.kind == PERSON:
        yield from (("mailbox", match[1]) for name in names if (match := _ADDRESS.match(name)))
        yield from (("name", core) for core in _people_cores(one))
    else:
        yield from (("domain", name) for name in names if _DOMAIN.match(name))
        yield from (("name", core) for core in _cores(names))


def _people_cores(one: Entity) -> Iterator[str]:
    """A person's name whatever the order of its parts; one part alone is anybody's."""
    words = sorted(_WORD.findall(normal_name(one.title)))
    if len(words) > 1 and not any(sign in one.title for sign in "@:"):
        yield " ".join(words)


def _cores(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        words = [word for word in _WORD.findall(_HAN_FORM.sub("", name)) if word not in _FORMS]
        core = " ".join(words)
        if len(core) >= _LEAST or (core and not core.isascii()):
            yield core
