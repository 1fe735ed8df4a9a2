"""Promises in single sentences, measured on labels; what later words do to them, and silence does not."""

from __future__ import annotations

import re
import sys
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.commitments import SPEAKER, found_in, rows_of
from muniment.domain.accounts import Commitment, Due
from muniment.domain.icalendar import calendar_of
from muniment.domain.values import Citation
from muniment.lenses.accounts.moves import WORDS, read_move
from muniment.lenses.accounts.promise import read_promise
from muniment.lenses.accounts.standing import Evidence, Said, settle
from muniment.lenses.accounts.warnings import read_warning

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
PRECISION, RECALL, OWNER = 0.90, 0.60, 0.95  # what was set out to be reached


def test_promises_in_sentences_are_found_as_well_as_was_set_out() -> None:
    rows = [*rows_of("held"), *rows_of("tuned")]

    found = [(row, found_in(str(row["text"]))) for row in rows]

    given_ = [(row, one) for row, one in found if one is not None]
    right = [(row, one) for row, one in given_ if row["promise"]]
    firm = [one for row, one in found if row["promise"] and row["strength"] == "firm"]
    owners = [one[1].owner == row["owner"] for row, one in right]
    sys.stdout.write(f"commitments: {len(right)}/{len(given_)}, {sum(map(bool, firm))}/{len(firm)}\n")
    assert len(rows) >= 400
    assert len(right) >= PRECISION * len(given_)
    assert sum(one is not None for one in firm) >= RECALL * len(firm)
    assert sum(owners) >= OWNER * len(owners)
    assert all(one[0].quote.text in row["text"] and one[0].stated_by == SPEAKER for row, one in given_)


@pytest.mark.parametrize(
    ("sentence", "strength", "condition"),
    [
        ("If you sign by Friday, we'll give you 10 % off.", "conditional", "If you sign by Friday"),
        ("We will refund the month if it fails again.", "conditional", "if it fails again."),
        ("如果周五前签约，我们给九折。", "conditional", "如果周五前签约"),
        ("我们可以延长试用，前提是你们提供数据。", "conditional", "前提是你们提供数据。"),
        ("I'll try to get it by Friday.", "hedged", None),
        ("我尽量周五前给您。", "hedged", None),
        ("We will send our comments by 4 May.", "firm", None),
        ("I'll forward it once more tonight.", "firm", None),
    ],
)
def test_a_condition_and_a_hedge_are_no_firm_word(
    sentence: str, strength: str, condition: str | None
) -> None:
    promise = read_promise(sentence)

    assert (promise.strength, promise.condition) == (strength, condition)


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("The security questionnaire has been sent.", "satisfied"),
        ("Done.", "satisfied"),
        ("Thanks for sending the questionnaire!", "satisfied"),
        ("问卷已经发给您了。", "satisfied"),
        ("搞定。", "satisfied"),
        ("We still haven't received the questionnaire.", "violated"),
        ("问卷还没收到。", "violated"),
        ("We decided not to build the importer.", "cancelled"),
        ("导入功能不做了。", "cancelled"),
        ("We no longer need the questionnaire.", "released"),
        ("问卷不用发了。", "released"),
        ("Bo Chan will take over the questionnaire.", "delegated"),
        ("问卷交给刘洋了。", "delegated"),
        ("Has the questionnaire been sent?", None),
        ("The questionnaire will be sent on Friday.", None),
        ("The questionnaire is not done.", "violated"),
        ("If it is done, tell me.", None),
        ("问卷会发的。", None),
        ("问卷发了吗？", None),
    ],
)
def test_only_what_says_that_something_became_of_it_moves_a_promise(sentence: str, kind: str | None) -> None:
    move = read_move(sentence)

    assert (None if move is None else move.kind) == kind
    assert move is None or re.search(WORDS.replace(r"\y", r"\b"), sentence, re.IGNORECASE)


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("On-premises hosting is not included.", "exclusion"),
        ("培训费用不包括在内。", "exclusion"),
        ("Karl is very frustrated with support.", "unhappy_stakeholder"),
        ("客户对响应速度很不满。", "unhappy_stakeholder"),
        ("They are also talking to Northwind.", "competitor"),
        ("他们在看友商的方案。", "competitor"),
        ("Is hosting not included?", None),
        ("Karl is not unhappy.", None),
        ("There are no competitors in this deal.", None),
    ],
)
def test_a_warning_is_no_question_and_no_denial(sentence: str, kind: str | None) -> None:
    assert read_warning(sentence) == kind


# ── what becomes of a promise ──


