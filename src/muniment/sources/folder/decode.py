"""Bytes to text: which encoding, and what is no text at all."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from muniment.domain.regex import regex

__all__ = ["Decoded", "Unreadable", "decode"]


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why a file is no document, in words for whoever put it there."""

    reason: str


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text with line feeds as line ends, and what had to be guessed or mended."""

    text: str
    notes: tuple[str, ...] = ()


_MAGIC = (
    (b"%PDF-", "a PDF"),
    (b"\x89PNG\r\n", "a PNG image"),
    (b"GIF8", "a GIF image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"PK\x03\x04", "a ZIP archive or an Office document"),
    (b"PK\x05\x06", "a ZIP archive"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document"),
    (b"{\\rtf", "an RTF document"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a", "a RAR archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (b"\x7fELF", "a program"),
    (b"SQLite format 3\x00", "a SQLite database"),
    (b"bplist00", "a binary property list"),
    (b"RIFF", "a RIFF media file"),
    (b"OggS", "an Ogg media file"),
    (b"ID3", "an MP3 file"),
)
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROL = regex(r"[\x01-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_HAN = regex(r"[\u4e00-\u9fff]")
_MOST_CONTROL = 0.01  # of the characters of a text
_MOST_BROKEN = 0.01  # of the bytes outside ASCII of a text that is UTF-8 all the same
_COMMON = 0.8  # of the characters outside ASCII, those in GB 2312, where a text is Chinese in GB 18030


def decode(data: bytes) -> Decoded | Unreadable:
    """The text of a file, or what the file is instead."""
    for magic, name in _MAGIC:
        if data.startswith(magic):
            return Unreadable(f"it is {name}, not a text")
    decoded = _decoded(data)
    if isinstance(decoded, Unreadable):
        return decoded
    if "\x00" in decoded.text:
        return Unreadable("it holds NUL bytes: a binary file, or UTF-16 without a byte order mark")
    if len(_CONTROL.findall(decoded.text)) > _MOST_CONTROL * len(decoded.text) + 1:
        return Unreadable("it is full of control characters: a binary file")
    return Decoded(decoded.text.replace("\r\n", "\n").replace("\r", "\n"), decoded.notes)


def _decoded(data: bytes) -> Decoded | Unreadable:
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return _marked(data[len(bom) :], encoding)
    try:
        return Decoded(data.decode("utf-8"))
    except UnicodeDecodeError:
        return _guessed(data)


def _marked(data: bytes, encoding: str) -> Decoded | Unreadable:
    """What follows a byte order mark, which says how to read it."""
    try:
        return Decoded(data.decode(encoding))
    except UnicodeDecodeError as error:
        if encoding == "utf-8":
            return _guessed(data)
        return Unreadable(
            f"its byte order mark says {encoding}, which it is not: {error.reason} at byte {error.start}"
        )


def _guessed(data: bytes) -> Decoded:
    """Bytes that are not UTF-8: UTF-8 with a few broken bytes, Chinese, or Western European."""
    mended = data.decode("utf-8", "replace")
    broken = mended.count("\ufffd") - data.count(b"\xef\xbf\xbd")
    foreign = sum(1 for char in mended if ord(char) > 0x7F)
    if broken <= max(_MOST_BROKEN * foreign, 1) and foreign > broken + 2:
        return Decoded(mended, (f"{broken} broken UTF-8 sequences were replaced",))
    chinese = _chinese(data)
    if chinese is not None:
        return Decoded(chinese, ("read as GB 18030",))
    try:
        return Decoded(data.decode("cp1252"), ("not UTF-8: read as Windows-1252, which is a guess",))
    except UnicodeDecodeError:
        return Decoded(data.decode("latin-1"), ("not UTF-8: read as Latin-1, which is a guess",))


def _chinese(data: bytes) -> str | None:
    """The text, where it decodes as GB 18030 and most of what is not ASCII is in everyday GB 2312."""
    try:
        text = data.decode("gb18030")
    except UnicodeDecodeError:
        return None
    foreign = [char for char in text if ord(char) > 0x7F]
    common = len("".join(foreign).encode("gb2312", "ignore")) // 2
    enough = common >= _COMMON * len(foreign) and len(_HAN.findall(text)) * 2 >= len(foreign)
    return text if enough else None
