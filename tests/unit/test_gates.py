"""What of a model's reply its text proves: quotes, numbers, dates, names, denials, slots."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.assertions import faithful
from muniment.assertions.anchor import Anchored, find_quote, normal_quote
from muniment.assertions.distil import Unreadable, ask_of, read_drafts, read_ruling
from muniment.assertions.faithful import Evidence
from muniment.assertions.unit import unit_of
from muniment.assertions.verify import Shown, Verified, verify_drafts
from muniment.domain.assertions import Context, Slot
from muniment.domain.passages import Origin, Passage, Span
from tests.doubles import draft, drafts
from tests.planted import plant

CONTEXT = Context("document", "Travel policy", "user:ann")
POLICY = "We agreed with Globex that the hotel limit per night is EUR 180 from 1 March 2027."


def passage(text: str, *spans: Span) -> Passage:
    whole = spans or (Span(0, len(text)),)
    return Passage(b"anchor", 0, 0, len(text), text, (), None, whole)


def shown(text: str, *spans: Span) -> Shown:
    one = passage(text, *spans)
    unit = unit_of(one, CONTEXT)
    assert unit is not None
    return Shown(one, unit)


def judged(text: str, *listed: dict[str, object]) -> Verified:
    return verify_drafts(drafts(*listed), shown(text), "model:double/1")


# ── quotes ──


@given(st.text(alphabet="ab 日限é—’\n\tﬁ１", min_size=1, max_size=60), st.data())
def test_words_are_found_whatever_became_of_their_spaces_and_composition(
    text: str, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    words = text[start:end]
    places: list[str] = []
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        asked = normal_quote(unicodedata.normalize(form, "  ".join(words.split(" "))))
        places = [text[slice(*place)] for place in Anchored(text).places(asked)]
        assert all(normal_quote(place) == asked for place in places)
    if words.strip() and Anchored(text).normal.strip() == text.strip() == words.strip():
        assert places


@pytest.mark.parametrize(
    ("text", "quote", "found"),
    [
        ("Notice is 15 days.", "5 days", None),
        ("Notice is 15 days.", "15 days", "15 days"),
        ("The fee is 2.5 %.", "5 %", None),
        ("The fee is 1,500 euros.", "500 euros", None),
        ("It is -5 degrees.", "5 degrees", None),
        ("Deploys need thirty\n  days’ notice.", "thirty days' notice", "thirty\n  days’ notice"),
        ("Ba\u0308nke sind zu.", "Bänke sind", "Ba\u0308nke sind"),
        ("上限为１８０欧元。", "上限为180欧元", "上限为１８０欧元"),
        ("Bart agreed to it.", "art agreed", None),
    ],
)
def test_a_quote_is_the_texts_own_words_and_cuts_none(text: str, quote: str, found: str | None) -> None:
    place = find_quote(passage(text), quote)

    assert (None if place is None else text[slice(*place)]) == found


def test_words_that_somebody_else_said_are_no_quote_of_the_author() -> None:
    text = "I agree. The barn is red. The shed is green."
    spans = (Span(0, 9), Span(9, 26, Origin.QUOTED), Span(26, len(text)))
    one = shown(text, *spans)

    assert find_quote(one.passage, "The barn is red.") is None
    assert find_quote(one.passage, "is red. The shed") is None
    assert find_quote(one.passage, "The shed is green.") == (26, len(text))
    assert "barn" not in one.unit.text
    assert "barn" not in ask_of(one.unit).material


# ── what a statement may say ──


@pytest.mark.parametrize(
    ("evidence", "statement"),
    [
        (POLICY, "The hotel limit per night is EUR 180"),
        (POLICY, "From 2027-03-01 the hotel limit is €180 per night"),
        ("Deploys need thirty days' notice.", "Deploys need 30 days' notice"),
        ("Refunds must be approved by finance.", "Refunds require approval by finance"),
        (
            "Nobody may approve refunds.",
            "No refunds may be approved by anybody in it".replace("anybody in it", "them"),
        ),
        ("每晚住宿上限为180欧元。", "住宿上限每晚180欧元"),
        ("退款须经财务批准。", "退款必须由财务批准"),
        ("期限为三百八十天。", "期限为380天"),
        ("自二〇二七年起。", "自2027年起"),
    ],
)
def test_a_statement_in_its_evidences_own_words_passes(evidence: str, statement: str) -> None:
    assert Evidence(evidence).lacks(statement) is None


@pytest.mark.parametrize(
    ("evidence", "statement", "lack"),
    [
        (POLICY, "The hotel limit per night is EUR 190", "number"),
        (POLICY, "The hotel limit per night is USD 180", "number"),
        (POLICY, "The hotel limit per night is EUR 1,180", "number"),
        (POLICY, "The hotel limit per night is EUR 180 from 2 March 2027", "number"),
        (POLICY, "Initech agreed that the hotel limit is EUR 180", "name"),
        (POLICY, "The hotel limit of initech is EUR 180", "name"),
        (POLICY, "Globe agreed that the hotel limit is EUR 180", "name"),
        (POLICY, "The hotel limit is not EUR 180", "denies"),
        ("Nobody at Acme may approve refunds.", "Acme may approve refunds", "denies"),
        ("Deploys need thirty days' notice.", "Deploys need 13 days' notice", "number"),
        ("Deploys need thirty days' notice.", "Deploys need thirty weeks' notice", "name"),
        ("退款须经财务批准。", "退款须经李雷批准", "name"),
        ("每晚上限为三十欧元。", "每晚上限为十三欧元", "number"),
        ("退款须经财务批准。", "退款不须经财务批准", "name"),
    ],
)
def test_a_statement_that_says_more_or_other_than_its_evidence_does_not(
    evidence: str, statement: str, lack: str
) -> None:
    found = Evidence(evidence).lacks(statement)

    assert found is not None
    assert lack in found


@given(
    st.lists(
        st.sampled_from("Orrin Vale zephyr 77 2031-05-05 hunter 赵四 password".split()),
        min_size=1,
        max_size=3,
    ),
    st.integers(0, 10),
)
def test_no_word_of_another_text_gets_into_a_statement(secret: list[str], place: int) -> None:
    words = "The hotel limit per night is EUR 180".split()
    statement = " ".join([*words[:place], *secret, *words[place:]])

    verified = judged(POLICY, draft("fact", statement, POLICY))

    assert verified.accepted == ()


def test_the_check_for_words_sees_a_gate_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: every word passes."""
    plant(monkeypatch, faithful, "_words", lambda _: iter(()))

    assert judged(POLICY, draft("fact", "Orrin pays EUR 180", POLICY)).accepted


