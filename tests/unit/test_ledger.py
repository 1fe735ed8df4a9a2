"""The drawn insurance corpus is what its report says it is, whatever the seed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from statistics import fmean

import pytest

from evals.ledger.conditions import Handed, Shown
from evals.ledger.draw import FULL, QUICK, SEED, draw_ledger
from evals.ledger.entries import Document, Gold, Ledger, Question, Value, concepts
from evals.ledger.measure import mean
from evals.ledger.scoring import accuracy, overlap_of_evidence, reached
from evals.ledger.wordcheck import shared_words
from evals.plots import Chart, bars
from muniment.index.words import lexemes

_TENS = "ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|[a-z]+teen"
_ONES = "one|two|three|four|five|six|seven|eight|nine"
_NUMERAL = re.compile(rf"\b(?:{_TENS}|{_ONES})\b", re.IGNORECASE)
_FIGURE = re.compile(rf"\$?\d[\d,]*%?|\b(?:{_TENS})(?:-\w+)?\b", re.IGNORECASE)


@pytest.fixture(scope="module")
def published() -> Ledger:
    """The corpus whose figures are published."""
    return draw_ledger(SEED, FULL)


@pytest.fixture
def drawn(seed: int) -> Ledger:
    return draw_ledger(seed, replace(QUICK, every=1))


def _documents(ledger: Ledger) -> dict[str, Document]:
    return {one.id: one for one in ledger.documents}


def _golds(ledger: Ledger) -> Iterator[tuple[Question, Gold]]:
    for question in ledger.questions:
        for gold in (*question.through, *question.must_state, *question.must_not_state):
            yield question, gold


def _section(body: str, number: str) -> str:
    """The text from a numbered heading to the next heading."""
    found = re.search(rf"^#+ {re.escape(number)}\.? .*?(?=^#+ |\Z)", body, re.MULTILINE | re.DOTALL)
    return found[0] if found else ""


def test_the_same_seed_draws_the_same_corpus_and_another_another(seed: int) -> None:
    once, again, other = draw_ledger(seed, QUICK), draw_ledger(seed, QUICK), draw_ledger(seed + 1, QUICK)

    assert once == again
    assert once != other


def test_the_corpus_is_as_large_as_promised(published: Ledger) -> None:
    words = [len(one.body.split()) for one in published.documents]
    splits = Counter(one.split for one in published.questions)

    assert len(published.documents) >= 111
    assert len(published.facts) >= 972
    assert min(words) >= 3_000
    assert max(words) <= 15_000
    assert splits["lookup"] >= 80
    assert splits["connected"] >= 50
    assert all(splits[split] for split in ("as-of", "permission", "deletion", "conflict", "budget"))


def test_a_chain_of_three_documents_is_asked_about(published: Ledger) -> None:
    long = [one for one in published.questions if len({gold.document for gold in one.through}) == 2]

    assert len(long) >= 20
    assert all(one.must_state[0].document not in {gold.document for gold in one.through} for one in long)


def test_every_fact_stands_once_in_its_document_and_in_its_section(drawn: Ledger) -> None:
    documents = _documents(drawn)

    for fact in drawn.facts:
        body = documents[fact.document].body
        assert body.count(fact.quote) == 1, fact
        assert fact.quote in _section(body, fact.section), fact


def test_every_gold_text_is_verbatim_where_it_is_said_to_stand(drawn: Ledger) -> None:
    documents = _documents(drawn)

    for question, gold in _golds(drawn):
        assert gold.quote in _section(documents[gold.document].body, gold.section), (question.id, gold)


def test_every_reference_names_a_section_that_is_there(drawn: Ledger) -> None:
    documents = _documents(drawn)

    assert drawn.references
    for one in drawn.references:
        target = documents[one.target]
        assert _section(target.body, one.target_section), one
        assert one.target_section in one.quote, one
        assert target.title in one.quote or target.id in one.quote, one
        assert one.quote in _section(documents[one.document].body, one.section), one


def test_every_wording_is_asked_once_and_every_id_is_given_once(published: Ledger) -> None:
    for question in published.questions:
        assert len(set(question.wordings)) == 3, question.id
    once = [one for one in published.questions if one.split != "budget"]
    asked = Counter(
        (wording, one.as_of, one.principal, one.split) for one in once for wording in one.wordings
    )
    assert [wording for wording, n in asked.items() if n > 1] == []
    assert len({one.id for one in published.questions}) == len(published.questions)


def test_no_question_says_its_own_answer(drawn: Ledger) -> None:
    for question, gold in _golds(drawn):
        for wording in question.wordings:
            assert not _FIGURE.findall(wording), question.id
            assert gold.quote.casefold() not in wording.casefold(), question.id


def test_what_must_not_be_stated_is_another_value(drawn: Ledger) -> None:
    for question in drawn.questions:
        rivals = {gold.value for gold in question.must_not_state}
        assert rivals.isdisjoint({gold.value for gold in question.must_state}), question.id


def test_a_question_shares_next_to_no_words_with_its_answer(drawn: Ledger) -> None:
    shared = shared_words(drawn)

    assert max(one.run for one in shared) <= 3
    assert max(one.stems for one in shared) <= 0.34
    assert fmean(one.stems for one in shared) <= 0.05


def test_what_answers_a_connected_question_names_nothing_of_it(drawn: Ledger) -> None:
    connected = [one for one in drawn.questions if one.split == "connected"]

    assert connected
    for question in connected:
        said = set(lexemes(_topic(question.must_state[0].quote)))
        for wording in question.wordings:
            assert len(said & set(lexemes(wording))) <= 1, (wording, said)


def _topic(quote: str) -> str:
    """A quote without its references and its spelled figures: "one hundred" is not "one of our clients"."""
    named = re.sub(r"[Tt]he [A-Z][\w ]+(?:Form|Notice|Endorsement|Manual of Rules|Booklet)", "", quote)
    return _NUMERAL.sub("", named)


def test_one_pattern_never_tells_what_is_said_of_what(published: Ledger) -> None:
    """With the figures taken out, what documents say of one concept takes many forms, and no form leads."""
    for concept in concepts("general"):
        said = [_FIGURE.sub("#", one.quote) for one in published.facts if one.concept.key == concept.key]
        forms = Counter(said)
        assert len(said) > 30, concept.key
        assert len(forms) >= 0.75 * len(said), concept.key
        assert max(forms.values()) <= 0.2 * len(said), concept.key


def test_documents_of_other_states_are_nearly_the_same(published: Ledger) -> None:
    documents = _documents(published)
    one, other = (set(documents[id_].body.split("\n\n")) for id_ in ("NV-HO-3-2024", "OR-HO-3-2024"))

    assert len(one & other) / len(one) > 0.4


# Scoring


def _shown(text: str, document: str = "a", *, current: bool = True) -> Shown:
    cited = frozenset([document])
    return Shown(text, cited, cited if current else frozenset(), frozenset([(document, text)]))


def _question(*must_not: Gold) -> Question:
    return Question("q", "lookup", ("a?", "b?", "c?"), (_gold("a", "It is 5 days."),), must_not)


def _gold(document: str, quote: str, settled_by: str | None = None) -> Gold:
    return Gold(document, "1.1", quote, Value("days", 5), settled_by)


def _handed(*shown: Shown) -> Handed:
    return Handed(shown, 10, 0.1)


def test_words_count_where_they_are_shown_from_their_own_document() -> None:
    question = _question()

    assert accuracy(question, _handed(_shown("> As filed.\n> It is 5\n> days."))) == 1
    assert accuracy(question, _handed(_shown("It is 5 days.", "b"))) == 0
    assert accuracy(question, _handed(_shown("It is 50 days."))) == 0


def test_a_rival_counts_against_an_answer_unless_it_is_marked_or_settled() -> None:
    rival = _gold("old", "It is 9 days.")
    right, wrong = _shown("It is 5 days."), _shown("It is 9 days.", "old")

    assert accuracy(_question(rival), _handed(right, wrong)) == 0
    assert accuracy(_question(rival), _handed(right, _shown("It is 9 days.", "old", current=False))) == 1
    settled = _gold("old", "It is 9 days.", settled_by="It is 5 days.")
    assert accuracy(_question(settled), _handed(right, wrong)) == 1


def test_nothing_to_state_is_right_where_nothing_forbidden_is_shown() -> None:
    secret = Question("q", "permission", ("a?", "b?", "c?"), (), (_gold("s", "It is 9 days."),))

    assert accuracy(secret, _handed(_shown("Something else."))) == 1
    assert accuracy(secret, _handed(_shown("It is 9 days.", "s"))) == 0


def test_the_way_counts_by_its_steps_and_wordings_by_what_they_share() -> None:
    question = Question(
        "q", "connected", ("a?", "b?", "c?"), (_gold("a", "It is 5 days."),), through=(_gold("b", "See a."),)
    )
    half, whole = _handed(_shown("See a.", "b")), _handed(_shown("See a.", "b"), _shown("It is 5 days."))

    assert reached(question, half) == 0.5
    assert overlap_of_evidence(question, [whole, whole, whole]) == 1
    assert overlap_of_evidence(question, [half, whole, whole]) == pytest.approx((0.5 + 0.5 + 1) / 3)


def test_an_interval_holds_its_mean_and_admits_what_few_questions_cannot_tell() -> None:
    every = mean([1.0] * 10)

    assert (every.value, every.low, every.high, every.n) == (1.0, 0.7, 1.0, 10)
    assert mean([0, 1] * 50).low < 0.5 < mean([0, 1] * 50).high
    assert mean([]).n == 0
    assert mean([100, 300] * 50).low < 200 < mean([100, 300] * 50).high


def test_a_chart_draws_a_bar_and_a_whisker_for_each_condition() -> None:
    drawn = bars(Chart("A & b", "x", {"one": [mean([0, 1]), mean([1, 1])]}, ["s", "t"], 1.0))

    assert drawn.startswith("<svg ")
    assert "A &amp; b" in drawn
    assert drawn.count('stroke="#222222"') == 2
