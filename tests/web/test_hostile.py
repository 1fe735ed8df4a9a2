"""What sources write is text, whatever it looks like; and so is what a page is made of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from muniment.app import Org
from muniment.domain.investigating import Ending, Observed, Reached, Start
from muniment.domain.values import Citation, Page, PageClaim, Section
from muniment.surfaces.web.differing import changed_words
from muniment.surfaces.web.drawing import drawn
from muniment.surfaces.web.rendering import address, pieces, render, wiki_place
from tests.web.conftest import signed_in, site_of
from tests.worlds import Event, at, open_org, person, said, taken

NASTY = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "</textarea></svg><iframe src=//x.example>",
    "[link](javascript:alert(1)) ![pixel](https://x.example/p.png)",
    '"><a href="javascript:alert(1)" hx-get="/desk/erase" onclick=alert(1)>',
    "{{ 7919 * 7907 }} {% include '/etc/passwd' %} ${7919*7907}",
    "\u202egnp.exe \u2066\u200f نص عربي",
    "⟦ not ours ⟧ [1] [99]",
    "<style>*{display:none}</style><base href=//x.example><meta http-equiv=refresh content=0>",
)
ALLOWED = set(
    "html head meta title link script body a header nav div span form input button main aside h1 h2 h3 p ul "
    "ol li section article label textarea select option details summary blockquote mark bdi time footer dl "
    "dt dd svg path rect text table thead tbody tr th td code pre del ins datalist fieldset legend "
    "-text -doctype".split()
)


def _is_harmless(page: str) -> None:
    """No element, attribute or address is there that a template of ours did not write."""
    root = LexborHTMLParser(page).root
    assert root is not None
    for node in root.traverse(include_text=False):
        assert node.tag in ALLOWED, node.tag
        for name, value in node.attributes.items():
            assert not name.startswith("on")
            assert name not in ("style", "srcdoc", "formaction")
            if name in ("href", "src", "action", "hx-get"):
                assert (value or "").startswith(("/", "#", "https://chat.example/")), value
            if name == "hx-get":
                assert (value or "").startswith(("/evidence/", "/claims/")), value
    assert [one.attributes["src"] for one in LexborHTMLParser(page).css("script")] == [
        "/static/htmx.min.js",
        "/static/muniment.js",
    ]
    assert str(7919 * 7907) not in page


def test_what_a_source_writes_is_shown_and_never_obeyed(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        events = [
            said(
                f"m{place}",
                f"Decision: the limit of Acme {place} is EUR {place + 1}00 {nasty}.",
                place,
                account=f"Acme {nasty}",
                title=nasty,
                author="user:ann",
                url="javascript:alert(1)" if place % 2 else f"https://chat.example/{place}",
            )
            for place, nasty in enumerate(NASTY)
        ]
        taken(org, [person("user:ann", name=NASTY[0]), *events])
        http = signed_in(site_of(org), org, "user:ann")
        view = org.reader("user:ann")
        wikis = [wiki_place(one.entity) for one in view.pages()]
        cited = {
            hit.citation.id for nasty in NASTY for hit in view.search(f"limit Acme {nasty}") if hit.citation
        }
        places = [
            "/pages",
            "/search?q=limit",
            "/?q=What+is+the+limit+of+Acme+3%3F",
            *(
                f"/{room}?q={nasty}"
                for room in ("", "search", "pages")
                for nasty in ("%3Cscript%3E%22%27", "%00")
            ),
            *wikis,
            *(place.replace("/wiki", "/timeline", 1) for place in wikis),
            *(f"/evidence/{one}" for one in cited),
        ]

        pages = [http.get(place) for place in places]

    assert len(wikis) >= 5
    assert len(cited) >= len(NASTY) - 1
    for place, page in zip(places, pages, strict=True):
        assert page.status_code == 200, place
        _is_harmless(page.text)


def test_what_accounts_and_incidents_are_called_is_shown_and_never_obeyed(url: str, tenant: str) -> None:
    names = (*NASTY, "x" * 700, "شركة الاختبار", "a/../b", ".")
    with open_org(url, tenant) as org:
        promises = [
            said(
                f"m{place}",
                f"I will send {name} the offer by Friday. {name} objected to the price.",
                place,
                account=name,
                author="user:ann",
                author_name=name[:200],
            )
            for place, name in enumerate((*names, ""))
        ]
        taken(org, [person("user:ann", name=NASTY[1]), *promises, *_edges(names)])
        incidents = _investigated(org, names)
        http = signed_in(site_of(org), org, "user:ann")
        every = [one for one in org.reader("user:ann").pages() if one.kind == "account"]
        places = [
            *"/accounts /commitments /landmines /incidents /memories".split(),
            *(wiki_place(one.entity, "account") for one in every),
            *(wiki_place(one.entity, room) for one in every[::3] for room in ("commitments", "landmines")),
            *(wiki_place(name, "topology") for name in names),
            *incidents,
        ]

        pages = [http.get(place) for place in places]
        absent = [http.get(f"/{room}?entity=").status_code for room in ("account", "topology")]

    assert len(every) >= 10
    for place, page in zip(places, pages, strict=True):
        assert page.status_code == 200, place
        _is_harmless(page.text)
    assert absent == [404, 404]


def _edges(names: Sequence[str]) -> list[Event]:
    plain = {"op": "topology", "source": "cmdb", "at": at(0), "audience": [["*"]]}
    return [{**plain, "environment": name[:60], "edges": [[name, name[:60], "b"]]} for name in names]


def _investigated(org: Org, names: tuple[str, ...]) -> list[str]:
    """An open and a closed incident, in which everything is called so."""
    desk = org.reader("user:ann").incidents
    first, second = (
        desk.open(Start(f"{one[:200]}!", None, one, one, one, names, names, text=one)).incident
        for one in names[:2]
    )
    seen = [
        desk.observe(
            first, Observed(f"{name}!", name, name, version=name, signals=(name,), outcome=f"{name}?")
        ).id
        for name in names
    ]
    held = desk.hypothesis(first, "\n".join(names), seen)
    desk.verdict(first, held.id, "refuted", seen, " ".join(names))
    desk.checkpoint(first, Reached(" ".join(names), names, names, names))
    proof = desk.observe(second, Observed("\n".join(names), kind="attempt", outcome=names[0])).id
    desk.close(second, Ending(names[2], (proof,), "\n".join(names), names, names, None, "me"))
    return [f"/incidents/{first}", f"/incidents/{second}"]


def test_what_is_too_much_is_cut_or_refused(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        taken(org, [person("user:ann")])
        http = signed_in(site_of(org), org, "user:ann")

        asked = http.get("/", params={"q": "limit " * 10_000})
        sent = http.post("/signout", content=b"&".join(b"a=1" for _ in range(10_000)), headers=FORM)
        large = http.post("/signout", content=b"a" * 5_000_000, headers=FORM)

    assert asked.status_code == 200
    assert sent.status_code == 403
    assert large.status_code == 413


FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.mark.parametrize(
    "place", ["/?q=x&as_of=yesterday", "/search?q=x&unit=all", "/?q=x&known_at=99999-01-01"]
)
def test_what_makes_no_sense_is_told_in_words(url: str, tenant: str, place: str) -> None:
    with open_org(url, tenant) as org:
        taken(org, [person("user:ann")])
        page = signed_in(site_of(org), org, "user:ann").get(place)

    assert page.status_code == 400
    _is_harmless(page.text)


@given(st.text())
@example("../..")
@example("a/../b")
@example("?x#y")
def test_a_page_of_any_name_leads_to_that_name(entity: str) -> None:
    text = entity.encode("utf-8", "ignore").decode()
    place = urlsplit(wiki_place(text))

    assert place.netloc == ""
    if place.query:
        assert place.path == "/wiki"
    else:
        assert unquote(place.path.removeprefix("/wiki/")) == text
        assert not {".", ".."} & set(unquote(place.path).split("/"))


@given(st.text())
@example("javascript:alert(1)")
@example("https:///x")
@example("http://[")
@example(" https://x.example")
def test_only_an_address_of_the_web_is_followed(url: str) -> None:
    assert address(url) is None or re.match(r"https?://[^/]", url, re.IGNORECASE)


@given(st.text(), st.text())
def test_old_and_new_can_be_read_off_their_difference(before: str, after: str) -> None:
    runs = changed_words(before, after)

    assert "".join(run.text for run in runs if run.what != "gone") == after
    if before:
        assert "".join(run.text for run in runs if run.what != "new") == before


@given(st.text(alphabet="ab[]123 ."), st.integers(0, 3))
def test_every_number_in_an_answer_is_a_citation_or_stays_as_it_is(text: str, count: int) -> None:
    cited = [_citation(f"c{place}") for place in range(count)]
    found = list(pieces(text, cited))

    told = "".join(piece.text if piece.citation is None else f"[{piece.number}]" for piece in found)
    assert told == re.sub(r"\[0*([1-9]\d*)\](?=)", lambda match: match[0], text) or "[0" in text
    assert all(piece.citation is cited[(piece.number or 0) - 1] for piece in found if piece.citation)


@given(st.lists(st.tuples(st.text(max_size=200), st.integers(0, 8), st.integers(0, 60)), max_size=60))
def test_a_drawing_holds_all_it_shows_and_no_line_ends_in_nothing(
    claims: list[tuple[str, int, int]],
) -> None:
    laid = tuple(
        PageClaim(f"k{place}", text, "active", (_citation(f"c{place}", f"m{item}", f"k{other}"),))
        for place, (text, item, other) in enumerate(claims)
    )
    graph = drawn(_page(laid))

    if graph is None:
        assert not claims
        return
    boxes = {(box.x + wide, box.y + 15) for box in (*graph.claims, *graph.items) for wide in (0, box.wide)}
    assert all({(arc.x1, arc.y1), (arc.x2, arc.y2)} <= boxes for arc in graph.arcs)
    assert all(
        box.y + 30 <= graph.high and box.x + box.wide <= graph.wide for box in graph.claims + graph.items
    )
    assert len(graph.claims) + graph.more == len(claims)
    assert len({box.y for box in graph.items}) == len(graph.items)


@given(st.text())
def test_any_text_is_read_as_it_was_written(text: str) -> None:
    page = render("part.html", {"t": lambda _: text, "here": "/", "place": str, "form": "", "asked": {}})
    link = LexborHTMLParser(page).css_first("a")

    assert link is not None
    kept = (
        text.encode("utf-8", "replace")
        .decode()
        .replace("\x00", "\ufffd")
        .replace("\r\n", "\n")
        .replace("\r", "\n")
    )
    assert link.text() in (kept, kept.replace("\ufffd", ""))


def _citation(id_: str, item: str = "m1", against: str | None = None) -> Citation:
    return Citation(
        id=id_,
        claim=None,
        statement="s",
        quote="s",
        source="chat",
        item=item,
        version="1",
        url=None,
        said_by=None,
        said_at=None,
        valid_from=None,
        valid_to=None,
        status="active",
        superseded_by=None,
        conflicts_with=(against,) if against else (),
        authority="member",
        trust="member",
    )


def _page(claims: tuple[PageClaim, ...]) -> Page:
    section = Section("Facts", claims)
    return Page("acme", "account", "Acme", "", (section,), datetime(2026, 1, 1, tzinfo=UTC), 0, 0)
