"""What a search may be bounded to: a word that nothing can be of is said to be wrong, not found empty."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.context.search import UNITS, Filters
from muniment.domain.errors import Usage
from muniment.events.parse import KINDS


def read(unit: str = "item", kind: str | None = None) -> Filters:
    return Filters.read(10, unit, kind, None, None)


@given(st.sampled_from(sorted(KINDS)), st.sampled_from(UNITS))
def test_every_kind_that_comes_in_can_be_searched_for(kind: str, unit: str) -> None:
    found = read(unit, kind)

    assert (found.kind, found.unit) == (kind, unit)


@given(st.text(max_size=20).filter(lambda text: text not in KINDS))
def test_a_kind_that_nothing_is_of_is_refused_with_those_there_are(kind: str) -> None:
    with pytest.raises(Usage, match=r"is unknown: use alert, calendar, .*pull_request"):
        read(kind=kind)


@given(st.text(max_size=20).filter(lambda text: text not in UNITS))
def test_a_unit_that_nothing_is_found_in_is_refused_with_those_there_are(unit: str) -> None:
    with pytest.raises(Usage, match="is unknown: use item, passage, claim, page"):
        read(unit=unit)
