"""The ledger reader takes one statement, follows references within what it was handed, and no further."""

from __future__ import annotations

from evals.ledger.conditions import Handed, Shown
from evals.ledger.entries import Gold, Question, Value
from evals.ledger.reading import answer

_WORDING = "Nevada homeowners: how soon must a loss be reported?"
_FORM = "**Nevada Homeowners Special Form · NV-HO-3**\n### 2.1 Reports of a loss\n\n"
_RULES = "**Nevada Manual of Rules · NV-MAN**\n## Rule 7. Schedule S7\n\n"


def _piece(text: str, document: str) -> Shown:
    cited = frozenset([document])
    return Shown(text, cited, cited, frozenset([(document, text)]))


def _said(*pieces: Shown) -> list[str]:
    gold = Gold("NV-HO-3", "2.1", "…", Value("days", 30))
    question = Question("q", "lookup", (_WORDING, "b?", "c?"), (gold,))
    return [one.text for one in answer(question, _WORDING, Handed(pieces, 10, 0.1)).shown]


def test_the_statement_with_a_figure_of_the_kind_asked_for_is_taken() -> None:
    text = f"{_FORM}Every loss is looked into. Losses are reported in 30 days. The fee for a report is $5."

    assert _said(_piece(text, "NV-HO-3")) == ["Losses are reported in 30 days."]


def test_documents_of_another_state_or_line_are_passed_by() -> None:
    other = _FORM.replace("Nevada", "Oregon") + "A loss is reported in 9 days."
    line = _FORM.replace("Homeowners", "Renters") + "A loss is reported in 8 days."

    assert _said(_piece(other, "OR-HO-3"), _piece(line, "NV-RN-3")) == []


def test_a_reference_is_followed_where_its_place_was_handed_over_too() -> None:
    form = _piece(f"{_FORM}For the time of a report, see Rule 7 of the Nevada Manual of Rules.", "NV-HO-3")
    rules = _piece(f"{_RULES}The entry here is thirty (30) days.", "NV-MAN")
    another = _piece(_RULES.replace("7", "17") + "The entry here is 4 days.", "NV-MAN")

    assert _said(form, another, rules) == ["The entry here is thirty (30) days."]
    assert _said(form, another) == []


def test_a_change_by_number_is_taken_for_the_figure_it_changes() -> None:
    form = _piece(f"{_FORM}Losses are reported in 30 days.", "NV-HO-3")
    notice = _piece(
        "**Nevada Homeowners Notice · NV-HO-AM**\n### 1.1 Change\n\n"
        "The figure in Section 2.1 of the Nevada Homeowners Special Form is deleted; 20 days stands there.",
        "NV-HO-AM",
    )

    assert _said(form) == ["Losses are reported in 30 days."]
    assert "20 days" in _said(form, notice)[0]


def test_a_reference_in_a_ring_ends() -> None:
    form = _piece(f"{_FORM}For reports of a loss, see Rule 7 of the Nevada Manual of Rules.", "NV-HO-3")
    rules = _piece(
        f"{_RULES}For this entry, see Section 2.1 of the Nevada Homeowners Special Form.", "NV-MAN"
    )

    assert _said(form, rules) == []
