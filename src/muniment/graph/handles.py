"""What an item can be called: by its title, a number, its id, its address. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from muniment.domain.events import Body, ItemRef
from muniment.domain.names import is_usable
from muniment.domain.references import Handle
from muniment.domain.regex import regex
from muniment.graph.addresses import address_name, path_name
from muniment.graph.names import Named, normal_edition, number_name, title_name
from muniment.graph.numbers import leading_number

__all__ = ["TITLED", "edition_of", "handles"]

TITLED = frozenset(("document", "note", "issue", "pull_request", "meeting", "episode"))
_TRACKED = frozenset(("issue", "pull_request"))
_SCHEMES = ("pep", "rfc", "bcp", "adr", "sop")
_NUMBER_FIELDS = (
    "number", "form", "form_number", "document_number", "doc_number", "document_id", "doc_id",
    "policy_number", "policy_id", "code", "key", "ref", "reference", "文号", "编号",
)  # fmt: skip
_EDITION_FIELDS = ("edition", "version", "revision", "版本")
_STEM = regex(r"[A-Za-z]{1,20}(?:[-_ ][A-Za-z]{1,20}){0,2}(?:[-_ ]?\d{1,6}){1,5}\Z")
_SUFFIX = regex(r"\.(?:md|markdown|mdown|rst|txt|text|html?|xhtml)\Z", re.IGNORECASE)
_FRONTS = ("index", "readme")
_TRACKER = regex(r"(?:^|[#/!-])(\d{1,9})\Z")


def handles(ref: ItemRef, body: Body) -> list[Handle]:
    """Every name of an item as one of its versions has it, each once."""
    found = [one for one in _handles(ref, body) if is_usable(one.name)]
    return list(dict.fromkeys(found))


def _handles(ref: ItemRef, body: Body) -> Iterator[Handle]:
    if not body.url and body.kind not in TITLED:
        return
    edition = edition_of(body)
    if body.url:
        yield Handle("address", address_name(body.url), edition)
    if body.kind not in TITLED:
        return
    if body.title:
        yield from _of_title(body.title, edition)
    yield from (Handle("number", name, edition) for name in _numbers(ref, body))
    yield from _of_id(ref.id, body, edition)


def _of_title(title: str, edition: str) -> Iterator[Handle]:
    named = title_name(title)
    yield Handle("title", named.name, edition)
    number = leading_number(title)
    if number is not None:
        rest = title_name(title[: number.start] + title[number.end :])
        yield Handle("number", number.name, edition)
        yield Handle("title", rest.name, edition)


def _numbers(ref: ItemRef, body: Body) -> Iterator[str]:
    fields = {str(name).casefold().replace("-", "_"): value for name, value in body.metadata.items()}
    for name in _SCHEMES:
        if isinstance(value := fields.get(name), (str, int)) and str(value).isdigit():
            yield number_name(f"{name} {value}")
    for name in _NUMBER_FIELDS:
        if isinstance(value := fields.get(name), str) and any(one.isdigit() for one in value):
            yield number_name(value)
    stem = ref.id.rsplit("/", 1)[-1].rsplit(".", 1)[0] if "." in ref.id else ref.id.rsplit("/", 1)[-1]
    if _STEM.match(stem):
        yield number_name(stem)
    if body.kind in _TRACKED and (match := _TRACKER.search(ref.id)):
        yield f"#{int(match[1])}"
        if "/" in ref.id and "#" in ref.id:
            yield f"{ref.id.rpartition('#')[0].casefold()}#{int(match[1])}"


def _of_id(id_: str, body: Body, edition: str) -> Iterator[Handle]:
    path = body.metadata.get("path")
    for place in (id_, path):
        if isinstance(place, str) and place:
            yield Handle("id", path_name(place), edition)
            if match := _SUFFIX.search(place):
                bare = place[: match.start()]
                folder, _, name = bare.rpartition("/")
                yield Handle("id", path_name(folder if name.casefold() in _FRONTS else bare), edition)


def edition_of(body: Body) -> str:
    """Which edition a text says it is: in its title, else in a field of its own."""
    named = title_name(body.title) if body.title else Named("", "")
    if named.edition:
        return named.edition
    for name in _EDITION_FIELDS:
        match body.metadata.get(name):
            case str() | int() as value if not isinstance(value, bool):
                return normal_edition(str(value))
            case {"value": str() as value}:
                return normal_edition(value)
    return ""
