"""Which edition a shared title means, what numbers are a document's, and where a section is looked up."""

from __future__ import annotations

import pytest

from muniment.view import View
from tests.evidence import FINANCE
from tests.postgres.test_references import FORM, back, doc, headings, led, left, opened
from tests.worlds import Event, member

SEE = "Adjusters follow the Water Form."
YEARS = ("2019", "2021", "2024")


def dated(year: str, **fields: object) -> Event:
    return doc(f"form-{year}", "Water Form", FORM, 0, valid_from=f"{year}-01-01", **fields)


def targets(view: View, stater: str) -> list[str]:
    return sorted(target for _, _, target in led(view, stater))


@pytest.mark.parametrize(
    ("day", "meant"),
    [("2018-06-01", []), ("2020-06-01", ["form-2019"]), ("2021-01-01", ["form-2021"]), (None, ["form-2024"])],
)
def test_a_title_that_editions_share_means_the_one_in_force_that_day(
    url: str, tenant: str, day: str | None, meant: list[str]
) -> None:
    with opened(url, tenant, [*map(dated, YEARS), doc("guide", "Guide", SEE)]) as org:
        assert targets(org.reader("user:bo", as_of=day), "guide") == meant


def test_the_edition_in_force_is_that_of_what_a_reader_can_see(url: str, tenant: str) -> None:
    hidden = dated("2024", audience=FINANCE)
    events = [member("group:finance", "user:ann"), *map(dated, YEARS[:2]), hidden, doc("guide", "Guide", SEE)]
    with opened(url, tenant, events) as org:
        assert targets(org.reader("user:ann"), "guide") == ["form-2024"]
        assert targets(org.reader("user:bo"), "guide") == ["form-2021"]
        assert back(org.reader("user:bo"), "form-2021") == {("refers_to", "guide", "form-2021")}


def test_undated_texts_are_editions_only_where_one_took_the_others_place(url: str, tenant: str) -> None:
    events = [doc("one", "Water Form", FORM), doc("two", "Water Form", FORM, 1), doc("guide", "Guide", SEE)]
    with opened(url, tenant, events) as org:
        assert left(org.reader("user:bo"), "guide") == [("water form", None)]
    tied = [events[0], doc("two", "Water Form", FORM, 1, supersedes=["one"]), events[2]]
    with opened(url, f"{tenant}-tied", tied) as org:
        assert targets(org.reader("user:bo"), "guide") == ["two"]


def test_texts_of_two_sources_or_of_one_day_are_no_editions(url: str, tenant: str) -> None:
    elsewhere = dated("2024", source="files")
    twin = doc("twin", "Water Form", FORM, valid_from="2021-01-01")
    for name, other in (("source", elsewhere), ("day", twin)):
        with opened(url, f"{tenant}-{name}", [dated("2021"), other, doc("guide", "Guide", SEE)]) as org:
            assert left(org.reader("user:bo"), "guide") == [("water form", None)], name


def test_what_is_amended_is_the_edition_of_the_day_the_amendment_took_effect(url: str, tenant: str) -> None:
    body = "This notice amends Section 4.2 of the Water Form."
    notice = doc("notice", "Water Notice", body, valid_from="2022-03-01")
    with opened(url, tenant, [*map(dated, YEARS), notice]) as org:
        for day in ("2020-06-01", "2023-01-01", None):
            assert led(org.reader("user:bo", as_of=day), "notice") == {("amends", "notice", "form-2021")}


@pytest.mark.parametrize(
    "id_", ["OR-PA-EQUIPMENT-2024", "IN-HO-3-2024", "IN-2024-017", "MS-CP-BACKUPOFSEWERS-2024"]
)
def test_an_id_is_one_whatever_its_first_word_means(url: str, tenant: str, id_: str) -> None:
    events = [
        doc(id_, "Base Form", FORM),
        doc("guide", "Guide", f"The wait is in Section 4.2 of {id_}."),
        doc("rider", "Rider", "It belongs elsewhere.", attaches_to=id_),
    ]
    with opened(url, tenant, events) as org:
        bo = org.reader("user:bo")
        assert led(bo, "guide") == {("refers_to", "guide", id_)}
        assert "Three days." in headings(bo, "guide")[0]
        assert led(bo, "rider") == {("attaches_to", "rider", id_)}


