"""From when and until when words hold: of a document by its opening lines, of a statement by its own."""

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.assertions import extract
from muniment.assertions.calendar import resolve
from muniment.assertions.header import Header, read_header
from muniment.assertions.validity import ENDS_FIRST, Bounds, Said, dated, over
from muniment.domain.assertions import Context, Term
from muniment.domain.passages import Passage, Span
from muniment.domain.times import find_zone, local_instant

WHEN = Said(datetime(2026, 3, 4, 9, tzinfo=UTC))
DAYS = st.dates(date(1990, 1, 1), date(2090, 12, 31))


def day(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text).replace(tzinfo=UTC)


def header(body: str, title: str | None = None) -> Header:
    return read_header(title, body, WHEN)


def stated(text: str, when: Said = WHEN) -> tuple[tuple[Term, ...], Bounds]:
    passage = Passage(b"", 0, 0, len(text), text, (), None, (Span(0, len(text)),))
    (said,) = extract([passage], Context("message", None, "user:ann", account="Acme"))
    found, bounds = dated(said, when)
    return found.terms, bounds


@pytest.mark.parametrize(
    ("line", "start", "end"),
    [
        ("Effective 1 March 2026", "2026-03-01", None),
        ("Effective as of March 1, 2026 · Version 2.1", "2026-03-01", None),
        ("Amendment 1, effective 1 March 2026", "2026-03-01", None),
        ("**Effective:** 2026-03-01", "2026-03-01", None),
        ("| Effective | 1 March 2026 |", "2026-03-01", None),
        ("Valid from 1 July 2026 until 30 June 2027.", "2026-07-01", "2027-07-01"),
        ("Valid through 31 December 2026", None, "2027-01-01"),
        ("Expires: 31 December 2026", None, "2027-01-01"),
        ("With effect from next Monday", "2026-03-09", None),
        ("This policy is effective from 1 March 2026.", "2026-03-01", None),
        (
            "This agreement takes effect on 1 March 2026 and expires on 28 February 2027.",
            "2026-03-01",
            "2027-03-01",
        ),
        ("本办法自2026年3月1日起施行。", "2026-03-01", None),
        ("本办法自二〇二六年三月一日起施行。", "2026-03-01", None),
        ("自2026年3月1日起生效", "2026-03-01", None),
        ("生效日期：2026-03-01", "2026-03-01", None),
        ("有效期至2026年12月31日", None, "2027-01-01"),
        ("有效期：2026年1月1日至2026年12月31日", "2026-01-01", "2027-01-01"),
        ("本制度从2026年3月1日起执行，有效期至2026年12月31日。", "2026-03-01", "2027-01-01"),
        ("截至2026年6月30日", None, "2026-07-01"),
    ],
)
def test_an_opening_line_that_says_when_and_nothing_else_is_the_documents(
    line: str, start: str | None, end: str | None
) -> None:
    assert header(f"# Travel policy\n\n{line}\n\nMore text.").bounds == Bounds(day(start), day(end))


@pytest.mark.parametrize(
    "line",
    [
        "From 1 May the limit is 140.",
        "Effective 1 May 2026 the limit is 140.",
        "The hotel limit is EUR 180, effective 1 May 2026.",
        "Last updated 1 March 2026",
        "2026-03-01",
        "The offer was valid in 2024, see below.",
        "1 March 2026 to 3 March 2026: conference",
    ],
)
def test_a_line_that_says_something_else_dates_no_document(line: str) -> None:
    assert header(line).bounds == Bounds()


def test_a_year_in_the_title_bounds_what_is_for_that_year() -> None:
    assert header("text", "2026年度差旅办法").bounds == Bounds(day("2026-01-01"), day("2027-01-01"))


@pytest.mark.parametrize(
    ("line", "text", "value"),
    [
        ("Version 2.1", "Version 2.1", "2.1"),
        ("Edition 2026", "Edition 2026", "2026"),
        ("Rev. B", "Rev. B", "B"),
        ("第三版", "第三版", "三"),
        ("Third edition", "Third edition", "Third"),
    ],
)
def test_an_edition_keeps_its_words(line: str, text: str, value: str) -> None:
    assert header(line).edition == {"text": text, "value": value}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("Effective 30 February 2026", "no calendar has that day"),
        ("Effective 29 February 2027", "no calendar has that day"),
        ("Effective 2026-13-01", "no calendar has that day"),
        ("Effective date: 03/04/2026", "day and month may be either way round"),
        ("Effective: 1 March 26", "its year is not one of four digits"),
        ("Effective 1 March 100000", "its year is not one of four digits"),
        ("Valid until 100000-01-01", "its year is not one of four digits"),
        ("Effective from 0000-01-01", "its year is not one of four digits"),
        ("Effective date: 01.03.2026", "gives no date that can be read one way"),
        ("本办法自农历3月1日起施行", "lunar calendar"),
        ("Valid from 1 July 2026 to 30 June 2026", ENDS_FIRST),
        ("Valid from 1 July 2026 to 1 May 2026", ENDS_FIRST),
    ],
)
def test_a_bad_date_is_told_and_is_no_other_day(line: str, why: str) -> None:
    found = header(line)

    assert found.bounds == Bounds()
    assert any(why in note for note in found.notes), found.notes


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("From 1 May the limit is EUR 140.", "2026-05-01", None),
        ("The limit is EUR 140 from 1 May 2026.", "2026-05-01", None),
        ("Until end of June the discount is 10 %.", None, "2026-07-01"),
        ("The discount is 10 % from 1 July 2026 until 30 June 2027.", "2026-07-01", "2027-07-01"),
        ("自2026年5月1日起，酒店上限为140欧元。", "2026-05-01", None),
        ("5月1日起，酒店上限为140欧元。", "2026-05-01", None),
        ("折扣为10%，有效期至6月30日。", None, "2026-07-01"),
        ("截至2026年3月1日，客户数量为20个。", "2026-03-01", None),
        ("The limit is EUR 140.", None, None),
        ("The renewal date is moved from 3 March 2026 to 5 March 2026.", None, None),
        ("The limit is EUR 140 from 30 February 2026.", None, None),
    ],
)
def test_a_statement_holds_as_its_own_words_say(text: str, start: str | None, end: str | None) -> None:
    assert stated(text)[1] == Bounds(day(start), day(end))


