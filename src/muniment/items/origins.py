"""Whose words a stretch of text holds: quoted and forwarded mail.

A reply's attribution line belongs to the quotation. Where a mail program marks only the beginning of what it
quotes, everything after the mark is quoted: taking too much from an author is safer than taking too little.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from muniment.domain.passages import Origin, Span
from muniment.domain.regex import regex
from muniment.items.lines import Line

__all__ = ["borrowed", "signature", "tile"]

_FORWARDED = regex(
    r"-{2,}\s*(?:Forwarded (?:message|by)|Weitergeleitete Nachricht|Message transféré|Mensaje reenviado"
    r"|转发的?(?:邮件|消息|信息)|以下是转发的?邮件|轉寄郵件)"
    r"|(?:Begin forwarded message|Anfang der weitergeleiteten Nachricht"
    r"|Début du message (?:réexpédié|transféré)"
    r"|下面是被转发的邮件|以下是转发的?邮件)\s*[:：]",
    re.IGNORECASE,
)
_ORIGINAL = regex(
    r"-{2,}\s*(?:Original (?:Message|Appointment)|Reply (?:message|above)|Ursprüngliche Nachricht"
    r"|Message d['’]origine|Mensaje original|原始(?:邮件|郵件|信息|消息)|原邮件|回复的?邮件)\s*-{2,}",
    re.IGNORECASE,
)
_ADDRESS = r"<[^<>@\s]{1,80}@[^<>\s]{1,80}>"
_ATTRIBUTION = regex(
    r"(?:On\b.{4,300}\bwrote|Le\b.{4,300}\ba écrit|Am\b.{4,300}\bschrieb.{0,100}|El\b.{4,300}\bescribió"
    r"|Il\b.{4,300}\bha scritto|Op\b.{4,300}\bschreef.{0,100}|Em\b.{4,300}\bescreveu"
    rf"|.{{0,100}}{_ADDRESS}\s?(?:wrote|schrieb|a écrit)|\d{{4}}-\d\d-\d\d \d\d?:\d\d.{{0,100}}{_ADDRESS}"
    r"|.{2,300}(?:写道|寫道|写到))\s?[:：]\Z"
)
_ATTRIBUTED = (":", "：")
_OPENINGS = ("On ", "Le ", "Am ", "El ", "Il ", "Op ", "Em ")
_SENDER = regex(r"\*{0,2}(?:From|Von|De|发件人|寄件者)\*{0,2}\s?[:：]\*{0,2}\s?\S", re.IGNORECASE)
_ENVELOPE = regex(
    r"\*{0,2}(?:Sent|Date|To|Subject|Gesendet|Datum|An|Betreff|Envoyé(?: le)?|À|Objet"
    r"|Enviado(?: el)?|Para|Asunto"
    r"|发送时间|发送日期|日期|收件人|主题|主旨)\*{0,2}\s?[:：]",
    re.IGNORECASE,
)
# How a line that says who is quoted can begin, but for an attribution.
_MARKS = frozenset("-*BbFfVvDdA下以OLAE发寄")
_SIGNATURE = "-- "  # RFC 3676, section 4.3
_LONGEST_SIGNATURE = 12  # lines; what goes on longer is no signature
_CALLOUT = regex(r"(?:\[!\w+\]|\*\*|__|[A-Z]\w{0,12}:)")

_MAIL = frozenset({"message", "email", "issue", "pull_request", "crm", "alert"})
_PROGRAM = ">>>"
_QUOTED = (">", "&gt;")  # the second as chat exports write it
_WRAPPED = 3  # an attribution line that a mail program wrapped is at most this many lines long


def borrowed(rows: Sequence[Line], kind: str, end: int) -> Iterator[Span]:
    """Spans that are somebody else's words. Rows that are code are not among those given."""
    mail = kind in _MAIL
    block = ""  # the first line of the quoted block we are in
    for at, row in enumerate(rows):
        text = row.text.strip()
        block = (block or text) if text.startswith(">") else ""
        if not text:
            continue
        if text.startswith(_QUOTED if mail else ">"):
            if _is_quote(row.text, block, kind):
                yield Span(row.start, min(row.end + 1, end), Origin.QUOTED)
            continue
        if _FORWARDED.match(text):
            yield Span(row.start, end, Origin.FORWARDED)
            return
        if _ORIGINAL.match(text) or (mail and text[0] in _MARKS and _is_envelope(rows, at)):
            yield Span(row.start, end, Origin.QUOTED)
            return
        last = _attribution(rows, at) if text[:3] in _OPENINGS or text.endswith(_ATTRIBUTED) else None
        if last is None:
            continue
        if _next_is_quote(rows, last):
            yield Span(row.start, min(rows[last].end + 1, end), Origin.QUOTED)
        elif mail:
            yield Span(row.start, end, Origin.QUOTED)
            return


