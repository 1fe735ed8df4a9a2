"""The one door to content: everything one principal may see, for the length of one transaction."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, LiteralString, TypeVar
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from muniment.domain.principals import Permitted
from muniment.domain.record import Moment, PassageRow
from muniment.domain.replicas import Watermark
from muniment.gate import who
from muniment.gate.audiences import get_audience
from muniment.gate.binding import reading
from muniment.gate.erased import keeping_up
from muniment.gate.rights import Hearing, rights_of
from muniment.gate.sight import Sight
from muniment.index import codes, lexical, vectors
from muniment.store.queries import load
from muniment.store.shapes import shaped

if TYPE_CHECKING:
    import psycopg

    from muniment.store.pool import Readable

__all__ = ["Hearing", "Reader", "reading_as"]

Row = TypeVar("Row")
T = TypeVar("T")
_GATE = load("reader")


class Reader:
    """A transaction bound to one principal and one moment, on a role that can select permitted rows only.

    Every query it runs is named in `sql/queries`, and gets the tenant, the permitted audiences and the moment
    from here.
    """

    __slots__ = (
        "_audiences",
        "_conn",
        "_known",
        "_passages",
        "_sight",
        "handed_out",
        "key",
        "moment",
        "permitted",
        "tenant",
        "watermark",
    )

    def __init__(
        self,
        conn: psycopg.Connection,
        tenant: str,
        key: bytes,
        permitted: Permitted,
        moment: Moment,
        watermark: Watermark,
    ) -> None:
        self._conn = conn
        # As text: adapting a list of thousands anew for every statement takes longer than most statements do.
        self._audiences = permitted.as_text()
        self.tenant = tenant
        self.key = key
        self.permitted = permitted
        self.moment = moment
        self.watermark = watermark
        self.handed_out: list[str] = []
        self._sight: Sight | None = None
        self._passages: dict[UUID, PassageRow] = {}
        self._known: dict[str, Any] = {}

    def at(self, known_at: datetime) -> Reader:
        """The same reader with the same rights, of what was known at an earlier moment."""
        moment = replace(self.moment, known_at=known_at)
        then = Reader(self._conn, self.tenant, self.key, self.permitted, moment, self.watermark)
        then.handed_out = self.handed_out
        then._sight, then._passages = self._sight, self._passages  # of every moment
        return then

    @property
    def sight(self) -> Sight:
        """Of which kinds of thing this reader can see any: asked once, as a read is of one state."""
        if self._sight is None:
            (self._sight,) = self.rows(Sight, "reader", "sight")
        return self._sight

    def once(self, what: str, make: Callable[[], T]) -> T:
        """What was made under this name before in this read, or what is made now.

        A read is of one state, so what it learned of names and the like need not be asked for again.
        """
        if what not in self._known:
            self._known[what] = make()
        known: T = self._known[what]
        return known

    def hand_out(self, citations: Iterable[str]) -> None:
        """Keep in mind, for the audit, which citations a reply gives away."""
        self.handed_out += citations

    def rows(
        self, shape: type[Row], room: LiteralString, query: LiteralString, **values: object
    ) -> list[Row]:
        """The permitted rows a room's query finds, each as `shape`."""
        with self._conn.cursor(row_factory=shaped(shape)) as cursor:
            # Prepared at its first use: until then it would be planned anew for each reader's audiences.
            return cursor.execute(load(room)[query], self._bound(values), prepare=True).fetchall()

    def keep(self, passages: Iterable[PassageRow]) -> None:
        """Keep in mind passages that were read, until this read is over: they are likely to be cited."""
        self._passages |= {one.passage: one for one in passages}

    def passages(self, wanted: Collection[UUID]) -> dict[UUID, PassageRow]:
        """The permitted ones among these passages."""
        found = {one: self._passages[one] for one in wanted if one in self._passages}
        if missing := sorted(set(wanted) - found.keys()):
            rows = self.rows(PassageRow, "reader", "passages_by_id", passages=missing)
            found |= {row.passage: row for row in rows}
        return found

    def scores(self, era: int, lexemes: Sequence[str], *, limit: int) -> lexical.Scores:
        """The permitted documents that match best, by BM25 over what this reader can see."""
        return lexical.search(self._conn, self.tenant, era, lexemes, self.permitted.audiences, limit=limit)

    def nearest(self, era: int, model: str, vector: NDArray[np.float32], *, limit: int) -> vectors.Nearest:
        """The permitted documents nearest in meaning; `why` is set where this database cannot say."""
        if not self.sight.vectors:
            return vectors.Nearest.off("this database has no pgvector")
        audiences, mean = self.permitted.audiences, self._mean(model)
        sought = vectors.Sought(self.tenant, era, model, vector, audiences, limit, mean)
        return vectors.search(self._conn, sought)

    def why_visible(self, audience: int) -> list[str]:
        """The chain of groups by which this reader satisfies an audience; nothing for one it does not."""
        if audience not in self.permitted.audiences:
            return []
        # Who is who is no content, and the reader's role cannot see it: asked as the writer, and answered
        # about this reader.
        self._conn.execute(_GATE["become_writer"])
        found = who.why(
            self._conn,
            self.tenant,
            get_audience(self._conn, self.tenant, audience),
            self.permitted,
            self.moment.now,
        )
        self._conn.execute(_GATE["become_reader"])
        return found

    def _mean(self, model: str) -> bytes | None:
        """The usual vector of a model, a constant of it, where codes do not know it."""
        if model in codes.MEANS:
            return None
        self._conn.execute(_GATE["become_writer"])
        mean = vectors.mean_of(self._conn, self.tenant, model)
        self._conn.execute(_GATE["become_reader"])
        return mean

    def _bound(self, values: dict[str, object]) -> dict[str, object]:
        return {
            **{name: _storable(value) for name, value in values.items()},
            "tenant": self.tenant,
            "audiences": self._audiences,
            "as_of": self.moment.as_of,
            "known_at": self.moment.known_at,
        }


@contextmanager
def reading_as(
    where: Readable, tenant: str, key: bytes, hearing: Hearing, moment: Moment
) -> Generator[Reader]:
    """A reader in one fresh transaction: rights are resolved first, once, and hold to its end."""
    with reading(where, tenant) as (conn, primary):
        permitted = rights_of(conn, tenant, hearing, moment.now)
        values = {"tenant": tenant, "audiences": permitted.as_text()}
        own, erasures, *_ = conn.execute(_GATE["bind_reader"], values).fetchone() or ("", 0)
        watermark = Watermark(own) if primary is None else Watermark(primary, own)
        with keeping_up(tenant, key, erasures or 0):
            yield Reader(conn, tenant, key, permitted, moment, watermark)


def _storable(value: object) -> object:
    """A value that can be asked for: what the database could not hold as text, nothing in it is called."""
    match value:
        case str():
            return value.replace("\x00", "\ufffd").encode("utf-8", "replace").decode()
        case list():
            ids = [part.hex for part in value if isinstance(part, UUID)]
            if ids and len(ids) == len(value):
                return f"{{{','.join(ids)}}}"  # as text, like the audiences: ids come by the hundred
            return [_storable(part) for part in value]
    return value
