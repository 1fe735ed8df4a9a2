"""The last steps of the demo: an account changes hands, and an incident is like an earlier one."""

from __future__ import annotations

from collections.abc import Iterable
from shlex import quote

from muniment.domain.accounts import Handoff
from muniment.domain.incidents import Briefing
from muniment.domain.investigating import Start
from muniment.domain.times import read_instant
from muniment.surfaces.cli import accounts, investigation
from muniment.surfaces.cli.out import Line, Look
from muniment.surfaces.cli.stage import NOW, Stage

__all__ = ["briefed", "handed_over"]

_ACCOUNT, _BUDGET = "alsterkontor", 300
_STUCK = Start(
    title="Declarations to Rotterdam are stuck again",
    service="edi-gateway",
    environment="prod",
    signals=("EdiQueueBacklog",),
    audience=("group:sre",),
    at=read_instant("at", NOW),
)
_EARLIER = "incidents:INC-31"


def handed_over(stage: Stage) -> list[str]:
    """The page for whoever takes the account over, and what to tread lightly on."""
    view = stage.org.reader("user:mara", as_of=NOW)
    _typed(stage, "handoff", _ACCOUNT, "--budget", str(_BUDGET), *_as("user:mara"))
    page = view.handoff(_ACCOUNT, budget=_BUDGET)
    stage.tell(*accounts.page_lines(page))
    _typed(stage, "landmines", _ACCOUNT, *_as("user:mara"))
    mines = view.landmines(_ACCOUNT)
    stage.tell(*(line for one in mines for line in accounts.landmine_lines(one)))
    told = {one.kind for one in mines}
    return _page_faults(page) + ([] if "competitor" in told else [f"no competitor is among {sorted(told)}"])


def _page_faults(page: Handoff) -> list[str]:
    faults = [
        f"{said!r} is not on the page"
        for said in (
            "the draft of the renewal contract",
            "due 2026-10-16, OVERDUE",
            "promised not in contract",
        )
        if said not in page.markdown
    ]
    if page.budget.used > _BUDGET:
        faults.append(f"{page.budget.used} tokens are more than the budget of {_BUDGET}")
    lines = [line for section in page.sections for line in section.lines]
    return faults + [f"{line.text!r} is not cited" for line in lines if not line.citations]


def briefed(stage: Stage) -> list[str]:
    """An incident opened, what history suggests, what was tried then; and who sees none of it."""
    incident = _opened(stage)
    _typed(stage, "incident", "briefing", incident, *_as("user:oskar"))
    briefing = stage.org.reader("user:oskar", as_of=NOW).incidents.briefing(incident)
    stage.tell(*investigation.told(briefing))
    earlier = stage.expand("user:oskar", _EARLIER, ["superseded_by"], hops=1)
    faults = _briefing_faults(briefing)
    if "Restarting the workers changed nothing" not in (earlier.text or ""):
        faults.append(f"what was tried in {_EARLIER} is not told")
    _typed(stage, "incident", "list", *_as("user:mara"))
    seen = stage.org.reader("user:mara", as_of=NOW).incidents.every()
    stage.tell(*investigation.told(seen), Line("→ nothing: it is for those on call", Look.FAINT))
    return faults + [f"sales see incident {one.id}" for one in seen]


def _opened(stage: Stage) -> str:
    said = ("--service", _STUCK.service, "--env", _STUCK.environment, "--signal", *_STUCK.signals)
    who = ("--audience", *_STUCK.audience, "--at", NOW, "--as", "user:oskar")
    _typed(stage, "incident", "open", quote(_STUCK.title), *filter(None, said), *who)
    opened = stage.org.reader("user:oskar").incidents.open(_STUCK)
    stage.tell(*investigation.told(opened))
    return opened.incident


def _briefing_faults(briefing: Briefing) -> list[str]:
    if not briefing.hints:
        return ["no earlier incident is hinted at"]
    first = briefing.hints[0]
    faults = [] if first.conditions.get("source") == _EARLIER else [f"the first hint is {first.conditions}"]
    if "expired client certificate" not in first.statement:
        faults.append("the cause of then is not told")
    return faults + [f"hint {one.id} is not cited" for one in briefing.hints if not one.citations]


def _typed(stage: Stage, *words: str) -> None:
    stage.tell(Line(), Line(f"$ muniment {' '.join(words)}", Look.PROMPT))


def _as(who: str) -> Iterable[str]:
    return ("--as", who, "--as-of", NOW)
