"""Linear's webhooks: signed over the raw bytes, and sent just now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from muniment.domain.times import format_instant
from muniment.sources.connector import Configured, Delivery, Heard, Unsigned
from muniment.sources.linear import issues
from muniment.sources.parsed import Parsed, Unread
from muniment.sources.wire import told
from muniment.sources.wire.mapping import Mapped, parse_mapping, stated
from muniment.sources.wire.signed import check_hmac
from muniment.sources.wire.told import Object

__all__ = ["LinearHook", "tell"]

_WINDOW: Final = 600.0  # seconds between a delivery's sending and its being heard
_KINDS: Final = {"Issue": "issue", "Comment": "comment"}
_PASSED_BY: Final = frozenset(
    "Attachment AuditEntry Customer CustomerNeed Cycle Document Initiative InitiativeUpdate IssueAttachment "
    "IssueLabel IssueSLA OAuthApp PermissionChange Project ProjectLabel ProjectUpdate Reaction User".split()
)


@dataclass(frozen=True, slots=True)
class LinearHook:
    """Hears what one secret signs."""

    configured: Configured

    def hear(self, delivery: Delivery) -> Heard:
        """What it says of an issue or a comment; another kind of thing is named in the reply."""
        check_hmac(delivery, self.configured.secret("webhook_secret"), "linear-signature")
        payload = told.as_object(told.read(delivery.raw))
        sent = told.whole(payload, "webhookTimestamp")
        if sent is not None and abs(delivery.at.timestamp() - sent / 1000) > _WINDOW:
            raise Unsigned("the delivery was signed at another time than it came")
        kind = told.text(payload, "type") or ""
        if kind in _PASSED_BY:
            return Heard(reply={"note": f"nothing of {kind!r} is kept"})
        mapped = parse_mapping(self.configured.settings.get("audiences", ""))
        return Heard(tuple(tell(self.configured.source, payload, mapped, format_instant(delivery.at))))


def tell(source: str, payload: Object, mapped: Mapped, at: str) -> Iterator[Parsed]:
    """What a payload says."""
    said = told.text(payload, "type") or ""
    kind, thing = _KINDS.get(said), _with_address(payload)
    if kind is None or not told.part(payload, "data"):
        yield Unread(f"type {said[:100]!r}", told.written(payload), "it is of no kind that is known")
        return
    if (team := issues.team_of(thing)) is not None:
        yield from stated(mapped, source, team, at)
    if told.text(payload, "action") == "remove":
        yield from issues.gone(source, kind, thing)
    elif kind == "comment":
        yield from issues.comment_told(source, thing)
    else:
        yield from issues.issue_told(source, thing)
        yield from issues.states_in(source, thing, told.part(payload, "updatedFrom"), whole=False)


def _with_address(payload: Object) -> Object:
    """The thing; its address may stand beside it."""
    thing = told.part(payload, "data")
    url = told.text(thing, "url") or told.text(payload, "url")
    return {**thing, "url": url} if url is not None else thing
