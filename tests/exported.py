"""What an export writes, as values that can be compared: every file by its name."""

from __future__ import annotations

import tempfile
from pathlib import Path

from muniment.steward import Steward
from muniment.view import View

__all__ = ["files", "record_of", "wiki_of"]


def wiki_of(view: View) -> dict[str, str]:
    """The wiki as this reader has it."""
    with tempfile.TemporaryDirectory() as name:
        view.export(Path(name) / "wiki")
        return {path: text.decode() for path, text in files(Path(name) / "wiki").items()}


def record_of(steward: Steward) -> dict[str, str]:
    """The whole record."""
    with tempfile.TemporaryDirectory() as name:
        steward.export(Path(name) / "record")
        return {path: text.decode() for path, text in files(Path(name) / "record").items()}


def files(folder: Path) -> dict[str, bytes]:
    """Every file in a folder, however deep."""
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }
