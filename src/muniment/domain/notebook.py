"""Answers, packs and pages as a notebook shows them: HTML in which a source's words are only words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from muniment.domain.regex import regex

if TYPE_CHECKING:
    from muniment.domain.values import Answer, Citation, Pack, Page

__all__ = ["answer_html", "answer_markdown", "pack_html", "pack_markdown", "page_html"]

_TICKS = regex("`+")
_STATES = {"answered": "Answered", "not_found": "Nothing found", "out_of_scope": "Out of scope"}
# What Markdown or HTML could act on. An escaped letter or digit would be shown with its backslash.
_SIGNS = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_{}[]()<>#+-.!|~&$"})


def answer_html(answer: Answer) -> str:
    """The state, the text, and the words it rests on."""
    parts = [f"<p><b>{_STATES[answer.state]}</b></p>", _paragraphs(answer.text)]
    parts += [_listed("Which did you mean?", map(_words, answer.clarify))]
    parts += [_listed("In conflict", (" / ".join(map(_cited, sides)) for sides in answer.conflicts))]
    parts += [_numbered(answer.citations)]
    parts += [_listed("To keep in mind", map(_words, answer.warnings))]
    return "".join(parts)


def answer_markdown(answer: Answer) -> str:
    """The same in Markdown."""
    lines = [f"**{_STATES[answer.state]}**", _plain(answer.text)]
    lines += [f"- {_plain(one)}" for one in answer.clarify]
    lines += [
        f"{number}. {_plain(one.quote or one.statement)} ({_plain(_origin(one))})"
        for number, one in enumerate(answer.citations, 1)
    ]
    return "\n\n".join(line for line in lines if line)


def pack_html(pack: Pack) -> str:
    """What a pack holds and what it cost, its text as it stands."""
    budget = f"{pack.budget.used:,} of {pack.budget.limit:,} tokens, {pack.omitted.parts:,} parts left out"
    rows = (f"{_words(part.kind)}: {_words(part.why)} ({part.tokens:,} tokens)" for part in pack.parts)
    head = f"<p><b>{_STATES[pack.state]}</b> · {budget}</p>"
    return f"{head}{_listed('Parts', rows)}<pre>{_words(pack.text)}</pre>"


def pack_markdown(pack: Pack) -> str:
    """The text, which is Markdown for a prompt, as text."""
    return _fenced(pack.text)


def page_html(page: Page) -> str:
    """The title, and the claims of each section with where they were said."""
    head = f"<h2>{_words(page.title)}</h2><p>{_words(page.kind)}</p>"
    return head + "".join(
        _listed(
            section.title,
            (
                f"{_words(claim.statement)}{_mark(claim.status)} <small>"
                f"{'; '.join(_words(_origin(one)) for one in claim.citations)}</small>"
                for claim in section.claims
            ),
        )
        for section in page.sections
    )


def _words(text: str) -> str:
    return f"<bdi>{escape(text)}</bdi>"


def _plain(text: str) -> str:
    return text.translate(_SIGNS)


def _fenced(text: str) -> str:
    """Text as text: within a fence longer than any in it."""
    longest = max(map(len, _TICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}\n{fence}"


def _paragraphs(text: str) -> str:
    return "".join(f"<p>{_words(one)}</p>" for one in text.split("\n\n") if one)


def _listed(title: str, rows: Iterable[str]) -> str:
    items = "".join(f"<li>{row}</li>" for row in rows)
    return f"<p><b>{_words(title)}</b></p><ul>{items}</ul>" if items else ""


def _numbered(citations: Sequence[Citation]) -> str:
    items = "".join(f"<li>{_cited(one)}</li>" for one in citations)
    return f"<ol>{items}</ol>" if items else ""


def _cited(one: Citation) -> str:
    said = _words(one.quote or one.statement)
    return f"{said}{_mark(one.status)} <small>{_words(_origin(one))}</small>"


def _mark(status: str) -> str:
    return "" if status == "active" else f" <i>{_words(status)}</i>"


def _origin(one: Citation) -> str:
    """Where and when it was said, and by whom, as far as that may be told."""
    place = one.source if one.item is None else f"{one.source}:{one.item}"
    day = "" if one.said_at is None else one.said_at.date().isoformat()
    return ", ".join(part for part in (place, one.said_by or "", day) if part)
