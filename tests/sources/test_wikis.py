"""Exports of wikis and drives: pages under their own ids, each for the readers a mapping names."""

import io
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.errors import Malformed
from muniment.events.parse import Rejection, parse_event
from muniment.sources.filekind import Handed
from muniment.sources.parsed import Event, Parsed, Unread
from muniment.sources.registry import file_kind, recognised
from muniment.sources.wikis.entities import read_entities
from muniment.sources.wikis.mapping import read_mapping
from muniment.sources.wikis.told import UNMAPPED
from tests.worlds import open_org, person, taken

A, B, C = ("0123456789abcdef0123456789abcde" + end for end in "abc")
MAP = """audiences:
  - path: Handbook
    audience: [group:staff]
  - path: Handbook/Salaries
    audience: [group:hr, user:ann]
members:
  - name: hr-team
    is: group:hr
"""


def mapped(folder: Path, text: str = MAP) -> str:
    path = folder / "map.yaml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def archive(path: Path, files: dict[str, str | bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, text in files.items():
            made.writestr(zipfile.ZipInfo(name, (2026, 3, 1, 9, 0, 0)), text)
    return path


def read(kind: str, path: Path, audiences: str | None = None) -> list[Parsed]:
    options = {} if audiences is None else {"audiences": audiences}
    found = list(file_kind(kind).read(path, Handed("wiki", "user:me", options=options)))
    told = [parse_event(one) for one in found if not isinstance(one, Unread)]
    assert not [one for one in told if isinstance(one, Rejection)]
    return found


def events(found: list[Parsed]) -> dict[object, Event]:
    return {one["id"]: one for one in found if not isinstance(one, Unread)}


# The mapping


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("audiences:\n  - path: A\n", "line 2.*audience.*missing"),
        ("audiences:\n  - path: A\n    audience: [staff]\n", "line 3"),
        ("audiences:\n  - path: A\n    audience: []\n", "at least one"),
        ("audiences:\n  - path: A\n    readers: [group:a]\n", "readers.*unknown"),
        ("audience: []\n", "unknown"),
        ("", "empty"),
    ],
)
def test_a_fault_of_the_mapping_is_named_with_its_place(tmp_path: Path, text: str, where: str) -> None:
    with pytest.raises(Malformed, match=where):
        read_mapping(mapped(tmp_path, text))


def test_a_mapping_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Malformed, match="cannot be read"):
        read_mapping(str(tmp_path / "gone.yaml"))


# Notion


NOTION: dict[str, str | bytes] = {
    f"Handbook {A}.md": f"# Handbook\n\nOwner: Ann Lee\n\nSee [pay](Handbook%20{A}/Salaries%20{B}.md).\n",
    f"Handbook {A}/Salaries {B}.md": "# Salaries\n\nPay is monthly.\n",
    f"Offices {C}.csv": "Name,Town\nNorth,Kiel\n",
    f"Offices {C}_all.csv": "Name,Town\nNorth,Kiel\nSouth,Ulm\n",
}


def test_a_notion_export_is_read_under_its_pages_ids(tmp_path: Path) -> None:
    path = archive(tmp_path / "notion.zip", NOTION)

    found = read("notion-export", path, mapped(tmp_path))
    kind = recognised(path)

    assert kind is not None
    assert kind.name == "notion-export"
    assert set(events(found)) == {A, B, C}
    assert events(found)[A]["title"] == "Handbook"
    assert events(found)[A]["author_name"] == "Ann Lee"
    assert f"[pay]({B})" in str(events(found)[A]["body"])
    assert events(found)[C]["body"] == (
        "# Offices\n\n| Name | Town |\n| --- | --- |\n| North | Kiel |\n| South | Ulm |\n"
    )


def test_a_page_has_the_audience_of_the_longest_path_above_it(tmp_path: Path) -> None:
    found = events(read("notion-export", archive(tmp_path / "n.zip", NOTION), mapped(tmp_path)))

    assert found[A]["audience"] == [["group:staff", "user:me"]]
    assert found[B]["audience"] == [["group:hr", "user:ann", "user:me"]]


def test_a_page_under_no_path_is_left_to_the_importer_and_says_so(tmp_path: Path) -> None:
    found = events(read("notion-export", archive(tmp_path / "n.zip", NOTION), mapped(tmp_path)))

    assert "audience" not in found[C]
    assert UNMAPPED in found[C]["metadata"]["notes"]  # type: ignore[index]


def test_a_large_export_in_parts_is_read_like_one_in_one(tmp_path: Path) -> None:
    inner = io.BytesIO(archive(tmp_path / "part.zip", NOTION).read_bytes())
    parts = archive(tmp_path / "whole.zip", {"Export-Part-1.zip": inner.getvalue()})

    assert set(events(read("notion-export", parts))) == {A, B, C}


# Confluence


def one(kind: str, number: str, *inside: str) -> str:
    return f'<object class="{kind}"><id name="id">{number}</id>{"".join(inside)}</object>'


