"""References in fields: a header's lines, front matter, and what was said of a text beside it. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from muniment.domain.names import is_usable
from muniment.domain.references import Reference, ReferenceKind
from muniment.domain.regex import regex
from muniment.graph.addresses import linked
from muniment.graph.names import number_name, title_name
from muniment.graph.numbers import find_numbers
from muniment.graph.referrer import Referrer
from muniment.graph.sections import HAN_SECTION, SECTION, section_name

__all__ = ["field_references", "header_lines", "metadata_references"]


class _Field(NamedTuple):
    kind: ReferenceKind
    inverse: bool = False


_FIELDS: dict[str, _Field] = {
    **dict.fromkeys("supersedes replaces obsoletes 取代 替代 代替 废止".split(), _Field("supersedes")),
    **dict.fromkeys(
        "superseded_by replaced_by obsoleted_by 被取代 被替代 被废止 取代者 替代者".split(),
        _Field("supersedes", inverse=True),
    ),
    **dict.fromkeys("amends updates modifies revises 修订 修改 修正".split(), _Field("amends")),
    **dict.fromkeys(
        "amended_by updated_by modified_by revised_by as_amended_by 被修订 被修改".split(),
        _Field("amends", inverse=True),
    ),
    **dict.fromkeys(
        "attaches_to attached_to endorses endorsement_to part_of base_form forms_part_of addendum_to "
        "annex_to appendix_to "
        "supplement_to 附于 附属于".split(),
        _Field("attaches_to"),
    ),
    **dict.fromkeys(
        "endorsements attachments addenda riders annexes 附件".split(), _Field("attaches_to", inverse=True)
    ),
    **dict.fromkeys(
        "requires depends_on references see see_also related related_to related_documents cites refers_to "
        "based_on "
        "normative_references 引用 参见 依据 相关文件 参考".split(),
        _Field("cites"),
    ),
}
_LINE = regex(
    r"[ \t>*_|#-]{0,8}([A-Za-z][A-Za-z]{1,14}(?:[-_ ][A-Za-z]{1,14}){0,2}"
    r"|[\u4e00-\u9fff]{2,6})[*_ \t]{0,4}[:：|][ \t*_]*(.*)\Z"
)
_COLONS = (":", "：", "|")
_FIELDLIKE = regex(r"[ \t>*_|-]{0,8}[\w\u4e00-\u9fff][\w \u4e00-\u9fff/-]{0,40}[*_ \t]{0,4}[:：|]")
_HEADINGLIKE = regex(r"\s*(?:#|={3,}|-{3,}|\.\. |\|[\s|:-]*\Z|<!--|\Z)")
_ITEM = regex(r"[ \t]{0,8}-[ \t]+(.+)\Z")
_MOST_LINES = 80
_PIECE = regex(r"《[^《》\n]*》[^,;，；、\n]*|\"[^\"\n]*\"|[^,;，；、\n]+")
_NONE = frozenset("none n/a na - – — no null tbd 无 没有 暂无 不适用".split())
_DATE = regex(r"(?:19|20)\d\d-\d\d-\d\d(?:T.*)?\Z|\d{1,2}[- /][A-Za-z]{3,9}[- /]\d{4}\Z")
_AROUND = regex(r"\A(?:\[|\(?see )|(?<!\))[\]\s.]+\Z")
_TITLE_LENGTH = 160
_SECTION = regex(rf"[,，]?\s*[(（]?\s*({SECTION}|{HAN_SECTION})\s*[)）]?|({SECTION}) of (?:the )?")
_MARKDOWN = regex(r"\[([^\[\]\n]*)\]\(([^()\s]+)\)")


class Line(NamedTuple):
    """A field of a header: its name, its value, and where in the text the value stands."""

    name: str
    value: str
    start: int


def header_lines(text: str) -> Iterator[Line]:
    """Fields at the top of a text, up to its first line that is neither field nor heading."""
    if not any(sign in text for sign in _COLONS):
        return  # no line of it is a field
    at = titles = 0
    name = ""
    for line in text.split("\n", _MOST_LINES)[:_MOST_LINES]:
        start, at = at, at + len(line) + 1
        if (item := _ITEM.match(line)) and name and not _LINE.match(line):
            yield Line(name, item[1], start + item.start(1))
        elif line[:1] in (" ", "\t") and name and line.strip() and not _LINE.match(line):
            yield Line(name, line.strip(), start + len(line) - len(line.lstrip()))
        elif match := _LINE.match(line):
            name = _field_name(match[1])
            yield Line(name, match[2], start + match.start(2))
        elif _HEADINGLIKE.match(line):
            name = name if not line.strip() and name else ""
        elif not _FIELDLIKE.match(line):
            titles += 1
            if titles > 1 or len(line) > _TITLE_LENGTH:
                return


def _field_name(text: str) -> str:
    return re.sub(r"[-\s]+", "_", text.strip().casefold())


def field_references(text: str, by: Referrer) -> list[Reference]:
    """What the header of a text refers to; spans lie in the text."""
    found = []
    for line in header_lines(text):
        field = _FIELDS.get(line.name)
        if field is not None:
            found += [
                Reference(
                    field.kind, *named, field.inverse, 0, line.start + start, line.start + end, line.name
                )
                for start, end, named in _values(line.value, by)
            ]
    return found


def metadata_references(declared: Mapping[str, object], by: Referrer) -> list[Reference]:
    """The same of what was declared beside it."""
    found = []
    for name, value in declared.items():
        field = _FIELDS.get(_field_name(name))
        values = value if isinstance(value, list) else [value]
        if field is None:
            continue
        for one in values:
            if isinstance(one, (str, int)) and not isinstance(one, bool):
                found += [
                    Reference(field.kind, *named, field.inverse, None, 0, 0, _field_name(name))
                    for _, _, named in _values(str(one), by)
                ]
    return found


_Named = tuple[str | None, str | None, str | None]


def _values(value: str, by: Referrer) -> Iterator[tuple[int, int, _Named]]:
    """Name, section and edition of each text that a field's value names, and where."""
    for link in _MARKDOWN.finditer(value):
        if to := linked(link[2], by.id):
            yield link.start(), link.end(), (to.name, to.section, None)
    plain = _MARKDOWN.sub(lambda link: " " * len(link[0]), value)
    for piece in _PIECE.finditer(plain.split("|")[0]):
        said = _AROUND.sub("", piece[0].strip(" \"'*_`[]"))
        if said and said.casefold() not in _NONE and not _DATE.match(said):
            named = _named(said, by)
            if named is not None:
                lead = len(piece[0]) - len(piece[0].lstrip())
                yield piece.start() + lead, piece.start() + len(piece[0].rstrip()), named


def _named(said: str, by: Referrer) -> _Named | None:
    if said.isdigit() and len(said) <= 8:
        return (number_name(f"{by.scheme} {said}") if by.scheme else f"#{int(said)}"), None, None
    if "://" in said or re.match(r"[^\s]+\.(?:md|rst|txt|html?)(?:#\S*)?\Z", said):
        to = linked(said, by.id)
        return None if to is None else (to.name, to.section, None)
    part = _SECTION.search(said)
    section = section_name(part[1] or part[2]) if part else None
    rest = (said[: part.start()] + said[part.end() :]) if part else said
    numbers = list(find_numbers(rest))
    if numbers:
        tail = title_name("x" + rest[numbers[0].end :])
        return numbers[0].name, section, tail.edition or None
    name, edition = title_name(rest)
    if not name or not is_usable(name) or len(name) > _TITLE_LENGTH:
        return None
    return name, section, edition or None
