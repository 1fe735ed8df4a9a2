"""Fingerprints by which shared runs of words are found, without keeping a readable word. Pure.

Winnowing (Schleimer, Wilkerson and Aiken, SIGMOD 2003): of every few runs that follow each other the one with
the least hash is chosen, so that two texts which share a stretch long enough choose the same runs in it,
wherever it stands. A run is eight words, or twelve Chinese characters; a shared stretch of eleven words is
always found. What is stored is a keyed hash of the run: nobody without the key can look for a phrase.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import accumulate
from zlib import crc32

from muniment.domain.identity import keyed_digest
from muniment.domain.regex import regex
from muniment.items.fold import Version

__all__ = ["Prints", "fingerprint", "prints_of", "shared_words"]

_HAN = "\u3400-\u4dbf\u4e00-\u9fff"
_TOKEN = regex(rf"[{_HAN}]|[^\W_{_HAN}]+")
_FIRST_HAN = "\u3400"
_RUN = 24  # the weight of a run: a word weighs 3, a Chinese character 2
_WORD, _CHARACTER = 3, 2
_WINDOW = 4  # runs of which one is chosen


@dataclass(frozen=True, slots=True)
class Prints:
    """The runs of words that a text of an item was the first of its texts to have."""

    seq: int
    at: datetime
    hashes: tuple[int, ...]


def prints_of(versions: Sequence[Version], hashes: Mapping[int, frozenset[int]]) -> tuple[Prints, ...]:
    """Each run once, dated when the item first had it by its source's word."""
    seen: set[int] = set()
    found: list[Prints] = []
    for at, seq in sorted((one.at, one.seq) for one in versions if one.seq == one.text_seq):
        if new := hashes[seq] - seen:
            seen |= new
            found.append(Prints(seq, at, tuple(sorted(new))))
    return tuple(found)


def fingerprint(key: bytes, text: str) -> frozenset[int]:
    """Keyed 64-bit hashes of the runs chosen from the text; none where it is shorter than a run."""
    words = _TOKEN.findall(_plain(text))
    compared = _all_compared(text, words)
    joined = b" ".join(compared)
    starts = [0, *accumulate(len(word) + 1 for word in compared)]
    runs = [joined[starts[first] : starts[last] - 1] for first, last in enumerate(_lasts(words))]
    secret = _secret(key)
    return frozenset(_hashed(secret, runs[at]) for at in _chosen([crc32(run) for run in runs]))


def shared_words(one: str, other: str) -> list[str]:
    """Stretches of the second text whose every run is in the first one too."""
    known = {words for words, _, _ in _placed(_plain(one))}
    plain = _plain(other)
    found = ((start, end) for words, start, end in _placed(plain) if words in known)
    return [" ".join(plain[start:end].split()) for start, end in _merged(found)]


def _plain(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


@lru_cache(maxsize=16)
def _secret(key: bytes) -> bytes:
    return keyed_digest(key, "fingerprint")


def _all_compared(text: str, words: Sequence[str]) -> list[bytes]:
    """Each word as it is compared. Of plain text all at once, as every message comes by here."""
    if not text.isascii():
        return [_compared(word) for word in words]
    folded = " ".join(words).casefold().encode().split()
    return [b"0" if word.isdigit() else word for word in folded]


def _compared(word: str) -> bytes:
    """A number is any number, or a template would be another text wherever it is filled in."""
    return b"0" if word.isdecimal() else word.casefold().encode("utf-8", "surrogatepass")


def _lasts(words: Sequence[str]) -> list[int]:
    """For every word that a whole run begins with, the word after the run."""
    if max(words, default="") < _FIRST_HAN:  # words of one weight: as many to every run
        return list(range(_RUN // _WORD, len(words) + 1))
    weights = [_CHARACTER if word >= _FIRST_HAN else _WORD for word in words]
    lasts: list[int] = []
    weight = last = 0
    for first in weights:
        while weight < _RUN and last < len(weights):
            weight += weights[last]
            last += 1
        if weight < _RUN:
            break
        lasts.append(last)
        weight -= first
    return lasts


def _placed(plain: str) -> Iterator[tuple[tuple[bytes, ...], int, int]]:
    """Every run with the characters [start, end) where it stands."""
    found = list(_TOKEN.finditer(plain))
    words = [match[0] for match in found]
    compared = [_compared(word) for word in words]
    for first, last in enumerate(_lasts(words)):
        yield tuple(compared[first:last]), found[first].start(), found[last - 1].end()


def _hashed(secret: bytes, words: bytes) -> int:
    digest = hashlib.blake2b(words, digest_size=8, key=secret).digest()
    return int.from_bytes(digest, byteorder="big", signed=True)


def _chosen(hashes: Sequence[int]) -> Iterator[int]:
    """The place of the least hash in every window, the last of equals; all is one where it is short."""
    least = -1
    for first in range(max(1, len(hashes) - _WINDOW + 1) if hashes else 0):
        end = min(first + _WINDOW, len(hashes))
        if least < first:
            window = hashes[first:end]
            least = end - 1 - window[::-1].index(min(window))
            yield least
        elif hashes[end - 1] <= hashes[least]:
            least = end - 1
            yield least


def _merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in spans:
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], end
        else:
            merged.append((start, end))
    return merged
