"""Assertions: statements found in what people wrote, each with the words that prove it."""

from muniment.assertions.extract import EXTRACTOR, extract

__all__ = ["EXTRACTOR", "extract"]
