"""Completions kept in a file and given again."""

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from muniment.domain.errors import Malformed
from muniment.models.language import LanguageModelFailed, LanguageModelUnfit, Prompt
from muniment.models.replayed import Recorded, Replayed
from muniment.models.scripted import ScriptedModel, fails

PROMPT = Prompt("answer", "1", "be short", "when does Acme renew", {"type": "object"}, 50)


def test_what_was_recorded_is_replayed_to_the_letter(tmp_path: Path) -> None:
    path = tmp_path / "replies.jsonl"
    model = ScriptedModel(lambda prompt: f"“{prompt.material}”\n\x00年假", cost=Decimal("0.0001"))
    said = Recorded(model, path).complete(PROMPT)

    again = Replayed(path, model.name)

    assert again.complete(PROMPT) == said
    assert again.name == "scripted"


@pytest.mark.parametrize(
    "changed",
    [{"purpose": "query"}, {"version": "2"}, {"instructions": ""}, {"material": ""}, {"most_tokens": 1}],
)
def test_another_prompt_is_refused(tmp_path: Path, changed: dict[str, object]) -> None:
    path = tmp_path / "replies.jsonl"
    Recorded(ScriptedModel(lambda _: "yes"), path).complete(PROMPT)

    with pytest.raises(LanguageModelUnfit, match="record it again"):
        Replayed(path, "scripted").complete(replace(PROMPT, **changed))  # type: ignore[arg-type]


def test_another_model_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "replies.jsonl"
    Recorded(ScriptedModel(lambda _: "yes"), path).complete(PROMPT)

    with pytest.raises(LanguageModelUnfit):
        Replayed(path, "another").complete(PROMPT)


def test_a_failure_is_not_recorded(tmp_path: Path) -> None:
    path = tmp_path / "replies.jsonl"
    with pytest.raises(LanguageModelFailed):
        Recorded(ScriptedModel(fails), path).complete(PROMPT)

    assert not path.exists()


@pytest.mark.parametrize("line", ["{", "[]", '{"input": "a"}', '{"input":"a","text":1,"cost":"x"}', "null"])
def test_a_file_of_something_else_is_malformed(tmp_path: Path, line: str) -> None:
    path = tmp_path / "replies.jsonl"
    path.write_text(line + "\n", encoding="utf-8")

    with pytest.raises(Malformed, match="line 1"):
        Replayed(path, "scripted")
