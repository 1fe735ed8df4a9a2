"""What a command said and how it ended."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

__all__ = ["Cli", "Said"]


@dataclass(frozen=True, slots=True)
class Said:
    """Exit code, stdout and stderr."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one object on stdout."""
        (line,) = self.out.splitlines()
        return json.loads(line)

    @property
    def lines(self) -> list[Any]:
        """The objects on stdout, one a line."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def error(self) -> str:
        """The one line on stderr."""
        (line,) = self.err.splitlines()
        return line


Cli: TypeAlias = Callable[..., Said]
