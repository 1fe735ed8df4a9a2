"""What formal texts set, measured on a labelled set: long names, numbers in words, and near misses."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from muniment.assertions import extract
from muniment.assertions.attributes import normal_phrase
from muniment.domain.assertions import Assertion, Context, Slot
from muniment.domain.passages import Passage, Span
from tests.unit.test_extract import report

LABELLED = Path(__file__).parent.parent / "data" / "formal.jsonl"
FORM = Context("document", "Harbour form", "user:ann")
# What the rules reach on the set: a drop is a regression. A false slot makes a false conflict.
PRECISION, RECALL = 0.96, 0.97


def read(text: str, context: Context = FORM) -> tuple[Assertion, ...]:
    return extract([Passage(b"", 0, 0, len(text), text, (), None, (Span(0, len(text)),))], context)


def labelled() -> list[dict[str, Any]]:
    return [json.loads(line) for line in LABELLED.read_text(encoding="utf-8").splitlines()]


def slotted(text: str) -> Assertion | None:
    return next((one for one in read(text) if one.slot), None)


def is_as_labelled(found: Assertion, row: dict[str, Any]) -> bool:
    """`*` stands for an attribute or a qualifier that more than one reading serves."""
    slot = found.slot
    return (
        slot is not None
        and row["value"] is not None
        and (found.value or "").removeprefix("after ") == row["value"]
        and (row["attribute"] == "*" or normal_phrase(slot.attribute) in _spellings(row))
        and row["qualifier"] in ("*", slot.qualifier)
    )


def _spellings(row: dict[str, Any]) -> Iterator[str | None]:
    """The name in whole, and without what became its qualifier."""
    yield normal_phrase(row["attribute"])
    if row["qualifier"] == "*":
        for cut in (" in ", " within ", " on ", " for ", " at "):
            yield normal_phrase(row["attribute"].partition(cut)[0])


def test_formal_sentences_give_the_slots_they_set_and_no_others() -> None:
    rows = [(row, slotted(row["text"])) for row in labelled()]
    said = [(row, found) for row, found in rows if found]
    wanted = [row for row, _ in rows if row["value"]]
    right = sum(is_as_labelled(found, row) for row, found in said)

    report(f"formal slots: precision {right}/{len(said)} recall {right}/{len(wanted)}")
    for row, found in rows:
        if (found is not None) != bool(row["value"]) or (found and not is_as_labelled(found, row)):
            report(f"  {row['text']} → {found and (found.slot, found.value)}")
    assert right >= PRECISION * len(said)
    assert right >= RECALL * len(wanted)


@pytest.mark.parametrize(
    "text",
    [
        "The waiting period is thirty (30) days.",
        "The waiting period shall be 30 days.",
        "Subject to every other term, the waiting period stands at thirty days.",
        "Thirty days is the waiting period.",
        "We have fixed the waiting period at 30 days.",
        "Waiting period: thirty (30) calendar days",
        "| Waiting period | 30 full days |",
        "| Figure | Matter |\n|---|---|\n| thirty days | waiting period |",
    ],
)
def test_a_figure_set_in_certain_forms_is_one_statement(text: str) -> None:
    found = slotted(text)

    assert found is not None
    assert (found.slot, found.value) == (Slot("Harbour form", "waiting period"), "30 days")


def test_a_long_name_is_the_attribute_in_whole() -> None:
    found = slotted("The warning that a creditor receives before its interest ends runs to ten days.")

    assert found is not None
    assert found.slot is not None
    assert (found.slot.attribute, found.value) == (
        "warning creditor receive before its interest end",
        "10 days",
    )


@pytest.mark.parametrize("said", ["The waiting period is thirty ({}) days.", "等待期为三十（{}）天。"])
def test_words_and_figures_that_disagree_say_nothing(said: str) -> None:
    assert slotted(said.format(30)) is not None
    assert slotted(said.format(20)) is None


def test_one_figure_of_two_scopes_never_meets_itself() -> None:
    one = slotted("A deductible of $500 applies to theft.")
    two = slotted("A deductible of $900 applies to fire.")

    assert one is not None
    assert two is not None
    assert one.slot != two.slot


@pytest.mark.parametrize(
    "unit",
    [
        "twenty ",
        "twenty-",
        "三十",
        "二十（",
        "In a, ",
        "the a of $5 ",
        "shall be $5 ",
        "it is agreed that ",
        "5 (five ",
    ],
)
def test_formal_text_costs_no_more_than_its_length(unit: str) -> None:
    text = "\n".join([unit * (390 // len(unit))] * 256)

    started = time.process_time()
    read(text)

    assert time.process_time() - started < 1.0
