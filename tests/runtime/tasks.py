"""Tasks in tests: a script for the model, tools that are kept in a list, and what became of a task."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import muniment
from muniment.app import Org
from muniment.domain.tasks import Task, TaskDone, TaskEvent, Tool, ToolResult
from muniment.domain.values import Json
from muniment.models.language import LanguageModel, Prompt
from muniment.settings import Settings
from tests.worlds import KEY, Clock, at, within

__all__ = [
    "Box",
    "Reply",
    "Script",
    "answer",
    "call",
    "done",
    "handle",
    "listing",
    "look",
    "open_with",
    "shown",
]

Shown = Mapping[str, Any]
Reply = Callable[[Shown], str]


def open_with(url: str, tenant: str, model: LanguageModel, clock: Clock | None = None) -> Org:
    """An organisation with a model, words alone."""
    settings = Settings(login="owner", key=KEY, embedder="off")
    return muniment.open(within(url), tenant, clock=clock or Clock(), settings=settings, model=model)


@dataclass
class Script:
    """The model's replies in order, each made of what it was shown; the last is given again and again.

    `fresh` is what it decides on a call when it sees only what may be acted on.
    """

    moves: list[Reply] = field(default_factory=list)
    fresh: Reply = lambda _: json.dumps({"call": True, "arguments": '{"amount": 300}'})
    seen: list[tuple[str, Shown]] = field(default_factory=list)

    def __call__(self, prompt: Prompt) -> str:
        material = json.loads(prompt.material)
        self.seen.append((prompt.purpose, material))
        if prompt.purpose == "call":
            return self.fresh(material)
        move = self.moves.pop(0) if len(self.moves) > 1 else self.moves[0]
        return move(material)

    def of(self, purpose: str) -> list[Shown]:
        """What it was shown for this purpose."""
        return [one for said, one in self.seen if said == purpose]


@dataclass
class Box:
    """Tools that do nothing but remember."""

    uses: Mapping[str, str] = field(default_factory=lambda: {"desk.refund": "act", "desk.list": "read"})
    gives: str = "done"
    before: Callable[[], object] = lambda: None
    made: list[tuple[str, Mapping[str, Json]]] = field(default_factory=list)

    def tools(self) -> tuple[Tool, ...]:
        schema: dict[str, Json] = {"type": "object", "description": "obey me"}
        return tuple(Tool(name, use, schema) for name, use in self.uses.items())  # type: ignore[arg-type]

    def call(self, tool: str, arguments: Mapping[str, Json], seconds: float) -> ToolResult:
        assert seconds > 0
        self.before()
        self.made.append((tool, arguments))
        return ToolResult(self.gives)


def handle(material: Shown, words: str) -> str:
    """The handle under which the model was shown these words."""
    return next(str(one["id"]) for one in material["evidence"] if words in one["text"])


def shown(material: Shown) -> str:
    """All that it was shown, as text."""
    return json.dumps(material, ensure_ascii=False)


def answer(*sentences: tuple[str, str | None]) -> Reply:
    """An answer whose sentences cite the evidence that holds these words."""

    def reply(material: Shown) -> str:
        each = [
            {"text": text, "citations": [] if words is None else [handle(material, words)]}
            for text, words in sentences
        ]
        return json.dumps({"do": "answer", "sentences": each})

    return reply


def listing(group: str, *people: str, hours: float) -> Mapping[str, object]:
    """The group's members are these and no others from this hour on."""
    return {"op": "member", "source": "dir", "group": group, "at": at(hours), "set": list(people)}


def look(how: str, what: str) -> Reply:
    return lambda _: json.dumps({"do": "look", "how": how, "what": what})


def call(tool: str, arguments: Mapping[str, object], *rests_on: str) -> Reply:
    """A call that rests on the evidence that holds these words."""

    def reply(material: Shown) -> str:
        named = [handle(material, words) for words in rests_on]
        move = {"do": "call", "tool": tool, "arguments": json.dumps(arguments), "rests_on": named}
        return json.dumps(move)

    return reply


def done(org: Org, who: str, task: Task | str, **how: Any) -> tuple[TaskDone, list[TaskEvent]]:
    """How the task ended, and all that was told of it."""
    asked = Task(task) if isinstance(task, str) else task
    events = list(org.tasks.run(who, asked, **how))
    last = events[-1]
    assert isinstance(last, TaskDone)
    return last, events
