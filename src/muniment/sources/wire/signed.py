"""Signatures and secrets of deliveries, over the raw bytes and in constant time."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence

from muniment.sources.connector import Delivery, Unsigned

__all__ = ["check_bearer", "check_hmac"]


def check_hmac(delivery: Delivery, secret: str, header: str, prefix: str = "") -> None:
    """One of the header's signatures must be HMAC-SHA-256 of the body; several stand there in a rotation.

    Unsigned whatever is wrong: nothing there, another form, another secret.
    """
    expected = prefix + hmac.digest(secret.encode(), delivery.raw, hashlib.sha256).hex()
    given = _parts(delivery.headers.get(header, ""))
    if not secret or not _any_equal(given, expected):
        raise Unsigned(f"the delivery's {header} does not hold")


def check_bearer(delivery: Delivery, secret: str) -> None:
    """The authorization header must be this bearer secret."""
    said = delivery.headers.get("authorization", "")
    scheme, _, token = said.partition(" ")
    if not secret or scheme.casefold() != "bearer" or not _any_equal([token.strip()], secret):
        raise Unsigned("the delivery's authorization does not hold")


def _parts(header: str) -> Sequence[str]:
    return [part.strip() for part in header[:4096].split(",")]


def _any_equal(given: Sequence[str], expected: str) -> bool:
    # As bytes: compare_digest refuses text that is not ASCII with an exception of its own.
    wanted = expected.encode()
    return any(hmac.compare_digest(one.encode("utf-8", "replace"), wanted) for one in given)
