"""Pages, timelines, histories and explanations of a small record, as different people see them."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

import pytest

from muniment.app import Org
from muniment.claims.read import conflicts, item_periods
from muniment.context.retrieve import items_mentioning
from muniment.domain.errors import Refused, Usage
from muniment.domain.events import ItemRef
from muniment.domain.record import ItemRow
from muniment.domain.values import Page, PageClaim
from muniment.gate.reader import Reader
from muniment.index.projection import item_uuid
from muniment.pages import entities
from tests.worlds import Clock, Event, at, member, open_org, person, said, taken

FINANCE = [["group:finance"]]
POLICY = "Travel policy"


def policy(id: str, body: str, hours: float = 0, **fields: object) -> Event:  # noqa: A002  # the contract's own word
    return said(id, body, hours, source="policies", kind="document", title=POLICY, **fields)


def account(id: str, name: str, *aliases: str, **fields: object) -> Event:  # noqa: A002  # as above
    plain = {"op": "entity", "source": "crm", "at": at(0), "entity_kind": "account", "audience": [["*"]]}
    return {**plain, "id": id, "name": name, "aliases": list(aliases), **fields}


@pytest.fixture
def org(url: str, tenant: str, clock: Clock) -> Iterator[Org]:
    people = [person("user:ann"), person("user:bo"), member("group:finance", "user:ann")]
    with open_org(url, tenant, clock) as opened:
        taken(opened, [*people, *editions()])
        yield opened


def editions() -> list[Event]:
    old = "The hotel limit is EUR 140 per night. The meal allowance is EUR 28."
    new = "The hotel limit is EUR 180 per night. The meal allowance is EUR 28."
    hidden = "The hotel limit is EUR 999 per night."
    return [
        policy("2025", old, valid_from="2025-01-01"),
        policy("2026", new, hours=1, valid_from="2026-04-01", supersedes=["2025"]),
        policy("2027", hidden, hours=2, valid_from="2026-10-01", supersedes=["2026"], audience=FINANCE),
    ]


@contextmanager
def reading(org: Org, who: str, as_of: str | None = None) -> Iterator[Reader]:
    with org.reader(who, as_of=as_of)._reading() as reader:
        yield reader


def section(page: Page, title: str) -> tuple[PageClaim, ...]:
    return next((one.claims for one in page.sections if one.title == title), ())


def claim_of(page: Page, words: str) -> PageClaim:
    return next(claim for one in page.sections for claim in one.claims if words in claim.statement)


def test_a_page_shows_what_holds_and_keeps_what_held_as_history(org: Org) -> None:
    page = org.reader("user:bo").page(POLICY)

    assert claim_of(page, "EUR 180").status == "active"
    assert [claim.statement for claim in section(page, "History")] == [
        "The hotel limit is EUR 140 per night."
    ]
    assert page.conflicts == 0


def test_a_rule_that_did_not_change_is_cited_from_the_edition_in_force(org: Org) -> None:
    page = org.reader("user:bo").page(POLICY)

    assert claim_of(page, "meal allowance").citations[0].item == "2026"


def test_a_hidden_successor_leaves_the_old_rule_current(org: Org) -> None:
    ann, bo = org.reader("user:ann").page(POLICY), org.reader("user:bo").page(POLICY)

    assert claim_of(ann, "EUR 999").status == "active"
    assert claim_of(ann, "EUR 180").status == "superseded"
    assert "999" not in bo.markdown


def test_a_page_as_of_an_earlier_time_shows_the_rule_of_that_time(org: Org) -> None:
    page = org.reader("user:bo", as_of="2025-06-01T00:00:00Z").page(POLICY)

    assert claim_of(page, "EUR 140").status == "active"
    assert [claim.statement for claim in section(page, "Upcoming")] == [
        "The hotel limit is EUR 180 per night."
    ]


def test_every_claim_on_a_page_is_cited_in_its_own_words(org: Org) -> None:
    page = org.reader("user:ann").page(POLICY)

    cited = [(claim, one) for part in page.sections for claim in part.claims for one in claim.citations]
    assert cited
    assert all(one.quote is not None and one.claim == claim.id for claim, one in cited)


def test_missing_and_forbidden_pages_are_refused_in_the_same_words(org: Org) -> None:
    taken(org, [said("m1", "The plan is fine.", account="Falcon", audience=FINANCE)])

    def refusal(name: str) -> str:
        with pytest.raises(Refused) as caught:
            org.reader("user:bo").page(name)
        return str(caught.value).replace(name, "…")

    assert refusal("Falcon") == refusal("Nothing")
    assert org.reader("user:ann").page("Falcon").title == "Falcon"


def test_pages_are_listed_by_title_without_what_is_hidden(org: Org) -> None:
    taken(org, [said("m1", "Fine.", account="Falcon", audience=FINANCE), said("m2", "Fine.", account="Acme")])

    assert [one.title for one in org.reader("user:ann").pages()] == ["Acme", "Falcon", POLICY]
    assert [one.title for one in org.reader("user:bo").pages()] == ["Acme", POLICY]


def test_every_listed_page_opens_by_the_name_it_is_listed_under(org: Org) -> None:
    taken(org, [account("1", "Acme GmbH", "Acme"), account("2", "Acme Ltd", "Acme"), account("3", "Zeta")])
    taken(org, [said("m1", "Fine.", service="edi-gateway"), said("m2", "Fine.", account="acme")])
    ann = org.reader("user:ann")

    listed = ann.pages()

    assert [ann.page(one.entity).title for one in listed] == [one.title for one in listed]
    assert {"Acme GmbH", "Acme Ltd", "Zeta", "edi-gateway"} <= {one.title for one in listed}


def test_an_alias_and_a_title_are_one_entity(org: Org) -> None:
    taken(org, [account("1", "Acme GmbH", "ACM"), said("m1", "The owner is Ann Lee.", account="ACM")])
    taken(org, [said("m2", "The owner is Bo Chan.", account="Acme GmbH", author="user:bo")])

    page = org.reader("user:bo").page("acm")

    assert page.title == "Acme GmbH"
    assert page.conflicts == 1
    assert "⚠ conflicts with “The owner is Bo Chan.”" in page.markdown


def test_an_alias_a_reader_cannot_see_joins_nothing(org: Org) -> None:
    taken(org, [account("1", "Acme GmbH", "ACM", audience=FINANCE)])
    taken(org, [said("m1", "The owner is Ann Lee.", account="ACM", author="user:ann")])
    taken(org, [said("m2", "The owner is Bo Chan.", account="Acme GmbH", author="user:bo")])

    assert org.reader("user:ann").page("ACM").title == "Acme GmbH"
    assert org.reader("user:bo").page("ACM").title == "ACM"
    assert org.reader("user:bo").page("ACM").conflicts == 0
    assert [len(org.reader(who).conflicts()) for who in ("user:ann", "user:bo")] == [1, 0]


def test_a_name_that_two_entities_share_asks_back(org: Org) -> None:
    taken(org, [account("1", "Acme GmbH", "Acme"), account("2", "Acme Ltd", "Acme")])

    with reading(org, "user:bo") as reader:
        assert entities.resolve(reader, "acme") == entities.Ambiguous("acme", ("Acme GmbH", "Acme Ltd"))
        assert [one.title for one in named(reader, "Is Acme Ltd late?")] == ["Acme Ltd"]
    with pytest.raises(Usage, match="Acme GmbH or Acme Ltd"):
        org.reader("user:bo").page("Acme")


def named(reader: Reader, text: str) -> list[entities.Entity]:
    return [one for one in entities.entities_in(reader, text) if isinstance(one, entities.Entity)]


def test_one_title_declared_by_two_sources_is_one_entity(org: Org) -> None:
    taken(org, [account("1", "Acme GmbH", "ACM"), account("9", "Acme GmbH", "AG", source="billing")])

    with reading(org, "user:bo") as reader:
        found = [entities.resolve(reader, name) for name in ("ACM", "ag", "Acme GmbH")]

    assert len({one.id for one in found if isinstance(one, entities.Entity)}) == 1


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("When does Acme renew?", ["Acme"]),
        ("What of Acme's edi-gateway?", ["Acme", "edi-gateway"]),
        ("Das Acme-Angebot", ["Acme"]),
        ("What is Acme-31?", []),
        ("Acmeology", []),
        ("青屿物流的通知期是多久？", ["青屿物流"]),
        ("Is the travel policy out?", [POLICY]),
    ],
)
def test_names_inside_a_question_are_found_as_whole_words(org: Org, text: str, titles: list[str]) -> None:
    taken(org, [said("m1", "Fine.", account="Acme"), said("m2", "Fine.", service="edi-gateway")])
    taken(org, [account("1", "青屿物流", "青屿"), said("m3", "Fine.", service="gateway")])

    with reading(org, "user:bo") as reader:
        assert [one.title for one in named(reader, text)] == titles


def test_a_name_is_found_again_by_its_id(org: Org) -> None:
    taken(org, [account("1", "Acme GmbH", "ACM"), said("m1", "Fine.", service="edi-gateway")])

    with reading(org, "user:bo") as reader:
        for name in ("acm", "edi-gateway"):
            found = entities.resolve(reader, name)
            assert isinstance(found, entities.Entity)
            assert entities.resolve(reader, found.id) == found


def test_what_sources_say_cannot_act_on_the_page(org: Org) -> None:
    body = (
        "The owner is Ann Lee. Must use `rm` [now](https://x.example) <script>alert(1)</script> **always**."
    )
    taken(org, [said("m1", body, account="Acme", title="# [Click](https://x.example)\n## me")])

    text = org.reader("user:bo").page("Acme").markdown

    assert "<script" not in text.replace("\\<", "")
    assert "[now](" not in text.replace("\\[", "")
    assert "\n## me" not in text


def standing_of(org: Org, who: str, item: str) -> tuple[datetime | None, str | None]:
    with reading(org, who) as reader:
        wanted = item_uuid(reader.key, ItemRef("policies", item))
        (row,) = reader.rows(ItemRow, "reader", "items", items=[wanted])
        standing = item_periods(reader, [row])[row.item]
    end = standing.valid.end if standing.valid is not None else None
    return end, standing.superseded_by.id if standing.superseded_by is not None else None


def test_an_item_stands_until_a_visible_successor_takes_effect(org: Org) -> None:
    end, successor = standing_of(org, "user:ann", "2026")

    assert (end and end.date().isoformat(), successor) == ("2026-10-01", "2027")
    assert standing_of(org, "user:bo", "2026") == (None, None)


def test_a_member_cannot_replace_what_another_member_said(org: Org) -> None:
    taken(org, [said("m1", "The owner is Ann Lee.", account="Acme", author="user:ann")])
    taken(
        org,
        [said("m2", "The owner is Bo Chan.", hours=1, account="Acme", author="user:bo", supersedes=["m1"])],
    )

    with reading(org, "user:bo") as reader:
        (group,) = conflicts(reader)
        assert {claim.value for claim in group} == {"ann lee", "bo chan"}


def test_items_in_a_ring_are_seen_alike_from_each_of_them(org: Org) -> None:
    ring = [("a", "b"), ("b", "c"), ("c", "a")]
    taken(
        org,
        [policy(one, f"The hotel limit is EUR {n}.", supersedes=[two]) for n, (one, two) in enumerate(ring)],
    )

    assert [standing_of(org, "user:bo", one) for one, _ in ring] == [(None, None)] * 3


def test_a_timeline_tells_what_was_said_edited_closed_and_superseded(org: Org) -> None:
    taken(org, [policy("2026", "The hotel limit is EUR 190 per night.", hours=5, valid_from="2026-04-01")])
    taken(org, [said("i1", "Renew the passport.", kind="issue", title="Passport", account="Acme")])
    taken(org, [{"op": "close", "source": "chat", "id": "i1", "at": at(9), "state": "done"}])

    acme = org.reader("user:bo").timeline("Acme")
    travel = org.reader("user:bo").timeline(POLICY)

    assert [(one.change, one.what) for one in acme] == [("said", "Passport"), ("closed", "Passport (done)")]
    assert {"said", "edited"} <= {one.change for one in travel}
    assert [one.at for one in travel] == sorted(one.at for one in travel)


def test_a_history_tells_why_each_version_came(org: Org) -> None:
    bo = org.reader("user:bo")

    versions = bo.history(claim_of(bo.page(POLICY), "EUR 180").id)

    assert [(one.statement, one.why) for one in versions] == [
        ("The hotel limit is EUR 140 per night.", "said"),
        ("The hotel limit is EUR 180 per night.", "supersede"),
    ]
    assert versions[0].valid_to == versions[1].valid_from


def test_an_edit_is_in_the_history_and_not_on_the_page(org: Org, clock: Clock) -> None:
    taken(org, [said("m1", "The owner is Ann Lee.", account="Acme")])
    clock.forward(hours=1)
    taken(org, [said("m1", "The owner is Bo Chan.", hours=1, account="Acme")])
    bo = org.reader("user:bo")

    page = bo.page("Acme")
    versions = bo.history(claim_of(page, "Bo Chan").id)

    assert "Ann Lee" not in page.markdown
    assert [(one.statement, one.why) for one in versions] == [
        ("The owner is Ann Lee.", "said"),
        ("The owner is Bo Chan.", "edit"),
    ]


def test_a_history_of_something_else_is_refused_like_one_that_is_hidden(org: Org) -> None:
    hidden = claim_of(org.reader("user:ann").page(POLICY), "EUR 999").id

    for id_ in (hidden, "0" * 32, "nonsense"):
        with pytest.raises(Refused, match=f"^no claim '{id_}' for this reader$"):
            org.reader("user:bo").history(id_)


def test_a_citation_is_explained_with_its_quote_marked(org: Org) -> None:
    bo = org.reader("user:bo")
    citation = claim_of(bo.page(POLICY), "EUR 180").citations[0]

    explained = bo.explain(citation.id)

    assert explained.citation == citation
    assert "⟦The hotel limit is EUR 180 per night.⟧" in explained.passage
    assert explained.lineage == (f"policies:2026 said {at(1).replace('+00:00', 'Z')}",)


def test_citations_that_are_malformed_missing_or_hidden_are_refused_alike(org: Org) -> None:
    hidden = claim_of(org.reader("user:ann").page(POLICY), "EUR 999").citations[0].id

    for id_ in (hidden, hidden.upper(), "c_" + "0" * 32, "p_" + "0" * 32 + "_0_5", "p_x", ""):
        with pytest.raises(Refused, match=f"^no citation '{id_}' for this reader$"):
            org.reader("user:bo").explain(id_)


def test_a_span_of_a_passage_is_cited_by_its_characters(org: Org) -> None:
    taken(org, [said("m1", "Took over from Felix.", account="Acme")])
    bo = org.reader("user:bo")
    (entry,) = bo.timeline("Acme")
    assert entry.citation is not None

    assert bo.explain(entry.citation.id).passage == "⟦Took over from Felix.⟧"
    beyond = entry.citation.id.rsplit("_", 1)[0] + "_999"
    with pytest.raises(Refused):
        bo.explain(beyond)


def test_items_about_an_entity_are_found_under_each_of_its_names(org: Org) -> None:
    taken(org, [account("1", "Acme GmbH", "ACM"), said("m1", "Fine.", account="ACM")])

    with reading(org, "user:bo") as reader:
        found = entities.get_entity(reader, "acme gmbh")
        assert items_mentioning(reader, found.names)


def test_a_statement_that_was_edited_away_is_still_found_by_its_citation(org: Org, clock: Clock) -> None:
    taken(org, [said("m1", "The owner is Ann Lee.", account="Acme")])
    bo = org.reader("user:bo")
    citation = claim_of(bo.page("Acme"), "Ann Lee").citations[0]
    clock.forward(hours=1)
    taken(org, [said("m1", "The owner is Bo Chan.", hours=1, account="Acme")])

    found = org.reader("user:bo").explain(citation.id)

    assert found.citation.status == "superseded"
    assert found.passage == "⟦The owner is Ann Lee.⟧"


def test_before_an_edit_was_known_the_page_shows_what_was_held(org: Org, clock: Clock) -> None:
    taken(org, [said("m1", "The owner is Ann Lee.", account="Acme")])
    before = clock()
    clock.forward(hours=1)
    taken(org, [said("m1", "The owner is Bo Chan.", hours=1, account="Acme")])

    page = org.reader("user:bo", known_at=before).page("Acme")

    assert claim_of(page, "Ann Lee").status == "active"
    assert "Bo Chan" not in page.markdown


def test_a_deleted_item_leaves_no_trace_on_any_surface(org: Org, clock: Clock) -> None:
    taken(org, [said("m1", "The owner is Ann Lee.", account="Acme"), said("m2", "Fine.", account="Acme")])
    bo = org.reader("user:bo")
    claim = claim_of(bo.page("Acme"), "Ann Lee")
    clock.forward(hours=1)
    taken(org, [{"op": "delete", "source": "chat", "id": "m1", "at": at(1)}])
    now = org.reader("user:bo", known_at=None)

    assert "Ann Lee" not in now.page("Acme").markdown
    assert "Ann Lee" not in str(now.timeline("Acme"))
    for ask, id_ in ((now.history, claim.id), (now.explain, claim.citations[0].id)):
        with pytest.raises(Refused):
            ask(id_)
