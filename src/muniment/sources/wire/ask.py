"""A source whose interface is asked path by path, and answers in JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from muniment.sources.http import Reply, Site

__all__ = ["Asked"]

# What is told by its status and is no refusal: not changed since, not there, not asked rightly.
_TOLD: Final = frozenset(range(200, 500)) - {301, 302, 303, 307, 308, 401, 403, 429}
_JSON: Final = {"content-type": "application/json"}


@dataclass(frozen=True, slots=True)
class Asked:
    """A source that is asked: where, with which headers, and for how long one read may take.

    One that asks for a rest is left alone by whoever pulls, who shows it.
    """

    source: str
    base: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    seconds: float = 30.0

    def url(self, path: str) -> str:
        """A path under the base; a whole address stays as it is."""
        return path if "://" in path else f"{self.base.rstrip('/')}/{path.lstrip('/')}"

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> Reply:
        """The reply to a question. Raises Throttled, Unauthorised or Unavailable."""
        return self._site().get(self.url(path), headers=headers, allow=_TOLD)

    def post(self, path: str, said: object) -> Reply:
        """The reply to a question that takes a body, such as one of GraphQL."""
        content = json.dumps(said).encode()
        return self._site().send("POST", self.url(path), headers=_JSON, content=content, allow=_TOLD)

    def lines(self, path: str) -> Iterator[bytes]:
        """A reply that goes on, line by line, as long as the source keeps it open."""
        return self._site().lines(self.url(path))

    def _site(self) -> Site:
        return Site(self.base, lambda: self.headers, seconds=self.seconds, rests=0)
