"""Commands that offer the record: serve, over HTTP with a worker beside it, and mcp, to an agent's host."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from muniment.domain.errors import MunimentError, Usage
from muniment.domain.principals import Bearer
from muniment.settings import Settings
from muniment.surfaces.cli.everywhere import Call
from muniment.surfaces.cli.exits import Exit
from muniment.surfaces.cli.opening import opened
from muniment.surfaces.cli.out import say, warn
from muniment.surfaces.cli.watching import repeat

if TYPE_CHECKING:
    from uvicorn import Server

    from muniment.app import Org

__all__ = ["mcp", "serve"]


def serve(
    call: Call,
    *,
    host: Annotated[str, typer.Option("--host", metavar="HOST", help="Where it listens.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", metavar="PORT", help="On which port.")] = 8765,
    tools: Annotated[
        Path | None,
        typer.Option(
            "--tools", metavar="FILE", help="What tasks may call, YAML or TOML.", show_default=False
        ),
    ] = None,
) -> int:
    """Serve the record over HTTP, MCP and web pages, with a worker beside it, until stopped.

    Takes deliveries of connected sources at POST /hooks/SOURCE.
    """
    if find_spec("uvicorn") is None:
        raise Usage("serving needs an extra: pip install 'muniment[serve]'")
    # The extra.
    from muniment.surfaces.http import connections  # noqa: PLC0415
    from muniment.surfaces.http.app import application, serving_as  # noqa: PLC0415  # the extra too

    how = serving_as(Settings.read().serving)
    patience = replace(how.patience, most=connections.make_room(how.patience.most))
    with opened(call) as org, socket.socket() as bound:
        how = how if tools is None else replace(how, tools=org.tasks.tools(tools))
        # Here, so that a port that is taken is an error of this command.
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
        bound.listen()
        app, address = application(org, how), f"http://{host}:{bound.getsockname()[1]}"
        server = connections.server(app, patience)
        if org.is_local:
            # Whoever sees this terminal may read the folder anyway.
            say(f"sign in once, as {org.login}: {address}{app.state.once.place(org.login)}")
        with _serving(server, bound):
            repeat(_worker(org), f"serving on {address}; stop with ctrl-c")
    say("stopped")
    return Exit.DONE


@contextmanager
def _serving(server: Server, bound: socket.socket) -> Iterator[None]:
    """The server in a thread of its own: it ends once its last request has, and leaves signals to us."""
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, name="server")
    thread.start()
    try:
        yield
    finally:
        server.should_exit = True
        thread.join()


def _worker(org: Org) -> Callable[[], int]:
    """What a worker does over and over; a database that is away is told once, and waited for."""
    told: list[str] = []

    def work() -> int:
        try:
            done = org.work()
        except MunimentError as error:
            if told != [str(error)]:
                told[:] = [str(error)]
                warn(f"the worker rests: {error}")
            return 0
        told.clear()
        return done

    return work


def mcp(
    call: Call,
    *,
    profile: Annotated[
        str, typer.Option(metavar="NAME", help="memory, accounts or incidents.", show_default=True)
    ] = "memory",
) -> int:
    """Serve MCP over standard input and output, for whoever --as names. An agent's host starts it."""
    try:
        # The extra, and slow to load: only this command needs it.
        from muniment.surfaces.mcp import profiles  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise Usage(f"this needs the extra serve: pip install 'muniment[serve]' ({error.name})") from None
    with opened(call) as org:
        profiles.serve_here(org, Bearer(call.asker or org.login, call.agent), profile)
    return Exit.DONE
