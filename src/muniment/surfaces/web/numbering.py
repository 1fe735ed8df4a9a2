"""The numbers that stand for citations on a page, in order of use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from muniment.domain.values import Citation, Page

__all__ = ["numbered", "numbers_of"]


def numbered(page: Page) -> Mapping[str, int]:
    """The number of each of a wiki page's citations, by its id."""
    return numbers_of(
        citation for section in page.sections for claim in section.claims for citation in claim.citations
    )


def numbers_of(citations: Iterable[Citation]) -> Mapping[str, int]:
    """Each citation's number, by its id, as they are used."""
    return {id_: place for place, id_ in enumerate(dict.fromkeys(one.id for one in citations), 1)}
