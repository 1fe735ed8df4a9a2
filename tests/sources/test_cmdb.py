"""Files of a configuration database: what leans on what, ended only by a file that is complete."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.app import Org
from muniment.domain.errors import Refused
from muniment.domain.events import TopologyEvent
from muniment.domain.topology import held
from muniment.events.parse import Rejection, parse_event
from muniment.sources.cmdb import FILES
from muniment.sources.filekind import Handed
from muniment.sources.parsed import Event, Unread
from muniment.sources.registry import recognised
from tests.served import takes
from tests.worlds import Clock, member, open_org, person, taken

(KIND,) = FILES
MAY, JUNE, JULY = "2026-05-01T00:00:00Z", "2026-06-01T00:00:00Z", "2026-07-01T00:00:00Z"
TABLE = """\
Service,Depends_On,Environment,Valid_From,Valid_To
checkout,payments-db; ledger,prod,2026-05-01,
checkout,old-cache,prod,2026-01-01,2026-05-01
web,checkout,,,
"""
TREE = """\
at: 2026-06-01
complete: true
environment: prod
services:
  - name: checkout
    aliases: [the till]
    depends_on:
      - payments-db
      - {service: ledger, relation: calls, valid_from: 2026-05-01}
  - name: web
    depends_on: checkout
edges:
  - [ledger, depends_on, payments-db]
  - {from: ledger, to: vault, environment: staging}
