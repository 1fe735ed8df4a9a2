"""From an item's own words to what they refer to: pure, deterministic, and without knowing what there is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from muniment.domain.passages import Origin, Passage
from muniment.domain.references import Reference, ReferenceKind
from muniment.domain.regex import regex
from muniment.graph.fields import field_references, metadata_references
from muniment.graph.mentions import Mention, find_mentions
from muniment.graph.names import normal_edition, title_name
from muniment.graph.numbers import may_hold_numbers
from muniment.graph.referrer import Referrer
from muniment.graph.relations import Relation, english
from muniment.graph.relations_zh import chinese
from muniment.graph.sections import Headings, may_hold_parts, title_key
from muniment.graph.templates import Template, is_own, templates
from muniment.graph.titles import is_generic, may_hold_titles

__all__ = ["references"]

_HAN = regex("[\u4e00-\u9fff]")
_LATIN = regex("[A-Za-z]{3}")
_RELATES = (
    "replac supersed obsolet repeal rescind revoke cancel withdraw abolish delet amend modif updat revis "
    "correct attach append "
    "annex part supplement endors addendum read schedule rider exhibit incorporat corrig errat "
    "取代 代替 替代 替换 废 修订 修改 修正 更新 失效 作废 停止 附 作为 组成 补充"
).split()
_FENCE = regex(r"^[ \t]{0,8}(?:```|~~~)[^\n]*$", re.MULTILINE)
_MOST = 400  # references of one passage: a passage that names more is a list of names


def references(passages: Sequence[Passage], by: Referrer) -> tuple[Reference, ...]:
    """Every reference, in the order of the text; what was declared beside it comes last.

    A quoted, forwarded or hidden span makes none of whoever quotes.
    """
    headings = Headings.of({passage.heading for passage in passages})
    found: list[Reference] = []
    fenced = False
    for passage in passages:
        if passage.ordinal == 0:
            found += field_references(_unfenced(_own(passage), fenced=False)[0], by)
        text, fenced = _unfenced(_own(passage), fenced=fenced)
        if _names(text, headings):
            found += [replace(one, ordinal=passage.ordinal) for one in _of_passage(text, by, headings)][
                :_MOST
            ]
    found += _of_title(by)
    return tuple(dict.fromkeys(_without_doubles([*found, *metadata_references(by.declared, by)])))


def _names(text: str, headings: Headings) -> bool:
    """Whether anything can be named: most chatter stops here."""
    plain = text.casefold()
    return (
        bool(headings.names)
        or "://" in text
        or "](" in text
        or "[[" in text
        or may_hold_titles(plain)
        or may_hold_parts(plain)
        or may_hold_numbers(text)
    )


def _own(passage: Passage) -> str:
    """The passage with spaces where the words are not its author's."""
    text = passage.text
    for span in passage.spans:
        if span.origin is not Origin.OWN:
            text = text[: span.start] + _blank(text[span.start : span.end]) + text[span.end :]
    return text


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _unfenced(text: str, *, fenced: bool) -> tuple[str, bool]:
    """Without code between fences, and whether its end is in code."""
    if not fenced and "```" not in text and "~~~" not in text:
        return text, False
    parts, at = [], 0
    for match in [*_FENCE.finditer(text), None]:
        end = len(text) if match is None else match.end()
        parts.append(_blank(text[at:end]) if fenced else text[at:end])
        fenced = fenced if match is None else not fenced
        at = end
    return "".join(parts), fenced


def _of_passage(text: str, by: Referrer, headings: Headings) -> Iterator[Reference]:
    named = find_mentions(text, by.id, headings)
    related = dict[int, list[Relation]]()
    others: list[Relation] = []
    if by.stands_for_itself and _relates(text):
        for one in _relations(text, named, by):
            if one.mention is None:
                others.append(one)
            else:
                related.setdefault(one.mention, []).append(one)
    for place, mention in enumerate(named):
        yield from _referred(mention, related.get(place, ()), by, headings)
    yield from (_edition(one, by) for one in others if by.title and one.edition)


