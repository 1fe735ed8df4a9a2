import time

import pytest

from muniment.sources.folder import Document, Unreadable, read_document


def document(data: str, name: str) -> Document:
    found = read_document(data.encode(), name)
    assert isinstance(found, Document), found
    return found


PAGE = """<!DOCTYPE html><html><head><title>T</title><style>x{}</style></head><body><h1>Head <b>one</b></h1>
<p>Para <a href=x>link</a><br>two<p hidden>no<div style="display: none">no</div><!-- no
--><script>no()</script>
<ul><li>a<ul><li>b</ul><li><p>c</p></ul><ol><li>x<li>y</ol>
<table><thead><tr><th>k<th>v</thead><tr><td>a|b<td><p>1</p><p>2</p></table>
<blockquote><p>q</blockquote><pre>
 # code
   x</pre><h2></h2>tail<table><tr><td>lay<table><tr><td>in</table></table>"""


def test_a_page_is_read_as_its_reader_sees_it() -> None:
    found = document(PAGE, "a.html")

    assert found.media == "text/html"
    assert found.body == (
        "# Head one\n\nPara link\ntwo\n\n- a\n  - b\n\n- c\n\n1. x\n2. y\n\n"
        "| k | v |\n| --- | --- |\n| a\\|b | 1 2 |\n\n"
        "> q\n\n```\n # code\n   x\n```\n\ntail\n\nlay\n\n| in |\n"
    )
    assert found.notes == ("left out: comments (1)", "left out: hidden elements (2)")


def test_a_page_under_another_name_is_read_as_a_page() -> None:
    found = document(PAGE, "a.md")

    assert found.media == "text/html"
    assert "HTML" in found.notes[0]


@pytest.mark.parametrize("tag", ["div", "ul><li", "blockquote", "table><tr><td", "span", "b", "font size=1"])
def test_ten_thousand_levels_are_read_or_refused_at_once(tag: str) -> None:
    before = time.process_time()
    found = read_document((f"<{tag}>" * 10_000 + "deep").encode(), "a.html")

    assert "deep" in (found.reason if isinstance(found, Unreadable) else found.body)
    assert time.process_time() - before < 5


def test_formats_left_open_are_not_copied_without_end() -> None:
    page = "".join(f"<font size={number}>" for number in range(3000)) + "<p>x" * 3000

    found = read_document(page.encode(), "a.html")

    assert isinstance(found, Unreadable)
    assert "nested" in found.reason


@pytest.mark.parametrize(
    "page",
    [
        "<p " + " ".join(f"a{number}=1" for number in range(50_000)) + ">x",
        "<p " + "".join(f"a{number}='>'" for number in range(50_000)) + ">x",
        "<p " + "/".join(f"a{number}" for number in range(50_000)) + ">x",
        "<div>" * 5000 + "<p>" * 20_000 + "x",
        "<!--" * 50_000 + "x",
        "<p a='\"" * 50_000 + "x",
        "<table>" + "<tr><td>a<td>b" * 20_000,
        '<img src="data:image/png;base64,' + "ab/c" * 100_000 + '"><p>x',
    ],
)
def test_a_hostile_page_is_read_or_refused_at_once(page: str) -> None:
    before = time.process_time()
    read_document(page.encode(), "a.html")

    assert time.process_time() - before < 5
