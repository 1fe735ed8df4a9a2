"""What every test shares: how random data is drawn, and how a run that failed is drawn again.

`MUNIMENT_SEED=7 make test` gives every test that asks for `seed`, and Hypothesis, the seed 7.
`MUNIMENT_PROVE=1` (make prove) runs every property at its full size.
"""

import os
import secrets
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, settings

from tests.worlds import Clock

PROVE = os.environ.get("MUNIMENT_PROVE") == "1"
SEED = os.environ.get("MUNIMENT_SEED")

# New examples on every run; a failure prints the blob that draws its example again.
settings.register_profile(
    "ci",
    max_examples=100,
    derandomize=False,
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
    if SEED is not None:
        config.option.hypothesis_seed = SEED


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    """What random data is drawn from: new on each run, shown when the test fails, fixed by MUNIMENT_SEED."""
    drawn = int(SEED) if SEED is not None else secrets.randbits(32)
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
