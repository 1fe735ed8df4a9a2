"""Events as anybody can serve or send them: JSONL at an address, and signed deliveries."""

from __future__ import annotations

from typing import Final

from muniment.sources.connector import Configured, Connector, ConnectorKind, Hook, Setting

__all__ = ["CONNECTORS"]

_SIGNED: Final = "What deliveries are signed with"


def _feed(configured: Configured) -> Connector:
    from muniment.sources.feed.pulled import Feed  # noqa: PLC0415  # kinds are listed without what reads them

    return Feed.of(configured)


def _hook(configured: Configured) -> Hook:
    from muniment.sources.feed.delivered import Deliveries  # noqa: PLC0415  # as above

    return Deliveries.of(configured)


CONNECTORS: Final = (
    ConnectorKind(
        "jsonl",
        "Event JSONL at an address, whole or in pages, and signed deliveries of it",
        (
            Setting("url", "The address, which gives one event a line"),
            Setting("token", "A bearer token for the address", secret=True, required=False),
            Setting("ids", "An address that lists the ids of all there is, for sweeps", required=False),
            Setting("secret", _SIGNED, secret=True, required=False),
        ),
        _feed,
        _hook,
        (
            "reads the events that the address gives, each for the audience it names itself",
            "needs a bearer token where the address asks for one",
            "cannot know what was removed without a deletion, unless the setting ids is given",
        ),
    ),
    ConnectorKind(
        "events",
        "Signed deliveries of events from any program of yours",
        (Setting("secret", _SIGNED, secret=True),),
        None,
        _hook,
        (
            "takes in the events of each delivery, each for the audience it names itself",
            "needs each delivery to be signed, see docs/connectors/feed.md",
            "cannot know what was never delivered",
        ),
    ),
)
