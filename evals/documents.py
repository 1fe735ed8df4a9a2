"""Questions a reader of a document folder would ask: is the state right, does the first citation prove it?"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import muniment
from evals.shared import ROOT, Report, lines, shared
from muniment.domain.values import Citation
from muniment.surfaces.cli.company import COMPANY
from muniment.surfaces.cli.stage import Stage
from muniment.view import View

__all__ = ["demo", "handbook", "peps", "take_demo"]

HEADER = 1_500  # characters in which a document's title and header fields stand


@dataclass(frozen=True, slots=True)
class _Judged:
    question: str
    answerable: bool
    state: bool
    first: bool
    any: bool
    note: str


def handbook(org: muniment.Org) -> Report:
    """The 18F handbook, 247 pages."""
    return _documents(
        org, "handbook", shared("handbook_18f") / "pages", ROOT / "datasets" / "handbook_questions.jsonl"
    )


def peps(org: muniment.Org) -> Report:
    """155 Python enhancement proposals."""
    return _documents(org, "peps", shared("peps"), ROOT / "datasets" / "pep_questions.jsonl")


def _documents(org: muniment.Org, name: str, folder: Path, questions: Path) -> Report:
    receipt = org.add(folder, source=name, audience=["*"])
    org.sync()
    reader = org.reader(org.login)
    judged = [_judge(reader, folder, question) for question in lines(questions)]
    how = f"`python -m evals {name}`: {receipt.accepted} documents, {receipt.quarantined} refused"
    return _report(name, how, judged)


def _judge(reader: View, folder: Path, question: Mapping[str, Any]) -> _Judged:
    answer = reader.ask(question["question"])
    gold = {
        file: (folder / file).read_text(errors="replace")[:HEADER] for file in question.get("gold_file", ())
    }
    terms = question.get("answer_terms", ())
    hits = [_proves(one, reader.explain(one.id).passage, gold, terms) for one in answer.citations]
    right_state = answer.state == question["expect"]
    return _Judged(
        question["question"],
        question["expect"] == "answered",
        right_state,
        bool(hits[:1]) and hits[0],
        any(hits),
        f"{answer.state}: {answer.text[:160]!r} from {[one.item for one in answer.citations]}",
    )


def _proves(citation: Citation, passage: str, gold: Mapping[str, str], terms: Sequence[str]) -> bool:
    """Whether it is from a gold file, and the passage or the file's title and header hold every term."""
    item = citation.item or ""
    for file, header in gold.items():
        if item in (file, Path(file).stem):
            said = _plain(f"{passage}\n{header}")
            return all(_plain(term) in said for term in terms)
    return False


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"[*_`⟦⟧]", "", text)).casefold()


def _report(name: str, how: str, judged: Sequence[_Judged]) -> Report:
    asked = [one for one in judged if one.answerable]
    others = [one for one in judged if not one.answerable]
    figures = {
        "answered, first citation right": (sum(one.state and one.first for one in asked), len(asked)),
        "answered, any citation right": (sum(one.state and one.any for one in asked), len(asked)),
        "answered at all": (sum(one.state for one in asked), len(asked)),
        "unanswerable, state right": (sum(one.state for one in others), len(others)),
    }
    wrong = [
        f"{one.question} → {one.note}"
        for one in judged
        if not (one.state and (one.first or not one.answerable))
    ]
    return Report(name, how, figures, wrong)


def demo(org: muniment.Org) -> Report:
    """The demo company, asked as different people and at different times."""
    take_demo(org)
    judged = [_judge_demo(org, question) for question in lines(ROOT.parent / "demo" / "questions.jsonl")]
    return _report("demo", "`python -m evals demo`", judged)


def take_demo(org: muniment.Org) -> None:
    """The company's record, from what `muniment demo` takes in."""
    stage = Stage(org, ROOT.parent / "demo", quiet=True)
    for taken in COMPANY:
        stage.add(taken)
    org.sync()


def _judge_demo(org: muniment.Org, question: Mapping[str, Any]) -> _Judged:
    reader = org.reader(question["as"], as_of=question.get("as_of") or "2026-11-30T09:00:00Z")
    answer = reader.ask(question["question"], entity=question.get("entity"))
    expected = question["expect"] if isinstance(question["expect"], list) else [question["expect"]]
    cited = {f"{one.source}:{one.item}" for one in answer.citations} | {
        one.source for one in answer.citations
    }
    # A mail goes by its Message-ID, wherever it was sent from, and whatever it says.
    cited |= {name.partition("@")[0] for name in cited}
    right = answer.state in expected and not any(
        word in answer.text for word in question.get("must_not_contain", ())
    )
    said = all(word in answer.text for word in question.get("must_contain", ()))
    proved = not question.get("cites") or bool(cited & set(question["cites"]))
    note = f"as {question['as']}: {answer.state}: {answer.text[:160]!r}"
    answered = answer.state == "answered"
    return _Judged(
        question["question"], "answered" in expected, right, not answered or (said and proved), said, note
    )