@pytest.mark.parametrize(
    "text", ["OR 12", "AES-256-GCM", "Q3-2024", "FY-2024-05", "TO-2024-05-01", "STEP-1-2"]
)
def test_what_only_looks_like_an_id_is_none(url: str, tenant: str, text: str) -> None:
    with opened(url, tenant, [doc("guide", "Guide", f"It is told in {text} here.")]) as org:
        assert left(org.reader("user:bo"), "guide") == []


@pytest.mark.parametrize(
    "noun", "Booklet Schedule Notice Supplement Annex Rider Circular Glossary Leaflet Exhibit".split()
)
def test_words_for_documents_end_titles(url: str, tenant: str, noun: str) -> None:
    events = [doc("it", f"Marine {noun}", FORM), doc("guide", "Guide", f"Waiting: the Marine {noun}, 4.2.")]
    with opened(url, tenant, events) as org:
        assert targets(org.reader("user:bo"), "guide") == ["it"]


@pytest.mark.parametrize("other", ["the Blue Pages of Oregon", "the policy", "their building", "our Form"])
def test_a_section_of_another_text_is_never_one_of_the_own(url: str, tenant: str, other: str) -> None:
    body = f"{FORM}\n## 5 More\n\nIt is told in Section 4.2 of {other}.\n"
    with opened(url, tenant, [doc("guide", "Water Guide", body)]) as org:
        assert led(org.reader("user:bo"), "guide") == set()


def test_the_policy_is_the_own_text_where_that_is_called_a_policy(url: str, tenant: str) -> None:
    body = f"{FORM}\n## 5 More\n\nIt is told in Section 4.2 of the policy.\n"
    with opened(url, tenant, [doc("it", "Water Policy", body)]) as org:
        assert "Three days." in headings(org.reader("user:bo"), "it")[0]


def test_a_section_of_a_text_that_no_word_calls_a_document_leads_to_it(url: str, tenant: str) -> None:
    events = [doc("it", "Blue Pages", FORM), doc("guide", "Guide", "See Section 4.2 of the Blue Pages.")]
    with opened(url, tenant, events) as org:
        assert "Three days." in headings(org.reader("user:bo"), "guide")[0]


@pytest.mark.parametrize("words", ["Section 4.2", "Section 4.2 of the policy"])
@pytest.mark.parametrize("tie", ["amends", "attaches_to"])
def test_a_section_is_looked_up_in_the_one_text_that_its_text_belongs_to(
    url: str, tenant: str, tie: str, words: str
) -> None:
    body = f"# Rider\n\n## 1 Wait\n\nThe days in {words} are doubled.\n"
    events = [
        doc("form", "Water Form", FORM),
        doc("rider", "Rider", body, 0, **{tie: ["form" if tie == "amends" else "Water Form"]}),
    ]
    with opened(url, tenant, events) as org:
        bo = org.reader("user:bo")
        assert "Three days." in headings(bo, "rider")[0]
        assert ("refers_to", "rider", "form") in back(bo, "form")


def test_of_two_texts_that_it_belongs_to_none_has_the_section(url: str, tenant: str) -> None:
    rider = doc("rider", "Rider", "See Section 4.2.", attaches_to=["Water Form", "Fire Form"])
    events = [doc("form", "Water Form", FORM), doc("fire", "Fire Form", FORM), rider]
    with opened(url, tenant, events) as org:
        assert left(org.reader("user:bo"), "rider") == [(None, "4.2")]


def test_a_base_that_a_reader_cannot_see_has_no_sections(url: str, tenant: str) -> None:
    rider = doc("rider", "Rider", "See Section 4.2.", attaches_to="Water Form")
    events = [member("group:finance", "user:ann"), doc("form", "Water Form", FORM, audience=FINANCE), rider]
    with opened(url, tenant, events) as org:
        assert ("refers_to", "rider", "form") in led(org.reader("user:ann"), "rider")
        assert led(org.reader("user:bo"), "rider") == set()
