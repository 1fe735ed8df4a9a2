"""Who may read a document that somebody chose readers for, and that may narrow them itself."""

from __future__ import annotations

from collections.abc import Mapping

from muniment.domain.audience import Audience, parse_audience
from muniment.domain.errors import Malformed
from muniment.sources.folder.upsert import DocumentEvent

__all__ = ["audience_setting", "for_readers"]


def audience_setting(said: str | None) -> Audience | None:
    """`group:staff, user:ann` as one clause, `&` between clauses; None, the importer alone, if not said."""
    if not (said or "").strip():
        return None
    clauses: list[object] = [
        [name.strip() for name in clause.split(",") if name.strip()] for clause in str(said).split("&")
    ]
    try:
        return parse_audience(clauses)
    except ValueError as error:
        raise Malformed(f"audience {said!r}: {error}") from None


def for_readers(
    made: DocumentEvent, chosen: Audience | None, account: str | None = None
) -> Mapping[str, object]:
    """The event for the chosen readers, narrowed by its own word; none named leaves it to the importer.

    ValueError where its own word is no audience: it is never read as no restriction.
    """
    narrow = None if made.narrow is None else parse_audience(made.narrow)
    event = dict(made.event)
    if chosen is not None:
        event["audience"] = (chosen if narrow is None else chosen & narrow).as_lists()
    if account is not None:
        event.setdefault("account", account)
    return event
