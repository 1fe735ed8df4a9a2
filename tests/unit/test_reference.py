"""The reference names every field of an event, every kind and every setting there is."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from muniment.domain.events import Body, Op
from muniment.events.parse import KINDS

ROOT = Path(__file__).resolve().parents[2]
EVENTS = (ROOT / "docs/reference/events.md").read_text(encoding="utf-8")
SETTINGS = (ROOT / "docs/reference/settings.md").read_text(encoding="utf-8")


def unnamed(names: set[str], text: str) -> set[str]:
    """Those that the text does not name as code."""
    code = " ".join(re.findall(r"`([^`\n]+)`", text))
    return names - set(re.findall(r"\w+", code))


def test_every_field_op_and_kind_of_an_event_is_in_the_reference() -> None:
    assert not unnamed({part.name for part in fields(Body)} | {op.value for op in Op} | KINDS, EVENTS)


def test_every_setting_is_in_the_reference() -> None:
    read = (ROOT / "src/muniment/settings.py").read_text(encoding="utf-8")

    assert not unnamed(set(re.findall(r"said\.get\(\"(\w+)\"", read)), SETTINGS)


@pytest.mark.parametrize("name", ["audience", "timezone", "MUNIMENT_KEY"])
def test_a_name_that_is_missing_is_found(name: str) -> None:
    text = (EVENTS + SETTINGS).replace(f"`{name}`", "")

    assert unnamed({name}, text.replace(name, "")) == {name}
