"""A page depends on what its reader may read, on the request and on the clock, not on what is hidden."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.web.conftest import signed_in, site_of, unbound
from tests.worlds import Clock, Event, member, open_org, person, said, taken

FINANCE = [["group:finance"]]
THEN = "as_of=2026-12-01T09:00:00Z&known_at=2026-12-01T09:00:00Z"
SEEN = [
    person("user:ann"),
    person("user:bo"),
    member("group:finance", "user:ann"),
    said("m1", "The renewal date is 2027-03-01.", account="Acme", author="user:bo"),
    said("2026", "The hotel limit is EUR 180.", 1, source="policies", kind="document", title="Travel policy"),
    said("m3", "Acme called about the travel policy.", 2, account="Acme"),
]
NEWER: Mapping[str, object] = {"source": "policies", "kind": "document", "supersedes": ["2026"]}
HIDDEN: Sequence[Event] = (
    said("h1", "The renewal date is 2028-01-01.", 5, account="Acme", author="user:ann"),
    said("h2", "The hotel limit is EUR 999.", 5, title="Travel policy", valid_from="2026-02-01", **NEWER),
    *(
        said(f"h{n}", f"Acme again, and the travel policy: decision {n}.", 6, account="Acme")
        for n in range(3, 20)
    ),
    said("h30", "The owner of Heron is Zed.", 7, project="Heron"),
)
PLACES = (
    f"/?q=When+does+Acme+renew%3F&{THEN}",
    f"/?q=What+is+the+hotel+limit%3F&{THEN}",
    f"/?q=Who+owns+Heron%3F&{THEN}",
    f"/search?q=renewal+hotel+travel+Acme&{THEN}",
    f"/search?q=heron&unit=page&{THEN}",
    f"/pages?{THEN}",
    f"/wiki/acme?since=2026-01-01&{THEN}",
    f"/wiki/travel%20policy?{THEN}",
    f"/wiki/heron?{THEN}",
    f"/timeline/acme?{THEN}",
    "/nowhere",
)


def shown(url: str, tenant: str, hidden: Sequence[Event]) -> Mapping[str, list[str]]:
    """What Bo and Ann see on each page of the world with these events."""
    with open_org(url, tenant, Clock()) as org:
        taken(org, SEEN)
        taken(org, [{**event, "audience": FINANCE} for event in hidden])
        app = site_of(org)
        seen = {}
        for who in ("user:bo", "user:ann"):
            browser = signed_in(app, org, who)
            cited = [hit.citation for hit in org.reader("user:bo").search("renewal hotel") if hit.citation]
            places = [*PLACES, *(f"/evidence/{one.id}?{THEN}" for one in cited)]
            seen[who] = [unbound(browser.get(place).text) for place in places]
        return seen


def test_what_is_hidden_changes_no_byte_of_any_page(url: str, tenant: str) -> None:
    without, beside = shown(url, f"{tenant}-without", ()), shown(url, f"{tenant}-beside", HIDDEN)

    assert beside["user:bo"] == without["user:bo"]
    assert beside["user:ann"] != without["user:ann"]
