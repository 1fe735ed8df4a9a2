"""The usual value of each dimension of the default embedder, over the demo's texts, for `index/codes`.

    python benchmarks/vector_means.py
    python benchmarks/vector_means.py questions    # over our own questions, by language, for `index/usual`

Prints the base85 of one signed byte a dimension, in steps of 1/1024.
"""

import base64
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap

import numpy as np

from muniment.index import codes
from muniment.models.embedding import embed
from muniment.models.nano import NanoEmbedder

MOST = 200
DATASETS = Path(__file__).parents[1] / "evals" / "datasets"
COMPANY = Path(__file__).parents[1] / "demo" / "company"


def texts() -> Iterator[str]:
    """Paragraphs of the documents, bodies of everything else; English and Chinese."""
    for path in sorted(COMPANY.rglob("*")):
        if path.suffix in {".md", ".txt", ".rst"}:
            paragraphs = path.read_text(encoding="utf-8").split("\n\n")
            yield from (part.strip()[:400] for part in paragraphs if len(part.strip()) > 30)
        elif path.suffix == ".jsonl":
            events = map(json.loads, path.read_text(encoding="utf-8").splitlines())
            bodies = (event["body"] for event in events if isinstance(event.get("body"), str))
            yield from (body[:400] for body in bodies)


def questions() -> dict[str, list[str]]:
    """Our own questions and tasks, in letters and in Chinese; as many of each as are enough for a mean."""
    asked: set[str] = set()
    for name in ("handbook_questions", "pep_questions", "abstention_questions", "page_tasks"):
        lines = (DATASETS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        asked |= {str(row.get("question") or row.get("task")) for row in map(json.loads, lines)}
    chinese = {text for text in asked if re.search("[\u4e00-\u9fff]", text)}
    return {"_LETTERS": sorted(asked - chinese)[:MOST], "_CHINESE": sorted(chinese)[:MOST]}


def show(name: str, found: list[str], *, query: bool) -> None:
    embedder = NanoEmbedder()
    parts = [embed(embedder, found[i : i + 32], query=query) for i in range(0, len(found), 32)]
    print(f"{name}: {len(found)} texts")
    print("\n".join(wrap(base64.b85encode(codes.steps_of(np.concatenate(parts))).decode(), 96)))


def main(arguments: list[str]) -> None:
    if arguments == ["questions"]:
        for name, found in questions().items():
            show(name, found, query=True)
    else:
        show("_NANO", list(texts()), query=False)


if __name__ == "__main__":
    main(sys.argv[1:])
