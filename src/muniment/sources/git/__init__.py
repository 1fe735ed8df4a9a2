"""Git repositories: documents with their history, commit messages, and what code says to its readers."""

from __future__ import annotations

from muniment.sources.git.kinds import CONNECTORS, FILES

__all__ = ["CONNECTORS", "FILES"]
