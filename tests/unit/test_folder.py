import json
import os
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.domain.audience import parse_audience
from muniment.items.passages import cut
from muniment.items.text import structure
from muniment.sources.folder import Document, DocumentEvent, Unreadable, document_event, read_document, walk

AT = datetime(2026, 6, 3, 9, tzinfo=UTC)
NAMES = st.sampled_from(["a.md", "a.rst", "a.txt", "a.html", "README", "b/c.markdown"])


def document(data: bytes | str, name: str = "a.md") -> Document:
    found = read_document(data.encode() if isinstance(data, str) else data, name)
    assert isinstance(found, Document), found
    return found


def reason(data: bytes | str, name: str = "a.md") -> str:
    found = read_document(data.encode() if isinstance(data, str) else data, name)
    assert isinstance(found, Unreadable), found
    return found.reason


def made(data: str, path: str = "a.md") -> DocumentEvent:
    return document_event(document(data, path), source="handbook", path=path, at=AT)


def shared(folder: str) -> Path:
    root = os.environ.get("MUNIMENT_SHARED_DATA")  # noqa: TID251  # where the public data lies, if it does
    if root is None or not (Path(root) / folder).is_dir():
        pytest.skip(f"set MUNIMENT_SHARED_DATA to a folder that holds {folder}")
    return Path(root) / folder


# Reading


@given(
    st.one_of(
        st.binary(max_size=300),
        st.text().map(str.encode),
        st.text().map("---\n{}\n---\nx".format).map(str.encode),
    ),
    NAMES,
)
def test_any_bytes_are_a_document_or_a_reason(data: bytes, name: str) -> None:
    found = read_document(data, name)

    match found:
        case Unreadable(reason=why):
            assert why
        case Document():
            assert found.title
            assert found.body.strip()
            assert "\x00" not in found.body
            json.dumps(dict(found.fields))


@pytest.mark.parametrize(
    ("data", "name", "why"),
    [
        (b"", "a.md", "empty"),
        (b" \n\n", "a.txt", "empty"),
        (b"---\ntitle: x\n---\n", "a.md", "no text"),
        (b"\x89PNG\r\n\x1a\n....", "a.md", "PNG"),
        (b"%PDF-1.7", "a.txt", "PDF"),
        (b"PK\x03\x04", "a.md", "ZIP"),
        (b"text\x00text", "a.md", "NUL"),
        (b"\x01\x02\x03\x04\x05", "a.md", "control"),
        (b"\xff\xfea", "a.md", "utf-16"),
        (b"<p hidden>x</p>", "a.html", "no text"),
        (b"text", "a.njk", "njk"),
        (b"text", "a.docx", "docx"),
    ],
)
def test_a_file_that_is_no_document_says_why(data: bytes, name: str, why: str) -> None:
    assert why in reason(data, name)


def test_a_file_over_the_limit_says_so() -> None:
    found = read_document(b"x" * 11, "a.md", limit=10)

    assert isinstance(found, Unreadable)
    assert "11 bytes" in found.reason


CHINESE = "续约条款：本合同自签署之日起生效，有效期一年。"


@pytest.mark.parametrize(
    ("data", "body", "noted"),
    [
        (b"\xef\xbb\xbf" + CHINESE.encode(), CHINESE, ""),
        (CHINESE.encode("utf-16"), CHINESE, ""),
        (b"\xfe\xff" + CHINESE.encode("utf-16-be"), CHINESE, ""),
        (CHINESE.encode("gb18030"), CHINESE, "GB 18030"),
        (
            "Café à la carte, déjà vu – “été”".encode("cp1252"),
            "Café à la carte, déjà vu – “été”",
            "Windows-1252",
        ),
        ((CHINESE * 9).encode() + b"\xff", CHINESE * 9 + "\ufffd", "broken"),
        (b"one\r\ntwo\rthree", "one\ntwo\nthree", ""),
    ],
)
def test_text_is_read_in_the_encoding_it_was_written_in(data: bytes, body: str, noted: str) -> None:
    found = document(data, "a.txt")

    assert found.body == f"{body}\n"
    assert noted in "".join(found.notes)


# Headers


def test_front_matter_is_taken_off_and_keeps_what_was_written() -> None:
    found = document(
        "---\nTitle: Travel\nEffective-Date: 2024-01-01\nversion: 1.10\n"
        "code: 007\nlive: true\nn: 3\nnone:\n---\n\n# H\n"
    )

    assert found.title == "Travel"
    assert found.body == "# H\n"
    assert found.fields == {
        "title": "Travel",
        "effective_date": "2024-01-01",
        "version": "1.10",
        "code": "007",
        "live": True,
        "n": 3,
        "none": None,
    }


