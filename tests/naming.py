"""A small organisation in which names mean one thing or another."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from muniment.app import Org
from muniment.gate.binding import writing
from muniment.jobs.rebuild import fingerprint
from muniment.view import View
from tests.worlds import Clock, Event, at, member, open_org, person, said, taken

ALIASES = """
aliases:
  - means: connection pool exhausted
    names: [连接池耗尽, pool exhaustion]
  - means: checkout
    kind: service
    names: [kasse, 结账服务]
"""


@contextmanager
def acme_org(url: str, tenant: str, clock: Clock) -> Iterator[Org]:
    """Two accounts that may be one, seen by everybody, and more of the first for the board."""
    with open_org(url, tenant, clock) as org:
        taken(org, [person("user:owner"), person("user:cy"), member("group:board", "user:owner", "user:cy")])
        taken(
            org,
            [
                person("user:ann", name="Ann Lee", emails=["Ann@Corp.example"], aliases=["slack:U1"]),
                said("m1", "The renewal date of Acme is 2027-03-01.", account="Acme"),
                said("m2", "The discount of ACME Corp is 12 %.", account="ACME Corp"),
                said("m3", "The rate limit of Acme is 600.", account="Acme", audience=[["group:board"]]),
            ],
        )
        yield org


def crm(id_: str, name: str, **fields: object) -> Event:
    """An account as a source declares it."""
    plain = {"op": "entity", "source": "crm", "at": at(0), "entity_kind": "account", "audience": [["*"]]}
    return {**plain, "id": id_, "name": name, **fields}


def stated(view: View, name: str) -> set[str]:
    """Everything a page states."""
    return {claim.statement for section in view.page(name).sections for claim in section.claims}


def derived(org: Org) -> dict[str, str]:
    """What every derived table says."""
    with writing(org._work.database, org.tenant) as conn:
        return fingerprint(conn, org.tenant)


def everything(view: View) -> list[object]:
    """All that is shown of every entity."""
    pages = view.pages()
    asked = [view.ask("What is the discount of Acme?"), view.search("discount acme", limit=20)]
    return [
        pages,
        [view.page(one.entity) for one in pages],
        [view.timeline(one.entity) for one in pages],
        asked,
    ]
