"""One line for each request, as JSON: what whoever runs the server needs, and nothing of what was asked."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import structlog

__all__ = ["Line", "to_stderr"]

Line = Callable[..., None]


@cache
def to_stderr() -> Line:
    """Lines of JSON on the standard error stream, each with its time."""
    logger: Any = structlog.wrap_logger(
        structlog.PrintLogger(sys.stderr),
        processors=[
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(),
        ],
    )

    def line(**said: object) -> None:
        logger.msg("request", **said)

    return line
