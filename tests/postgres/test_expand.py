"""Expanding: what leads where, by which words, for whom, as of when."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from muniment.app import Org
from muniment.domain.errors import Refused, Usage
from muniment.domain.graph import INVERSES
from muniment.view import View
from tests.disclosed import POLICY, cast, told
from tests.evidence import document, ids, item, rules, titles
from tests.worlds import Clock, at, open_org, outside, said, taken


@pytest.fixture
def org(url: str, tenant: str, clock: Clock) -> Iterator[Org]:
    with open_org(url, tenant, clock) as opened:
        taken(opened, rules())
        yield opened


def test_a_single_way_is_followed_to_its_end(org: Org) -> None:
    bo = org.reader("user:bo")

    node = bo.expand("policies:2024", ["superseded_by"])

    assert ids(node) == [item(bo, "2025"), item(bo, "2026")]
    assert node.paths == ((node.id, "superseded_by", item(bo, "2025"), "superseded_by", item(bo, "2026")),)
    assert node.edges["superseded_by"] == 1
    assert not node.truncated


def test_a_way_stops_where_it_forks(org: Org) -> None:
    taken(org, [document("us", "Travel policy for the US", "Limits apply.", 3, supersedes=["2025"])])
    bo = org.reader("user:bo")

    node = bo.expand("policies:2024", ["superseded_by"])

    assert ids(node) == [item(bo, "2025")]
    assert len(bo.expand("policies:2024", ["superseded_by"], hops=2).neighbours) == 3


def test_what_takes_effect_later_leads_nowhere_yet(org: Org) -> None:
    bo = org.reader("user:bo", as_of="2025-06-01T00:00:00Z")

    assert titles(bo.expand("policies:2025", ["superseded_by"]), "superseded_by") == []
    assert titles(bo.expand("policies:2024", ["superseded_by"]), "superseded_by") == ["Travel policy"]


def test_an_edge_is_known_from_when_it_was_handed_in(org: Org, clock: Clock) -> None:
    before = clock.at.isoformat()
    clock.forward(hours=1)
    taken(org, [document("2027", "Travel policy", "No limit.", 4, supersedes=["2026"])])

    now = org.reader("user:bo").expand("policies:2026", ["superseded_by"])
    then = org.reader("user:bo", known_at=before).expand("policies:2026", ["superseded_by"])

    assert len(now.neighbours) == 1
    assert then.neighbours == ()
    assert then.edges.get("superseded_by") is None


def test_who_may_not_see_a_successor_is_not_led_there(org: Org) -> None:
    ann, bo = org.reader("user:ann"), org.reader("user:bo")

    assert titles(ann.expand("policies:2026"), "superseded_by") == ["Travel policy for the board"]
    assert titles(bo.expand("policies:2026"), "superseded_by") == []
    assert ann.expand("policies:2026").id == bo.expand("policies:2026").id


def test_missing_and_forbidden_nodes_are_refused_in_the_same_words(org: Org) -> None:
    ann, bo = org.reader("user:ann"), org.reader("user:bo")
    hidden = ann.expand("policies:secret")
    passage = next(one.id for one in ann.locate("board") if one.kind == "passage")

    for name in (hidden.id, passage, "policies:secret", "travel policy for the board"):
        with pytest.raises(Refused, match=r"\Ano node .* for this reader\Z"):
            bo.expand(name)
    for name in ("item_" + "0" * 32, "policies:none", "nobody", "", ":", "item_", "c_1", "p_1", "claim_\x00"):
        with pytest.raises(Refused, match=r"\Ano node .* for this reader\Z"):
            bo.expand(name)
        with pytest.raises(Refused, match=r"\Ano node .* for this reader\Z"):
            bo.locate("limit", within=name)


def test_a_ring_ends(org: Org) -> None:
    taken(
        org,
        [
            document("a", "Rule A", "x", 1, supersedes=["b"]),
            document("b", "Rule B", "y", 2, supersedes=["a"]),
        ],
    )

    node = org.reader("user:bo").expand("policies:a", hops=10)

    assert len(ids(node)) == len(set(ids(node)))
    assert node.id not in ids(node)
    assert {"superseded_by", "supersedes"} <= node.edges.keys()


def test_a_tie_without_authority_is_shown_as_a_claim_and_no_more(
    org: Org, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("outside")
    folder.chmod(0o755)
    outside(
        org,
        folder,
        [
            said(
                "blog",
                "Ours replaces it.",
                3,
                source="web",
                kind="document",
                title="A blog",
                supersedes=["policies:2026"],
            )
        ],
    )

    node = org.reader("user:bo").expand("policies:2026", ["superseded_by"])

    assert titles(node, "superseded_by") == ["A blog (claimed, not in force)"]
    assert "external_document, no rule to act by" in org.reader("user:bo").expand("web:blog").text


def test_claims_lead_to_their_words_and_to_what_contradicts_them(org: Org) -> None:
    bo = org.reader("user:bo")
    (cited,) = [one for one in bo.search("renewal date 2027-03-01", unit="claim") if "03-01" in one.text]
    assert cited.citation is not None

    node = bo.expand(cited.citation.id)

    assert node.kind == "claim"
    assert node.id == f"claim_{cited.citation.claim}"
    assert titles(node, "contradicts") == ["Acme's renewal date is 2027-05-01."]
    assert titles(node, "cites") == ["chat:m1"]
    assert titles(node, "about") == ["Acme"]
    assert node == bo.expand(node.id) == bo.expand(str(cited.citation.claim))
    passage = next(one.node for one in node.neighbours if one.edge == "cites")
    assert node.id in ids(bo.expand(passage, ["cited_by"]))
    assert node.id in ids(bo.expand("chat:m1", ["cited_by"]))


def test_a_later_value_supersedes_the_earlier_claim(org: Org) -> None:
    bo = org.reader("user:bo")
    old, new = "The hotel limit is EUR 140 per night.", "The hotel limit is EUR 180 per night."
    claim = next(one.id for one in bo.locate("hotel limit EUR 180") if one.kind == "claim")

    assert old in titles(bo.expand(claim, ["supersedes"]), "supersedes")
    back = next(one.node for one in bo.expand(claim, ["supersedes"]).neighbours if old == one.title)
    assert titles(bo.expand(back, ["superseded_by"]), "superseded_by") == [new]


def test_an_entity_leads_to_its_page_its_items_and_its_claims(org: Org) -> None:
    bo = org.reader("user:bo")

    node = bo.expand("acme")

    kinds = {one.node.partition("_")[0] for one in node.neighbours}
    assert node.kind == "entity"
    assert kinds == {"page", "item", "claim"}
    assert node.edges == {"about_of": 5}
    page = bo.expand(next(one.node for one in node.neighbours if one.node.startswith("page_")))
    assert page.kind == "page"
    assert page.edges == {"cites": 2, "about": 1}
    assert "2027-03-01" in page.text


def test_every_neighbour_leads_back(org: Org) -> None:
    ann = org.reader("user:ann")
    starts = [one.id for word in ("travel", "acme", "limit", "年假") for one in ann.locate(word)]
    for start in starts:
        node = ann.expand(start, limit=1000, budget=100_000)
        for path in node.paths:
            end = next((n for n, part in enumerate(path[2:], 2) if part in INVERSES), len(path))
            back = ann.expand(path[end - 1], [INVERSES[path[1]]], limit=1000, budget=100_000)
            led = {*ids(back), *(one for end in ids(back) for one in items_of(ann, end))}
            assert {start, *items_of(ann, start)} & led, (path, back)


def items_of(view: View, node: str) -> set[str]:
    """The item a passage is of: what leads to a passage's item leads to it."""
    if not node.startswith("passage_"):
        return set()
    (source_id, *_) = view.expand(node).text.removeprefix("[").split(" ·")
    return {view.expand(source_id).id}


