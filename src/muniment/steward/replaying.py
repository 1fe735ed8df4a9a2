"""Erasures as a list that reveals nothing, and the list said to a record restored from an older backup."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeVar

from muniment.domain.blanking import Blanked
from muniment.domain.errors import Malformed
from muniment.domain.identity import keyed_digest
from muniment.domain.values import Value
from muniment.events.erased import item_digest, line_digest, person_digest
from muniment.gate.holds import refuse_held
from muniment.jobs import erase
from muniment.jobs.compile import Key
from muniment.jobs.erase import Gone
from muniment.steward.desk import Desk, alone
from muniment.steward.erasing import BATCH, Erased, blank_everywhere, unname
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = ["Erasure", "erasures", "replay"]

SQL: Final = load("erasing")
Named = TypeVar("Named")


@dataclass(frozen=True, slots=True)
class Erasure(Value):
    """One thing that was erased, by its digest under the record's key; of `words` also what finds them."""

    kind: Literal["key", "item", "person", "line", "words"]
    digest: str
    first: str | None = None
    words: int | None = None

    def blanked(self) -> Blanked:
        """The words meant."""
        if self.first is None or self.words is None:
            raise Malformed(f"erasure {self.digest!r} of words lacks first or words")
        return Blanked(_bytes(self.digest), _bytes(self.first), self.words)


def erasures(desk: Desk) -> list[Erasure]:
    """Everything that was erased; first the key, by which a record tells whether the list is about it."""
    with desk.writing() as conn:
        rows = conn.execute(SQL["erasures"], {"tenant": desk.tenant}).fetchall()
    listed = [
        Erasure(kind, digest.hex(), None if first is None else first.hex(), words)
        for kind, digest, first, words in rows
    ]
    return [Erasure("key", _of_key(desk)), *listed]


def _of_key(desk: Desk) -> str:
    return keyed_digest(desk.work.key, "erasures").hex()


def replay(desk: Desk, objects: Iterable[Mapping[str, object]], *, dry_run: bool) -> Erased:
    """Erase again everything listed that is here, and suppress all of it."""
    listed = [_read(one, number) for number, one in enumerate(objects, 1)]
    if [one.digest for one in listed if one.kind == "key"] != [_of_key(desk)]:
        raise Malformed("the list is of a record with another key: its digests mean nothing here")
    of = {
        kind: {_bytes(one.digest) for one in listed if one.kind == kind}
        for kind in ("item", "person", "line")
    }
    with desk.writing() as conn:
        keys = _meant(
            of["item"],
            conn.execute(SQL["every_key"], _own(desk)),
            lambda row: item_digest(desk.work.key, row),
        )
        people = _meant(
            of["person"],
            [row[0] for row in conn.execute(SQL["every_person"], _own(desk))],
            lambda one: person_digest(desk.work.key, one),
        )
        refuse_held(conn, desk.tenant, keys, people)
        gone = erase.counted(conn, desk.work, keys)
    if not dry_run:
        gone += _suppressed(desk, of)
        gone += _erased(desk, keys, people)
    words = [one.blanked() for one in listed if one.kind == "words"]
    found = Erased("list", dry_run, gone.items, (), gone.events, gone.passages, gone.statements, gone.refused)
    if not words:
        return found
    blanked = blank_everywhere(desk, words, None, dry_run=dry_run)
    return replace(found, items=found.items + blanked.items, events=found.events + blanked.events)


def _read(said: Mapping[str, object], number: int) -> Erasure:
    match said:
        case {"kind": "key" | "item" | "person" | "line" as kind, "digest": str(digest)}:
            return Erasure(kind, digest)
        case {"kind": "words", "digest": str(digest), "first": str(first), "words": int(words)} if words > 0:
            return Erasure("words", digest, first, words)
    raise Malformed(f"line {number} of the list, of kind {said.get('kind')!r:.40}, is no erasure")


def _own(desk: Desk) -> dict[str, object]:
    return {"tenant": desk.tenant}


def _meant(
    digests: set[bytes], all_of_them: Iterable[Named], digest: Callable[[Named], bytes]
) -> list[Named]:
    return [one for one in all_of_them if digest(one) in digests]


def _suppressed(desk: Desk, of: dict[str, set[bytes]]) -> Gone:
    """Nothing of it is taken in again, whether it was in the backup or not; refused lines go at once."""
    with alone(desk) as conn:
        for kind, digests in of.items():
            erase.suppress(conn, desk.work, kind, sorted(digests))
        rows = conn.execute(SQL["refused"], _own(desk)).fetchall()
        entries = [entry for entry, raw, _ in rows if line_digest(desk.work.key, raw) in of["line"]]
        conn.execute(SQL["drop_refused"], {**_own(desk), "entries": entries})
        desk.record(conn, "erase list", "record", {kind: len(digests) for kind, digests in of.items()})
    return Gone(refused=len(entries))


def _erased(desk: Desk, keys: Sequence[Key], people: Sequence[str]) -> Gone:
    gone = Gone()
    for start in range(0, len(keys), BATCH):
        with alone(desk) as conn:
            done = _erase(desk, conn, keys[start : start + BATCH])
        gone += Gone(refused=0, questions=done.questions, acts=done.acts)
    for person in people:
        with alone(desk) as conn:
            refuse_held(conn, desk.tenant, [], [person])
            gone += unname(conn, desk, person)
    return gone


def _erase(desk: Desk, conn: Connection, keys: Sequence[Key]) -> Gone:
    refuse_held(conn, desk.tenant, keys)
    return erase.erase_items(conn, desk.work, keys)


def _bytes(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise Malformed(f"{text!r} is no digest") from None
