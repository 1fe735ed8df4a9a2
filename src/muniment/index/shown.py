"""Item versions as models are shown them, and what models gave of them and when. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from muniment.assertions.anchor import Anchored, find_quote, normal_quote
from muniment.assertions.unit import Unit, unit_of
from muniment.assertions.verify import Ruled, Shown, verify_drafts, verify_ruling
from muniment.domain.assertions import Assertion, Context, Quote
from muniment.domain.distilled import Output
from muniment.domain.events import Body
from muniment.domain.passages import Passage
from muniment.domain.regex import regex
from muniment.index.projection import Projection, context_of
from muniment.items.fold import Version

__all__ = ["Gates", "Outputs", "ShownText", "again_digest", "nearest", "texts_of"]

_WORDS = regex("[\u2e80-\u9fff]|[^\\W_\u2e80-\u9fff]+")


class Normals:
    """Passages in their normal form, each made once and only where it is asked for."""

    def __init__(self, cuts: Mapping[UUID, Passage]) -> None:
        self._cuts = cuts
        self._made: dict[UUID, str] = {}

    def of(self, passage: UUID) -> str:
        """The passage's words as quotes are compared with them."""
        if passage not in self._made:
            self._made[passage] = Anchored(self._cuts[passage].text).normal
        return self._made[passage]


@dataclass(frozen=True, eq=False)
class ShownText:
    """A version of an item: its passages, and those a model can be asked about, by digest too."""

    version: Version
    body: Body
    cuts: Mapping[UUID, Passage]
    units: Mapping[UUID, Unit]
    digests: Mapping[UUID, bytes]
    normals: Normals

    def shown(self, passage: UUID) -> Shown:
        """The passage beside what is shown of it."""
        return Shown(self.cuts[passage], self.units[passage])

    def has(self, words: str, passage: UUID) -> bool:
        """Whether words in their normal form stand in it, most likely in this passage."""
        return passage in self.cuts or any(words in self.normals.of(one) for one in self.cuts)

    def place(self, passage: UUID, quote: Quote) -> tuple[UUID, Quote] | None:
        """Where the quote's words stand in this version: where they stood, or where they are found again."""
        if passage in self.cuts:
            return passage, quote
        words = normal_quote(quote.text)
        for other, cut in self.cuts.items():
            if words in self.normals.of(other) and (found := find_quote(cut, quote.text)) is not None:
                return other, Quote(cut.ordinal, *found, cut.text[slice(*found)])
        return None


def texts_of(key: bytes, one: Projection) -> tuple[ShownText, ...]:
    """The versions that were current at some time, in order."""
    cuts = {row.passage: row.cut for row in one.passages}
    normals = Normals(cuts)
    made: dict[tuple[UUID, Context], tuple[Unit, bytes] | None] = {}
    texts = []
    for stored in one.versions:
        if stored.version.change == "late":
            continue
        context = context_of(stored.body)
        for passage in stored.passages:
            if (passage, context) not in made:
                made[passage, context] = _shown(key, cuts[passage], context)
        found = {passage: pair for passage in stored.passages if (pair := made[passage, context])}
        texts.append(
            ShownText(
                stored.version,
                stored.body,
                {passage: cuts[passage] for passage in stored.passages},
                {passage: unit for passage, (unit, _) in found.items()},
                {passage: digest for passage, (_, digest) in found.items()},
                normals,
            )
        )
    return tuple(texts)


def _shown(key: bytes, cut: Passage, context: Context) -> tuple[Unit, bytes] | None:
    unit = unit_of(cut, context)
    return None if unit is None else (unit, unit.digest(key))


def nearest(before: str, text: ShownText) -> UUID | None:
    """The passage that most likely took the place of these words: it shares most words with them."""
    words = set(_WORDS.findall(before.casefold()))

    def likeness(passage: UUID) -> float:
        other = set(_WORDS.findall(text.cuts[passage].text.casefold()))
        return 2 * len(words & other) / (len(words) + len(other) or 1)

    return max(text.units, key=lambda one: (likeness(one), -text.cuts[one].ordinal), default=None)


def again_digest(key: bytes, unit: Unit, before: Assertion) -> bytes:
    """What stands for a passage shown beside an earlier statement."""
    return unit.digest(key, "again", before.kind.value, before.statement, normal_quote(before.quote.text))


class Outputs:
    """What models gave, by what they were shown and when it was first held."""

    def __init__(self, outputs: Iterable[Output]) -> None:
        self._by_unit: dict[tuple[str, bytes], list[Output]] = {}
        # Of two at one instant, one decides, and which does not hang on how they are stored.
        for one in sorted(outputs, key=lambda given: (given.at, given.extractor)):
            self._by_unit.setdefault((one.purpose, one.unit), []).append(one)
        self._ats = sorted({one.at for listed in self._by_unit.values() for one in listed})

    def newest(self, purpose: str, unit: bytes | None, now: datetime) -> Output | None:
        """The last that was given by then."""
        listed: Sequence[Output] = () if unit is None else self._by_unit.get((purpose, unit), ())
        return next((one for one in reversed(listed) if one.at <= now), None)

    def instants(self, start: datetime, end: datetime | None) -> list[datetime]:
        """The start, and every instant before the end at which something was given."""
        return [start, *(at for at in self._ats if start < at and (end is None or at < end))]


class Gates:
    """Each reply tried once, however often its text is looked at."""

    def __init__(self) -> None:
        self._drafts: dict[tuple[bytes, str, UUID], tuple[Assertion, ...]] = {}

    def drafts(self, given: Output, passage: UUID, shown: Shown) -> tuple[Assertion, ...]:
        """The statements of a reply that passed."""
        name = (given.unit, given.extractor, passage)
        if name not in self._drafts:
            self._drafts[name] = verify_drafts(given.reply, shown, given.extractor).accepted
        return self._drafts[name]

    def ruling(self, given: Output, before: Assertion, shown: Shown) -> Ruled | None:
        """What a reply makes of an earlier statement; None where it did not pass."""
        ruled = verify_ruling(given.reply, before, shown, given.extractor)
        return None if isinstance(ruled, str) else ruled
