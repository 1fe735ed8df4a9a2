"""The options every command has, before or after its name, and the one value they arrive as."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Annotated, Any, get_type_hints

import typer

from muniment.domain.errors import Usage

__all__ = ["Call", "Command", "everywhere", "gather"]

Command = Callable[..., int]


@dataclass(frozen=True, slots=True)
class Call:
    """Whose record, who asks, at which moment, and how to print. None is the documented default."""

    org: str | None = None
    tenant: str | None = None
    asker: str | None = None
    agent: str | None = None
    hearers: str | None = None
    as_of: str | None = None
    known_at: str | None = None
    json: bool = False
    debug: bool = False

    def __post_init__(self) -> None:
        for name, _, flag, _, _ in _OPTIONS:
            said = getattr(self, name)
            named = said.split(",") if name == "hearers" and said is not None else [said]
            if any(isinstance(part, str) and not part.strip() for part in named):
                raise Usage(f"{flag} {said!r} names nothing; leave the option out, or name what you mean")

    @property
    def listening(self) -> tuple[str, ...]:
        """Everyone who will hear the result."""
        return () if self.hearers is None else tuple(name.strip() for name in self.hearers.split(","))

    def over(self, outer: Call) -> Call:
        """What was said after the command's name, and for the rest what was said before it."""
        said = {part.name: getattr(self, part.name) for part in fields(self)}
        return replace(outer, **{name: value for name, value in said.items() if value not in (None, False)})


# name, type, flag, placeholder, help
_OPTIONS: tuple[tuple[str, type, str, str | None, str], ...] = (
    (
        "org",
        str,
        "--org",
        "DIR|URL",
        (
            "The record: a folder, or a PostgreSQL URL. "
            "[env: MUNIMENT_ORG, MUNIMENT_DATABASE_URL; default: nearest .muniment/]"
        ),
    ),
    (
        "tenant",
        str,
        "--tenant",
        "NAME",
        "Which organisation of a PostgreSQL that holds several. [default: default]",
    ),
    (
        "asker",
        str,
        "--as",
        "PRINCIPAL",
        (
            "Who asks: an id, alias or e-mail. On a local folder it is trusted, as the files' owner is. "
            "[default: user:<login>]"
        ),
    ),
    ("agent", str, "--agent", "AGENT", "The agent that asks for them: agent:…"),
    (
        "hearers",
        str,
        "--hearers",
        "A,B",
        "Everyone else who will hear the result; rights are the intersection.",
    ),
    ("as_of", str, "--as-of", "TIME", "What held then: a day, or RFC 3339 with a zone."),
    ("known_at", str, "--known-at", "TIME", "What the record knew then."),
    ("json", bool, "--json", None, "One JSON object, or one a line for lists; nothing else on stdout."),
    ("debug", bool, "--debug", None, "Show the traceback of an error."),
)


def _parameters(*, hidden: bool) -> list[inspect.Parameter]:
    return [_parameter(*option, hidden=hidden) for option in _OPTIONS]


def _parameter(
    name: str, kind: type, flag: str, placeholder: str | None, text: str, *, hidden: bool
) -> inspect.Parameter:
    option = typer.Option(flag, metavar=placeholder, help=text, hidden=hidden, show_default=False)
    default = False if kind is bool else None
    hint = Annotated[bool, option] if kind is bool else Annotated[str | None, option]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hint)


def everywhere(command: Command) -> Callable[..., int]:
    """The command as typer sees it: its own parameters and, hidden in its help, those of every command.

    The command's first parameter is the Call.
    """

    def called(context: typer.Context, **said: Any) -> int:
        call = Call(**{part.name: said.pop(part.name) for part in fields(Call)})
        outer = context.find_root().obj
        return command(call.over(outer) if isinstance(outer, Call) else call, **said)

    own = list(inspect.signature(command).parameters.values())[1:]
    hints = get_type_hints(command, include_extras=True)
    shown = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[one.name]) for one in own]
    _sign(called, command, [*shown, *_parameters(hidden=True)])
    return called


def gather() -> Callable[..., None]:
    """What typer calls before any command: it keeps what was said before the command's name."""

    def before(context: typer.Context, **said: Any) -> None:
        context.find_root().obj = Call(**said)

    _sign(before, before, _parameters(hidden=False))
    return before


def _sign(target: Any, like: Command | Callable[..., None], parameters: list[inspect.Parameter]) -> None:
    context = inspect.Parameter("context", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)
    target.__signature__ = inspect.Signature([context, *parameters])
    target.__annotations__ = {one.name: one.annotation for one in [context, *parameters]}
    target.__name__, target.__doc__ = like.__name__, like.__doc__
