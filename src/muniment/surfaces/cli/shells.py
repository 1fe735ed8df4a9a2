"""A shell that asks how a line could go on, instead of somebody who runs a command."""

from __future__ import annotations

from muniment.settings import variable

__all__ = ["ASKING", "learn_shells"]

ASKING = "_MUNIMENT_COMPLETE"  # the variable by which a shell asks


def learn_shells() -> None:
    """Let the command line answer in each shell's own way, where one asks."""
    if variable(ASKING):
        # A command that is run needs it not; typer's own types do not say that it hands it on.
        from typer.completion import completion_init  # type: ignore[attr-defined]  # noqa: PLC0415

        completion_init()
