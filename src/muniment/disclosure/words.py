"""What is disclosed, as an item of its own: its words, its names and its times, and nothing else. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from muniment.assertions.periods import is_period
from muniment.disclosure.levels import Disclosed, Held, Part
from muniment.domain.assertions import Assertion, Kind, Quote, Slot
from muniment.domain.audience import Audience
from muniment.domain.events import Body, ItemRef
from muniment.domain.identity import keyed_uuid
from muniment.domain.names import is_usable
from muniment.domain.passages import Passage, Span
from muniment.domain.record import DISCLOSURE
from muniment.domain.regex import regex
from muniment.index.places import place_of
from muniment.index.projection import Projection, StoredAssertion, StoredPassage, StoredVersion
from muniment.index.stated import Known, Name
from muniment.items.fold import Standing, Version
from muniment.items.passages import anchor, normal_text

__all__ = ["EXTRACTOR", "level_projection", "level_uuid", "slot_words"]

EXTRACTOR = "disclosure:v1"
_WORD = regex(r"[^\W\d_]+\Z")


def level_uuid(key: bytes, one: Disclosed) -> UUID:
    """The id of a slot's level: from the slot and the level alone, whatever is disclosed."""
    entity, attribute, qualifier = one.slot
    said = ("", "") if qualifier is None else ("+", qualifier)
    return keyed_uuid(key, "disclosure", one.level, entity, attribute, *said)


def level_projection(key: bytes, one: Disclosed) -> Projection:
    """All derived rows of the level, still without an audience number, as those of any item."""
    item = level_uuid(key, one)
    texts = [_text(one, held) for held in one.held]
    bodies = {seq: _body(one, sentences) for seq, sentences in enumerate(texts, 1)}
    names = tuple(replace(name, known=_known(one)) for name in _names(key, one.slot[0]))
    standing = _standing(item, one, bodies)
    return Projection(
        item=item,
        standing=standing,
        place=place_of(key, item, standing, one.level),
        versions=tuple(_version(key, item, seq, one, texts[seq - 1]) for seq in bodies),
        passages=_passages(key, item, texts),
        assertions=tuple(_assertions(key, item, one, texts)),
        edges=(),
        names=names,
        mentions=names,
        level=one.level,
    )


def _known(one: Disclosed) -> Known:
    """While the record held any of it."""
    return tuple((held.known_from, held.known_to) for held in one.held)


def slot_words(slot: tuple[str, str, str | None]) -> str:
    """The slot as a sentence begins with it: from its own words, so that no hidden spelling shows."""
    entity, attribute, qualifier = slot
    scope = "" if qualifier is None else f" ({', '.join(_scope(part) for part in qualifier.split(', '))})"
    return f"{_title(entity)}'s {attribute}{scope}"


def _title(entity: str) -> str:
    return " ".join(word.capitalize() if _WORD.match(word) else word for word in entity.split(" "))


def _scope(part: str) -> str:
    return part.capitalize() if is_period(part) else part


def _text(one: Disclosed, held: Held) -> tuple[str, ...]:
    """A sentence for each part; two stretches of one band share theirs."""
    subject = slot_words(one.slot)
    return tuple(dict.fromkeys(f"{subject} is {part.words}." for part in held.parts))


def _body(one: Disclosed, sentences: Sequence[str]) -> Body:
    return Body(
        kind="note", body="\n".join(sentences), title=slot_words(one.slot), audience=Audience.of(*one.groups)
    )


def _said(held: Held) -> datetime:
    return max(part.said for part in held.parts)


def _standing(item: UUID, one: Disclosed, bodies: dict[int, Body]) -> Standing:
    last, seq = one.held[-1], len(one.held)
    at = _said(last)
    return Standing(
        ref=ItemRef(DISCLOSURE, item.hex),
        body=bodies[seq],
        seq=seq,
        text_seq=seq,
        at=at,
        created_at=min(part.said for held in one.held for part in held.parts),
        version=None,
        state="live",
        status=None,
        container=None,
        thread=None,
        audience=Audience.of(*one.groups),
        inherits=False,
        since=at,
        merged_into=None,
        moved_to=None,
        versions=(),
        bodies=bodies,
    )


def _version(key: bytes, item: UUID, seq: int, one: Disclosed, sentences: Sequence[str]) -> StoredVersion:
    held = one.held[seq - 1]
    change = "said" if seq == 1 else "edited"
    version = Version(seq, seq, _said(held), None, held.known_from, held.known_to, None, change)
    starts = [sum(len(one) + 1 for one in sentences[:at]) for at in range(len(sentences))]
    ids = tuple(_passage_id(key, item, sentence) for sentence in sentences)
    return StoredVersion(version, _body(one, sentences), ids, tuple(starts))


def _passage_id(key: bytes, item: UUID, sentence: str) -> UUID:
    return keyed_uuid(key, "passage", item.bytes, anchor((), normal_text(sentence), 0))


def _passages(key: bytes, item: UUID, texts: Sequence[Sequence[str]]) -> tuple[StoredPassage, ...]:
    """Each sentence once, a passage of its own; those that stand now in era 0."""
    found: dict[UUID, StoredPassage] = {}
    for sentences in texts:
        era = 0 if sentences is texts[-1] else 1
        for ordinal, sentence in enumerate(sentences):
            passage = _passage_id(key, item, sentence)
            found[passage] = StoredPassage(passage, era, _cut(sentence, ordinal))
    return tuple(found[passage] for passage in sorted(found))


def _cut(sentence: str, ordinal: int) -> Passage:
    end = len(sentence)
    return Passage(anchor((), normal_text(sentence), 0), ordinal, 0, end, sentence, (), None, (Span(0, end),))


def _assertions(
    key: bytes, item: UUID, one: Disclosed, texts: Sequence[Sequence[str]]
) -> list[StoredAssertion]:
    """A row for each part of each stretch; a part that comes again has the same id and the next revision."""
    seen: dict[UUID, int] = {}
    rows = []
    for seq, held in enumerate(one.held, 1):
        for part in held.parts:
            sentence = f"{slot_words(one.slot)} is {part.words}."
            since = "" if part.valid_from is None else part.valid_from.isoformat()
            assertion = keyed_uuid(key, "assertion", item.bytes, part.value, since)
            seen[assertion] = seen.get(assertion, 0) + 1
            said = _assertion(one, part, sentence, texts[seq - 1].index(sentence))
            rows.append(
                StoredAssertion(
                    assertion=assertion,
                    revision=seen[assertion],
                    seq=seq,
                    said=said,
                    memory_type="semantic",
                    passage=_passage_id(key, item, sentence),
                    stated_at=part.said,
                    valid_from=part.valid_from,
                    valid_to=part.valid_to,
                    known_from=held.known_from,
                    known_to=held.known_to,
                )
            )
    return rows


def _assertion(one: Disclosed, part: Part, sentence: str, ordinal: int) -> Assertion:
    """It quotes its own words: what it was made from is for the verifier alone (`jobs.disclose`)."""
    return Assertion(
        kind=Kind.FACT,
        statement=sentence,
        slot=Slot(*one.slot),
        value=part.value,
        terms=(),
        quote=Quote(ordinal, 0, len(sentence), sentence),
        stated_by=None,
        extractor=EXTRACTOR,
    )


def _names(key: bytes, entity: str) -> tuple[Name, ...]:
    """The entity's name is part of what is declared, so its page opens to who reads the level."""
    if not is_usable(entity):
        return ()
    return (Name(entity, keyed_uuid(key, "entity", "account", entity), "account", _title(entity), "account"),)
