"""Who is behind a request: the token names the principal, and nothing in the request can choose another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Header, HTTPException, Request

from muniment.domain.principals import Bearer
from muniment.surfaces.http.limits import Rate

if TYPE_CHECKING:
    from muniment.app import Org
    from muniment.surfaces.http.oidc import Issuer

__all__ = ["Caller", "Presented", "Whose", "is_same_origin", "presented", "who_is"]

_SCHEME = "bearer "


def is_same_origin(headers: Mapping[str, str]) -> bool:
    """Whether a browser, where one asks, says that one of our own pages does.

    An origin is a scheme and a host, compared as they are written: one that is no address is not ours.
    """
    origin = headers.get("origin")
    return origin is None or origin.partition("://")[2] == headers.get("host")


class Whose:
    """Whom a credential stands for: by the record's own tokens, or by those of an issuer that it trusts."""

    def __init__(self, org: Org, issuer: Issuer | None = None) -> None:
        self._org = org
        self._issuer = issuer

    def find_bearer(self, credential: str) -> Bearer | None:
        """The bearer, or None for a credential that says nothing to us, for whatever reason."""
        if (found := self._org.tokens.bearer(credential)) is not None:
            return found
        named = None if self._issuer is None else self._issuer.find_bearer(credential)
        return None if named is None else self._org.tokens.resolved(named)


def presented(authorization: Annotated[str | None, Header(include_in_schema=False)] = None) -> str | None:
    """The credential in the header of a request."""
    if authorization is None or authorization[: len(_SCHEME)].lower() != _SCHEME:
        return None
    return authorization[len(_SCHEME) :].strip() or None


Presented = Annotated[str | None, Depends(presented)]


def who_is(request: Request, credential: Presented) -> Bearer:
    """The caller of this request; 401 where there is none, whatever is wrong."""
    whose: Whose = request.app.state.whose
    found = None if credential is None else whose.find_bearer(credential)
    if found is None:
        raise HTTPException(401, headers={"WWW-Authenticate": 'Bearer realm="muniment"'})
    rate: Rate = request.app.state.rate
    if wait := rate.wait_for(f"{found.principal} {found.agent}"):
        raise HTTPException(429, "too many requests", {"Retry-After": str(int(wait) + 1)})
    return found


Caller = Annotated[Bearer, Depends(who_is)]
