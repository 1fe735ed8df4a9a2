"""Extractive answers: the sentences that cover the question, cited, beside what contradicts them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from muniment.answer.evidence import Evidence, evidence_of, weigh
from muniment.answer.state import decide, suffices
from muniment.claims.cite import cite_passage, cite_statement, passages_of, quote_of
from muniment.claims.claim import Claim, Statement, holds
from muniment.claims.naming import read_names
from muniment.claims.read import claims_around
from muniment.context.question import Question
from muniment.context.retrieve import Candidate, Found
from muniment.domain.names import normal_name
from muniment.domain.record import ItemRow
from muniment.domain.regex import regex
from muniment.domain.values import AnswerState, Citation
from muniment.gate.reader import Reader
from muniment.index.words import lexemes

__all__ = ["Composed", "Judged", "Named", "compose", "judge"]

SENTENCES = 3  # an answer says what was asked; the rest is for a pack
LOOKED_AT = 60  # candidates whose sentences are weighed
CHECKED = 24  # sufficient sentences whose claims are reconciled before one is chosen
CLOSE = 0.90  # a further sentence must score nearly as well as the best
SIDES = 5  # of a conflict, the leading ones; a page shows the rest

_NUMBER = regex(r"\d[\d.,:/-]*\d|\d")

Place = tuple[UUID, int, int]


@dataclass(frozen=True, slots=True)
class Judged:
    """The state, the sentences that answer, best first, and the claims that rest on their items, by id.

    `weighed` are all sentences that hold and say something, enough or not: what evaluations look at.
    """

    state: AnswerState
    evidence: tuple[Evidence, ...]
    claims: Mapping[UUID, Claim]
    weighed: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Composed:
    """The text with its citations in order of use, and conflicts among what was cited.

    tells_preferred: it is made of what the caller preferred.
    """

    text: str
    citations: tuple[Citation, ...]
    conflicts: tuple[tuple[Citation, ...], ...]
    warnings: tuple[str, ...]
    tells_preferred: bool = False


@dataclass(frozen=True, slots=True)
class Named:
    """What a question names that this reader can see.

    names: those among its words. is_about: it names something, or is bounded to it.
    """

    names: Sequence[str]
    is_about: bool


def judge(
    reader: Reader,
    question: Question,
    found: Found,
    named: Named,
    *,
    enough: Callable[[Evidence], bool] = suffices,
) -> Judged:
    """Whether what holds at the moment asked about answers the question.

    enough: what a sentence must come to; an evaluation passes another to see what refusals are worth.
    """
    holding = [one for one in found.candidates if one.standing.holds(reader.moment.as_of)][:LOOKED_AT]
    weights = weigh(question, found, named.names, found.subjects)
    evidence = evidence_of(holding, question, found, weights, _subjects(reader, holding))
    telling = [one for one in evidence if not _is_heading(one)]
    sufficient = [one for one in telling if enough(one)][:CHECKED]
    items = {one.candidate.item.item: one.candidate.item for one in sufficient}
    claims = claims_around(reader, list(items.values()))
    asked = {lexeme for term in weights.about for lexeme in term}
    over = {
        place
        for claim in claims.values()
        if not holds(claim, reader.moment.as_of) or _is_of_another(claim, asked)
        for place in _places(claim)
    }
    left = tuple(one for one in sufficient if _place(one) not in over)
    weighed = tuple(one for one in telling if _place(one) not in over)
    return Judged(decide(question, found, left, names_entity=named.is_about), left, claims, weighed)


def compose(reader: Reader, judged: Judged, preferred: Sequence[Evidence] = ()) -> Composed:
    """The answer's words; for a question that is not answered, that it is not.

    preferred: what to tell in place of the rules' own choice, stretches of sentences that suffice.
    """
    if judged.state != "answered":
        return Composed(_empty_text(judged.state), (), (), ())
    as_of = reader.moment.as_of
    wholes = _wholes(judged.evidence, preferred)
    others = _with_other_numbers(_choose(judged.evidence, as_of), wholes)
    chosen = [*wholes, *others]
    words = [one.text for one in (*(preferred if wholes else ()), *others)]
    by_place = _held(judged.claims.values(), reader)
    cited = {place: by_place[place] for one in chosen if (place := _place(one)) in by_place}
    opposed = {claim.id: _opponents(claim, judged.claims) for claim, _ in cited.values()}
    statements = [statement for _, statement in cited.values()]
    statements += [other.supports[0] for others in opposed.values() for other in others]
    passages = passages_of(reader, statements)
    sheet = _Sheet()
    for one, text in zip(chosen, words, strict=True):
        claim, statement = cited.get(_place(one), (None, None))
        if claim is None or statement is None:
            sheet.say(text, _cite_evidence(reader, one))
            continue
        sides = [
            (other.statement, cite_statement(other.supports[0], passages, other))
            for other in opposed[claim.id]
        ]
        sheet.say(text, cite_statement(statement, passages, claim))
        sheet.contradict(claim, cite_statement(statement, passages, claim), sides)
    return Composed(
        " ".join(sheet.lines),
        tuple(sheet.citations),
        tuple(sheet.conflicts),
        _warnings(chosen, sheet.citations, as_of),
        tells_preferred=bool(wholes),
    )


class _Sheet:
    """An answer being written: no citation twice, no conflict told twice."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.citations: list[Citation] = []
        self.conflicts: list[tuple[Citation, ...]] = []
        self._told: set[UUID] = set()

    def say(self, text: str, citation: Citation, before: str = "") -> None:
        """A sentence with its number, unless it was said."""
        if citation.id not in {known.id for known in self.citations}:
            self.citations.append(citation)
            self.lines.append(f"{before}{_sentence(text)} [{len(self.citations)}]")

    def contradict(self, claim: Claim, citation: Citation, sides: Sequence[tuple[str, Citation]]) -> None:
        """The other sides beside it, so that no conflict is settled by what happens to rank first."""
        if not sides or claim.id in self._told:
            return
        self._told |= {claim.id, *claim.conflicts_with}
        self.conflicts.append((citation, *(other for _, other in sides)))
        for text, other in sides:
            self.say(text, other, "But: ")


