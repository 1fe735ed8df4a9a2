"""What sentences state, measured on a labelled set, and what holds of every extraction."""

import json
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.assertions import EXTRACTOR, extract
from muniment.domain.assertions import Assertion, Context, Kind, Slot
from muniment.domain.passages import Origin, Passage, Span
from muniment.items.passages import cut
from muniment.items.text import structure

LABELLED = Path(__file__).parent.parent / "data" / "extraction.jsonl"
CONTEXTS = {
    "message": Context("message", None, "user:ann", account="Acme"),
    "record": Context("record", None, "user:ann", account="Acme"),
    "document": Context("document", "Travel policy", "user:ann"),
    "incident": Context("message", "INC-1", "user:ann", service="checkout"),
}
WORDS = (
    "if not decided must tried but the limit is EUR 5 by Friday 3 March because I'll send we agreed per "
    "night owner @ann INC-1 due 12:30 。 必须 决定 上限 为 180欧元 ？ . ? ! \n "
    "| : # > ** 😀 \u202e שלום 30 days closed"
).split(" ")
# Floors are what the rules reach on the set they were written with: a drop is a regression, not a surprise.
FLOOR = 0.95


def passage(text: str, *spans: Span, speaker: str | None = None) -> Passage:
    return Passage(b"", 0, 0, len(text), text, (), speaker, spans or (Span(0, len(text)),))


def read(text: str, kind: str = "message") -> tuple[Assertion, ...]:
    return extract([passage(text)], CONTEXTS[kind])


def report(line: str) -> None:
    """Shown by pytest -s, and beside a failure."""
    sys.stdout.write(f"{line}\n")


def labelled() -> list[dict[str, Any]]:
    return [json.loads(line) for line in LABELLED.read_text(encoding="utf-8").splitlines()]


def scored(pairs: Iterator[tuple[object, object]]) -> dict[object, tuple[int, int, int]]:
    """Right, said and wanted, for each label."""
    right: Counter[object] = Counter()
    said: Counter[object] = Counter()
    wanted: Counter[object] = Counter()
    for want, got in pairs:
        wanted[want] += 1
        said[got] += 1
        right[want] += want == got
    return {label: (right[label], said[label], wanted[label]) for label in wanted | said}


def kinds() -> Iterator[tuple[object, object]]:
    for row in labelled():
        found = read(row["text"], row["in"])
        yield row["kind"], (found[0].kind.value if found else None)


def slots() -> Iterator[tuple[object, object]]:
    for row in labelled():
        found = read(row["text"], row["in"])
        want = (*row["slot"], row["value"]) if row["slot"] else None
        slot = found[0].slot if found else None
        yield want, (slot.entity, slot.attribute, slot.qualifier, found[0].value) if slot else None


def test_each_kind_is_found_and_nothing_else_is_taken_for_it() -> None:
    scores = scored(kinds())

    for label, (right, said, wanted) in sorted(scores.items(), key=str):
        report(f"{label or 'none':<12} precision {right}/{said} recall {right}/{wanted}")
    assert set(scores) >= {kind.value for kind in Kind}
    assert all(right >= FLOOR * max(said, wanted) for right, said, wanted in scores.values())


def test_slots_are_exact_and_false_ones_are_not_read() -> None:
    pairs = list(slots())
    wanted = [want for want, _ in pairs if want]
    said = [got for _, got in pairs if got]
    right = sum(want == got for want, got in pairs if want)

    report(f"slots: precision {right}/{len(said)} recall {right}/{len(wanted)}")
    assert right >= FLOOR * max(len(said), len(wanted))


@pytest.mark.parametrize(
    "text",
    [
        "The hotel limit in Germany is EUR 180 per night.",
        "In Germany, the nightly hotel limit is €180.",
        "Hotel limit (Germany): EUR 180/night",
        "Our hotel limit in Germany is set to 180 euros per night.",
        "德国酒店每晚上限为180欧元。",
        "The hotel limit in Germany was raised from EUR 150 to EUR 180 per night.",
    ],
)
def test_certain_wordings_of_one_rule_meet_in_one_slot(text: str) -> None:
    (found,) = read(text)

    assert found.slot == Slot("Acme", "hotel limit", "germany, per night")
    assert found.value == "EUR 180"


