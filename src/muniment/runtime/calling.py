"""Calling a tool: what may be read at once, and what changes something only by a person's word.

An act is decided on twice. What the model proposes after it read everything only says that there may be
something to do, and on which evidence. Whether the task asks for it, and with which arguments, is asked
afresh of a model that sees the task and evidence trusted as a member's alone, so that no word of a lesser
source is in what a person is asked to agree to.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from muniment.domain.tasks import Consent, Proposal, Tool
from muniment.domain.trust import is_trusted
from muniment.domain.values import Citation
from muniment.runtime.meter import Meter
from muniment.runtime.moves import Call, asked_for_call, read_call
from muniment.runtime.setting import Setting
from muniment.runtime.shown import Showing, Shown, trusted_material

__all__ = ["Called", "Calling", "Declined"]

LONGEST_ARGUMENTS: Final = 20_000  # characters


@dataclass(frozen=True, slots=True)
class Called:
    """A tool was called; its result is among what was shown."""

    tool: str
    handle: str
    trace: str | None


@dataclass(frozen=True, slots=True)
class Declined:
    """No call was made, and why; the model is told so."""

    tool: str
    why: str
    trace: str | None


@dataclass(slots=True)
class Calling:
    """The tools of one task. `acted` names what changed something, in order."""

    setting: Setting
    shown: Shown
    meter: Meter
    tools: tuple[Tool, ...]
    acted: list[str] = field(default_factory=list)
    _made: set[str] = field(default_factory=set)

    def call(self, move: Call, task: str) -> Called | Declined | Consent:
        """What becomes of a call that the model proposes."""
        tool = next((one for one in self.tools if one.name == move.tool), None)
        if tool is None:
            return self._declined(move.tool, "not_allowed")
        if len(json.dumps(move.arguments)) > LONGEST_ARGUMENTS:
            return self._declined(tool.name, "too_long")
        if tool.use == "read":
            return self._made_call(Proposal(tool.name, move.arguments, ()))
        return self._act(tool, move, task)

    def agreed(self, proposal: Proposal) -> Called | Declined:
        """A call that the person agreed to, if what it rests on still stands."""
        tool = next((one for one in self.tools if one.name == proposal.tool), None)
        if tool is None or tool.use != "act":
            return self._declined(proposal.tool, "not_allowed")
        if self._basis(proposal.rests_on, tool.name) is None:
            return self._declined(tool.name, "not_trusted")
        return self._made_call(proposal, acts=True)

    def _act(self, tool: Tool, move: Call, task: str) -> Called | Declined | Consent:
        showing = self.shown.cited(move.rests_on)
        if showing is None:
            return self._declined(tool.name, "not_trusted")
        basis = self._basis([one.citation.id for one in showing], tool.name)
        if basis is None:
            return self._declined(tool.name, "not_trusted")
        proposal = self._afresh(tool, showing, task)
        if proposal is None:
            return self._declined(tool.name, "not_asked_for")
        if _as_key(proposal) in self._made:
            return self._declined(tool.name, "made_already")
        return self._agreed_here(proposal, basis)

    def _agreed_here(self, proposal: Proposal, basis: tuple[Citation, ...]) -> Called | Declined | Consent:
        consent = self.setting.consent_to(proposal, basis)
        if self.setting.agree is None:
            return consent
        if not self.setting.agree(consent):
            return self._declined(proposal.tool, "not_agreed")
        # Whoever agrees may take their time, in which a right can be revoked.
        return self.agreed(proposal)

    def _afresh(self, tool: Tool, showing: Sequence[Showing], task: str) -> Proposal | None:
        prompt = asked_for_call(task, trusted_material(showing), tool)
        if self.meter.over(prompt):
            return None
        arguments = read_call(self.meter.ask(self.setting.model, prompt))
        if arguments is None or len(json.dumps(arguments)) > LONGEST_ARGUMENTS:
            return None
        return Proposal(tool.name, arguments, tuple(one.citation.id for one in showing))

    def _basis(self, ids: Sequence[str], tool: str) -> tuple[Citation, ...] | None:
        """What the call rests on as it stands now; None unless all of it may be acted on."""
        now, _ = self.setting.view.standing(ids, "task basis", tool)
        found = [now.get(one) for one in ids]
        kept = [one for one in found if one is not None and _may_act(one)]
        return tuple(kept) if len(kept) == len(ids) else None

    def _made_call(self, proposal: Proposal, *, acts: bool = False) -> Called | Declined:
        """Noted before it is made, so that no call is without a trace."""
        if _as_key(proposal) in self._made:
            return self._declined(proposal.tool, "made_already")
        box = self.setting.toolbox
        if box is None:
            return self._declined(proposal.tool, "not_allowed")
        self._made.add(_as_key(proposal))
        what = f"{proposal.tool} {_as_text(proposal)}"
        _, trace = self.setting.view.standing(proposal.rests_on, "task act" if acts else "task call", what)
        result = box.call(proposal.tool, proposal.arguments, max(0.001, self.meter.seconds_left))
        if acts:
            self.acted.append(proposal.tool)
        return Called(proposal.tool, self.shown.add_result(proposal.tool, result), trace)

    def _declined(self, tool: str, why: str) -> Declined:
        known = any(one.name == tool for one in self.tools)
        name = tool if known else "an unknown tool"
        _, trace = self.setting.view.standing((), "task refusal", f"{name}: {why}")
        self.setting.refuse("call", self.setting.model.name, why)
        self.shown.notes.append(f"{name} was not called: {why}")
        return Declined(name, why, trace)


def _may_act(one: Citation) -> bool:
    return is_trusted(one.trust) and one.status == "active"


def _as_key(proposal: Proposal) -> str:
    return f"{proposal.tool} {_as_text(proposal)}"


def _as_text(proposal: Proposal) -> str:
    return json.dumps(proposal.arguments, sort_keys=True, ensure_ascii=False)
