"""Tokens as people make and end them: each for whoever asks, or, by a steward, for all to see and end."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from hashlib import sha256

from muniment.domain.audience import is_principal
from muniment.domain.errors import Refused, Usage
from muniment.domain.principals import Bearer
from muniment.gate import audit, policy, tokens
from muniment.gate.binding import writing
from muniment.gate.tokens import Listed, Made
from muniment.jobs.loop import Work
from muniment.store.pool import Connection

__all__ = ["LASTS", "Listed", "Made", "Tokens"]

LASTS = timedelta(days=90)  # of a token where nobody says how long
_LONGEST = timedelta(days=3660)
_KEYS_KEPT = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Tokens:
    """The bearer tokens of one organisation."""

    work: Work

    def create(self, principal: str, *, agent: str | None = None, lasts: timedelta = LASTS) -> Made:
        """A token by which somebody, or an agent for them, comes through HTTP; it is shown this once."""
        if not is_principal(principal) or principal.startswith("agent:"):
            raise Usage(f"principal {principal!r} names nobody a token can be for: use user:… or service:…")
        if agent is not None and not (agent.startswith("agent:") and is_principal(agent)):
            raise Usage(f"agent {agent!r} must begin with agent:")
        if not timedelta(0) < lasts <= _LONGEST:
            raise Usage("a token lasts longer than nothing and at most ten years")
        work, now = self.work, self.work.clock()
        drawn = b"".join(work.salts() for _ in range(3))
        times = now, now + lasts
        with writing(work.database, work.tenant) as conn:
            made = tokens.make(conn, work.tenant, Bearer(principal, agent), principal, times, drawn)
            self._record(conn, principal, "token create", made.id)
        return made

    def begin_session(self, bearer: Bearer, credential: str | None, seconds: int) -> str:
        """A token of hours for a browser. It holds no longer than the token it was begun with, if one was."""
        work, now = self.work, self.work.clock()
        drawn = b"".join(work.salts() for _ in range(3))
        with writing(work.database, work.tenant) as conn:
            parent = None if credential is None else tokens.parent_of(conn, work.tenant, credential)
            times = now, now + timedelta(seconds=seconds)
            made = tokens.make(conn, work.tenant, bearer, parent or bearer.principal, times, drawn)
            self._record(conn, bearer.principal, "session begin", made.id)
        return made.token

    def end_session(self, bearer: Bearer, credential: str) -> None:
        """End the session of a browser; nothing where it is over."""
        work, act = self.work, (bearer.principal, self.work.clock())
        with writing(work.database, work.tenant) as conn:
            token = tokens.id_of(credential)
            if token is not None and tokens.revoke(conn, work.tenant, token, bearer.principal, act):
                self._record(conn, bearer.principal, "session end", token)

    def bearer(self, token: str) -> Bearer | None:
        """Whom a token stands for now; None where it stands for nobody."""
        with writing(self.work.database, self.work.tenant) as conn:
            return tokens.find_bearer(conn, self.work.tenant, token, self.work.clock())

    def resolved(self, bearer: Bearer) -> Bearer | None:
        """The same by the principal's own id, where an e-mail or alias was said and means somebody.

        None for whoever was deactivated.
        """
        with writing(self.work.database, self.work.tenant) as conn:
            found = policy.find_principal(conn, self.work.tenant, bearer.principal)
            named = bearer if found is None else replace(bearer, principal=found)
            return None if tokens.is_of_nobody(conn, self.work.tenant, named) else named

    def of(self, principal: str) -> list[Listed]:
        """One's own tokens; a steward's list is everyone's."""
        with writing(self.work.database, self.work.tenant) as conn:
            return tokens.listed(conn, self.work.tenant, self._whose(conn, principal))

    def revoke(self, principal: str, token: str) -> None:
        """End a token by its id: one's own, or anyone's for a steward. Refused for any other."""
        with writing(self.work.database, self.work.tenant) as conn:
            owner, act = self._whose(conn, principal), (principal, self.work.clock())
            if not tokens.revoke(conn, self.work.tenant, token, owner, act):
                raise Refused(f"no token {token!r}")
            self._record(conn, principal, "token revoke", token)

    def is_said_anew(self, bearer: Bearer, key: str, body: bytes) -> bool:
        """Whether a caller's own key is new, or was given with this same body before."""
        now, said = self.work.clock(), f"{bearer.principal}\0{bearer.agent or ''}\0{key}"
        named = sha256(said.encode("utf-8", "surrogatepass")).digest()
        with writing(self.work.database, self.work.tenant) as conn:
            digest = sha256(body).digest()
            return tokens.is_said_anew(conn, self.work.tenant, named, digest, (now, now - _KEYS_KEPT))

    def is_first(self, consent: str) -> bool:
        """Whether a consent is given for the first time: it is good for one call."""
        work, now = self.work, self.work.clock()
        named, drawn = sha256(f"consent\0{consent}".encode("utf-8", "surrogatepass")).digest(), work.salts()
        with writing(work.database, work.tenant) as conn:
            return tokens.is_said_anew(conn, work.tenant, named, drawn, (now, now - _KEYS_KEPT))

    def _whose(self, conn: Connection, principal: str) -> str | None:
        return None if policy.is_steward(conn, self.work.tenant, principal) else principal

    def _record(self, conn: Connection, principal: str, action: str, token: str) -> None:
        act = audit.Act(self.work.clock(), principal, action, token, {})
        audit.record(conn, self.work.tenant, act, self.work.salts())
