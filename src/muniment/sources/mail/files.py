"""Mail in files: an mbox, a mail on its own, a folder of mails, a Maildir."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from muniment.domain.audience import is_principal
from muniment.domain.errors import Usage
from muniment.sources.filekind import Handed
from muniment.sources.mail.headers import dated
from muniment.sources.mail.mbox import Cut, begins_mbox, envelope_date, mails
from muniment.sources.mail.message import Mail, Unparsed, parse
from muniment.sources.mail.told import Held, events_of, recall_of
from muniment.sources.parsed import Parsed, Unread

__all__ = ["OPTIONS", "is_eml", "is_mbox", "read_eml", "read_mbox"]

OPTIONS = ("owner", "also")
_BEGINNING = 4096
_SHOWN = 2_000  # bytes of what was not read that quarantine keeps
_MAILBOXES = (".mbox", ".mbx")
_MAILS = (".eml", ".emlx")
# Labels of an export that are left out unless somebody asks for them, as they are called in some languages.
_ASIDE = {
    **dict.fromkeys("spam junk spamverdacht 垃圾邮件".split(), "spam"),
    **dict.fromkeys("trash bin papierkorb corbeille papelera cestino 已删除邮件".split(), "trash"),
    **dict.fromkeys("draft drafts entwurf entwürfe brouillon brouillons borradores 草稿".split(), "drafts"),
}
_FLAGS_ASIDE = frozenset("TD")  # of a Maildir: trashed, draft
MOST_RECALLS = 1_000  # requests of one file that are looked into


@dataclass(frozen=True, slots=True)
class _Found:
    """One mail as it lies somewhere: where, its bytes or why there are none, a time for want of its own."""

    origin: str
    raw: bytes
    at: datetime
    unread: str | None = None


def is_mbox(path: Path) -> bool:
    """Whether a file is an mbox, by its name or by how it begins."""
    if not path.is_file() or path.suffix.lower() in _MAILS:
        return False
    try:
        with path.open("rb") as file:
            beginning = file.read(_BEGINNING)
    except OSError:
        return False
    return begins_mbox(beginning) or (path.suffix.lower() in _MAILBOXES and not beginning.strip())


def is_eml(path: Path) -> bool:
    """Whether it is a mail by its name, a Maildir, or a folder with mails in it and nothing else."""
    if path.is_file():
        return path.suffix.lower() in _MAILS
    if not path.is_dir():
        return False
    if _is_maildir(path):
        return True
    names = list(islice((one for one in path.rglob("*") if one.is_file()), 100))
    return bool(names) and all(one.suffix.lower() in _MAILS for one in names)


def _is_maildir(path: Path) -> bool:
    return (path / "cur").is_dir() and (path / "new").is_dir()


def read_mbox(path: Path, handed: Handed) -> Iterator[Parsed]:
    """The events of an mbox, or of every mbox under a folder, which may be larger than memory."""
    yield from _told(lambda: _in_mboxes(path), handed)


def read_eml(path: Path, handed: Handed) -> Iterator[Parsed]:
    """The events of one mail, or of every mail under a folder."""
    yield from _told(lambda: _in_folder(path), handed)


def _in_mboxes(path: Path) -> Iterator[_Found]:
    files = [path] if path.is_file() else sorted(one for one in path.rglob("*") if is_mbox(one))
    for file in files:
        at = datetime.fromtimestamp(file.stat().st_mtime, UTC)
        with file.open("rb") as opened:
            for cut in mails(opened):
                yield _cut(cut, f"{file.name}, mail {cut.number}", at)


def _cut(cut: Cut, origin: str, at: datetime) -> _Found:
    if not cut.envelope:
        return _Found(origin, cut.raw, at, "it stands before the first mail: no envelope line begins it")
    if not cut.whole:
        return _Found(origin, cut.raw, at, "it is longer than the limit of one mail")
    said = dated(envelope_date(cut.envelope) or "")
    return _Found(origin, cut.raw, at if said is None else said.at)


def _in_folder(path: Path) -> Iterator[_Found]:
    for file in [path] if path.is_file() else _mail_files(path):
        at = datetime.fromtimestamp(file.stat().st_mtime, UTC)
        origin = file.name if path.is_file() else file.relative_to(path).as_posix()
        try:
            raw = file.read_bytes()
        except OSError as error:
            yield _Found(origin, b"", at, f"cannot be read: {error.strerror}")
            continue
        yield _Found(origin, _without_preamble(raw) if file.suffix.lower() == ".emlx" else raw, at)


def _mail_files(path: Path) -> list[Path]:
    """Mails by their name, and those of every Maildir, but what its owner threw away or had not sent."""
    found = []
    for file in path.rglob("*"):
        if file.suffix.lower() in _MAILS or (
            file.parent.name in ("cur", "new") and _is_maildir(file.parents[1])
        ):
            flags = file.name.rpartition(":2,")
            if file.is_file() and not (flags[1] and _FLAGS_ASIDE & set(flags[2])):
                found.append(file)
    return sorted(found)


def _without_preamble(raw: bytes) -> bytes:
    """An .emlx: the length on a line of its own, so many bytes of mail, and then a property list."""
    first, _, rest = raw.partition(b"\n")
    return rest[: int(first)] if first.strip().isdigit() and len(first) < 20 else raw


def _told(found: Callable[[], Iterable[_Found]], handed: Handed) -> Iterator[Parsed]:
    """Every mail as its events; then what was asked back, for which the mails are gone through once more."""
    owner, also = _owner(handed), _also(handed.options)
    requests: list[Mail] = []
    aside: Counter[str] = Counter()
    for one in found():
        mail = _mail(one)
        if isinstance(mail, Unread):
            yield mail
        elif left := _aside(mail) - also:
            aside[min(left)] += 1
        else:
            yield from events_of(mail, Held(handed.source, owner, one.at, None, handed.account))
            requests += [mail] if mail.recalls and len(requests) < MOST_RECALLS else []
    if aside:
        yield _left_out(aside)
    if requests:
        yield from _recalled(found(), requests, handed)


def _mail(one: _Found) -> Mail | Unread:
    mail = Unparsed(one.unread) if one.unread is not None else parse(one.raw)
    return Unread(one.origin, one.raw[:_SHOWN], mail.reason) if isinstance(mail, Unparsed) else mail


def _owner(handed: Handed) -> str:
    owner = handed.options.get("owner") or handed.importer
    if not is_principal(owner):
        raise Usage(f"owner {owner!r} is nobody who can read: say a principal such as user:ann")
    return owner


def _also(options: Mapping[str, str]) -> frozenset[str]:
    if unknown := options.keys() - set(OPTIONS):
        raise Usage(f"mail has no option {min(unknown)!r}: use {' or '.join(OPTIONS)}")
    said = {one.strip().casefold() for one in options.get("also", "").split(",") if one.strip()}
    if wrong := said - set(_ASIDE.values()):
        raise Usage(f"also names {min(wrong)!r}: use spam, trash or drafts")
    return frozenset(said)


def _aside(mail: Mail) -> frozenset[str]:
    """Under which of the labels that are left out a mail lies."""
    return frozenset(_ASIDE[one.casefold()] for one in mail.labels if one.casefold() in _ASIDE)


def _left_out(aside: Counter[str]) -> Unread:
    counts = ", ".join(f"{count} in {name}" for name, count in sorted(aside.items()))
    return Unread("mail left out", "", f"left out: {counts}; to take them in, say also=spam,trash,drafts")


def _recalled(found: Iterable[_Found], requests: Sequence[Mail], handed: Handed) -> Iterator[Parsed]:
    """Of what each request asks back, the last mail before it, be it before or after it in the file."""
    asked = {(one.sender.address, one.recalls): one for one in requests if one.sender is not None}
    latest: dict[str, tuple[datetime, Parsed]] = {}
    for one in found:
        mail = _mail(one)
        if isinstance(mail, Unread) or mail.sender is None or mail.date is None:
            continue
        request = asked.get((mail.sender.address, mail.subject))
        event = recall_of(mail, request, handed.source) if request is not None else None
        place = f"{mail.sender.address} {mail.subject}"
        if event is not None and (place not in latest or latest[place][0] < mail.date.at):
            latest[place] = (mail.date.at, event)
    yield from (event for _, event in latest.values())
