"""The demo's last steps show what they promise, on the company's record."""

from __future__ import annotations

from pathlib import Path

import pytest

import muniment
from muniment.settings import Settings
from muniment.surfaces.cli.stage import Stage
from muniment.surfaces.cli.walk_lenses import briefed, handed_over
from tests.doors.conftest import COMPANY


def test_an_account_is_handed_over_and_an_incident_is_briefed(
    acme: Path, places: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    with muniment.open(acme, settings=Settings.read(places)) as org:
        stage = Stage(org, COMPANY.parent, quiet=False)
        faults = [*handed_over(stage), *briefed(stage)]
        typed = [line for line in capsys.readouterr().out.splitlines() if line.startswith("$ muniment ")]

    assert faults == []
    assert [line.split()[2] for line in typed] == [
        "handoff",
        "landmines",
        "incident",
        "incident",
        "expand",
        "incident",
    ]
