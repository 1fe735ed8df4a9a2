"""Files of somebody's own: notes under a name, which can be written again, renamed and taken away.

Each is a note as `remember` keeps one: an event of the record's own source, for its author alone and only
as long as they may read what it was made from, and no more trusted than that. What a note was once made
from it stays made from, whatever is written over it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Final

from muniment import notes
from muniment.claims.items import items_of
from muniment.domain.errors import Refused, Usage
from muniment.domain.events import ItemRef, JsonObject
from muniment.domain.identity import keyed_digest
from muniment.domain.times import format_instant
from muniment.events.rights import RESERVED
from muniment.gate.reader import Hearing, Reader
from muniment.jobs.loop import Work

__all__ = ["MOST_FILES", "Shelf"]

MOST_FILES: Final = 500
_LONGEST_NAME: Final = 200


@dataclass(frozen=True, slots=True)
class Shelf:
    """The files of one principal. `looking` reads as they may, and notes what for."""

    work: Work
    hearing: Hearing
    looking: Callable[[str, str], AbstractContextManager[Reader]]

    def files(self) -> Mapping[str, str]:
        """Each file they keep and may still read, by name."""
        with self.looking("files", "") as reader:
            found = reader.rows(
                notes.FileRow, "notes", "files_of", source=RESERVED, prefix=self._prefix(reader)
            )
            names = [(one.source, one.id) for one in items_of(reader, [row.item for row in found])]
        kept = (notes.last_said(self.work, ItemRef(*name)) for name in names)
        said = {str(one["title"]): str(one["body"]) for one in kept if one is not None}
        return dict(sorted(said.items()))

    def keep(self, name: str, text: str) -> None:
        """Write a file, whether it is there or not."""
        if not name.strip() or len(name) > _LONGEST_NAME:
            raise Usage(f"a file's name has 1 to {_LONGEST_NAME} characters")
        if len(text) > notes.LONGEST:
            raise Usage(f"a file has at most {notes.LONGEST:,} characters, not {len(text):,}")
        files = self.files()
        if name not in files and len(files) >= MOST_FILES:
            raise Usage(f"there are {len(files):,} files already; take one away first")
        self._write(name, text)

    def move(self, name: str, to: str) -> None:
        """Give a file another name; it stays made from all that it was. Refused where there is none."""
        files = self.files()
        if name not in files:
            raise Refused(f"no file {name!r}")
        if to in files:
            raise Usage(f"file {to!r} is there already")
        self._write(to, files[name], before=name)
        self.drop(name)

    def _write(self, name: str, text: str, *, before: str | None = None) -> None:
        with self.looking("keep", "") as reader:
            ref = self._ref(reader, name)
            old = ref if before is None else self._ref(reader, before)
            draft = notes.drafted(reader, self.hearing, text)
        notes.require_reach(self.work, self.hearing.agent, ref)
        grown = notes.grown(self.work, notes.grown(self.work, draft, old), ref)
        made_from = grown.made_from - {f"{old.source}:{old.id}"}
        grown = replace(grown, text=text, made_from=made_from)
        self._hand_in(ref, grown.author, {**notes.said_of(grown), "title": name})

    def drop(self, name: str) -> None:
        """Take a file away; Refused where there is none."""
        if name not in self.files():
            raise Refused(f"no file {name!r}")
        with self.looking("drop", "") as reader:
            ref, author = self._ref(reader, name), reader.permitted.principal
        self._hand_in(ref, author, {"op": "delete"})

    def _hand_in(self, ref: ItemRef, author: str, said: JsonObject) -> None:
        work = self.work
        named: JsonObject = {
            "source": ref.source,
            "id": ref.id,
            "at": format_instant(work.clock()),
            "version": str(notes.times_said(work, ref) + 1),
        }
        notes.hand_in(work, author, {**said, **named}, "memory")

    def _prefix(self, reader: Reader) -> str:
        """What the ids of this principal's files begin with: nothing of what is in them."""
        if reader.permitted.principal not in reader.permitted.subjects:
            raise Refused(
                "files are for their author alone, and others hear this or nobody is known by the name"
            )
        return f"file/{keyed_digest(self.work.key, 'shelf', reader.permitted.principal).hex()}/"

    def _ref(self, reader: Reader, name: str) -> ItemRef:
        return ItemRef(RESERVED, self._prefix(reader) + keyed_digest(self.work.key, "file", name).hex())
