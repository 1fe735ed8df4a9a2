"""What is a term, what is not, and one normal form for each way of writing it."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.assertions.terms import find_terms


def terms(text: str) -> list[tuple[str, str]]:
    return [(mention.term.kind, mention.term.value) for mention in find_terms(text)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("the fee is EUR 180", "EUR 180"),
        ("the fee is €1,200.50", "EUR 1200.5"),
        ("worth $3.4m", "USD 3400000"),
        ("about 180 euros", "EUR 180"),
        ("每晚180 欧元", "EUR 180"),
        ("合同金额为人民币5万元", "CNY 50000"),
        ("¥500左右", "CNY 500"),
        ("GBP 100-150 per trip", "GBP 100..150"),
        ("£2 million in total", "GBP 2000000"),
    ],
)
def test_an_amount_is_its_currency_code_and_a_plain_number(text: str, value: str) -> None:
    assert ("amount", value) in terms(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("on 2026-03-03", "2026-03-03"),
        ("on 3 March 2026", "2026-03-03"),
        ("on March 3, 2026", "2026-03-03"),
        ("on the 3rd of March 2026", "2026-03-03"),
        ("Created: 18-Jun-2009", "2009-06-18"),
        ("3/14/2026 it is", "2026-03-14"),
        ("14/3/2026 it is", "2026-03-14"),
        ("2026年3月3日", "2026-03-03"),
        ("3月3日之前", "--03-03"),
        ("in March 2026", "2026-03"),
        ("in March", "--03"),
        ("Q3 2026", "2026-Q3"),
        ("by Friday", "relative:friday"),
        ("see you next week", "relative:next week"),
        ("下周二上线", "relative:下周二"),
    ],
)
def test_a_date_is_iso_where_its_words_fix_it_and_its_words_where_they_do_not(text: str, value: str) -> None:
    assert ("date", value) in terms(text)


@pytest.mark.parametrize("text", ["3/4/2026", "2026-13-01", "march on", "you may 3 times", "32 March"])
def test_what_may_be_two_dates_or_none_is_no_date(text: str) -> None:
    assert "date" not in [kind for kind, _ in terms(text)]


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("within 30 days", ("duration", "30 days")),
        ("a 30-day notice", ("duration", "30 days")),
        ("within two weeks", ("duration", "2 weeks")),
        ("两周之内", ("duration", "2 weeks")),
        ("提前5个工作日", ("duration", "5 business days")),
        ("2-3 days", ("duration", "2..3 days")),
        ("p99 is 850ms", ("duration", "850 milliseconds")),
        ("25 requests per second", ("count", "25 requests/second")),
        ("8 GB of memory", ("count", "8 GB")),
        ("up to 12%", ("percent", "12%")),
        ("百分之五", ("percent", "5%")),
        ("at 2:30 pm", ("time", "14:30")),
        ("at 14:30 CET", ("time", "14:30 CET")),
        ("下午3点开会", ("time", "15:00")),
        ("topK is 8", ("number", "8")),
    ],
)
def test_quantities_carry_their_unit(text: str, term: tuple[str, str]) -> None:
    assert term in terms(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("see INC-443", "INC-443"),
        ("as PEP 8 says", "PEP 8"),
        ("on v2.3.1 now", "2.3.1"),
        ("failed with E1234", "E1234"),
        ("host edge-fra-02 is slow", "edge-fra-02"),
        ("commit 3fa9c1d fixed it", "3fa9c1d"),
        ("fixed in #1234", "#1234"),
    ],
)
def test_identifiers_are_kept_as_written(text: str, value: str) -> None:
    assert ("identifier", value) in terms(text)


def test_names_of_standards_are_no_ticket_keys() -> None:
    assert "identifier" not in [kind for kind, _ in terms("encoded as UTF-8 with SHA-256")]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("INC-443 is closed", "closed"),
        ("INC-443 已关闭", "closed"),
        ("Status: Approved", "approved"),
        ("状态：已解决", "resolved"),
    ],
)
def test_a_state_stands_after_a_copula_or_the_word_status(text: str, value: str) -> None:
    assert ("state", value) in terms(text)


def test_a_sentence_of_too_many_numbers_is_data() -> None:
    assert terms("EUR 5, " * 50) == []
    assert len(terms("| 2026-01-01 " * 12)) == 12


def test_an_adjective_or_a_verb_is_no_state() -> None:
    assert terms("open the door and get it done") == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("负责人是王芳", "王芳"),
        ("Owner: Maria Lopez", "maria lopez"),
        ("owned by the payments team", "payments team"),
    ],
)
def test_an_owner_is_a_name_without_regard_to_case(text: str, value: str) -> None:
    assert ("owner", value) in terms(text)


def test_links_claim_their_characters() -> None:
    found = terms("see https://example.com/a?id=42 or mail Ann@Example.com")

    assert found == [("url", "https://example.com/a?id=42"), ("email", "ann@example.com")]


def test_a_date_may_be_when_something_is_due_or_from_when_it_holds() -> None:
    assert ("due", "2026-03-03") in terms("send it by 3 March 2026")
    assert ("effective", "2026-03-03") in terms("effective 3 March 2026")
    assert ("due", "relative:周五") in terms("周五前发给你")


@given(st.text(alphabet="ab1 2,.:/-%€$年月日天点周三五万元是已 IsMarch\n", max_size=200))
def test_every_term_is_the_characters_of_its_place(text: str) -> None:
    for mention in find_terms(text):
        assert text[mention.start : mention.end] == mention.term.text


@given(st.text(max_size=200))
def test_terms_share_no_character_but_for_the_role_of_a_date(text: str) -> None:
    roles = ("due", "effective", "until", "when")
    found = [mention for mention in find_terms(text) if mention.term.kind not in roles]

    assert all(one.end <= other.start for one, other in pairwise(found))
