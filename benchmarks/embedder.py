"""Speed of the default embedder on the demo's texts; writes one JSON object of figures.

    python benchmarks/embedder.py

Processor time stands beside the clock's, because machines are shared.
"""

import json
import time
from collections.abc import Callable
from itertools import islice

from benchmarks.vector_means import texts
from muniment.models.embedding import embed
from muniment.models.nano import NanoEmbedder

QUESTION = "What is the hotel limit in Germany this year?"


def took(run: Callable[[], object]) -> dict[str, float]:
    clock, busy = time.perf_counter(), time.process_time()
    run()
    return {"s": round(time.perf_counter() - clock, 3), "cpu_s": round(time.process_time() - busy, 3)}


def main() -> None:
    embedder = NanoEmbedder()
    few = list(islice(texts(), 96))
    figures: dict[str, object] = {"first_question": took(lambda: embed(embedder, [QUESTION], query=True))}
    figures["20_questions"] = took(lambda: [embed(embedder, [QUESTION], query=True) for _ in range(20)])
    figures["texts"] = {"n": len(few), "characters": sum(map(len, few))}
    figures["in_batches_of_32"] = took(
        lambda: [embed(embedder, few[i : i + 32], query=False) for i in range(0, len(few), 32)]
    )
    figures["one_by_one"] = took(lambda: [embed(embedder, [text], query=False) for text in few])
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