def test_half_a_sentence_is_widened_to_the_whole_that_it_might_contradict() -> None:
    verified = judged(
        "It is not true that refunds are approved by finance.",
        draft("policy", "Refunds are approved by finance", "refunds are approved by finance"),
    )

    assert verified == Verified(refused=("it denies what its evidence does not, or the other way about",))


# ── slots ──


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        (POLICY, ("hotel", "limit per night", "EUR 180"), "EUR 180"),
        (POLICY, ("hotel", "limit per night", "180 euros"), "EUR 180"),
        (POLICY, ("hotel", "limit per night", "EUR 190"), None),
        (POLICY, ("Initech", "limit per night", "EUR 180"), None),
        (POLICY, ("hotel", "discount", "EUR 180"), None),
        (POLICY, ("we", "limit per night", "EUR 180"), None),
        ("Perhaps the hotel limit per night is EUR 180.", ("hotel", "limit per night", "EUR 180"), None),
        ("The hotel limit per night is due next Friday.", ("hotel", "limit per night", "next Friday"), None),
        (
            "The owner of checkout is the billing crew.",
            ("checkout", "owner", "the billing crew"),
            "the billing crew",
        ),
    ],
)
def test_a_slot_is_filled_where_all_of_it_is_plainly_said(
    text: str, slot: tuple[str, ...], value: str | None
) -> None:
    (one,) = judged(text, draft("fact", text, text, *slot)).accepted

    assert one.value == value
    assert isinstance(one.slot, Slot) == (value is not None)


# ── replies ──


@given(st.text(max_size=300))
def test_no_text_that_is_not_of_the_schema_is_a_reply(text: str) -> None:
    for reply in (text, json.dumps({"statements": text, "verdict": text, "statement": text})):
        assert isinstance(read_drafts(reply), Unreadable)
        assert isinstance(read_ruling(reply), Unreadable) or text == "retracted"


@pytest.mark.parametrize(
    "text", ["", " \n", "{}", "[]", "null", "1" * 5000, "[" * 30_000, '{"statements":[[]]}']
)
def test_what_is_no_reply_is_unreadable(text: str) -> None:
    assert isinstance(read_drafts(text), Unreadable)


def test_a_unit_is_free_of_places_and_line_breaks_and_bound_to_all_that_is_shown() -> None:
    text = "Deploys need thirty days of notice."
    one = unit_of(passage(text), CONTEXT)
    wrapped = unit_of(passage(text.replace(" of ", "\nof ")), CONTEXT)
    other = unit_of(passage(text), Context("document", "Other policy", "user:ann"))
    assert one is not None
    assert wrapped is not None
    assert other is not None

    assert one.digest(b"key") == wrapped.digest(b"key")
    assert (
        len({one.digest(b"key"), other.digest(b"key"), one.digest(b"another"), one.digest(b"key", "x")}) == 4
    )


@pytest.mark.parametrize("text", ["", "ok", "Thanks!", "👍👍👍", "----"])
def test_a_text_that_says_too_little_is_not_asked_about(text: str) -> None:
    assert unit_of(passage(text), CONTEXT) is None
