"""What texts refer to, measured on a labelled set, and what holds of every extraction."""

import json
import sys
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.events import Body, ItemRef
from muniment.domain.references import Reference
from muniment.graph.extract import references
from muniment.graph.handles import handles
from muniment.graph.names import number_name, title_name
from muniment.graph.referrer import Referrer
from muniment.graph.sections import section_keys, section_name
from muniment.items.passages import cut
from muniment.items.text import structure

LABELLED = Path(__file__).parent.parent / "data" / "references.jsonl"
TITLE, ID = "Expense Rules 2024", "rules/expense.md"
FLOORS = {"supersedes": 0.99, "amends": 0.99, "attaches_to": 0.95, "refers_to": 0.95, "cites": 0.95}
WORDS = (
    "This policy replaces supersedes amends is superseded by the Travel Policy Section 4.2 of "
    "《差旅办法》 取代 本办法 第四条 废止 修订 "
    "HO 04 90 (2010-10) PEP 484 #12 see not would if and , . ; : \n ``` > | [x](y.md) "
    'https://a.b/c " “ ” ( ) edition 2024 version v2.1 Updates: Supersedes: - * ** § the The Endorsement '
    "Agreement Manual 附件一 😀 \x01 \x02"
).split(" ")


def read(
    text: str, kind: str = "document", title: str | None = TITLE, **fields: Any
) -> tuple[Reference, ...]:
    body = Body(kind=kind, body=text, media="text/markdown", title=title, **fields)
    return references(cut(structure(kind, text, body.media)), Referrer.of(ItemRef("rules", ID), body))


def said(text: str, **fields: Any) -> list[tuple[object, ...]]:
    return [(one.kind, one.inverse, one.name, one.section, one.edition) for one in read(text, **fields)]


def labelled() -> list[dict[str, Any]]:
    return [json.loads(line) for line in LABELLED.read_text(encoding="utf-8").splitlines()]


def wanted(row: dict[str, Any]) -> set[tuple[object, ...]]:
    return {
        (one["kind"], one.get("inverse", False), one.get("name"), one.get("section"), one.get("edition"))
        for one in row["want"]
    }


def scored() -> dict[str, tuple[int, int, int]]:
    """Right, said and wanted for each kind; of names, those that some text of the set has."""
    rows = labelled()
    known = {name for row in rows for _, _, name, _, _ in wanted(row)}
    counts: dict[str, Counter[str]] = {name: Counter() for name in ("right", "said", "wanted")}
    for row in rows:
        found = set(said(row["text"], kind=row.get("kind", "document"), title=row.get("title", TITLE)))
        found = {one for one in found if one[2] in known}
        for name, ones in (("right", found & wanted(row)), ("said", found), ("wanted", wanted(row))):
            counts[name].update(str(one[0]) for one in ones)
    return {kind: tuple(counts[name][kind] for name in counts) for kind in FLOORS}  # type: ignore[misc]


@pytest.mark.parametrize("kind", FLOORS)
def test_references_are_read_from_labelled_sentences(kind: str) -> None:
    right, found, want = scored()[kind]

    sys.stdout.write(f"{kind}: precision {right / found:.3f} ({found}), recall {right / want:.3f} ({want})\n")
    assert right / found >= FLOORS[kind], f"precision {right}/{found}"
    assert right / want >= FLOORS[kind], f"recall {right}/{want}"


def test_the_labelled_set_is_large_enough_and_has_both_languages_and_hard_negatives() -> None:
    rows = labelled()

    acts = [row for row in rows if any(one["kind"] in ("supersedes", "amends") for one in row["want"])]
    assert len(rows) >= 200
    assert sum(row["lang"] == "zh" for row in rows) >= 60
    assert len(rows) - len(acts) >= 80


def test_a_title_and_whoever_refers_to_it_meet() -> None:
    for title, mention in (
        ("The Travel Policy", "travel policy"),
        ("Travel Policy (2024 edition)", "the 2024 edition of the Travel Policy"),
        ("Travel Policy – 2024", "2024 Travel Policy"),
        ("Terms & Conditions v2.1", "Terms and Conditions (version 2.1)"),
        ("差旅管理办法（2023年版）", "《差旅管理办法》2023版"),
        ("Form HO 3 (10/2010)", "Form HO 3 (2010-10)"),
    ):
        assert title_name(title) == title_name(mention), (title, mention)


def test_a_number_has_one_spelling() -> None:
    assert len({number_name(one) for one in ("HO-04-90", "HO 04 90", "ho 4 90", "HO_04_90")}) == 1
    assert number_name("RFC2119") == number_name("RFC 2119")


def test_a_section_has_one_spelling() -> None:
    assert {section_name(one) for one in ("Section 4.2", "§ 4.2", "第4.2节", "Clause 4.2(a)")} == {"4.2"}
    assert {"4.2", "waiting period"} <= section_keys("Section 4.2 — Waiting Period")
    assert {"4", "适用范围"} <= section_keys("第四条 适用范围")
    assert section_name("Appendix B") in section_keys("Appendix B: Rates")


