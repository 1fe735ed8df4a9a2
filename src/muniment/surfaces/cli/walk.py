"""What the demo walks through, and what each step promises to show. The truth is in demo/README.md."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from muniment.domain.values import Answer, AnswerState, Pack
from muniment.surfaces.cli.company import COMPANY, LATER, NAMES
from muniment.surfaces.cli.stage import Stage
from muniment.surfaces.cli.walk_lenses import briefed, handed_over

__all__ = ["STEPS", "Step", "build"]

HOTEL = "What is the hotel limit per night in Germany?"
DISCOUNT = "What discount do we offer {}?"
LEAVE = "满一年有多少天年假？"
GO_LIVE = "What is the go-live date of the Alsterkontor claims import?"
KIEL = "When does the Kiel warehouse go live?"
RUTHS_MAILBOX = "ruth.pascoe@penhallow.example"
NORDHAFEN = "nordhafen logistik gmbh"
BEFORE = "2025-06-15T12:00:00Z"


@dataclass(frozen=True, slots=True)
class Step:
    """A part of the walk; `take` plays it and returns what it promised and did not show."""

    title: str
    shows: str
    take: Callable[[Stage], list[str]]


def build(stage: Stage) -> None:
    """The record, from the directory to the alerts; what happened later is for the last step."""
    for taken in COMPANY:
        stage.add(taken)
    stage.sync()


def _cited_answer(stage: Stage) -> list[str]:
    found = stage.ask("user:jonas", HOTEL)
    return _faults(
        found, "answered", says=["EUR 180"], never=["EUR 140"], cites=["policies:travel-policy-2026"]
    )


def _without_rights(stage: Stage) -> list[str]:
    sales = stage.ask("user:mara", DISCOUNT.format("Orrin & Vale"))
    other = stage.ask("user:diego", DISCOUNT.format("Orrin & Vale"))
    nobody = stage.ask("user:diego", DISCOUNT.format("Zephyrine Mutual"))
    faults = _faults(sales, "answered", says=["18 %"])
    faults += _faults(other, "out_of_scope", never=["18 %"]) + _faults(nobody, "out_of_scope")
    return faults + (
        [] if other.text == nobody.text else ["a forbidden name and one that nobody wrote are told apart"]
    )


def _superseded(stage: Stage) -> list[str]:
    faults = _faults(
        stage.ask("user:jonas", HOTEL, as_of=BEFORE), "answered", says=["EUR 140"], never=["EUR 180"]
    )
    faults += _faults(stage.ask("user:minjie", LEAVE), "answered", says=["10 天"], never=["7 天"])
    return faults + _faults(
        stage.ask("user:minjie", LEAVE, as_of=BEFORE), "answered", says=["7 天"], never=["10 天"]
    )


def _conflict(stage: Stage) -> list[str]:
    found = stage.ask("user:mara", "What is the renewal date of Kvarnby?")
    faults = _faults(found, "answered", says=["2027-01-31", "2027-02-28"])
    return faults + ([] if found.conflicts else ["no conflict was shown"])


def _not_found(stage: Stage) -> list[str]:
    return _faults(stage.ask("user:jonas", "Who is the chief financial officer of Kvarnby?"), "not_found")


def _out_of_scope(stage: Stage) -> list[str]:
    return _faults(stage.ask("user:mara", "When does Zephyrine Mutual renew?"), "out_of_scope")


def _pack(stage: Stage) -> list[str]:
    found = stage.context(
        "user:jonas", "Prepare the renewal call with Alsterkontor on 3 December", budget=1500
    )
    return _pack_faults(found)


def _pack_faults(found: Pack) -> list[str]:
    faults = [] if found.state == "answered" else [f"the pack's state is {found.state}"]
    if found.budget.used > found.budget.limit:
        faults.append(f"{found.budget.used} tokens are more than the budget of {found.budget.limit}")
    if found.omitted.parts and found.cursor is None:
        faults.append("something was left out, and there is no cursor for it")
    return faults + [
        f"the pack does not mention {word!r}" for word in ("Alsterkontor", "12 %") if word not in found.text
    ]


def _graph(stage: Stage) -> list[str]:
    found = stage.locate("user:jonas", "travel policy", limit=2)
    faults = [] if found and found[0].kind == "item" else ["the policy is not what is found first"]
    whole = stage.expand("user:jonas", "policies:travel-policy-2025", ["superseded_by", "amended_by"], hops=2)
    led = [(one.edge, one.title) for one in whole.neighbours]
    way = [("superseded_by", "Travel policy"), ("amended_by", "Travel policy 2026, amendment 1: rail")]
    return faults + ([] if led == way else [f"it leads to {led}, not {way}"])


def _named(stage: Stage) -> list[str]:
    stage.make_steward("user:mara")
    stage.set_aliases("user:mara", NAMES)
    found = stage.page("user:mara", "Ruth Pascoe")
    faults = [] if found.entity == RUTHS_MAILBOX else [f"the page is of {found.entity!r}"]
    rollout = stage.page("user:mara", "nordhafen-rollout")
    return faults + ([] if rollout.entity == NORDHAFEN else [f"the channel's page is of {rollout.entity!r}"])


def _edit(stage: Stage) -> list[str]:
    before = stage.ask("user:jonas", GO_LIVE)
    faults = _faults(before, "answered", says=["2027-01-18"], never=["2027-02-08"])
    faults += _faults(stage.ask("user:noor", KIEL), "answered", says=["7 December 2026"])
    stage.add(LATER)
    faults += _faults(stage.ask("user:jonas", GO_LIVE), "answered", says=["2027-02-08"], never=["2027-01-18"])
    faults += _faults(stage.ask("user:noor", KIEL), "out_of_scope", never=["7 December"])
    changes = stage.changes("user:jonas", "alsterkontor", before.known_at).changes
    told = [(one.change, (one.before or "")[-11:-1], (one.after or "")[-11:-1]) for one in changes]
    return faults + (
        [] if told == [("revised", "2027-01-18", "2027-02-08")] else [f"its page changed by {told}"]
    )


def _faults(
    found: Answer,
    state: AnswerState,
    *,
    says: Sequence[str] = (),
    never: Sequence[str] = (),
    cites: Sequence[str] = (),
) -> list[str]:
    """What is missing from an answer, or should be."""
    shown = "\n".join((found.text, *(one.quote or "" for one in found.citations)))
    cited = {f"{one.source}:{one.item}" for one in found.citations}
    faults = [] if found.state == state else [f"the state is {found.state}, not {state}"]
    faults += [f"{text!r} is not said" for text in says if text not in shown]
    faults += [f"{text!r} is said" for text in never if text in shown]
    return faults + [f"{item} is not cited" for item in cites if item not in cited]


STEPS = (
    Step("a cited answer", "The rule in force, word for word, and where it stands.", _cited_answer),
    Step(
        "the same question without the right to know",
        "Sales may know. For an engineer it is as if the name had never been written anywhere.",
        _without_rights,
    ),
    Step(
        "a superseded rule",
        "What held then, with --as-of; and the same in Chinese, now and then.",
        _superseded,
    ),
    Step("a conflict", "Two people said different things. Both are shown; neither is chosen.", _conflict),
    Step(
        "a question without an answer",
        "The account is known, this about it is not: nothing is made up.",
        _not_found,
    ),
    Step("outside the record", "Nobody ever wrote that name.", _out_of_scope),
    Step("a context pack", "What a task needs, in a budget of tokens, and what was left out.", _pack),
    Step(
        "the evidence graph", "From a rule that was replaced to what holds now, by the edges between.", _graph
    ),
    Step(
        "two that are one",
        "A name and a mailbox, a channel and an account: never by likeness; a steward says so, in one file.",
        _named,
    ),
    Step(
        "an edit at the source",
        "A message is edited and a guest leaves a channel; both hold on the very next read, also of a page.",
        _edit,
    ),
    Step(
        "an account changes hands",
        "Who promised what by when, what is late, and what to tread lightly on; every line cited.",
        handed_over,
    ),
    Step(
        "an incident like an earlier one",
        "Hints from history, never told as facts; what was tried then; and for sales it is not there at all.",
        briefed,
    ),
)
