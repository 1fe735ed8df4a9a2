"""What a person is asked to agree to, as a token they give back: whole, theirs, and good for a while. Pure.

Nothing is kept between the two runs. The token holds the call, bound to whose task it is, and is sealed by
the organisation's key, so that what was agreed to is what is done.
"""

from __future__ import annotations

import base64
import hmac
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from muniment.domain.errors import Refused
from muniment.domain.identity import keyed_digest
from muniment.domain.tasks import Proposal
from muniment.domain.times import format_instant, read_instant
from muniment.domain.values import Json

__all__ = ["LASTS", "Asker", "find_agent", "sealed", "unsealed"]

LASTS: Final = timedelta(hours=1)
_REFUSED: Final = "this consent is not for this task, or too late; run the task again to be asked again"
_LONGEST: Final = 200_000  # characters of a token


@dataclass(frozen=True, slots=True)
class Asker:
    """Whose task it is, who does it for them, who hears it, and its words."""

    principal: str
    agent: str | None
    hearers: tuple[str, ...]
    task: str


def sealed(key: bytes, asker: Asker, proposal: Proposal, expires: datetime) -> str:
    """The token of a proposal."""
    held: dict[str, Json] = {
        "who": [asker.principal, asker.agent, *asker.hearers],
        "task": keyed_digest(key, "task", asker.task).hex(),
        "tool": proposal.tool,
        "arguments": dict(proposal.arguments),
        "rests_on": list(proposal.rests_on),
        "expires": format_instant(expires),
    }
    body = base64.urlsafe_b64encode(json.dumps(held, sort_keys=True).encode()).decode()
    return f"{body}.{_seal(key, body)}"


def unsealed(key: bytes, asker: Asker, token: str, now: datetime) -> Proposal:
    """What the token agrees to. Refused alike for one that is not ours, not theirs, or too old."""
    match _held(key, token):
        case {
            "who": list(who),
            "task": str(task),
            "tool": str(tool),
            "arguments": dict(arguments),
            "rests_on": list(rests_on),
            "expires": str(expires),
        }:
            until = read_instant("expires", expires)
            mine = who == [asker.principal, asker.agent, *asker.hearers]
            same = task == keyed_digest(key, "task", asker.task).hex()
            if mine and same and until is not None and now < until:
                return Proposal(tool, arguments, tuple(str(one) for one in rests_on))
    raise Refused(_REFUSED)


def find_agent(key: bytes, token: str) -> str | None:
    """The agent whose call a token is for: a person agrees to what it asked in their name."""
    who = _held(key, token).get("who")
    agent = who[1] if isinstance(who, Sequence) and len(who) > 1 else None
    return agent if isinstance(agent, str) else None


def _held(key: bytes, token: str) -> Mapping[str, Json]:
    body, _, seal = token.partition(".")
    right = _seal(key, body).encode()
    if len(token) > _LONGEST or not hmac.compare_digest(seal.encode("utf-8", "replace"), right):
        raise Refused(_REFUSED)
    # The seal is ours, and so is all that is under it.
    found = json.loads(base64.urlsafe_b64decode(body))
    return found if isinstance(found, dict) else {}


def _seal(key: bytes, body: str) -> str:
    # Twice 16 bytes, the second under another name.
    return keyed_digest(key, "consent", body).hex() + keyed_digest(key, "consent-2", body).hex()
