"""Whether a delivery is Slack's: an HMAC over its time and its raw bytes, before anybody looks into it.

Slack's own verifier raises on a time that is no number, a body that is no UTF-8 and a signature that is no
ASCII. Here each of those is what it is, a delivery that nobody signed.
"""

from __future__ import annotations

import hashlib
import hmac
import re

from muniment.domain.regex import regex
from muniment.sources.connector import Delivery, Unsigned

__all__ = ["WINDOW", "sign", "verify"]

WINDOW = 300  # seconds that a delivery may be old, or our clocks apart; Slack's own recommendation
_TIME = regex(r"\d{1,12}\Z", re.ASCII)


def verify(delivery: Delivery, secret: str) -> None:
    """Unsigned where the signature does not hold, whatever the reason."""
    said_at = delivery.headers.get("x-slack-request-timestamp", "")
    given = delivery.headers.get("x-slack-signature", "")
    if not secret or not _TIME.match(said_at):
        raise Unsigned("the delivery carries no time of its own")
    if abs(delivery.at.timestamp() - int(said_at)) > WINDOW:
        raise Unsigned(f"the delivery is older than {WINDOW} seconds, or our clocks are apart")
    expected = sign(delivery.raw, said_at, secret)
    if not hmac.compare_digest(expected.encode(), given.encode("utf-8", "surrogatepass")):
        raise Unsigned("the signature is not of this delivery")


def sign(raw: bytes, said_at: str, secret: str) -> str:
    """The signature that Slack puts on a body at a time."""
    base = b"v0:" + said_at.encode() + b":" + raw
    return f"v0={hmac.digest(secret.encode(), base, hashlib.sha256).hex()}"
