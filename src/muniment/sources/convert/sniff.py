"""What kind of document a file is, by its bytes: names lie."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec

from muniment.sources.convert.made import Failed

__all__ = ["FORMATS", "Format", "lacking", "sniff"]

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_BEGINNING = 1024  # bytes within which a PDF's mark stands; what comes before it is junk


@dataclass(frozen=True, slots=True)
class Format:
    """One format: what it is called, what its files end in, and the libraries that read it."""

    name: str
    called: str
    media: str
    suffixes: tuple[str, ...]
    libraries: tuple[str, ...]


_OFFICE = "application/vnd.openxmlformats-officedocument."
_PDF = Format("pdf", "a PDF", "application/pdf", (".pdf",), ("pypdfium2", "numpy"))
_PARTS = {
    "word/document.xml": Format(
        "docx",
        "a Word document",
        f"{_OFFICE}wordprocessingml.document",
        (".docx", ".docm", ".dotx"),
        ("mammoth", "markdownify"),
    ),
    "xl/workbook.xml": Format(
        "xlsx",
        "an Excel workbook",
        f"{_OFFICE}spreadsheetml.sheet",
        (".xlsx", ".xlsm", ".xltx"),
        ("openpyxl",),
    ),
    "ppt/presentation.xml": Format(
        "pptx",
        "a PowerPoint presentation",
        f"{_OFFICE}presentationml.presentation",
        (".pptx", ".pptm", ".potx", ".ppsx"),
        ("pptx",),
    ),
}
FORMATS = {one.name: one for one in (_PDF, *_PARTS.values())}


def sniff(data: bytes) -> Format | Failed | None:
    """The format of a file; why it cannot be read where that shows at once; None where it is neither."""
    if b"%PDF-" in data[:_BEGINNING]:
        return _PDF
    if data.startswith(_OLE):
        if _ENCRYPTED in data:
            return Failed("it is encrypted: save a copy of it without a password")
        return Failed("it is an old Office document: save it as .docx, .xlsx or .pptx")
    return _package(data) if data.startswith(b"PK\x03\x04") else None


def _package(data: bytes) -> Format | Failed | None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            held = {one.filename: one for one in archive.infolist()}
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OverflowError, EOFError) as error:
        return Failed(f"it is a broken ZIP archive or Office document: {error}")
    for part, made in _PARTS.items():
        if part in held:
            locked = held[part].flag_bits & 1
            return Failed("it is encrypted: save a copy of it without a password") if locked else made
    return None


def lacking(wanted: Format, find: Callable[[str], object] = find_spec) -> str | None:
    """What to do where a library for the format is not installed."""
    if all(find(name) is not None for name in wanted.libraries):
        return None
    return f"it is {wanted.called}, which the extra docs reads: install muniment[docs]"
