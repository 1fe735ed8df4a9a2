"""A repository's history as events: each version of a document, each commit, and source code as it stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from muniment.domain.audience import Audience
from muniment.domain.times import format_instant
from muniment.sources.folder import Document, Unreadable, document_event
from muniment.sources.folder.reach import for_readers
from muniment.sources.folder.references import document_id
from muniment.sources.git.code import document_at, is_decision, is_document, is_read
from muniment.sources.git.commits import Commit, read_commit
from muniment.sources.git.program import Change, Repository
from muniment.sources.parsed import Event, Parsed, Unread

__all__ = ["MOST_COMMITS", "Batch", "Reading", "Stood"]

MOST_COMMITS = 20_000
_BATCH = 200  # commits after which a cursor can be kept
_LARGEST = 1024 * 1024  # bytes of one file
_MOST_NAMES = 50  # files a commit's metadata names

Blobs = Mapping[str, bytes | None]


@dataclass(frozen=True, slots=True)
class Stood:
    """Until where a repository was read: a commit of the branch's own line, and its number in it."""

    commit: str
    number: int


@dataclass(frozen=True, slots=True)
class Batch:
    """What some commits made, and where the branch stood after them."""

    parsed: list[Parsed]
    stood: Stood
    at: datetime
    commits: int


@dataclass(frozen=True, slots=True)
class _Step:
    """One commit of the line: its number, and what it changed of what is read."""

    commit: Commit
    number: int
    changes: Sequence[Change]
    passed: int


