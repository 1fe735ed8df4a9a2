"""What we found out ourselves comes after all that a source said, and before all that it says next."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.tombstones import after, newest
from muniment.domain.versions import form_of, orders

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
NUMBERS = st.one_of(
    st.integers(0, 10**20).map(str),
    st.decimals(0, 10**10, places=6, allow_nan=False).map(lambda one: f"{one:f}"),
)
TIMES = st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001


@given(NUMBERS, NUMBERS, TIMES)
def test_a_number_is_after_its_version_and_before_the_next(one: str, other: str, at: datetime) -> None:
    low, high = sorted((one, other), key=lambda said: orders([(said, NOW, False)])[0])
    found = after(low, at)

    first, mine, last = orders([(low, NOW, True), (found, at, False), (high, NOW, False)])

    assert first < mine
    assert mine < last or orders([(low, NOW, False)]) == orders([(high, NOW, False)])


@given(st.one_of(NUMBERS, st.text("abc-T:Z", min_size=1)), TIMES, st.timedeltas(timedelta(seconds=1)))
def test_found_again_it_is_later_and_no_longer(version: str, at: datetime, by: timedelta) -> None:
    later = min(at + min(by, timedelta(days=36500)), datetime(2199, 1, 1, tzinfo=UTC))
    once = after(version, at)
    again = after(once, later)

    first, second = orders([(once, at, True), (again, later, False)])

    assert first < second
    assert len(again or "") == len(once or "")
    assert form_of(again) == form_of(version)


@given(st.text("abc-T:Z0", min_size=1), st.text("!~abc0-", min_size=1), TIMES)
def test_text_is_after_its_version_and_before_whatever_goes_on_from_it(
    version: str, more: str, at: datetime
) -> None:
    if form_of(version) != form_of(f"x{more}") or form_of(version + more) != form_of(version):
        return

    first, mine, last = orders(
        [(version, NOW, True), (after(version, at), at, False), (version + more, NOW, False)]
    )

    assert first < mine < last


def test_without_a_version_time_decides() -> None:
    assert after(None, NOW) is None
    assert after("-5", NOW) is None
    assert newest([("2", NOW, False), ("10", NOW, False), ("9", NOW, True)]) == "10"
