"""A page tells nothing of what its reader may not see: backlinks, merges, conflicts, titles, counts, changes.

Each way of hiding something is tried beside the same world without it. Ann may see it, so that each world
differs for somebody: a page that told nobody would not pass.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

import pytest

from muniment.app import Org
from muniment.domain.errors import MunimentError
from muniment.domain.values import dump
from muniment.view import View
from tests.worlds import Clock, Event, at, member, open_org, person, said, taken

FINANCE = [["group:finance"]]


def document(id: str, title: str, body: str, hours: float = 0, **fields: object) -> Event:  # noqa: A002  # the contract's own word
    return said(id, body, hours, source="policies", kind="document", title=title, **fields)


def entity(id: str, name: str, *aliases: str, **fields: object) -> Event:  # noqa: A002  # as above
    plain = {"op": "entity", "source": "crm", "at": at(0), "entity_kind": "account", "audience": [["*"]]}
    return {**plain, "id": id, "name": name, "aliases": list(aliases), **fields}


SEEN = [
    person("user:ann"),
    person("user:bo"),
    member("group:finance", "user:ann"),
    entity("1", "Acme GmbH", "Acme"),
    said("m1", "The renewal date is 2027-03-01.", account="Acme", author="user:bo"),
    said("m2", "I'll send the draft by 20 June.", 1, account="ACM", author="user:bo"),
    said("m3", "Acme GmbH called about the travel policy.", 2, service="checkout"),
    said("m4", "Slow again.", 3, account="Acme", service="checkout"),
    document("2026", "Travel policy", "The hotel limit is EUR 180.", valid_from="2026-01-01"),
    said("INC-7", "Root cause: a full disk.", 4, source="incidents", kind="episode", title="Checkout down"),
]
NEWER = {"supersedes": ["2026"], "valid_from": "2026-02-01"}
LEANS = [["checkout", "depends_on", "vault"], ["web", "feeds", "checkout"]]
STOP = "Decision: we stop selling to them."
HIDDEN: Mapping[str, Sequence[Event]] = {
    "a backlink": [said("h1", "Acme GmbH again, and INC-7, and the travel policy.", 5)],
    "many backlinks": [said(f"h{n}", f"Acme, Acme GmbH, checkout, INC-7: {n}.", 5) for n in range(70)],
    "a member of a merge": [entity("9", "Acme GmbH", "ACM")],
    "a second of the name": [entity("9", "Acme Ltd", "Acme")],
    "a conflict": [said("h1", "The renewal date is 2028-01-01.", 5, account="Acme", author="user:ann")],
    "a title": [document("h1", "ACM", "Nothing of note.", 5), document("h2", "Checkout down", "No.", 6)],
    "a successor": [document("h1", "Travel policy", "The hotel limit is EUR 999.", 5, **NEWER)],
    "an amendment": [document("h1", "Taxi amendment", "Taxis are free.", 5, amends=["2026"])],
    "an edge of topology": [{"op": "topology", "source": "cmdb", "at": at(0), "edges": LEANS}],
    "talk beside it": [said(f"h{n}", STOP, 5 + n, account="Acme", project="Heron") for n in range(3)],
    "more claims": [said(f"h{n}", f"The limit of zone {n} is {n}.", account="Acme") for n in range(120)],
    "an incident": [said("INC-7", "Root cause: sabotage.", 5, source="vault", kind="episode", title="INC-7")],
}
NAMES = (
    "acme",
    "acme gmbh",
    "acm",
    "checkout",
    "travel policy",
    "inc-7",
    "INC-7: Checkout down",
    "heron",
    "acme ltd",
)
ASKED: tuple[Callable[[View], object], ...] = (
    lambda view: view.pages(),
    *(lambda view, name=name: view.page(name) for name in NAMES),
    *(lambda view, name=name: view.changes(name, SINCE) for name in NAMES),
    lambda view: view.search("renewal date of the hotel limit", unit="page"),
    lambda view: view.search("acme checkout disk", unit="page", limit=3),
    lambda view: view.context("Prepare the renewal with Acme and the travel policy", budget=400),
    lambda view: view.context("Why was checkout slow?", budget=2000),
)
SINCE = "2026-11-30T09:00:00Z"


def replies(org: Org, who: str, known_at: str | None) -> list[str]:
    view = org.reader(who, known_at=known_at)
    return [reply(asked, view) for asked in ASKED]


def reply(asked: Callable[[View], object], view: View) -> str:
    try:
        found = dump(asked(view))
    except MunimentError as error:
        return f"{type(error).__name__}: {error}"
    if isinstance(found, dict):
        found.pop("trace", None)
    return json.dumps(found, ensure_ascii=False, sort_keys=True)


def told(url: str, name: str, hidden: Sequence[Event]) -> tuple[list[str], list[str]]:
    """What Bo and Ann are told in the world with these events."""
    clock = Clock()
    with open_org(url, name, clock) as org:
        taken(org, SEEN)
        clock.forward(hours=1)
        taken(org, [{**event, "audience": FINANCE} for event in hidden])
        taken(org, [said("m9", "Decision: Acme gets 12 %.", 9, account="Acme")])
        both = [[*replies(org, who, None), *replies(org, who, SINCE)] for who in ("user:bo", "user:ann")]
        return both[0], both[1]


@pytest.fixture(scope="module")
def without(url: str) -> tuple[list[str], list[str]]:
    """The world in which nothing is hidden."""
    return told(url, "pages-without", ())


@pytest.mark.parametrize("way", HIDDEN)
def test_what_is_hidden_changes_no_byte_of_a_page_and_whoever_may_see_it_is_told(
    url: str, tenant: str, way: str, without: tuple[list[str], list[str]]
) -> None:
    bo, ann = told(url, tenant, HIDDEN[way])

    assert bo == without[0]
    assert ann != without[1]
