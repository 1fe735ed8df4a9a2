"""Nodes of the evidence graph as a person reads them: a list to choose from, a tree of what one leads to."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from muniment.domain.graph import INVERSES, Neighbour, Node
from muniment.surfaces.cli.out import Line, Look, counted, one_line, show

__all__ = ["located", "put_tree"]

_SHOWN = 160  # characters of a node's text on one line
_TEXT = 12  # lines of the text of the node that is expanded


@dataclass(slots=True)
class _Branch:
    """A neighbour in the tree, with what lies behind it; `proof` is the passage that proves its edge."""

    found: Neighbour
    proof: str | None = None
    behind: dict[str, _Branch] = field(default_factory=dict)


def located(found: Sequence[Node]) -> Iterator[Line]:
    """Each node in two lines: what it is called, and how to go on with it."""
    for node in found:
        yield Line(f"{node.kind:<8} {one_line(node.title)}", Look.STRONG)
        text = one_line(node.text)
        if text and text != one_line(node.title):
            yield Line(f"         {text if len(text) <= _SHOWN else text[: _SHOWN - 1] + '…'}")
        yield Line(f"         expand {node.id}{_edges(node.edges)}", Look.FAINT)
    if found and found[-1].truncated:
        yield Line("more matched: add words, --within a node, or --limit", Look.ALERT)


def _edges(edges: Mapping[str, int]) -> str:
    told = ", ".join(f"{edge} {count:,}" for edge, count in edges.items())
    return f" · {told}" if told else ""


def put_tree(node: Node) -> None:
    """The node, and what it leads to as a tree; drawn by rich on a terminal."""
    show(_head(node))
    branches = _branches(node)
    if sys.stdout.isatty():
        _draw(branches)
    else:
        show(_drawn(branches, ""))
    show(_foot(node))


def _head(node: Node) -> Iterator[Line]:
    yield Line(f"{one_line(node.title)} ({node.kind})", Look.STRONG)
    lines = [line for line in node.text.splitlines() if line.strip()]
    yield from (Line(f"  {line}") for line in lines[:_TEXT])
    if len(lines) > _TEXT:
        yield Line("  …", Look.FAINT)
    yield Line(f"{node.id}{_edges(node.edges)}", Look.FAINT)


def _foot(node: Node) -> Iterator[Line]:
    if node.truncated:
        told = counted(len(node.neighbours), "neighbour")
        yield Line(f"{told} shown, and there is more: --edge, --limit or --budget", Look.ALERT)


def _branches(node: Node) -> dict[str, _Branch]:
    """The paths laid on each other."""
    by_id = {one.node: one for one in node.neighbours}
    roots: dict[str, _Branch] = {}
    for path in node.paths:
        level = roots
        for reached, proof in _steps(path):
            level = level.setdefault(reached, _Branch(by_id[reached], proof)).behind
    return roots


def _steps(path: Sequence[str]) -> Iterator[tuple[str, str | None]]:
    """Each node along a path, and the passage that stands between it and its edge."""
    edges = [at for at, part in enumerate(path) if part in INVERSES]
    for at, following in pairwise((*edges, len(path))):
        *proof, reached = path[at + 1 : following]
        yield reached, proof[0] if proof else None


def _told(branch: _Branch) -> tuple[str, str]:
    found = branch.found
    proof = f" · by {branch.proof}" if branch.proof is not None else ""
    return f"{found.edge} {one_line(found.title)}", f"{found.node}{proof}"


def _drawn(branches: Mapping[str, _Branch], margin: str) -> Iterator[Line]:
    for number, branch in enumerate(branches.values(), 1):
        is_last = number == len(branches)
        said, ids = _told(branch)
        beside = margin + ("   " if is_last else "│  ")
        yield Line(f"{margin}{'└─' if is_last else '├─'} {said}")
        yield Line(f"{beside}{ids}", Look.FAINT)
        yield from _drawn(branch.behind, beside)


def _draw(branches: Mapping[str, _Branch]) -> None:
    # Here, because rich takes longer to import than most commands take to answer.
    from rich.console import Console  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415
    from rich.tree import Tree  # noqa: PLC0415

    def grow(tree: Tree, branch: _Branch) -> None:
        said, ids = _told(branch)
        edge, _, title = said.partition(" ")
        label = Text.assemble((edge, "cyan"), " ", title, "\n", (ids, "dim"))
        grown = tree.add(label)
        for one in branch.behind.values():
            grow(grown, one)

    root = Tree(Text("leads to" if branches else "leads nowhere by these edges"), guide_style="dim")
    for branch in branches.values():
        grow(root, branch)
    Console().print(root)
