"""Which pages a search and a task get, and in which order."""

from collections.abc import Iterator

import pytest

from muniment.app import Org
from muniment.domain.values import Pack
from tests.worlds import Clock, Event, member, open_org, person, said, taken

FINANCE = [["group:finance"]]


@pytest.fixture
def org(url: str, tenant: str, clock: Clock) -> Iterator[Org]:
    with open_org(url, tenant, clock) as opened:
        taken(opened, [person("user:ann"), person("user:bo"), member("group:finance", "user:ann"), *TALK])
        yield opened


# Orla is spoken of with both gaskets and ledgers, each elsewhere; no message has both.
TALK: list[Event] = [
    said("g1", "The gaskets, the gaskets, always the gaskets.", account="Brim"),
    said("g2", "We went through the gaskets and nothing is settled.", account="Orla", author="user:bo"),
    said("l1", "The ledgers need another look. Decision: the ledgers move to June.", 1, account="Orla"),
    said("l2", "Ledgers, ledgers, ledgers.", 2, account="Calder"),
    said("c1", "Nothing to do with either.", 3, account="Dorn"),
]


def found(org: Org, who: str, query: str) -> list[str]:
    return [hit.text for hit in org.reader(who).search(query, unit="page")]


def test_the_page_that_all_words_speak_for_comes_before_one_that_one_word_speaks_for_often(org: Org) -> None:
    best = org.reader("user:bo").search("gaskets and ledgers", unit="passage", limit=1)[0]

    assert best.item in {"g1", "l2"}
    assert found(org, "user:bo", "gaskets and ledgers")[0] == "Orla"
    assert {"Orla", "Brim", "Calder"} <= set(found(org, "user:bo", "gaskets and ledgers"))


def test_a_page_that_is_called_by_name_comes_first(org: Org) -> None:
    assert found(org, "user:bo", "gaskets and ledgers of Calder")[0] == "Calder"


def test_a_page_found_opens_by_its_entity_and_cites_the_sentence_that_tells_most(org: Org) -> None:
    bo = org.reader("user:bo")

    hit = bo.search("moving the ledgers in June", unit="page")[0]

    assert hit.entity is not None
    assert bo.page(hit.entity).title == hit.text == "Orla"
    assert hit.citation is not None
    assert hit.citation.quote == "Decision: the ledgers move to June."
    assert bo.explain(hit.citation.id).citation.quote == hit.citation.quote


def test_who_wrote_an_item_counts_less_than_what_it_is_about(org: Org) -> None:
    assert found(org, "user:bo", "gaskets")[2:] == ["user:bo"]


def test_a_statement_speaks_for_the_page_of_what_it_is_about_wherever_it_stands(org: Org) -> None:
    taken(org, [said("s1", "Fine.", service="checkout-api")])
    taken(org, [said("s2", "The rate limit of checkout-api is 600 requests per minute.", 4, account="Dorn")])

    assert {"checkout-api", "Dorn"} <= set(found(org, "user:bo", "rate limit requests"))
    assert found(org, "user:bo", "rate limit requests")[0] == "checkout-api"


def test_hidden_evidence_ranks_nothing(org: Org) -> None:
    before = org.reader("user:bo").search("gaskets and ledgers", unit="page")
    hidden = [
        said(f"h{n}", "Gaskets and ledgers.", 5 + n, account="Brim", audience=FINANCE) for n in range(40)
    ]
    taken(org, hidden)

    assert org.reader("user:bo").search("gaskets and ledgers", unit="page") == before
    assert found(org, "user:ann", "gaskets and ledgers")[0] == "Brim"


def parts(pack: Pack) -> list[tuple[str, str]]:
    return [(part.kind, part.text.splitlines()[0]) for part in pack.parts]


def test_a_task_gets_the_page_it_names_then_the_pages_found_then_passages(org: Org) -> None:
    pack = org.reader("user:bo").context(
        "What of Calder, the gaskets and when the ledgers move?", budget=2000
    )

    kinds = [kind for kind, _ in parts(pack)]
    assert parts(pack)[:2] == [("page", "# Calder"), ("page", "## Orla")]
    assert "- Decision: the ledgers move to June." in pack.parts[1].text
    assert kinds.index("passage") < len(kinds) - kinds[::-1].index("passage")
    assert set(kinds[: kinds.index("passage")]) == {"page"}


def test_a_second_pass_goes_deeper_into_a_page_that_was_found(org: Org) -> None:
    more = [
        said(f"o{n}", f"Decision: Orla gets pallet number {n}.", 10 + n, account="Orla") for n in range(6)
    ]
    taken(org, more)
    bo = org.reader("user:bo")

    packs = [bo.context("When do the ledgers move?", budget=160)]
    while packs[-1].cursor is not None:
        packs.append(bo.context("When do the ledgers move?", budget=160, cursor=packs[-1].cursor))

    told = [part for pack in packs for part in pack.parts if "Orla" in part.text and part.kind == "page"]
    assert [part.why.startswith("deeper") for part in told] == [False, True]
    assert "pallet number" not in told[0].text
    assert "pallet number 5" in told[1].text


def test_a_long_page_gives_a_task_the_claims_that_bear_on_it(org: Org) -> None:
    filler = [said(f"f{n}", f"The limit of zone {n} is EUR {n + 10}.", n, account="Dorn") for n in range(60)]
    taken(org, [*filler, said("t1", "The owner of the turbines is Ann Lee.", 99, account="Dorn")])
    bo = org.reader("user:bo")

    first = bo.context("Who owns the turbines of Dorn?", budget=300).parts[0]

    assert first.kind == "page"
    assert "- The owner of the turbines is Ann Lee." in first.text
    assert "more on the page" in first.text


def test_every_claim_of_a_named_page_is_told_in_one_pack_or_another(org: Org) -> None:
    facts = [f"The limit of zone {n} is EUR {n + 10}." for n in range(60)]
    taken(org, [said(f"f{n}", fact, n, account="Dorn") for n, fact in enumerate(facts)])
    bo = org.reader("user:bo")

    packs = [bo.context("Everything about Dorn", budget=2000)]
    while packs[-1].cursor is not None:
        packs.append(bo.context("Everything about Dorn", budget=2000, cursor=packs[-1].cursor))

    text = "\n".join(part.text for pack in packs for part in pack.parts if part.kind == "page")
    assert all(f"- {fact}" in text for fact in facts)
