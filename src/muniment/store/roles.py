"""The three roles the database's rules are written for, and what a user needs to act as them."""

from __future__ import annotations

from typing import Any, Final, LiteralString

import psycopg
from psycopg import sql

from muniment.domain.errors import Malformed, Unavailable
from muniment.store import queries

__all__ = ["OWNER", "READER", "WRITER", "ensure"]

OWNER: Final = "muniment_owner"
READER: Final = "muniment_reader"
WRITER: Final = "muniment_writer"
_ROLES: Final[tuple[LiteralString, ...]] = (OWNER, READER, WRITER)

Connection = psycopg.Connection[Any]


def ensure(conn: Connection, user: str) -> None:
    """Make the roles where missing, let `user` act as them, and let the owner create in this database.

    A user who may not do so is told, in one line, the statements an administrator must run.
    """
    missing = _missing(conn, user)
    if not missing:
        return
    for statement in missing:
        _run(conn, statement, missing)
    if left := _missing(conn, user):
        raise _too_weak(conn, left)


def _run(conn: Connection, statement: sql.Composed, missing: list[sql.Composed]) -> None:
    try:
        with conn.transaction():
            conn.execute(statement)
    except psycopg.errors.InsufficientPrivilege as error:
        raise _too_weak(conn, missing) from error
    except (psycopg.errors.DuplicateObject, psycopg.errors.UniqueViolation):
        # Roles belong to the whole server: another database's migration made this one a moment ago.
        return


def _missing(conn: Connection, user: str) -> list[sql.Composed]:
    """The statements that are still to be run."""
    found = {name: (unsafe, member) for name, unsafe, member in _role_facts(conn, user)}
    for name, (unsafe, _) in found.items():
        if unsafe:
            raise Malformed(
                f"role {name!r} is a superuser or bypasses row security, so its rules would "
                "not hold; "
                f"alter role {name} nosuperuser nobypassrls"
            )
    create = [sql.SQL("create role {}").format(sql.Identifier(name)) for name in _ROLES if name not in found]
    grant = [
        sql.SQL("grant {} to {}").format(sql.Identifier(name), sql.Identifier(user))
        for name in _ROLES
        if not found.get(name, (False, False))[1]
    ]
    return create + grant + _rights(conn, known=OWNER in found)


def _role_facts(conn: Connection, user: str) -> list[tuple[str, bool, bool]]:
    return conn.execute(queries.load("store")["role_facts"], {"names": list(_ROLES), "user": user}).fetchall()


def _rights(conn: Connection, *, known: bool) -> list[sql.Composed]:
    row = conn.execute(queries.load("store")["owner_rights"], {"known": known, "owner": OWNER}).fetchone()
    if row is None:
        return []
    database, may_create = row
    if may_create:
        return []
    return [
        sql.SQL("grant create on database {} to {}").format(sql.Identifier(database), sql.Identifier(OWNER))
    ]


def _too_weak(conn: Connection, missing: list[sql.Composed]) -> Unavailable:
    statements = "; ".join(statement.as_string(conn) for statement in missing)
    return Unavailable(
        f"database user {conn.info.user!r} may not prepare database {conn.info.dbname!r}; "
        f"have an administrator run there: {statements}"
    )
