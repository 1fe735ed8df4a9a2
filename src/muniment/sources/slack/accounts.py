"""Which account a channel is about, where a person says so: `acme-renewal=acct-101, C042=Globex`.

Slack does not know. A channel goes by its id, or by the name it had when something was written there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from muniment.domain.errors import Malformed

__all__ = ["ACCOUNTS", "parse_accounts"]

ACCOUNTS: Final = "accounts"  # the option of an export, and the setting of a workspace


def parse_accounts(said: str) -> Mapping[str, str]:
    """Accounts by channel; Malformed names the part that cannot be read."""
    found: dict[str, str] = {}
    for part in (one.strip() for one in said.replace("\n", ",").split(",")):
        if part:
            channel, _, account = (piece.strip() for piece in part.partition("="))
            channel = channel.removeprefix("#")
            if not channel or not account or channel in found:
                raise Malformed(f"accounts: {part!r} is not CHANNEL=ACCOUNT, each once, as C042=acct-101")
            found[channel] = account
    return found
