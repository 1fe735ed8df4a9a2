"""How long work is going: a moving line on a terminal, plain lines where stderr is a file or a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from muniment.surfaces.cli.out import one_line, say

__all__ = ["progress"]

Progress = Callable[[int], None]


@contextmanager
def progress(what: str, *, quiet: bool = False) -> Iterator[Progress]:
    """Something to call with the number of things done so far."""
    if quiet:
        yield lambda _: None
    elif sys.stderr.isatty():
        with _moving(one_line(what)) as moved:
            yield moved
    else:
        yield lambda done: say(f"{one_line(what)}: {done:,} done")


@contextmanager
def _moving(what: str) -> Iterator[Progress]:
    # Here, because rich takes longer to import than most commands take to answer.
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import Progress as Bar  # noqa: PLC0415
    from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        TextColumn("{task.completed:,} done"),
        TimeElapsedColumn(),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done: bar.update(task, completed=done)
