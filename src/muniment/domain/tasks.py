"""A task that an agent does for somebody: what it may take, and what is told of it while it goes on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Final, Literal, Protocol

from muniment.domain.errors import Usage
from muniment.domain.values import Citation, Json, Value

__all__ = [
    "LONGEST_TASK",
    "Clarify",
    "Consent",
    "Limits",
    "Proposal",
    "Sentence",
    "Spending",
    "Step",
    "Task",
    "TaskDone",
    "TaskEvent",
    "TaskState",
    "Tool",
    "ToolResult",
    "ToolUse",
    "Toolbox",
]

TaskState = Literal["answered", "not_found", "out_of_scope", "clarify", "needs_consent", "stopped"]
ToolUse = Literal["read", "act"]
LONGEST_TASK: Final = 8_000  # characters


@dataclass(frozen=True, slots=True)
class Limits(Value):
    """The most a task may take: steps of the model, tokens in and out, seconds and US dollars."""

    steps: int = 8
    tokens: int = 40_000
    seconds: float = 120.0
    usd: Decimal = Decimal("0.50")

    def __post_init__(self) -> None:
        if self.steps < 1 or self.tokens < 1 or not self.seconds > 0 or not self.usd >= 0:
            raise Usage("a task needs a step, a token and some time: its limits are more than nothing")


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be done, about which moment, who will hear it, and what it may take.

    `consent` is the token by which an earlier run asked to do something; giving it back agrees to that.
    """

    text: str
    entity: str | None = None
    as_of: datetime | str | None = None
    known_at: datetime | str | None = None
    hearers: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    consent: str | None = None

    def __post_init__(self) -> None:
        if not self.text.strip() or len(self.text) > LONGEST_TASK:
            raise Usage(f"a task has 1 to {LONGEST_TASK:,} characters, not {len(self.text.strip()):,}")


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that may be called, by `server.name`.

    `about` is the word of whoever allowed it, `described` that of its server.
    """

    name: str
    use: ToolUse
    inputs: Mapping[str, Json]
    about: str = ""
    described: str = ""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool gave: data of its own trust, whatever it says."""

    text: str
    failed: bool = False


class Toolbox(Protocol):
    """Tools that may be called."""

    def tools(self) -> tuple[Tool, ...]:
        """Each that is allowed and there. Raises Unavailable."""
        ...

    def call(self, tool: str, arguments: Mapping[str, Json], seconds: float) -> ToolResult:
        """What a tool gives within so many seconds; that it failed is a result too."""
        ...


@dataclass(frozen=True, slots=True)
class Proposal:
    """A call that would change something, and the citations it rests on."""

    tool: str
    arguments: Mapping[str, Json]
    rests_on: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Spending(Value):
    """What a task took so far."""

    steps: int
    tokens: int
    usd: float


@dataclass(frozen=True, slots=True)
class Step(Value):
    """Something that was done: gathered, more, looked, called, refused."""

    number: int
    did: str
    what: str
    found: int
    trace: str | None


@dataclass(frozen=True, slots=True)
class Sentence(Value):
    """A sentence of the answer, and the ids of what proves it."""

    text: str
    citations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Clarify(Value):
    """What has to be known first."""

    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Consent(Value):
    """A call that waits for a person's word: give `token` back with the same task to agree."""

    tool: str
    arguments: Mapping[str, Json]
    rests_on: tuple[Citation, ...]
    token: str
    expires: datetime


@dataclass(frozen=True, slots=True)
class TaskDone(Value):
    """How a task ended. `dropped` counts sentences that no citation proved; `why` says what stopped it."""

    state: TaskState
    text: str
    citations: tuple[Citation, ...]
    clarify: tuple[str, ...]
    consent: Consent | None
    dropped: int
    acted: tuple[str, ...]
    spent: Spending
    warnings: tuple[str, ...]
    why: str | None
    trace: str | None


TaskEvent = Step | Sentence | Citation | Clarify | Consent | TaskDone
