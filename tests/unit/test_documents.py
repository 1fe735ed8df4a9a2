import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.passages import Origin, Text
from muniment.items.text import structure

PIECES = st.sampled_from(
    [
        *("# A\n", "## B\n", "T\n===\n", "=====\n", "> q\n", "```\n", "<!-- ", " -->", "\n", "\n\n", "text "),
        *(
            "Ann: hi\n",
            "[00:01] Bo: yo\n",
            "张三：好\n",
            "1. TITLE\n",
            "第一章 总则\n",
            ".. c\n",
            "   x\n",
            "`",
        ),
        *("On Mon, Bo wrote:\n", "-----Original Message-----\n", "---------- Forwarded message\n"),
        *("<b hidden>", "</b>", "\r\n", "\u200b\u200b"),
    ]
)
BODIES = st.lists(st.one_of(PIECES, st.text(max_size=5))).map("".join)
KINDS = st.sampled_from(["message", "email", "call", "meeting", "document", "note", "issue"])
MEDIA = st.sampled_from([None, "text/plain", "text/markdown", "text/x-rst", "text/html"])


def headings(text: Text) -> list[tuple[str, ...]]:
    return [section.heading for section in text.sections]


def speakers(body: str, kind: str = "meeting", media: str | None = None) -> list[str | None]:
    return [section.speaker for section in structure(kind, body, media).sections]


def words(body: str, origin: Origin, kind: str = "email", media: str | None = None) -> list[str]:
    return [body[s.start : s.end].strip() for s in structure(kind, body, media).spans if s.origin is origin]


@given(KINDS, BODIES, MEDIA)
def test_sections_and_spans_each_tile_the_body(kind: str, body: str, media: str | None) -> None:
    text = structure(kind, body, media)

    for tiles in (text.sections, text.spans):
        edges = [0, *(tile.end for tile in tiles)]
        assert [tile.start for tile in tiles] == edges[:-1]
        assert edges[-1] == len(body)
        assert all(tile.start < tile.end for tile in tiles)


@given(KINDS, BODIES, MEDIA)
def test_the_same_input_has_the_same_structure(kind: str, body: str, media: str | None) -> None:
    assert structure(kind, body, media) == structure(kind, body, media)


def test_markdown_headings_nest_outside_code_and_comments() -> None:
    body = "# A\ntext\n## B ##\nx\n```\n# no\n```\n<!-- \n# no\n-->\nSet\n---\ny\n# C {#c}\nz\n"

    assert headings(structure("document", body, "text/markdown")) == [
        ("A",),
        ("A", "B"),
        ("A", "Set"),
        ("C",),
    ]


def test_a_heading_with_nothing_but_a_deeper_one_opens_one_section_with_it() -> None:
    assert headings(structure("document", "# A\n\n## B\n\ntext\n\n## C\n", "text/markdown")) == [
        ("A", "B"),
        ("A", "C"),
    ]


def test_restructured_titles_take_their_depth_from_first_appearance() -> None:
    body = "====\nTop\n====\n\nt\n\nOne\n---\n\nt\n\nTwo\n~~~\n\nt\n\n简介\n----\n\nt\n"

    assert headings(structure("document", body, "text/x-rst")) == [
        ("Top",),
        ("Top", "One"),
        ("Top", "One", "Two"),
        ("Top", "简介"),
    ]


def test_plain_text_has_only_headings_nobody_would_take_for_a_sentence() -> None:
    body = "1. INTRODUCTION\n\ntext\n\n2. We then did this.\n\n第一章 总则\n\ntext\n"

    assert headings(structure("document", body, "text/plain")) == [("1. INTRODUCTION",), ("第一章 总则",)]


def test_a_chat_message_has_one_section() -> None:
    assert headings(structure("message", "# not a title\n\ntext\n# nor this\n", "text/markdown")) == [()]


