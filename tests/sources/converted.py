"""Documents as they are read, and office files made for a test."""

import io
from collections.abc import Callable
from typing import Any

import openpyxl
import pptx

from muniment.sources.folder import Document, Unreadable, read_document


def document(data: bytes, name: str) -> Document:
    found = read_document(data, name)
    assert isinstance(found, Document), found
    return found


def reason(data: bytes, name: str) -> str:
    found = read_document(data, name)
    assert isinstance(found, Unreadable), found
    return found.reason


def apart(found: Document) -> dict[str, list[str]]:
    said: dict[str, list[str]] = {}
    for one in found.apart:
        said.setdefault(one.what, []).append(one.text)
    return said


def workbook(fill: Callable[[Any], object]) -> bytes:
    book, raw = openpyxl.Workbook(), io.BytesIO()
    fill(book)
    book.save(raw)
    return raw.getvalue()


def deck(fill: Callable[[Any], object]) -> bytes:
    made, raw = pptx.Presentation(), io.BytesIO()
    fill(made)
    made.save(raw)
    return raw.getvalue()
