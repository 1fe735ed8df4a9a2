"""A question as a vector, without the people it names.

A name is near in meaning to all that its bearer says, whatever it is; who speaks is told by other means.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from muniment.context.asked.names import names, without
from muniment.context.retrieve import Meaning
from muniment.domain.names import normal_name
from muniment.index.usual import own
from muniment.models.embedding import Embedder, Silent, ask
from muniment.pages.entities import entities_called

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["meaning_of", "people_in"]


def meaning_of(
    embedder: Embedder, text: str, people: Callable[[str], Sequence[str]]
) -> tuple[Meaning | None, tuple[str, ...]]:
    """The text's meaning, or why there is none. people: those a text names, asked where it names anybody."""
    bare = without(text, people(text)) if names(text) else text
    match ask(embedder, bare):
        case Silent(why=why):
            return None, (f"meaning was not used: {why}",)
        case vector:
            return Meaning(embedder.name, own(embedder.name, bare, vector)), ()


def people_in(reader: Reader, text: str) -> tuple[str, ...]:
    """Whom the text names, as it writes them, as far as this reader may know of them."""
    written = {normal_name(one.surface): one.surface for one in names(text)}
    meant = entities_called(reader, written)
    return tuple(written[name] for name, one in meant.items() if one.kind == "person")
