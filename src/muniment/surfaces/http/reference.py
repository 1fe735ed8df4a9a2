"""The reference of the API in docs/reference/http.md, made from what the API publishes of itself.

`python -m muniment.surfaces.http.reference FOLDER > docs/reference/http.md`, of any record; a test compares.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import muniment
from muniment.surfaces.cli.out import put
from muniment.surfaces.http.api import api

__all__ = ["as_markdown"]

# Published JSON, as the framework makes it.
Schema = Mapping[str, Any]
_HEAD = """# HTTP

Made from the API's own description, `/openapi.json`; a test holds it to that. How to serve it, what is
refused and why replies wait: [serve the record over HTTP](../how-to/http.md). Errors are
`application/problem+json`."""
_BARE = {"integer": "whole number", "number": "number", "boolean": "true or false", "string": "text"}


def as_markdown(published: Schema) -> str:
    """A page of documentation."""
    rooms: dict[str, list[str]] = defaultdict(list)
    for path, ways in published["paths"].items():
        for method, said in ways.items():
            rooms[said["tags"][0]].append(_operation(f"{method.upper()} {path}", said))
    parts = [_HEAD]
    for room, operations in rooms.items():
        parts += [f"## {room.capitalize()}", *operations]
    values = published["components"]["schemas"]
    shown = sorted(name for name in values if "properties" in values[name] and "Validation" not in name)
    parts += ["## Values", *(_value(name, values[name]) for name in shown)]
    return "\n\n".join(parts) + "\n"


def _operation(named: str, said: Schema) -> str:
    lines = [f"### {named}", said["description"]]
    lines += [text for text in (_asked(said), _body(said), _reply(said)) if text]
    return "\n\n".join(lines)


def _asked(said: Schema) -> str:
    rows = [
        (f"`{one['name']}`", one["in"], _kind(one["schema"]), one["schema"].get("description", ""))
        for one in said.get("parameters", ())
    ]
    return _table(("parameter", "in", "kind", ""), rows)


def _body(said: Schema) -> str:
    found = said.get("requestBody", {}).get("content", {})
    return " ".join(f"Body, `{media}`: {_kind(one['schema'])}." for media, one in found.items())


def _reply(said: Schema) -> str:
    found = said["responses"].get("200", {}).get("content", {})
    return " ".join(f"Reply, `{media}`: {_kind(one.get('schema', {}))}." for media, one in found.items())


def _value(name: str, schema: Schema) -> str:
    needed = schema.get("required", ())
    rows = [
        (
            f"`{field}`",
            _kind(one),
            "needed" if field in needed and "default" not in one else _usual(one),
            one.get("description", ""),
        )
        for field, one in schema["properties"].items()
    ]
    told = f"{schema['description'].strip()}\n\n" if "description" in schema else ""
    return f"### {name}\n\n{told}{_table(('field', 'kind', '', ''), rows)}"


def _usual(schema: Schema) -> str:
    """What it is where nobody says."""
    return f"`{schema['default']!r}`" if schema.get("default") not in (None, (), [], {}) else ""


def _kind(schema: Schema) -> str:
    """What may stand there, in words."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "enum" in schema:
        return ", ".join(f"`{one}`" for one in schema["enum"])
    if "const" in schema:
        return f"`{schema['const']}`"
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_kind(one) for one in schema["anyOf"]))
    if schema.get("type") == "array":
        return f"list of {_kind(schema['items'])}" if schema.get("items") else "list"
    kind = str(schema.get("type", "anything"))
    return _BARE.get(kind, kind)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table; nothing where it has no rows."""
    if not rows:
        return ""
    return "\n".join([_row(head), "|" + "---|" * len(head), *map(_row, rows)])


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(' '.join(cell.split()).replace('|', chr(92) + '|') for cell in cells)} |"


if __name__ == "__main__":
    with muniment.open(sys.argv[1]) as found:
        put(as_markdown(api(found).openapi()).rstrip("\n"))
