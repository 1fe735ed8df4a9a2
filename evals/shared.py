"""What every evaluation shares: where the data is, how sure a share is, how a report reads."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from muniment.domain.evaluation import wilson
from muniment.settings import Settings

__all__ = ["NotHere", "Readable", "Report", "lines", "machine", "settings", "shared", "wilson"]

ROOT = Path(__file__).parent


class NotHere(Exception):
    """The data of a set is not on this machine."""


def shared(name: str) -> Path:
    """A folder of the public data."""
    base = Path(os.environ.get("MUNIMENT_SHARED_DATA", ROOT.parent.parent / "shared" / "data"))
    if not (base / name).exists():
        raise NotHere(
            f"{base / name} does not exist; set MUNIMENT_SHARED_DATA to the folder that holds {name}"
        )
    return base / name


def settings(folder: Path) -> Settings:
    """This process's settings, with the server's files where they go with the folder."""
    (folder / "state").mkdir(mode=0o711, exist_ok=True)
    return replace(Settings.read(), state_dir=folder / "state", login="evaluator")


def lines(path: Path) -> Iterator[dict[str, object]]:
    """The objects of a JSONL file."""
    with path.open(encoding="utf-8") as file:
        yield from (json.loads(line) for line in file if line.strip())


def machine() -> str:
    """The day and the machine that figures are of."""
    system = f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}"
    return f"{datetime.now(UTC):%Y-%m-%d}, {system}, Python {platform.python_version()}"


class Readable(Protocol):
    """What a set gives back."""

    def text(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Report:
    """Figures by name, each right out of n, and the questions that went wrong."""

    name: str
    how: str
    figures: Mapping[str, tuple[float, int]]
    wrong: Sequence[str]

    def text(self) -> str:
        """As Markdown."""
        rows = [f"## {self.name}", "", self.how, "", "| figure | share | n | 95 % |", "|---|---|---|---|"]
        for figure, (right, n) in self.figures.items():
            low, high = wilson(right, n)
            rows.append(f"| {figure} | {right / n if n else 0:.3f} | {n} | {low:.3f}–{high:.3f} |")
        return "\n".join([*rows, "", *(f"- {one}" for one in self.wrong)])
