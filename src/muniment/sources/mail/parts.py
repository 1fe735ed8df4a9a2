"""The parts of a mail: which of them is its text, and which are files that came with it. Nothing raises."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from email.message import Message
from urllib.parse import unquote_to_bytes

from muniment.domain.regex import regex
from muniment.sources.folder.decode import Unreadable
from muniment.sources.folder.html import convert
from muniment.sources.mail.charset import decode
from muniment.sources.mail.headers import words

__all__ = ["Attached", "Text", "files_of", "text_of"]

MOST_PARTS = 1_000
MOST_TEXT = 1_000_000  # characters of a mail's text; what is beyond is cut and said to be
_STUB = 300  # bytes: a plain text longer than this says something
_PARAMETER = regex(
    r";\s{0,20}([\w-]{1,40})(\*\d{1,3})?(\*)?\s{0,20}=\s{0,20}(?:\"((?:[^\"\\]|\\.){0,1000})\"|([^;\s\"]{1,1000}))"
)
_GAPS = regex(r"\n{4,}")
_UNSAFE = regex(r"[\x00-\x1f\x7f/\\]+")


@dataclass(frozen=True, slots=True)
class Text:
    """What a mail says, line ends and the spaces at them apart. `notes` is what was guessed or left out."""

    body: str
    media: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Attached:
    """A file that came with a mail. `content` is None for a mail that was attached to it."""

    name: str | None
    media: str
    content: bytes | None = field(repr=False)


def text_of(message: Message) -> Text:
    """The text a reader of the mail is shown: of alternatives the plain one, unless that says nothing."""
    notes: list[str] = []
    found = [(media, text) for media, text in _texts(message, notes) if text.strip()]
    plain = all(media == "text/plain" for media, _ in found)
    body = _tidied("\n\n".join(text for _, text in found))
    if len(body) > MOST_TEXT:
        notes.append(f"its text has {len(body)} characters: cut at {MOST_TEXT}")
        body = body[:MOST_TEXT]
    return Text(body, "text/plain" if plain else "text/html", tuple(dict.fromkeys(notes)))


def _tidied(text: str) -> str:
    """One form of a text that was carried in many: transport changes line ends and the spaces at them."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    # Two hyphens and a space begin a signature, and this space says so.
    kept = "\n".join(line if line == "-- " else line.rstrip(" \t\u00a0") for line in lines)
    return _GAPS.sub("\n\n\n", kept).strip("\n")


def _texts(message: Message, notes: list[str]) -> Iterator[tuple[str, str]]:
    """The shown texts, in order."""
    waiting = [message]
    seen = 0
    while waiting and seen < MOST_PARTS:
        part = waiting.pop()
        seen += 1
        media = part.get_content_type()
        if media == "multipart/alternative":
            waiting += _chosen(part)
        elif part.is_multipart():
            waiting += [] if media.startswith("message/") else reversed(_children(part))
        elif media in ("text/plain", "text/html") and not _is_file(part):
            yield _read(part, media, notes)
    if waiting:
        notes.append(f"it has more than {MOST_PARTS} parts: the others are not read")


def _chosen(part: Message) -> list[Message]:
    """Of alternatives the plain text, where it says something; else the last, which is the richest."""
    children = _children(part)
    plain = next((one for one in children if one.get_content_type() == "text/plain"), None)
    others = [one for one in children if one is not plain and one.get_content_type() != "text/calendar"]
    if plain is not None and (not others or not _is_stub(plain)):
        return [plain]
    return others[-1:]


def _is_stub(part: Message) -> bool:
    """Whether a plain text says no more than that there is HTML."""
    said = _content(part).strip().lower()
    return not said or (len(said) < _STUB and b"html" in said and b"view" in said)


def _children(part: Message) -> list[Message]:
    payload = part.get_payload()
    return [one for one in payload if isinstance(one, Message)] if isinstance(payload, list) else []


def _content(part: Message) -> bytes:
    """The bytes of a leaf; what its encoding does not fit comes as it is."""
    try:
        found = part.get_payload(decode=True)
    except (ValueError, AssertionError, LookupError, UnicodeError):
        found = None
    if isinstance(found, bytes):
        return found
    raw = part.get_payload()
    return raw.encode("utf-8", "surrogateescape") if isinstance(raw, str) else b""


def _read(part: Message, media: str, notes: list[str]) -> tuple[str, str]:
    text, note = decode(_content(part)[: 4 * MOST_TEXT], _parameter(part, "content-type", "charset"))
    notes += [note] if note else []
    if media == "text/plain":
        return media, text
    page = convert(text)
    match page:
        case Unreadable(reason=reason):
            notes.append(f"its HTML was left out: {reason}")
            return media, ""
        case _:
            return media, page.text


def _is_file(part: Message) -> bool:
    said = str(part.get("content-disposition", "")).strip().casefold()
    return said.startswith("attachment") or _name(part) is not None


def _parameter(part: Message, header: str, name: str) -> str | None:
    """A parameter of a field: quoted, in pieces (RFC 2231), or as programs write it that know neither."""
    raw = str(part.get(header, ""))[:10_000]
    found = [one for one in _PARAMETER.finditer(raw) if one[1].casefold() == name]
    if not found:
        return None
    said = "".join(one[4] if one[4] is not None else one[5] for one in found)
    if any(one[3] for one in found):
        charset, _, rest = said.partition("'")
        return decode(unquote_to_bytes(rest.rpartition("'")[2] or said), charset)[0]
    return words(said)


def _name(part: Message) -> str | None:
    said = _parameter(part, "content-disposition", "filename") or _parameter(part, "content-type", "name")
    return _UNSAFE.sub(" ", said).strip()[:200] or None if said else None


def files_of(message: Message) -> tuple[Attached, ...]:
    """The files that came with it, in order: attachments, named parts, invitations, mails as attachments."""
    return tuple(_files(message))


def _files(message: Message) -> Iterator[Attached]:
    waiting = [message]
    seen = 0
    while waiting and seen < MOST_PARTS:
        part = waiting.pop()
        seen += 1
        media = part.get_content_type()
        if media.startswith("message/"):
            if part is not message:
                yield Attached(_name(part) or _subject(part), media, None)
        elif part.is_multipart():
            waiting += reversed(_children(part))
        elif _is_file(part) or media not in ("text/plain", "text/html"):
            yield Attached(_name(part), media, _content(part))


def _subject(part: Message) -> str | None:
    inner = _children(part)
    said = words(str(inner[0].get("subject", ""))) if inner else ""
    return said[:200] or None
