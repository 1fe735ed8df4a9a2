"""Checks on Python source. Each takes a file's name and text and returns what is wrong, one line a fault."""

import ast
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath

from tests.shape import budgets

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "muniment"
Function = ast.FunctionDef | ast.AsyncFunctionDef
BLOCKS = (ast.For, ast.AsyncFor, ast.While, ast.If, ast.With, ast.AsyncWith, ast.Try, ast.TryStar, ast.Match)


@dataclass(frozen=True, slots=True)
class Source:
    """One module: its name below src/muniment (or the checkout, for tests) and its tree."""

    name: str
    text: str
    tree: ast.Module

    @classmethod
    def parse(cls, name: str, text: str) -> "Source":
        return cls(name, text, ast.parse(text, filename=name))

    def at(self, node: ast.AST, fault: str) -> str:
        return f"{self.name}:{getattr(node, 'lineno', 1)}: {fault}"

    def lies_in(self, places: tuple[str, ...]) -> bool:
        return any(
            self.name == place or (place.endswith("/") and self.name.startswith(place)) for place in places
        )

    def functions(self) -> Iterator[Function]:
        return (node for node in ast.walk(self.tree) if isinstance(node, Function))

    def imported_names(self) -> dict[str, str]:
        """Each local name bound by an import, with the dotted name it stands for."""
        names: dict[str, str] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                names |= {
                    a.asname or a.name.partition(".")[0]: a.name if a.asname else a.name.partition(".")[0]
                    for a in node.names
                }
            elif isinstance(node, ast.ImportFrom) and node.module:
                names |= {a.asname or a.name: f"{node.module}.{a.name}" for a in node.names}
        return names

    def imported_modules(self) -> Iterator[tuple[ast.stmt, str]]:
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                yield from ((node, a.name) for a in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                yield from ((node, f"{node.module}.{a.name}") for a in node.names)


# Size


def module_length(source: Source) -> list[str]:
    lines = len(source.text.splitlines())
    if lines <= budgets.MODULE_LINES:
        return []
    return [f"{source.name}: {lines} lines, more than {budgets.MODULE_LINES}"]


def length(function: Function) -> int:
    """Lines from def to the end, without the docstring."""
    lines = (function.end_lineno or function.lineno) - function.lineno + 1
    if ast.get_docstring(function, clean=False) is None:
        return lines
    docstring = function.body[0]
    return lines - ((docstring.end_lineno or docstring.lineno) - docstring.lineno + 1)


def function_length(source: Source) -> list[str]:
    return [
        source.at(
            function, f"{function.name} has {length(function)} lines, more than {budgets.FUNCTION_LINES}"
        )
        for function in source.functions()
        if length(function) > budgets.FUNCTION_LINES
    ]


def parameters(source: Source) -> list[str]:
    if source.lies_in(budgets.COMMAND_LINE):
        return []
    faults = []
    for function in source.functions():
        allowed, _ = budgets.MORE_PARAMETERS.get(function.name, (budgets.PARAMETERS, ""))
        count = _count_parameters(function.args)
        if count > allowed:
            faults.append(
                source.at(function, f"{function.name} takes {count} parameters, more than {allowed}")
            )
    return faults


def _count_parameters(args: ast.arguments) -> int:
    names = [a.arg for a in (*args.posonlyargs, *args.args)]
    bound = bool(names) and names[0] in {"self", "cls"}
    return len(names) - bound + len(args.kwonlyargs) + bool(args.vararg) + bool(args.kwarg)


def nesting(source: Source) -> list[str]:
    return [
        source.at(function, f"{function.name} nests {depth} levels, more than {budgets.NESTING}")
        for function in source.functions()
        if (depth := max(_depths(function.body, 0), default=0)) > budgets.NESTING
    ]


def _depths(body: list[ast.stmt], level: int) -> Iterator[int]:
    """How deep each statement lies; an elif is as deep as its if, an inner function starts anew."""
    for statement in body:
        if not isinstance(statement, BLOCKS):
            continue
        yield level + 1
        for inner, is_elif in _bodies(statement):
            yield from _depths(inner, level if is_elif else level + 1)


def _bodies(block: ast.stmt) -> Iterator[tuple[list[ast.stmt], bool]]:
    for _, value in ast.iter_fields(block):
        if not isinstance(value, list):
            continue
        for part in value:
            if isinstance(part, ast.ExceptHandler | ast.match_case):
                yield part.body, False
        if value and all(isinstance(part, ast.stmt) for part in value):
            is_elif = isinstance(block, ast.If) and value is block.orelse and _is_elif(block)
            yield value, is_elif


def _is_elif(block: ast.If) -> bool:
    match block.orelse:
        case [ast.If(col_offset=column)]:
            return column == block.col_offset
        case _:
            return False


# What may be done where


def broad_except(source: Source) -> list[str]:
    if source.lies_in(budgets.CATCHES_EVERYTHING):
        return []
    return [
        source.at(node, "catches everything: name what can be caught")
        for node in ast.walk(source.tree)
        if isinstance(node, ast.ExceptHandler) and _catches_everything(node.type)
    ]


def _catches_everything(caught: ast.expr | None) -> bool:
    match caught:
        case None:
            return True
        case ast.Name(id=name):
            return name in {"Exception", "BaseException"}
        case ast.Tuple(elts=parts):
            return any(_catches_everything(part) for part in parts)
        case _:
            return False


def environment(source: Source) -> list[str]:
    if source.lies_in(budgets.READS_ENVIRONMENT):
        return []
    return _uses(
        source,
        frozenset({"os.environ", "os.environb", "os.getenv"}),
        "the environment is read in settings.py only",
    )


def clock_and_chance(source: Source) -> list[str]:
    if source.lies_in(budgets.REAL_CLOCK_AND_CHANCE):
        return []
    return _uses(source, budgets.CLOCK_AND_CHANCE, "the clock and randomness are arguments")


def _uses(source: Source, banned: frozenset[str], why: str) -> list[str]:
    names = source.imported_names()
    nodes = (n for n in ast.walk(source.tree) if isinstance(n, ast.Attribute | ast.Name))
    found = [source.at(n, f"{dotted}: {why}") for n in nodes if (dotted := _dotted(n, names)) in banned]
    return sorted(found)


def _dotted(node: ast.expr, names: dict[str, str]) -> str:
    """The full name an expression refers to by way of this module's imports, or nothing."""
    match node:
        case ast.Name(id=name):
            return names.get(name, "")
        case ast.Attribute(value=value, attr=attr) if owner := _dotted(value, names):
            return f"{owner}.{attr}"
        case _:
            return ""


def reading_rooms(source: Source) -> list[str]:
    if source.name.partition("/")[0].removesuffix(".py") not in budgets.READING_ROOMS:
        return []
    return [
        source.at(statement, f"a reading room imports {module}: it gets a Reader from the gate")
        for statement, module in source.imported_modules()
        if any(f"{module}.".startswith(f"{banned}.") for banned in budgets.NOT_FOR_READING_ROOMS)
    ]


def surfaces(source: Source) -> list[str]:
    """A surface reaching past the application into a room."""
    if not source.lies_in(budgets.SURFACES):
        return []
    return [
        source.at(statement, f"a surface imports {module}: it asks the application")
        for statement, module in source.imported_modules()
        if module.startswith("muniment.") and _is_a_module_of_ours(module)
        if not any(f"{module}.".startswith(f"{allowed}.") for allowed in budgets.SURFACES_MAY_IMPORT)
    ]


def _is_a_module_of_ours(module: str) -> bool:
    """Whether the name goes through a room: `from muniment import open` takes a public name, not a room."""
    return module.count(".") > 1 or module.split(".")[1] in flow()


@cache
def flow() -> frozenset[str]:
    """Every room and module the import contracts name."""
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = next(c["layers"] for c in config["tool"]["importlinter"]["contracts"] if c["id"] == "flow")
    return frozenset(re.findall(r"\w+", " ".join(layers)))


# SQL in Python

EXECUTES = frozenset({"execute", "executemany", "copy", "stream"})
STATEMENT = re.compile(
    r"(?is)\s*(?:with\b.+)?\b(?:select\b.+\bfrom|insert\s+into|update\s+\S+\s+set|delete\s+from|truncate\s+\w"
    r"|(?:create|alter|drop)\s+(?:table|index|role|user|database|schema|extension|function|policy))\b",
)
VERB = re.compile(
    r"(?i)\b(?:select|insert|update|delete|merge|create|alter|drop|truncate|grant|revoke|set|copy)\b"
)


def built_sql(source: Source) -> list[str]:
    """A statement put together from strings: handed to a cursor, or beginning like one anywhere."""
    handed = {
        id(c.args[0]) for c in ast.walk(source.tree) if isinstance(c, ast.Call) and _executes(c) and c.args
    }
    faults = []
    for node in ast.walk(source.tree):
        text = _built_text(node)
        if text is None:
            continue
        if STATEMENT.match(text) or (id(node) in handed and VERB.search(text)):
            faults.append(
                source.at(node, "SQL built from strings: put it in sql/queries and pass parameters")
            )
    return faults


def _executes(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in EXECUTES


def _built_text(node: ast.AST) -> str | None:
    """The constant parts of a string that is put together at run time; None for anything else."""
    match node:
        case ast.JoinedStr(values=values) if any(isinstance(v, ast.FormattedValue) for v in values):
            return " x ".join(_constants(node))
        case ast.BinOp(op=ast.Mod() | ast.Add(), left=left) if not _is_constant(node) and any(
            _constants(left)
        ):
            return " x ".join(_constants(node))
        case ast.Call(
            func=ast.Attribute(value=(ast.Constant() | ast.JoinedStr()) as text, attr="format" | "replace")
        ):
            return " x ".join(_constants(text))
        case ast.Call(func=ast.Attribute(value=ast.Constant(), attr="join"), args=[parts]):
            return " x ".join(_constants(parts))
        case _:
            return None


def _constants(node: ast.AST) -> list[str]:
    return [n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)]


def _is_constant(node: ast.AST) -> bool:
    return all(isinstance(n, ast.Constant | ast.BinOp | ast.operator) for n in ast.walk(node))


# Names


def banned_names(source: Source) -> list[str]:
    stem = PurePosixPath(source.name).stem
    faults = [f"{source.name}: a module called {stem!r}"] if _is_banned(stem, whole=True) else []
    for node, name, whole in _defined(source.tree):
        if _is_banned(name, whole=whole):
            faults.append(source.at(node, f"{name!r} says nothing about what it is or does"))
    return faults


def _defined(tree: ast.AST) -> Iterator[tuple[ast.AST, str, bool]]:
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield node, name, True
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
                yield node, name, False
            case ast.Attribute(attr=name, ctx=ast.Store()):
                yield node, name, False
            case _:
                pass


def _is_banned(name: str, *, whole: bool) -> bool:
    words = {w.lower() for w in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)}
    return bool(words & budgets.BANNED_NAMES) or (whole and name.strip("_").lower() in budgets.EMPTY_NAMES)


