"""Checks on SQL files. Each returns what is wrong, one line a fault."""

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from tests.shape import budgets
from tests.shape.source import Source

KEYWORDS = re.compile(
    r"\b(?:ALTER|AND|AS|BEGIN|BY|CASCADE|CASE|CHECK|CONFLICT|CONSTRAINT|CREATE|DEFAULT|DELETE|DISTINCT|DO|DROP|ELSE"
    r"|END|EXCLUDE|EXISTS|FOREIGN|FROM|FUNCTION|GRANT|GROUP|HAVING|IN|INDEX|INNER|INSERT|INTO|IS|JOIN|KEY|LATERAL"
    r"|LEFT|LIMIT|NOT|NULL|ON|OR|ORDER|POLICY|PRIMARY|REFERENCES|RETURNING|REVOKE|RIGHT|ROW|SELECT|SET|TABLE|THEN|TO"
    r"|TRIGGER|UNION|UNIQUE|UPDATE|USING|VALUES|WHEN|WHERE|WITH)\b",
)


def without_comments(sql: str) -> str:
    """The statement's own words: comments and quoted text blanked, lines kept."""

    def blank(found: re.Match[str]) -> str:
        text = found.group()
        kept = "''" if text.startswith("'") else ""
        return kept + "\n" * text.count("\n")

    return re.sub(r"--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'", blank, sql, flags=re.DOTALL)


def lowercase_keywords(name: str, sql: str) -> list[str]:
    found = sorted({match.group() for match in KEYWORDS.finditer(without_comments(sql))})
    return [f"{name}: uppercase {word}" for word in found]


def select_star(name: str, sql: str) -> list[str]:
    stars = re.compile(
        r"(?i)\b(?:select|returning|distinct)\s+(?:all\s+)?(?:\w+\.)?\*|,\s*\w+\.\*(?=\s*(?:,|\bfrom\b))"
    )
    return [f"{name}: {match.group()!r} names no columns" for match in stars.finditer(without_comments(sql))]


def queries(text: str) -> Iterator[tuple[str, str]]:
    """Each named statement of a query file."""
    parts = re.split(r"(?m)^--\s*name:\s*(\S+).*$", text)
    yield from zip(parts[1::2], parts[2::2], strict=True)


def unnamed(name: str, text: str) -> list[str]:
    before = re.split(r"(?m)^--\s*name:", text, maxsplit=1)[0]
    return [f"{name}: a statement before the first -- name:"] if without_comments(before).strip() else []


def unused(room: str, text: str, sources: Iterable[Source]) -> list[str]:
    """Statements that no module names which also names their room."""
    spoken = [_spoken(source.tree) for source in sources]
    used = frozenset[str]().union(*(words for words in spoken if room in words))
    return [f"{room}.sql: no module uses {query}" for query, _ in queries(text) if query not in used]


@cache  # asked for every room; a tree is parsed once and never changed
def _spoken(tree: ast.Module) -> frozenset[str]:
    """Every text in a module, and each that an f-string of two parts can make of one."""
    nodes = list(ast.walk(tree))
    plain = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    made = set[str]()
    for node in nodes:
        match node:
            case ast.JoinedStr(values=[ast.Constant(value=str() as head), ast.FormattedValue()]):
                made.update(head + word for word in plain)
    return frozenset(plain | made)


def without_tenant(name: str, text: str, tables: Iterable[str]) -> list[str]:
    """Statements that touch a tenant's table and never say whose."""
    touched = re.compile(
        rf"(?i)\b(?:from|join|into|update|using|,)\s+(?:only\s+)?(?:\w+\.)?({'|'.join(sorted(tables))})\b"
    )
    faults = []
    for query, sql in queries(text):
        words = without_comments(sql)
        table = touched.search(words)
        if table and not re.search(r"\btenant\b", words):
            faults.append(f"{name}: {query} touches {table[1]} without tenant")
    return faults


@dataclass(frozen=True, slots=True)
class Key:
    """One key of a table: what sort, and its first column."""

    sort: str
    first: str


