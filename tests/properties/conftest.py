"""Properties that need PostgreSQL run on the same server as the tests that always do."""

from tests.postgres.conftest import db, dsn, server

__all__ = ["db", "dsn", "server"]
