"""A generated company: messages of Zipf-distributed words in channels whose sizes fall as 1/rank.

The same seed gives the same text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

__all__ = ["READERS", "channels", "message", "messages", "people", "questions", "ranks"]

CHANNELS = 2_000
VOCABULARY = 50_000
# Who reads which channels: about 1 % and half of all messages, everything, nothing.
READERS = ("user:one", "user:half", "user:all", "user:none")

_mass = 1 / (np.arange(1, VOCABULARY + 1) + 12.0) ** 1.08
_WORDS = np.cumsum(_mass / _mass.sum())
_sizes = 1 / np.arange(1, CHANNELS + 1)
_SHARES = np.cumsum(_sizes / _sizes.sum())
_SYLLABLES = [c + v for c in "bdfgklmnprstvz" for v in "aeiou"]


def word(rank: int) -> str:
    """A pronounceable word for a rank; the commonest are the shortest."""
    spelled = ""
    rank += 1
    while rank:
        rank, syllable = divmod(rank, len(_SYLLABLES))
        spelled += _SYLLABLES[syllable]
    return spelled


def people() -> Iterator[Mapping[str, object]]:
    """Four readers, and the groups of all channels."""
    shares = np.diff(np.concatenate([[0.0], _SHARES]))
    half = _channels_up_to(shares, 0.5, first=1)
    one = _channels_up_to(shares, 0.01, first=100)
    for reader in READERS:
        yield {
            "op": "principal",
            "source": "dir",
            "id": reader,
            "at": "2026-01-01T00:00:00Z",
            "standing": "guest",
        }
    for channel in range(CHANNELS):
        who = ["user:all"]
        who += ["user:half"] if channel in half else []
        who += ["user:one"] if channel in one else []
        yield {
            "op": "member",
            "source": "chat",
            "group": f"group:chat:C{channel}",
            "at": "2026-01-01T00:00:00Z",
            "add": who,
        }


def _channels_up_to(shares: np.ndarray, share: float, *, first: int) -> frozenset[int]:
    """Channels from one on whose messages add up to a share of all."""
    total, found = 0.0, set()
    for channel in range(first, CHANNELS):
        if total >= share:
            break
        total += float(shares[channel])
        found.add(channel)
    return frozenset(found)


def messages(count: int, *, first: int = 0) -> Iterator[Mapping[str, object]]:
    """Messages numbered from `first`, about 45 words each, for the readers of their channel."""
    for number in range(first, first + count):
        draw = np.random.default_rng([11, number])
        length = int(np.clip(draw.lognormal(3.4, 0.5), 3, 300))
        words = [word(rank) for rank in ranks(draw, length).tolist()]
        yield message(number, words, int(channels(draw, 1)[0]))


def ranks(draw: np.random.Generator, count: int) -> np.ndarray:
    """Words as ranks, the commonest first."""
    return np.searchsorted(_WORDS, draw.random(count))


def channels(draw: np.random.Generator, count: int) -> np.ndarray:
    """Channels as numbers, the busiest first."""
    return np.searchsorted(_SHARES, draw.random(count))


def message(number: int, words: list[str], channel: int) -> Mapping[str, object]:
    """What somebody says there."""
    return {
        "source": "chat",
        "id": f"m{number}",
        "op": "upsert",
        "kind": "message",
        "at": f"2026-{1 + number % 11:02d}-{1 + number % 28:02d}T{number % 24:02d}:00:00Z",
        "author": f"user:u{number % 500}",
        "body": _prose(words),
        "audience": [[f"group:chat:C{channel}"]],
    }


def _prose(words: list[str]) -> str:
    """Sentences of about a dozen words."""
    parts = [words[start : start + 12] for start in range(0, len(words), 12)]
    return " ".join(f"{' '.join(part).capitalize()}." for part in parts)


def questions(count: int) -> Iterator[str]:
    """Seven words each: one very common, three common, three rare."""
    for number in range(count):
        draw = np.random.default_rng([13, number])
        ranks = [
            int(draw.integers(0, 3)),
            *draw.integers(10, 300, 3).tolist(),
            *draw.integers(300, 20_000, 3).tolist(),
        ]
        yield " ".join(word(rank) for rank in ranks)
