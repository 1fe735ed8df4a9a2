"""With a model's help, too, a reply depends on nothing hidden: what the model is shown is the asker's own."""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from dataclasses import replace

from muniment.answer.seat import Seat
from muniment.app import Org
from muniment.models.language import Prompt
from muniment.models.scripted import NO_JSON, ScriptedModel, fails
from tests.properties.test_two_worlds import ASKS, WRITES, ann_satisfies_everything, first_difference, pair

PAIRS = 3  # `make prove` runs 400; this many keep CI within its time
# What a model may help with, and what Ann writes: what else she reads is asked in test_two_worlds.
REQUESTS = (*ASKS, *WRITES)


def by_what_it_was_shown(prompt: Prompt) -> str:
    """A reply that any difference in the prompt would change: a choice, a failure, or nonsense."""
    digest = hashlib.sha256((prompt.instructions + prompt.material).encode()).digest()
    draw = random.Random(digest)
    shown = json.loads(prompt.material)
    if draw.random() < 0.2:
        return draw.choice((fails, lambda _: NO_JSON))(prompt)
    if prompt.purpose == "query":
        return json.dumps(
            {"terms": draw.sample(("renewal", "discount", "owner", "limit", "Acme", "三天"), 3)}
        )
    chosen = draw.sample(shown["evidence"], min(2, len(shown["evidence"])))
    return json.dumps({"sentences": [{"text": one["text"], "evidence": one["id"]} for one in chosen]})


def helped(models: list[ScriptedModel]) -> object:
    """Put a model of its own into the seat of each organisation."""

    def seated(org: Org) -> None:
        models.append(ScriptedModel(by_what_it_was_shown))
        org._surroundings = replace(org._surroundings, seat=Seat(models[-1], lambda *_: None))

    return seated


def test_hidden_data_changes_nothing_that_a_model_is_shown_or_helps_to_say(
    url: str, tenant: str, seed: int, *, prove: bool
) -> None:
    calls: Counter[str] = Counter()
    for number in range(400 if prove else PAIRS):
        models: list[ScriptedModel] = []
        difference = first_difference(*pair(url, tenant, seed + number, helped(models), REQUESTS))  # type: ignore[arg-type]

        assert difference is None, f"MUNIMENT_SEED={seed + number}\n{difference}"
        one, other = models
        assert one.asked == other.asked, f"MUNIMENT_SEED={seed + number}"
        calls += one.calls
    assert set(calls) == {"answer", "query"}


def test_the_check_sees_a_leak(url: str, tenant: str, seed: int) -> None:
    """Planted fault: whoever asks is permitted every audience, and so is the model."""

    def different(number: int) -> bool:
        models: list[ScriptedModel] = []

        def leaking(org: Org) -> None:
            ann_satisfies_everything(org)
            helped(models)(org)  # type: ignore[operator]

        pair(url, tenant, seed + number, leaking, REQUESTS)
        return models[0].asked != models[1].asked

    assert any(different(number) for number in range(15))