def test_a_row_is_read_under_its_header() -> None:
    table = "| Country | Hotel limit | Meal allowance |\n|---|---|---|\n| Germany | EUR 180 | EUR 40 |\n"

    found = read(table, "document")

    assert [(one.slot, one.value) for one in found] == [
        (Slot("Travel policy", "hotel limit", "germany"), "EUR 180"),
        (Slot("Travel policy", "meal allowance", "germany"), "EUR 40"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "The liquidity forecast for September 2026 is EUR 910,000.",
        "Liquidity forecast (Sept 2026): EUR 910,000",
        "September 2026's liquidity forecast is EUR 910,000.",
        "In September 2026, the liquidity forecast is EUR 910,000.",
        "The liquidity forecast is EUR 910,000 in September 2026.",
        "The September 2026 liquidity forecast is EUR 910,000.",
    ],
)
def test_a_month_narrows_a_statement_in_one_spelling(text: str) -> None:
    (found,) = read(text, "document")

    assert found.slot == Slot("Travel policy", "liquidity forecast", "september 2026")


@pytest.mark.parametrize("when", ["September", "Friday", "Q3 2026", "the third quarter", "2026"])
def test_a_period_is_never_an_entity(when: str) -> None:
    said = ("The budget for {} is EUR 5,000.", "The budget of {} is EUR 5,000.", "{} is EUR 5,000.")

    found = [one.slot.entity for text in said for one in read(text.format(when)) if one.slot]

    assert found == ["Acme", "Acme"]


def test_under_a_month_the_row_names_the_attribute() -> None:
    table = "| Item | October | November |\n|---|---|---|\n| Liquidity forecast | EUR 5,000 | EUR 6,000 |\n"

    found = read(table, "document")

    assert [(one.slot, one.value) for one in found] == [
        (Slot("Travel policy", "liquidity forecast", "october"), "EUR 5000"),
        (Slot("Travel policy", "liquidity forecast", "november"), "EUR 6000"),
    ]


@pytest.mark.parametrize(
    "lead",
    [
        "For the plan",
        "For the partner docs",
        "I looked at the signed copy again",
        "Quick update",
        "Tomás Rehn: Decision",
        "[10:02] Ann",
        "提醒一下",
    ],
)
def test_a_lead_in_does_not_hide_what_it_introduces(lead: str) -> None:
    text = f"{lead}: the renewal date of Kvarnby is 2027-01-31."

    (found,) = read(text)

    assert (found.slot, found.value) == (Slot("Kvarnby", "renewal date"), "2027-01-31")
    assert found.statement == found.quote.text == text


@pytest.mark.parametrize("lead", ["Wrong", "Not true", "Jonas wrote", "Option B", "If you ask Jonas", "据说"])
def test_a_lead_in_may_unmake_what_follows(lead: str) -> None:
    found = read(f"{lead}: the renewal date of Kvarnby is 2027-01-31.")

    assert [one.slot for one in found if one.slot] == []


def test_a_turn_is_read_without_its_speakers_name() -> None:
    text = "Ann: Decision: the launch moves to the spring."

    (found,) = extract([passage(text, speaker="Ann")], CONTEXTS["message"])

    assert (found.kind, found.statement, found.stated_by) == (Kind.DECISION, text, "Ann")


@pytest.mark.parametrize("text", ["The review is on Friday.", "Due date: next week"])
def test_a_relative_date_is_kept_as_a_term_and_never_in_a_slot(text: str) -> None:
    (found,) = read(text)

    assert (found.slot, found.value) == (None, None)
    assert any(term.value.startswith("relative:") for term in found.terms)


def test_lines_of_an_issue_are_about_the_issue() -> None:
    context = Context("issue", "Single sign-on", "user:ann")

    found = extract([passage("Owner: Diego Marin. Due: 2026-09-30.")], context)

    assert [one.slot for one in found] == [
        Slot("Single sign-on", "owner"),
        Slot("Single sign-on", "due date"),
    ]


def test_a_row_of_two_cells_is_attribute_and_value() -> None:
    (found,) = read("| Hotel limit | EUR 180 |", "document")

    assert (found.slot, found.value) == (Slot("Travel policy", "hotel limit"), "EUR 180")


def test_without_an_entity_there_is_no_slot() -> None:
    found = extract([passage("The hotel limit is EUR 180.")], Context("message", None, None))

    assert [one.slot for one in found] == [None]


def test_what_is_denied_is_marked() -> None:
    (found,) = read("The limit is not EUR 180.")

    assert found.value == "not EUR 180"


def test_code_and_headings_state_nothing() -> None:
    text = "## The limit is EUR 180\n\n```\nlimit: EUR 180\n```\n"

    assert read(text, "document") == ()


