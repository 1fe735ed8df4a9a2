"""Whose words they are, in the styles mail and chat programs write: 130 labelled cases."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from muniment.assertions.extract import extract
from muniment.domain.assertions import Context
from muniment.domain.passages import Origin, Text
from muniment.items.passages import cut
from muniment.items.text import structure

CASES = [
    json.loads(line) for line in (Path(__file__).parents[1] / "data/quoting.jsonl").read_text().splitlines()
]
NOT_PROSE = ("callout github", "callout bold", "callout word", "an arrow")  # to the extractor


@dataclass(frozen=True, slots=True)
class Case:
    """A text of parts, each with its origin."""

    kind: str
    media: str
    parts: list[tuple[str, str]]

    @property
    def body(self) -> str:
        return "".join(text for _, text in self.parts)

    def read(self) -> Text:
        return structure(self.kind, self.body, self.media)

    def labelled(self) -> list[str]:
        """The origin each character has, but for space."""
        return [origin for origin, text in self.parts for _ in "".join(text.split())]

    def found(self) -> list[str]:
        body, spans = self.body, self.read().spans
        return [span.origin.value for span in spans for _ in "".join(body[span.start : span.end].split())]


def case(said: dict[str, object]) -> Case:
    return Case(said["kind"], said["media"], [tuple(part) for part in said["parts"]])  # type: ignore[arg-type, attr-defined]


@pytest.mark.parametrize("said", CASES, ids=lambda said: str(said["style"]))
def test_each_part_is_its_speakers(said: dict[str, object]) -> None:
    one = case(said)

    assert Counter(one.found()) == Counter(one.labelled())
    assert one.found() == one.labelled()


@pytest.mark.parametrize("said", CASES, ids=lambda said: str(said["style"]))
def test_nothing_borrowed_is_stated_and_what_is_own_is(said: dict[str, object]) -> None:
    one = case(said)
    stated = {
        assertion.statement for assertion in extract(cut(one.read()), Context(one.kind, None, "user:bo"))
    }
    own = "".join(text for origin, text in one.parts if origin == Origin.OWN)

    assert all(" ".join(statement.split()) in " ".join(own.split()) for statement in stated)
    assert stated or one.media == "text/html" or said["style"] in NOT_PROSE


def test_precision_and_recall(capsys: pytest.CaptureFixture[str]) -> None:
    right = borrowed = claimed = 0
    for one in map(case, CASES):
        for label, found in zip(one.labelled(), one.found(), strict=True):
            right += label == found != Origin.OWN
            borrowed += label != Origin.OWN
            claimed += found != Origin.OWN
    with capsys.disabled():
        sys.stdout.write(f"\nquoting: precision {right}/{claimed}, recall {right}/{borrowed} characters\n")
    assert right / claimed > 0.99
    assert right / borrowed > 0.99


@pytest.mark.parametrize(
    "piece",
    ["<div class=", "<b>From:</b>", "<blockquote>", "</div>", "> ", ">\n", "-- \n", "<div id=1>", "On "],
)
def test_a_hostile_text_takes_no_longer_than_a_long_one(piece: str) -> None:
    body = piece * (100_000 // len(piece))
    began = time.process_time()
    for kind in ("email", "document"):
        structure(kind, body, "text/html")

    assert time.process_time() - began < 4
