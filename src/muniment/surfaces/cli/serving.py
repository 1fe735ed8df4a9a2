"""The command serve: the record over HTTP, and beside it a worker that does what is due."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated

import typer

from muniment.domain.errors import MunimentError, Usage
from muniment.surfaces.cli.everywhere import Call
from muniment.surfaces.cli.exits import Exit
from muniment.surfaces.cli.opening import opened
from muniment.surfaces.cli.out import say, warn
from muniment.surfaces.cli.watching import PAUSE

if TYPE_CHECKING:
    from muniment.app import Org

__all__ = ["serve"]

_AFTER_A_FAULT = 5.0  # seconds before a worker whose database was away tries again


def serve(
    call: Call,
    *,
    host: Annotated[str, typer.Option("--host", metavar="HOST", help="Where it listens.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", metavar="PORT", help="On which port.")] = 8765,
) -> int:
    """Serve the record over HTTP, with a worker beside it, until stopped.

    Takes deliveries of connected sources at POST /hooks/SOURCE.
    """
    if find_spec("uvicorn") is None:
        raise Usage("serving needs an extra: pip install 'muniment[serve]'")
    # The extra.
    import uvicorn  # noqa: PLC0415

    from muniment.surfaces.http.app import application  # noqa: PLC0415  # the extra too

    with opened(call) as org, _working(org):
        say(f"serving on http://{host}:{port}; stop with ctrl-c")
        uvicorn.run(application(org), host=host, port=port, log_level="warning")
    say("stopped")
    return Exit.DONE


@contextmanager
def _working(org: Org) -> Iterator[None]:
    """A worker in a thread of its own, which ends between two batches."""
    stop = threading.Event()
    worker = threading.Thread(target=_work, args=(org, stop), name="worker")
    worker.start()
    try:
        yield
    finally:
        stop.set()
        worker.join()


def _work(org: Org, stop: threading.Event) -> None:
    while not stop.is_set():
        try:
            if not org.work():
                stop.wait(PAUSE)
        except MunimentError as error:
            warn(f"the worker rests: {error}")
            stop.wait(_AFTER_A_FAULT)