def test_the_speaker_states_it_or_else_the_author() -> None:
    text = "We decided to move the launch."

    (spoken,) = extract([passage(text, speaker="user:bob")], CONTEXTS["message"])
    (written,) = read(text)

    assert (spoken.stated_by, written.stated_by) == ("user:bob", "user:ann")
    assert written.extractor == EXTRACTOR == "rule:v1"


def test_quoted_words_are_not_the_quoters() -> None:
    own, quoted = "I read this.\n", "We decided to drop the feature.\n"
    text = own + quoted + "We decided to keep the feature."
    spans = (
        Span(0, len(own)),
        Span(len(own), len(own + quoted), Origin.QUOTED),
        Span(len(own + quoted), len(text)),
    )

    found = extract([passage(text, *spans)], CONTEXTS["message"])

    assert [one.statement for one in found] == ["We decided to keep the feature."]


def test_a_sentence_cut_by_somebody_elses_words_is_not_taken() -> None:
    text = "Ann wrote we will pay EUR 500 and we decided to accept that."
    spans = (Span(0, 10), Span(10, 30, Origin.QUOTED), Span(30, len(text)))

    assert extract([passage(text, *spans)], CONTEXTS["message"]) == ()


def test_a_statement_over_two_lines_quotes_both_of_them() -> None:
    text = "Employees must book every kind of business travel at least 14\ndays in advance."

    (found,) = read(text, "document")

    assert found.quote.text == text
    assert found.statement == text.replace("\n", " ")
    assert [term.text for term in found.terms] == ["14\ndays"]


def holds(text: str, found: tuple[Assertion, ...], origins: list[Origin]) -> None:
    for one in found:
        quote = one.quote
        assert text[quote.start : quote.end] == quote.text
        assert one.statement == " ".join(quote.text.split())
        assert all(term.text in quote.text for term in one.terms)
        assert all(number in quote.text for term in one.terms for number in re.findall(r"\d+", term.text))
        assert set(origins[quote.start : quote.end]) == {Origin.OWN}
        assert one.value is None or one.slot is not None


@given(
    st.lists(st.tuples(st.lists(st.sampled_from(WORDS), max_size=12), st.sampled_from(Origin)), max_size=6)
)
def test_quotes_are_verbatim_own_words_and_terms_are_in_them(pieces: list[tuple[list[str], Origin]]) -> None:
    text, spans, origins = "", [], []
    for words, origin in pieces:
        piece = " ".join(words)
        spans.append(Span(len(text), len(text + piece), origin))
        origins += [origin] * len(piece)
        text += piece

    found = extract([passage(text, *spans)], CONTEXTS["message"])

    holds(text, found, origins)
    assert found == extract([passage(text, *spans)], CONTEXTS["message"])


@given(st.text(max_size=300))
def test_any_text_can_be_read(text: str) -> None:
    for kind in CONTEXTS:
        holds(text, read(text, kind), [Origin.OWN] * len(text))


HOSTILE = (
    *(
        "a",
        "1",
        "1,",
        "tried ",
        "must not be ",
        "😀",
        "\u202eשלום ",
        "|",
        "| a | 5 |\n",
        "[a](b ",
        "a:",
        "决定",
    ),
    *(
        "x is 5 ",
        "a-1-",
        "a@a.",
        "- ",
        "March 3 ",
        "Ann's ",
        "of the ",
        "if ",
        "```\n",
        "下",
        "百分之",
        "3/4/",
    ),
    *("a: ", "for x: ", "：", "May ", "Q3 "),
    *("我不前", "自起", "was caused by the ", "not too ", "(", "\n"),
)


@pytest.mark.parametrize("unit", HOSTILE)
@pytest.mark.parametrize("line", [100_000, 390])
def test_hostile_text_costs_no_more_than_its_length(unit: str, line: int) -> None:
    text = "\n".join([unit * (line // len(unit))] * (100_000 // line))

    started = time.process_time()
    read(text)

    assert time.process_time() - started < 1.0


MARKS = st.text(alphabet=st.sampled_from("a1 :：.,*`-|>#[]()'\"\n是为"), max_size=60)


@given(MARKS, st.sampled_from(["message", "document"]))
def test_no_run_of_marks_stops_the_extractor(marks: str, kind: str) -> None:
    body = f"{marks}: the rate limit is 600 requests. {marks}"

    for assertion in extract(cut(structure(kind, body, "text/plain")), Context(kind, "T", None)):
        assert assertion.quote.text in body
