"""Bearer tokens of an OpenID Connect issuer: JWTs (RFC 7519), verified by the issuer's published keys.

Only asymmetric signatures count, so that a public key is never taken for a shared secret. A key that is not
known makes the keys be fetched again, at most every so often: that is rotation, and no way to make us fetch
all day.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import jwt

from muniment.domain.audience import is_principal
from muniment.domain.errors import Malformed, Unavailable
from muniment.domain.principals import Bearer

__all__ = ["Issuer", "OidcUse", "issuer_of"]

_ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
_AGAIN_AFTER = 10.0  # seconds between two fetches of keys
_LONGEST = 16_384  # characters of a token
_LEEWAY = 30  # seconds that two clocks may differ


@dataclass(frozen=True, slots=True)
class OidcUse:
    """Whose tokens count, for whom they must be meant, and which claim names the principal."""

    issuer: str
    audience: str
    claim: str = "email"
    jwks: str | None = None

    @classmethod
    def read(cls, said: Mapping[str, str]) -> OidcUse | None:
        """From MUNIMENT_OIDC_…; None where there is no issuer. Malformed where its audience is missing."""
        issuer, audience = said.get("MUNIMENT_OIDC_ISSUER"), said.get("MUNIMENT_OIDC_AUDIENCE")
        if not issuer:
            return None
        if not audience:
            raise Malformed("MUNIMENT_OIDC_ISSUER needs MUNIMENT_OIDC_AUDIENCE: for whom its tokens must be")
        claim = said.get("MUNIMENT_OIDC_CLAIM") or "email"
        return cls(issuer, audience, claim, said.get("MUNIMENT_OIDC_JWKS") or None)


FetchJson = Callable[[str], Mapping[str, object]]


@dataclass(slots=True)
class Issuer:
    """An issuer whose tokens we take, with its keys as they were last fetched."""

    use: OidcUse
    fetch: FetchJson
    ticks: Callable[[], float]
    _keys: dict[str, jwt.PyJWK] = field(default_factory=dict)
    _fetched: float | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def find_bearer(self, token: str) -> Bearer | None:
        """Whom a token stands for; None for one that is not the issuer's, not for us, or not of now."""
        if len(token) > _LONGEST or token.count(".") != 2:
            return None
        try:
            header = jwt.get_unverified_header(token)
            key = self._key(str(header.get("kid", "")))
            if key is None or header.get("alg") not in _ALGORITHMS:
                return None
            return _bearer(self._claims(token, key), self.use.claim)
        except (jwt.PyJWTError, ValueError, TypeError):  # malformed in any of the ways there are
            return None

    def _claims(self, token: str, key: jwt.PyJWK) -> Mapping[str, object]:
        found: Mapping[str, object] = jwt.decode(
            token,
            key,
            algorithms=[key.algorithm_name],
            audience=self.use.audience,
            issuer=self.use.issuer,
            leeway=_LEEWAY,
            options={"require": ["exp", "iss", "aud"]},
        )
        return found

    def _key(self, kid: str) -> jwt.PyJWK | None:
        with self._lock:
            if kid not in self._keys and self._may_fetch():
                self._fetched = self.ticks()
                self._keys = _keys_in(self.fetch(self._place()))
            return self._keys.get(kid)

    def _may_fetch(self) -> bool:
        return self._fetched is None or self.ticks() - self._fetched >= _AGAIN_AFTER

    def _place(self) -> str:
        if self.use.jwks:
            return self.use.jwks
        said = self.fetch(f"{self.use.issuer.rstrip('/')}/.well-known/openid-configuration")
        place = said.get("jwks_uri")
        if not isinstance(place, str):
            raise Unavailable(f"issuer {self.use.issuer!r} does not say where its keys are")
        return place


def _keys_in(said: Mapping[str, object]) -> dict[str, jwt.PyJWK]:
    """Keys for signatures that we know; those we do not know are the issuer's own business."""
    found: dict[str, jwt.PyJWK] = {}
    listed = said.get("keys")
    for one in listed if isinstance(listed, list) else []:
        try:
            key = jwt.PyJWK.from_dict(one)
        except (jwt.PyJWTError, ValueError, TypeError, AttributeError):
            continue
        if key.algorithm_name in _ALGORITHMS and key.public_key_use in (None, "sig"):
            found[key.key_id or ""] = key
    return found


def _bearer(claims: Mapping[str, object], claim: str) -> Bearer | None:
    """The principal a claim names: as it stands, or as an e-mail or alias that the record resolves."""
    said = claims.get(claim)
    if not isinstance(said, str) or not said:
        return None
    if claim == "email" and ("@" not in said or claims.get("email_verified", True) not in (True, "true")):
        return None
    if "act" not in claims:
        return Bearer(said)
    acting = claims["act"]
    sub = acting.get("sub") if isinstance(acting, Mapping) else None
    agent = f"agent:{sub}" if isinstance(sub, str) and sub else ""
    return Bearer(said, agent) if is_principal(agent) else None


def issuer_of(use: OidcUse, ticks: Callable[[], float]) -> Issuer:
    """An issuer whose keys are fetched over HTTP."""
    # Imported where an issuer is used: the rest of the server needs no client.
    import httpx2  # noqa: PLC0415  # the reason above

    def fetch(place: str) -> Mapping[str, object]:
        try:
            reply = httpx2.get(place, timeout=5.0)
            said = reply.raise_for_status().json()
        except (httpx2.HTTPError, ValueError) as error:
            raise Unavailable(
                f"the keys of {use.issuer!r} cannot be fetched: {type(error).__name__}"
            ) from error
        return said if isinstance(said, dict) else {}

    return Issuer(use, fetch, ticks)
