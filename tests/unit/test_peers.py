"""The benchmark of peers: how a conversation is read, what counts as found, and that a peer does its job."""

import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

from benchmarks.peers.__main__ import SCRIPTS
from benchmarks.peers.roster import ROSTER
from benchmarks.peers.task import Asked, Task, read_task, scores

CONVERSATION = {
    "session_1_date_time": "1:56 pm on 8 May, 2023",
    "session_1": [
        {"dia_id": "D1:1", "speaker": "Ann", "text": "the hotel limit"},
        {"dia_id": "D1:2", "speaker": "Bo", "text": "two cats"},
    ],
    "session_2_date_time": "10:37 am on 27 June, 2023",
    "session_2": [{"dia_id": "D2:1", "speaker": "Ann", "text": "a flight"}],
}
QUESTIONS = [
    {"question": "What did Ann say?", "evidence": ["D1:1; D2:1", "D9:9"]},
    {"question": "What did nobody say?"},
]


@pytest.fixture
def task(tmp_path: Path) -> Task:
    file = tmp_path / "set.json"
    file.write_text(json.dumps([{"sample_id": "one", "conversation": CONVERSATION, "qa": QUESTIONS}]))
    return read_task(file, 0)


def test_a_conversation_is_its_turns_in_order_and_gold_is_what_is_in_it(task: Task) -> None:
    assert [one.id for one in task.messages] == ["D1:1", "D1:2", "D2:1"]
    assert task.messages[2].at == "2023-06-27T10:37:00+00:00"
    assert [set(one.gold) for one in task.questions] == [{"D1:1", "D2:1"}, set()]


def test_a_question_without_gold_counts_as_found_and_is_no_hit() -> None:
    asked = [Asked("a", frozenset("xy")), Asked("b", frozenset("z")), Asked("c", frozenset())]

    found = scores(asked, [["x", "q"], ["q", "q", "z"], []], 2)

    assert found.recall == pytest.approx(0.5)
    assert found.hit == pytest.approx(0.5)


def test_a_peer_does_its_job_in_a_process_of_its_own(task: Task, tmp_path: Path) -> None:
    texts = [*(f"{one.speaker}: {one.text}" for one in task.messages), *(one.text for one in task.questions)]
    (tmp_path / "texts.json").write_text(json.dumps(texts))
    np.save(tmp_path / "vectors.npy", np.eye(384, dtype=np.float32)[[0, 1, 2, 1, 2]])
    job = {
        "messages": [asdict(one) for one in task.messages],
        "questions": [one.text for one in task.questions],
        "k": 2,
        "folder": str(tmp_path),
        "database": "",
    }
    (tmp_path / "job.json").write_text(json.dumps(job))

    command = [
        sys.executable,
        str(SCRIPTS / "run_int8.py"),
        str(tmp_path / "job.json"),
        str(tmp_path / "done.json"),
    ]
    subprocess.run(command, check=True)

    done = json.loads((tmp_path / "done.json").read_text())
    assert [ids[0] for ids in done["found"]] == ["D1:2", "D2:1"]
    assert len(done["seconds"]) == 2
    assert done["megabytes"] > 1


def test_each_of_the_roster_has_a_script_and_says_where_it_is_beyond_its_design() -> None:
    assert {f"run_{one.name}.py" for one in ROSTER} == {file.name for file in SCRIPTS.glob("run_*.py")}
    assert all(one.beyond for one in ROSTER)