def _relations(text: str, named: Sequence[Mention], by: Referrer) -> Iterator[Relation]:
    for sentence in templates(text, named, by):
        if _relates(sentence.text):
            yield from _read(sentence, by)


def _relates(text: str) -> bool:
    plain = text.casefold()
    return any(word in plain for word in _RELATES)


def _read(sentence: Template, by: Referrer) -> list[Relation]:
    han = chinese(sentence, says_when=by.says_when) if _HAN.search(sentence.text) else []
    latin = english(sentence, says_when=by.says_when) if _LATIN.search(sentence.text) else []
    return [*latin, *han]


def _referred(
    one: Mention, related: Sequence[Relation], by: Referrer, headings: Headings
) -> Iterator[Reference]:
    """A mention as a reference: of the kind its sentence gives it, else just of what it names."""
    place = (one.start, one.end)
    if related:
        best = min(related, key=lambda rel: (_RANK[rel.kind], rel.inverse, rel.cue))
        kind: ReferenceKind = best.kind
        if kind == "supersedes" and one.section:
            kind = "amends"  # who replaces a part of a text amends it
        yield Reference(kind, one.name, one.section, one.edition, best.inverse, None, *place, best.cue)
        return
    kind = "cites" if one.is_link else "refers_to"
    if one.name is not None and _is_part(one, by, headings):
        yield Reference(kind, None, title_key(one.name), None, False, None, *place)  # as declared
    elif by.is_called(one.name, one.edition) or (one.section and _is_own_kind(one, by)):
        if one.section:
            yield Reference(kind, None, one.section, None, False, None, *place)  # as declared
    elif one.name or one.section:
        yield Reference(kind, one.name, one.section, one.edition, False, None, *place)  # as declared


_RANK: dict[ReferenceKind, int] = {"supersedes": 0, "amends": 1, "attaches_to": 2, "cites": 3, "refers_to": 4}


def _is_part(one: Mention, by: Referrer, headings: Headings) -> bool:
    """Whether it is a heading of the text itself that is named."""
    return (
        not one.is_link
        and one.section is None
        and one.edition is None
        and headings.has(one.name or "")
        and not is_own(one, by)
    )


def _is_own_kind(one: Mention, by: Referrer) -> bool:
    """Whether `the policy` is said in a text that is called one."""
    return one.name is not None and is_generic(one.name) and one.name in by.title.split()


def _edition(one: Relation, by: Referrer) -> Reference:
    edition = normal_edition(one.edition or "")
    return Reference(one.kind, by.title, None, edition, one.inverse, None, 0, 0, one.cue)


def _of_title(by: Referrer) -> list[Reference]:
    """What the title itself says the text belongs to: `Addendum to the Master Agreement`."""
    match = _BELONGING.match(by.title)
    if match is None:
        return []
    kind: ReferenceKind = "amends" if match["what"] in ("amendment", "corrigendum") else "attaches_to"
    name, edition = title_name(match["of"])
    return [Reference(kind, name, None, edition or None, cue=match["what"])] if name else []


_BELONGING = regex(
    r"(?:.{0,40}? )?(?P<what>amendment|corrigendum|addendum|endorsement|appendix|annex|schedule"
    r"|supplement|rider|exhibit)"
    r"(?: (?:no\. ?)?[\w.]{1,6})? to (?:the )?(?P<of>.{3,120})\Z"
)


def _without_doubles(found: Sequence[Reference]) -> Iterator[Reference]:
    """The first of each passage that says the same; beside the text, only what the text does not say."""
    seen: set[tuple[object, ...]] = set()
    fields = {(one.name, one.section, one.edition) for one in found if one.kind != "refers_to" and one.cue}
    for one in found:
        said = (one.kind, one.inverse, one.name, one.section, one.edition)
        if one.ordinal is None and (None, said) in seen:
            continue
        if one.kind == "refers_to" and one.ordinal == 0 and said[2:] in fields:
            continue
        if (one.ordinal, said) not in seen:
            seen |= {(one.ordinal, said), (None, said)}
            yield one