"""
CATALOGUE = """\
apiVersion: backstage.io/v1alpha1
kind: Component
metadata: {name: checkout, title: The till}
spec: {type: service, dependsOn: ["resource:default/payments-db", "component:ledger"]}
---
apiVersion: backstage.io/v1alpha1
kind: Group
metadata: {name: shop}
"""


def read(path: Path, text: str, **options: str) -> list[Event | Unread]:
    path.write_text(text)
    return list(KIND.read(path, Handed("cmdb", "user:owner", options=options)))


def edges(said: list[Event | Unread]) -> set[tuple[str, ...]]:
    found = set()
    for one in said:
        if isinstance(one, dict) and one["op"] == "topology":
            bounds = (one.get("environment"), one.get("valid_from"), one.get("valid_to"))
            found |= {(*each, *(bound or "-" for bound in bounds)) for each in one["edges"]}
    return found


def test_a_table_says_an_edge_a_line_and_several_in_a_cell(tmp_path: Path) -> None:
    said = read(tmp_path / "cmdb.csv", TABLE, at=JUNE)

    assert edges(said) == {
        ("checkout", "depends_on", "payments-db", "prod", "2026-05-01", "-"),
        ("checkout", "depends_on", "ledger", "prod", "2026-05-01", "-"),
        ("checkout", "depends_on", "old-cache", "prod", "2026-01-01", "2026-05-01"),
        ("web", "depends_on", "checkout", "-", "-", "-"),
    }
    assert {one["at"] for one in said if isinstance(one, dict)} == {JUNE}


@pytest.mark.parametrize("name", ["cmdb.yaml", "cmdb.json"])
def test_a_tree_names_services_and_edges(tmp_path: Path, name: str) -> None:
    import yaml  # noqa: PLC0415  # only here

    text = TREE if name.endswith("yaml") else json.dumps(yaml.safe_load(TREE), default=str)

    said = read(tmp_path / name, text)

    assert edges(said) == {
        ("checkout", "depends_on", "payments-db", "prod", "-", "-"),
        ("checkout", "calls", "ledger", "prod", "2026-05-01", "-"),
        ("web", "depends_on", "checkout", "prod", "-", "-"),
        ("ledger", "depends_on", "payments-db", "prod", "-", "-"),
        ("ledger", "depends_on", "vault", "staging", "-", "-"),
    }
    named = [one for one in said if isinstance(one, dict) and one["op"] == "entity"]
    assert [(one["name"], one.get("aliases")) for one in named] == [("checkout", ["the till"]), ("web", None)]
    assert all(one.get("complete") for one in said if isinstance(one, dict) and one["op"] == "topology")


def test_a_catalogue_of_backstage_says_what_its_components_depend_on(tmp_path: Path) -> None:
    said = read(tmp_path / "catalog-info.yaml", CATALOGUE, environment="prod")

    assert edges(said) == {
        ("checkout", "depends_on", "payments-db", "prod", "-", "-"),
        ("checkout", "depends_on", "ledger", "prod", "-", "-"),
    }


@pytest.mark.parametrize(
    "line",
    ["checkout,,prod,,", "checkout,checkout,,,", "checkout,db,,soon,", "checkout,db,,2026-05-01,2026-04-01",
     f"checkout,{'x' * 900},,,"],
)  # fmt: skip
def test_a_line_that_cannot_be_read_is_told_and_ends_nothing(tmp_path: Path, line: str) -> None:
    said = read(tmp_path / "cmdb.csv", f"{TABLE}{line}\n", complete="yes")

    unread = [one for one in said if isinstance(one, Unread)]
    assert unread[0].origin == "cmdb.csv, line 5"
    assert "not taken to have ended" in unread[1].reason
    assert not any(one.get("complete") for one in said if isinstance(one, dict))
    assert len(edges(said)) == 4


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a: &a [x]\nb: *a", "alias"), ("services: [", "neither JSON nor YAML"),
        ("people: [ann]", "names no service"),
        ("at: soon\nedges: [[a, b, c]]", "when it was written"), ("", "names no service"),
    ],
)  # fmt: skip
def test_a_file_that_is_none_is_told_with_the_reason(tmp_path: Path, text: str, why: str) -> None:
    (one,) = read(tmp_path / "cmdb.yaml", text)

    assert isinstance(one, Unread)
    assert why in one.reason


def test_a_file_is_dated_by_its_own_word_or_else_by_its_folder(tmp_path: Path) -> None:
    (path := tmp_path / "topology.yaml").write_text("edges: [[a, b, c]]")
    os.utime(path, (1_780_272_000, 1_780_272_000))

    (one,) = KIND.read(path, Handed("cmdb", "user:owner"))

    assert isinstance(one, dict)
    assert one["at"] == "2026-06-01T00:00:00Z"
    assert (kind := recognised(path)) is not None
    assert kind.name == "cmdb"


@settings(max_examples=80)
@given(st.text(max_size=300) | st.sampled_from([TREE, CATALOGUE, TABLE]).flatmap(
    lambda whole: st.integers(0, len(whole)).map(lambda at: whole[:at] + "\x00: [" + whole[at:])
), st.sampled_from(["cmdb.csv", "cmdb.yaml"]))  # fmt: skip
def test_any_text_may_be_in_a_file(text: str, name: str) -> None:
    place = Path("/dev/shm") if Path("/dev/shm").is_dir() else Path()  # noqa: S108  # memory, not a secret
    (path := place / f"muniment-{os.getpid()}-{name}").write_text(text, encoding="utf-8", errors="replace")
    try:
        said = list(KIND.read(path, Handed("cmdb", "user:owner")))
    finally:
        path.unlink()
    takes({**one, "audience": [["*"]]} if isinstance(one, dict) else one for one in said)


# Which held when


def event(at: str, *pairs: tuple[str, str], **said: object) -> TopologyEvent:
    raw = {
        "op": "topology", "source": "cmdb", "at": at, "audience": [["*"]],
        "edges": [[one, "depends_on", other] for one, other in pairs], **said,
    }  # fmt: skip
    judged = parse_event(raw)
    assert not isinstance(judged, Rejection), judged.reason
    assert isinstance(judged.event, TopologyEvent)
    return judged.event


def periods(*events: TopologyEvent) -> set[tuple[str, str, str]]:
    def day(at: object) -> str:
        return "-" if at is None else str(at)[:10]

    return {
        (one.edge[0] + ">" + one.edge[2], day(one.start), day(one.end)) for one in held(enumerate(events))
    }


def test_what_a_complete_listing_leaves_out_ends_then_and_what_it_has_goes_on() -> None:
    may, june = event(MAY, ("a", "b"), ("a", "c")), event(JUNE, ("A", "b"), ("a", "d"), complete=True)

    assert periods(may, june) == {
        ("a>b", "2026-05-01", "-"),
        ("a>c", "2026-05-01", "2026-06-01"),
        ("a>d", "2026-06-01", "-"),
    }


def test_what_is_not_complete_ends_nothing() -> None:
    assert periods(event(MAY, ("a", "b")), event(JUNE, ("a", "d"))) == {
        ("a>b", "2026-05-01", "-"), ("a>d", "2026-06-01", "-"),
    }  # fmt: skip


def test_an_edge_that_comes_back_has_two_periods() -> None:
    events = [
        event(MAY, ("a", "b"), complete=True),
        event(JUNE, ("a", "c"), complete=True),
        event(JULY, ("a", "b"), complete=True),
    ]

    assert periods(*events) == {
        ("a>b", "2026-05-01", "2026-06-01"), ("a>b", "2026-07-01", "-"), ("a>c", "2026-06-01", "2026-07-01"),
    }  # fmt: skip


def test_a_period_that_is_stated_again_is_corrected() -> None:
    first = event(MAY, ("a", "b"), valid_from="2026-03-01")
    ends = event(JUNE, ("a", "b"), valid_from="2026-03-01", valid_to="2026-04-01")
    listed = event(JULY, ("a", "b"), valid_from="2026-02-01", valid_to="2026-04-01", complete=True)

    assert periods(first, ends) == {("a>b", "2026-03-01", "2026-04-01")}
    assert periods(first, ends, listed) == {("a>b", "2026-02-01", "2026-04-01")}


def test_a_listing_ends_nothing_of_another_environment_or_for_another_audience() -> None:
    prod, sre = {"environment": "prod"}, {"audience": [["group:sre"]]}
    before = [event(MAY, ("a", "b"), **prod), event(MAY, ("a", "c"), **sre), event(MAY, ("a", "d"))]

    found = periods(*before, event(JUNE, ("x", "y"), complete=True))

    assert {one for one in found if one[2] != "-"} == {("a>d", "2026-05-01", "2026-06-01")}


EVENTS = [
    event(MAY, ("a", "b"), ("a", "c")),
    event(JUNE, ("a", "b"), complete=True),
    event(JUNE, ("a", "d"), complete=True, valid_from="2026-05-15"),
    event(JUNE, ("a", "b"), valid_to="2026-06-20"),
    event(JUNE, ("a", "b"), valid_to="2026-06-10"),
    event(JULY, ("a", "c"), ("a", "d"), complete=True),
    event(JULY, ("c", "d"), environment="prod", complete=True),
]


@given(st.permutations(EVENTS), st.integers(0, 3))
def test_edges_are_the_same_in_whatever_order_they_were_stated_and_however_often(
    order: list[TopologyEvent], again: int
) -> None:
    assert periods(*order, *order[:again]) == periods(*EVENTS)


# In a record


@pytest.fixture
def org(url: str, tenant: str) -> Iterator[Org]:
    with open_org(url, tenant, Clock()) as opened:
        taken(opened, [person("user:ann"), person("user:bo"), member("group:sre", "user:ann")])
        yield opened


def test_topology_is_as_its_files_had_it_and_the_fault_domain_too(org: Org, tmp_path: Path) -> None:
    (first := tmp_path / "cmdb.yaml").write_text(TREE)
    (later := tmp_path / "cmdb-july.yaml").write_text(
        "at: 2026-07-01\ncomplete: true\nenvironment: prod\n"
        "edges: [[checkout, depends_on, payments-v2], [ledger, depends_on, payments-v2]]\n"
    )

    receipts = [org.add(path, audience=["group:sre"]) for path in (later, first, later, first)]

    assert [(one.accepted > 0, one.quarantined) for one in receipts] == [(True, 0)] * 2 + [(False, 0)] * 2

    desk = org.reader("user:ann").incidents
    assert desk.topology("checkout", "2026-06-15").leans_on == ("ledger", "payments-db", "vault")
    assert desk.topology("checkout", "2026-08-01").leans_on == ("payments-v2",)
    assert desk.fault_domain(["checkout", "ledger"], "2026-06-15").shared == (
        "ledger",
        "payments-db",
        "vault",
    )
    assert desk.fault_domain(["checkout", "ledger"], "2026-08-01").shared == ("payments-v2",)
    with pytest.raises(Refused):
        org.reader("user:bo").incidents.topology("checkout", "2026-06-15")


def test_a_file_for_nobody_waits_in_quarantine_with_the_reason(org: Org, tmp_path: Path) -> None:
    (path := tmp_path / "cmdb.csv").write_text(TABLE)

    receipt = org.add(path)

    assert {one.state for one in receipt.items} == {"quarantined"}
    assert "audience is missing" in str(receipt.items[0].reason)


def test_a_record_made_anew_has_the_same_topology(org: Org, tmp_path: Path) -> None:
    (path := tmp_path / "cmdb.yaml").write_text(TREE)
    org.add(path, audience=["group:sre"])
    desk = org.reader("user:ann").incidents
    before = desk.topology("checkout", "2026-06-15")

    org.steward("user:owner").rebuild()

    assert desk.topology("checkout", "2026-06-15") == before
