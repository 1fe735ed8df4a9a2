"""Permission from outside: sample stores of a relation-based system, said in events, asked of readers.

Each store's model and tuples become groups and audiences; whether somebody has a relation to an object
becomes whether they can read an item for whom that relation is. What our model has no form for is counted.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

import yaml

import muniment
from evals.openfga_model import CannotSayError, Model, Tuple, World, parse_model
from evals.shared import Report, settings, shared

__all__ = ["Clock", "Outcome", "Settable", "check_store", "run", "stores"]

FOLDER = "openfga_sample_stores"
_EARLY = datetime(2001, 1, 1, tzinfo=UTC)
_USUAL = datetime(2026, 6, 1, tzinfo=UTC)


class Settable(Protocol):
    """What a check sets before it asks."""

    at: datetime


class Clock:
    """A clock that is set to the time of each check."""

    def __init__(self) -> None:
        self.at = _EARLY

    def __call__(self) -> datetime:
        return self.at


@dataclass(frozen=True, slots=True)
class Question:
    """May they, who may, or what may they: pairs of someone and an object, and who of them should."""

    name: str
    pairs: tuple[tuple[str, str], ...]
    relation: str
    right: frozenset[tuple[str, str]]
    context: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one assertion: right, wrong, or why it cannot be said."""

    store: str
    question: str
    is_right: bool
    cannot: str | None = None


def run(_org: muniment.Org) -> Report:
    """Every store that is there, in a record of its own whose clock can be set."""
    folders = stores()
    with tempfile.TemporaryDirectory() as name:
        folder, clock = Path(name), Clock()
        folder.chmod(0o711)
        with muniment.open(folder / "org", clock=clock, settings=settings(folder)) as org:
            found = [one for path in folders for one in check_store(org, clock, path)]
    return _report(found)


def stores() -> list[Path]:
    """The stores' files, in order; NotHere where there are none on this machine."""
    return sorted(shared(FOLDER).glob("*/*.fga.yaml"))


def check_store(org: muniment.Org, clock: Settable, path: Path) -> list[Outcome]:
    """Every assertion of a store."""
    said = yaml.safe_load(path.read_text(encoding="utf-8"))
    text = said.get("model") or (path.parent / said["model_file"]).read_text(encoding="utf-8")
    model, store = parse_model(text), f"{path.parent.name}/{path.name.split('.')[0]}"
    found: list[Outcome] = []
    for number, test in enumerate(said.get("tests", [])):
        tuples = [*_tuples(said.get("tuples") or []), *_tuples(test.get("tuples") or [])]
        for place, one in enumerate(_questions(test, model, tuples)):
            world = World(model, tuples, f"{store}/{number}.{place}")
            found.append(_asked(org, clock, store, world, one))
    return found


def _tuples(said: Iterable[Mapping[str, Any]]) -> Iterator[Tuple]:
    for one in said:
        condition = one.get("condition") or {}
        yield Tuple(
            one["user"], one["relation"], one["object"], condition.get("name"), condition.get("context") or {}
        )


# What is asked


def _questions(test: Mapping[str, Any], model: Model, tuples: Sequence[Tuple]) -> Iterator[Question]:
    world = World(model, tuples, "")
    for check in test.get("check") or []:
        users = check.get("users") or [check["user"]]
        objects = check.get("objects") or [check["object"]]
        pairs = tuple((user, object_) for user in users for object_ in objects)
        for relation, expected in check["assertions"].items():
            right = frozenset(pairs) if expected else frozenset()
            yield Question(f"check {pairs[0]}", pairs, relation, right, check.get("context") or {})
    for listed in test.get("list_objects") or []:
        user = listed["user"]
        for relation, objects in listed["assertions"].items():
            known = dict.fromkeys([*world.subjects(listed["type"]), *(objects or [])])
            pairs = tuple((user, object_) for object_ in known)
            right = frozenset((user, object_) for object_ in objects or [])
            yield Question(f"objects of {user}", pairs, relation, right, listed.get("context") or {})
    for listed in test.get("list_users") or []:
        yield from _users_asked(listed, world)


