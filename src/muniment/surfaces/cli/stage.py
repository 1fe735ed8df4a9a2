"""Where the demo plays: each verb is called, and shown as a person would type it and see its result."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from muniment.domain.values import Answer, Pack
from muniment.surfaces.cli import answers, desk
from muniment.surfaces.cli.exits import of_state
from muniment.surfaces.cli.out import Line, Look, show

if TYPE_CHECKING:
    from muniment.app import Org

__all__ = ["NOW", "Stage"]

NOW = "2026-11-30T09:00:00Z"  # where the company's record ends
_HEAD = 22  # lines of a pack that are shown


class Stage:
    """An open record, the demo's files, and whether anything is printed."""

    def __init__(self, org: Org, files: Path, *, quiet: bool) -> None:
        self.org = org
        self._files = files
        self._quiet = quiet

    def tell(self, *lines: Line) -> None:
        """Say it, unless only the result is wanted."""
        if not self._quiet:
            show(lines)

    def add(self, *names: str, source: str | None = None, audience: str | None = None) -> None:
        """Files of the demo's company, taken in."""
        said = [f"demo/company/{name}" for name in names]
        said += [] if source is None else ["--source", source]
        said += [] if audience is None else ["--audience", quote(audience)]
        self._typed("add", *said)
        for name in names:
            path = self._files / "company" / name
            receipt = self.org.add(path, source=source, audience=None if audience is None else [[audience]])
            self.tell(*desk.receipt(f"demo/company/{name}", receipt, str(path)))

    def sync(self) -> None:
        """Everything finished, vectors included."""
        self._typed("sync")
        self.tell(*desk.synced(self.org.sync()))

    def ask(self, who: str, question: str, *, as_of: str = NOW) -> Answer:
        """A question as somebody."""
        self._typed("ask", quote(question), "--as", who, "--as-of", as_of)
        found = self.org.reader(who, as_of=as_of).ask(question)
        self.tell(
            *answers.answer(found), Line(f"→ {found.state}, exit {of_state(found.state):d}", Look.FAINT)
        )
        return found

    def context(self, who: str, task: str, *, budget: int) -> Pack:
        """The pack of a task; of its text only the head is shown."""
        self._typed("context", quote(task), "--budget", str(budget), "--as", who, "--as-of", NOW)
        found = self.org.reader(who, as_of=NOW).context(task, budget=budget)
        self.tell(*_head(found))
        return found

    def _typed(self, *words: str) -> None:
        self.tell(Line(), Line(f"$ muniment {' '.join(words)}", Look.PROMPT))


def _head(found: Pack) -> Iterable[Line]:
    text, *rest = answers.pack(found)
    lines = text.text.splitlines()
    yield from (Line(line) for line in islice(lines, _HEAD))
    if len(lines) > _HEAD:
        yield Line(f"… {len(lines) - _HEAD} more lines", Look.FAINT)
    yield from rest
