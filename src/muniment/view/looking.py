"""What is known of something, as it is laid out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from muniment.claims.read import conflicts
from muniment.claims.told import told
from muniment.context.tokens import count_tokens
from muniment.domain.changes import PageChanges
from muniment.domain.exports import ExportedWiki
from muniment.domain.graph import Node, read_edges
from muniment.domain.values import (
    Citation,
    Explain,
    History,
    Page,
    PageEntry,
    TimelineEntry,
)
from muniment.export.tree import staged
from muniment.export.wiki import Asked, exported, write_wiki
from muniment.pages import page
from muniment.pages.expand import Reach, expand
from muniment.pages.locate import locate
from muniment.view.base import Base, anywhere

__all__ = ["Looking"]


class Looking(Base):
    """The verbs that look."""

    @anywhere
    def page(self, entity: str) -> Page:
        """Everything this principal may know of an entity, ordered."""
        with self._looking("page", entity) as reader:
            return told(reader, page.page(reader, entity))

    @anywhere
    def changes(self, entity: str, since: datetime | str) -> PageChanges:
        """Every sentence of a page that came, went or changed since then, as the record learnt it."""
        with self._looking("changes", entity) as reader:
            return told(reader, page.changes(reader, entity, since))

    @anywhere
    def pages(self) -> list[PageEntry]:
        """Every entity there is a page of, for this principal."""
        with self._looking("pages", "") as reader:
            return list(page.pages(reader))

    @anywhere
    def timeline(self, entity: str) -> list[TimelineEntry]:
        """What happened to what is known of an entity, oldest first."""
        with self._looking("timeline", entity) as reader:
            return told(reader, list(page.timeline(reader, entity)))

    @anywhere
    def conflicts(self) -> list[tuple[Citation, ...]]:
        """Every visible contradiction, each as one citation a side."""
        with self._looking("conflicts", "") as reader:
            return told(reader, page.cited_conflicts(reader, conflicts(reader)))

    @anywhere
    def explain(self, citation: str) -> Explain:
        """The passage behind a citation, and why this principal may see it."""
        with self._looking("explain", citation) as reader:
            return told(reader, page.explain(reader, citation))

    @anywhere
    def history(self, claim: str) -> list[History]:
        """Every version of what the claim's slot held."""
        with self._looking("history", claim) as reader:
            return told(reader, list(page.history(reader, claim)))

    @anywhere
    def locate(self, terms: str, within: str | None = None, *, limit: int = 20) -> list[Node]:
        """What words could mean: exact titles first, items before passages; the last is marked if cut."""
        with self._looking("locate", terms) as reader:
            return locate(reader, terms, within, limit)

    @anywhere
    def expand(
        self,
        node: str,
        edges: Sequence[str] | None = None,
        hops: int = 1,
        *,
        limit: int = 50,
        budget: int = 4000,
    ) -> Node:
        """A node with what it leads to, so many steps away: at most `limit` neighbours, in a token budget."""
        reach = Reach(read_edges(edges), hops, limit, budget)
        with self._looking("expand", node) as reader:
            return expand(reader, node, reach, count_tokens)

    def export(self, folder: str | Path, *, progress: Callable[[int], None] = lambda _: None) -> ExportedWiki:
        """Write the wiki into a folder: pages as Markdown, claims as JSON; an earlier one is renewed."""
        asked = Asked(self._as_of, self._known_at, self._hearing.agent, self._hearing.hearers)
        # In the audit before the folder holds it: the reader is left first.
        with staged(Path(folder)) as tree, self._looking("export", "") as reader:
            wiki = write_wiki(reader, tree, asked, progress)
        return exported(tree, wiki)
