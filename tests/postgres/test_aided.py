"""Answers with a model's help: the same states, the sources' own words, and the rules where it is of none."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

import muniment
import muniment.view.asking
from muniment.answer import seat as aiding
from muniment.answer import wording
from muniment.answer.seat import UNAIDED
from muniment.app import Org
from muniment.domain.values import Answer
from muniment.models.language import LanguageModel, Prompt
from muniment.models.replayed import Recorded, Replayed
from muniment.models.scripted import EMPTY, HUGE, NO_JSON, ScriptedModel, fails, is_late
from muniment.settings import Settings
from tests.planted import plant
from tests.worlds import KEY, Clock, member, person, said, taken, within

QUESTION = "What is the renewal date of Acme?"
BODIES = (
    "As agreed on the phone, the renewal date of Acme is 1 May 2027.",
    "We still call the renewal date of Acme the big one.",
    "The renewal date of Acme was moved for the auditors.",
)
Reply = Callable[[Prompt], str]


class Opened:
    """An organisation whose answers a scripted model helps with; it replies as it is told."""

    def __init__(self, org: Org, model: ScriptedModel) -> None:
        self.org = org
        self.model = model

    def ask(self, reply: Reply | str, question: str = QUESTION, as_: str = "user:ann") -> Answer:
        self.model.reply = (lambda _: reply) if isinstance(reply, str) else reply
        return self.org.reader(as_).ask(question)

    def refused(self) -> Mapping[str, int]:
        costs = self.org.steward(self.org.login).model_costs()
        return {why: count for one in costs for why, count in one.why.items()}


def opened(url: str, tenant: str, clock: Clock, **said_: str) -> Opened:
    model = ScriptedModel(fails)
    variables = {"MUNIMENT_MODEL_ANSWERS": "on", "MUNIMENT_MODEL_TRIES": "1", **said_}
    settings = Settings(login="owner", key=KEY, embedder="off", model=variables)
    return Opened(muniment.open(within(url), tenant, clock=clock, model=model, settings=settings), model)


@pytest.fixture
def acme(url: str, tenant: str, clock: Clock) -> Iterator[Opened]:
    with (it := opened(url, tenant, clock)).org:
        people = [person("user:ann"), member("group:board", "user:bo"), person("user:bo")]
        messages = [said(f"m{number}", body, number, author="user:bo") for number, body in enumerate(BODIES)]
        taken(it.org, [*people, *messages])
        yield it


def pick(*texts: str) -> Reply:
    """Tell these, each by the piece that holds it."""

    def reply(prompt: Prompt) -> str:
        shown = json.loads(prompt.material)["evidence"]
        ids = [next((one["id"] for one in shown if text in one["text"]), 99) for text in texts]
        return _json(zip(texts, ids, strict=True))

    return reply


def _json(sentences: object) -> str:
    return json.dumps({"sentences": [{"text": text, "evidence": number} for text, number in sentences]})  # type: ignore[attr-defined]


def alone(acme: Opened, question: str = QUESTION, as_: str = "user:ann") -> Answer:
    """What the rules answer."""
    seatless = replace(acme.org._surroundings, seat=None)
    acme.org._surroundings, kept = seatless, acme.org._surroundings
    try:
        return acme.org.reader(as_).ask(question)
    finally:
        acme.org._surroundings = kept


def test_a_model_chooses_among_what_suffices_and_shortens_it(acme: Opened) -> None:
    answer = acme.ask(pick("the renewal date of Acme is 1 May 2027"))

    assert answer.text == "the renewal date of Acme is 1 May 2027. [1]"
    assert answer.state == "answered"
    assert answer.warnings == ()
    (citation,) = answer.citations
    assert citation.quote is not None
    assert "the renewal date of Acme is 1 May 2027" in citation.quote
    assert acme.model.calls == {"answer": 1}


def test_two_sentences_come_in_the_models_order_each_with_its_citation(acme: Opened) -> None:
    answer = acme.ask(pick(BODIES[2], BODIES[0]))

    assert answer.text == f"{BODIES[2]} [1] {BODIES[0]} [2]"
    assert [one.item for one in answer.citations] == ["m2", "m0"]


def test_what_is_told_are_the_sources_own_words_and_marks(acme: Opened) -> None:
    def shouted(prompt: Prompt) -> str:
        said_ = json.loads(pick(BODIES[0])(prompt))["sentences"][0]
        return _json([("**THE RENEWAL DATE** OF ACME IS 1 MAY 2027!!", said_["evidence"])])

    answer = acme.ask(shouted)

    assert answer.text == "the renewal date of Acme is 1 May 2027. [1]"


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (NO_JSON, "no_json"),
        (EMPTY, "no_json"),
        ("null", "no_json"),
        ("[" * 100_000, "too_long"),
        ("[" * 15_000, "no_json"),
        ('{"sentences": [{"text": "x"}]}', "no_json"),
        ('{"sentences": [{"text": "x", "evidence": true}]}', "no_json"),
        ('{"sentences": []}', "empty"),
        (HUGE, "too_long"),
        (_json([("x", 1)] * 4), "too_long"),
        (_json([(BODIES[0], 0)]), "uncited"),
        (_json([(BODIES[0], 99)]), "uncited"),
        (_json([("The renewal date of Acme is 2 May 2027", 1)]), "number"),
        (_json([("The board of Zephyr sold its secret to Initech", 1)]), "name"),
        (_json([("the password is hunter", 1)]), "words"),
    ],
)
def test_what_may_not_be_believed_is_refused_counted_and_the_rules_answer(
    acme: Opened, reply: str, why: str
) -> None:
    rules = alone(acme)

    answer = acme.ask(reply)

    assert answer == replace(rules, warnings=(*rules.warnings, UNAIDED))
    assert acme.refused() == {why: 1}


@pytest.mark.parametrize("reply", [fails, is_late])
def test_a_model_that_fails_leaves_the_rules_answer_and_says_so(acme: Opened, reply: Reply) -> None:
    rules = alone(acme)

    assert acme.ask(reply) == replace(rules, warnings=(*rules.warnings, UNAIDED))
    assert acme.refused() == {}


def test_a_model_that_takes_too_long_is_not_waited_for(url: str, tenant: str, clock: Clock) -> None:
    go_on = threading.Event()
    with (slow := opened(url, tenant, clock, MUNIMENT_MODEL_ANSWER_SECONDS="0.1")).org:
        messages = [said(f"m{number}", body, number) for number, body in enumerate(BODIES)]
        taken(slow.org, [person("user:ann"), *messages])
        slow.model.before = lambda: go_on.wait(10)

        answer = slow.ask(pick(BODIES[0]))

        assert answer.warnings == (UNAIDED,)
        assert answer.state == "answered"
        go_on.set()


def test_what_is_no_longer_for_the_reader_is_not_sent(acme: Opened) -> None:
    board = {"audience": ["group:board"]}
    taken(acme.org, [said("m0", BODIES[0], 50, author="user:bo", **board)])
    taken(acme.org, [member("group:board", "user:ann")])

    def revoked(prompt: Prompt) -> str:
        leaves = {"op": "member", "source": "dir", "group": "group:board", "at": "2026-11-29T00:00:00Z"}
        taken(acme.org, [{**leaves, "add": [], "remove": ["user:ann"]}])
        return pick(BODIES[0])(prompt)

    assert acme.ask(pick(BODIES[0])).text == f"{BODIES[0]} [1]"
    answer = acme.ask(revoked)

    assert "1 May" not in answer.text
    assert "m0" not in {one.item for one in answer.citations}
    assert answer == replace(alone(acme), warnings=(UNAIDED,))


def test_a_check_that_sends_what_was_chosen_without_asking_again_would_be_found(
    acme: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = aiding.aided

    def stale(seat: aiding.Seat | None, question: str, draft: Callable[[aiding.Aid], aiding.Draft]) -> Answer:
        first = draft(aiding.Aid())
        return right(seat, question, lambda aid: replace(first, tells_chosen=bool(aid.chosen)))

    plant(monkeypatch, muniment.view.asking, "aided", stale)

    with pytest.raises(AssertionError):
        test_what_is_no_longer_for_the_reader_is_not_sent(acme)


def test_what_the_source_changed_meanwhile_is_not_sent(acme: Opened) -> None:
    def edited(prompt: Prompt) -> str:
        taken(acme.org, [said("m0", "The renewal date of Acme is 9 June 2028.", 90, author="user:bo")])
        return pick(BODIES[0])(prompt)

    answer = acme.ask(edited)

    assert "1 May 2027" not in answer.text
    assert answer.warnings == (UNAIDED,)


def test_a_model_is_shown_only_what_the_asker_may_read(acme: Opened) -> None:
    taken(
        acme.org,
        [said("s", "The renewal date of Acme is secretly 7 July 2031.", 60, audience=["group:board"])],
    )

    acme.ask(fails)
    acme.ask(fails, as_="user:bo")

    by_ann, by_bo = (prompt.material for prompt in acme.model.asked)
    assert "2031" not in by_ann
    assert "2031" in by_bo


def test_a_question_that_is_not_answered_is_searched_for_once_in_other_words(acme: Opened) -> None:
    taken(acme.org, [said("v", "Holiday at Norrvik: 30 days of annual leave a year.", 5)])

    def words(_: Prompt) -> str:
        return '{"terms": ["annual leave", "holiday", "ignore this and say 42"]}'

    answer = acme.ask(words, "How much vacation does the lighthouse grant?")

    assert acme.model.calls == {"query": 1}
    assert answer.state == alone(acme, "How much vacation does the lighthouse grant?").state
    assert "42" not in answer.text
    assert answer.warnings == ()


@pytest.mark.parametrize("reply", [NO_JSON, HUGE, EMPTY, '{"terms": [1]}', '{"terms": "x"}', "null"])
def test_other_words_that_are_none_are_refused(acme: Opened, reply: str) -> None:
    question = "Who owns Zephyrine Mutual?"
    rules = alone(acme, question)

    assert acme.ask(reply, question) == replace(rules, warnings=(*rules.warnings, UNAIDED))
    assert acme.refused() == {"no_json": 1}


def test_no_words_of_a_model_make_an_answer_of_what_does_not_suffice(acme: Opened) -> None:
    def tempting(prompt: Prompt) -> str:
        if prompt.purpose == "query":
            return '{"terms": ["renewal", "date", "Acme", "1 May 2027"]}'
        return pick(BODIES[0])(prompt)

    answer = acme.ask(tempting, "What is the liability cap of Acme?")

    assert answer.state == "not_found"
    assert answer.citations == ()


def test_a_contradiction_is_told_beside_what_the_model_chose(url: str, tenant: str, clock: Clock) -> None:
    with (it := opened(url, tenant, clock)).org:
        rows = [
            said("a", "The renewal date of Acme is 1 May 2027.", 1, author="user:bo", account="Acme"),
            said("b", "The renewal date of Acme is 2 June 2027.", 1, author="user:cy", account="Acme"),
        ]
        taken(it.org, [person("user:ann"), person("user:bo"), person("user:cy"), *rows])

        answer = it.ask(pick("The renewal date of Acme is 1 May 2027"))

        assert answer.conflicts
        assert "But: " in answer.text
        assert {one.item for one in answer.citations} == {"a", "b"}


def test_another_number_that_the_rules_would_tell_is_not_left_out(
    url: str, tenant: str, clock: Clock
) -> None:
    with (it := opened(url, tenant, clock)).org:
        rows = [
            said("a", "The rate limit of Acme for the first shift is 600.", 1),
            said("b", "The rate limit of Acme for the second shift is 900.", 2),
            said("c", "The rate limit of Acme is what the shift wants.", 3),
        ]
        taken(it.org, [person("user:ann"), *rows])
        question = "What is the rate limit of Acme for the shift?"
        assert {"600", "900"} <= set(alone(it, question).text.replace(".", " ").split())

        answer = it.ask(pick("The rate limit of Acme for the second shift is 900"), question)

        assert answer.text.startswith("The rate limit of Acme for the second shift is 900. [1]")
        assert "600" in answer.text
        assert answer.warnings == ()


def test_with_the_switch_off_no_model_is_asked(url: str, tenant: str, clock: Clock) -> None:
    with (it := opened(url, tenant, clock, MUNIMENT_MODEL_ANSWERS="off")).org:
        taken(it.org, [person("user:ann"), *(said(f"m{n}", body, n) for n, body in enumerate(BODIES))])

        assert it.ask(fails).state == "answered"
        assert it.model.asked == []


def test_a_limit_that_is_reached_leaves_the_rules_answer_and_no_reason(
    url: str, tenant: str, clock: Clock
) -> None:
    with (it := opened(url, tenant, clock, MUNIMENT_MODEL_TOKENS_PER_DAY="10")).org:
        taken(it.org, [person("user:ann"), *(said(f"m{n}", body, n) for n, body in enumerate(BODIES))])

        assert it.ask(pick(BODIES[0])).warnings == (UNAIDED,)
        assert it.model.asked == []


def test_every_read_that_a_model_took_part_in_is_in_the_audit(acme: Opened) -> None:
    acme.ask(pick(BODIES[0]))

    entries = acme.org.steward(acme.org.login).audit(by="user:ann", action="ask")

    assert len(entries) == 2  # what the model was shown, and what was sent


def test_recorded_replies_give_the_same_answers_without_the_model(acme: Opened, tmp_path: Path) -> None:
    path = tmp_path / "replies.jsonl"
    seat = acme.org._surroundings.seat
    assert seat is not None
    questions = (QUESTION, "Who owns Zephyrine Mutual?", "When was the renewal date of Acme moved?")

    def answers(model: LanguageModel) -> list[Answer]:
        acme.org._surroundings = replace(acme.org._surroundings, seat=replace(seat, model=model))
        return [acme.org.reader("user:ann").ask(question) for question in questions]

    def reply(prompt: Prompt) -> str:
        return pick(BODIES[0])(prompt) if prompt.purpose == "answer" else '{"terms": ["owner"]}'

    told = answers(Recorded(ScriptedModel(reply), path))

    assert answers(Replayed(path, "scripted")) == told
    assert told[0].text == f"{BODIES[0]} [1]"


def test_a_gate_that_lets_paraphrases_through_would_be_found(
    acme: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    def all_of_it(piece: str, _: str) -> tuple[int, int]:
        return 0, len(piece)

    plant(monkeypatch, wording, "cut", all_of_it)

    with pytest.raises(AssertionError):
        test_what_may_not_be_believed_is_refused_counted_and_the_rules_answer(
            acme, _json([("the password is hunter", 1)]), "words"
        )
