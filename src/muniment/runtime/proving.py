"""Which sentences of a model may be told: those that name evidence and say nothing that it does not. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from muniment.assertions.faithful import Evidence
from muniment.domain.trust import trust_rank
from muniment.domain.values import Citation
from muniment.runtime.moves import Said
from muniment.runtime.shown import Showing

__all__ = ["Proved", "prove", "still"]

LONGEST_SENTENCE = 600  # characters


@dataclass(frozen=True, slots=True)
class Proved:
    """A sentence, and what proves it."""

    text: str
    showing: tuple[Showing, ...]


def prove(
    said: Iterable[Said], cited: Callable[[Sequence[str]], list[Showing] | None]
) -> tuple[list[Proved], list[str]]:
    """The sentences that their evidence proves, and why each of the others is dropped."""
    tried = [_proved(one, cited) for one in said]
    return [one for one in tried if isinstance(one, Proved)], [one for one in tried if isinstance(one, str)]


def _proved(said: Said, cited: Callable[[Sequence[str]], list[Showing] | None]) -> Proved | str:
    if not said.text or len(said.text) > LONGEST_SENTENCE:
        return "empty" if not said.text else "too_long"
    if not said.citations:
        return "uncited"
    found = cited(tuple(dict.fromkeys(said.citations)))
    if found is None:
        return "not_handed_out"
    if _evidence(found).lacks(said.text) is not None:
        return "unproved"
    return Proved(said.text, tuple(found))


def _evidence(found: Sequence[Showing]) -> Evidence:
    """What a sentence may say that names these: their words, and of whom, by whom and when."""
    quote = "\n".join(one.text for one in found)
    beside = "\n".join(part for one in found for part in _beside(one) if part)
    return Evidence(quote, beside)


def _beside(one: Showing) -> tuple[str | None, ...]:
    said = one.citation.said_at
    return one.head, one.citation.said_by, None if said is None else said.date().isoformat()


def still(showing: Iterable[Showing], now: Mapping[str, Citation]) -> bool:
    """Whether all of it stands as it was shown: readable, in the same words, of no lesser standing."""
    return all(map(partial(_stands, now), showing))


def _stands(now: Mapping[str, Citation], one: Showing) -> bool:
    before, found = one.citation, now.get(one.citation.id)
    if found is None or found.status != before.status:
        return False
    same = (found.quote, found.statement) == (before.quote, before.statement)
    return same and trust_rank(found.trust) >= trust_rank(before.trust)