@dataclass(frozen=True, slots=True)
class Reading:
    """A repository read for some readers."""

    source: str
    repository: Repository
    audience: Audience | None
    account: str | None = None

    def since(self, stood: Stood | None, head: str, most: int = MOST_COMMITS) -> Iterator[Batch]:
        """Everything after a commit of the line, oldest first; None is everything, or so many commits."""
        length = self.repository.length(head)
        wanted = min(length - (stood.number if stood else 0), most)
        line = self.repository.line(head, wanted) if wanted > 0 else []
        if not line:
            return
        first = length - len(line) + 1
        changed = dict(self.repository.changes(line))
        if line[0][1] is not None and stood is None:
            changed[line[0][0]] = self.repository.tree(line[0][0])
        last = _last_of_code(line, changed)
        before = stood.commit if stood else None
        for at in range(0, len(line), _BATCH):
            names = [commit for commit, _ in line[at : at + _BATCH]]
            steps = list(self._steps(names, first + at, changed))
            parsed = [*self._versions(steps, last), *self._messages(names[-1], before, steps, most)]
            before = names[-1]
            yield Batch(parsed, Stood(before, first + at + len(names) - 1), steps[-1].commit.at, len(names))

    def _steps(
        self, names: Sequence[str], first: int, changed: Mapping[str, list[Change]]
    ) -> Iterator[_Step]:
        objects = self.repository.objects(names, _LARGEST)
        for number, (name, raw) in enumerate(zip(names, objects, strict=True), first):
            every = changed.get(name, [])
            read = [one for one in every if is_read(one.path)]
            yield _Step(read_commit(name, raw or b""), number, read, len(every) - len(read))

    def _versions(self, steps: Sequence[_Step], last: Mapping[str, str]) -> Iterator[Parsed]:
        """What each commit made of each document; of code, what its last commit left."""
        kept = [
            (step, one)
            for step in steps
            for one in step.changes
            if is_document(one.path) or last.get(one.path) == step.commit.id
        ]
        names = list(dict.fromkeys(name for _, one in kept for name in (one.old, one.new) if name))
        blobs = dict(zip(names, self.repository.objects(names, _LARGEST), strict=True))
        for step, one in kept:
            yield from self._version(step, one, blobs)

    def _version(self, step: _Step, change: Change, blobs: Blobs) -> Iterator[Parsed]:
        where = f"{change.path} at {step.commit.id[:10]}"
        # Of code only the last is told, and its name is its path: what it was called does not matter.
        was = _id(change.path, blobs.get(change.old or "")) if is_document(change.path) else None
        now = None
        if change.new is not None:
            data = blobs.get(change.new)
            found = document_at(change.path, data) if data is not None else Unreadable(_too_large())
            match found:
                case Unreadable(reason=reason):
                    yield Unread(where, change.path, reason)
                    now = was
                case Document():
                    event = self._event(step, change.path, found)
                    now = str(event.get("id", was)) if not isinstance(event, Unread) else was
                    yield event
                case None:
                    pass
        if now is None and not is_document(change.path):
            was = _id(change.path, blobs.get(change.old or ""))
        if was is not None and was != now:
            yield self._gone(step, was)

    def _event(self, step: _Step, path: str, document: Document) -> Parsed:
        commit = step.commit
        made = document_event(document, source=self.source, path=path, at=commit.at)
        try:
            event = dict(for_readers(made, self.audience, self.account))
        except ValueError as error:
            return Unread(f"{path} at {commit.id[:10]}", path, f"front matter: {error}")
        event["version"] = str(step.number)
        event.setdefault("author_name", commit.author or None)
        metadata = event["metadata"]
        event["metadata"] = {**(metadata if isinstance(metadata, dict) else {}), "commit": commit.id}
        if is_decision(path):
            labels = event.get("labels")
            event["labels"] = {**(labels if isinstance(labels, dict) else {}), "record": "decision"}
        return event

    def _gone(self, step: _Step, id_: str) -> Event:
        at = format_instant(step.commit.at)
        return {"source": self.source, "id": id_, "op": "delete", "at": at, "version": str(step.number)}

    def _messages(self, head: str, before: str | None, steps: Sequence[_Step], most: int) -> Iterator[Parsed]:
        """Why the commits were made, those of merged branches too, but merges that say nothing."""
        names = self.repository.commits(head, before, most)
        known = {step.commit.id: step for step in steps}
        for name, raw in zip(names, self.repository.objects(names, _LARGEST), strict=True):
            commit = read_commit(name, raw or b"")
            if commit.message and not (commit.merges and commit.message.startswith("Merge ")):
                yield self._message(commit, known.get(name))

    def _message(self, commit: Commit, step: _Step | None) -> Event:
        event: dict[str, object] = {
            "source": self.source,
            "id": f"commit/{commit.id}",
            "op": "upsert",
            "kind": "note",
            "at": format_instant(commit.at),
            "title": commit.message.partition("\n")[0][:300],
            "body": commit.message,
            "media": "text/plain",
            "author_name": commit.author or None,
            "metadata": {"commit": commit.id, **_touched(step)},
        }
        if commit.written <= commit.at:
            event["created_at"] = format_instant(commit.written)
        if self.audience is not None:
            event["audience"] = self.audience.as_lists()
        if self.account is not None:
            event["account"] = self.account
        return event

    def ids(self, head: str, most: int) -> tuple[frozenset[str], bool]:
        """Everything that is at the branch's head, and whether that is all there is."""
        files = [one for one in self.repository.tree(head) if is_read(one.path)]
        contents = self.repository.objects([one.new or "" for one in files], _LARGEST)
        ids = {_id(one.path, data) or one.path for one, data in zip(files, contents, strict=True)}
        commits = self.repository.commits(head, None, most + 1)
        return frozenset(ids | {f"commit/{name}" for name in commits}), len(commits) <= most


def _too_large() -> str:
    return f"is larger than {_LARGEST} bytes, or missing from the repository"


def _touched(step: _Step | None) -> dict[str, object]:
    """What a commit changed, as far as it is read, and how many other files."""
    if step is None:
        return {}
    return {"files": [one.path for one in step.changes[:_MOST_NAMES]], "files_passed_over": step.passed}


def _id(path: str, data: bytes | None) -> str | None:
    """What a file's document is called; None where it holds none."""
    found = None if data is None else document_at(path, data)
    match found:
        case Document():
            return document_id(path, found.fields)
        case _:
            return None


def _last_of_code(
    line: Sequence[tuple[str, str | None]], changed: Mapping[str, list[Change]]
) -> dict[str, str]:
    """The commit that last changed each file of code: what it said before is in the history of git."""
    return {
        one.path: commit
        for commit, _ in line
        for one in changed.get(commit, ())
        if is_read(one.path) and not is_document(one.path)
    }
