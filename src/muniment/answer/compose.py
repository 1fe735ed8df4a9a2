"""Extractive answers: the sentences that cover the question, cited, and beside them what contradicts them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from muniment.answer.evidence import Evidence, evidence_of, weigh
from muniment.answer.state import decide, suffices
from muniment.claims.cite import cite_claim, cite_passage, passages_of, quote_of
from muniment.claims.claim import Claim, holds
from muniment.claims.naming import read_names
from muniment.claims.read import claims_of_items, claims_of_rows
from muniment.context.question import Question
from muniment.context.retrieve import Candidate, Found
from muniment.domain.record import AssertionRow
from muniment.domain.values import AnswerState, Citation
from muniment.gate.reader import Reader

__all__ = ["Composed", "compose"]

SENTENCES = 3  # an answer says what was asked; the rest is for a pack
LOOKED_AT = 60  # candidates whose sentences are weighed
CLOSE = 0.90  # a further sentence must score nearly as well as the best


@dataclass(frozen=True, slots=True)
class Composed:
    """The state, the text with its citations in order of use, and conflicts among what was cited."""

    state: AnswerState
    text: str
    citations: tuple[Citation, ...]
    conflicts: tuple[tuple[Citation, ...], ...]
    warnings: tuple[str, ...]


def compose(reader: Reader, question: Question, found: Found, named: Sequence[str]) -> Composed:
    """An answer from what holds at the moment asked about.

    named: names, among the question's words, that mean something this reader can see.
    """
    holding = [one for one in found.candidates if one.standing.holds(reader.moment.as_of)][:LOOKED_AT]
    weights = weigh(question, found, named, found.subjects)
    evidence = evidence_of(holding, weights, _subjects(reader, holding))
    sufficient = [one for one in evidence if suffices(one) and not _is_heading(one)]
    state = decide(question, found, sufficient, names_entity=bool(named))
    if state != "answered":
        return Composed(state, _empty_text(state), (), (), ())
    chosen = _choose(sufficient)
    claims = _claims_at(reader, chosen)
    lines, citations, conflicts = _cite(reader, chosen, claims)
    return Composed(state, " ".join(lines), citations, conflicts, _warnings(chosen, citations))


def _subjects(reader: Reader, candidates: Sequence[Candidate]) -> dict[UUID, tuple[str, ...]]:
    """Every visible name of the account, project and service each item says it is about."""
    said = {
        one.item.item: [name for name in (one.item.account, one.item.project, one.item.service) if name]
        for one in candidates
    }
    names = read_names(reader, {name for raw in said.values() for name in raw})
    return {
        item: tuple({*raw, *names.meaning({names.key(name) for name in raw})})
        for item, raw in said.items()
        if raw
    }


def _is_heading(one: Evidence) -> bool:
    """A heading names what the words under it say, and says nothing itself."""
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


def _choose(evidence: Sequence[Evidence]) -> list[Evidence]:
    """The best sentence, and others nearly as good that say something else."""
    best = evidence[0]
    chosen = [best]
    seen = {" ".join(best.text.split()).casefold()}
    for one in evidence[1:]:
        if len(chosen) == SENTENCES or one.score < CLOSE * best.score:
            break
        text = " ".join(one.text.split()).casefold()
        if text not in seen:
            seen.add(text)
            chosen.append(one)
    return chosen


def _claims_at(reader: Reader, chosen: Sequence[Evidence]) -> dict[tuple[UUID, int, int], Claim]:
    """The claims that rest on the chosen sentences, by where their quotes stand."""
    items = {one.candidate.item.item: one.candidate.item for one in chosen}
    claims = claims_of_items(reader, list(items.values()))
    return {
        quote_of(support.row): claim
        for claim in claims
        if holds(claim, reader.moment.as_of)
        for support in claim.supports
        if support.row.level == "exact"
    }


def _cite(
    reader: Reader, chosen: Sequence[Evidence], claims: Mapping[tuple[UUID, int, int], Claim]
) -> tuple[list[str], tuple[Citation, ...], tuple[tuple[Citation, ...], ...]]:
    """Each sentence with its citation; a claim in conflict brings in what it conflicts with."""
    lines: list[str] = []
    citations: list[Citation] = []
    conflicts: list[tuple[Citation, ...]] = []
    for one in chosen:
        claim = claims.get((one.candidate.passage.passage, one.start, one.end))
        cited = _citation(reader, one, claim)
        if cited.id in {known.id for known in citations}:
            continue
        citations.append(cited)
        lines.append(f"{_sentence(one.text)} [{len(citations)}]")
        if claim is not None and claim.conflicts_with:
            _add_conflict(reader, (claim, cited), (lines, citations, conflicts))
    return lines, tuple(citations), tuple(conflicts)


def _citation(reader: Reader, one: Evidence, claim: Claim | None) -> Citation:
    candidate = one.candidate
    if claim is None:
        span = (one.start, one.end)
        return cite_passage(candidate.passage, span, candidate.item, candidate.standing, reader.moment.as_of)
    passages = passages_of(reader, claim.supports)
    cited = cite_claim(claim, passages)
    here = (candidate.passage.passage, one.start, one.end)
    places = [quote_of(support.row) for support in claim.supports]
    return cited[places.index(here)]


def _add_conflict(
    reader: Reader,
    one: tuple[Claim, Citation],
    into: tuple[list[str], list[Citation], list[tuple[Citation, ...]]],
) -> None:
    """Put the other side beside it, so that no conflict is settled by what happens to rank first."""
    claim, cited = one
    lines, citations, conflicts = into
    others = [
        cite_claim(other, passages_of(reader, other.supports), limit=1)[0]
        for other in _opposed(reader, claim)
    ]
    if not others:
        return
    conflicts.append((cited, *others))
    for other in others:
        if other.id not in {known.id for known in citations}:
            citations.append(other)
            lines.append(f"But: {_sentence(other.statement)} [{len(citations)}]")


def _opposed(reader: Reader, claim: Claim) -> list[Claim]:
    rows = reader.rows(AssertionRow, "claims", "assertions_of_slots", **_slot_names(claim))
    return [other for other in claims_of_rows(reader, rows) if other.id in claim.conflicts_with]


def _slot_names(claim: Claim) -> dict[str, object]:
    names = sorted({support.row.entity for support in claim.supports if support.row.entity is not None})
    attributes = sorted(
        {support.row.attribute for support in claim.supports if support.row.attribute is not None}
    )
    return {"names": names, "attributes": attributes}


def _sentence(text: str) -> str:
    """On one line, and closed, so that two do not run together."""
    line = " ".join(text.split()).strip("|").strip()
    return line if line.endswith((".", "!", "?", "。", "！", "？", ";", "；", ":")) else f"{line}."


def _warnings(chosen: Sequence[Evidence], citations: Sequence[Citation]) -> tuple[str, ...]:
    found: list[str] = []
    for one in chosen:
        status = one.candidate.standing.status
        if status is not None and not one.candidate.standing.is_in_force:
            found.append(f"{one.candidate.item.source}:{one.candidate.item.id} is {status}, not in force")
    if any(one.status == "stale" for one in citations):
        found.append("some of this is stale: its source changed and it was not confirmed")
    return tuple(dict.fromkeys(found))
