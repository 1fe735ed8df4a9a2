"""Embedders behind HTTP: any server that speaks like OpenAI's, and OpenAI.

What comes back is anybody's word: it is read only as far as what was asked for can be long, and every number
of it is looked at. The extra `models` brings the library; it is imported when a text is first sent.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from muniment.domain.embedder_use import EmbedderUse
from muniment.domain.errors import Usage
from muniment.models.embedding import EmbedderDown, EmbedderFailed, EmbedderLate, Floats

if TYPE_CHECKING:
    from httpx2 import AsyncClient, Response

__all__ = ["Placed", "ServedEmbedder", "find_served"]

_OPENAI: Final = "https://api.openai.com/v1"
_LIBRARY: Final = "httpx2"
# No key, no money, not allowed, no such model, too many, or nobody behind the door: no text is at fault.
_DOWN: Final = frozenset({401, 402, 403, 404, 408, 429, 502, 503, 504})
_LONGEST_NUMBER: Final = 32  # characters of one number of a vector, its comma and spaces with it
_AROUND: Final = 16_384  # characters of a reply that are no numbers


@dataclass(frozen=True, slots=True)
class Placed:
    """Vectors as they came, right in form, and the tokens the server says it took; 0 where it says none."""

    vectors: Floats
    tokens: int


def find_served(use: EmbedderUse) -> ServedEmbedder:
    """The embedder that the settings mean; Usage where the library is not installed."""
    if find_spec(_LIBRARY) is None:
        raise Usage(f"embedder {use.name!r} needs an extra: pip install 'muniment[models]'")
    return ServedEmbedder(use)


class ServedEmbedder:
    """Vectors from a server. Each batch is one request, on a connection of its own."""

    is_centred: Final = False

    def __init__(self, use: EmbedderUse) -> None:
        self.name: Final = use.name
        self.dimensions: Final = use.dimensions
        self._use = use

    def embed(self, texts: Sequence[str], *, query: bool) -> Floats:
        """The vectors alone."""
        return self.place(texts, query=query).vectors

    def place(self, texts: Sequence[str], *, query: bool) -> Placed:
        """One vector a text, in order. Raises EmbedderFailed, which repeats no text and no key."""
        if not texts:
            return Placed(np.empty((0, self.dimensions), np.float32), 0)
        prefix = self._use.query_prefix if query else self._use.passage_prefix
        seconds = self._use.question_seconds if query else self._use.seconds
        asked: dict[str, object] = {
            "model": self._use.model,
            "input": [prefix + text for text in texts],
            "encoding_format": "float",
        }
        if self._use.shortens:
            asked["dimensions"] = self.dimensions
        return self._read(self._reply(asked, seconds, len(texts)), len(texts))

    def _reply(self, asked: dict[str, object], seconds: float, count: int) -> bytes:
        from httpx2 import HTTPError, InvalidURL  # noqa: PLC0415  # the extra, see the module

        try:
            return asyncio.run(self._within(asked, seconds, count))
        except TimeoutError:
            raise EmbedderLate(f"embedder {self.name!r} took more than {seconds:g} s") from None
        except (HTTPError, InvalidURL, UnicodeError) as error:
            # Its words may quote the address with a key in it, so only its kind is kept.
            raise EmbedderDown(f"embedder {self.name!r} failed: {type(error).__name__}") from None

    async def _within(self, asked: dict[str, object], seconds: float, count: int) -> bytes:
        from httpx2 import AsyncClient  # noqa: PLC0415  # as above

        # The library's own limits are for each read; a server that drips would keep us for ever.
        async with asyncio.timeout(seconds), AsyncClient(timeout=seconds) as client:
            return await self._sent(client, asked, count)

    async def _sent(self, client: AsyncClient, asked: dict[str, object], count: int) -> bytes:
        url = f"{(self._use.url or _OPENAI).rstrip('/')}/embeddings"
        # Unpacked it could be any size, so it is to come as it is.
        headers = {"accept-encoding": "identity"}
        if self._use.key:
            headers["authorization"] = f"Bearer {self._use.key}"
        most = _AROUND + count * (self.dimensions * _LONGEST_NUMBER + _AROUND // 16)
        async with client.stream("POST", url, json=asked, headers=headers) as response:
            self._refuse(response)
            parts, size = [], 0
            async for part in response.aiter_raw():
                size += len(part)
                if size > most:
                    raise EmbedderFailed(f"embedder {self.name!r} gave more than {most:,} bytes")
                parts.append(part)
        return b"".join(parts)

    def _refuse(self, response: Response) -> None:
        status = response.status_code
        if status in _DOWN:
            rest = _seconds(response.headers.get("retry-after"))
            raise EmbedderDown(f"embedder {self.name!r} answers nobody: status {status}", rest)
        if status != 200:
            raise EmbedderFailed(f"embedder {self.name!r} failed: status {status}")

    def _read(self, reply: bytes, count: int) -> Placed:
        try:
            found = json.loads(reply)
            rows = _in_order(found["data"], count)
            vectors = np.array([_numbers(row["embedding"], self.dimensions) for row in rows], np.float32)
            return Placed(vectors, _tokens(found))
        except (ValueError, TypeError, KeyError, OverflowError, RecursionError) as error:
            what = str(error) if isinstance(error, _Amiss) else "what is no list of vectors"
            raise EmbedderFailed(f"embedder {self.name!r} gave {what} for {count} texts") from None


class _Amiss(ValueError):
    """What is wrong with a reply, in words of ours."""


def _in_order(rows: Any, count: int) -> list[Any]:
    """The rows by the number of their text; servers need not keep the order."""
    if not isinstance(rows, list) or len(rows) != count:
        raise _Amiss(f"{len(rows) if isinstance(rows, list) else 'no'} vectors")
    if not all(isinstance(row, dict) for row in rows):
        raise _Amiss("vectors in no known form")
    numbers = [row.get("index", place) for place, row in enumerate(rows)]
    if any(type(number) is not int for number in numbers) or sorted(numbers) != list(range(count)):
        raise _Amiss("vectors of no known text")
    return [row for _, row in sorted(zip(numbers, rows, strict=True), key=lambda pair: pair[0])]


def _numbers(vector: Any, dimensions: int) -> list[float]:
    if not isinstance(vector, list) or len(vector) != dimensions:
        found = len(vector) if isinstance(vector, list) else "no"
        raise _Amiss(f"a vector of {found} numbers instead of {dimensions:,}")
    if not all(type(number) in (float, int) for number in vector):
        raise _Amiss("a vector of other things than numbers")
    return vector


def _tokens(found: dict[str, Any]) -> int:
    usage = found.get("usage")
    tokens = usage.get("prompt_tokens") if isinstance(usage, dict) else None
    return tokens if type(tokens) is int and 0 <= tokens < 2**31 else 0


def _seconds(said: str | None) -> float | None:
    """Retry-After in seconds; a date, which goes by the server's clock, says no more than that it rests."""
    text = (said or "").strip()
    return float(text) if text.isdecimal() and len(text) < 8 else None