def _is_quote(line: str, first: str, kind: str) -> bool:
    """In a document a block that begins like a callout is its author's own, and `>>>` is a prompt."""
    if kind in _MAIL:
        return True
    rest = line.lstrip()
    if rest.startswith(_PROGRAM) or len(line) - len(rest) > 3:
        return False
    return not _CALLOUT.match(first[1:].lstrip())


def _is_envelope(rows: Sequence[Line], at: int) -> bool:
    """The header of a quoted mail: a sender, then at least two more fields at once, under somebody's text."""
    if not _SENDER.match(rows[at].text.strip()) or not any(
        row.text.strip() for row in rows[max(at - 9, 0) : at]
    ):
        return False
    return sum(1 for row in rows[at + 1 : at + 6] if _ENVELOPE.match(row.text.strip())) > 1


def _attribution(rows: Sequence[Line], at: int) -> int | None:
    """The last line of the attribution that begins here."""
    text = ""
    for last in range(at, min(at + _WRAPPED, len(rows))):
        text = f"{text} {rows[last].text.strip()}".strip()
        if text.endswith(_ATTRIBUTED):
            return last if _ATTRIBUTION.match(text) else None
    return None


def _next_is_quote(rows: Sequence[Line], last: int) -> bool:
    following = next((row.text for row in rows[last + 1 : last + 4] if row.text.strip()), "")
    return following.lstrip().startswith(">")


def signature(rows: Sequence[Line], kind: str, end: int) -> Iterator[Span]:
    """What stands under the last line that delimits a signature; a quotation may follow it."""
    if kind not in _MAIL:
        return
    at = next((at for at in range(len(rows) - 1, -1, -1) if rows[at].text == _SIGNATURE), None)
    if at is not None and sum(1 for row in rows[at + 1 :] if _is_own(row)) <= _LONGEST_SIGNATURE:
        yield Span(rows[at].start, end, Origin.SIGNATURE)


def _is_own(row: Line) -> bool:
    return bool(row.text.strip()) and not row.text.startswith(_QUOTED)


_STRENGTH = {origin: strength for strength, origin in enumerate(Origin)}  # in the order they are declared


def tile(length: int, layers: Iterable[Span]) -> tuple[Span, ...]:
    """Spans that tile [0, length): where layers overlap the least trusted wins; own text fills the rest."""
    edges = [(0, 0, Origin.OWN)]
    for layer in _joined(layers):
        if layer.start < layer.end:
            edges += [(layer.start, 1, layer.origin), (layer.end, -1, layer.origin)]
    edges.append((length, 0, Origin.OWN))
    open_now = dict.fromkeys(Origin, 0)
    open_now[Origin.OWN] = 1
    spans: list[Span] = []
    start = 0
    for at, change, origin in sorted(edges, key=lambda edge: edge[0]):
        if at > start:
            _extend(
                spans, Span(start, at, max((o for o in Origin if open_now[o]), key=_STRENGTH.__getitem__))
            )
            start = at
        open_now[origin] += change
    return tuple(spans)


def _joined(layers: Iterable[Span]) -> list[Span]:
    """The layers, lines of one quotation as one."""
    joined: list[Span] = []
    for layer in layers:
        if joined and joined[-1].end == layer.start:
            _extend(joined, layer)
        else:
            joined.append(layer)
    return joined


def _extend(spans: list[Span], span: Span) -> None:
    """Add a span, as one with the last where both have one origin."""
    if spans and spans[-1].origin is span.origin:
        spans[-1] = Span(spans[-1].start, span.end, span.origin)
    else:
        spans.append(span)
