"""Files of a configuration database: a table or a tree, and what it says of itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final

import yaml

from muniment.domain.errors import Malformed, Usage
from muniment.domain.times import format_instant, parse_day_or_instant
from muniment.sources.cmdb.stated import DEPENDS_ON, Edge, Listed, Stated, edge, tell
from muniment.sources.cmdb.trees import in_tree
from muniment.sources.filekind import Handed
from muniment.sources.parsed import Parsed, Unread
from muniment.sources.wire import told
from muniment.sources.wire.table import Row, rows
from muniment.sources.wire.told import Object

__all__ = ["read"]

_MOST_BYTES: Final = 32 * 1024 * 1024
_WRITTEN: Final = ("at", "exported_at", "generated_at")
_UPSTREAM: Final = ("service", "from", "upstream", "consumer", "source", "parent")
_DOWNSTREAM: Final = ("depends_on", "depends on", "to", "downstream", "provider", "target", "child")
_YES: Final[Mapping[str, bool]] = {"yes": True, "true": True, "no": False, "false": False}


def read(path: Path, handed: Handed) -> Iterator[Parsed]:
    """What a file states of which service leans on which."""
    try:
        if (size := path.stat().st_size) > _MOST_BYTES:
            yield Unread(path.name, path.name, f"it has {size:,} bytes, more than {_MOST_BYTES:,}")
            return
        listed = _listed(path, path.read_bytes(), handed.options)
    except (OSError, Malformed) as error:
        yield Unread(path.name, path.name, f"it cannot be read: {error}")
        return
    yield from tell(handed.source, listed)


def _listed(path: Path, raw: bytes, options: Mapping[str, str]) -> Listed:
    is_table = path.suffix.lower() == ".csv"
    documents = [] if is_table else _documents(raw)
    head = next((one for one in documents if "services" in one or "edges" in one), {})
    if is_table:
        stated = tuple(part for row in rows(raw) for part in _row(row, f"{path.name}, line {row.number}"))
    else:
        stated = tuple(
            part
            for number, one in enumerate(documents, 1)
            for part in in_tree(one, f"{path.name}, part {number}")
        )
    if not stated:
        raise Malformed("it names no service that depends on another")
    said = options.get("at") or next((found for name in _WRITTEN if (found := told.name(head, name))), None)
    return Listed(
        _written(said, path),
        options.get("environment") or told.name(head, "environment"),
        _is_complete(options.get("complete"), head),
        stated,
    )


def _written(said: str | None, path: Path) -> str:
    """When the file was written, by its own word, else by the folder's."""
    if said is None:
        return format_instant(datetime.fromtimestamp(int(path.stat().st_mtime), UTC))
    try:
        return format_instant(parse_day_or_instant(said))
    except ValueError as error:
        raise Malformed(f"when it was written cannot be read: {error}") from None


def _is_complete(said: str | None, head: Object) -> bool:
    if said is None:
        return head.get("complete") is True
    if said.casefold() not in _YES:
        raise Usage(f"complete {said!r} is unknown: use yes or no")
    return _YES[said.casefold()]


def _row(row: Row, origin: str) -> Iterator[Stated]:
    """The edges of a line; a cell may name several parts, with a semicolon between them."""
    upstream, downstream = row.get(*_UPSTREAM), row.get(*_DOWNSTREAM)
    if upstream is None or downstream is None:
        yield Unread(origin, repr(row.cells), "it does not name a service and what it depends on")
        return
    environment, relation = row.get("environment", "env"), row.get("relation", "type") or DEPENDS_ON
    period = row.get("valid_from", "from_date", "since"), row.get("valid_to", "to_date", "until")
    since, until = (one.strip() if one else None for one in period)
    for one in downstream.split(";"):
        names = [told.name(part) or "" for part in (upstream, relation, one)]
        if all(names):
            first, how, second = names
            yield edge(origin, Edge(first, how, second, told.name(environment), since, until))
        elif one.strip():
            yield Unread(origin, repr(row.cells), "a name in it is too long")


def _documents(raw: bytes) -> list[Object]:
    """The objects of a file of JSON or YAML, which holds JSON too; Malformed for what is neither."""
    text = raw.decode("utf-8-sig", "replace").replace("\0", "")
    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, Loader=yaml.CSafeLoader)):
            raise Malformed("it repeats a part by an alias, which may unfold without end: write it out")
        found = list(yaml.load_all(text, yaml.CSafeLoader))  # the safe one, in C
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise Malformed(f"it is neither JSON nor YAML: {' '.join(str(error).split())[:300]}") from None
    return [told.as_object(_plain(one)) for one in found if one is not None]


def _plain(value: object) -> object:
    """The value with dates as text and keys as names."""
    match value:
        case datetime():
            return format_instant(value if value.tzinfo else value.replace(tzinfo=UTC))
        case date():
            return value.isoformat()
        case dict():
            return {str(key): _plain(one) for key, one in value.items()}
        case list():
            return [_plain(one) for one in value]
    return value
