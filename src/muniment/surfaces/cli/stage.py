"""Where the demo plays: each verb is called, and shown as a person would type it and see its result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import islice
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from muniment.domain.changes import PageChanges
from muniment.domain.graph import Node
from muniment.domain.values import Answer, Pack, Page
from muniment.surfaces.cli import answers, desk, nodes, records
from muniment.surfaces.cli.company import Taken
from muniment.surfaces.cli.exits import of_state
from muniment.surfaces.cli.out import Line, Look, counted, show

if TYPE_CHECKING:
    from muniment.app import Org

__all__ = ["NOW", "Stage"]

NOW = "2026-11-30T09:00:00Z"  # where the company's record ends
_HEAD = 22  # lines of a pack or page that are shown


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

    def add(self, taken: Taken) -> None:
        """Files of the demo's company, taken in, with what is said of them."""
        self._typed("add", *(f"demo/{path}" for path in taken.paths), *_said_of(taken))
        options = {name: self._placed(value) for name, value in taken.options.items()}
        for path in taken.paths:
            file = self._files / path
            receipt = self.org.add(
                file,
                source=taken.source,
                kind=taken.kind,
                audience=[list(taken.audience)] if taken.audience else None,
                account=taken.account,
                options=options,
            )
            self.tell(*desk.receipt(f"demo/{path}", receipt, str(file)))

    def _placed(self, value: str) -> str:
        """An option's value; of one that names a file beside ours, where that lies."""
        return str(self._files.parent / value) if value.startswith("demo/") else value

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
        self.tell(*_head(*answers.pack(found)))
        return found

    def locate(self, who: str, terms: str, *, limit: int) -> list[Node]:
        """What words could mean to somebody."""
        self._typed("locate", quote(terms), "--limit", str(limit), *_seen_by(who))
        found = self.org.reader(who, as_of=NOW).locate(terms, limit=limit)
        self.tell(*nodes.located(found))
        return found

    def expand(self, who: str, node: str, edges: Sequence[str], *, hops: int) -> Node:
        """What a node leads to, as a tree."""
        chosen = [word for edge in edges for word in ("--edge", edge)]
        self._typed("expand", node, *chosen, "--hops", str(hops), *_seen_by(who))
        found = self.org.reader(who, as_of=NOW).expand(node, edges, hops)
        if not self._quiet:
            nodes.put_tree(found)
        return found

    def page(self, who: str, name: str) -> Page:
        """The page of something; only its head is shown."""
        self._typed("page", quote(name), *_seen_by(who))
        found = self.org.reader(who, as_of=NOW).page(name)
        self.tell(*_head(*records.page(found)))
        return found

    def changes(self, who: str, name: str, since: datetime) -> PageChanges:
        """What changed on a page."""
        self._typed("page", quote(name), "--since", since.isoformat(), *_seen_by(who))
        found = self.org.reader(who, as_of=NOW).changes(name, since)
        self.tell(*records.changed(found))
        return found

    def make_steward(self, who: str) -> None:
        """Somebody may settle things from now on."""
        self._typed("grant", who, "steward")
        done = self.org.steward(self.org.login).grant_role(who, "steward")
        self.tell(*desk.granted(done, "is", "already is"))

    def set_aliases(self, who: str, path: str) -> None:
        """What a steward's file says of names."""
        self._typed("aliases", "set", f"demo/{path}", "--as", who)
        text = (self._files / path).read_text(encoding="utf-8")
        found = self.org.steward(who).set_aliases(text)
        self.tell(Line(f"in force: {counted(len(found), 'entry', 'entries')}"))

    def _typed(self, *words: str) -> None:
        self.tell(Line(), Line(f"$ muniment {' '.join(words)}", Look.PROMPT))


def _said_of(taken: Taken) -> Iterator[str]:
    """What a person says beside the paths."""
    named = {"--source": taken.source, "--kind": taken.kind, "--account": taken.account}
    for option, value in named.items():
        if value is not None:
            yield from (option, value)
    if taken.audience:
        yield from ("--audience", quote(",".join(taken.audience)))
    for name, value in taken.options.items():
        yield from ("--option", quote(f"{name}={value}"))


def _seen_by(who: str) -> tuple[str, ...]:
    return ("--as", who, "--as-of", NOW)


def _head(text: Line, *rest: Line) -> Iterable[Line]:
    lines = text.text.splitlines()
    yield from (Line(line) for line in islice(lines, _HEAD))
    if len(lines) > _HEAD:
        yield Line(f"… {len(lines) - _HEAD} more lines", Look.FAINT)
    yield from rest