@pytest.mark.parametrize(
    "body",
    [
        "Ann: hi\nBo: hello\n",
        "[00:01:02] Ann: hi\nmore\n[00:01:05] Bo: hello\nAnd more",
        "00:01 Ann: hi\n00:02 Bo: hello",
        "**Ann:** hi\n**Bo**: hello",
        "Ann (00:01): hi\nBo (00:02): hello",
        "Ann 00:01\nhi\n\nBo 00:03\nhello\n",
        "<v Ann>hi</v>\n\n<v Bo>hello</v>",
        "Ann： hi\nBo：hello",
    ],
)
def test_a_transcript_has_a_section_for_each_turn(body: str) -> None:
    assert speakers(body) == ["Ann", "Bo"]


def test_a_chinese_transcript_is_read_too() -> None:
    assert speakers("时间：周一\n张三：你好\n李四（客户）：好\n续约\n") == [None, "张三", "李四（客户）"]


def test_notes_with_labels_have_no_speakers() -> None:
    assert speakers(
        "Agenda: renewal\nDecision: go\nSee https://x.example\nWe met at 10:30\n- Ann: sends it\n"
    ) == [None]


def test_a_document_has_no_speakers() -> None:
    assert speakers("Ann: hi\nBo: hello\n", kind="document") == [None]


@pytest.mark.parametrize(
    "quoted",
    [
        "> Can we?\n> yes",
        "On Mon, 3 June 2024, Bo <bo@x.example>\nwrote:\n\n> Can we?",
        "On Mon, Bo wrote:\nCan we?",
        "-----Original Message-----\nFrom: Bo\n\nCan we?",
        "From: Bo\nSent: Monday\nTo: Ann\nSubject: x\n\nCan we?",
        "在 2024年1月1日，张三 <a@b.example> 写道：\n\n续约吗",
        "------------------ 原始邮件 ------------------\n发件人: x",
    ],
)
def test_what_a_reply_quotes_is_not_its_senders_own(quoted: str) -> None:
    body = f"We agree.\n\n{quoted}"

    assert "".join(words(body, Origin.OWN)).strip() == "We agree."
    assert "Can we?" not in "".join(words(body, Origin.OWN))


def test_words_under_a_quotation_are_own_again() -> None:
    assert words("> Can we?\nYes.", Origin.OWN) == ["Yes."]


@pytest.mark.parametrize(
    "mark",
    ["---------- Forwarded message ---------", "---------- 转发的邮件 ---------", "Begin forwarded message:"],
)
def test_what_is_forwarded_is_not_its_senders_own(mark: str) -> None:
    assert words(f"FYI\n\n{mark}\nFrom: Bo\n\n> old\nhello", Origin.OWN) == ["FYI"]


def test_what_a_page_would_not_show_is_hidden_wherever_it_stands() -> None:
    body = (
        "A <!-- ignore\nall --> b <i style='display: none'>c<i>d</i></i> e `<!-- f -->`\n"
        "\u200b\u200b\U000e0041\n> <!-- g -->\n"
    )

    hidden = words(body, Origin.HIDDEN, "document", "text/markdown")

    assert hidden == [
        "<!-- ignore\nall -->",
        "<i style='display: none'>c<i>d</i></i>",
        "\u200b\u200b\U000e0041",
        "<!-- g -->",
    ]


def test_emoji_and_flags_are_seen() -> None:
    assert (
        words(
            "👨\u200d👩\u200d👧 \U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
            Origin.HIDDEN,
        )
        == []
    )


def test_code_and_callouts_and_prompts_in_a_document_are_own() -> None:
    body = "```\n> prompt\n```\n> [!NOTE]\n> **Note** well\n>>> x = 1\n"

    assert words(body, Origin.QUOTED, "document", "text/markdown") == []


def test_a_restructured_comment_is_hidden_and_a_directive_is_not() -> None:
    body = ".. note:: seen\n\n.. not seen\n   nor this\n\n.. _target: x\n\ntext\n"

    assert words(body, Origin.HIDDEN, "document", "text/x-rst") == [".. not seen\n   nor this"]
