"""The wiki as files: what a reader sees and nothing else, the same bytes until something changes."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
import yaml

from muniment.app import Org
from muniment.domain.values import Page
from muniment.view import View
from tests.exported import files
from tests.faults.corpora import at_once, governed, play
from tests.worlds import Clock, at, member, open_org, person, said, taken


@pytest.fixture
def org(url: str, tenant: str, clock: Clock) -> Iterator[Org]:
    with open_org(url, tenant, clock) as org:
        taken(
            org,
            [
                person("user:ann"),
                person("user:cy"),
                member("group:board", "user:cy"),
                said("m1", "The renewal date of Acme is 2027-03-01.", author="user:ann", account="Acme"),
                said("m2", "The owner of Globex is Bo Chan, as for Acme.", account="Globex"),
                said("m3", "The discount of Acme is 18 %.", 1, audience=[["group:board"]], account="Acme"),
                said("m4", "The owner of Initech is Cy.", 1, audience=[["group:board"]], account="Initech"),
                said("d1", "每晚住宿上限是 800 元。", kind="document", title="差旅政策"),
                said("d2", "Acme [1] owns `x`. [^1]: # not ---", account="---\nkind: [x](y)\u2028z"),
            ],
        )
        yield org


def pages_in(folder: Path) -> Iterator[tuple[Path, dict[str, object], str]]:
    """Each page with its front matter and what stands under it."""
    for file in sorted(folder.glob("*/*.md")):
        if file.name != "index.md":
            _, matter, body = file.read_text(encoding="utf-8").split("---\n", 2)
            yield file, yaml.safe_load(matter), body


def agrees(file: Path, matter: Mapping[str, object], body: str, page: Page) -> None:
    """A file says what the page says, with a footnote for each of its citations and each of them used."""
    cited = [one for section in page.sections for claim in section.claims for one in claim.citations]
    ids = list(dict.fromkeys(one.id for one in cited))
    assert {name: matter[name] for name in ("entity", "kind", "title", "stale", "conflicts")} == {
        "entity": page.entity,
        "kind": page.kind,
        "title": page.title,
        "stale": page.stale,
        "conflicts": page.conflicts,
    }
    assert matter["sources"] == sorted({one.source for one in cited})
    notes = re.findall(r"^\[\^(\d+)\]: .* `([cp]_[0-9a-f_]+)`$", body, re.MULTILINE)
    assert notes == [(str(number), id_) for number, id_ in enumerate(ids, 1)], file
    used = re.findall(r"(?<!\\)\[\^(\d+)\](?!:)", body)
    assert list(dict.fromkeys(used)) == [number for number, _ in notes], file
    bare = re.sub(r" ?(?<!\\)(\[\^?\d+\])+", "", page.markdown).split("\n## Citations\n")[0]
    shown = re.sub(r" ?(?<!\\)(\[\^\d+\])+(?!:)", "", body).lstrip("\n")
    assert shown.startswith(bare.rstrip("\n")), file


def test_a_file_says_what_the_page_says_whatever_is_in_the_record(
    url: str, tenant: str, seed: int, tmp_path: Path
) -> None:
    with play(url, tenant, governed(random.Random(seed)), at_once) as org:
        for who in ("user:ann", "user:bo", "user:owner", "user:never-seen"):
            ann, folder = org.reader(who), tmp_path / who[5:]
            done = ann.export(folder)
            found = list(pages_in(folder))

            assert done.pages == len(found) == len(ann.pages())
            assert sorted(str(matter["entity"]) for _, matter, _ in found) == sorted(
                one.entity for one in ann.pages()
            )
            for file, matter, body in found:
                agrees(file, matter, body, ann.page(str(matter["entity"])))
            lead_somewhere(folder)
            claims_are_cited(ann, folder, done.claims)


def lead_somewhere(folder: Path) -> None:
    for file in folder.rglob("*.md"):
        text = file.read_text(encoding="utf-8").split("\n---\n")[-1]
        for target in re.findall(r"(?<!\\)\[(?:[^\[\]\\]|\\.)*\]\(([^)\s]+)\)", text):
            assert (file.parent / target).is_file(), (file, target)


def claims_are_cited(ann: View, folder: Path, count: int) -> None:
    lines = (folder / "claims.jsonl").read_text(encoding="utf-8").splitlines()
    claims = [json.loads(line) for line in lines]
    shown: set[str] = {
        claim.id
        for entry in ann.pages()
        for section in ann.page(entry.entity).sections
        for claim in section.claims
    }
    assert [claim["id"] for claim in claims] == sorted({claim["id"] for claim in claims})
    assert len(claims) == count
    assert shown <= {claim["id"] for claim in claims}
    assert all((folder / claim["page"]).is_file() for claim in claims if claim["page"])
    assert shown <= {claim["id"] for claim in claims if claim["page"]}
    assert all(claim["citations"] for claim in claims)


def test_what_is_not_for_a_reader_is_in_no_name_link_or_count(org: Org, tmp_path: Path) -> None:
    org.reader("user:ann").export(tmp_path / "ann")
    org.reader("user:cy").export(tmp_path / "cy")

    hers, his = (
        b"\n".join(name.encode() + text for name, text in files(tmp_path / who).items())
        for who in ("ann", "cy")
    )
    for secret in (b"18 %", b"discount", b"Initech", b"initech", b"m3"):
        assert secret in his
        assert secret not in hers


def test_text_from_a_source_makes_no_footnote_link_or_front_matter(org: Org, tmp_path: Path) -> None:
    org.reader("user:ann").export(tmp_path)

    (page,) = [one for one in pages_in(tmp_path) if str(one[1]["title"]).startswith("---")]
    agrees(*page, org.reader("user:ann").page(str(page[1]["entity"])))
    lead_somewhere(tmp_path)


def test_a_page_leads_to_the_pages_it_names(org: Org, tmp_path: Path) -> None:
    org.reader("user:ann").export(tmp_path)

    (globex,) = tmp_path.glob("account/globex-*.md")
    (acme,) = tmp_path.glob("account/acme-*.md")
    assert f"- [Acme](../account/{acme.name})" in globex.read_text(encoding="utf-8")


def test_nothing_new_changes_no_file_whatever_the_time(org: Org, tmp_path: Path, clock: Clock) -> None:
    first = org.reader("user:ann").export(tmp_path)
    before = files(tmp_path)
    clock.forward(days=3)
    second = org.reader("user:ann").export(tmp_path)

    assert (first.unchanged, first.removed) == (0, 0)
    assert (second.written, second.removed, second.unchanged) == (0, 0, first.written)
    assert files(tmp_path) == before


def test_only_what_changed_is_written_and_what_is_gone_is_removed(
    org: Org, tmp_path: Path, clock: Clock
) -> None:
    org.reader("user:ann").export(tmp_path)
    before = files(tmp_path)
    clock.forward(days=3)
    taken(org, [{"op": "delete", "source": "chat", "id": "d1", "at": at(70)}])
    taken(org, [said("m5", "The rate limit of Acme is 600.", 71, account="Acme")])
    done = org.reader("user:ann").export(tmp_path)

    after = files(tmp_path)
    changed = {name for name in after if after[name] != before.get(name)}
    assert {name.split("-")[0] for name in changed} == {
        "account/acme",
        "claims.jsonl",
        "index.md",
        ".muniment",
    }
    assert done.written == len(changed) - 1
    assert {name for name in before if name not in after} == {
        name for name in before if name.startswith("policy/")
    }
    assert not (tmp_path / "policy").exists()
    assert done.removed == 2


def test_other_times_asked_for_are_in_every_page(org: Org, tmp_path: Path) -> None:
    org.reader("user:ann", as_of="2026-08-01").export(tmp_path)
    org.reader("user:ann", as_of="2026-09-01").export(tmp_path)

    assert {str(matter["as_of"])[:10] for _, matter, _ in pages_in(tmp_path)} == {"2026-09-01"}


def test_what_lies_beside_an_export_stays(org: Org, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    org.reader("user:ann").export(tmp_path)
    (tmp_path / "account" / "my-notes.md").write_text("mine")
    org.reader("user:ann").export(tmp_path)

    assert (tmp_path / ".git" / "HEAD").is_file()
    assert (tmp_path / "account" / "my-notes.md").read_text() == "mine"
