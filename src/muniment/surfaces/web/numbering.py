"""The numbers that stand for citations on a page, in order of use."""

from __future__ import annotations

from collections.abc import Mapping

from muniment.domain.values import Page

__all__ = ["numbered"]


def numbered(page: Page) -> Mapping[str, int]:
    """Each citation's number, by its id."""
    every = dict.fromkeys(
        citation.id for section in page.sections for claim in section.claims for citation in claim.citations
    )
    return {id_: place for place, id_ in enumerate(every, 1)}
