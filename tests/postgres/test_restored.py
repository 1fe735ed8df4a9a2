"""A record restored from a backup that is older than an erasure."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from urllib.parse import urlencode

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from muniment.store import binaries as programs
from muniment.store import embedded
from tests.canaries import canary, hits
from tests.worlds import open_org, person, said, taken


@pytest.fixture
def sockets() -> Iterator[str]:
    """Where a server of this test's own is reached."""
    # Not pytest's own folder, which an unprivileged server could not enter.
    with tempfile.TemporaryDirectory() as name:
        base = Path(name)
        base.chmod(0o711)
        (base / "state").mkdir(mode=0o711)
        with embedded.create(base / "acme", state_dir=base / "state") as lease:
            yield str(conninfo_to_dict(lease.dsn)["host"])


def url(sockets: str, database: str) -> str:
    return f"postgresql:///{database}?{urlencode({'host': sockets, 'user': 'muniment'})}"


def admin(sockets: str, database: str) -> str:
    return make_conninfo(host=sockets, dbname=database, user="postgres")


def test_a_dump_restored_is_erased_again_from_a_list_of_digests(sockets: str, seed: int) -> None:
    draw = Random(seed)
    item, name, word = canary(draw), canary(draw), canary(draw)
    canaries = [item, name, word]
    events = [
        person("user:ann"),
        person("user:zed", 1, name=f"Zed {name}", emails=[f"{name}@example.com"]),
        said("m1", f"The {item} is due.", 1),
        said("m2", f"Ask {word} about it.", 1, title=f"About {word}"),
        said("m3", "Nothing else is due.", 1),
        said("m4", "My own words.", 1, author="user:zed"),
    ]
    with open_org(url(sockets, "muniment"), "acme") as org:
        taken(org, events)
        org.ingest([{"source": "chat", "id": "m1", "op": "upsert", "body": item}])
        org.reader("user:ann").ask(f"When is {item} due?")
        dump = [programs.find(None)["pg_dump"], admin(sockets, "muniment")]
        backup = subprocess.run(dump, check=True, capture_output=True).stdout
        desk = org.steward("user:owner")
        desk.erase("chat:m1")
        desk.erase("user:zed")
        desk.erase_subject(word)
        listed = [one.model_dump() for one in desk.erasures()]
        assert hits(org, canaries) == {}
    with psycopg.connect(admin(sockets, "template1"), autocommit=True) as conn:
        conn.execute("create database restored owner muniment")
    restore = [programs.find(None)["psql"], "-q", "-v", "ON_ERROR_STOP=1", admin(sockets, "restored")]
    subprocess.run(restore, input=backup, check=True, capture_output=True)

    with open_org(url(sockets, "restored"), "acme") as restored:
        assert set(hits(restored, canaries)) == set(canaries)
        again = restored.steward("user:owner")
        done = again.replay_erasures(listed)

        assert done.items == 3
        assert hits(restored, canaries) == {}
        assert restored.ingest(events).accepted == 0
        assert hits(restored, canaries) == {}
        assert [one.model_dump() for one in again.erasures()] == listed
        assert {hit.item for hit in restored.reader("user:ann").search("due")} == {"m3"}
