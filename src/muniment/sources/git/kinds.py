"""Git repositories as a kind of file and as a live source."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from muniment.domain.audience import Audience
from muniment.domain.errors import Unavailable
from muniment.sources.connector import (
    Configured,
    ConnectorKind,
    Cursor,
    CursorLost,
    Listing,
    Page,
    Setting,
)
from muniment.sources.filekind import FileKind, Handed
from muniment.sources.folder.reach import audience_setting
from muniment.sources.git.program import Repository
from muniment.sources.git.reading import MOST_COMMITS, Reading, Stood
from muniment.sources.parsed import Parsed, Unread

__all__ = ["CONNECTORS", "FILES"]

_MOST_ASKED = 1_000_000


@dataclass(frozen=True, slots=True)
class GitSource:
    """One repository, asked."""

    reading: Reading
    most: int
    clock: Callable[[], datetime] = field(repr=False)

    def pull(self, cursor: Cursor | None) -> Iterator[Page]:
        """What the branch gained since the cursor."""
        started = self.clock()
        head = self.reading.repository.head()
        stood = self._stood(cursor, head)
        parsed = [] if stood else list(_left_out(self.reading, head, self.most))
        page = Page(parsed, _cursor(stood), started)
        for batch in self.reading.since(stood, head, self.most):
            if page.seen:
                yield page
            page = Page([*parsed, *batch.parsed], _cursor(batch.stood), None, batch.commits)
            parsed = []
        yield Page(page.parsed, page.cursor, started, page.seen)

    def _stood(self, cursor: Cursor | None, head: str) -> Stood | None:
        """Where the branch was read until; lost where it no longer leads there."""
        if not cursor or not cursor.get("commit"):
            return None
        stood = Stood(str(cursor["commit"]), int(str(cursor.get("number", 0))))
        length = self.reading.repository.length(head)
        line = self.reading.repository.line(head, max(length - stood.number + 1, 1))
        if length < stood.number or line[0][0] != stood.commit:
            raise CursorLost(f"the branch no longer leads to {stood.commit[:10]}: its history was rewritten")
        return stood

    def sweep(self) -> Iterator[Listing]:
        """Every document, file of code and commit the branch holds."""
        at = self.clock()
        ids, complete = self.reading.ids(self.reading.repository.head(), self.most)
        yield Listing("", ids, at, complete=complete and bool(ids))


def _left_out(reading: Reading, head: str, most: int) -> Iterator[Unread]:
    length = reading.repository.length(head)
    if length > most:
        reason = (
            f"it has {length} commits; the last {most} were read, and documents as they stood before those"
        )
        yield Unread(str(reading.repository.path), head, reason)


def _cursor(stood: Stood | None) -> Cursor:
    return {} if stood is None else {"commit": stood.commit, "number": stood.number}


def _branch(said: str | None) -> str:
    return said.strip() if said and said.strip() else "HEAD"


def _most(said: str | None) -> int:
    return min(int(said), _MOST_ASKED) if said and said.isdecimal() and int(said) else MOST_COMMITS


def connected(configured: Configured) -> GitSource:
    """The repository that somebody connected."""
    said = configured.settings
    repository = Repository(Path(configured.require("path")).expanduser(), _branch(said.get("branch")))
    reading = Reading(configured.source, repository, audience_setting(said.get("audience")))
    return GitSource(reading, _most(said.get("commits")), configured.clock)


def read(path: Path, handed: Handed) -> Iterator[Parsed]:
    """A repository's history, handed in once."""
    chosen: Audience | None = audience_setting(handed.options.get("audience"))
    repository = Repository(path, _branch(handed.options.get("branch")))
    audience = None if chosen is None else chosen.or_also(handed.importer)
    reading = Reading(handed.source, repository, audience, handed.account)
    most = _most(handed.options.get("commits"))
    try:
        head = repository.head()
        yield from _left_out(reading, head, most)
        for batch in reading.since(None, head, most):
            yield from batch.parsed
    except Unavailable as error:
        yield Unread(str(path), path.name, str(error))


def recognises(path: Path) -> bool:
    """A folder that is a repository, with its files or without."""
    return (path / ".git").exists() or (
        path.suffix == ".git" and (path / "HEAD").is_file() and (path / "objects").is_dir()
    )


_KNOWS = (
    "Reads the branch's history: each version of each text document, and every commit message.",
    "Reads of source code its docstrings and comments, as they stand now.",
    "Who may read: those the setting `audience` names, else only whoever connects it: git knows no readers.",
    "Needs the program git, and to be allowed to read the repository; it fetches nothing and runs no hook.",
    "Cannot know who pushed: an author is a name that whoever committed chose.",
)

FILES = (
    FileKind(
        "git",
        "git",
        "a git repository: documents with their history, commit messages, what code says to its readers",
        read,
        recognises,
        ("branch", "audience", "commits"),
    ),
)
CONNECTORS = (
    ConnectorKind(
        "git",
        "a git repository on this machine, as its branch grows",
        (
            Setting("path", "the repository"),
            Setting("branch", "what to read: main, HEAD, a tag", required=False, default="HEAD"),
            Setting("audience", "who may read: group:staff, user:ann; & between clauses", required=False),
            Setting(
                "commits", "how many commits to look back at most", required=False, default=str(MOST_COMMITS)
            ),
        ),
        connected,
        None,
        _KNOWS,
    ),
)
