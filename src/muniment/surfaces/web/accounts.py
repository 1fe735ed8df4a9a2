"""Accounts: what is owed, what to tread lightly on, and the page that hands one over, to be signed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from muniment.domain.accounts import Commitment
from muniment.domain.errors import Refused
from muniment.surfaces.web.numbering import numbers_of
from muniment.surfaces.web.rendering import wiki_place
from muniment.surfaces.web.visits import Gone, Sheet, Shown, Visit

__all__ = ["account", "accounts", "commitments", "due_days", "landmines", "sign"]

MOST_OWED = 300  # lines of one page; the rest is counted, and told whole by the other doors
_MOST_CHANGES = 8
_OVER = frozenset({"satisfied", "cancelled", "released", "delegated", "superseded"})


def accounts(visit: Visit) -> Shown:
    """Every account there is for this visitor; those whose title has some words, if there are some."""
    words = visit.ask("q").casefold()
    every = [one for one in visit.view.pages() if one.kind == "account" and words in one.title.casefold()]
    return Shown("accounts.html", {"accounts": sorted(every, key=lambda one: one.title.casefold())})


def account(visit: Visit) -> Shown:
    """What whoever takes the account over must know, who signed it, and what changed last."""
    view, name = visit.view, _named(visit)
    page = view.handoff(name)
    changes = sorted(view.timeline(page.account), key=lambda one: one.at, reverse=True)
    shown = changes[:_MOST_CHANGES]
    cited = [one for section in page.sections for line in section.lines for one in line.citations]
    values = {
        "page": page,
        "numbers": numbers_of((*cited, *(one.citation for one in shown if one.citation is not None))),
        "cited": list({one.id: one for one in cited}.values()),
        "changes": shown,
        "may_sign": visit.bearer.agent is None and not (visit.ask("with") or visit.ask("known_at")),
        "signed": visit.ask("signed") == "1",
    }
    return Shown("account.html", values)


def sign(visit: Visit) -> Gone:
    """Sign the page that was shown; another one by now is a conflict."""
    name, as_of = visit.sent.get("entity", ""), visit.sent.get("as_of", "")
    signed = visit.view_of(as_of).sign_handoff(name, visit.sent.get("seen", ""))
    return Gone(visit.place(wiki_place(signed.account, "account"), as_of=as_of, signed="1"))


def commitments(visit: Visit) -> Shown:
    """Who owes what to whom by when, overdue first; of every account where none is named."""
    found = visit.view.commitments(visit.name or None)
    shown = found[:MOST_OWED]
    values = {
        "name": visit.name,
        "groups": _grouped(shown),
        "numbers": numbers_of(cited for one in shown for cited in one.citations),
        "more": len(found) - len(shown),
    }
    return Shown("commitments.html", values)


def landmines(visit: Visit) -> Shown:
    """What to know before a subject is opened again; of every account where none is named."""
    found = visit.view.landmines(visit.name or None)
    shown = found[:MOST_OWED]
    values = {
        "name": visit.name,
        "landmines": shown,
        "numbers": numbers_of(cited for one in shown for cited in one.citations),
        "more": len(found) - len(shown),
    }
    return Shown("landmines.html", values)


def due_days(visit: Visit) -> Sheet:
    """The days of open commitments, for a calendar."""
    return Sheet(visit.view.due_days(visit.name or None), "text/calendar", "due.ics")


def _named(visit: Visit) -> str:
    if not visit.name:
        raise Refused("no account was named")
    return visit.name


def _grouped(found: Sequence[Commitment]) -> list[tuple[str, list[Commitment]]]:
    """What is overdue, what is open, what is over; within each in the order of the ledger."""
    return [(name, list(group)) for name, group in groupby(found, _group)]


def _group(one: Commitment) -> str:
    if one.overdue:
        return "late"
    return "over" if one.state in _OVER else "open"
