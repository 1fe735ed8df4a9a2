"""The command completion: what a shell needs to complete what is being typed."""

from __future__ import annotations

from typing import Annotated

import typer

from muniment.domain.errors import Usage
from muniment.surfaces.cli.everywhere import Call
from muniment.surfaces.cli.exits import Exit
from muniment.surfaces.cli.out import put
from muniment.surfaces.cli.shells import ASKING

__all__ = ["SHELLS", "completion"]

SHELLS = ("bash", "zsh", "fish")


def completion(
    call: Call,  # noqa: ARG001  # every command takes one
    *,
    shell: Annotated[str, typer.Argument(metavar="|".join(SHELLS), show_default=False)],
) -> int:
    """Print what makes a shell complete commands and options.

    Put it where your shell reads such things: eval "$(muniment completion bash)" in ~/.bashrc.
    """
    # Only this command needs it; typer's own types do not say that it hands it on.
    from typer.completion import get_completion_script  # type: ignore[attr-defined]  # noqa: PLC0415

    if shell not in SHELLS:
        raise Usage(f"shell {shell!r} is unknown: use {', '.join(SHELLS)}")
    put(get_completion_script(prog_name="muniment", complete_var=ASKING, shell=shell))
    return Exit.DONE
