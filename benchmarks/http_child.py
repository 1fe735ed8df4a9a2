"""The doors of a record over HTTP without padding, in a process of their own.

`python -m benchmarks.http_child FOLDER` prints its address once it listens, and serves until it is ended. It
is `muniment serve` but for the wait at the end of each reply and the rate of one caller; nothing else may
differ.
"""

from __future__ import annotations

import socket
import sys
from dataclasses import replace

import muniment
from muniment.settings import Settings
from muniment.surfaces.http.app import application, serving_as
from muniment.surfaces.http.connections import server

__all__ = ["serve"]


def serve(folder: str) -> None:
    """Until a signal ends it."""
    settings = Settings.read()
    how = replace(serving_as(settings.serving), step=0.0, a_minute=1_000_000)
    with muniment.open(folder, settings=settings) as org, socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        bound.listen()
        print(f"serving on http://127.0.0.1:{bound.getsockname()[1]};", file=sys.stderr, flush=True)
        server(application(org, how), how.patience).run(sockets=[bound])


if __name__ == "__main__":
    serve(sys.argv[1])
