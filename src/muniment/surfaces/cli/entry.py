"""Where the command line begins and how it ends: one line an error, and a code a script can act on."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from types import TracebackType
from typing import NoReturn

import typer

from muniment.domain.errors import MunimentError
from muniment.surfaces.cli.exits import Exit, of_error
from muniment.surfaces.cli.out import Look, ReaderGoneError, one_line, say
from muniment.surfaces.cli.program import PROGRAM
from muniment.surfaces.cli.shells import learn_shells

__all__ = ["main", "run"]

_DEBUG = "--debug"


def main() -> NoReturn:
    """The command `muniment`."""
    sys.excepthook = _unforeseen
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character gets its escape rather than a crash.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """One command, and the code it ends with."""
    try:
        learn_shells()
        said = list(arguments) or ["--help"]
        return int(PROGRAM.main(said, prog_name="muniment", standalone_mode=False) or Exit.DONE)
    except typer.TyperException as error:
        return _fail(arguments, f"{_lower(error.format_message())}{_see_help(error)}", Exit.USAGE)
    except MunimentError as error:
        return _fail(arguments, str(error), of_error(error))
    except ReaderGoneError:
        _close_quietly()
        return Exit.BROKEN_PIPE
    except OSError as error:
        place = f"{error.filename!r}: " if error.filename else ""
        return _fail(arguments, f"{place}{_lower(error.strerror or str(error))}", Exit.FAILED)
    except (KeyboardInterrupt, typer.Abort):
        return Exit.INTERRUPTED


def _fail(arguments: Sequence[str], message: str, code: Exit) -> Exit:
    if _DEBUG in arguments:
        say(traceback.format_exc())
    say(f"muniment: {one_line(message)}", Look.ALERT)
    return code


def _lower(message: str) -> str:
    """As our own messages begin, and without a full stop before what to do."""
    return message[:1].lower() + message[1:].rstrip(".")


def _see_help(error: typer.TyperException) -> str:
    context = getattr(error, "ctx", None)
    return f"; see {'muniment' if context is None else context.command_path} --help"


def _close_quietly() -> None:
    """The reader of our output has gone: let the interpreter's last flush go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _unforeseen(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """What nobody foresaw is a fault of ours: one line, and how to see the rest. Python then exits with 1."""
    if _DEBUG in sys.argv:
        traceback.print_exception(kind, error, trace)
    what = one_line(str(error))[:300]
    say(
        f"muniment: a fault of muniment's own, {kind.__name__}: {what}; see it with --debug, and report it",
        Look.ALERT,
    )
