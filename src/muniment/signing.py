"""A handoff signed: somebody's word that they handed over, or took over, exactly what a page said.

An item of the record's own, made from all that the page showed: whoever may not read that does not learn
that it was signed. It is bound to the page's content: another page needs another signature.
"""

from __future__ import annotations

from muniment.domain.accounts import Handoff, SignOff
from muniment.domain.errors import Conflict, Usage
from muniment.domain.identity import keyed_digest
from muniment.domain.record import Moment
from muniment.domain.times import format_instant
from muniment.events.rights import RESERVED
from muniment.gate.reader import Hearing
from muniment.jobs.loop import Work
from muniment.notes import author_of, hand_in

__all__ = ["sign"]


def sign(work: Work, hearing: Hearing, page: Handoff, prefix: str, seen: str) -> SignOff:
    """Keep the signature; the same one twice is one."""
    if hearing.agent is not None:
        raise Usage(f"a handoff is signed by a person, not by {hearing.agent!r}")
    if page.seen != seen:
        raise Conflict(f"the handoff of {page.account!r} is not what {seen!r} stands for; read it again")
    now = work.clock()
    author = author_of(work, hearing, Moment(now, now, None))
    made_from = {
        f"{one.source}:{one.item}"
        for section in page.sections
        for line in section.lines
        for one in line.citations
        if one.item is not None
    }
    event = {
        "source": RESERVED,
        "id": f"{prefix}{keyed_digest(work.key, 'signed', author).hex()}/{seen}",
        "op": "upsert",
        "kind": "note",
        "at": format_instant(now),
        "version": "1",
        "author": author,
        "title": "Handoff signed",
        "body": f"Page {seen} was read and signed.",
        "audience": [["*"]] if made_from else [[author]],
        "derived_from": sorted(made_from),
    }
    hand_in(work, author, event, "sign")
    return SignOff(page.account, author, now, seen)
