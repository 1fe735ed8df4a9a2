"""An answer states what somebody wrote and nothing else; what nobody wrote gets none, whatever is like it."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from muniment.answer.compose import compose
from muniment.answer.evidence import Evidence
from muniment.domain.values import Answer
from muniment.view import View, judged
from tests.worlds import Event, open_org, person, said, taken

WORLDS = 4  # `make prove` makes 400; each is asked 24 questions
NAMES = ("Norrvik", "Calder", "Ostmark", "海澜港务")
ATTRIBUTES = ("renewal date", "rate limit", "discount", "liability cap", "purchasing manager", "付款期限")
VALUES = ("15 February 2027", "600 requests", "12 %", "EUR 500,000", "Moira Keith", "45天")
ASIDES = ("Thanks, Bo!", "Lunch was good.", "你好！", "See the notes below.", "It went well, I think.")
FORMS = (
    "The {attribute} of {name} is {value}.",
    "{name}'s {attribute} is {value}.",
    "We agreed that the {attribute} for {name} stays {value}!",
    "{name}的{attribute}是{value}。",
    "| {attribute} | {value} |",
)
NUMBERED = re.compile(r"(.*?) \[(\d+)\](?: |\Z)", re.DOTALL)
Fact = tuple[str, str]


def world(draw: random.Random) -> tuple[list[Event], set[Fact]]:
    """Items that state some of the facts, and which those are."""
    facts = {(name, attribute) for name in NAMES for attribute in ATTRIBUTES if draw.random() < 0.4}
    events: list[Event] = [person("user:ann"), person("user:bo")]
    for number, (name, attribute) in enumerate(sorted(facts)):
        form = draw.choice(FORMS)
        stated = form.format(name=name, attribute=attribute, value=draw.choice(VALUES))
        about = {"account": name} if name not in stated or draw.random() < 0.5 else {}
        parts = [draw.choice(ASIDES), stated, draw.choice(ASIDES)]
        body = draw.choice((" ", "\n", "\n\n")).join([stated] if "|" in stated else draw.sample(parts, 3))
        kind = draw.choice(("message", "document", "crm"))
        events.append(
            said(f"i{number}", body, number, kind=kind, author="user:bo", author_name="Bo", **about)
        )
    draw.shuffle(events)
    return events, facts


def questions(draw: random.Random) -> Iterator[tuple[Fact, str]]:
    """Of every fact there might be, in one language or the other."""
    for name in NAMES:
        for attribute in ATTRIBUTES:
            forms = (f"What is the {attribute} of {name}?", f"{name}的{attribute}是什么？")
            yield (name, attribute), draw.choice(forms)


def flat(text: str) -> str:
    return " ".join(text.split()).strip("|").strip()


def unsupported(answer: Answer, ann: View) -> list[str]:
    """Sentences that their citation neither quotes nor states, and citations that prove nothing."""
    said_ = NUMBERED.findall(answer.text) if answer.state == "answered" else []
    wrong = [answer.text] if answer.state == "answered" and not said_ else []
    for sentence, number in said_:
        cited = answer.citations[int(number) - 1]
        bare = flat(sentence.removeprefix("But: "))
        sources = [flat(one) for one in (cited.quote, cited.statement) if one]
        if not any(bare in (source, f"{source}.") for source in sources):
            wrong.append(sentence)
        passage = ann.explain(cited.id).passage.replace("⟦", "").replace("⟧", "")
        if cited.quote is None or cited.quote not in passage:
            wrong.append(f"[{number}] {cited.quote}")
    return wrong


def as_it_is(ann: View, question: str) -> Answer:
    """No planted fault."""
    return ann.ask(question)


def in_other_words(ann: View, question: str) -> Answer:
    """Planted fault: an answer puts what it found into words of its own."""
    answer = ann.ask(question)
    return replace(answer, text=answer.text.replace(" is ", " will be "))


def guessing(ann: View, question: str) -> Answer:
    """Planted fault: the best sentence is an answer, however little it says."""
    with ann._reading() as reader:
        found = judged(reader, ann._seek(reader, question, None, None), anything)
        composed = compose(reader, found)
    return replace(ann.ask(question), state=found.state, text=composed.text, citations=composed.citations)


def anything(_: Evidence) -> bool:
    return True


def faults(url: str, tenant: str, seed: int, ask: Callable[[View, str], Answer] = as_it_is) -> list[str]:
    """What is wrong in one world: unsupported sentences, and answers to what nobody stated."""
    draw = random.Random(seed)
    events, facts = world(draw)
    found: list[str] = []
    with open_org(url, f"{tenant}-{seed}") as org:
        taken(org, events)
        ann = org.reader("user:ann")
        for fact, question in questions(draw):
            answer = ask(ann, question)
            found += [f"{question}: unsupported: {one}" for one in unsupported(answer, ann)]
            if answer.state != "answered" and answer.citations:
                found.append(f"{question}: cited without an answer")
            if answer.state == "answered" and fact not in facts:
                found.append(f"{question}: invented: {answer.text}")
    return found


def test_every_sentence_of_an_answer_is_somebodys_and_what_nobody_stated_has_none(
    url: str, tenant: str, seed: int, *, prove: bool
) -> None:
    for number in range(400 if prove else WORLDS):
        found = faults(url, tenant, seed + number)

        assert not found, f"MUNIMENT_SEED={seed + number}\n" + "\n".join(found[:5])


@pytest.mark.parametrize(("ask", "fault"), [(in_other_words, "unsupported"), (guessing, "invented")])
def test_the_check_sees_other_words_and_guesses(
    url: str, tenant: str, seed: int, ask: Callable[[View, str], Answer], fault: str
) -> None:
    assert any(fault in one for number in range(10) for one in faults(url, tenant, seed + number, ask))