# Tests


def sleeping(source: Source) -> list[str]:
    return _uses(
        source, frozenset({"time.sleep", "asyncio.sleep"}), "a test waits for a fact, not for a time"
    )


def mocking(source: Source) -> list[str]:
    banned = ("unittest.mock", "mock", "pytest_mock")
    return [
        source.at(statement, f"{module}: no mocks")
        for statement, module in source.imported_modules()
        if any(f"{module}.".startswith(f"{name}.") for name in banned)
    ]


def patching(source: Source) -> list[str]:
    """Our own code replaced under a test: by monkeypatch, or by assigning to an imported name of ours."""
    names = source.imported_names()
    faults = []
    for node in ast.walk(source.tree):
        match node:
            case ast.Call(
                func=ast.Attribute(attr="setattr" | "delattr" | "setitem", value=ast.Name(id=owner)),
                args=[target, *_],
            ):
                ours = owner in {"monkeypatch", "mp"} and _is_ours(target, names)
            case ast.Attribute(ctx=ast.Store(), value=target):
                ours = _is_ours(target, names)
            case _:
                ours = False
        if ours:
            faults.append(source.at(node, "replaces our own code: pass the other thing as an argument"))
    return faults


def _is_ours(target: ast.expr, names: dict[str, str]) -> bool:
    match target:
        case ast.Constant(value=str() as dotted):
            return f"{dotted}.".startswith("muniment.")
        case _:
            return f"{_dotted(target, names)}.".startswith("muniment.")