def test_what_was_recalled_or_deleted_is_met_nowhere(org: Org) -> None:
    taken(
        org,
        [
            {"source": "policies", "id": "2025", "op": "delete", "at": at(50)},
        ],
    )
    bo = org.reader("user:bo")

    assert bo.expand("policies:2024").edges.get("superseded_by") is None
    assert bo.expand("policies:2026").edges.get("supersedes") is None
    with pytest.raises(Refused):
        bo.expand("policies:2025")
    assert all("2025" not in one.text for one in bo.locate("travel policy"))


def test_a_level_leads_to_no_item_and_no_passage(url: str, tenant: str) -> None:
    with open_org(url, f"{tenant}-levels") as org:
        org.ingest(cast())
        org.steward("user:owner").set_disclosure(POLICY)
        taken(org, told())
        sal = org.reader("user:sal")
        found = [one for one in sal.locate("revenue") if one.kind == "claim"]
        assert found
        assert {one.kind for one in sal.locate("revenue")} <= {"claim", "entity"}
        for one in found:
            node = sal.expand(one.id, hops=3)
            assert node.edges.keys() <= {"about", "cited_by", "contradicts", "superseded_by", "supersedes"}
            assert not [n for n in ids(node) if n.startswith("passage_")]
            assert "ledger" not in repr(node)
            assert "user:fin" not in repr(node)


def test_a_budget_is_kept_and_what_it_cuts_is_told(org: Org) -> None:
    taken(org, [said(f"x{n}", f"Note {n} about Acme.", n, account="Acme") for n in range(60)])
    bo = org.reader("user:bo")

    node = bo.expand("acme", budget=300)

    assert node.truncated
    assert 0 < len(node.neighbours) < 20
    assert node.edges["about_of"] == 65
    assert bo.expand("acme", limit=5).truncated
    assert len(bo.expand("acme", limit=5).neighbours) == 5


@pytest.mark.parametrize(
    ("bounds", "why"),
    [
        ({"hops": 0}, "hops 0"),
        ({"hops": 11}, "hops 11"),
        ({"limit": 0}, "limit 0"),
        ({"budget": 1}, "budget 1"),
        ({"edges": ["likes"]}, "edge 'likes' is unknown: use superseded_by"),
    ],
)
def test_what_cannot_be_asked_is_said(org: Org, bounds: dict[str, object], why: str) -> None:
    with pytest.raises(Usage, match=why):
        org.reader("user:bo").expand("acme", **bounds)  # type: ignore[arg-type]


def test_ten_thousand_references_to_one_item_are_counted_and_cut_quickly(org: Org) -> None:
    taken(org, [document("q", "Quotation rules", "Quotations are valid for 30 days.")])
    for start in range(0, 10_000, 2_000):
        notes = (said(f"n{n}", f"Case {n}: see the Quotation Rules.", 2) for n in range(start, start + 2_000))
        taken(org, notes)
    bo = org.reader("user:bo")

    started = time.process_time()  # ours alone, however busy the machine is
    node = bo.expand("policies:q", ["referred_to_by"])
    took = time.process_time() - started

    assert node.edges["referred_to_by"] == 10_000
    assert len(node.neighbours) == 50
    assert node.truncated
    assert took < 3, took