def _is_of_another(claim: Claim, asked: Collection[str]) -> bool:
    """Whether it names what it is about, and that is none of what the question names."""
    if claim.slot is None or not asked:
        return False
    for support in claim.supports:
        item = support.item
        told = {normal_name(name) for name in (item.title, item.account, item.project, item.service) if name}
        named = support.row.entity or ""
        if normal_name(named) in told or not set(lexemes(named)).isdisjoint(asked):
            return False
    return True


def _place(one: Evidence) -> Place:
    return one.candidate.passage.passage, one.start, one.end


def _places(claim: Claim) -> Iterable[Place]:
    return (quote_of(support.row) for support in claim.supports)


def _held(claims: Iterable[Claim], reader: Reader) -> dict[Place, tuple[Claim, Statement]]:
    """The claims that hold, with the statement that stands at each place."""
    return {
        quote_of(support.row): (claim, support)
        for claim in claims
        if holds(claim, reader.moment.as_of)
        for support in claim.supports
    }


def _opponents(claim: Claim, claims: Mapping[UUID, Claim]) -> list[Claim]:
    return [claims[other] for other in claim.conflicts_with if other in claims][:SIDES]


def _cite_evidence(reader: Reader, one: Evidence) -> Citation:
    candidate = one.candidate
    span = (one.start, one.end)
    return cite_passage(candidate.passage, span, candidate.item, candidate.standing, reader.moment.as_of)


def _subjects(reader: Reader, candidates: Sequence[Candidate]) -> dict[UUID, tuple[str, ...]]:
    """Every visible name of the account, project and service each item says it is about."""
    said = {
        one.item.item: [name for name in (one.item.account, one.item.project, one.item.service) if name]
        for one in candidates
    }
    names = read_names(reader, {name for raw in said.values() for name in raw})
    return {
        item: tuple(sorted({*raw, *names.meaning({names.key(name) for name in raw})}))
        for item, raw in said.items()
        if raw
    }


