"""Pool and features: what stands beside what, on which occasion, who says it and when."""

from __future__ import annotations

import random
from datetime import UTC, date, datetime
from uuid import UUID

import numpy as np
import pytest

from muniment.context.asked.times import periods
from muniment.context.ranking.asking import spoken_of
from muniment.context.ranking.features import FEATURES, Asked, is_machine, measured
from muniment.context.ranking.order import first_look, scores
from muniment.context.ranking.pool import NONE, Beside, Placed, Pool
from muniment.context.ranking.weights import MEANING, WORDS
from muniment.index.places import WHOLE

HOUR = 3600.0


def placed(doc: int, *, line: int = 1, at: float = 0.0, speaker: str = "Ann", traits: int = 0) -> Placed:
    return Placed(doc, UUID(int=doc), UUID(int=1000 + doc), 0, line, at, 0, traits, "message", speaker)


def beside(of: int, step: int, one: Placed) -> Beside:
    told = (one.doc, one.passage, one.item, one.ordinal, one.line, one.at, one.turn, one.traits, one.kind)
    return Beside(*told, one.speaker, of, step)


def row_of(pool: Pool, doc: int) -> int:
    return next(row for row, one in enumerate(pool.rows) if one.doc == doc)


def test_what_comes_right_after_a_match_is_lifted_by_it() -> None:
    rows = [placed(doc, at=HOUR * 100 * doc) for doc in range(1, 6)]
    pool = Pool.of(rows, {2: 5.0}, None, [beside(2, 1, rows[2])])

    worth = scores(pool, Asked())

    assert worth[row_of(pool, 2)] > worth[row_of(pool, 3)] > worth[row_of(pool, 4)]


def test_a_neighbour_is_known_from_either_side() -> None:
    rows = [placed(1), placed(2)]
    told_before = Pool.of(rows, {}, None, [beside(2, -1, rows[0])])
    told_after = Pool.of(rows, {}, None, [beside(1, 1, rows[1])])

    assert told_before.before.tolist() == told_after.before.tolist() == [NONE, 0]
    assert told_before.after.tolist() == told_after.after.tolist() == [1, NONE]


def test_a_long_rest_ends_an_occasion_and_another_line_is_another_one() -> None:
    rows = [placed(1), placed(2, at=5 * HOUR), placed(3, at=12 * HOUR), placed(4, line=2)]

    assert len(set(Pool.of(rows, {}, None, ()).stretch.tolist())) == 3


def test_a_talk_that_speaks_of_it_lifts_all_its_occasions_and_what_is_one_occasion_has_that_already() -> None:
    rows = [
        placed(1),
        placed(2, at=100 * HOUR),
        *(placed(doc, line=2, at=HOUR * 100 * doc) for doc in (3, 4)),
        *(placed(doc, line=3, traits=WHOLE) for doc in (5, 6)),
    ]
    pool = Pool.of(rows, {1: 5.0, 3: 1.0, 5: 9.0}, None, ())

    worth = measured(pool, Asked(), ["words_of_talk"])["words_of_talk"]

    assert worth[row_of(pool, 2)] == worth[row_of(pool, 1)] > 0 > worth[row_of(pool, 4)]
    assert worth[row_of(pool, 5)] == worth[row_of(pool, 6)] == 0


def test_a_thread_is_one_occasion_however_long_it_rests() -> None:
    rows = [placed(1, traits=WHOLE), placed(2, at=500 * HOUR, traits=WHOLE)]

    assert len(set(Pool.of(rows, {}, None, ()).stretch.tolist())) == 1


def test_what_stands_alone_neither_gains_nor_loses_by_what_stands_around_others() -> None:
    rows = [placed(1), placed(2), placed(3, line=2), placed(4, line=2), placed(5, line=3)]
    pool = Pool.of(rows, {1: 5.0, 5: 9.0}, None, ())

    for name in ("words_around", "words_together"):
        around = measured(pool, Asked(), [name])[name]
        assert around[row_of(pool, 5)] == 0.0
        assert around[row_of(pool, 2)] > 0.0 > around[row_of(pool, 3)]


def test_only_the_one_speaker_who_is_named_counts() -> None:
    pool = Pool.of([placed(1), placed(2, speaker="Bo")], {}, None, ())

    one = measured(pool, Asked(frozenset(["Bo"])), ["speaker"])["speaker"]
    two = measured(pool, Asked(frozenset(["Ann", "Bo"])), ["speaker"])["speaker"]

    assert (one.tolist(), two.tolist()) == ([0.0, 1.0], [0.0, 0.0])


@pytest.mark.parametrize(
    ("text", "speakers", "named"),
    [
        ("When did Caroline go?", ["Caroline", "Melanie"], {"Caroline"}),
        ("What will Will Smith do?", ["Will Smith", "May Lee"], {"Will Smith"}),
        ("Will it rain?", ["Will"], set()),
        ("will it rain in may?", ["Will", "May Lee"], set()),
        ("what did may lee say?", ["May Lee"], {"May Lee"}),
        ("What did ann say?", ["user:ann"], set()),
        ("What did Ann say?", ["user:ann"], {"user:ann"}),
        ("王芳说了什么？", ["王芳", "李雷"], {"王芳"}),
        ("", ["Ann", "王芳", "user:", "!!"], set()),
    ],
)
def test_a_speaker_is_named_by_the_name_or_its_first_word(
    text: str, speakers: list[str], named: set[str]
) -> None:
    assert spoken_of(text, speakers) == named


