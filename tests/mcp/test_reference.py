"""The reference of the profiles is what each lists of itself."""

from __future__ import annotations

from pathlib import Path

from muniment.app import Org
from muniment.surfaces.mcp.reference import as_markdown

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "mcp.md"


def test_the_reference_of_the_profiles_is_what_they_list(company: Org) -> None:
    assert as_markdown(company) == PAGE.read_text(encoding="utf-8")
