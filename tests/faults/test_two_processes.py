"""Two processes on one folder: what one takes in the other reads, and never half of it."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

import muniment
from muniment.app import Org
from muniment.settings import Settings
from tests.places import IMPORTS, Place, a_place, me, until
from tests.worlds import KEY, Clock, person, said

ROUNDS = 15
# Edits one document over and over: title, text and audience of one edit belong together.
WRITER = """
import sys
import muniment
from muniment.settings import Settings
from pathlib import Path
from tests.worlds import KEY, Clock
from tests.faults.test_two_processes import edits

folder, state, binaries, rounds = sys.argv[1:]
settings = Settings(login="owner", key=KEY, embedder="off", state_dir=Path(state), pg_bin=Path(binaries))
with muniment.open(folder, clock=Clock(), settings=settings) as org:
    print("ready", flush=True)
    for number in range(1, int(rounds) + 1):
        receipt = org.ingest(edits(number), defer=number % 2 == 0)
        assert receipt.accepted == 2, receipt
    org.sync()
    print("done", flush=True)
"""


def edits(number: int) -> list[dict[str, object]]:
    """One edit of a document, and a message that is there once the edit is."""
    text = "\n\n".join(f"The kettle of round {number} whistles in room {room}." for room in range(6))
    common: dict[str, object] = {"kind": "document", "version": str(number)}
    document = said("doc", text, number, title=f"Kettles, round {number}", **common)
    return [dict(document), dict(said(f"note-{number}", f"Round {number} is over.", number))]


@pytest.fixture
def place() -> Iterator[Place]:
    yield from a_place(me())


def settings(place: Place) -> Settings:
    return Settings(login="owner", key=KEY, embedder="off", state_dir=place.state, pg_bin=place.binaries)


@contextmanager
def writing_process(place: Place) -> Iterator[subprocess.Popen[str]]:
    """The other process, gone at the end whatever happens."""
    arguments = [str(place.folder), str(place.state), str(place.binaries), str(ROUNDS)]
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, *arguments],
        stdout=subprocess.PIPE,
        text=True,
        env={"PYTHONPATH": IMPORTS},
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def rounds_in(text: str) -> set[str]:
    """Every round of the document that a text speaks of."""
    return set(re.findall(r"\bround (\d+)", text))


def glance(org: Org) -> None:
    """One look at the document: titles, texts and version numbers of one and the same round."""
    ann = org.reader("user:ann")
    hits = [hit for hit in ann.search("kettle whistles", unit="passage", limit=50) if hit.item == "doc"]
    versions = {hit.citation.version for hit in hits if hit.citation is not None}
    pack = ann.context("kettle whistles", budget=4000)
    told = [part.text for part in pack.parts if part.kind == "passage" and "Kettles" in part.text]

    assert len(versions) == 1
    assert rounds_in(" ".join(hit.text for hit in hits)) == versions
    assert told
    assert len(rounds_in(" ".join(told))) == 1, told
    assert len(ann.search("kettle", limit=50)) == 1


def glance_while(org: Org, writer: subprocess.Popen[str]) -> int:
    """Look, and write something of our own now and then, as long as the other writes; how often we looked."""
    glances = 0
    while writer.poll() is None:
        glance(org)
        glances += 1
        if glances % 3 == 0:
            org.ingest([said(f"mine-{glances}", f"A glance, number {glances}.")])
    return glances


def test_a_reader_never_sees_half_an_edit_of_another_process(place: Place) -> None:
    with muniment.open(place.folder, clock=Clock(), settings=settings(place)) as org:
        org.ingest([person("user:ann"), *edits(0)])
        with writing_process(place) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline().strip() == "ready"
            glances = glance_while(org, writer)
            assert writer.stdout.read().strip() == "done"
        until(lambda: org.sync()["compiled"] == 0)

        (document,) = org.reader("user:ann").search("kettle", limit=50)
        notes = {hit.item for hit in org.reader("user:ann").search("over", limit=50)}

    assert document.citation is not None
    assert document.citation.version == str(ROUNDS)
    assert notes == {f"note-{number}" for number in range(ROUNDS + 1)}
    assert glances >= 3
