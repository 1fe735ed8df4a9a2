"""What a document says of itself before its text: YAML front matter, or fields like those of a mail or a PEP.

Front matter is somebody's input. Only plain scalars, lists and maps are read: no tags, few aliases, bounded
depth and size. Decimals and dates stay as they were written, so that `1.10` is not 1.1. What cannot be read
stays in the text, with a note, unless it tries to say who may read: then the file is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import yaml

from muniment.domain.regex import regex
from muniment.sources.folder.decode import Unreadable

__all__ = ["Header", "field_name", "split_header"]


@dataclass(frozen=True, slots=True)
class Header:
    """The fields, by normal name, and where the text begins after them.

    `is_read`: written for readers, as lines such as `Status: Rejected` are, so it is part of what the
    document says.
    """

    fields: Mapping[str, object] = field(default_factory=dict)
    start: int = 0
    is_read: bool = False
    notes: tuple[str, ...] = ()


_OPENING = regex(r"\s*---([A-Za-z]*)[ \t]*\n")
_CLOSING = regex(r"^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.MULTILINE)
_NARROWS = regex(r"^[ \t\"']*audience\b", re.MULTILINE | re.IGNORECASE)
_FIELD = regex(r"([A-Za-z][A-Za-z0-9]*(?:[-_ ][A-Za-z0-9]+){0,3})[ \t]*:(?:[ \t]+(.*))?\Z")
_NAMED = frozenset({"title", "subject", "audience"})
_KNOWN = frozenset(
    "pep rfc id author from to date created status version type owner replaces superseded_by "
    "obsoletes updates supersedes amends effective "
    "effective_date effective_from valid_from valid_to expires audience message_id".split()
)

_MOST_TEXT = 64 * 1024  # characters of front matter
_MOST_FIELDS = 100  # lines of a field header
_MOST_NODES = 5000
_MOST_DEPTH = 16


class _TooMuch(ValueError):
    """Front matter larger, deeper or cleverer than anybody writes."""


class _Loader(yaml.SafeLoader):
    """Strings, booleans, nulls and small whole numbers; everything else stays text."""

    yaml_implicit_resolvers = {}  # noqa: RUF012  # the library's own name; filled below, never changed after


_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:bool", regex(r"(?:true|True|TRUE|false|False|FALSE)\Z"), list("tTfF")
)
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:null", regex(r"(?:~|null|Null|NULL|)\Z"), ["~", "n", "N", ""]
)
_Loader.add_implicit_resolver("tag:yaml.org,2002:int", regex(r"(?:0|[1-9][0-9]{0,14})\Z"), list("0123456789"))


def field_name(name: str) -> str:
    """One spelling for a field: casefolded, with low lines."""
    return re.sub(r"[-\s]+", "_", name.strip().casefold())


def split_header(text: str) -> Header | Unreadable:
    """The header of a document's text; an empty one where the text begins at once."""
    opening = _OPENING.match(text)
    if opening is None:
        return _fields(text)
    closing = _CLOSING.search(text, opening.end(), opening.end() + _MOST_TEXT)
    if closing is None:
        return _kept(text[:_MOST_TEXT], "it opens front matter and does not close it")
    inner = text[opening.end() : closing.start()]
    if opening[1]:
        return _kept(inner, f"front matter in {opening[1]!r} is not read")
    try:
        fields = _parsed(inner)
    except (yaml.YAMLError, ValueError) as error:
        return _kept(inner, f"front matter could not be read: {_first_line(error)}")
    return Header(fields, closing.end())


def _kept(inner: str, reason: str) -> Header | Unreadable:
    """Front matter left in the text; a refusal where it would have narrowed who may read."""
    if _NARROWS.search(inner):
        return Unreadable(f"{reason}, and it names an audience")
    return Header(notes=(f"{reason}; it was kept as text",))


def _first_line(error: Exception) -> str:
    if isinstance(error, yaml.MarkedYAMLError) and error.problem:
        line = "" if error.problem_mark is None else f" on line {error.problem_mark.line + 2}"
        return f"{error.problem}{line}"
    return str(error).partition("\n")[0]


def _parsed(inner: str) -> dict[str, object]:
    _bound(inner)
    value = yaml.load(inner, Loader=_Loader)  # noqa: S506  # a narrower SafeLoader
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise _TooMuch(f"it is a {type(value).__name__}, not fields")
    fields: dict[str, object] = {}
    budget = [_MOST_NODES]
    for key, given in value.items():
        name = field_name(str(key))
        if name in fields:
            raise _TooMuch(f"it gives {name!r} twice")
        fields[name] = _plain(given, budget, _MOST_DEPTH)
    return fields


def _bound(inner: str) -> None:
    """Refuse what would be costly or surprising to build, before it is built."""
    depth = 0
    for number, event in enumerate(yaml.parse(inner, Loader=_Loader)):
        if isinstance(event, (yaml.ScalarEvent, yaml.CollectionStartEvent)) and event.tag is not None:
            raise _TooMuch(f"it has a tag, {event.tag!r}")
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if number > _MOST_NODES or depth > _MOST_DEPTH:
            raise _TooMuch("it is too large or too deep")


def _plain(value: object, budget: list[int], depth: int) -> object:
    """A copy in JSON's types; what aliases multiply is counted each time."""
    budget[0] -= 1
    if budget[0] < 0 or depth < 0:
        raise _TooMuch("its aliases make it too large or too deep")
    match value:
        case dict():
            return {str(key): _plain(inner, budget, depth - 1) for key, inner in value.items()}
        case list():
            return [_plain(inner, budget, depth - 1) for inner in value]
        case _:
            return value


def _fields(text: str) -> Header:
    """Fields at the very top, up to the first blank line, where they include a title and a known name."""
    fields: dict[str, object] = {}
    start = 0
    name = ""
    for number, line in enumerate(text[:_MOST_TEXT].split("\n")):
        if not line.strip():
            break
        if line[0] in " \t" and name:
            fields[name] = f"{fields[name]} {line.strip()}".strip()
        else:
            match = _FIELD.match(line)
            if match is None or number >= _MOST_FIELDS:
                return Header()
            name = field_name(match[1])
            value = (match[2] or "").strip()
            fields[name] = f"{fields[name]}, {value}" if name in fields else value
        start += len(line) + 1
    if not fields.keys() & _NAMED or not fields.keys() & _KNOWN:
        return Header()
    return Header(fields, min(start, len(text)), is_read=True)
