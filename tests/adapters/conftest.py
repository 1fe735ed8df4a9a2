"""A small record: a message for all, and one for sales alone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from muniment.app import Org
from tests.worlds import member, open_org, person, said, taken


@pytest.fixture
def org(url: str, tenant: str) -> Iterator[Org]:
    """Ann sells, Bo does not."""
    with open_org(url, tenant) as opened:
        taken(
            opened,
            [
                person("user:ann"),
                person("user:bo"),
                member("group:sales", "user:ann"),
                said("m1", "Acme renews on 1 May 2027.", author="user:ann", account="acme"),
                said("m2", "Acme has a discount of 18 percent.", audience=[["group:sales"]]),
            ],
        )
        yield opened
