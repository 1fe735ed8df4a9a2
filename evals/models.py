"""What a language model changes: the same questions by the rules alone, with the model, and with another one.

Each gets a record of its own, so that one can be looked at beside another before switching. The model is the
one that MUNIMENT_MODEL… sets up, another MUNIMENT_OTHER_MODEL… with the same endings.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import muniment
from evals.documents import take_demo
from evals.shared import ROOT, NotHere, lines, settings, wilson
from muniment.answer.seat import UNAIDED
from muniment.domain.distilled import Distilled
from muniment.domain.model_use import ModelCost
from muniment.domain.values import Answer

__all__ = ["Compared", "Run", "compare", "run"]

RULES = "rules alone"
WHEN = "2026-11-30T09:00:00Z"
PATIENCE = "600"  # seconds an answer waits here, where speed is not what is measured


@dataclass(frozen=True, slots=True)
class Told:
    """One answer, whether it is right, and how long it took."""

    question: str
    answer: Answer
    right: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class Run:
    """All the answers with one model, and what it took."""

    name: str
    told: Sequence[Told]
    costs: Sequence[ModelCost]
    read: Distilled | None

    @property
    def refused(self) -> Counter[str]:
        """By gate."""
        return Counter({why: count for one in self.costs for why, count in one.why.items()})

    @property
    def calls(self) -> int:
        return sum(one.calls for one in self.costs)

    @property
    def failed(self) -> int:
        return sum(one.failed for one in self.costs)

    @property
    def answered(self) -> int:
        """Requests that were replied to."""
        return self.calls - self.failed


@dataclass(frozen=True, slots=True)
class Compared:
    """Runs beside the rules' own, which come first."""

    runs: Sequence[Run]

    def text(self) -> str:
        """As Markdown."""
        rows = [self._row(run) for run in self.runs]
        head = (
            "| with | right | n | 95 % | state changed | text changed | unaided | calls | failed | refused | "
            "tokens in / out | USD | s a question |"
        )
        changed = [line for run in self.runs[1:] for line in self._changed(run)]
        how = "`python -m evals models`: the demo company, each model in a record of its own"
        read = [line for run in self.runs if run.read is not None for line in _of_reading(run, run.read)]
        return "\n".join(["## models", "", how, "", head, "|---" * 13 + "|", *rows, "", *read, *changed])

    def _row(self, run: Run) -> str:
        right, n = sum(one.right for one in run.told), len(run.told)
        low, high = wilson(right, n)
        pairs = list(zip(run.told, self.runs[0].told, strict=True))
        states = sum(one.answer.state != rules.answer.state for one, rules in pairs)
        texts = sum(one.answer.text != rules.answer.text for one, rules in pairs)
        unaided = sum(UNAIDED in one.answer.warnings for one in run.told)
        tokens = f"{sum(c.tokens_in for c in run.costs):,} / {sum(c.tokens_out for c in run.costs):,}"
        why = ", ".join(f"{gate} {count}" for gate, count in sorted(run.refused.items()))
        return (
            f"| {run.name} | {right / n if n else 0:.3f} | {n} | {low:.3f}–{high:.3f} | {states} | {texts} | "
            f"{unaided} | {run.calls} | {run.failed} | {run.refused.total()}{f' ({why})' if why else ''} | "
            f"{tokens} | {sum(c.usd for c in run.costs):.4f} | "
            f"{sum(one.seconds for one in run.told) / n if n else 0:.2f} |"
        )

    def _changed(self, run: Run) -> Iterator[str]:
        """Every answer that reads otherwise, with what was right of it."""
        for one, rules in zip(run.told, self.runs[0].told, strict=True):
            if one.answer.text != rules.answer.text:
                was, is_ = ("right" if told.right else "wrong" for told in (rules, one))
                yield f"- {run.name}: {one.question} ({was} → {is_})"
                yield f"  - {rules.answer.text!r}"
                yield f"  - {one.answer.text!r}"


def _of_reading(run: Run, read: Distilled) -> Iterator[str]:
    yield (
        f"{run.name} read {read.calls:,} passages of {read.items:,} items: {read.statements:,} statements "
        f"passed the gates, {read.refused:,} did not, {read.failed:,} calls failed; {read.tokens_in:,} "
        f"tokens in, {read.tokens_out:,} out, {read.cost} USD; ended as {read.stopped!r}."
    )
    yield ""


def run(_: muniment.Org) -> Compared:
    """The rules, the model that is set up, and another if one is named."""
    named = [_variables("MUNIMENT_MODEL"), _variables("MUNIMENT_OTHER_MODEL")]
    models = [said for said in named if said.get("MUNIMENT_MODEL", "off") != "off"]
    if not models:
        raise NotHere("no model is set up; set MUNIMENT_MODEL, and MUNIMENT_MODEL_URL for a local server")
    return compare([{}, *models], list(_questions()))


def compare(models: Sequence[Mapping[str, str]], questions: Sequence[Mapping[str, Any]]) -> Compared:
    """The questions with each of the models; the first is what the others are compared with."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o711)  # an unprivileged server must be able to enter it
        return Compared([_run(Path(name) / str(place), said, questions) for place, said in enumerate(models)])


def _run(folder: Path, said: Mapping[str, str], questions: Sequence[Mapping[str, Any]]) -> Run:
    folder.mkdir(mode=0o711)
    patient = {"MUNIMENT_MODEL_ANSWERS": "on", "MUNIMENT_MODEL_ANSWER_SECONDS": PATIENCE, **said}
    how = replace(settings(folder), model=patient if said else {})
    with muniment.open(folder / "org", settings=how) as org:
        take_demo(org)
        read = _read(org) if said else None
        told = [_ask(org, question) for question in questions]
        costs = org.steward(org.login).model_costs()
    return Run(said.get("MUNIMENT_MODEL", RULES), told, costs, read)


def _read(org: muniment.Org) -> Distilled | None:
    """What the model makes of the record, in as many calls as MUNIMENT_EVAL_DISTIL says; else in none."""
    calls = int(os.environ.get("MUNIMENT_EVAL_DISTIL", "0"))
    return org.distil(limit=calls) if calls else None


def _ask(org: muniment.Org, question: Mapping[str, Any]) -> Told:
    reader = org.reader(question["as"], as_of=question.get("as_of") or WHEN)
    started = time.monotonic()
    answer = reader.ask(question["question"], entity=question.get("entity"))
    return Told(question["question"], answer, _is_right(answer, question), time.monotonic() - started)


def _is_right(answer: Answer, question: Mapping[str, Any]) -> bool:
    """The state that was expected, and where that is an answer, the words and none of the wrong ones."""
    expected = question["expect"] if isinstance(question["expect"], list) else [question["expect"]]
    if answer.state not in expected or any(
        word in answer.text for word in question.get("must_not_contain", ())
    ):
        return False
    return answer.state != "answered" or all(word in answer.text for word in question.get("must_contain", ()))


def _questions() -> Iterator[Mapping[str, Any]]:
    """The demo's, or as many of them as MUNIMENT_EVAL_QUESTIONS says, evenly chosen."""
    every = list(lines(ROOT.parent / "demo" / "questions.jsonl"))
    most = int(os.environ.get("MUNIMENT_EVAL_QUESTIONS", len(every)))
    return iter(every[:: max(1, round(len(every) / most))][:most])


def _variables(prefix: str) -> dict[str, str]:
    return {
        "MUNIMENT_MODEL" + name.removeprefix(prefix): value
        for name, value in os.environ.items()
        if name == prefix or name.startswith(prefix + "_")
    }
