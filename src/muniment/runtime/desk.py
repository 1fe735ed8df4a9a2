"""Where tasks are handed in: for whom, by which agent, with which tools, and who can be asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from muniment.clock import ticks
from muniment.domain.errors import Refused, Usage
from muniment.domain.tasks import Task, TaskEvent, Toolbox
from muniment.domain.times import read_instant
from muniment.gate.reader import Hearing
from muniment.jobs.loop import Work
from muniment.runtime.run import Run
from muniment.runtime.sealing import Asker, find_agent
from muniment.runtime.servers import servers_of
from muniment.runtime.setting import Agree, Setting, Terms
from muniment.runtime.tools import read_tools
from muniment.surroundings import Surroundings
from muniment.tokens import Tokens
from muniment.view import View

__all__ = ["Tasks"]


@dataclass(frozen=True, slots=True)
class Tasks:
    """The tasks of one organisation. None is remembered: each call is one from beginning to end."""

    work: Work
    surroundings: Surroundings

    @staticmethod
    def tools(path: str | Path) -> Toolbox:
        """The tools that a file allows; Usage for a file that makes no sense."""
        return servers_of(read_tools(path))

    def run(
        self,
        principal: str,
        task: Task,
        *,
        agent: str | None = None,
        tools: Toolbox | None = None,
        agree: Agree | None = None,
    ) -> Iterator[TaskEvent]:
        """Do a task for somebody, told as it goes.

        `agree` asks the person who is there; without it a call that changes something ends the task, which
        goes on by the token of its Consent. Only the person gives that back, never their agent.
        """
        language, calls = self.surroundings.language, self.surroundings.calls
        if language is None or calls is None:
            raise Usage("a task needs a language model, and none is set up; set MUNIMENT_MODEL")
        if task.consent is not None and agent is not None:
            raise Refused("an agent cannot agree to what it asked; the person whose task it is can")
        key = self.work.key
        acting = agent if task.consent is None else find_agent(key, task.consent)
        asker = Asker(principal, acting, task.hearers, task.text)
        terms = Terms(key, self.work.clock, Tokens(self.work).is_first)
        view = self._view(asker, task)
        setting = Setting(view, language, terms, asker, ticks, calls.refuse, tools, agree)
        return Run(task, setting).events()

    def _view(self, asker: Asker, task: Task) -> View:
        if asker.agent is not None and not asker.agent.startswith("agent:"):
            raise Usage(f"agent {asker.agent!r} must begin with agent:")
        times = read_instant("as_of", task.as_of), read_instant("known_at", task.known_at)
        return View(
            self.work, self.surroundings, Hearing(asker.principal, asker.hearers, asker.agent), *times
        )
