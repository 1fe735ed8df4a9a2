"""What is left of a text states what the whole of it stated, and no more than that needs."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from muniment.assertions.extract import extract
from muniment.domain.events import Body
from muniment.index.distil import distil
from muniment.index.projection import context_of
from muniment.items.passages import cut
from muniment.items.text import structure

CHATTER = (
    "We had lunch by the water and it was very pleasant indeed.",
    "Nobody knows where the old lamp from the lobby went.",
    "It rained for most of the afternoon and then some more.",
    "天气很好，大家都很高兴。",
)
TABLE = """\
Words.

| Item | Limit |
|---|---|
| Hotel | EUR 180 |
| Taxi | EUR 40 |
| Lamp | none |

More words.
"""
WRAPPED = """\
Some preliminaries of no importance to anybody.

We decided to move the whole billing service
over to the new cluster in March because of costs.
"""
CASES = {
    "list item": ("document", "Lunch.\n\n- Nothing here.\n- The renewal date is 2027-03-01.\n- Nor here.\n"),
    "numbered step": (
        "document",
        "Hi.\n\n1. Restart the gateway.\n2. Wait for 5 minutes.\n\nBye now.\n",
    ),
    "table": ("document", TABLE),
    "headings": (
        "document",
        "# Travel\n\nWords.\n\n## Hotels\n\nThe hotel limit is EUR 180 per night. Y.\n",
    ),
    "speakers": ("meeting", "Ann: Good day.\nAnn: I will send the offer by Friday.\nBo: Lovely weather.\n"),
    "quoted": ("email", "The renewal date is 2027-03-01.\n\n> The renewal date is 2028-03-01.\n\nCheers.\n"),
    "wrapped": ("email", WRAPPED),
    "chinese": ("message", "今天午饭不错。合同的续约日期是2027年3月1日。明天见。"),
}


def stated(body: Body) -> list[tuple[object, ...]]:
    cuts = cut(structure(body.kind, body.body, body.media))
    return [
        (one.kind, one.statement, one.slot, one.value, one.quote.text, cuts[one.quote.ordinal].heading)
        for one in extract(cuts, context_of(body))
    ]


def is_true_to(body: Body) -> int:
    """How many characters it saves, once it is checked that it says the same in the same words."""
    left = distil(body)
    assert stated(replace(body, body=left.text)) == stated(body)
    for piece in left.pieces:
        assert left.text[piece.at :].startswith(body.body[piece.start : piece.end])
    return len(body.body) - len(left.text)


@pytest.mark.parametrize("name", CASES)
def test_what_the_extractor_leans_on_is_kept_and_no_more(name: str) -> None:
    kind, text = CASES[name]
    media = "text/markdown" if kind == "document" else "text/plain"
    body = Body(kind, text, media, account="acme")

    assert stated(body)
    assert is_true_to(body) > 0


def test_a_text_that_states_nothing_leaves_nothing() -> None:
    assert distil(Body("message", "Hello there, and good morning.")).text == ""


def test_any_text_is_true_to_its_whole(seed: int, *, prove: bool) -> None:
    draw = random.Random(seed)
    lines = (Path(__file__).parents[1] / "data/extraction.jsonl").read_text().splitlines()
    sentences = [str(json.loads(line).get("text", "")) for line in lines]
    saved = whole = 0
    for _ in range(2000 if prove else 100):
        parts = draw.choices(sentences, k=3) + draw.choices(CHATTER, k=8)
        draw.shuffle(parts)
        marks = [draw.choice(("", "", "- ", "# ", "1. ", "> ")) + part for part in parts]
        text = "".join(mark + draw.choice(("\n", "\n\n", " ")) for mark in marks)
        media, kind = (
            draw.choice(("text/markdown", "text/plain")),
            draw.choice(("email", "document", "message")),
        )
        saved += is_true_to(Body(kind, text, media, account="acme"))
        whole += len(text)
    assert saved > 0.3 * whole
