"""Work repeated until a signal asks it to stop, which is heard between two rounds and never in the middle of one."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["PAUSE", "repeat"]

PAUSE = 0.5  # seconds between looks at an empty queue


def repeat(work: Callable[[], int], *, pause: float = PAUSE) -> None:
    """Call `work` until SIGTERM or SIGINT; at once again where it did something, else after a pause."""
    with _asked_to_stop() as stop:
        while not stop.is_set():
            if not work():
                stop.wait(pause)


@contextmanager
def _asked_to_stop() -> Iterator[threading.Event]:
    stop = threading.Event()
    before = {number: signal.signal(number, lambda *_: stop.set()) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield stop
    finally:
        for number, former in before.items():
            signal.signal(number, former)
