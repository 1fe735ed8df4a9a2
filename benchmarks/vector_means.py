"""The usual value of each dimension of the default embedder, over the demo's texts, for `index/codes`.

    python benchmarks/vector_means.py

Prints the base64 of one signed byte a dimension, in steps of 1/1024.
"""

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap

import numpy as np

from muniment.index import codes
from muniment.models.embedding import embed
from muniment.models.nano import NanoEmbedder

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


def main() -> None:
    embedder = NanoEmbedder()
    found = list(texts())
    parts = [embed(embedder, found[i : i + 32], query=False) for i in range(0, len(found), 32)]
    mean = np.concatenate(parts).mean(axis=0)
    steps = np.rint(mean * codes.STEPS).clip(-127, 127).astype(np.int8)
    print(f"{len(found)} texts")
    print("\n".join(wrap(base64.b85encode(steps.tobytes()).decode(), 96)))


if __name__ == "__main__":
    main()
