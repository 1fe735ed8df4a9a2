"""What a task is done with: whose view, which model and tools, and who may be asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from muniment.domain.tasks import Consent, Proposal, Toolbox
from muniment.domain.values import Citation
from muniment.models.language import LanguageModel
from muniment.runtime.sealing import LASTS, Asker, sealed
from muniment.view import View

__all__ = ["Agree", "Setting", "Terms"]

# Whether the person who is there agrees to a call.
Agree = Callable[[Consent], bool]


@dataclass(frozen=True, slots=True)
class Terms:
    """The word of the record: its key, its clock, and whether a consent is given for the first time."""

    key: bytes = field(repr=False)
    clock: Callable[[], datetime]
    first: Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Setting:
    """Everything that a task is done with. `refuse` counts what a gate stopped; `ticks` are seconds."""

    view: View
    model: LanguageModel
    terms: Terms
    asker: Asker
    ticks: Callable[[], float]
    refuse: Callable[[str, str, str], None]
    toolbox: Toolbox | None = None
    agree: Agree | None = None

    def consent_to(self, proposal: Proposal, rests_on: tuple[Citation, ...]) -> Consent:
        """What a person is asked."""
        expires = self.terms.clock() + LASTS
        token = sealed(self.terms.key, self.asker, proposal, expires)
        return Consent(proposal.tool, proposal.arguments, rests_on, token, expires)