@pytest.mark.parametrize(
    ("text", "said", "least", "most"),
    [
        ("What happened in May 2023?", date(2023, 5, 10), 1.0, 1.0),
        ("What happened in May 2023?", date(2023, 6, 5), 0.5, 0.5),
        ("What happened in May 2023?", date(2023, 4, 20), 0.0, 0.0),
        ("What happened in May 2023?", date(2023, 9, 1), 0.0, 0.0),
        ("2023年5月发生了什么？", date(2023, 5, 10), 1.0, 1.0),
    ],
)
def test_what_was_said_in_the_stretch_that_is_named_counts(
    text: str, said: date, least: float, most: float
) -> None:
    at = datetime(said.year, said.month, said.day, 12, tzinfo=UTC).timestamp()
    pool = Pool.of([placed(1, at=at)], {}, None, ())

    (worth,) = measured(pool, Asked(whens=periods(text, date(2024, 1, 1))), ["period"])["period"]

    assert least <= worth <= most


def test_a_day_is_spoken_of_on_it_and_less_and_less_after_it() -> None:
    days = [datetime(2023, 5, day, 12, tzinfo=UTC).timestamp() for day in (1, 6, 7, 10, 16, 20)]
    pool = Pool.of([placed(doc, at=at) for doc, at in enumerate(days)], {}, None, ())
    asked = Asked(whens=periods("Where was she on 7 May 2023?", date(2024, 1, 1)))

    before, eve, on, soon, late, gone = measured(pool, asked, ["day"])["day"].tolist()

    assert on == 1.0 > soon > late > eve > before == gone == 0.0


def test_every_weight_is_of_a_feature_and_every_feature_can_be_told_of_nothing() -> None:
    nothing = Pool.of([], {}, {}, ())

    assert {*MEANING, *WORDS} <= set(FEATURES)
    assert not any(name.startswith("meaning") for name in WORDS)
    assert scores(nothing, Asked()).tolist() == []
    assert first_look([], {}, {}, 10) == first_look([], {}, None, 10) == []


def test_the_order_does_not_depend_on_the_order_or_numbers_of_rows(seed: int) -> None:
    draw = random.Random(seed)
    rows = [
        placed(doc, line=draw.randrange(4), at=draw.randrange(10) * HOUR, speaker=draw.choice("AB"))
        for doc in range(1, 40)
    ]
    words = {one.doc: draw.random() for one in rows if draw.random() < 0.5}
    near = {one.doc: draw.random() for one in rows if draw.random() < 0.7}
    follows = [doc for doc in range(1, 39) if draw.random() < 0.5]
    asked = Asked(frozenset("A"))
    known = {one.passage: worth for one, worth in _worth(rows, words, near, follows, asked).items()}

    number = dict(zip(range(1, 40), draw.sample(range(100, 900), 39), strict=True))
    others = [
        Placed(number[one.doc], one.passage, one.item, 0, one.line, one.at, 0, 0, one.kind, one.speaker)
        for one in draw.sample(rows, len(rows))
    ]
    then = _worth(
        others,
        {number[doc]: worth for doc, worth in words.items()},
        {number[doc]: worth for doc, worth in near.items()},
        draw.sample(follows, len(follows)),
        asked,
        number,
    )

    assert {one.passage: worth for one, worth in then.items()} == known


def _worth(
    rows: list[Placed],
    words: dict[int, float],
    near: dict[int, float],
    follows: list[int],
    asked: Asked,
    number: dict[int, int] | None = None,
) -> dict[Placed, float]:
    """Each row's worth, where row `doc + 1` comes right after each `doc` that follows says."""
    called = number or {doc: doc for doc in range(1, 40)}
    by_doc = {one.doc: one for one in rows}
    after = [beside(called[doc], 1, by_doc[called[doc + 1]]) for doc in follows]
    pool = Pool.of(rows, words, near, after)
    worth = scores(pool, asked)
    assert np.isfinite(worth).all()
    assert ((worth >= 0) & (worth <= 1)).all()
    return dict(zip(pool.rows, worth.tolist(), strict=True))


@pytest.mark.parametrize(
    ("speaker", "machine"),
    [
        ("assistant", True),
        ("Assistant", True),
        ("user:assistant3", True),
        ("AI assistant", True),
        ("deploy-bot", True),
        ("值班机器人", True),
        ("Assistant Manager Lee", False),
        ("Abbot", False),
        ("Ann", False),
        (None, False),
    ],
)
def test_a_program_is_known_by_what_it_is_called(speaker: str | None, machine: object) -> None:
    assert is_machine(speaker) is machine


ENDS = ("0001-01-01", "0001-01-09", "6013-01-01", "9999-12-24", "9999-12-31")


@pytest.mark.parametrize(
    "question",
    ["What happened on 5 May 2024?", "Who left in mid January?", "since Friday", "12月31日和2024年3月5日"],
)
def test_no_time_that_the_calendar_has_is_too_far_away(question: str) -> None:
    days = [(date.fromisoformat(day) - date(1970, 1, 1)).days * 86400.0 for day in ENDS]
    # As seconds, the last instant of all is that of the day after it.
    rows = [placed(doc, at=at) for doc, at in enumerate([*days, days[-1] + 86400.0], 1)]
    pool = Pool.of(rows, {}, None, ())
    found = measured(pool, Asked(whens=periods(question, date(2026, 11, 30))), ("period", "day"))

    assert all(0.0 <= worth <= 1.0 for values in found.values() for worth in values)
