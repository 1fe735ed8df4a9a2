"""What requests carry, in their bodies and after the question mark."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "Asked",
    "Expanded",
    "Located",
    "Moment",
    "Noted",
    "Paged",
    "Part",
    "Problematic",
    "Signed",
    "Sought",
    "Stated",
    "Tasked",
]

_Text = Annotated[str, Field(max_length=2_000_000)]
_Time = Annotated[str | None, Field(description="RFC 3339, or null for now", max_length=64)]
_Names = Annotated[tuple[str, ...], Field(max_length=100)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Moment(_Body):
    """The moment that is asked about, and who will hear what is told."""

    as_of: _Time = None
    known_at: _Time = None
    hearers: _Names = ()
    at_least_as_fresh: Annotated[
        str | None, Field(description="a receipt's token: wait for what it was given for", max_length=200)
    ] = None


class Asked(Moment):
    """A question, and the moment it is about."""

    question: _Text
    entity: str | None = None


class Tasked(Moment):
    """A task, and how many tokens its context may take."""

    task: _Text
    budget: Annotated[int, Field(ge=1, le=1_000_000)] = 3000
    entity: str | None = None
    cursor: str | None = None


class Sought(Moment):
    """What a search looks for."""

    q: Annotated[str, Field(max_length=100_000)]
    limit: Annotated[int, Field(ge=1, le=200)] = 10
    unit: str = "item"
    kind: str | None = None
    entity: str | None = None
    after: _Time = None
    before: _Time = None


class Part(Moment):
    """How much of a list, and from where: `cursor` is that of the page before."""

    limit: Annotated[int, Field(ge=1, le=1000)] = 200
    cursor: Annotated[str | None, Field(max_length=200)] = None


class Paged(Moment):
    """How many tokens a page may take."""

    budget: Annotated[int, Field(ge=1, le=1_000_000)] = 5000


class Signed(_Body):
    """Which page is signed: what stands for it, and what it was read with."""

    seen: Annotated[str, Field(max_length=64)]
    budget: Annotated[int, Field(ge=1, le=1_000_000)] = 5000
    as_of: _Time = None


class Stated(_Body):
    """How far a task has come."""

    state: dict[str, object]


class Located(Moment):
    """Words, and the node within which they are looked for."""

    terms: _Text
    within: str | None = None
    limit: Annotated[int, Field(ge=1, le=100)] = 20


class Expanded(Moment):
    """A node, and what of what it leads to."""

    node: str
    edges: _Names | None = None
    hops: Annotated[int, Field(ge=1, le=10)] = 1
    limit: Annotated[int, Field(ge=1, le=500)] = 50


class Noted(_Body):
    """A note to keep, and the citations that it was made from."""

    text: _Text
    evidence: _Names = ()


class Problematic(_Body):
    """What is wrong with a citation."""

    problem: Annotated[str, Field(max_length=2_000)] = "wrong"
