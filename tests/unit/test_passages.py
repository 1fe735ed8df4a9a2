import time
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.passages import Passage
from muniment.items.passages import MOST, cut
from muniment.items.text import structure
from muniment.sources.unseen import visible

PARAGRAPHS = st.lists(
    st.text(alphabet="abcdefg .", min_size=1, max_size=40).map(lambda text: f"w{text}z. " * 12),
    min_size=1,
    max_size=30,
)
SECTIONS = st.lists(PARAGRAPHS, min_size=2, max_size=5)


def passages(body: str, media: str = "text/markdown", kind: str = "document") -> tuple[Passage, ...]:
    return cut(structure(kind, body, media))


def document(sections: list[list[str]]) -> str:
    return "".join(
        f"## Section {number}\n\n" + "\n\n".join(part) + "\n\n" for number, part in enumerate(sections)
    )


def paragraphs(count: int) -> list[str]:
    return [
        f"Paragraph {number} says that {number * 7919 % 1000} things were agreed. " * 5
        for number in range(count)
    ]


def _left_out(body: str, found: Sequence[Passage]) -> str:
    """What lies in no passage."""
    edges = [0, *(edge for one in found for edge in (one.start, one.end)), len(body)]
    assert edges == sorted(edges)
    return "".join(body[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True))


@given(
    st.text(),
    st.sampled_from(["text/markdown", "text/plain", "text/x-rst"]),
    st.sampled_from(["document", "message", "call"]),
)
def test_passages_tile_the_body_whatever_it_is(body: str, media: str, kind: str) -> None:
    found = passages(body, media, kind)

    seen = visible(body, media)
    assert all(seen[passage.start : passage.end] == passage.text for passage in found)
    assert not _left_out(seen, found).strip()
    assert [passage.ordinal for passage in found] == list(range(len(found)))


@given(
    st.lists(
        st.one_of(
            st.text(max_size=3),
            st.sampled_from(
                ["\n\n", "\n", "- x\n", "| a | b |\n", "```\n", "字" * 900, "a" * 1700, "b c. " * 99]
            ),
        )
    ).map("".join)
)
def test_no_passage_is_longer_than_the_most(body: str) -> None:
    found = passages(body)

    assert not _left_out(visible(body, "text/markdown"), found).strip()
    assert all(0 < len(passage.text) <= MOST for passage in found)


@given(st.text(alphabet="> ab\n", max_size=4000))
def test_the_spans_of_a_passage_tile_its_text(body: str) -> None:
    for passage in passages(body, kind="email"):
        assert [span.start for span in passage.spans] == [0, *(span.end for span in passage.spans)][:-1]
        assert passage.spans[-1].end == len(passage.text)


@given(SECTIONS, PARAGRAPHS, st.data())
def test_editing_one_section_leaves_the_anchors_of_every_other(
    sections: list[list[str]], new: list[str], data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(sections) - 1))
    edited = [new if number == at else part for number, part in enumerate(sections)]

    before, after = passages(document(sections)), passages(document(edited))

    elsewhere = (f"Section {at}",)
    assert [p.anchor for p in before if p.heading != elsewhere] == [
        p.anchor for p in after if p.heading != elsewhere
    ]


@given(st.integers(0, 200), st.text(alphabet="xyz. ", min_size=1, max_size=300))
def test_a_paragraph_put_into_a_long_section_changes_few_passages(at: int, text: str) -> None:
    section = paragraphs(200)
    before = {passage.anchor for passage in passages(document([section]))}

    after = {
        passage.anchor for passage in passages(document([[*section[:at], f"New {text}", *section[at:]]]))
    }

    assert len(before) > 50
    assert len(before - after) <= 4


@given(st.integers(0, 59_000))
def test_a_word_changed_in_one_endless_paragraph_changes_few_passages(at: int) -> None:
    body = " ".join(paragraphs(200))[:60_000]
    before = {passage.anchor for passage in passages(body)}

    after = {passage.anchor for passage in passages(f"{body[:at]} changed {body[at:]}")}

    assert len(before - after) <= 4


def test_anchors_differ_within_an_item_even_where_words_repeat() -> None:
    found = passages("## A\n\nsame\n\n## A\n\nsame\n\n" + "line of the same words\n" * 500)

    assert len({passage.anchor for passage in found}) == len(found)


def test_an_anchor_ignores_spacing_and_composition() -> None:
    (one,), (other,) = passages("caf\u00e9  au lait\n"), passages("cafe\u0301 au\nlait")

    assert one.anchor == other.anchor


def test_a_message_that_fits_is_one_passage() -> None:
    body = ("- point\n\n# title\n\n" * 100)[:MOST]

    assert len(passages(body, kind="message")) == 1


def test_no_passage_spans_two_speakers_or_two_sections() -> None:
    found = passages("# A\n\nx\n\n# B\n\nAnn: hi\nBo: hello\nAnn: bye\n", kind="meeting")

    assert [(p.heading, p.speaker) for p in found] == [
        (("A",), None),
        (("B",), None),
        (("B",), "Ann"),
        (("B",), "Bo"),
        (("B",), "Ann"),
    ]


def test_a_heading_stays_with_what_stands_under_it() -> None:
    found = passages("## A\n\n" + "A sentence of some length. " * 200)

    assert len(found[0].text) > 100


def test_a_tables_head_stays_with_its_first_row_and_rows_stay_whole() -> None:
    rows = [f"| name {number} | value {number} |" for number in range(200)]
    found = passages("Text before it. " * 100 + "\n\n" + "\n".join(["| n | v |", "|---|---|", *rows]) + "\n")

    assert any("| n | v |\n|---|---|\n| name 0 |" in passage.text for passage in found)
    assert all(any(row in passage.text for passage in found) for row in rows)


def test_long_sections_have_passages_of_about_the_target() -> None:
    sizes = [len(passage.text) for passage in passages(document([paragraphs(300)]))]

    assert 700 <= sum(sizes) / len(sizes) <= 1200
    assert min(sizes) >= 250


@pytest.mark.parametrize(
    "unit",
    [
        "x",
        "ab ",
        "line\n",
        "\n",
        "字",
        "- a\n",
        "> ",
        "<!--",
        "`<!--",
        "<a hidden ",
        "# ",
        "|a|b|\n",
        "```\n",
        "Ann: x\n",
        " \t",
        "On x\n",
        "<div hidden>",
        "\u200b",
    ],
)
def test_hostile_bodies_take_time_by_their_length_alone(unit: str) -> None:
    body = unit * (60_000 // len(unit))

    before = time.process_time()
    for media, kind in (
        ("text/markdown", "document"),
        ("text/plain", "meeting"),
        ("text/x-rst", "note"),
        ("text/plain", "email"),
    ):
        found = passages(body, media, kind)
        assert not _left_out(visible(body, media), found).strip()

    assert time.process_time() - before < 30
