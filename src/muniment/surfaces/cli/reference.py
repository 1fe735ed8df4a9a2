"""The reference in docs/reference and the golden help, made from the help itself.

`python -m muniment.surfaces.cli.reference markdown` prints the one, `text` the other; a test compares both.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import typer

from muniment.surfaces.cli.out import put
from muniment.surfaces.cli.program import PROGRAM

__all__ = ["as_markdown", "as_text"]


def as_text() -> str:
    """Every help a person can ask for."""
    return "\n\n".join(f"$ {typed} --help\n{text}" for typed, text in _helps()) + "\n"


def as_markdown() -> str:
    """The same as a page of documentation."""
    parts = [
        "# Command line",
        "Made from `muniment --help` and the help of every command; a test holds it to that.",
    ]
    parts += [f"## {typed}\n\n```text\n{text}\n```" for typed, text in _helps()]
    return "\n\n".join(parts) + "\n"


def _helps() -> Iterator[tuple[str, str]]:
    context = typer.Context(PROGRAM, info_name="muniment", **PROGRAM.context_settings)
    yield "muniment", _trimmed(PROGRAM.get_help(context))
    for name, command in PROGRAM.commands.items():
        own = typer.Context(command, info_name=name, parent=context)
        yield f"muniment {name}", _trimmed(command.get_help(own))


def _trimmed(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


if __name__ == "__main__":
    put((as_markdown() if sys.argv[1:] == ["markdown"] else as_text()).rstrip("\n"))
