"""Which of the names in a question are people, as far as this reader may know of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from muniment.context.asked.names import names
from muniment.domain.names import normal_name
from muniment.pages.entities import entities_called

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["may_name_people", "people_in"]


def may_name_people(text: str) -> bool:
    """Whether anything in the text is written like a name."""
    return bool(names(text))


def people_in(reader: Reader, text: str) -> tuple[str, ...]:
    """Their names as the text writes them."""
    written = {normal_name(one.surface): one.surface for one in names(text)}
    meant = entities_called(reader, written)
    return tuple(written[name] for name, one in meant.items() if one.kind == "person")
