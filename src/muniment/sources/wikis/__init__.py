"""Wikis and drives as their exports: pages, each for the readers a mapping file names."""

from __future__ import annotations

from muniment.sources.filekind import FileKind
from muniment.sources.wikis import confluence, drive, notion

__all__ = ["FILES"]

_OPTIONS = ("audiences",)

FILES = (
    FileKind(
        "notion-export",
        "notion",
        "a Notion workspace exported as Markdown or HTML with CSV",
        notion.read,
        notion.recognises,
        _OPTIONS,
    ),
    FileKind(
        "confluence-export",
        "confluence",
        "a Confluence space exported as XML or HTML",
        confluence.read,
        confluence.recognises,
        _OPTIONS,
    ),
    FileKind(
        "drive-export",
        "drive",
        "Google Drive as Takeout exports it",
        drive.read,
        drive.recognises,
        _OPTIONS,
    ),
)
