"""References lead to sections, and evidence to what changes it: in the graph, in packs and in answers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from muniment.app import Org
from muniment.domain.values import Part
from tests.evidence import FINANCE, form, forms, rules, titles
from tests.worlds import Clock, open_org, outside, said, taken


@pytest.fixture
def org(url: str, tenant: str, clock: Clock) -> Iterator[Org]:
    with open_org(url, tenant, clock) as opened:
        taken(opened, rules())
        yield opened


def test_a_reference_to_a_section_leads_to_its_passage_and_is_proved_by_the_words(org: Org) -> None:
    taken(org, forms())
    bo = org.reader("user:bo")

    node = bo.expand("forms:bulletin", ["refers_to"])

    assert titles(node, "refers_to") == ["Water Damage Endorsement › 4.2 Limit"]
    ((start, edge, proof, end),) = node.paths
    assert (start, edge, end) == (node.id, "refers_to", node.neighbours[0].node)
    assert "Adjusters apply Section 4.2" in bo.expand(proof).text
    assert titles(bo.expand(end), "referred_to_by") == ["Bulletin on sump pumps"]
    assert titles(bo.expand("forms:wd"), "referred_to_by") == ["Bulletin on sump pumps"]


def test_a_section_leads_to_another_of_its_own_text(org: Org) -> None:
    taken(org, forms())
    bo = org.reader("user:bo")
    section = next(one for one in bo.locate("Section 4 Water damage") if one.kind == "passage")

    node = bo.expand(section.id, ["refers_to", "amended_by"])

    assert titles(node, "refers_to") == ["Homeowners Form › Section 9 Waiting periods"]
    assert titles(node, "amended_by") == ["Water Damage Endorsement"]


def test_what_refers_to_a_thing_from_a_hidden_text_is_not_met(org: Org) -> None:
    taken(org, [*forms(), form("memo", "Memo", "See the Water Damage Endorsement.", 3, audience=FINANCE)])

    assert "Memo" in titles(org.reader("user:ann").expand("forms:wd"), "referred_to_by")
    assert "Memo" not in titles(org.reader("user:bo").expand("forms:wd"), "referred_to_by")


def test_what_amends_the_best_evidence_is_packed_with_the_way_to_it(org: Org) -> None:
    taken(org, forms())

    pack = org.reader("user:bo").context("What does the Homeowners Form cover for water backup?")

    whys = [part.why for part in pack.parts if "12,500" in part.text and part.kind == "passage"]
    assert any("is amended by “Water Damage Endorsement › 4.2 Limit”" in why for why in whys), whys


def test_an_answer_begins_with_what_amends_and_says_what_is_amended(org: Org) -> None:
    taken(org, forms())
    question = (
        "What limit applies for water backup after the Water Damage Endorsement amended the Homeowners Form?"
    )

    answer = org.reader("user:bo").ask(question)

    assert answer.state == "answered"
    assert answer.text.startswith("The limit for water backup is USD 12,500 for each occurrence. [1]")
    assert answer.citations[0].item == "wd"
    if len(answer.citations) > 1:
        assert "forms:base is amended by forms:wd" in answer.warnings


def test_a_value_in_an_amendment_answers_what_is_asked_of_the_text_it_amends(org: Org) -> None:
    taken(org, forms())

    answer = org.reader("user:bo").ask("Which deductible applies to the Homeowners Form?")
    before = org.reader("user:bo", as_of="2024-06-01T00:00:00Z").ask(
        "Which deductible applies to the Homeowners Form?"
    )

    assert answer.text == "The deductible is USD 750. [1]"
    assert before.state != "answered"


def test_a_pointer_gives_way_to_the_words_it_points_to(org: Org) -> None:
    taken(org, forms())

    answer = org.reader("user:bo").ask("How long is the waiting period of Section 4 Water damage?")

    assert answer.text.startswith("The waiting period is 14 days. [1]")


def test_what_only_claims_to_amend_answers_nothing(
    org: Org, tmp_path_factory: pytest.TempPathFactory
) -> None:
    taken(org, [one for one in forms() if one["id"] != "wd"])
    folder = tmp_path_factory.mktemp("outside")
    folder.chmod(0o755)
    outside(
        org,
        folder,
        [
            said(
                "x",
                "The deductible is USD 1.",
                3,
                source="web",
                kind="document",
                title="Ours",
                amends=["forms:base"],
            )
        ],
    )

    answer = org.reader("user:bo").ask("Which deductible applies to the Homeowners Form?")

    assert answer.state != "answered"


def manual(n: int) -> str:
    """Sections that each name their own matter, and one that answers nothing by itself."""
    sections = [
        f"## {place}.1 Matter {place}\n\nHail on roofs is a matter of part {place}.\n"
        for place in range(1, n)
    ]
    return "\n".join(["# Roof Manual", *sections, "## 90.1 Entry\n\nThe figure kept here is 17 weeks.\n"])


def asked(org: Org, question: str, **moment: str) -> list[Part]:
    return list(org.reader("user:bo", **moment).context(question, budget=1200).parts)


def test_every_passage_among_the_best_starts_a_walk_not_only_the_best_of_its_text(org: Org) -> None:
    body = (
        "# Roof Form\n\n## 1 Roofs\n\nHail on roofs: the hail deductible for roofs is 2 percent.\n\n"
        "## 2 Repairs\n\nHow long hail repairs to roofs may take: see Section 90.1 of the Roof Manual.\n"
    )
    taken(org, [form("roof", "Roof Form", body), form("manual", "Roof Manual", manual(12))])

    parts = asked(org, "What is the hail deductible for roofs, and how long may hail repairs take?")

    assert any("17 weeks" in part.text and part.kind == "passage" for part in parts)


def test_a_section_that_is_named_stands_right_behind_what_names_it(org: Org) -> None:
    pointer = "# Roof Form\n\n## 1 Repairs\n\nHow long hail repairs take: Section 90.1 of the Roof Manual.\n"
    taken(org, [form("roof", "Roof Form", pointer), form("manual", "Roof Manual", manual(30))])

    texts = [
        part.text for part in asked(org, "How long do hail repairs to roofs take?") if part.kind == "passage"
    ]

    places = [place for place, text in enumerate(texts) if "17 weeks" in text or "Section 90.1 of" in text]
    assert places == [places[0], places[0] + 1]


@pytest.mark.parametrize("named", ["Section 4.2 of the Roof Form", "Section 4.2"])
def test_an_amendment_is_found_from_the_section_that_it_names_once_it_has_taken_effect(
    org: Org, named: str
) -> None:
    sections = "\n".join(
        f"## {n}.1 Change\n\nThe figure of part {n} stays as it was.\n" for n in range(10, 20)
    )
    base = "# Roof Form\n\n## 4.2 Repairs\n\nHail repairs to roofs may take 20 weeks.\n"
    notice = f"# Roof Notice\n\n{sections}\n## 30.1 Change\n\nIn {named} the figure is now 17 weeks.\n"
    taken(
        org,
        [
            form("roof", "Roof Form", base, valid_from="2024-01-01"),
            form("notice", "Roof Notice", notice, 1, valid_from="2025-01-01", amends=["roof"]),
        ],
    )
    question = "How long may hail repairs to roofs take?"

    (why,) = [part.why for part in asked(org, question) if "17 weeks" in part.text]
    before = asked(org, question, as_of="2024-06-01T00:00:00Z")

    assert "is amended by “Roof Notice › 30.1 Change”" in why
    assert not any("17 weeks" in part.text for part in before)


def test_an_amendment_that_a_reader_cannot_see_leaves_their_pack_as_it_is(org: Org) -> None:
    base = form("roof", "Roof Form", "# Roof Form\n\n## 4.2 Repairs\n\nHail repairs may take 20 weeks.\n")
    question = "How long may hail repairs take?"
    taken(org, [base])
    before = org.reader("user:bo").context(question).text
    body = "# Notice\n\nIn Section 4.2 of the Roof Form the figure is now 17 weeks.\n"
    taken(org, [form("notice", "Roof Notice", body, 1, amends=["roof"], audience=FINANCE)])

    assert org.reader("user:bo").context(question).text == before
    assert "17 weeks" in org.reader("user:ann").context(question).text


def test_the_best_evidence_gets_room_before_pages(org: Org) -> None:
    base = "# Roof Form\n\n## 4.2 Repairs\n\nHail repairs to roofs may take 20 weeks.\n"
    taken(org, [form("roof", "Roof Form", base, project="Roofs of Oregon")])

    for budget in (60, 90, 120, 200, 1_000):
        pack = org.reader("user:bo").context("Roofs of Oregon: how long may hail repair take?", budget=budget)
        assert "20 weeks" in pack.text, budget
        assert pack.budget.used <= budget


def test_what_belongs_to_the_project_that_a_task_names_comes_before_what_is_anothers(org: Org) -> None:
    states = "Nevada Oregon Georgia Maine Ohio".split()
    said_of = "# Form\n\n## 4.2 Repairs\n\nHail repairs to roofs may take {n} weeks.\n"
    taken(
        org,
        [
            form(state, f"Form {n}", said_of.format(n=20 + n), project=f"{state} Roofs")
            for n, state in enumerate(states)
        ],
    )

    for n, state in enumerate(states):
        parts = asked(org, f"{state} Roofs: how long may hail repairs to roofs take?")
        assert f"{20 + n} weeks" in next(part.text for part in parts if part.kind == "passage")