def has(name: str, value: str) -> str:
    return f'<property name="{name}"><![CDATA[{value}]]></property>'


def leads(name: str, kind: str, number: str, key: str = "id") -> str:
    return f'<property name="{name}" class="{kind}"><id name="{key}">{number}</id></property>'


def page(number: str, title: str, parent: str = "", body: str = "", version: str = "1") -> str:
    plain = [has("title", title), has("version", version), has("contentStatus", "current")]
    above = [leads("parent", "Page", parent)] if parent else []
    rest = [
        leads("space", "Space", "1"),
        leads("creator", "ConfluenceUserImpl", "k1", "key"),
        has("lastModificationDate", "2026-03-01 09:00:00.000"),
    ]
    held = one("BodyContent", f"9{number}", has("body", body), leads("content", "Page", number))
    return one("Page", number, *plain, *above, *rest) + held


def restricted(number: str, *subjects: tuple[str, str], kind: str = "View") -> str:
    made = one(
        "ContentPermissionSet", f"7{number}", has("type", kind), leads("owningContent", "Page", number)
    )
    for at, (field, name) in enumerate(subjects):
        user = field == "user"
        said = leads("userSubject", "ConfluenceUserImpl", name, "key") if user else has("groupName", name)
        owner = leads("owningSet", "ContentPermissionSet", f"7{number}")
        made += one("ContentPermission", f"8{number}{at}", has("type", kind), said, owner)
    return made


def space(*objects: str) -> str:
    person_ = '<object class="ConfluenceUserImpl"><id name="key">k1</id>' + has("name", "ann") + "</object>"
    everything = one("Space", "1", has("key", "Handbook")) + person_ + "".join(objects)
    return f'<?xml version="1.0" encoding="UTF-8"?><hibernate-generic>{everything}</hibernate-generic>'


def exported(folder: Path, *objects: str) -> Path:
    return archive(folder / "space.zip", {"entities.xml": space(*objects), "exportDescriptor.properties": ""})


def test_a_confluence_export_is_read_with_its_macros_and_links(tmp_path: Path) -> None:
    body = (
        '<h2>Rules</h2><p>See <ac:link><ri:page ri:content-title="Pay &amp; leave"/></ac:link> first.</p>'
        '<ac:structured-macro ac:name="code"><ac:parameter ac:name="language">sql</ac:parameter>'
        "<ac:plain-text-body>select 1</ac:plain-text-body></ac:structured-macro>"
    )
    path = exported(tmp_path, page("10", "Travel", body=body, version="4"))

    found = events(read("confluence-export", path, mapped(tmp_path)))["10"]
    kind = recognised(path)

    assert kind is not None
    assert kind.name == "confluence-export"
    assert found["title"] == "Travel"
    assert found["version"] == "4"
    assert found["author_name"] == "ann"
    assert "## Rules\n\nSee Pay & leave first." in str(found["body"])
    assert "sql" not in str(found["body"])
    assert "select 1" in str(found["body"])


def test_restrictions_hold_for_everything_below_them(tmp_path: Path) -> None:
    path = exported(
        tmp_path,
        page("10", "Home", body="<p>One.</p>"),
        page("11", "Board", "10", "<p>Two.</p>"),
        page("12", "Minutes", "11", "<p>Three.</p>"),
        restricted("11", ("group", "hr-team")),
        restricted("12", ("user", "k1"), ("group", "board")),
        restricted("10", ("group", "editors"), kind="Edit"),
    )

    found = events(read("confluence-export", path, mapped(tmp_path)))

    assert found["10"]["audience"] == [["group:staff", "user:me"]]
    assert found["11"]["audience"] == [["group:hr", "user:me"], ["group:staff", "user:me"]]
    assert found["12"]["audience"] == [
        ["group:hr", "user:me"],
        ["group:staff", "user:me"],
        ["group:wiki:board", "user:me", "user:wiki:ann"],
    ]


def test_audiences_of_a_confluence_space_narrow_on_the_way_down(tmp_path: Path) -> None:
    path = exported(tmp_path, page("10", "Salaries", body="<p>One.</p>"))

    found = events(read("confluence-export", path, mapped(tmp_path)))

    assert found["10"]["audience"] == [["group:hr", "user:ann", "user:me"], ["group:staff", "user:me"]]


def test_a_page_under_one_that_is_not_there_is_left_to_the_importer(tmp_path: Path) -> None:
    path = exported(tmp_path, page("12", "Minutes", "11", "<p>Three.</p>"))

    assert "audience" not in events(read("confluence-export", path, mapped(tmp_path)))["12"]


def test_restrictions_without_a_mapping_open_nothing(tmp_path: Path) -> None:
    path = exported(tmp_path, page("10", "Home", body="<p>One.</p>"), restricted("10", ("group", "hr-team")))

    assert "audience" not in events(read("confluence-export", path))["10"]


