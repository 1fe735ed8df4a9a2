"""Files in a folder: each a document, each document an event."""

from __future__ import annotations

from muniment.sources.folder.decode import Unreadable
from muniment.sources.folder.live import FOLDER
from muniment.sources.folder.read import MOST_BYTES, Document, read_document
from muniment.sources.folder.upsert import DocumentEvent, document_event
from muniment.sources.folder.walk import walk

CONNECTORS = (FOLDER,)

__all__ = [
    "CONNECTORS",
    "MOST_BYTES",
    "Document",
    "DocumentEvent",
    "Unreadable",
    "document_event",
    "read_document",
    "walk",
]
