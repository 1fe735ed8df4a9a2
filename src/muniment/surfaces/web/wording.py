"""What the pages say, in two languages: one small file of words each, and which of them a visitor reads."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from muniment.domain.regex import regex

__all__ = ["LANGUAGES", "Wording", "language", "wording"]

LANGUAGES: Mapping[str, str] = {"en": "English", "zh": "中文"}
_ACCEPTED = regex(r"\s*([A-Za-z]{1,8})[\w-]*\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?))?\s*")


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of one language."""

    language: str
    said: Mapping[str, str]

    def __call__(self, name: str, **values: object) -> str:
        """Some words by their name, with values in their places."""
        return self.said[name].format(**values) if values else self.said[name]

    def known(self, group: str, word: str) -> str:
        """A word of the record's own, such as a state, as people say it; itself where nobody gave it one."""
        return self.said.get(f"{group}.{word}", word)


@cache
def wording(language: str) -> Wording:
    """The words of a language there is."""
    text = files(__package__).joinpath("words", f"{language}.json").read_text(encoding="utf-8")
    return Wording(language, json.loads(text))


def language(chosen: str | None, accepted: str) -> str:
    """The language somebody chose, else the first that their browser asks for and we have, else English."""
    if chosen in LANGUAGES:
        return str(chosen)
    wanted = [
        (-float(match[2] or 1), place, match[1].lower())
        for place, part in enumerate(accepted[:500].split(","))
        if (match := _ACCEPTED.fullmatch(part)) and match[1].lower() in LANGUAGES
    ]
    return min(wanted)[2] if wanted else "en"
