"""Figures and sentences in many forms. A sentence is put together from independent choices, so that no
pattern over it tells what it says of what.
"""

from __future__ import annotations

import random

from evals.ledger.entries import Concept, Value

__all__ = ["pointer", "scoped", "stated", "unnamed", "written"]

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
).split()
_TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split()

_LEADS = (
    "Under this part, ",
    "As filed with the department, ",
    "For purposes of this paragraph, ",
    "Throughout the policy term, ",
    "Subject to every other term, ",
    "Notwithstanding anything printed elsewhere in this part, ",
    "In the absence of a contrary entry in the schedule, ",
    "",
    "",
    "",
)
_TAILS = (
    ", whatever the number of claimants",
    ", and no usage to the contrary alters this",
    ", save as the law of the state compels otherwise",
    " for the whole of the policy term",
    ", as shown in our filings",
    "",
    "",
    "",
    "",
)
_FRAMES = (
    "{lead}{np} is {v}{tail}.",
    "{lead}{np} has been set at {v}{tail}.",
    "{lead}{np} comes to {v}{tail}.",
    "{lead}{np} stands at {v}{tail}.",
    "{lead}{v} is {np}{tail}.",
    "{lead}we apply {v} as {np}{tail}.",
    "{lead}it is agreed that {np} equals {v}{tail}.",
    "{lead}we have fixed {np} at {v}{tail}.",
    "{lead}{v}, neither more nor less, is {np}{tail}.",
    "{lead}{np} shall be {v}{tail}.",
    "{lead}the parties take {v} to be {np}{tail}.",
    "{lead}{np} is fixed by this paragraph, and it is {v}{tail}.",
    "{lead}{np} was settled at {v}{tail}.",
    "{lead}nothing but {v} is meant by {np}{tail}.",
    "{lead}the schedule puts {np} at {v}{tail}.",
    "{lead}{np} runs to {v}{tail}.",
)
_LISTED = ("- {np}: {v}", "- {v}: {np}", "1. {np} — {v}", "- For {np}, {v}")
_ROWS = ("| {np} | {v} |", "| {v} | {np} |")
_RULES = ("| Matter | Figure |\n|---|---|", "| Figure | Matter |\n|---|---|")
_UNNAMED = (
    "Wherever another document points here, the figure it takes is {v}{tail}.",
    "{v} is what this rule gives to those who are sent to it{tail}.",
    "This schedule stands at {v}{tail}.",
    "Whoever is directed to this place takes {v}{tail}.",
    "The entry kept at this number is {v}{tail}.",
    "At present {v} is entered here{tail}.",
    "To every document that relies on this schedule we give {v}{tail}.",
)
_POINTERS = (
    "{lead}{np} is found in {ref}.",
    "For {np}, see {ref}.",
    "{lead}{np} follows {ref}{tail}.",
    "{ref} governs {np}{tail}.",
    "{lead}{np} is no longer printed in this form and is taken from {ref}.",
    "{lead}{np} is as stated in {ref}{tail}.",
    "We refer to {ref} for {np}.",
)
_SCOPES = (
    "{ask}? It concerns {line} business in {state}.",
    "{state} {line}: {ask}?",
    "One of our clients for {line} in {state} wants to know: {ask}?",
    "{ask} under our {line} contract for {state}?",
    "Somebody in {state} has {line} insurance and asks: {ask}?",
    "For {line} in {state}, {ask}?",
)


def scoped(ask: str, line: str, state: str, place: int) -> str:
    """A question of one line in one state."""
    return _capital(_SCOPES[place % len(_SCOPES)].format(ask=ask, line=line, state=state))


def stated(concept: Concept, value: Value, chance: random.Random) -> tuple[str, str]:
    """The words that set a value, and the same as they stand on the page: a sentence, an entry or a row."""
    np, v = chance.choice(concept.says), written(value, chance)
    form = chance.random()
    if form < 0.72:
        said = _sentence(chance.choice(_FRAMES), chance, np=np, v=v)
        return said, said
    if form < 0.86:
        said = chance.choice(_LISTED).format(np=np, v=v)
        return said.partition(" ")[2], said
    place = chance.randrange(2)
    said = _ROWS[place].format(np=np, v=v)
    return said, f"{_RULES[place]}\n{said}"


def unnamed(value: Value, chance: random.Random) -> str:
    """The same for those who were sent here, without a word of what it is of."""
    return _sentence(chance.choice(_UNNAMED), chance, v=written(value, chance))


def pointer(np: str, ref: str, chance: random.Random) -> str:
    """The words that send a reader elsewhere."""
    return _sentence(chance.choice(_POINTERS), chance, np=np, ref=ref)


def _sentence(frame: str, chance: random.Random, **words: str) -> str:
    return _capital(frame.format(lead=chance.choice(_LEADS), tail=chance.choice(_TAILS), **words))


def written(value: Value, chance: random.Random) -> str:
    """One of the ways to write a figure."""
    return chance.choice(_forms(value))


def _forms(value: Value) -> tuple[str, ...]:
    figures, words = f"{value.number:,}", _words(value.number)
    if value.kind == "money":
        return f"${figures}", f"USD {figures}", f"{words} dollars (${figures})", f"{figures} dollars"
    if value.kind == "percent":
        return f"{figures}%", f"{figures} percent", f"{words} percent ({figures}%)"
    unit = value.unit or value.kind
    return f"{figures} {unit}", f"{words} ({figures}) {unit}", f"{words} {unit}", f"{figures} full {unit}"


def _words(number: int) -> str:
    if number >= 1000:
        rest = number % 1000
        return f"{_words(number // 1000)} thousand" + (f" {_words(rest)}" if rest else "")
    if number >= 100:
        rest = number % 100
        return f"{_ONES[number // 100]} hundred" + (f" {_words(rest)}" if rest else "")
    if number >= 20:
        return _TENS[number // 10] + (f"-{_ONES[number % 10]}" if number % 10 else "")
    return _ONES[number]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
