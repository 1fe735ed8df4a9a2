"""What requests carry."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["Asked", "Expanded", "Located", "Noted", "Problematic", "Tasked"]

_Text = Annotated[str, Field(max_length=2_000_000)]
_Time = Annotated[str | None, Field(description="RFC 3339, or null for now", max_length=64)]
_Names = Annotated[tuple[str, ...], Field(max_length=100)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Moment(_Body):
    as_of: _Time = None
    known_at: _Time = None
    hearers: _Names = ()


class Asked(_Moment):
    """A question, and the moment it is about."""

    question: _Text
    entity: str | None = None


class Tasked(_Moment):
    """A task, and how many tokens its context may take."""

    task: _Text
    budget: Annotated[int, Field(ge=1, le=1_000_000)] = 3000
    entity: str | None = None
    cursor: str | None = None


class Located(_Moment):
    """Words, and the node within which they are looked for."""

    terms: _Text
    within: str | None = None
    limit: Annotated[int, Field(ge=1, le=100)] = 20


class Expanded(_Moment):
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
