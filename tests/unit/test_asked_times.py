"""Stretches of time that questions name. The day of asking is Wednesday, 10 June 2026."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

import pytest

from muniment.context.asked.times import periods
from muniment.context.asked.when import When

TODAY = date(2026, 6, 10)

# Each as: question | first | the day after the last | kind, with ? where another year or week may be meant.
ENGLISH = """
What did we agree in May? | 2026-05-01 | 2026-06-01 | month?
what happened in may | 2026-05-01 | 2026-06-01 | month?
what did we ship in march | 2026-03-01 | 2026-04-01 | month?
Who joined in October? | 2025-10-01 | 2025-11-01 | month?
What did the August release contain? | 2025-08-01 | 2025-09-01 | month?
Who joined in March 2024? | 2024-03-01 | 2024-04-01 | month
who joined in march 2024? | 2024-03-01 | 2024-04-01 | month
What was decided last May? | 2026-05-01 | 2026-06-01 | month
What was decided last June? | 2025-06-01 | 2025-07-01 | month
What is planned for next May? | 2027-05-01 | 2027-06-01 | month
Rates for 2024-03? | 2024-03-01 | 2024-04-01 | month
What was signed on 2024-05-01? | 2024-05-01 | 2024-05-02 | day
What was signed on 2024.05.01? | 2024-05-01 | 2024-05-02 | day
What was signed on 1.5.2024? | 2024-05-01 | 2024-05-02 | day
What did Tim say on 16 November, 2023? | 2023-11-16 | 2023-11-17 | day
What did Tim say on november 16, 2023? | 2023-11-16 | 2023-11-17 | day
What came in on May 5? | 2026-05-05 | 2026-05-06 | day?
What came in on 5 July? | 2025-07-05 | 2025-07-06 | day?
What came in on may 5th? | 2026-05-05 | 2026-05-06 | day?
What broke yesterday? | 2026-06-09 | 2026-06-10 | day
What broke last night? | 2026-06-09 | 2026-06-10 | day
What broke the day before yesterday? | 2026-06-08 | 2026-06-09 | day
Who is on call today? | 2026-06-10 | 2026-06-11 | day
Who is on call tomorrow? | 2026-06-11 | 2026-06-12 | day
What did I miss this morning? | 2026-06-10 | 2026-06-11 | day
What did Ann say on Monday? | 2026-06-08 | 2026-06-09 | day?
what did ann say on friday | 2026-06-05 | 2026-06-06 | day?
What did Ann say last Friday? | 2026-06-05 | 2026-06-06 | day
What did Ann say last Wednesday? | 2026-06-03 | 2026-06-04 | day
What is due this Friday? | 2026-06-12 | 2026-06-13 | day
What happened last week? | 2026-06-01 | 2026-06-08 | week
Who was away last weekend? | 2026-06-06 | 2026-06-08 | weekend
What is planned next month? | 2026-07-01 | 2026-08-01 | month
What were sales last quarter? | 2026-01-01 | 2026-04-01 | quarter
What were sales this year? | 2026-01-01 | 2027-01-01 | year
What were sales in Q3? | 2025-07-01 | 2025-10-01 | quarter?
What were sales in Q1? | 2026-01-01 | 2026-04-01 | quarter?
What were sales in Q3 2024? | 2024-07-01 | 2024-10-01 | quarter
What were sales in 2024 Q3? | 2024-07-01 | 2024-10-01 | quarter
What were sales in Q4 last year? | 2025-10-01 | 2026-01-01 | quarter
What were sales in the second quarter of 2024? | 2024-04-01 | 2024-07-01 | quarter
What were sales in H1 2025? | 2025-01-01 | 2025-07-01 | half
What were sales in the second half of 2025? | 2025-07-01 | 2026-01-01 | half
What did we promise in 2023? | 2023-01-01 | 2024-01-01 | year
What was the 2024 budget? | 2024-01-01 | 2025-01-01 | year
What is the FY2025 target? | 2025-01-01 | 2026-01-01 | year
What is the FY25 target? | 2025-01-01 | 2026-01-01 | year
What did we promise in late 2023? | 2023-09-02 | 2024-01-01 | days
Who left at the end of last year? | 2025-09-02 | 2026-01-01 | days
Where did they go last summer? | 2025-06-01 | 2025-09-01 | season
Where did they go in the summer of 2022? | 2022-06-01 | 2022-09-01 | season
Where did they go in the fall? | 2025-09-01 | 2025-12-01 | season?
Where did they go last winter? | 2025-12-01 | 2026-03-01 | season
What did Ann say three weeks ago? | 2026-05-17 | 2026-05-24 | week
What did Ann say two days ago? | 2026-06-08 | 2026-06-09 | day
What did Ann say a few days ago? | 2026-06-04 | 2026-06-09 | days
What did Ann say a couple of months ago? | 2026-04-01 | 2026-05-01 | month
What did Ann say 2 years ago? | 2024-01-01 | 2025-01-01 | year
What broke 2 hours ago? | 2026-06-09 | 2026-06-11 | days
What changed in the last 3 months? | 2026-03-10 | 2026-06-11 | days
What changed over the past year? | 2025-06-10 | 2026-06-11 | days
What is planned for the next two weeks? | 2026-06-10 | 2026-06-25 | days
What changed recently? | 2026-05-11 | 2026-06-11 | recent
What did we buy since March? | 2026-03-01 | - | since
What did we buy from May 5 onwards? | 2026-05-05 | - | since
What did we buy after 2024-05-01? | 2024-05-02 | - | since
What did we buy before 2024-05-01? | - | 2024-05-01 | before
What did we buy until the end of May? | - | 2026-06-01 | before
What was the price as of May 1, 2026? | - | 2026-05-02 | before
What is due by Friday? | - | 2026-06-13 | before
Who joined between May 3 and June 5, 2024? | 2024-05-03 | 2024-06-06 | between
Who joined from March to May? | 2026-03-01 | 2026-06-01 | between?
Who joined from November to February? | 2025-11-01 | 2026-03-01 | between?
Who joined between 2021 and 2023? | 2021-01-01 | 2024-01-01 | between
Who joined May 3-7, 2024? | 2024-05-03 | 2024-05-08 | between
Who joined 3 to 7 May? | 2026-05-03 | 2026-05-08 | between?
What did John do the week before August 3, 2023? | 2023-07-27 | 2023-08-03 | days
What did John do two weeks before August 11, 2023? | 2023-07-25 | 2023-08-01 | days
What did John do the Friday before 15 July 2023? | 2023-07-14 | 2023-07-15 | day
What did John do the week of May 5? | 2026-05-04 | 2026-05-11 | week?
Who worked on Christmas? | 2025-12-24 | 2025-12-27 | days?
Who was paged in the first week of May 2024? | 2024-05-01 | 2024-05-08 | week
"""
CHINESE = """
上季度的收入是多少 | 2026-01-01 | 2026-04-01 | quarter
上个季度谁签的合同 | 2026-01-01 | 2026-04-01 | quarter
去年我们承诺了什么 | 2025-01-01 | 2026-01-01 | year
前年的预算是多少 | 2024-01-01 | 2025-01-01 | year
上个月谁入职了 | 2026-05-01 | 2026-06-01 | month
上上个月的账单 | 2026-04-01 | 2026-05-01 | month
三月的会议谁参加了 | 2026-03-01 | 2026-04-01 | month?
十一月份发了什么 | 2025-11-01 | 2025-12-01 | month?
3月5日发生了什么 | 2026-03-05 | 2026-03-06 | day?
三月五号发生了什么 | 2026-03-05 | 2026-03-06 | day?
2024年3月签了什么 | 2024-03-01 | 2024-04-01 | month
24年3月签了什么 | 2024-03-01 | 2024-04-01 | month
2024年3月5日签了什么 | 2024-03-05 | 2024-03-06 | day
二〇二四年三月五日签了什么 | 2024-03-05 | 2024-03-06 | day
去年3月5日签了什么 | 2025-03-05 | 2025-03-06 | day
昨天的会议 | 2026-06-09 | 2026-06-10 | day
前天谁来了 | 2026-06-08 | 2026-06-09 | day
昨晚的故障 | 2026-06-09 | 2026-06-10 | day
本周谁值班 | 2026-06-08 | 2026-06-15 | week
上周讨论了什么 | 2026-06-01 | 2026-06-08 | week
上周五谁请假 | 2026-06-05 | 2026-06-06 | day
下周三开什么会 | 2026-06-17 | 2026-06-18 | day
周五说了什么 | 2026-06-05 | 2026-06-06 | day?
上周末谁加班 | 2026-06-06 | 2026-06-08 | weekend
两周前的决定 | 2026-05-24 | 2026-05-31 | week
三天前谁提交的 | 2026-06-07 | 2026-06-08 | day
半年前的价格 | 2025-12-01 | 2026-01-01 | month
三个月前的价格 | 2026-03-01 | 2026-04-01 | month
几天前说的方案 | 2026-06-04 | 2026-06-09 | days
最近谁离职了 | 2026-05-11 | 2026-06-11 | recent
近期有什么变化 | 2026-05-11 | 2026-06-11 | recent
最近三个月的账单 | 2026-03-10 | 2026-06-11 | days
过去两周的告警 | 2026-05-27 | 2026-06-11 | days
从3月到5月的销量 | 2026-03-01 | 2026-06-01 | between?
3月5日至8日谁出差 | 2026-03-05 | 2026-03-09 | between?
3月1日和3月5日之间的邮件 | 2026-03-01 | 2026-03-06 | between?
2024年3月5日之前的邮件 | - | 2024-03-05 | before
截至上个月底的余额 | - | 2026-06-01 | before
去年三月以来的变化 | 2025-03-01 | - | since
自2023年起的合同 | 2023-01-01 | - | since
5月1日之后的合同 | 2026-05-02 | - | since
去年年底的奖金 | 2025-09-02 | 2026-01-01 | days
2024年第三季度的收入 | 2024-07-01 | 2024-10-01 | quarter
去年第四季度的收入 | 2025-10-01 | 2026-01-01 | quarter
三季度的收入 | 2025-07-01 | 2025-10-01 | quarter?
去年下半年的收入 | 2025-07-01 | 2026-01-01 | half
去年夏天去了哪里 | 2025-06-01 | 2025-09-01 | season
今年春天去了哪里 | 2026-03-01 | 2026-06-01 | season
国庆谁值班 | 2025-10-01 | 2025-10-08 | days?
上个月5号付的款 | 2026-05-05 | 2026-05-06 | day
"""
NO_TIME = """
May I see the report?
This may be wrong, may it not?
may 5 people join the call?
When did they March on Washington?
March forward with the plan, he said.
What did April say about the budget?
Who is June's manager?
How long did the outage last?
For how many seconds does a second call wait?
How do I book for 2000 people?
What is the limit of 2048 bits?
What does error 2019 mean?
Who owns INC-2024?
Which version is 2.2024.1?
What is the policy on Black Friday sales?
Who runs the standup every Friday?
Do we use monday.com?
What is in the most recent release?
Who uses Spring Boot?
Why did the server fall over?
How many days of notice do I need?
How often per quarter?
What is the second quarter-final?
What is the fallback when next fails?
Can Mark march?
How do I augment the data?
Is it decent?
等我一下
三个月的保修怎么算
离公司最近的地铁站是哪个
上海的办公室在哪里
每周五谁值班
周一鸣说了什么
本周期的目标
目前谁负责
第三天做什么
前端谁负责
这个季节性波动怎么处理
他上市了吗
产品保质期三年
年会谁主持
月亮有多远
日本客户是谁
一百天计划是什么
第二十一节讲什么
"""
_ROWS = [row.split(" | ") for row in (ENGLISH + CHINESE).strip().splitlines() if row]


@pytest.mark.parametrize(("question", "first", "after", "kind"), _ROWS, ids=[row[0] for row in _ROWS])
def test_a_question_names_its_stretch_of_time(question: str, first: str, after: str, kind: str) -> None:
    found = periods(question, TODAY)

    said = [
        (str(one.first or "-"), str(one.after or "-"), one.kind + ("?" if one.repeats != "never" else ""))
        for one in found
    ]
    assert said == [(first, after, kind)]
    assert found[0].words in question


@pytest.mark.parametrize("question", NO_TIME.strip().splitlines())
def test_words_that_only_look_like_a_time_name_none(question: str) -> None:
    assert periods(question, TODAY) == ()


def test_a_slashed_date_that_may_be_read_either_way_is_both_days() -> None:
    assert [one.first for one in periods("What came on 03/04/2024?", TODAY)] == [
        date(2024, 3, 4),
        date(2024, 4, 3),
    ]


def test_several_stretches_come_in_the_order_they_are_named() -> None:
    found = periods("Compare sales in May 2024 with last quarter and with 去年.", TODAY)

    assert [one.words for one in found] == ["May 2024", "last quarter", "去年"]


def test_a_month_without_a_year_may_be_that_of_any_year() -> None:
    (may,) = periods("What did we agree in May?", TODAY)

    assert may.holds(date(2026, 5, 31))
    assert not may.holds(date(2023, 5, 2))
    assert may.may_hold(date(2023, 5, 2))
    assert not may.may_hold(date(2023, 6, 2))
    assert may.days_off(date(2023, 6, 2)) == 2
    assert may.days_off(date(2023, 4, 28)) == 3


def test_a_month_with_its_year_is_of_that_year_alone() -> None:
    (may,) = periods("What did we agree in May 2024?", TODAY)

    assert not may.may_hold(date(2023, 5, 2))


def test_a_weekday_alone_may_be_that_of_any_week() -> None:
    (monday,) = periods("What did Ann say on Monday?", TODAY)

    assert monday.may_hold(date(2026, 3, 2))
    assert monday.days_off(date(2026, 3, 3)) == 1
    assert monday.days_off(date(2026, 3, 8)) == 1


def test_a_leap_day_may_be_the_last_of_february_in_other_years() -> None:
    (leap,) = periods("What came on February 29?", date(2024, 6, 1))

    assert leap.may_hold(date(2023, 2, 28))


def test_a_stretch_that_ends_before_it_begins_cannot_be_built() -> None:
    with pytest.raises(ValueError, match="cannot end"):
        When(date(2026, 5, 2), date(2026, 5, 1), "days")
    with pytest.raises(ValueError, match="open at both ends"):
        When(None, None, "since")


@pytest.mark.parametrize("today", [date(1, 1, 1), date(9999, 12, 31), date(2024, 2, 29)])
def test_every_question_can_be_asked_on_any_day(today: date) -> None:
    for question, *_ in _ROWS:
        for one in periods(question, today):
            one.days_off(today)


def test_no_mixture_of_words_of_time_fails(seed: int) -> None:
    rng = Random(seed)
    words = " ".join((ENGLISH + CHINESE).replace("|", " ").split()).split()

    for _ in range(300):
        text = rng.choice([" ", ""]).join(rng.choices(words, k=12))
        for one in periods(text, TODAY):
            assert one.words in text
            assert one.days_off(TODAY + timedelta(days=rng.randint(-900, 900))) >= 0


@pytest.mark.parametrize("year", ["九九九九", "零零零零", "〇〇〇一", "八九九九", "二零二四", "一九五〇"])
def test_a_year_in_han_is_read_where_it_would_be_in_figures(year: str) -> None:
    is_read = year in ("二零二四", "一九五〇")

    for rest in ("年", "年第四季度", "年冬天", "年圣诞", "年12月31日"):
        assert (
            bool([one for one in periods(f"{year}{rest}的预算", TODAY) if one.repeats == "never"]) is is_read
        )
