"""The sample stores of a relation-based system, said in our events, are answered as they say."""

from __future__ import annotations

import pytest

from evals import openfga
from evals.shared import NotHere
from tests.worlds import Clock, open_org


def test_a_store_from_outside_is_answered_as_it_says(url: str, tenant: str, *, prove: bool) -> None:
    try:
        stores = openfga.stores()
    except NotHere as missing:
        pytest.skip(str(missing))
    few = [path for path in stores if path.parent.name in {"custom-roles", "temporal-access", "superadmin"}]
    clock = Clock()
    with open_org(url, tenant, clock) as org:
        found = [one for path in (stores if prove else few) for one in openfga.check_store(org, clock, path)]

    said = [one for one in found if one.cannot is None]
    assert [one for one in said if not one.is_right] == []
    assert len(said) > (250 if prove else 25)
