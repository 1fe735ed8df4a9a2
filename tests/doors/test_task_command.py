"""The command for tasks where there is no model: put wrongly, whoever asks and whatever there is."""

from __future__ import annotations

import pytest

from tests.doors.said import Cli


@pytest.mark.parametrize("asker", ["user:mara", "user:never-seen"])
def test_a_task_without_a_model_says_how_to_set_one_up(cli: Cli, asker: str) -> None:
    done = cli("task", "What discount do we offer Orrin & Vale?", "--as", asker)

    assert (done.code, done.out) == (2, "")
    assert "set MUNIMENT_MODEL" in done.err


def test_limits_that_make_no_sense_are_refused(cli: Cli) -> None:
    for wrong in (["--usd", "lots"], ["--usd", "nan"], ["--steps", "0"], ["--seconds", "0"]):
        assert cli("task", "Anything", *wrong).code == 2, wrong
