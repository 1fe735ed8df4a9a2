"""Bearer tokens: who comes through HTTP, and through which agent. Each is shown once and kept as a digest."""

from __future__ import annotations

import hmac
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Final

from muniment.domain.principals import Bearer
from muniment.domain.regex import regex
from muniment.domain.values import Value
from muniment.gate.directory import alias_of
from muniment.gate.policy import storable
from muniment.store.pool import Connection
from muniment.store.queries import load

__all__ = [
    "Listed",
    "Made",
    "drop_of_person",
    "find_bearer",
    "id_of",
    "is_of_nobody",
    "is_said_anew",
    "listed",
    "make",
    "parent_of",
    "revoke",
]

_SQL: Final = load("tokens")
# mnt_ tells secret scanners what they found; the name finds the row, the secret proves it.
_FORM: Final = regex(r"mnt_([0-9a-f]{16})_([0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class Made(Value):
    """A new token, shown this once."""

    token: str
    principal: str
    agent: str | None
    expires: datetime
    id: str


@dataclass(frozen=True, slots=True)
class Listed(Value):
    """A token as it is listed: everything but itself."""

    id: str
    principal: str
    agent: str | None
    made_by: str
    made_at: datetime
    expires: datetime
    revoked_at: datetime | None


def make(
    conn: Connection, tenant: str, bearer: Bearer, by: str, times: tuple[datetime, datetime], drawn: bytes
) -> Made:
    """A token for someone, from `times[0]` until `times[1]`, of at least 40 random bytes."""
    now, expires = times
    name, secret = drawn[:8].hex(), drawn[8:40].hex()
    token = f"mnt_{name}_{secret}"
    values = {"tenant": tenant, "token": name, "digest": _digest(secret), "by": by, "now": now}
    who = {"principal": bearer.principal, "agent": bearer.agent, "expires": expires}
    conn.execute(_SQL["make"], {**values, **who})
    return Made(token, bearer.principal, bearer.agent, expires, name)


def find_bearer(conn: Connection, tenant: str, token: str, now: datetime) -> Bearer | None:
    """Whom a token stands for; None for one that is malformed, unknown, expired, revoked or nobody's."""
    if (form := _FORM.fullmatch(token)) is None:
        return None
    row = conn.execute(_SQL["find"], {"tenant": tenant, "token": form[1]}).fetchone()
    if row is None:
        return None
    digest, principal, agent, expires = row
    if not hmac.compare_digest(bytes(digest), _digest(form[2])) or now >= expires:
        return None
    return Bearer(principal, agent)


def is_of_nobody(conn: Connection, tenant: str, bearer: Bearer) -> bool:
    """Whether somebody who was deactivated, or an agent that was, goes by this name."""
    name = storable(bearer.principal)
    values = {"tenant": tenant, "name": name, "alias": alias_of(name)}
    return conn.execute(_SQL["is_of_nobody"], {**values, "agent": bearer.agent}).fetchone() == (True,)


def drop_of_person(conn: Connection, tenant: str, principal: str, names: Collection[str]) -> None:
    """End every token of somebody who is erased, and leave no row that says how they were called."""
    called = sorted({principal, *names, *(f"user:{name}" for name in names)})
    conn.execute(_SQL["drop_of_person"], {"tenant": tenant, "principals": called})


def id_of(token: str) -> str | None:
    """A token's own id, by which it is listed; None for a text that is no token of ours."""
    form = _FORM.fullmatch(token)
    return None if form is None else form[1]


def parent_of(conn: Connection, tenant: str, token: str) -> str | None:
    """What a token that is made by this one is made by: it, or, for a session's, what that was begun with."""
    row = conn.execute(_SQL["parent"], {"tenant": tenant, "token": id_of(token)}).fetchone()
    return None if row is None else str(row[0])


def listed(conn: Connection, tenant: str, principal: str | None) -> list[Listed]:
    """Tokens of one principal, or of everyone, oldest first."""
    return [Listed(*row) for row in conn.execute(_SQL["list"], {"tenant": tenant, "principal": principal})]


def revoke(conn: Connection, tenant: str, token: str, owner: str | None, act: tuple[str, datetime]) -> bool:
    """End a token, of `owner` alone if one is given; False where there is none such. `act`: who and when."""
    by, now = act
    values = {"tenant": tenant, "token": token, "principal": owner, "by": by, "now": now}
    return conn.execute(_SQL["revoke"], values).rowcount > 0


def is_said_anew(
    conn: Connection, tenant: str, key: bytes, body: bytes, times: tuple[datetime, datetime]
) -> bool:
    """Whether a caller's key is new or stands for this same body; `times` is now, and before when keys go."""
    now, since = times
    values = {"tenant": tenant, "key": key, "body": body, "now": now, "since": since}
    row = conn.execute(_SQL["say_once"], values).fetchone()
    return row is None or bytes(row[0]) == body


def _digest(secret: str) -> bytes:
    return sha256(secret.encode()).digest()
