"""Markdown for people and prompts. What sources said is set in it as plain words, whatever it contains."""

from __future__ import annotations

from muniment.domain.regex import regex

__all__ = ["bullet", "heading", "link", "plain"]

_SIGNS = regex(r"([\\`*\[\]<>|~])")
_LEAD = regex(r"^([#+=-]|\d{1,9}(?=[.)]))")
# Controls, and marks that turn the direction of what follows.
_UNSEEN = regex("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


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
