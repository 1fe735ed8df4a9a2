"""Office files and PDF to Markdown, each in a process of its own."""

from __future__ import annotations

from muniment.sources.convert.made import Apart, Failed, Limits, Made, bounded
from muniment.sources.convert.sandbox import convert
from muniment.sources.convert.sniff import FORMATS, Format, lacking, sniff

__all__ = ["FORMATS", "Apart", "Failed", "Format", "Limits", "Made", "bounded", "convert", "lacking", "sniff"]
