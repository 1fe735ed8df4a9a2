"""What nobody sees of a text is blank in it; everything else stays where it stood."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.sources.folder.read import Document, read_document
from muniment.sources.unseen import unseen, visible

MARKDOWN = "text/markdown"
UNSEEN = [
    "<!-- zq -->",
    "<!-- zq",
    "text <!-- zq\n\nzq --> text",
    "> <!-- zq -->",
    "- a\n- <!-- zq -->",
    "# Title <!-- zq -->",
    "<div hidden>zq</div>",
    "<div title='>' hidden>zq</div>",
    "<div hidden><i title='</div>'>zq</i></div>",
    "<div hidden><!-- </div> -->zq</div>",
    "<span style='display:none'>zq</span>",
    "<span style='font-size: 0'>zq</span>",
    "<input hidden value=zq>",
    "<i hidden/>zq",
    "<div popover>zq</div>",
    "<dialog>zq</dialog>",
    "<dialog id=open>zq</dialog>",
    "<input type=Hidden value='zq'>",
    "<script>zq</script>",
    "<style>\nzq\n\n",
    "<template>zq</template>",
    "<b data-q='zq'>x</b>",
    "<ignore zq>",
    "a <?zq?>",
    "<![CDATA[zq]]>",
    "<!DOCTYPE zq>",
    "# T\n[//]: # (zq)\n",
    "[comment]: <> 'zq'",
    '[x]: # "a\nzq"',
    "\n[zq foo]: http://x.y 'zq'\n",
    # What only looks like code.
    "`a\nb` <!-- zq --> ` x",
    "\\` <!-- zq --> `",
    "` <!-- zq -->",
    '<a title="`"> <!-- zq --> `',
    "<div>\n`<!-- zq -->`\n</div>",
    "<div>\n```\n<!-- zq -->\n```\n</div>",
    "- a\n  ```\n<!-- zq -->\n  ```",
    "- ```\n  code\n  ```\n  <!-- zq -->",
    "text\n    ~~~\n    <!-- zq -->",
    "<!--\n```\n-->\n<!-- zq -->",
    "  ```\ncode\n  ```\n<!-- zq -->\n",
    "text <!-- a\n\n` --> ` <!-- zq --> `",
]
HIDING = [
    "display:none",
    "display:            none",
    "display/* */:/* */none",
    "visibility: collapse",
    "opacity:0.00",
    "opacity: 0%",
    "font-size: 0em",
    "font-size:1px",
    "position:absolute;left:-9999px",
    "position:absolute;clip:rect(0,0,0,0)",
    "clip-path: inset(50%)",
    "clip-path:circle(0)",
    "d\\69splay:none",
    "display:\\6e one",
    "opacity:.01",
    "opacity: 5%",
    "filter:opacity(0)",
    "font-size:.1px",
    "font-size:0.01em",
    "font:0/0 a",
    "font: bold 0px sans-serif",
    "max-height:0;overflow:hidden",
    "overflow: clip; width: 0px",
    "transform: scale(0)",
    "transform:translate(3px) scaleX(0.0)",
    "zoom:0",
    "content-visibility:hidden",
    "mso-hide:all",
    "text-indent:-99em",
    "left:-99vw",
    "color:transparent",
    "color: rgba(0, 0, 0, 0)",
    "color:#12345600",
    "color:#fff0",
    "-webkit-text-fill-color:transparent",
]
SHOWING = [
    *("display:block", "opacity:0.5", "opacity:.9", "opacity: 50%", "opacity:1", "filter:opacity(0.8)"),
    *(
        "font-size:1em",
        "font-size: 1rem",
        "font-size:10px",
        "font-size:.8em",
        "font-size:0.75rem",
        "font-size:90%",
    ),
    *(
        "font: 10px/1 a",
        "font: 1.0em/1.2 sans-serif",
        "font-weight:100",
        "font:700 20px/0 a",
        "background:url(data:x;y,display)",
    ),
    *(
        "left:-10px",
        "margin-left:-15em",
        "color:#00ff00",
        "color:#1230ab",
        "color:rgba(0,0,0,0.5)",
    ),
    *("background-color:transparent", "font-size:0.75rem"),
    *("height:0;padding-bottom:56%", "overflow:hidden;height:100px", "width:10%;overflow:hidden"),
    *("transform:scale(0.5)", "transform:scale(1,1)", "zoom:0.5", "clip-path:circle(50%)"),
]
SEEN = [
    "`<!-- zq -->`",
    "``<!-- zq -->``",
    "```\n<!-- zq -->\n```",
    "```\n<!-- zq -->",
    "1. a\n   ```\n   <!-- zq -->\n   ```\n",
    "\n    ```\n    <!-- zq -->\n    ```",
    "\\<!-- zq -->",
    "a <!-- zq",
    "Map<String, zq>",
    "List<Object> zq",
    "add a <script> tag zq",
    "I </3 zq >",
    "if a <b then zq, more",
    "<https://zq.com>",
    "<zq@example.com>",
    "[zq]: http://a.b\n\nsee [zq]",
    "[DRAFT]: zq",
    "[^1]: zq",
    "<details><summary>x</summary>zq</details>",
    "<img alt='zq' src=x>",
    "<dialog open>zq</dialog>",
    "<input type=text value='zq'>",
]


@pytest.mark.parametrize("body", UNSEEN)
def test_what_no_rendered_page_shows_is_blank(body: str) -> None:
    assert "zq" not in visible(body, MARKDOWN)


@pytest.mark.parametrize("body", SEEN)
def test_what_a_rendered_page_shows_stays(body: str) -> None:
    assert "zq" in visible(body, MARKDOWN)


@pytest.mark.parametrize(
    "body", ["<p>a<!-- zq --></p>", "<p hidden>zq</p>", "<select>zq", "`<!-- zq -->`", "<a zq", "</ zq>"]
)
def test_a_page_is_read_as_a_browser_reads_it(body: str) -> None:
    assert "zq" not in visible(body, "text/html")


@pytest.mark.parametrize("body", UNSEEN)
def test_text_without_markup_hides_nothing_in_marks(body: str) -> None:
    assert visible(body, "text/plain") == body


PIECES = st.sampled_from(
    [
        *(
            "<!--",
            "-->",
            "`",
            "``",
            "```\n",
            "~~~\n",
            "<div hidden>",
            "</div>",
            "<b q=z>",
            "<pre>\n",
            "</pre>",
        ),
        *(
            "\n",
            "\n\n",
            "    ",
            "  ",
            "- ",
            "> ",
            "\\",
            "[x]: # (y)\n",
            "[x]",
            "words ",
            "<?",
            "?>",
            "<script>",
        ),
        *("\u200b\u200b", "\U000e0041", "<a b='", "'>", "字"),
    ]
)
BODIES = st.lists(PIECES | st.text(max_size=4), max_size=30).map("".join)


@given(BODIES, st.sampled_from([MARKDOWN, "text/html", "text/x-rst", "text/plain"]))
def test_every_character_that_is_seen_stays_where_it_stood(body: str, media: str) -> None:
    seen, hidden = visible(body, media), unseen(body, media)

    assert len(seen) == len(body)
    assert [at for at, (one, other) in enumerate(zip(seen, body, strict=True)) if one != other] == [
        at for start, end in hidden for at in range(start, end) if body[at] not in " \n"
    ]


@given(BODIES, BODIES)
def test_a_comment_that_begins_a_paragraph_is_blank_whatever_stands_around_it(
    before: str, after: str
) -> None:
    closed = f"{before.replace('`', '').replace('~', '')}\n\n<!-- zq -->\n\n{after}"

    assert "zq" not in visible(closed, MARKDOWN)


def test_a_title_is_what_is_seen_of_the_first_heading() -> None:
    found = read_document(b"# Pier <!-- zq --> rules <b hidden>zq</b>\n\nText.\n", "a.md")

    assert getattr(found, "title", None) == "Pier rules"


@pytest.mark.parametrize(
    "unit",
    [
        *(
            "<!--",
            "`<!--",
            "<a hidden ",
            "<div hidden>",
            '<a b="',
            "<a b='\" ",
            "<div hidden><a ",
            "<? ",
            "<!x ",
        ),
        *(
            '[a]: b "x\n',
            "[a]: # (x\n",
            "[a]: b (x\n\n",
            "[x",
            "``` `",
            "</a ",
            "<svg>",
            "<svg><a ",
            "<script>",
        ),
        *("<pre>\n", "- ```\n", "<p\n", "  ```\n", "> "),
    ],
)
@pytest.mark.parametrize("media", [MARKDOWN, "text/html"])
def test_hostile_markup_takes_time_by_its_length_alone(unit: str, media: str) -> None:
    before = time.process_time()

    visible(unit * (60_000 // len(unit)), media)

    assert time.process_time() - before < 2


def read_page(style: str) -> str:
    found = read_document(f"<p>Seen.</p><p style='{style}'>zq</p>".encode(), "a.html")
    assert isinstance(found, Document)
    return found.body.strip()


@pytest.mark.parametrize("style", HIDING)
@pytest.mark.parametrize("media", [MARKDOWN, "text/html"])
def test_a_style_that_hides_hides_wherever_it_stands(style: str, media: str) -> None:
    spelled = style.replace(":", "&#58;")

    assert "zq" not in visible(f"<p style='{style}'>zq</p>", media)
    assert "zq" not in visible(f'a <i style="{spelled}">zq</i> b', media)
    assert read_page(style) == "Seen."


@pytest.mark.parametrize("media", [MARKDOWN, "text/html"])
def test_clear_words_that_what_is_behind_them_shows_through_are_seen(media: str) -> None:
    assert "zq" in visible("<p style='color: transparent; background-clip: text'>zq</p>", media)


@pytest.mark.parametrize("style", SHOWING)
@pytest.mark.parametrize("media", [MARKDOWN, "text/html"])
def test_a_style_that_shows_shows_wherever_it_stands(style: str, media: str) -> None:
    assert "zq" in visible(f"<p style='{style}'>zq</p>", media)
    assert "zq" in read_page(style)
