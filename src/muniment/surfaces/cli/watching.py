"""Work repeated until a signal asks it to stop, which is heard between two rounds and never within one."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from muniment.surfaces.cli.out import say

__all__ = ["PAUSE", "repeat"]

PAUSE = 0.5  # seconds between looks at an empty queue


def repeat(work: Callable[[], int], announcement: str, *, pause: float = PAUSE) -> None:
    """Call `work` until SIGTERM or SIGINT; at once again where it did something, else after a pause.

    The announcement is made once signals are heard, so that whoever reads it may send one.
    """
    with _asked_to_stop() as stop:
        say(announcement)
        while not stop.is_set():
            if not work():
                stop.wait(pause)


@contextmanager
def _asked_to_stop() -> Iterator[threading.Event]:
    stop = threading.Event()
    before = {
        number: signal.signal(number, lambda *_: stop.set()) for number in (signal.SIGTERM, signal.SIGINT)
    }
    try:
        yield stop
    finally:
        for number, former in before.items():
            signal.signal(number, former)