def promise(id_: str = "p", days: int = 0, **fields: object) -> Said:
    plain: dict[str, object] = {
        "id": id_,
        "at": START + timedelta(days=days),
        "who": "user:ann",
        "side": "ours",
        "words": frozenset({"secur", "questionnair"}),
        "place": "acme",
        "thread": "t",
        "strength": "firm",
        "condition": frozenset(),
        "due": date(2026, 3, 6),
    }
    return Said(**{**plain, **fields})  # type: ignore[arg-type]


def heard(says: str, days: int = 1, **fields: object) -> Evidence:
    plain: dict[str, object] = {
        "id": f"{says}{days}",
        "at": START + timedelta(days=days),
        "who": "user:ann",
        "side": "ours",
        "words": frozenset({"secur", "questionnair"}),
        "place": "acme",
        "thread": "u",
        "says": says,
    }
    return Evidence(**{**plain, **fields})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("evidence", "state"),
    [
        ([], "active"),
        ([heard("satisfied")], "satisfied"),
        ([heard("satisfied", side="theirs", who="karl")], "satisfied"),
        ([heard("satisfied", days=-1)], "active"),
        ([heard("satisfied", place="globex")], "active"),
        ([heard("satisfied", words=frozenset({"invoic"}))], "active"),
        ([heard("satisfied", words=frozenset(), thread="t")], "satisfied"),
        ([heard("satisfied", words=frozenset())], "active"),
        ([heard("violated", days=2)], "active"),
        ([heard("violated", days=9)], "violated"),
        ([heard("violated", days=9), heard("satisfied", days=10)], "satisfied"),
        ([heard("released", side="theirs")], "released"),
        ([heard("released")], "active"),
        ([heard("cancelled")], "cancelled"),
        ([heard("cancelled", side="theirs")], "active"),
        ([heard("delegated", to="Bo")], "delegated"),
    ],
)
def test_a_promise_is_moved_only_by_later_words_of_who_may(evidence: list[Evidence], state: str) -> None:
    assert settle([promise()], evidence)["p"].state == state


def test_a_new_day_for_the_same_takes_the_place_of_the_old_and_a_repetition_does_not() -> None:
    first, again = promise(), promise("again", 1)
    moved = promise("moved", 2, due=date(2026, 3, 20))

    stands = settle([moved, first, again], [])

    assert (stands["p"].state, stands["p"].by) == ("superseded", ("moved",))
    assert stands["p"].again == ("again",)
    assert stands["moved"].state == "active"
    assert "again" not in stands


def test_a_condition_that_came_true_makes_a_promise_active() -> None:
    said = promise(strength="conditional", condition=frozenset({"contract"}), words=frozenset({"discount"}))

    before = settle([said], [])["p"].state
    after = settle([said], [heard("satisfied", words=frozenset({"contract"}))])["p"].state

    assert (before, after) == ("conditional", "active")


SAYS = st.sampled_from(["satisfied", "violated", "cancelled", "released", "delegated"])


@given(
    moves=st.lists(st.tuples(SAYS, st.integers(-3, 30), st.sampled_from(["ours", "theirs"])), max_size=6),
    seed=st.randoms(use_true_random=False),
)
def test_the_order_in_which_words_arrive_means_nothing(
    moves: list[tuple[str, int, str]], seed: object
) -> None:
    evidence = [
        heard(says, days, side=side, id=f"e{number}") for number, (says, days, side) in enumerate(moves)
    ]
    shuffled = list(evidence)
    seed.shuffle(shuffled)  # type: ignore[attr-defined]  # Hypothesis's random

    assert settle([promise()], evidence) == settle([promise()], shuffled)


@given(st.text(max_size=80), st.text(max_size=80))
def test_no_text_breaks_a_calendar_or_a_reading(content: str, who: str) -> None:
    read_promise(content)
    read_move(content)
    read_warning(content)
    cited = Citation(
        "c", None, content, content, "chat", "m", None, None, who, START, None, None, "active", None, (),
        "member", "member",
    )  # fmt: skip
    due = Due("by Friday", "2026-03-06", START)
    one = Commitment(
        "1", content, who, None, "ours", "firm", None, due, "active", overdue=False, citations=(cited,)
    )

    lines = calendar_of([one], START).split("\r\n")

    assert all(len(line.encode("utf-8", "replace")) <= 75 for line in lines)
    assert lines.count("BEGIN:VEVENT") == lines.count("END:VEVENT") == 1
    assert "DTSTART;VALUE=DATE:20260306" in lines
