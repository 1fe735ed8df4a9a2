"""The documentation can be read as a site: what it lists is there, and what is there it lists."""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.docs.test_links import headings, links

ROOT = Path(__file__).parents[2]
SITE = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
# Pieces to be copied into an agent's own files.
PIECES = ROOT / "docs" / "agents"


def listed(nav: Any) -> Iterator[str]:
    """Every page of a list of pages, as the site has them."""
    for one in nav:
        for said in one.values() if isinstance(one, dict) else [one]:
            yield from [said] if isinstance(said, str) else listed(said)


@pytest.fixture(scope="module")
def pages() -> Path:
    """The pages, laid out as the site is built from them."""
    subprocess.run([ROOT / "scripts" / "site", "pages"], check=True)
    return ROOT / "build" / "pages"


def test_every_page_is_listed_once_and_every_listed_page_is_there(pages: Path) -> None:
    found = Counter(listed(SITE["nav"]))
    written = {
        page.relative_to(ROOT).as_posix()
        for page in (ROOT / "docs").rglob("*.md")
        if not page.is_relative_to(PIECES)
    }

    assert not [page for page, times in found.items() if times > 1]
    assert not written - set(found), "a page is missing from nav in mkdocs.yml"
    assert not [page for page in found if not (pages / page).is_file()]


def test_every_link_of_the_site_leads_to_something_in_it(pages: Path) -> None:
    for page in sorted(pages.rglob("*.md")):
        for link in links(page):
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            assert target.is_file(), (page, link)
            assert target.is_relative_to(pages), (page, link)
            assert not anchor or target.suffix != ".md" or anchor in headings(target), (page, link)


def test_the_site_is_built_from_what_is_locked_and_fetches_nothing() -> None:
    lock = (ROOT / "requirements" / "site.lock").read_text(encoding="utf-8")

    assert "mkdocs-material==" in lock
    assert lock.count("--hash=sha256:") >= lock.count("==")
    assert SITE["theme"]["font"] is False
    assert not any(
        "://" in str(said) for said in SITE.get("extra_javascript", []) + SITE.get("extra_css", [])
    )