def _is_heading(one: Evidence) -> bool:
    """A heading names what the words under it say, and says nothing itself; nor does a question."""
    text = one.text.lstrip()
    title = one.candidate.item.title
    if title is not None and text.rpartition(":")[2].strip() == title:
        return True
    return (
        text.startswith("#")
        or text.strip(" *_:：") in one.candidate.passage.heading
        or text.endswith(("?", "？"))
    )


def _empty_text(state: AnswerState) -> str:
    if state == "not_found":
        return "Searched, and nothing that you may read answers this."
    return "Nothing that you may read is about this."


def _choose(evidence: Sequence[Evidence], as_of: datetime) -> list[Evidence]:
    """The best sentence, and others nearly as good that say something else."""
    best = evidence[0]
    chosen = [best]
    seen = {_folded(best)}
    for one in evidence[1:]:
        if len(chosen) == SENTENCES or one.score < CLOSE * best.score:
            break
        if _folded(one) not in seen:
            seen.add(_folded(one))
            chosen.append(one)
    return _amended_last(chosen, as_of)


def _amended_last(chosen: Sequence[Evidence], as_of: datetime) -> list[Evidence]:
    """What amends a text, where it says as much of what was asked, before what the text itself says."""
    ahead: dict[UUID, float] = {}
    for one in chosen:
        item = one.candidate.item.item
        ahead[item] = max(ahead.get(item, 0.0), one.asked)
    after = [any(ahead.get(item.item, -1.0) >= one.asked for item in _amending(one, as_of)) for one in chosen]
    return [
        *(one for one, is_after in zip(chosen, after, strict=True) if not is_after),
        *(one for one, is_after in zip(chosen, after, strict=True) if is_after),
    ]


def _amending(one: Evidence, as_of: datetime) -> list[ItemRow]:
    """What amends the text a sentence is from, as far as it has taken effect."""
    amended_by = one.candidate.standing.amended_by
    return [item for item in amended_by if (item.valid_from or item.created_at) <= as_of]


def _wholes(evidence: Sequence[Evidence], preferred: Sequence[Evidence]) -> list[Evidence]:
    """The sentence that each stretch is of; nothing unless all of them suffice here and now."""
    found = [next((one for one in evidence if _is_in(part, one)), None) for part in preferred]
    return [] if None in found else [one for one in found if one is not None]


def _with_other_numbers(own: Sequence[Evidence], wholes: Sequence[Evidence]) -> list[Evidence]:
    """Of the rules' own choice what may not be left out: where it holds a number that nothing preferred does.

    All of it, where nothing is preferred.
    """
    told = {number for one in wholes for number in _NUMBER.findall(one.text)}
    return [one for one in own if not wholes or (one not in wholes and set(_NUMBER.findall(one.text)) - told)]


def _is_in(part: Evidence, whole: Evidence) -> bool:
    passage = whole.candidate.passage
    same = part.candidate.passage.passage == passage.passage and part.candidate.passage.body == passage.body
    return same and whole.start <= part.start < part.end <= whole.end


def _folded(one: Evidence) -> str:
    return " ".join(one.text.split()).casefold()


def _sentence(text: str) -> str:
    """On one line, and closed, so that two do not run together."""
    line = " ".join(text.split()).strip("|").strip()
    return line if line.endswith((".", "!", "?", "。", "！", "？", ";", "；", ":")) else f"{line}."


def _is_amended(base: ItemRow, by: ItemRow) -> str:
    return f"{base.source}:{base.id} is amended by {by.source}:{by.id}"


def _warnings(chosen: Sequence[Evidence], citations: Sequence[Citation], as_of: datetime) -> tuple[str, ...]:
    found: list[str] = []
    for one in chosen:
        status = one.candidate.standing.status
        if status is not None and not one.candidate.standing.is_in_force:
            found.append(f"{one.candidate.item.source}:{one.candidate.item.id} is {status}, not in force")
        found += [_is_amended(one.candidate.item, item) for item in _amending(one, as_of)]
    if any(one.status == "stale" for one in citations):
        found.append("some of this is stale: its source changed and it was not confirmed")
    if any(one.status == "candidate" for one in citations):
        found.append("some of this is a candidate: nobody approved it, so it is no rule to act by")
    return tuple(dict.fromkeys(found))