@pytest.mark.parametrize(
    "inner",
    [
        "a: [",
        "- a list",
        "just text",
        "a: 1\nA: 2",
        "a: !!python/object/apply:os.system ['true']",
        "a: !!timestamp x",
        "a: &a [x, *a]",
        "a: &a [x,x,x,x,x,x,x,x,x]\n"
        + "".join(f"{c}: &{c} [{','.join(['*' + chr(ord(c) - 1)] * 9)}]\n" for c in "bcdefgh"),
        "a: &a {k: v}\n"
        + "".join(f"{c}: &{c}\n  <<: [{','.join(['*' + chr(ord(c) - 1)] * 9)}]\n" for c in "bcdefgh"),
        "a: " + "[" * 5000,
        "a: " + "{x: " * 5000,
        "a:\n" + "".join(" " * level + "- \n" for level in range(1, 300)),
        "\x07: x",
    ],
)
def test_front_matter_that_cannot_be_read_stays_in_the_text_unless_it_names_an_audience(inner: str) -> None:
    before = time.process_time()
    found = document(f"---\n{inner}\n---\ntext\n")

    assert found.fields == {}
    assert found.body.startswith("---\n")
    assert found.notes
    assert "audience" in reason(f"---\n{inner}\naudience: [group:finance]\n---\ntext\n")
    assert time.process_time() - before < 5


def test_a_rule_at_the_top_is_no_front_matter() -> None:
    assert document("---\n\nHello.\n").body == "---\n\nHello.\n"


def test_fields_at_the_top_of_a_file_are_read_with_their_continuations() -> None:
    found = document(
        "PEP: 204\nTitle: Range\n  Literals\nReplaces: 3\nPost-History:\n\nText.\n", "pep-0204.rst"
    )

    assert found.title == "Range Literals"
    assert found.fields == {"pep": "204", "title": "Range Literals", "replaces": "3", "post_history": ""}


def test_field_lines_are_read_by_people_and_stay_in_the_text() -> None:
    text = "PEP: 204\nTitle: Range\nStatus: Rejected\n\nText.\n"

    assert document(text, "pep-0204.rst").body == text


@pytest.mark.parametrize(
    "text", ["Ann: hi\nBo: hello\n\nx\n", "Note: this\n\nx\n", "Title: x\nbut this is text\n\nx\n"]
)
def test_dialogue_and_labelled_text_are_no_header(text: str) -> None:
    assert document(text, "a.txt").body == text


@pytest.mark.parametrize(
    ("text", "name", "title"),
    [
        ("intro\n\n```\n# no\n```\n<!-- # no -->\n# Yes #\n", "a.md", "Yes"),
        ("Set\n===\n", "a.md", "Set"),
        ("=====\n Top\n=====\n\nx", "a.rst", "Top"),
        ("## Only second\n", "docs/travel-and_leave.md", "Travel and leave"),
        ("<title>T &amp; U</title><h1>x</h1>", "a.html", "T & U"),
        ("<h1>Head <b>one</b></h1>", "a.html", "Head one"),
    ],
)
def test_a_title_is_the_first_heading_or_the_files_name(text: str, name: str, title: str) -> None:
    assert document(text, name).title == title


# Events


def test_a_document_is_named_by_itself_or_its_number_or_its_path() -> None:
    assert made("---\nid: HR-7\n---\nx").event["id"] == "HR-7"
    assert made("PEP: 7\nTitle: x\n\nx", "peps/pep-0007.rst").event["id"] == "pep-0007"
    assert made("Title: x\nStatus: y\n\nx", "mail/0007.txt").event["id"] == "mail/0007.txt"
    assert made("x", "docs/a.md").event["id"] == "docs/a.md"


def test_dates_in_a_header_bound_when_it_holds_and_begin_at_midnight() -> None:
    event = made("---\neffective: 2024-01-01\nexpires: July 1, 2025\ncreated: 14-Jul-2000\n---\nx").event

    assert (event["valid_from"], event["valid_to"]) == ("2024-01-01T00:00:00Z", "2025-07-01T00:00:00Z")
    assert event["created_at"] == "2000-07-14T00:00:00Z"
    assert event["at"] == "2026-06-03T09:00:00Z"


def test_a_date_that_can_be_read_two_ways_is_kept_and_noted() -> None:
    event = made("---\neffective: 01/02/2024\n---\nx").event

    assert "valid_from" not in event
    metadata = event["metadata"]
    assert isinstance(metadata, dict)
    assert metadata["effective"] == "01/02/2024"
    assert "effective" in metadata["notes"][0]


