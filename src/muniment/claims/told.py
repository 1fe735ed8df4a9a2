"""The trust a citation is told with: its item's, and no more than that of whoever said the words first.

A reply quotes its predecessor: quoted words count as their original does where this reader can see it, else
as anybody's. Done once for everything in a reply, just before it leaves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import UUID

from muniment.claims.copies import Words, heard_before
from muniment.claims.read import items_of
from muniment.domain.passages import Origin
from muniment.domain.record import PassageRow
from muniment.domain.trust import LEAST, minimum
from muniment.domain.values import Citation
from muniment.index.words import content_lexemes
from muniment.items.echoes import marks, telling
from muniment.items.sentences import sentences

if TYPE_CHECKING:
    from muniment.gate.reader import Reader

__all__ = ["told"]

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class _Quoted:
    assertion: UUID
    passage: UUID


_LOOKED_UP = 40  # quotations whose original is looked for in one reply; of more, it is not known
_DEPTH = 50  # passages among which an original is looked for
_LONGEST = 200  # words of a quoted sentence that are asked for


def told(reader: Reader, value: V) -> V:
    """The value, every citation in it with the trust this reader is told, and kept for the audit."""
    every = list(_citations(value))
    reader.hand_out(one.id for one in every)
    cited = {one.id: one for one in every if one.quote is not None and one.level == "exact"}
    passages = _passages(reader, cited)
    words = {
        id_: Words(passages[id_].item, passages[id_].passage, one.quote or "", one.trust)
        for id_, one in cited.items()
        if id_ in passages
    }
    lower = heard_before(reader, words)
    borrowed = {id_: _borrowed(one, passages[id_]) for id_, one in cited.items() if id_ in passages}
    quoting = [id_ for id_ in sorted(borrowed) if borrowed[id_]]
    for number, id_ in enumerate(quoting):
        found = _original(reader, passages[id_], borrowed[id_]) if number < _LOOKED_UP else LEAST
        lower[id_] = minimum((found, lower.get(id_, cited[id_].trust)))
    return _replaced(value, lower) if lower else value


@cache
def _names(shape: type[Any]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(shape))


def _citations(value: object) -> Iterator[Citation]:
    if isinstance(value, Citation):
        yield value
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _citations(part)
    elif is_dataclass(value) and not isinstance(value, type):
        for name in _names(type(value)):
            yield from _citations(getattr(value, name))


def _replaced(value: Any, lower: Mapping[str, str]) -> Any:  # a value of any shape, of that shape again
    if isinstance(value, Citation):
        return replace(value, trust=lower[value.id]) if value.id in lower else value
    if isinstance(value, list):
        return [_replaced(part, lower) for part in value]
    if isinstance(value, tuple):
        return tuple(_replaced(part, lower) for part in value)
    if is_dataclass(value) and not isinstance(value, type):
        parts = {name: _replaced(getattr(value, name), lower) for name in _names(type(value))}
        return replace(value, **parts)
    return value


def _passages(reader: Reader, cited: Iterable[str]) -> dict[str, PassageRow]:
    """The passage each citation's words stand in, by the citation's id."""
    of = {id_: UUID(id_[2:34]) for id_ in cited}
    assertions = sorted(id_ for name, id_ in of.items() if name.startswith("c_"))
    stated = {row.assertion: row.passage for row in _quoted(reader, assertions)}
    at = {name: stated.get(id_, id_) for name, id_ in of.items()}
    by_id = reader.passages(set(at.values()))
    return {name: by_id[id_] for name, id_ in at.items() if id_ in by_id}


def _quoted(reader: Reader, assertions: Sequence[UUID]) -> list[_Quoted]:
    if not assertions:
        return []
    return reader.rows(_Quoted, "claims", "quoted_passages", assertions=list(assertions))


def _borrowed(citation: Citation, passage: PassageRow) -> list[str]:
    """The stretches of the cited words that are not the author's own; none of a statement, which is."""
    if not citation.id.startswith("p_"):
        return []
    _, _, start, end = citation.id.split("_")
    found = []
    for first, last, origin in passage.spans:
        begin, stop = max(int(str(first)), int(start)), min(int(str(last)), int(end))
        if origin != Origin.OWN and begin < stop:
            found.append(passage.body[begin:stop])
    return found


def _original(reader: Reader, quoting: PassageRow, stretches: Iterable[str]) -> str:
    """What the quoted words count for.

    The least of their originals, where each sentence has a visible one.
    """
    said = [one for stretch in stretches for one in _said(stretch)]
    return minimum(_original_of(reader, quoting, one) for one in said) if said else LEAST


def _said(stretch: str) -> list[str]:
    """The sentences of a quotation, without its marks and without the line that says whose it is."""
    lines = [line.lstrip("> \t") for line in stretch.splitlines()]
    text = "\n".join(line for line in lines if not line.rstrip().endswith((":", "：")))
    return [text[start:end] for start, end in sentences(text)]


def _original_of(reader: Reader, quoting: PassageRow, sentence: str) -> str:
    words = content_lexemes(sentence)[:_LONGEST]
    docs = reader.scores(0, words, limit=_DEPTH).docs.tolist() if words else []
    rows = reader.rows(PassageRow, "reader", "passages_by_doc", docs=docs) if docs else []
    wanted = telling(sentence)
    holding = {row.item for row in rows if row.item != quoting.item and wanted & marks(_own(row)) == wanted}
    return minimum(item.trust for item in items_of(reader, sorted(holding)))


def _own(passage: PassageRow) -> str:
    spans = passage.spans or ((0, len(passage.body), Origin.OWN),)
    return "\n".join(
        passage.body[int(str(start)) : int(str(end))] for start, end, origin in spans if origin == Origin.OWN
    )
