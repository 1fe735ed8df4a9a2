"""Quotations in mail that kept its HTML: what mail programs put around, or before, somebody else's words.

What is not closed reaches the end: taking too much from an author is safer than taking too little.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from muniment.domain.passages import Origin, Span
from muniment.domain.regex import regex

__all__ = ["marked_up"]

_MAIL = frozenset({"message", "email", "issue", "crm"})
_OPENED = regex(r"<(blockquote|div|span|section)\b([^<>]{0,500})>", re.IGNORECASE)
_QUOTES = regex(
    r"\b(?:gmail_quote|yahoo_quoted|moz-cite-prefix|protonmail_quote|tutanota_quote)\b", re.IGNORECASE
)
_ENDS = {
    tag: regex(rf"<(/?){tag}\b[^<>]{{0,500}}>", re.IGNORECASE)
    for tag in ("blockquote", "div", "span", "section")
}
# What Outlook puts before what it quotes, and after which nothing is the sender's.
_FROM_HERE = regex(
    r"<(?:div|hr|span)\b[^<>]{0,200}?\bid\s*=\s*[\"']?(?:x_)?(?:divRplyFwdMsg|appendonsend|stopSpelling|reply-intro)\b"
    r"|<(?:b|strong)>\s*(?:<[^>]{1,200}>\s*)?(?:From|Von|De|发件人)\s*[:：]",
    re.IGNORECASE,
)
_FIELD = regex(
    r"<(?:b|strong)>\s*(?:<[^>]{1,200}>\s*)?(?:Sent|Date|To|Subject|Gesendet|Datum|An|Betreff|Envoyé|À|Objet"
    r"|发送时间|收件人|主题)\s*[:：]",
    re.IGNORECASE,
)
_FORWARDED = regex(
    r"Forwarded message|Weitergeleitete Nachricht|Message transféré|转发的?邮件", re.IGNORECASE
)
_MOST_HEADERS = 100  # that are looked into
_HEADER = 1500  # characters in which the other fields of a header follow its first
_LEADS_IN = 400  # characters in which a quotation says that it was forwarded


def marked_up(body: str, kind: str, media: str | None) -> Iterator[Span]:
    """Spans of a body with tags in it that are somebody else's words."""
    if "<" not in body or (kind not in _MAIL and media != "text/html"):
        return
    end = _end_of_own(body)
    at = 0
    for opened in _OPENED.finditer(body, 0, end):
        tag = opened[1].casefold()
        if opened.start() >= at and (tag == "blockquote" or _QUOTES.search(opened[2])):
            at = _closed(body, opened.end(), tag)
            yield Span(opened.start(), at, _origin(body, opened.start()))
    if end < len(body):
        yield Span(end, len(body), _origin(body, end))


def _end_of_own(body: str) -> int:
    """Where a header of Outlook's begins, under which everything is quoted."""
    for match in islice(_FROM_HERE.finditer(body), _MOST_HEADERS):
        follows = len(_FIELD.findall(body, match.end(), match.end() + _HEADER))
        if "id" in match[0].casefold().split("=")[0] or follows > 1:
            return match.start()
    return len(body)


def _closed(body: str, start: int, tag: str) -> int:
    """Past the tag that closes the one that was opened before here, or the end."""
    depth = 1
    for match in _ENDS[tag].finditer(body, start):
        depth += -1 if match[1] else 1
        if not depth:
            return match.end()
    return len(body)


def _origin(body: str, start: int) -> Origin:
    return Origin.FORWARDED if _FORWARDED.search(body, start, start + _LEADS_IN) else Origin.QUOTED
