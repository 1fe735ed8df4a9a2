"""Amended texts read as of a day: policies with chains of amendments, drawn from a seed, and a model."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import muniment
from evals.shared import Report

__all__ = ["run", "worded"]

SEED = 20261130
POLICIES, AMENDMENTS, DAYS = 25, 6, 8
_START = date(2024, 1, 1)
_RULES = {
    "hotel limit": ("The hotel limit is EUR {0} per night.", "酒店每晚上限为{0}欧元。"),
    "meal allowance": ("The meal allowance is EUR {0}.", "餐补为{0}欧元。"),
    "notice period": ("The notice period is {0} days.", "通知期为{0}天。"),
    "annual leave": ("The annual leave is {0} days.", "年假为{0}天。"),
    "discount": ("The discount is {0}%.", "折扣为{0}%。"),
}
_SAYS = ("Effective {0:%-d %B %Y}", "Valid from {0:%Y-%m-%d}", "With effect from {0:%-d %B %Y}")
_SAYS_HAN = ("本办法自{0.year}年{0.month}月{0.day}日起施行。", "生效日期：{0:%Y-%m-%d}")


@dataclass(frozen=True, slots=True)
class _Change:
    since: date
    values: Mapping[str, int]
    whole: bool


def run(org: muniment.Org) -> Report:
    """Twenty-five policies of six changes each, asked at eight days for each of their rules."""
    return _run(org, "amendments", words=False)


def worded(org: muniment.Org) -> Report:
    """The same, where only the texts say what they amend and replace."""
    return _run(org, "amendments-worded", words=True)


def _run(org: muniment.Org, name: str, *, words: bool) -> Report:
    chance = random.Random(SEED)  # an evaluation, not a secret
    right = asked = 0
    wrong: list[str] = []
    for number in range(POLICIES):
        changes = _changes(chance)
        han = bool(number % 2)
        org.ingest(_events(number, changes, chance, han=han, words=words))
        for day in _days(chance, changes):
            found = _current(org, number, day)
            for rule, value in _model(changes, day).items():
                asked += 1
                says = _RULES[rule][han].format(value)
                said = sorted(text for text in found if _stem(_RULES[rule][han]) in text)
                right += said == [says]
                if said != [says]:
                    wrong.append(f"policy {number} at {day}: {says} not {said}")
    how = f"`python -m evals {name}`: seed {SEED}, {POLICIES} policies, {AMENDMENTS} changes each"
    return Report(name, how, {"as-of answers over amended texts": (right, asked)}, wrong[:20])


def _stem(template: str) -> str:
    return template.partition("{0}")[0]


def _changes(chance: random.Random) -> list[_Change]:
    """A first text of every rule, then amendments of one or two, now and then a new edition of all."""
    since = _START + timedelta(days=chance.randrange(60))
    changes = [_Change(since, _values(chance, _RULES), whole=True)]
    for _ in range(AMENDMENTS):
        since += timedelta(days=chance.randrange(10, 120))
        whole = chance.random() < 0.2
        rules = _RULES if whole else chance.sample(sorted(_RULES), chance.choice((1, 2)))
        changes.append(_Change(since, _values(chance, rules), whole))
    return changes


def _values(chance: random.Random, rules: Iterable[str]) -> dict[str, int]:
    return {rule: chance.randrange(5, 400) for rule in rules}


def _model(changes: Sequence[_Change], day: date) -> dict[str, int]:
    held: dict[str, int] = {}
    for change in changes:
        if change.since <= day:
            held |= change.values
    return held


def _events(
    number: int, changes: Sequence[_Change], chance: random.Random, *, han: bool, words: bool
) -> Iterator[dict[str, Any]]:
    reader = f"user:p{number}"
    yield {
        "op": "principal",
        "source": "dir",
        "id": reader,
        "at": "2024-01-01T00:00:00Z",
        "standing": "member",
    }
    edition = 0
    for place, change in enumerate(changes):
        said = chance.choice(_SAYS_HAN if han else _SAYS).format(change.since)
        rules = "\n\n".join(_RULES[rule][han].format(value) for rule, value in change.values.items())
        event: dict[str, Any] = {
            "op": "upsert",
            "source": "policies",
            "kind": "document",
            "id": f"{number}-{place}",
            "at": f"{change.since - timedelta(days=chance.randrange(1, 30))}T09:00:00Z",
            "title": f"Rules {number}, part {place}",
            "account": "one",
            "body": f"{said}\n\n{rules}",
            "audience": [[reader]],
        }
        if place and words:
            event["body"] = f"{said}\n\n{_relation(number, edition, change, han=han)}\n\n{rules}"
        elif place:
            event["supersedes" if change.whole else "amends"] = [f"{number}-{edition}"]
        edition = place if change.whole else edition
        yield event


def _relation(number: int, edition: int, change: _Change, *, han: bool) -> str:
    """What the text itself says it does to the one before."""
    title = f"Rules {number}, part {edition}"
    if han:
        return f"本办法{'取代' if change.whole else '修订'}《{title}》。"
    return f'This document {"replaces" if change.whole else "amends"} "{title}".'


def _days(chance: random.Random, changes: Sequence[_Change]) -> list[date]:
    """The days of a change, the days before, and others."""
    edges = [change.since for change in changes] + [
        change.since - timedelta(days=1) for change in changes[1:]
    ]
    others = [changes[0].since + timedelta(days=chance.randrange(800)) for _ in range(3)]
    return sorted(chance.sample(edges, DAYS - 3) + others)


def _current(org: muniment.Org, number: int, day: date) -> list[str]:
    page = org.reader(f"user:p{number}", as_of=f"{day}T12:00:00Z").page("one")
    return [
        claim.statement
        for section in page.sections
        if section.title not in ("Upcoming", "History", "Recalled")
        for claim in section.claims
        if claim.status == "active"
    ]