@dataclass(frozen=True, slots=True)
class Table:
    """One create table, with the keys declared in it or after it."""

    name: str
    columns: tuple[str, ...]
    keys: tuple[Key, ...]


def tables(schema: str) -> list[Table]:
    """The tables of a schema file with their keys, those added later by index or alter table among them."""
    sql = without_comments(schema)
    later = list(_later_keys(sql))
    made = re.compile(
        r"(?i)\bcreate\s+(?:unlogged\s+|temp(?:orary)?\s+)?table\s+(?:if\s+not\s+exists\s+)?(?:\w+\.)?(\w+)\s*\("
    )
    found = []
    for match in made.finditer(sql):
        parts = [part.strip() for part in split(inside(sql, match.end() - 1))]
        keys = [key for part in parts for key in _keys(part)]
        keys += [key for table, key in later if table == match[1]]
        columns = tuple(part.split()[0] for part in parts if part and not _is_constraint(part))
        found.append(Table(match[1], columns, tuple(keys)))
    return found


def keys_without_tenant(schema: str) -> list[str]:
    faults = []
    for table in tables(schema):
        if table.name in budgets.TABLES_WITHOUT_TENANT:
            continue
        if not any(key.sort == "primary key" for key in table.keys):
            faults.append(f"{table.name}: no primary key")
        faults += [
            f"{table.name}: {key.sort} leads with {key.first}, not tenant"
            for key in table.keys
            if key.first != "tenant" and f"{table.name}.{key.first}" not in budgets.KEYS_WITHOUT_TENANT
        ]
    return faults


def tenant_tables(schema: str) -> set[str]:
    return {table.name for table in tables(schema) if table.name not in budgets.TABLES_WITHOUT_TENANT}


def inside(sql: str, start: int) -> str:
    """The text between the parenthesis at `start` and the one that closes it."""
    depth = 0
    for end in range(start, len(sql)):
        depth += {"(": 1, ")": -1}.get(sql[end], 0)
        if depth == 0:
            return sql[start + 1 : end]
    raise ValueError(f"unclosed parenthesis at {sql[start : start + 40]!r}")


def split(sql: str) -> list[str]:
    """The parts between the commas that lie outside any parenthesis."""
    parts, depth = [""], 0
    for character in sql:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


CONSTRAINT = re.compile(
    r"(?i)^(?:constraint\s+\w+\s+)?(primary\s+key|unique|foreign\s+key|exclude|check|like)\b"
)
SORTS = ("primary key", "unique", "foreign key", "exclude")


def _is_constraint(part: str) -> bool:
    return CONSTRAINT.match(part) is not None


def _keys(part: str) -> Iterator[Key]:
    """The keys one line of a create table declares: a table constraint's, or a column's own."""
    constraint = CONSTRAINT.match(part)
    if constraint:
        sort = " ".join(constraint[1].lower().split())
        if sort in SORTS:
            yield Key(sort, _first_column(part, constraint.end()))
        return
    column, _, rest = part.partition(" ")
    for sort, pattern in (
        ("primary key", r"primary\s+key"),
        ("unique", r"unique"),
        ("foreign key", r"references"),
    ):
        if re.search(rf"(?i)\b{pattern}\b", rest):
            yield Key(sort, column)


def _later_keys(sql: str) -> Iterator[tuple[str, Key]]:
    index = re.compile(r"(?i)\bcreate\s+unique\s+index\b[^;(]*?\bon\s+(?:only\s+)?(?:\w+\.)?(\w+)\b")
    for match in index.finditer(sql):
        yield match[1], Key("unique index", _first_column(sql, match.end()))
    added = re.compile(
        r"(?i)\balter\s+table\s+(?:only\s+)?(?:\w+\.)?(\w+)\s+add\s+(?=constraint\b|primary\b|unique\b|foreign\b|exclude\b)"
    )
    for match in added.finditer(sql):
        rest = sql[match.end() : sql.find(";", match.end())]
        yield from ((match[1], key) for key in _keys(rest))


def _first_column(sql: str, start: int) -> str:
    columns = inside(sql, sql.index("(", start))
    return re.split(r"[\s,]", columns.strip(), maxsplit=1)[0].lower()
