"""A page as a file: front matter, the page's own Markdown, links to other pages, and footnotes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

from muniment.domain.regex import regex
from muniment.domain.times import format_instant
from muniment.domain.values import Citation, Page
from muniment.pages.markdown import bullet, heading, plain

__all__ = ["FORMAT", "front_matter", "link", "sheet", "unstamped"]

FORMAT: Final = "muniment export, format 1"
_MARK: Final = regex(r"(?<!\\)\[(\d+)\](?!\()")
_LISTED: Final = regex(r"- \[\d+\] ")
_STAMP: Final = re.compile(rb"^(as_of|known_at): .*\n", re.MULTILINE)
# What YAML takes for the end of a line, or does not take, and marks that turn the direction of what follows.
_BREAKING: Final = regex("[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]")
_END: Final = b"\n---\n"


def sheet(page: Page, id_: str, known_at: datetime, links: Sequence[tuple[str, str]]) -> str:
    """The whole file. `links`: title and relative path of each page that this one speaks of."""
    cited = _cited(page)
    lines = [front_matter(_matter(page, id_, known_at, cited)), *_body(page.markdown)]
    if links:
        lines += ["", heading(2, "Named here"), "", *(bullet(link(title, path)) for title, path in links)]
    if cited:
        lines += ["", *(f"[^{number}]: {_footnote(one)}" for number, one in enumerate(cited, 1))]
    return "\n".join(lines) + "\n"


def link(title: str, path: str) -> str:
    """A link that reads as the title does and has no other effect."""
    return f"[{plain(title)}]({path})"


def front_matter(values: Mapping[str, object]) -> str:
    """YAML between two rules. Each value is JSON, which YAML reads, so that it stays on its line."""
    lines = [f"{name}: {_scalar(value)}" for name, value in values.items()]
    return "\n".join(["---", *lines, "---", ""])


def _scalar(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return _BREAKING.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)


def unstamped(file: bytes) -> bytes:
    """A file without the times it was made for, to see whether anything else of it is new."""
    if not file.startswith(b"---\n") or _END not in file:
        return file
    matter, end, rest = file.partition(_END)
    return _STAMP.sub(b"", matter + b"\n") + end + rest


def _matter(page: Page, id_: str, known_at: datetime, cited: Sequence[Citation]) -> dict[str, object]:
    return {
        "entity": page.entity,
        "id": id_,
        "kind": page.kind,
        "title": page.title,
        "aliases": [page.title],  # what Obsidian finds a page by, whatever its file is called
        "as_of": format_instant(page.as_of),
        "known_at": format_instant(known_at),
        "sources": sorted({one.source for one in cited}),
        "claims": sum(len(section.claims) for section in page.sections),
        "stale": page.stale,
        "conflicts": page.conflicts,
        "generated": FORMAT,
    }


def _cited(page: Page) -> list[Citation]:
    """Its citations in the order of their numbers, which is that of their first use."""
    every = (one for section in page.sections for claim in section.claims for one in claim.citations)
    return list({one.id: one for one in every}.values())


def _body(markdown: str) -> Iterator[str]:
    """The page's lines, its numbers as footnotes and without its list of them."""
    lines = markdown.rstrip("\n").split("\n")
    listed = [at for at, line in enumerate(lines) if _LISTED.match(line)]
    first = listed[0] if listed else len(lines)
    kept = lines[:first]
    while listed and kept and (not kept[-1] or kept[-1].startswith("## ")):
        kept.pop()
    kept += [line for line in lines[first:] if not _LISTED.match(line)]
    yield from (_MARK.sub(r"[^\1]", line) for line in kept)


def _footnote(one: Citation) -> str:
    where = one.source if one.item is None else f"{one.source}:{one.item}"
    facts = [plain(where)]
    facts += [f"version {plain(one.version)}"] if one.version else []
    facts += [f"said by {plain(one.said_by)}"] if one.said_by else []
    facts += [format_instant(one.said_at)] if one.said_at else []
    facts += [one.status] if one.status != "active" else []
    facts += [one.level] if one.level != "exact" else []
    quote = "" if one.quote is None else f": “{plain(one.quote)}”"
    return f"{', '.join(facts)}{quote} `{one.id}`"
