"""Files that are named on the command line."""

from __future__ import annotations

from pathlib import Path

from muniment.domain.errors import Usage

__all__ = ["text_of"]


def text_of(file: Path) -> str:
    """What a file says; Usage where it is not there or no text."""
    try:
        return file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise Usage(f"file {str(file)!r} does not exist") from None
    except (OSError, UnicodeDecodeError) as error:
        raise Usage(f"file {str(file)!r} cannot be read as text: {type(error).__name__}") from None
