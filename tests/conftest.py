"""What every test shares: how random data is drawn, and how a run that failed is drawn again.

`make test` judges a change, so it draws the same data every time: a test's seed is made of its name.
`MUNIMENT_SEED=7 make test` gives every test that asks for `seed`, and Hypothesis, the seed 7;
`MUNIMENT_SEED=new` draws anew and so looks for faults nobody has seen. `MUNIMENT_PROVE=1` (make prove)
does that at full size.
"""

import os
import secrets
import zlib
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, settings

from tests.worlds import Clock

PROVE = os.environ.get("MUNIMENT_PROVE") == "1"
SEED = os.environ.get("MUNIMENT_SEED", "new" if PROVE else "")

# A failure prints the blob that draws its example again.
settings.register_profile(
    "ci",
    max_examples=100,  # 5,000 in prove: a change is judged within 25 minutes
    derandomize=not SEED,
    print_blob=True,
    deadline=timedelta(seconds=10),  # a first statement plans and a shared machine stalls; a hang still fails
    suppress_health_check=[HealthCheck.too_slow],  # real PostgreSQL behind most properties
)
settings.register_profile(
    "prove",
    parent=settings.get_profile("ci"),
    max_examples=5000,
    deadline=timedelta(minutes=1),
)
settings.load_profile("prove" if PROVE else "ci")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    if SEED not in ("", "new"):
        config.option.hypothesis_seed = SEED


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test must have the same name in every process, or its seed and its worker would not be its own."""
    nameless = [item.nodeid for item in items if " at 0x" in item.nodeid]
    if nameless:
        raise pytest.UsageError(f"{len(nameless)} tests are named after a place in memory: {nameless[0]}")


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    """What random data is drawn from, shown when the test fails: see above for who chooses it."""
    if SEED == "new":
        drawn = secrets.randbits(32)
    else:
        drawn = int(SEED) if SEED else zlib.crc32(request.node.nodeid.encode())
    request.node.add_report_section("setup", "seed", f"to run it again: MUNIMENT_SEED={drawn}")
    return drawn


@pytest.fixture(scope="session")
def prove() -> bool:
    """Whether this run is at full size."""
    return PROVE


@pytest.fixture
def clock() -> Clock:
    """A clock that the test turns."""
    return Clock()


pytest_plugins = ["tests.servers"]
