"""A page's evidence as a drawing: where each thing stands, worked out here and drawn by a template."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from muniment.domain.values import Citation, Page, PageClaim

__all__ = ["Arc", "Box", "Graph", "days_of", "drawn"]

ROW, WIDE = 30, 720  # of a drawing's own units
_CLAIM_X, _ITEM_X, _ITEM_WIDE = 18, 478, 242
_CLAIM_WIDE = 330
MOST_CLAIMS = 24
_LONGEST = 46, 34  # characters that fit into a box: of a claim, of an item


@dataclass(frozen=True, slots=True)
class Box:
    """Something drawn: its place, its words, cut to fit, and where it leads."""

    x: int
    y: int
    wide: int
    text: str
    whole: str
    kind: str
    citation: str | None


@dataclass(frozen=True, slots=True)
class Arc:
    """A line from one thing to another."""

    x1: int
    y1: int
    x2: int
    y2: int
    kind: str

    @property
    def path(self) -> str:
        """The line as SVG writes it."""
        bend = self.x1 - 24 if self.x1 == self.x2 else (self.x1 + self.x2) // 2
        return f"M{self.x1} {self.y1} C{bend} {self.y1} {bend} {self.y2} {self.x2} {self.y2}"


@dataclass(frozen=True, slots=True)
class Graph:
    """A drawing; `more` says how many claims it leaves out."""

    wide: int
    high: int
    claims: tuple[Box, ...]
    items: tuple[Box, ...]
    arcs: tuple[Arc, ...]
    more: int


def drawn(page: Page) -> Graph | None:
    """Claims on the left, what they were said in on the right; None where there is nothing to draw."""
    every = list({claim.id: claim for section in page.sections for claim in section.claims}.values())
    shown = every[:MOST_CLAIMS]
    if not shown:
        return None
    items = _items(shown)
    claims = tuple(_claim(claim, place) for place, claim in enumerate(shown))
    spaced = max(1, len(claims) // max(1, len(items)))
    boxes = {key: _item(cited, place * spaced) for place, (key, cited) in enumerate(items.items())}
    arcs = (*_said_in(shown, claims, boxes), *_against(shown, claims))
    high = ROW * max(len(claims), (len(items) - 1) * spaced + 1)
    return Graph(WIDE, high, claims, tuple(boxes.values()), arcs, len(every) - len(shown))


def _key(citation: Citation) -> str:
    return citation.source if citation.item is None else f"{citation.source}:{citation.item}"


def _items(claims: Sequence[PageClaim]) -> dict[str, Citation]:
    found: dict[str, Citation] = {}
    for claim in claims:
        for citation in claim.citations:
            found.setdefault(_key(citation), citation)
    return found


def _claim(claim: PageClaim, place: int) -> Box:
    cited = claim.citations[0]
    kind = "conflict" if cited.conflicts_with else claim.status
    text = _cut(claim.statement, _LONGEST[0])
    return Box(_CLAIM_X, place * ROW, _CLAIM_WIDE, text, claim.statement, kind, cited.id)


def _item(citation: Citation, place: int) -> Box:
    key = _key(citation)
    return Box(_ITEM_X, place * ROW, _ITEM_WIDE, _cut(key, _LONGEST[1]), key, "item", citation.id)


def _said_in(claims: Sequence[PageClaim], boxes: Sequence[Box], items: dict[str, Box]) -> Iterator[Arc]:
    for claim, box in zip(claims, boxes, strict=True):
        for key in dict.fromkeys(_key(citation) for citation in claim.citations):
            yield Arc(box.x + box.wide, box.y + ROW // 2, items[key].x, items[key].y + ROW // 2, box.kind)


def _against(claims: Sequence[PageClaim], boxes: Sequence[Box]) -> Iterator[Arc]:
    """Between two claims that cannot both hold, once."""
    places = {claim.id: box for claim, box in zip(claims, boxes, strict=True)}
    for claim, box in zip(claims, boxes, strict=True):
        for other in sorted({one for cited in claim.citations for one in cited.conflicts_with}):
            if other in places and places[other].y > box.y:
                middle = ROW // 2
                yield Arc(box.x, box.y + middle, places[other].x, places[other].y + middle, "against")


def _cut(text: str, longest: int) -> str:
    plain = " ".join(text.split())
    # A wide character takes the room of two.
    wide = [2 if ord(one) > 0x2E7F else 1 for one in plain[:longest]]
    if sum(wide) + len(plain[longest:]) <= longest:
        return plain
    kept, left = 0, longest - 1
    while kept < len(wide) and left >= wide[kept]:
        left -= wide[kept]
        kept += 1
    return f"{plain[:kept]}…"


def days_of(page: Page) -> tuple[str, ...]:
    """The days on which something a page tells was said, began to hold or ceased to, oldest first."""
    every = [
        citation for section in page.sections for claim in section.claims for citation in claim.citations
    ]
    times = {at for one in every for at in (one.said_at, one.valid_from, one.valid_to) if at is not None}
    return tuple(sorted({at.date().isoformat() for at in times}))
