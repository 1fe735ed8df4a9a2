"""A plan as Markdown: front matter, numbered sections, and the words that carry each entry."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import assert_never

import yaml

from evals.ledger import prose
from evals.ledger.entries import Document, Fact, Reference
from evals.ledger.plan import Amends, Entry, Plan, Points, Sets, Size, Unnamed
from evals.ledger.wording import pointer, stated, unnamed, written

__all__ = ["Written", "file_text", "write"]

_REFERENCES = ("{place} of the {title}", "the {title}, {place}", "{place} of {id}")
_PASSING_ON = (
    "the figure wanted by a form that refers to this paragraph",
    "what a form leaves open by naming this paragraph",
    "the entry for those whom a form sends here",
)
_CHANGES = (
    "In {ref} the figure is struck out and {v} takes its place.",
    "{ref} is amended: the figure given there is replaced by {v}.",
    "The figure in {ref} is deleted, and {v} stands in its stead.",
    "{v} replaces the figure printed in {ref}.",
    "{ref} now reads {v} where it gave another figure.",
)
_TOLD = (
    "Callers may be told that under the {title} {np} is {v}.",
    "Our desk gives {v} as {np}, citing the {title}.",
    "According to our notes on the {title}, {np} is {v}.",
    "When asked about the {title}, say that {np} is {v}.",
)
_PARTS = (
    "Coverage|Conditions|General terms|Exclusions|Loss settlement|Duties|Administration|Extensions".split("|")
)


@dataclass(frozen=True, slots=True)
class Written:
    """A document, and what stands where in it."""

    document: Document
    facts: tuple[Fact, ...]
    references: tuple[Reference, ...]


@dataclass(frozen=True, slots=True)
class _Said:
    """An entry in words: the quote, and the same as the page shows it."""

    quote: str
    shown: str


def write(plan: Plan, others: Mapping[str, Plan], seed: int, size: Size) -> Written:
    """The document of a plan."""
    chance = random.Random(f"{seed}:{plan.id}")
    said = _said(plan, others, chance)
    body = "\n\n".join([f"# {plan.title}", *_sections(plan, said, chance, seed, size)]) + "\n"
    document = Document(
        plan.id,
        plan.kind,
        plan.title,
        plan.line,
        plan.state,
        plan.effective,
        _fields(plan, others),
        body,
        plan.is_deleted,
    )
    return Written(document, tuple(_facts(plan, said)), tuple(_references(plan, said, others)))


def file_text(document: Document) -> str:
    """The document as the file a document management system hands in."""
    header = yaml.safe_dump(dict(document.fields), sort_keys=False, allow_unicode=True, width=1000)
    return f"---\n{header}---\n\n{document.body}"


def _fields(plan: Plan, others: Mapping[str, Plan]) -> dict[str, object]:
    older = plan.id.replace("2024", "2019")
    return {
        "id": plan.id,
        "title": plan.title,
        "type": plan.kind,
        "state": plan.state,
        "line": plan.line,
        "project": f"{plan.state} {plan.line}" if plan.kind not in ("definitions", "rate manual") else None,
        "edition": f"{plan.effective:%Y-%m}",
        "effective": plan.effective.isoformat(),
        "author": "Forms Committee",
        **({"supersedes": older} if older in others and older != plan.id else {}),
        **plan.fields,
    }


def _said(plan: Plan, others: Mapping[str, Plan], chance: random.Random) -> dict[str, _Said]:
    """Every entry in words that occur once in the document."""
    said: dict[str, _Said] = {}
    taken: set[str] = set()
    for key, entry in plan.entries.items():
        words = _say(entry, others, chance)
        while any(words.quote in other or other in words.quote for other in taken):
            words = _say(entry, others, chance)
        taken.add(words.quote)
        said[key] = words
    return said


def _say(entry: Entry, others: Mapping[str, Plan], chance: random.Random) -> _Said:
    match entry:
        case Sets(restates=None):
            return _Said(*stated(entry.concept, entry.value, chance))
        case Sets(restates=title):
            words = {"np": chance.choice(entry.concept.says), "v": written(entry.value, chance)}
            return _same(_capital(chance.choice(_TOLD).format(title=title, **words)))
        case Unnamed():
            return _same(unnamed(entry.value, chance))
        case Points(concept=concept):
            np = chance.choice(_PASSING_ON if concept is None else concept.says)
            return _same(pointer(np, _reference(entry, others, chance), chance))
        case Amends():
            ref = _reference(entry, others, chance)
            return _same(_capital(chance.choice(_CHANGES).format(ref=ref, v=written(entry.value, chance))))
    assert_never(entry)


def _same(words: str) -> _Said:
    return _Said(words, words)


def _reference(entry: Points | Amends, others: Mapping[str, Plan], chance: random.Random) -> str:
    target = others[entry.document]
    number = target.numbers[entry.key]
    place = number if number.startswith("Rule") else f"Section {number}"
    return chance.choice(_REFERENCES).format(place=place, title=target.title, id=target.id)


def _sections(
    plan: Plan, said: Mapping[str, _Said], chance: random.Random, seed: int, size: Size
) -> Iterator[str]:
    """Numbered provisions, four a section; a manual has rules instead."""
    common = random.Random(f"{seed}:{plan.kind}:{plan.market[0]}:text")
    yield prose.paragraph(common, 4)
    for place, (key, number) in enumerate(plan.numbers.items()):
        if plan.kind != "rate manual" and place % 4 == 0:
            yield f"## Section {1 + place // 4}. {_PARTS[(place // 4) % len(_PARTS)]}"
        level = "##" if plan.kind == "rate manual" else "###"
        yield f"{level} {number}{'.' if plan.kind == 'rate manual' else ''} {_heading(plan, key, common)}"
        yield from _provision(said.get(key), chance, common, size)


def _heading(plan: Plan, key: str, common: random.Random) -> str:
    match plan.entries.get(key):
        case Sets(concept=concept, restates=None):
            return concept.heading
        case Sets(concept=concept):
            return f"Answers about {concept.heading.lower()}"
        case Points(concept=concept) if concept is not None:
            return concept.heading
        case Points():
            return "Figures kept elsewhere"
        case Unnamed():
            return f"Schedule {plan.numbers[key].replace('Rule ', 'S')}"
        case Amends():
            return "Change of a figure"
        case None:
            return prose.heading(common)
        case _ as never:
            assert_never(never)


def _provision(said: _Said | None, chance: random.Random, common: random.Random, size: Size) -> Iterator[str]:
    """Mostly the text that all documents of the line share; now and then words of its own."""
    low, high = size.sentences if said is None else (2, 4)
    words = prose.paragraph(common, common.randint(low, high))
    if chance.random() < 0.15:
        words = prose.paragraph(chance, 3)
    if said is None:
        yield words
    elif said.shown != said.quote or said.shown[0] in "-|1":
        yield words
        yield said.shown
    elif chance.random() < 0.5:
        yield f"{words} {said.quote}"
    else:
        yield f"{said.quote} {words}"


def _facts(plan: Plan, said: Mapping[str, _Said]) -> Iterator[Fact]:
    for key, entry in plan.entries.items():
        match entry:
            case Sets(is_current=current):
                yield Fact(plan.id, entry.concept, entry.value, plan.numbers[key], said[key].quote, current)
            case Unnamed() | Amends():
                yield Fact(plan.id, entry.concept, entry.value, plan.numbers[key], said[key].quote)
            case Points():
                continue
            case _ as never:
                assert_never(never)


def _references(plan: Plan, said: Mapping[str, _Said], others: Mapping[str, Plan]) -> Iterator[Reference]:
    for key, entry in plan.entries.items():
        if isinstance(entry, Points | Amends):
            kind = "refers_to" if isinstance(entry, Points) else "amends"
            there = others[entry.document].numbers[entry.key]
            yield Reference(kind, plan.id, plan.numbers[key], entry.document, there, said[key].quote)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
