"""How fast acts are written to the audit, sealed and verified, and what sealing costs when nothing waits."""

from __future__ import annotations

import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from uuid import UUID

from benchmarks.timing import Timed, timed
from muniment import clock
from muniment.gate import chain
from muniment.gate.audit import Act, Trace, record_read
from muniment.gate.binding import writing
from muniment.store import embedded
from muniment.store.migrate import migrate
from muniment.store.pool import Database

__all__ = ["ENTRIES", "audit"]

ENTRIES = 20_000
WRITERS = 8
AT = datetime(2026, 11, 30, tzinfo=UTC)


def audit() -> list[tuple[str, str]]:
    """Below the doors, on a database of its own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o711)  # an unprivileged server must be able to enter
        (folder / "state").mkdir(mode=0o711)
        with (
            embedded.create(folder / "org", state_dir=folder / "state") as lease,
            Database.connect(lease.dsn) as database,
        ):
            with database.session() as conn:
                migrate(conn)
            return _measured(database)


def _measured(database: Database) -> list[tuple[str, str]]:
    """Reads as a server writes them, by several at once; then one pass of the sealer, and a verification."""
    rows = []
    for name, tenants in (("one tenant", 1), (f"{WRITERS} tenants", WRITERS)):
        rows.append(
            (f"append, {WRITERS} writers, {name}", f"{_append(database, name, tenants):.0f} a second")
        )
    whose = "one tenant-0"
    seal = partial(_seal, database, whose)
    rows.append((f"seal {ENTRIES:,} entries", f"{timed(seal):.2f} s"))
    rows.append(("seal when nothing waits", Timed.of([timed(seal) for _ in range(100)]).text()))
    with chain.at_once(database, whose) as conn:
        began = time.perf_counter()
        found = chain.verify(conn, whose, ())
        rows.append((f"verify {found.sealed:,} entries", f"{time.perf_counter() - began:.2f} s"))
        rows.append(
            (
                "verify the last 1,000",
                Timed.of([timed(lambda: chain.verify_end(conn, whose, 1_000)) for _ in range(20)]).text(),
            )
        )
    assert found.ok
    assert found.sealed == ENTRIES
    return rows


def _append(database: Database, name: str, tenants: int) -> float:
    with ThreadPoolExecutor(WRITERS) as pool:
        began = time.perf_counter()
        for done in [pool.submit(_write, database, f"{name}-{n % tenants}", n) for n in range(WRITERS)]:
            done.result()
        return ENTRIES / (time.perf_counter() - began)


def _write(database: Database, tenant: str, writer: int) -> None:
    """What a read writes: its entry and its trace, in a transaction of their own."""
    said = {"citations": [f"c_{number:032x}" for number in range(5)], "agent": "", "hearers": []}
    for number in range(ENTRIES // WRITERS):
        trace = UUID(int=writer * ENTRIES + number)
        act = Act(AT, "user:one", "ask", trace.hex, {**said, "rights": trace.hex, "watermark": "7:7:"})
        why = Trace(trace, "ask", "When does Acme renew?", [], 40)
        record_read(database, tenant, act, why, clock.fresh_salt())


def _seal(database: Database, tenant: str) -> None:
    with writing(database, tenant) as conn:
        chain.seal(conn, tenant, AT)
