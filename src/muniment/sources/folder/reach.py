"""Who may read a document that somebody chose readers for, and that may narrow them itself."""

from __future__ import annotations

from collections.abc import Mapping

from muniment.domain.audience import Audience, parse_audience
from muniment.domain.errors import Malformed
from muniment.sources.folder.upsert import DocumentEvent

__all__ = ["OWN_WORD", "audience_setting", "for_readers", "narrowed"]

OWN_WORD = "audience_of_its_header"  # of an event whose readers are chosen where it is handed in


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
    """The event for the chosen readers, narrowed by its own word, which goes along where none are named here.

    ValueError where its own word is no audience: it is never read as no restriction.
    """
    narrow = None if made.narrow is None else parse_audience(made.narrow)
    event = dict(made.event)
    if chosen is None and narrow is not None:
        event[OWN_WORD] = narrow.as_lists()
    if chosen is not None:
        event["audience"] = (chosen if narrow is None else chosen & narrow).as_lists()
    if account is not None:
        event.setdefault("account", account)
    return event


def narrowed(
    event: Mapping[str, object], chosen: Audience | None
) -> tuple[Mapping[str, object], Audience | None]:
    """An event without its header's word on its readers, and the readers chosen for it, narrowed by that.

    None chosen is left to the importer, of whom a header cannot let in more. ValueError as above.
    """
    if OWN_WORD not in event:
        return event, chosen
    left = {name: value for name, value in event.items() if name != OWN_WORD}
    return left, None if chosen is None else chosen & parse_audience(event[OWN_WORD])
