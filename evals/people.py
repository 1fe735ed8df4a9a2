"""Who is who among a thousand invented people: the same joined, others never, what is unclear left so.

Drawn from a seed. Everybody has an id, an address, and handles in a chat and a code host, and writes under
each of them in whatever case. Fifty have a second account that a steward says is theirs. Twenty handles and
names belong to two people each. Nothing here is anybody's data.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import muniment
from evals.shared import Report
from muniment.claims.naming import Names, read_names
from muniment.domain.errors import Usage
from muniment.domain.names import normal_name
from muniment.view import View

__all__ = ["CONFLICTS", "MERGES", "PEOPLE", "Found", "People", "draw", "hand_in", "look", "run"]

PEOPLE, MERGES, CONFLICTS = 1000, 50, 20
SEED = 4
_FIRST = (
    "Ada Bela Cleo Dario Elif Femi Greta Hugo Ines Jonas Kaya Lars Mina Noor Otto Pia Quinn Rosa Sven Tara "
    "Uma Vito Wanda Ximena Yara Zeno Anouk Bruno Carla Dunja Emil Frida"
).split()
_LAST = (
    "Abend Brandt Cordes Dorn Ebner Falk Gruber Heller Iven Jansen Kranz Lorenz Mertens Nolte Oswald Peters "
    "Quast Reuter Seidel Thoma Ulrich Vogt Wendt Xander Yilmaz Zander Alder Birch Cedar Dahl Elm Fenn"
).split()
Event = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Person:
    """One account: an id, what a directory calls it, and the handles that are its own."""

    id: str
    name: str
    handles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class People:
    """Accounts; pairs of them that are one person; names and handles that two share, with which two."""

    accounts: tuple[Person, ...]
    same: tuple[tuple[str, str], ...]
    shared: Mapping[str, tuple[str, str]]
    events: tuple[Event, ...]
    wrote: Mapping[str, frozenset[str]]

    @property
    def owner(self) -> dict[str, str]:
        """Whose each handle is: the same for both accounts of one person."""
        first = {second: one for one, second in self.same}
        return {
            handle: first.get(one.id, one.id) for one in self.accounts for handle in (one.id, *one.handles)
        }


@dataclass(frozen=True, slots=True)
class Found:
    """Pairs of handles joined though they are two people's, and not joined though they are one's.

    `guessed`: shared ones that lead to somebody. `misplaced`: of those looked at, whose items are not
    exactly theirs.
    """

    handles: int
    joined: int
    missed: int
    guessed: int
    misplaced: int
    looked: int

    @property
    def wrong(self) -> int:
        """Of all kinds together."""
        return self.joined + self.missed + self.guessed + self.misplaced


def draw(seed: int, count: int = PEOPLE, merges: int = MERGES, conflicts: int = CONFLICTS) -> People:
    """People drawn from a seed: `merges` of them with a second account, `conflicts` things that two share."""
    chance = random.Random(seed)
    names = [f"{first} {last}" for first, last in product(_FIRST, _LAST)]
    chance.shuffle(names)
    accounts = [_account(chance, f"user:p{number:04}", names[number]) for number in range(count)]
    seconds = chance.sample(accounts, merges)
    doubles = [_account(chance, f"user:x{at:04}", one.name.split()[0]) for at, one in enumerate(seconds)]
    unmerged = [one for one in accounts if one not in set(seconds)]
    pairs = chance.sample(unmerged, 2 * conflicts)
    shared = dict(_shared(zip(pairs[::2], pairs[1::2], strict=True)))
    every = (*accounts, *doubles)
    events = [*_directory(every, shared), *_items(chance, every, shared)]
    wrote: dict[str, set[str]] = defaultdict(set)
    same = tuple((one.id, double.id) for one, double in zip(seconds, doubles, strict=True))
    people = People(every, same, {name: ids for name, (_, ids) in shared.items()}, tuple(events), {})
    for event in events:
        if event.get("op") == "upsert" and (who := people.owner.get(normal_name(_writer(event)))):
            wrote[who].add(str(event["id"]))
    return People(
        every, same, people.shared, people.events, {who: frozenset(ids) for who, ids in wrote.items()}
    )


def _account(chance: random.Random, id_: str, name: str) -> Person:
    mail = f"{name.replace(' ', '.').lower()}.{id_[5:]}@{chance.choice(('corp', 'mail', 'lab'))}.example"
    first = name.split(maxsplit=1)[0].lower()
    return Person(id_, name, (mail, f"slack:u{id_[5:]}", f"github:{first}-{id_[5:]}"))


def _shared(pairs: Iterator[tuple[Person, Person]]) -> Iterator[tuple[str, tuple[str, tuple[str, str]]]]:
    """In turn: a handle, an address, a nickname, and the whole name."""
    for number, (one, two) in enumerate(pairs):
        kind = ("alias", "mail", "nickname", "name")[number % 4]
        first = one.name.split()[0].lower()
        name = {
            "alias": f"slack:shared{number}",
            "mail": f"team.{first}.{number}@corp.example",
            "nickname": f"{first}{number}",
            "name": f"{one.name} {number}",
        }[kind]
        yield name.casefold(), (kind, (one.id, two.id))


def _directory(
    accounts: Sequence[Person], shared: Mapping[str, tuple[str, tuple[str, str]]]
) -> Iterator[Event]:
    extra: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for name, (kind, ids) in shared.items():
        for number, id_ in enumerate(ids):
            # The second says it in another case.
            extra[id_].append((kind, name.title() if number and kind in ("mail", "name") else name))
    for one in accounts:
        mail, *handles = one.handles
        mine = extra.get(one.id, [])
        yield {
            "op": "principal",
            "source": "directory",
            "id": one.id,
            "at": "2026-01-05T09:00:00Z",
            "standing": "member",
            "name": next((name for kind, name in mine if kind == "name"), one.name),
            "emails": [mail.title(), *(name for kind, name in mine if kind == "mail")],
            "aliases": [*handles, *(name for kind, name in mine if kind == "alias")],
        }


def _items(
    chance: random.Random, accounts: Sequence[Person], shared: Mapping[str, tuple[str, tuple[str, str]]]
) -> Iterator[Event]:
    nicknames = {id_: name for name, (kind, ids) in shared.items() if kind == "nickname" for id_ in ids}
    for one in accounts:
        mail, slack, github = one.handles
        shown = nicknames.get(one.id, one.name)
        yield _item("chat", f"{one.id}-1", {"author": one.id, "author_name": shown})
        yield _item("chat", f"{one.id}-2", {"author_name": slack.upper()})
        yield _item("mail", f"{one.id}-3", {"author_name": chance.choice((mail.upper(), mail.title(), mail))})
        yield _item("code", f"{one.id}-4", {"author_name": github})
    for number, (name, (kind, _)) in enumerate(shared.items()):
        if kind in ("alias", "mail", "name"):
            yield _item("chat", f"shared-{number}", {"author_name": name.title()})


def _item(source: str, id_: str, author: Event) -> Event:
    plain = {"op": "upsert", "source": source, "id": id_, "kind": "message", "at": "2026-02-02T09:00:00Z"}
    return {**plain, "body": "I will look into it.", "audience": [["*"]], **author}


def _writer(event: Event) -> str:
    return str(event.get("author") or event.get("author_name"))


def hand_in(org: muniment.Org, people: People, *, merge: bool = True) -> None:
    """Everything that was said, and what a steward settles about second accounts."""
    receipt = org.ingest(people.events)
    if receipt.quarantined:
        raise ValueError([one.reason for one in receipt.items if one.reason][:3])
    if merge:
        desk = org.steward(org.login)
        for one, second in people.same:
            desk.merge(one, second)


def look(view: View, people: People, *, sample: int | None = None) -> Found:
    """Who is who to somebody who may read everything; `sample`: of so many people, what they wrote."""
    owner = people.owner
    with view._reading() as reader:
        names = read_names(reader, [*owner, *people.shared])
    guessed = sum(len(names.meant(normal_name(name))) == 1 for name in people.shared)
    joined, missed = _pairs(names, owner)
    several = {second for _, second in people.same}
    looked = [one.id for one in people.accounts if one.id not in several][:sample]
    misplaced = sum(_wrote(view, id_) != people.wrote[id_] for id_ in looked)
    return Found(len(owner), joined, missed, guessed, misplaced, len(looked))


def _pairs(names: Names, owner: Mapping[str, str]) -> tuple[int, int]:
    """How many pairs of handles are joined wrongly, and how many are not that should be."""
    by_key: dict[str, list[str]] = defaultdict(list)
    by_owner: dict[str, list[str]] = defaultdict(list)
    for handle, who in owner.items():
        by_key[names.key(handle)].append(who)
        by_owner[who].append(names.key(handle))
    return sum(map(_unlike, by_key.values())), sum(map(_unlike, by_owner.values()))


def _unlike(values: Sequence[str]) -> int:
    """Pairs of values that differ."""
    count = len(values)
    alike = sum(values.count(value) * (values.count(value) - 1) // 2 for value in set(values))
    return count * (count - 1) // 2 - alike


def _wrote(view: View, id_: str) -> frozenset[str]:
    try:
        return frozenset(hit.item or "" for hit in view.search("look into it", limit=100, entity=id_))
    except Usage:  # ambiguous, which no id of somebody's own may be
        return frozenset()


def run(org: muniment.Org) -> Report:
    """The figures, over everybody."""
    people = draw(SEED)
    hand_in(org, people, merge=False)
    view = org.reader(org.login)
    before = look(view, people, sample=0)
    desk = org.steward(org.login)
    for one, second in people.same:
        desk.merge(one, second)
    found = look(view, people)
    how = (
        f"{PEOPLE} people with {len(people.accounts)} accounts and {found.handles} handles, drawn from seed "
        f"{SEED}. Before the {MERGES} second accounts were settled, {before.missed} pairs of one person's "
        f"handles were not joined; {before.joined} were joined wrongly."
    )
    figures = {
        "handles not joined to anybody else's": (found.handles - found.joined, found.handles),
        "second accounts whole": (MERGES - min(MERGES, found.missed), MERGES),
        "shared handles and names left unclear": (CONFLICTS - found.guessed, CONFLICTS),
        "people with exactly their own items": (found.looked - found.misplaced, found.looked),
    }
    return Report("entities", how, figures, [])
