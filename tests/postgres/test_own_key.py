"""A record opens under the key it was made with: ids, and what keeps the erased out, rest on it."""

from __future__ import annotations

from pathlib import Path

import pytest

import muniment
from muniment.app import Org
from muniment.domain.errors import Malformed
from muniment.settings import Settings
from tests.worlds import Clock, person, said, taken, within

KEYS = {"the record's own": None, "one's own": b"a key of one's own"}
OTHERS = {"another": b"another key", "one longer": b"a key of one's own!"}


def opened(url: str, tenant: str, key: bytes | None) -> Org:
    settings = Settings(login="owner", key=key, embedder="off")
    return muniment.open(within(url), tenant, clock=Clock(), settings=settings)


@pytest.mark.parametrize("made", KEYS.values(), ids=KEYS)
@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
def test_another_key_opens_nothing_and_lets_nothing_back_in(
    url: str, tenant: str, made: bytes | None, other: bytes
) -> None:
    secret = said("m1", "The zorblat of Acme is 7.")
    with opened(url, tenant, made) as org:
        taken(org, [person("user:ann"), secret])
        org.steward("user:owner").erase("chat:m1")

    with pytest.raises(Malformed, match="was made with another key than MUNIMENT_KEY"):
        opened(url, tenant, other)

    with opened(url, tenant, made) as org:
        assert org.ingest([secret]).accepted == 0
        assert org.reader("user:ann").search("zorblat") == []


def test_whoever_brought_a_key_of_their_own_is_asked_for_it(url: str, tenant: str) -> None:
    opened(url, tenant, KEYS["one's own"]).close()

    with pytest.raises(Malformed, match="set MUNIMENT_KEY to it"):
        opened(url, tenant, None)


def test_a_record_that_was_brought_in_opens_under_the_key_it_came_with(
    url: str, tenant: str, tmp_path: Path
) -> None:
    with opened(url, tenant, None) as org:
        taken(org, [person("user:ann"), said("m1", "The price of Acme is 7.")])
        org.steward("user:owner").export(tmp_path / "record", with_key=True)
        key = org._work.key
    with opened(url, f"{tenant}-new", None) as new:
        new.restore(tmp_path / "record")

    for known in (None, key):
        with opened(url, f"{tenant}-new", known) as again:
            assert again._work.key == key
            assert again.ingest([said("m1", "The price of Acme is 7.")]).duplicate == 1
