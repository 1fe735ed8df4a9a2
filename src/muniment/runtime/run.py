"""A task from its first look to its last sentence, told as it goes. Nothing is kept once it is over."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from typing import Final, assert_never

from muniment.domain.errors import Refused
from muniment.domain.tasks import (
    Clarify,
    Consent,
    Proposal,
    Sentence,
    Step,
    Task,
    TaskDone,
    TaskEvent,
    TaskState,
)
from muniment.domain.values import Citation, Pack
from muniment.models.language import LanguageModelFailed
from muniment.runtime.calling import Called, Calling, Declined
from muniment.runtime.looking import look
from muniment.runtime.meter import Meter
from muniment.runtime.moves import Answered, Ask, Call, Look, Unreadable, asked_for_move, read_move
from muniment.runtime.proving import Proved, prove, still
from muniment.runtime.sealing import unsealed
from muniment.runtime.setting import Setting
from muniment.runtime.shown import Shown

__all__ = ["Run"]

PACK: Final = 3_000  # tokens of the first pack, and of each that goes on from it
# Why is for stewards: it may be that others asked too much today.
UNANSWERED: Final = "the model did not answer"


@dataclass(slots=True)
class Run:
    """One task being done. `events` is gone through once."""

    task: Task
    setting: Setting
    shown: Shown = field(default_factory=Shown)
    _meter: Meter = field(init=False)
    _calling: Calling = field(init=False)
    _agreed: Proposal | None = field(init=False)
    _cursor: str | None = None
    _number: int = 0
    _dropped: int = 0
    _warnings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        box = self.setting.toolbox
        self._meter = Meter(self.task.limits, self.setting.ticks)
        tools = () if box is None else box.tools()
        self._calling = Calling(self.setting, self.shown, self._meter, tools)
        self._agreed = self._unsealed()

    def events(self) -> Iterator[TaskEvent]:
        """What happens, as it happens; the last is how it ended."""
        try:
            yield from self._events()
        except LanguageModelFailed:
            yield self._done("stopped", why=UNANSWERED)

    def _events(self) -> Iterator[TaskEvent]:
        if self._agreed is not None:
            yield self._of_call(self._calling.agreed(self._agreed))
        pack = yield from self._gathered()
        if self._asks_back(pack):
            yield Clarify(pack.clarify)
            yield self._done("clarify", clarify=pack.clarify)
            return
        if not self.shown.evidence and not self._calling.tools:
            yield self._done(_without_evidence(pack))
            return
        yield from self._moves()

    # ── what there is ──

    def _unsealed(self) -> Proposal | None:
        """What the person agreed to, once; Refused for what they were not asked."""
        if self.task.consent is None:
            return None
        terms = self.setting.terms
        proposal = unsealed(terms.key, self.setting.asker, self.task.consent, terms.clock())
        if not terms.first(self.task.consent):
            raise Refused("this consent was given before; run the task again to be asked again")
        return proposal

    def _gathered(self) -> Generator[TaskEvent, None, Pack]:
        """The first pack, and where it is not enough the part after it."""
        pack = self._packed()
        self._warnings = pack.warnings
        yield self._step("gathered", self.task.text, len(self.shown.evidence), pack.trace)
        if not pack.enough and self._cursor is not None and not self._asks_back(pack):
            yield self._more()
        return pack

    def _packed(self) -> Pack:
        pack = self.setting.view.context(
            self.task.text, budget=PACK, entity=self.task.entity, cursor=self._cursor
        )
        self._cursor = pack.cursor
        self.shown.add_parts(pack.parts)
        return pack

    def _more(self) -> Step:
        before = len(self.shown.evidence)
        pack = self._packed()
        return self._step("more", self.task.text, len(self.shown.evidence) - before, pack.trace)

    def _asks_back(self, pack: Pack) -> bool:
        return bool(pack.clarify) and not pack.enough

    # ── what the model proposes ──

    def _moves(self) -> Iterator[TaskEvent]:
        tools = self._calling.tools
        while True:
            prompt = asked_for_move(self.task.text, self.shown.as_material(), tools)
            if why := self._meter.over(prompt):
                yield self._done("stopped", why=f"its limit of {why} would be passed")
                return
            move = read_move(self._meter.ask(self.setting.model, prompt))
            ended = yield from self._moved(move)
            if ended:
                return

    def _moved(self, move: Answered | Ask | Call | Look | Unreadable) -> Generator[TaskEvent, None, bool]:
        """What is done about it; whether that ends the task."""
        match move:
            case Answered():
                yield from self._answered(move)
                return True
            case Ask(question=question):
                yield Clarify((question,))
                yield self._done("clarify", clarify=(question,))
                return True
            case Look():
                yield self._looked(move)
                return False
            case Call():
                return (yield from self._called(move))
            case Unreadable(why=why):
                self.setting.refuse("task", self.setting.model.name, why)
                self.shown.notes.append(f"your last reply was no step: {why}")
                yield self._step("refused", f"a reply: {why}", 0, None)
                return False
        assert_never(move)

    def _looked(self, move: Look) -> Step:
        if move.how == "more":
            if self._cursor is not None:
                return self._more()
            self.shown.notes.append("there is no more of the first pack")
            return self._step("looked", "more", 0, None)
        found = look(self.setting.view, self.shown, move)
        if not found:
            self.shown.notes.append(f"{move.how} found nothing new")
        return self._step("looked", f"{move.how}: {move.what}", found, None)

    def _called(self, move: Call) -> Generator[TaskEvent, None, bool]:
        became = self._calling.call(move, self.task.text)
        if isinstance(became, Consent):
            yield became
            yield self._done("needs_consent", consent=became)
            return True
        yield self._of_call(became)
        return False

    def _of_call(self, became: Called | Declined) -> Step:
        match became:
            case Called():
                return self._step("called", became.tool, 1, became.trace)
            case Declined():
                return self._step("refused", f"{became.tool}: {became.why}", 0, became.trace)

    # ── what is told ──

    def _answered(self, move: Answered) -> Iterator[TaskEvent]:
        """Its sentences that are proved, each looked up again before it is told."""
        proved, dropped = prove(move.sentences, self.shown.cited)
        for why in dropped:
            self.setting.refuse("task", self.setting.model.name, why)
        ids = dict.fromkeys(one.citation.id for sentence in proved for one in sentence.showing)
        now, trace = self.setting.view.standing(tuple(ids), "task", self.task.text)
        kept = [one for one in proved if still(one.showing, now)]
        self._dropped = len(move.sentences) - len(kept)
        cited: dict[str, Citation] = {}
        for sentence in kept:
            yield from self._told(sentence, now, cited)
        text = " ".join(_closed(one.text) for one in kept)
        state: TaskState = "answered" if kept else "not_found"
        yield self._done(state, text=text, citations=tuple(cited.values()), trace=trace)

    def _told(
        self, sentence: Proved, now: dict[str, Citation], cited: dict[str, Citation]
    ) -> Iterator[TaskEvent]:
        """The sentence, after what proves it."""
        ids = tuple(one.citation.id for one in sentence.showing)
        for id_ in ids:
            if id_ not in cited:
                cited[id_] = now[id_]
                yield now[id_]
        yield Sentence(_closed(sentence.text), ids)

    def _step(self, did: str, what: str, found: int, trace: str | None) -> Step:
        self._number += 1
        return Step(self._number, did, what, found, trace)

    def _done(
        self,
        state: TaskState,
        *,
        text: str = "",
        citations: tuple[Citation, ...] = (),
        clarify: tuple[str, ...] = (),
        consent: Consent | None = None,
        **how: str | None,
    ) -> TaskDone:
        return TaskDone(
            state=state,
            text=text,
            citations=citations,
            clarify=clarify,
            consent=consent,
            dropped=self._dropped,
            acted=tuple(self._calling.acted),
            spent=self._meter.spent,
            warnings=self._warnings,
            why=how.get("why"),
            trace=how.get("trace"),
        )


def _without_evidence(pack: Pack) -> TaskState:
    """Nothing that could be cited is no answer, whatever else the pack holds."""
    return "out_of_scope" if pack.state == "out_of_scope" else "not_found"


def _closed(text: str) -> str:
    return text if text.endswith((".", "!", "?", "。", "！", "？")) else f"{text}."
