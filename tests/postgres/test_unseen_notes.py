"""What nobody would see is no note and no entry: it is refused, and nothing of it is kept."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone

import pytest

from muniment.app import Org
from muniment.domain.errors import Usage
from muniment.domain.investigating import Observed, Start
from tests.worlds import open_org, person, said, taken

NOTHING = ("", "  \n", "\x00", " \x00\t", "\u200b\u200b\u200b", "\U000e0041\U000e0042", "\x00\ufe00\ufe01")
BEYOND = (
    datetime.max.replace(tzinfo=timezone(-timedelta(hours=14))),
    datetime.min.replace(tzinfo=timezone(timedelta(hours=14))),
)


@pytest.fixture
def org(url: str, tenant: str) -> Iterator[Org]:
    with open_org(url, tenant) as org:
        taken(org, [person("user:ann"), said("m1", "The budget is 500 euros.", 1)])
        yield org


def test_a_note_in_which_nobody_sees_anything_is_refused_and_not_kept(org: Org) -> None:
    ann = org.reader("user:ann")
    for text in NOTHING:
        with pytest.raises(Usage, match="that somebody sees"):
            ann.remember(text)

    assert len(org.status().sources) == 2  # the record's own is no source yet: nothing came in by it


def test_an_entry_in_which_nobody_sees_anything_is_refused(org: Org) -> None:
    ann = org.reader("user:ann")
    incident = ann.incidents.open(Start(title="Checkout is down")).incident
    for text in NOTHING:
        with pytest.raises(Usage):
            ann.incidents.observe(incident, Observed(text=text))
        with pytest.raises(Usage):
            ann.incidents.hypothesis(incident, text, (), ())


@pytest.mark.parametrize("beyond", BEYOND, ids=str)
@pytest.mark.parametrize("axis", ["as_of", "known_at"])
def test_a_time_that_no_calendar_has_in_utc_is_refused(org: Org, axis: str, beyond: datetime) -> None:
    with pytest.raises(Usage, match="is not a time that exists"):
        org.reader("user:ann", **{axis: beyond})  # type: ignore[arg-type]


@pytest.mark.parametrize("axis", ["as_of", "known_at"])
def test_one_instant_gives_one_reply_in_whatever_zone_it_is_said(org: Org, axis: str) -> None:
    zones = (UTC, timezone(timedelta(hours=14)), timezone(-timedelta(hours=14)))
    then = datetime(2026, 6, 3, 9, tzinfo=UTC)
    views = [org.reader("user:ann", **{axis: then.astimezone(zone)}) for zone in zones]  # type: ignore[arg-type]

    asked = [view.ask("What is the budget?") for view in views]

    assert len({(one.text, one.as_of, one.known_at) for one in asked}) == 1
