"""Markdown for people and prompts. What sources said is set in it as plain words, whatever it contains."""

from __future__ import annotations

import re

__all__ = ["bullet", "heading", "link", "plain"]

_SIGNS = re.compile(r"([\\`*\[\]<>|~])")
_LEAD = re.compile(r"^([#+=-]|\d{1,9}(?=[.)]))")
# Controls, and marks that turn the direction of what follows.
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def plain(text: str) -> str:
    """One line that reads as it was written and has no effect on the page around it."""
    line = " ".join(_UNSEEN.sub("", text.replace("\r", "\n")).split())
    return _LEAD.sub(r"\\\1", _SIGNS.sub(r"\\\1", line))


def heading(level: int, text: str) -> str:
    """A heading of our own words or of escaped ones."""
    return f"{'#' * level} {text}"


def bullet(text: str, *, under: bool = False) -> str:
    """A point, or a line that belongs to the point above."""
    return f"  {text}" if under else f"- {text}"


def link(words: str, target: str) -> str:
    """A link from words that are plain already to a path of our own making."""
    return f"[{words}]({target})"
