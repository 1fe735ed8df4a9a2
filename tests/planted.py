"""Faults planted on purpose: the one place where our own code is replaced, and a check must turn red."""

from __future__ import annotations

from types import ModuleType

import pytest

__all__ = ["plant"]


def plant(monkeypatch: pytest.MonkeyPatch, place: ModuleType | type, name: str, wrong: object) -> None:
    """Put the wrong rule where the right one stood, until the test ends; the name must be there."""
    monkeypatch.setattr(place, name, wrong, raising=True)
