"""Jira's webhooks, admitted by a signature, by a signed token or by a shared secret."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from muniment.domain.times import format_instant
from muniment.sources.connector import Configured, Delivery, Heard, Unsigned
from muniment.sources.jira import issues
from muniment.sources.parsed import Parsed, Unread
from muniment.sources.wire import told
from muniment.sources.wire.mapping import Mapped, parse_mapping, stated
from muniment.sources.wire.signed import check_bearer, check_hmac
from muniment.sources.wire.told import Object

__all__ = ["JiraHook", "tell"]

_GONE: Final = "jira:issue_deleted"
_ISSUES: Final = frozenset(("jira:issue_created", "jira:issue_updated"))
_COMMENTS: Final = frozenset(("comment_created", "comment_updated"))
_PREFIXES: Final = (
    "attachment_", "board_", "configuration", "issuelink_", "issue_property_", "jira:version_",
    "jira:worklog_", "option_", "project_", "sprint_", "user_", "worklog_", "issuetype_", "filter_", "field_",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class JiraHook:
    """Hears what one secret admits."""

    configured: Configured

    def hear(self, delivery: Delivery) -> Heard:
        """What it says of an issue or a comment; another event is named in the reply."""
        _admit(delivery, self.configured.secret("webhook_secret"))
        payload = told.as_object(told.read(delivery.raw))
        mapped = parse_mapping(self.configured.settings.get("audiences", ""))
        event = told.text(payload, "webhookEvent") or ""
        if event.startswith(_PREFIXES):
            return Heard(reply={"note": f"nothing of {event[:100]!r} is kept"})
        at = format_instant(delivery.at)
        return Heard(tuple(tell(self.configured.source, event, payload, mapped, at)))


def _admit(delivery: Delivery, secret: str) -> None:
    """By whichever of the three ways the delivery chose."""
    scheme, _, token = delivery.headers.get("authorization", "").partition(" ")
    if "x-hub-signature" in delivery.headers:
        check_hmac(delivery, secret, "x-hub-signature", "sha256=")
    elif scheme.casefold() == "jwt":
        _check_token(token.strip(), secret, delivery)
    else:
        check_bearer(delivery, secret)


def _check_token(token: str, secret: str, delivery: Delivery) -> None:
    from jwt import InvalidTokenError, decode  # noqa: PLC0415  # the extra `serve`, and heavy

    # Its time is held against the delivery's own, not against another clock.
    options = {
        "require": ["exp"],
        "verify_exp": False,
        "verify_iat": False,
        "verify_aud": False,
        "verify_nbf": False,
    }
    try:
        expires = told.whole(decode(token, secret, algorithms=["HS256"], options=options), "exp")  # type: ignore[arg-type]
    except (InvalidTokenError, ValueError, TypeError):
        expires = None
    if not secret or expires is None or expires < delivery.at.timestamp():
        raise Unsigned("the delivery's token does not hold")


def tell(source: str, event: str, payload: Object, mapped: Mapped, at: str) -> Iterator[Parsed]:
    """What an event of that name says."""
    issue, comment = told.part(payload, "issue"), told.part(payload, "comment")
    container = issues.container_of(issue)
    if container is not None:
        yield from stated(mapped, source, container, at)
    if event in _ISSUES and issue:
        yield from issues.issue_told(source, issue)
        yield from issues.states_in(source, issue, told.part(payload, "changelog"), whole=False)
    if event == _GONE and issue:
        yield from issues.issue_gone(source, issue)
    elif event == "comment_deleted" and comment:
        yield from issues.comment_gone(source, comment)
    elif (event in _COMMENTS or event in _ISSUES) and comment:
        yield from issues.comment_told(source, comment, issue)
    elif event not in _ISSUES or not issue:
        yield Unread(f"event {event[:100]!r}", told.written(payload), "it is of no kind that is known")