def test_an_html_export_is_read_by_its_breadcrumbs(tmp_path: Path) -> None:
    html = (
        "<html><head><title>Handbook : Pay</title></head><body><ol id='breadcrumbs'>"
        "<li><a href='index.html'>Handbook</a></li><li><a href='Salaries_11.html'>Salaries</a></li></ol>"
        "<div class='page-metadata'>Created by "
        "<span class='author'> Ann Lee</span></div><div id='main-content'><p>Pay is monthly.</p></div>"
        "<div id='footer'>Exported by a tool</div></body></html>"
    )
    path = archive(tmp_path / "space.zip", {"space/index.html": "<html/>", "space/Pay_1200.html": html})

    found = events(read("confluence-export", path, mapped(tmp_path)))["1200"]

    assert found["title"] == "Pay"
    assert found["body"] == "Pay is monthly.\n"
    assert found["author_name"] == "Ann Lee"
    assert found["audience"] == [["group:hr", "user:ann", "user:me"], ["group:staff", "user:me"]]


def test_entities_that_declare_a_document_type_are_not_read(tmp_path: Path) -> None:
    path = archive(
        tmp_path / "s.zip",
        {"entities.xml": "<!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>", "exportDescriptor.properties": ""},
    )

    found = read("confluence-export", path)

    assert isinstance(found[0], Unread)
    assert "document type" in found[0].reason


# Drive


def test_a_drive_export_is_read_under_its_paths(tmp_path: Path) -> None:
    about = '{"content_last_modified": "2026-02-02T08:00:00Z", "permissions": [{"type": "anyone"}]}'
    path = archive(
        tmp_path / "takeout.zip",
        {
            "Takeout/Drive/Handbook/travel.md": "# Travel\n\nThe limit is EUR 100.\n",
            "Takeout/Drive/Handbook/travel-info.json": about,
            "Takeout/Drive/loose.txt": "Nobody was named.\n",
            "Takeout/Drive/Handbook/logo.png": b"\x89PNG\0",
            "Takeout/archive_browser.html": "<p>What this is.</p>",
        },
    )

    found = read("drive-export", path, mapped(tmp_path))
    kind = recognised(path)

    assert kind is not None
    assert kind.name == "drive-export"
    assert set(events(found)) == {"Handbook/travel.md", "loose.txt"}
    assert events(found)["Handbook/travel.md"]["at"] == "2026-02-02T08:00:00Z"
    assert events(found)["Handbook/travel.md"]["audience"] == [["group:staff", "user:me"]]
    assert "audience" not in events(found)["loose.txt"]
    assert [one.said for one in found if isinstance(one, Unread)] == ["Takeout/Drive/Handbook/logo.png"]


# All of them


def test_in_the_record_each_reads_what_the_mapping_lets_them(tmp_path: Path, url: str, tenant: str) -> None:
    path = exported(
        tmp_path,
        page("10", "Travel", body="<p>The hotel limit is EUR 100 per night.</p>"),
        page("11", "Board", body="<p>The takeover price is EUR 7 million.</p>"),
        restricted("11", ("group", "hr-team")),
    )
    found = list(events(read("confluence-export", path, mapped(tmp_path))).values())
    groups = [
        {
            "op": "member",
            "source": "dir",
            "group": "group:staff",
            "at": "2026-01-01T00:00:00Z",
            "set": ["user:bo", "user:cy"],
        },
        {
            "op": "member",
            "source": "dir",
            "group": "group:hr",
            "at": "2026-01-01T00:00:00Z",
            "set": ["user:cy"],
        },
    ]

    with open_org(url, tenant) as org:
        taken(org, [person("user:bo"), person("user:cy"), *groups, *found])
        assert taken(org, found).accepted == 0
        seen = {
            name: sorted(str(hit.item) for hit in org.reader(name).search("hotel limit takeover price"))
            for name in ("user:bo", "user:cy", "user:eve")
        }

    assert seen == {"user:bo": ["10"], "user:cy": ["10", "11"], "user:eve": []}


@given(st.sampled_from(["notion-export", "confluence-export", "drive-export"]), st.binary(max_size=200))
def test_any_bytes_are_an_export_or_a_reason(
    tmp_path_factory: pytest.TempPathFactory, kind: str, raw: bytes
) -> None:
    path = tmp_path_factory.mktemp("any") / "a.zip"
    path.write_bytes(raw)

    found = read(kind, path)

    assert all(isinstance(one, Unread) and one.reason for one in found)


@given(st.text(max_size=200), st.integers(0, 400), st.integers(0, 400))
def test_any_entities_are_read_or_refused(junk: str, start: int, end: int) -> None:
    whole = space(page("10", "Home", "10", "<p>x</p>"), restricted("10"))

    try:
        found = read_entities((whole[:start] + junk + whole[end:]).encode())
    except ValueError:
        return
    assert all(not found.above(one) for one in found.pages.values())
