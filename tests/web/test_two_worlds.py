"""A page depends on what its reader may read, on the request and on the clock, not on what is hidden."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from muniment.app import Org
from muniment.domain.investigating import Observed, Start
from tests.web.conftest import signed_in, site_of, unbound
from tests.worlds import Clock, Event, at, member, open_org, person, said, taken

FINANCE = [["group:finance"]]
FAILING: Mapping[str, object] = {
    "source": "incidents",
    "author": "user:bo",
    "service": "checkout",
    "labels": {"alertname": "HighErrorRate", "env": "prod"},
}
THEN = "as_of=2026-12-01T09:00:00Z&known_at=2026-12-01T09:00:00Z"
SEEN = [
    person("user:ann"),
    person("user:bo"),
    member("group:finance", "user:ann"),
    said("m1", "The renewal date is 2027-03-01.", account="Acme", author="user:bo"),
    said("2026", "The hotel limit is EUR 180.", 1, source="policies", kind="document", title="Travel policy"),
    said("m3", "Acme called about the travel policy.", 2, account="Acme"),
    said("m4", "I will send Acme the draft by Friday.", 3, account="Acme", author="user:bo"),
    said("m5", "Acme objected to the liability cap: it is too low.", 4, account="Acme", author="user:bo"),
    {
        "op": "topology",
        "source": "cmdb",
        "at": at(0),
        "edges": [["checkout", "depends_on", "ledger"]],
        "environment": "prod",
        "audience": [["*"]],
    },
    said("inc-1", "## Root cause\nThe root cause of INC-1 was a full disk.", 5, kind="episode", **FAILING),
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
    said("h31", "I have sent Acme the draft.", 60, account="Acme", author="user:bo"),
    said("h32", "I will send Acme a price by Monday.", 8, account="Acme", author="user:ann"),
    said("h33", "Acme is angry about the outage and talks to a competitor.", 9, account="Acme"),
    {
        "op": "topology",
        "source": "cmdb",
        "at": at(1),
        "edges": [["checkout", "depends_on", "vault"], ["vault", "depends_on", "ledger"]],
        "environment": "prod",
    },
    said("inc-2", "## Root cause\nThe root cause of INC-2 was a lost vote.", 6, kind="episode", **FAILING),
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
    *(f"/{place}?{THEN}" for place in "accounts commitments landmines due.ics incidents memories".split()),
    *(f"/{room}/acme?{THEN}" for room in ("account", "commitments", "landmines")),
    f"/due.ics?entity=acme&{THEN}",
    f"/topology/checkout?{THEN}",
    f"/topology/vault?{THEN}",
    "/nowhere",
)


def opened(org: Org, hidden: Sequence[Event]) -> str:
    """An incident of Bo's and Ann's; where there is something hidden, Ann adds to it what rests on that."""
    bo, ann = (org.reader(one).incidents for one in ("user:bo", "user:ann"))
    start = Start(
        "Checkout fails", None, "checkout", "prod", signals=("HighErrorRate",), audience=("user:ann",)
    )
    incident = bo.open(start).incident
    seen = bo.observe(incident, Observed("errors 12 %", tool="prometheus", query="errors"))
    bo.hypothesis(incident, "The disk is full", [seen.id])
    if hidden:
        secret = next(
            hit.citation.id
            for hit in org.reader("user:ann").search("lost vote")
            if hit.citation is not None and hit.citation.item == "inc-2"
        )
        ann.observe(
            incident, Observed("the vault lost its vote", tool="etcd", query="votes", evidence=(secret,))
        )
        ann.hypothesis(incident, "It is the vault", [secret])
        ann.open(Start("The vault is down", None, "checkout", "prod", signals=("VaultDown",)))
    return incident


def shown(url: str, tenant: str, hidden: Sequence[Event]) -> Mapping[str, list[str]]:
    """What Bo and Ann see on each page of the world with these events."""
    with open_org(url, tenant, Clock()) as org:
        taken(org, SEEN)
        taken(org, [{**event, "audience": FINANCE} for event in hidden])
        incident = opened(org, hidden)
        app = site_of(org)
        seen = {}
        for who in ("user:bo", "user:ann"):
            browser = signed_in(app, org, who)
            cited = [hit.citation for hit in org.reader("user:bo").search("renewal hotel") if hit.citation]
            places = [
                *PLACES,
                f"/incidents/{incident}",
                f"/incidents/{incident}?{THEN}",
                *(f"/evidence/{one.id}?{THEN}" for one in cited),
            ]
            seen[who] = [unbound(browser.get(place).text) for place in places]
        return seen


def test_what_is_hidden_changes_no_byte_of_any_page(url: str, tenant: str) -> None:
    without, beside = shown(url, f"{tenant}-without", ()), shown(url, f"{tenant}-beside", HIDDEN)

    assert beside["user:bo"] == without["user:bo"]
    ann = dict(zip(without["user:ann"], beside["user:ann"], strict=True))
    unchanged = [page for page, hers in ann.items() if page == hers and "<h1>Nothing is here" not in page]
    assert len(unchanged) <= 3  # the travel policy as asked before, and a due day or two
