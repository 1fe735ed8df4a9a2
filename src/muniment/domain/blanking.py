"""Words that are blanked wherever a text has them, known by keyed digest alone. Pure.

Words are compared without case and without what stands between them, so that one digest finds a name
however it is spelt: `Ann  Lee` is `ANN-LEE`. Of the first word there is a digest of its own: a text without
it is read once, however many words are to be blanked.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from muniment.domain.audience import is_principal
from muniment.domain.identity import keyed_digest
from muniment.domain.regex import regex

__all__ = ["BLANK", "Blanked", "Blanks", "nameless", "words_of"]

BLANK = "█"
# A run of letters, digits and their marks; a Chinese, Japanese or Korean character is a word of its own.
_EACH = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_WORD = regex(rf"[{_EACH}]|(?:(?![{_EACH}])[^\W_]|[\u0300-\u036f])+")
# What is no text but says what, where and for whom an event is.
_STRUCTURE = frozenset(
    "op source id at timezone kind version created_at container thread audience item to into group add "
    "remove set valid_from valid_to verified_through live media supersedes amends superseded_by "
    "derived_from standing spans entity_kind edges".split()
)
_WHO = frozenset(("author", "participants"))
_CALLED = frozenset(("name", "emails", "aliases"))

Json = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Blanked:
    """Some words in a row, by their digest, that of the first of them, and how many they are."""

    digest: bytes
    first: bytes
    words: int

    @classmethod
    def of(cls, key: bytes, text: str) -> Blanked:
        """Those of a text. ValueError where it has none, or would be found in everything."""
        words = words_of(text)
        if sum(map(len, words)) < 3 and not re.search(f"[{_EACH}]", text):  # shorter is everywhere
            raise ValueError(f"{text!r} is too short: it would be found in everything")
        return cls(_whole(key, words), _first(key, words[0]), len(words))


@dataclass(frozen=True, slots=True)
class Blanks:
    """All words that are blanked, and how to blank them."""

    key: bytes
    lengths: Mapping[bytes, frozenset[int]]
    wholes: frozenset[bytes]
    seen: dict[str, frozenset[int]] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, key: bytes, blanked: Iterable[Blanked]) -> Blanks:
        """From what is known of each."""
        found = list(blanked)
        lengths: dict[bytes, frozenset[int]] = {}
        for one in found:
            lengths[one.first] = lengths.get(one.first, frozenset()) | {one.words}
        return cls(key, lengths, frozenset(one.digest for one in found))

    def text(self, text: str) -> str:
        """The text with the words blanked, every other character where it was."""
        if not self.wholes:
            return text
        places = [(match.start(), match.end()) for match in _WORD.finditer(text)]
        words = [_normal(text[start:end]) for start, end in places]
        characters: list[str] | None = None
        for place, word in enumerate(words):
            for count in self._lengths(word):
                if len(words) - place < count or not self._is_blanked(words[place : place + count]):
                    continue
                start, end = places[place][0], places[place + count - 1][1]
                characters = characters or list(text)
                characters[start:end] = BLANK * (end - start)
        return text if characters is None else "".join(characters)

    def _lengths(self, word: str) -> frozenset[int]:
        if word not in self.seen:
            if len(self.seen) > 100_000:  # a few megabytes
                self.seen.clear()
            self.seen[word] = self.lengths.get(_first(self.key, word), frozenset())
        return self.seen[word]

    def _is_blanked(self, words: list[str]) -> bool:
        return _whole(self.key, words) in self.wholes

    def event(self, raw: Json) -> Json:
        """An event without the words in whatever of it is text; the same object where it has none."""
        if not self.wholes:
            return raw
        if raw.get("op") == "principal":
            return self._principal(raw)
        found = {name: self._field(name, value) for name, value in raw.items()}
        return raw if found == raw else found

    def line(self, line: str) -> str:
        """The same for what was handed in and is no event, in JSON or not."""
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            return self.text(line)
        found = self.event(value) if isinstance(value, dict) else _mapped(value, self.text)
        return line if found == value else json.dumps(found, ensure_ascii=False)

    def _field(self, name: str, value: object) -> object:
        if name in _STRUCTURE:
            return value
        return _mapped(value, self._unless_principal if name in _WHO else self.text)

    def _unless_principal(self, text: str) -> str:
        return text if is_principal(text) else self.text(text)

    def _principal(self, raw: Json) -> Json:
        """A person loses names and addresses whole: part of an address is nobody's."""
        found = {name: self._kept(value) if name in _CALLED else value for name, value in raw.items()}
        return raw if found == raw else found

    def _kept(self, value: object) -> object:
        match value:
            case str():
                return None if self.text(value) != value else value
            case list():
                return [one for one in value if not isinstance(one, str) or self.text(one) == one]
        return value


def words_of(text: str) -> list[str]:
    """A text's words as they are compared."""
    return [_normal(word) for word in _WORD.findall(text)]


def nameless(raw: Json) -> Json:
    """What a directory said of a person, without what they are called."""
    return {name: value for name, value in raw.items() if name not in _CALLED}


def _normal(word: str) -> str:
    return unicodedata.normalize("NFKC", word).casefold()


def _first(key: bytes, word: str) -> bytes:
    # Short, so that many words share it: it is a sieve, and should tell little of the word.
    return keyed_digest(key, "blanked first", word)[:3]


def _whole(key: bytes, words: Iterable[str]) -> bytes:
    return keyed_digest(key, "blanked", *words)


def _mapped(value: object, act: Callable[[str], str]) -> object:
    match value:
        case str():
            return act(value)
        case list() | tuple():
            return [_mapped(part, act) for part in value]
        case dict():
            return {act(str(name)): _mapped(part, act) for name, part in value.items()}
    return value
