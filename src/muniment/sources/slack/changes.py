"""What is told of a message after it was written: edited, deleted, or only looked at again by Slack."""

from __future__ import annotations

from collections.abc import Iterator

from muniment.sources.parsed import Parsed, Unread
from muniment.sources.slack.message import Place, body_of, deleted, message_events, version_of
from muniment.sources.slack.shapes import Shape, is_ts, part, text

__all__ = ["told"]


def told(said: Shape, place: Place) -> Iterator[Parsed]:
    """A message as it was written, or what a notice about one says."""
    match text(said, "subtype"):
        case "message_changed":
            yield from _changed(said, place)
        case "message_deleted":
            yield _deleted(said, place)
        case _:
            yield from message_events(said, place)


def _changed(said: Shape, place: Place) -> Iterator[Parsed]:
    """The message as it is now; the same version where nobody edited it, which the record holds already.

    A few changes come without a mark: a file taken away, an app that writes its message anew. Those count
    from the notice, which tells the text before as well.
    """
    now, before = part(said, "message"), part(said, "previous_message")
    unmarked = version_of(now) == version_of(before) and body_of(now, place.names) != body_of(
        before, place.names
    )
    if unmarked or text(now, "subtype") == "tombstone":
        yield from message_events(now, place, changed=_ts(said))
    else:
        yield from message_events(now, place)


def _deleted(said: Shape, place: Place) -> Parsed:
    ts = text(said, "deleted_ts") or text(part(said, "previous_message"), "ts")
    if not is_ts(ts):
        return Unread(place.channel, str(dict(said))[:2_000], f"deleted_ts {ts!r:.80} is no time stamp")
    return deleted(ts, place, _ts(said))


def _ts(said: Shape) -> str:
    """When the notice itself was given."""
    found = (text(said, name) for name in ("ts", "event_ts"))
    return next((ts for ts in found if is_ts(ts)), "")
