"""One primary and one standby for the run; every test has an organisation of its own in them."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from muniment.app import Org
from muniment.store import replicas
from tests.places import fast_disk, until
from tests.planted import plant
from tests.standbys import Server, following, primary
from tests.worlds import Clock, member, open_org, person, pooled, said, taken


@pytest.fixture(scope="session")
def base() -> Iterator[Path]:
    # Not pytest's own folder, which an unprivileged server could not enter.
    with tempfile.TemporaryDirectory(prefix="muniment-test-", dir=fast_disk()) as name:
        made = Path(name)
        made.chmod(0o711)
        (made / "state").mkdir(mode=0o711)
        yield made


@pytest.fixture(scope="session")
def leader(base: Path) -> Iterator[Server]:
    with primary(base) as server, pooled(server.url):
        yield server


@pytest.fixture(scope="session")
def only_standby(leader: Server, base: Path) -> Iterator[Server]:
    with following(leader, base / "standby") as server:
        yield server


@pytest.fixture
def standby(leader: Server, only_standby: Server) -> Iterator[Server]:
    """The standby, which has everything when a test begins."""
    until(lambda: only_standby.follows(leader))
    yield only_standby
    only_standby.resume()


@pytest.fixture
def org(leader: Server, standby: Server, tenant: str, clock: Clock) -> Iterator[Org]:
    """What everybody may read, what Ann and Bo may, and a channel; read on the standby too."""
    with open_org(leader.url, tenant, clock, [standby.url]) as org:
        taken(
            org,
            [
                person("user:ann"),
                person("user:bo"),
                member("group:x", "user:ann", "user:bo"),
                said("m1", "The zorblat of Acme is 7.", account="acme"),
                said("m2", "The zorblat of Bolt is 9.", audience=[["group:x"]], account="bolt"),
                {"op": "audience", "source": "chat", "container": "C1", "at": "2026-06-01T09:00:00Z",
                 "audience": [["group:x"]], "live": True},
                said("m3", "The zorblat of Crux is 11.", audience=None, container="C1", author="user:bo"),
            ],
        )  # fmt: skip
        yield org


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reads wait for the standby however busy the machine is, so that it is known where each is made."""
    plant(monkeypatch, replicas, "_PATIENCE", 10.0)


@pytest.fixture
def plain(leader: Server, org: Org, clock: Clock) -> Iterator[Org]:
    """The same record, read on the primary alone."""
    with open_org(leader.url, org.tenant, clock) as plain:
        yield plain
