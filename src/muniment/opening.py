"""Where a record is kept: a folder with a server of its own, or a database by URL; its key and models."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path

from muniment import clock as real
from muniment.answer.seat import Seat
from muniment.domain.embedder_use import BEFORE, EmbedderUse
from muniment.domain.errors import Malformed, NotAnOrg
from muniment.domain.model_use import ModelUse
from muniment.export.manifest import proof_of
from muniment.gate.binding import writing
from muniment.jobs.calls import Calls, place
from muniment.jobs.loop import Work
from muniment.models.embedding import Embedder
from muniment.models.hosted import find_model
from muniment.models.language import LanguageModel
from muniment.models.metered import Real
from muniment.models.nano import find_embedder
from muniment.models.served import find_served
from muniment.models.spared import SparedEmbedder
from muniment.models.within import Within
from muniment.settings import Settings
from muniment.store import embedded
from muniment.store.migrate import Capabilities, migrate
from muniment.store.pool import Database
from muniment.store.queries import load
from muniment.store.replicas import Spread, connected

__all__ = ["database_of", "embedders_of", "language_of", "own_key", "prepare", "spread_of"]

SQL = load("org")


def database_of(place: str | Path | Database, settings: Settings, stack: ExitStack) -> tuple[Database, bool]:
    """The database, and whether it is a folder of this machine, whose owner may speak for anyone."""
    if isinstance(place, Database):
        return place, False
    where = str(place)
    if where.startswith(("postgresql://", "postgres://")):
        return stack.enter_context(Database.connect(where)), False
    folder = Path(where)
    if settings.database_url is not None:
        return stack.enter_context(Database.connect(settings.database_url)), False
    make = embedded.attach if embedded.is_org(folder) else _create
    lease = make(
        folder, state_dir=settings.state_dir, binaries=settings.pg_bin, runtime_dir=settings.runtime_dir
    )
    stack.enter_context(lease)
    return stack.enter_context(Database.connect(lease.dsn)), True


def _create(
    folder: Path, *, state_dir: Path | None, binaries: Path | None, runtime_dir: Path | None
) -> embedded.Lease:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise NotAnOrg(
            f"folder {str(folder)!r} is not empty and holds no organisation; name a new or an empty one"
        )
    return embedded.create(folder, state_dir=state_dir, binaries=binaries, runtime_dir=runtime_dir)


def spread_of(database: Database, settings: Settings, stack: ExitStack) -> Spread | None:
    """The database with the replicas that are named for it, if any are."""
    return connected(database, settings.replicas, stack)


def prepare(database: Database) -> Capabilities:
    """Bring the schema up to date; what this database can do."""
    with database.session() as conn:
        return migrate(conn)


def own_key(database: Database, tenant: str, given: bytes | None, clock: Callable[[], datetime]) -> bytes:
    """The organisation's key: the one given, else the one made with it.

    Under any other, every item would be another one, and what was erased would not be kept out.
    """
    with writing(database, tenant) as conn:
        made = given if given is not None else real.fresh_salt() + real.fresh_salt()
        values = {"key": None if given is not None else made, "proof": proof_of(made), "now": clock()}
        conn.execute(SQL["make_org"], {"tenant": tenant, **values})
        row = conn.execute(SQL["org_key"], {"tenant": tenant}).fetchone()
    stored, proof = (None, "") if row is None else row
    if given is None and stored is None:
        raise Malformed(f"organisation {tenant!r} was made with a key of your own; set MUNIMENT_KEY to it")
    key = given if given is not None else bytes(stored)
    if proof_of(key) != proof:
        what = "unset it" if stored is not None else "set it to the one it was made with"
        raise Malformed(f"organisation {tenant!r} was made with another key than MUNIMENT_KEY; {what}")
    return key


def embedders_of(
    work: Work, given: Embedder | None, said: Mapping[str, str]
) -> tuple[Embedder | None, Embedder | None]:
    """The embedder that is given, else the one that is set up; and the one before it.

    Where nothing is said of one before, it is the default one: nobody has to say so who leaves it.
    """
    current = given if given is not None else _embedder(work, EmbedderUse.read(said))
    before = _embedder(work, EmbedderUse.read(said, BEFORE)) or find_embedder("auto")
    if current is None or before is None or before.name == current.name:
        return current, None
    return current, before


def _embedder(work: Work, use: EmbedderUse) -> Embedder | None:
    if use.kind == "served":
        book = Calls(work, use.limits)
        return SparedEmbedder(find_served(use), use, book, Real(real.ticks, real.wait))
    return find_embedder(use.kind)


def language_of(
    work: Work, given: LanguageModel | None, use: ModelUse
) -> tuple[LanguageModel | None, Seat | None, Calls | None]:
    """The model that is given, else the one that is set up; its seat where answers want it; its ledger."""
    found = given if given is not None else find_model(use)
    if found is None:
        return None, None, None
    placed = place(work, found, use, Real(real.ticks, real.wait))
    if not use.words_answers:
        return placed.model, None, placed.calls
    patient = Within(placed.model, use.answer_seconds, real.ticks)
    return placed.model, Seat(patient, placed.calls.refuse), placed.calls
