"""The program: its help, and the one command that a process runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from muniment.domain.regex import regex
from muniment.surfaces.cli.everywhere import Command, everywhere, gather
from muniment.surfaces.cli.listed import LISTED, Listed

__all__ = ["PROGRAM"]

WIDTH = 96  # of help, whatever the terminal: what is printed is a golden file

_TYPE = regex(r" <.*>\Z")
_EPILOG = """\
\b
Example:
  {example}

Every command also takes, see muniment --help: --org --tenant --as --agent --hearers --as-of
--known-at --json --debug"""
_EXITS = """\
\b
Exit codes:
  0  done or answered, empty lists too
  1  failed
  2  the command was put wrongly, or a path does not exist
  3  not found, and a named thing that is missing or not for you
  4  out of scope: nothing that you may read is about this
  5  done, and some of the input is in quarantine

\b
Example:
  muniment init ./acme && cd ./acme
  muniment add ../policies --source policies --audience '*'
  muniment ask "What is the hotel limit per night?" """


class Plain(TyperCommand):
    """Arguments by the name they are explained under, without typer's braces and types."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:  # type: ignore[explicit-override]  # 3.12
        """Called by typer while it writes help."""
        return [piece.replace("{", "").replace("}", "") for piece in super().collect_usage_pieces(ctx)]

    def format_options(self, ctx: Any, formatter: Any) -> None:  # type: ignore[explicit-override]  # 3.12
        """Called by typer while it writes help."""
        records: dict[str, list[tuple[str, str]]] = {"argument": [], "option": []}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                records[parameter.param_type_name].append((_TYPE.sub("", record[0]), record[1]))
        for title, kind in (("Arguments", "argument"), ("Options", "option")):
            if records[kind]:
                with formatter.section(title):
                    formatter.write_dl(records[kind])


class Lazy(Mapping[str, Any]):
    """The commands by name, each made when it is asked for: a process runs one of them."""

    def __init__(self) -> None:
        self._listed = {one.name: one for group in LISTED.values() for one in group}
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:  # type: ignore[explicit-override]  # 3.12
        if name not in self._made:
            self._made[name] = _command(self._listed[name])
        return self._made[name]

    def __iter__(self) -> Iterator[str]:  # type: ignore[explicit-override]  # 3.12
        return iter(self._listed)

    def __len__(self) -> int:  # type: ignore[explicit-override]  # 3.12
        return len(self._listed)


class Grouped(TyperGroup):
    """Commands listed under what they are for, rather than all in one column."""

    def list_commands(self, _: Any) -> list[str]:  # type: ignore[explicit-override]  # 3.12
        """Called by typer where it looks for a command."""
        return list(self.commands)

    def format_commands(self, _: Any, formatter: Any) -> None:  # type: ignore[explicit-override]  # 3.12
        """Called by typer while it writes help."""
        for title, group in LISTED.items():
            with formatter.section(title):
                formatter.write_dl([(one.name, one.says) for one in group])


def _command(listed: Listed) -> Any:
    room, _, name = listed.at.partition(":")
    command: Command = getattr(import_module(f"muniment.surfaces.cli.{room}"), name)
    alone = typer.Typer(rich_markup_mode=None, add_completion=False)
    alone.command(listed.name, cls=Plain, epilog=_EPILOG.format(example=listed.example))(everywhere(command))
    return get_command(alone)


def _build() -> Any:
    program = typer.Typer(
        cls=Grouped,
        rich_markup_mode=None,
        add_completion=False,
        context_settings={
            "terminal_width": WIDTH,
            "max_content_width": WIDTH,
            "help_option_names": ["-h", "--help"],
        },
        help="A governed record of what an organisation knows: every answer cited, dated, for who asks.",
        epilog=_EXITS,
    )
    program.callback()(gather())
    built: Any = get_command(program)
    built.commands = Lazy()
    return built


PROGRAM = _build()