def _users_asked(listed: Mapping[str, Any], world: World) -> Iterator[Question]:
    (wanted,) = listed["user_filter"]
    object_ = listed["object"]
    for relation, expected in listed["assertions"].items():
        users = list(expected.get("users") or [])
        known = dict.fromkeys([*world.subjects(wanted["type"]), *users])
        suffix = f"#{wanted['relation']}" if "relation" in wanted else ""
        pairs = tuple((f"{who}{suffix}" if "#" not in who else who, object_) for who in known)
        right = frozenset((who, object_) for who in users)
        yield Question(f"users of {object_}", pairs, relation, right, listed.get("context") or {})


# What the record answers


def _asked(org: muniment.Org, clock: Settable, store: str, world: World, asked: Question) -> Outcome:
    name = f"{asked.name} {asked.relation}"
    try:
        clock.at = _now(asked.context)
        readable = _readable(org, clock.at, world, asked)
    except CannotSayError as why:
        return Outcome(store, name, is_right=False, cannot=str(why))
    return Outcome(store, name, is_right=readable == asked.right)


def _now(context: Mapping[str, object]) -> datetime:
    return datetime.fromisoformat(str(context.get("current_time", _USUAL.isoformat())))


def _readable(org: muniment.Org, now: datetime, world: World, asked: Question) -> frozenset[tuple[str, str]]:
    if any("#" in user for user, _ in asked.pairs):
        raise CannotSayError("a set as the one who asks")
    _tell(org, now, world, asked)
    readers = {user: _items(org, world.principal(user)) for user, _ in asked.pairs}
    return frozenset((user, object_) for user, object_ in asked.pairs if _id(world, object_) in readers[user])


def _tell(org: muniment.Org, now: datetime, world: World, asked: Question) -> None:
    at = (now - timedelta(days=400)).isoformat()
    items = [
        {
            "op": "upsert",
            "source": "objects",
            "id": _id(world, object_),
            "at": at,
            "kind": "note",
            "body": "A relation.",
            "audience": [sorted(clause) for clause in world.audience(object_, asked.relation)],
        }
        for object_ in dict.fromkeys(object_ for _, object_ in asked.pairs)
    ]
    members = [
        {
            "op": "member",
            "source": "relations",
            "group": group,
            "at": at,
            "add": [member],
            **({} if until is None else {"valid_to": until.isoformat()}),
        }
        for (member, group), until in world.edges.items()
    ]
    public = world.full_members()
    people = [
        {"op": "principal", "source": "people", "id": world.principal(user), "at": at, "standing": "member"}
        for user in dict.fromkeys(user for user, _ in asked.pairs)
        if user.partition(":")[0] in public
    ]
    receipt = org.ingest([*people, *members, *items])
    if receipt.quarantined:
        raise ValueError(f"refused: {[one.reason for one in receipt.items if one.reason]}")


def _id(world: World, object_: str) -> str:
    return f"{world.prefix}/{object_}"


def _items(org: muniment.Org, principal: str) -> set[str | None]:
    return {hit.item for hit in org.reader(principal).search("relation", limit=100)}


# What came of it


def _report(found: Sequence[Outcome]) -> Report:
    said = [one for one in found if one.cannot is None]
    figures: dict[str, tuple[float, int]] = {
        "can be said in our model": (len(said), len(found)),
        "of those answered right": (sum(one.is_right for one in said), len(said)),
    }
    for store in dict.fromkeys(one.store for one in found):
        mine = [one for one in said if one.store == store]
        figures[f"{store}: right"] = (sum(one.is_right for one in mine), len(mine))
    cannot = Counter((one.store, one.cannot) for one in found if one.cannot is not None)
    return Report(
        "OpenFGA sample stores",
        "Each assertion asked as whether somebody can read an item for whom the relation is.",
        figures,
        [
            *(
                f"{store}: {count} of its assertions need {why}"
                for (store, why), count in sorted(cannot.items())
            ),
            *(f"wrong: {one.store}: {one.question}" for one in said if not one.is_right),
        ],
    )