def test_a_document_is_called_by_title_number_id_and_address() -> None:
    body = Body(
        kind="document",
        body="",
        title="HO 04 90 Water Damage Endorsement (2026-01)",
        url="https://WWW.a.example/ho/",
    )

    found = {
        (one.role, one.name, one.edition) for one in handles(ItemRef("forms", "forms/ho-04-90.md"), body)
    }

    assert ("number", "ho 4 90", "2026-01") in found
    assert ("title", "water damage endorsement", "2026-01") in found
    assert ("id", "/forms/ho-04-90.md", "2026-01") in found
    assert ("address", "//a.example/ho", "2026-01") in found


def test_who_quotes_refers_to_nothing() -> None:
    text = "I agree.\n\nOn Monday, Bo wrote:\n> This policy replaces the Travel Policy.\n> See PEP 484."

    assert read(text, kind="email", title="Re: limits") == ()


def test_code_refers_to_nothing() -> None:
    assert read("Use it so:\n\n```\nSupersedes: Travel Policy\nsee PEP 484\n```\n\nDone.") == ()


def test_this_in_a_message_is_not_the_message() -> None:
    assert said("This replaces the Travel Policy.", kind="message", title=None) == [
        ("refers_to", False, "travel policy", None, None)
    ]


def test_what_is_planned_counts_once_the_text_says_from_when() -> None:
    text = "This policy will replace the Travel Policy."

    assert said(text) == [("refers_to", False, "travel policy", None, None)]
    dated = said(text, valid_from=datetime(2026, 5, 1, tzinfo=UTC))
    assert dated == [("supersedes", False, "travel policy", None, None)]


def test_front_matter_in_the_text_and_metadata_beside_it_are_read_alike() -> None:
    text = "---\nsupersedes:\n  - HO 04 90 (2010-10)\n  - Travel Policy\nrequires: PEP 440\n---\n\nText."
    beside = {"supersedes": ["HO 04 90 (2010-10)", "Travel Policy"], "requires": "PEP 440"}

    assert set(said(text)) == set(said("Text.", metadata=beside))


def test_a_bare_number_in_a_field_is_of_the_documents_own_scheme() -> None:
    body = Body(kind="document", body="PEP: 333\nTitle: X\nRequires: 234\n\nText.", title="X")

    found = references(
        cut(structure("document", body.body, None)), Referrer.of(ItemRef("p", "pep-0333"), body)
    )

    assert [(one.kind, one.name) for one in found] == [("cites", "pep 234")]


def test_a_heading_is_no_reference_to_itself_and_a_mention_of_it_is_one() -> None:
    text = "# Waiting period\n\nThree days, see Loss Settlement.\n\n# Loss Settlement\n\nWe pay."

    assert said(text) == [("refers_to", False, None, "loss settlement", None)]


@given(
    st.lists(st.sampled_from(WORDS), max_size=60).map(" ".join),
    st.sampled_from(["document", "message", "email"]),
)
def test_every_reference_lies_in_its_passage_and_says_the_same_again(text: str, kind: str) -> None:
    passages = cut(structure(kind, text, "text/markdown"))

    found = read(text, kind)

    assert found == read(text, kind)
    for one in found:
        assert "" not in (one.name, one.section)
        assert one.name or one.section
        if one.ordinal is not None:
            assert 0 <= one.start <= one.end <= len(passages[one.ordinal].text)


@pytest.mark.parametrize(
    "text",
    [
        "This policy replaces " + "the " * 20_000,
        "This policy takes effect and " * 4_000 + "replaces the Travel Policy",
        "A " * 40_000,
        "Travel and the " * 10_000,
        "《" * 40_000,
        "[" * 40_000 + "](" * 1_000,
        "Section 4.2 of " * 8_000,
        "本办法自" * 20_000 + "取代《差旅办法》",
        "HO-" * 20_000,
        "#1 " * 20_000,
        "supersedes: " * 10_000,
        '"A policy ' * 8_000,
    ],
    ids=lambda text: text[:12],
)
def test_no_text_takes_long(text: str) -> None:
    started = time.process_time()
    read(text)

    assert time.process_time() - started < 2


def test_twice_as_many_sections_take_about_twice_as_long() -> None:
    def spent(sections: int) -> float:
        text = "\n\n".join(
            f"## {n}.1 Part {n}\n\nSee Section {n + 1}.1 of this form and the Travel Policy."
            for n in range(sections)
        )
        passages = cut(structure("document", text, "text/markdown"))
        by = Referrer.of(ItemRef("rules", ID), Body(kind="document", body=text, title=TITLE))
        started = time.process_time()
        found = references(passages, by)
        assert len(found) >= 2 * sections - 2
        return time.process_time() - started

    spent(50)
    small, large = spent(1_000), spent(10_000)

    assert large < 25 * small, f"1,000 sections {small:.2f} s, 10,000 sections {large:.2f} s"