def test_references_take_the_scheme_of_the_document_that_makes_them() -> None:
    pep = made(
        "PEP: 0102\nTitle: x\nReplaces: 3, PEP 12\nSuperseded-By: 387, 3333\nUpdates: 9\n\nx",
        "peps/pep-0102.rst",
    ).event
    file = made(
        "---\nsupersedes: [old.md, ../b/older.md, wiki:T-1]\namended: 2024-01-01\n---\nx", "a/new.md"
    ).event

    assert pep["supersedes"] == ["pep-0003", "pep-0012"]
    assert pep["amends"] == ["pep-0009"]
    assert pep["superseded_by"] == ["pep-0387", "pep-3333"]
    assert file["supersedes"] == ["a/old.md", "b/older.md", "wiki:T-1"]
    assert file["amends"] == []


def test_a_header_narrows_and_names_but_makes_nobody_a_principal_or_a_version() -> None:
    found = made(
        "---\nauthor: user:ann\nversion: 3\naudience: [group:finance]\n"
        "account: acme\ntags: [a, b]\nstatus: draft\n---\nx"
    )

    assert not {"author", "audience", "version"} & found.event.keys()
    assert found.event["author_name"] == "user:ann"
    assert found.event["account"] == "acme"
    assert found.event["labels"] == {"tags": "a, b"}
    assert found.event["metadata"] == {"author": "user:ann", "version": 3, "status": "draft", "path": "a.md"}
    assert found.narrow == ["group:finance"]


@pytest.mark.parametrize("audience", ["", "[]", "finance", "[finance]", "3", "{a: b}"])
def test_an_audience_that_names_nobody_is_not_read_as_no_restriction(audience: str) -> None:
    found = made(f"---\naudience: {audience}\n---\nx")

    with pytest.raises(ValueError, match=r"audience|names nobody"):
        parse_audience(found.narrow)


def test_a_document_without_an_audience_narrows_nothing() -> None:
    assert made("x").narrow is None


# Folders


def test_a_walk_is_sorted_and_stays_inside(tmp_path: Path) -> None:
    root = tmp_path / "docs"
    for name in ("b/x.md", "a.md", "b.md", "Z.md", ".muniment/key", ".git/config"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x")
    (tmp_path / "secret.md").write_text("x")
    (root / "inside.md").symlink_to(root / "a.md")
    for name, target in {
        "out.md": tmp_path / "secret.md",
        "up": tmp_path,
        "key": root / ".muniment/key",
        "gone": root / "no",
    }.items():
        (root / name).symlink_to(target)
    os.mkfifo(root / "pipe.md")
    skipped: list[str] = []

    found = [
        path.relative_to(root).as_posix()
        for path in walk(root, skipped=lambda path, _: skipped.append(path.name))
    ]

    assert found == ["Z.md", "a.md", "b/x.md", "b.md", "inside.md"]
    assert skipped == ["gone", "key", "out.md", "pipe.md", "up"]


def test_a_walk_of_one_file_is_that_file(tmp_path: Path) -> None:
    (tmp_path / ".hidden.md").write_text("x")

    assert list(walk(tmp_path / ".hidden.md")) == [tmp_path / ".hidden.md"]


# Real folders


@pytest.mark.parametrize("folder", ["handbook_18f", "peps"])
def test_every_file_of_a_real_folder_is_a_document_or_a_reason(folder: str) -> None:
    root = shared(folder)
    reasons = []
    for path in walk(root):
        found = read_document(path.read_bytes(), path.name)
        if isinstance(found, Unreadable):
            reasons.append(found.reason)
            continue
        json.dumps(document_event(found, source="s", path=path.relative_to(root).as_posix(), at=AT).event)
        assert (
            "".join(passage.text for passage in cut(structure("document", found.body, found.media)))
            == found.body
        )

    assert all("are not read" in why or "no text" in why for why in reasons)
    assert len(reasons) < 12


def test_what_peps_say_of_each_other_is_read_as_their_index_has_it() -> None:
    root = shared("peps")
    for pep in json.loads((root / "index.json").read_text()):
        event = made((root / pep["file"]).read_text(), pep["file"]).event
        assert event["id"] == Path(pep["file"]).stem
        assert event["title"] == pep["title"]
        assert event["supersedes"] == [f"pep-{number:04}" for number in pep["replaces"]]
        assert event["superseded_by"] == [f"pep-{number:04}" for number in pep["superseded_by"]]
