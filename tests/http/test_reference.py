"""The reference of the API is what the API publishes of itself."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI

from muniment.surfaces.http.reference import as_markdown

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "http.md"


def test_the_reference_of_the_api_is_what_it_publishes(app: FastAPI) -> None:
    assert as_markdown(app.openapi()) == PAGE.read_text(encoding="utf-8")
