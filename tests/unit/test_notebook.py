"""Answers, packs and pages in a notebook: a source's words are words there too."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from selectolax.lexbor import LexborHTMLParser

from muniment.domain.values import (
    Answer,
    Budget,
    Citation,
    Omitted,
    Pack,
    Page,
    PageClaim,
    Part,
    Searched,
    Section,
)

AT = datetime(2026, 6, 1, tzinfo=UTC)
TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=80)
OURS = {"html", "head", "body", "p", "b", "i", "bdi", "ul", "ol", "li", "small", "h2", "pre"}
NASTY = "<script>alert(1)</script> ![x](https://x.example) [y](javascript:alert(1)) ````\n# z"


def cited(text: str) -> Citation:
    return Citation(
        id="c_1",
        claim=None,
        statement=text,
        quote=text,
        source=text,
        item=text,
        version=None,
        url=None,
        said_by=text,
        said_at=AT,
        valid_from=None,
        valid_to=None,
        status="stale",
        superseded_by=None,
        conflicts_with=(),
        authority="member",
        trust="member",
    )


def answer(text: str) -> Answer:
    one = cited(text)
    searched = Searched(1, AT)
    return Answer("answered", text, (one,), ((one, one),), (text,), (), (text,), searched, AT, AT, "t")


def pack(text: str) -> Pack:
    part = Part("claim", text, 3, text, (cited(text),))
    budget, left = Budget(100, 3, "o200k"), Omitted(0, None)
    return Pack("answered", text, (part,), budget, left, True, (), None, (), (), AT, AT, "t")


def page(text: str) -> Page:
    section = Section(text, (PageClaim("k", text, "active", (cited(text),)),))
    return Page("acme", text, text, "# Acme", (section,), AT, 0, 0)


@given(TEXT)
@example(NASTY)
def test_html_holds_no_element_and_no_attribute_of_a_source(text: str) -> None:
    for value in (answer(text), pack(text), page(text)):
        root = LexborHTMLParser(value._repr_html_()).root
        assert root is not None
        for node in root.traverse(include_text=False):
            assert node.tag in OURS
            assert not node.attributes


@given(TEXT)
@example(NASTY)
def test_markdown_holds_no_link_no_image_and_no_html_of_a_source(text: str) -> None:
    for value in (answer(text), pack(text)):
        kinds = {
            child.type
            for token in MarkdownIt("commonmark").parse(value._repr_markdown_())
            for child in (token, *(token.children or ()))
        }
        assert not kinds & {"html_block", "html_inline", "link_open", "image", "heading_open"}


def test_what_was_said_and_where_can_be_read() -> None:
    shown = answer("The limit is EUR 180.")

    assert "The limit is EUR 180." in shown._repr_html_()
    assert "**Answered**" in shown._repr_markdown_()
    assert "3 of 100 tokens" in pack("x")._repr_html_()
    assert page("x")._repr_markdown_() == "# Acme"