def test_a_promise_has_a_day_and_no_period() -> None:
    terms, bounds = stated("I'll send it by Friday.")

    assert bounds == Bounds()
    assert ("due", "by Friday", "2026-03-06") in [(one.kind, one.text, one.resolved) for one in terms]


def test_a_statement_that_would_end_before_it_starts_says_so_and_has_no_period() -> None:
    terms, bounds = stated("The discount is 10 % from 1 July 2026 until 30 June 2026.")

    assert bounds == Bounds()
    assert {one.note for one in terms if one.kind in ("effective", "until")} == {ENDS_FIRST}


def test_a_day_without_a_zone_is_read_in_utc_and_says_so() -> None:
    text = "From 1 May 2026 the limit is EUR 140."

    bare, zoned = (
        next(one for one in stated(text, when)[0] if one.kind == "effective")
        for when in (WHEN, Said(WHEN.at, find_zone("Asia/Shanghai")))
    )

    assert (bare.text, bare.resolved) == ("From 1 May 2026", "2026-05-01T00:00:00Z")
    assert bare.note is not None
    assert (zoned.resolved, zoned.note) == ("2026-04-30T16:00:00Z", None)


@pytest.mark.parametrize(
    ("text", "resolved", "note"),
    [
        (
            "From 29 March 2026 02:30 the limit is EUR 140.",
            "2026-03-29T01:30:00Z",
            "the clock was put on past",
        ),
        (
            "From 25 October 2026 02:30 the limit is EUR 140.",
            "2026-10-25T00:30:00Z",
            "showed that time twice",
        ),
    ],
)
def test_an_hour_that_is_not_or_is_twice_has_one_meaning_and_says_which(
    text: str, resolved: str, note: str
) -> None:
    terms, _ = stated(text, Said(WHEN.at, find_zone("Europe/Berlin")))

    (found,) = [one for one in terms if one.kind == "effective"]
    assert found.resolved == resolved
    assert note in (found.note or "")


def test_a_row_holds_as_its_columns_say() -> None:
    table = (
        "| Effective from | Hotel limit | Meal allowance |\n|---|---|---|\n"
        "| 2026-01-01 | EUR 120 | EUR 30 |\n| 2026-05-01 | EUR 140 | EUR 40 |\n"
    )
    passage = Passage(b"", 0, 0, len(table), table, (), None, (Span(0, len(table)),))

    found = [dated(said, WHEN) for said in extract([passage], Context("document", "Travel", None))]

    assert {(said.value, bounds.start) for said, bounds in found} == {
        ("EUR 120", day("2026-01-01")),
        ("EUR 30", day("2026-01-01")),
        ("EUR 140", day("2026-05-01")),
        ("EUR 40", day("2026-05-01")),
    }
    assert {said.slot.qualifier for said, _ in found if said.slot} == {None}


def test_a_statements_own_word_wins_over_its_documents_and_keeps_the_rest() -> None:
    document = Bounds(day("2026-03-01"), day("2026-07-01"))

    assert over(Bounds(day("2026-05-01")), document) == Bounds(day("2026-05-01"), day("2026-07-01"))
    assert over(Bounds(day("2026-08-01")), document) == Bounds(day("2026-08-01"), None)
    assert over(Bounds(), document) == document


OPEN = [f"--{month:02}-{day:02}" for month in range(1, 13) for day in (1, 28, 29, 30, 31)]
WORDS = "next this last in 1239月日周星期天个下上本年底末后前 days weeks monday of end-Q"
ZONES = ["Europe/Berlin", "America/New_York", "America/Sao_Paulo", "Australia/Lord_Howe", "Asia/Kathmandu"]


@given(said=DAYS, value=st.sampled_from(OPEN))
def test_a_day_without_a_year_keeps_its_month_and_day_or_is_none(said: date, value: str) -> None:
    for lean in ("ahead", "behind", "near"):
        days = resolve(value, said, lean)
        assert days is None or days.first.strftime("--%m-%d") == value
        if days is not None and lean == "ahead":
            assert days.first >= said
        if days is not None and lean == "behind":
            assert days.first <= said


@given(said=DAYS, words=st.text(alphabet=WORDS, max_size=24))
def test_no_words_break_the_calendar(said: date, words: str) -> None:
    days = resolve(f"relative:{words}", said)

    assert days is None or days.first < days.after


@given(day=DAYS, clock=st.times(), zone=st.sampled_from(ZONES))
def test_a_wall_clock_reads_back_what_it_showed_but_in_a_gap(day: date, clock: time, zone: str) -> None:
    instant, fold = local_instant(day, clock, ZoneInfo(zone))

    shown = instant.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    assert (shown == datetime.combine(day, clock)) == (fold != "gap")
