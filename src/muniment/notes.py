"""What someone hands in while they read: a note of their own, or a word that a citation is wrong.

A note comes back in through the front door, as an event of the record's own source. It is for its author
alone, and only as long as they may read what it was made from; it counts no more than that, and less where
an agent wrote it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from muniment.claims.cite import Found, cite_passage, find_citation
from muniment.claims.read import item_periods, items_of
from muniment.claims.told import told
from muniment.context.echoed import echoed
from muniment.domain.errors import Conflict, Refused, Usage
from muniment.domain.events import ContentEvent, ItemRef, JsonObject, Op
from muniment.domain.identity import keyed_digest, keyed_uuid
from muniment.domain.record import Moment, PassageRow
from muniment.domain.times import format_instant
from muniment.domain.trust import ORDER, is_trusted, minimum, trust_rank
from muniment.domain.values import Citation, Remembered, Reported
from muniment.events.erased import blanks_of
from muniment.events.rights import RESERVED, Credential
from muniment.gate import agents
from muniment.gate.binding import writing
from muniment.gate.reader import Hearing, Reader, reading_as
from muniment.index.projection import item_uuid
from muniment.jobs.compile import histories_of
from muniment.jobs.intake import Intake, compile_taken, stamped
from muniment.jobs.loop import Work
from muniment.jobs.receive import receive
from muniment.jobs.turns import compile_beside_others
from muniment.sources.arrived import Arrived
from muniment.sources.unseen import visible
from muniment.store.queries import load

__all__ = [
    "LONGEST",
    "Draft",
    "FileRow",
    "author_of",
    "drafted",
    "grown",
    "hand_in",
    "intake_by",
    "last_said",
    "remember",
    "report",
    "require_reach",
    "said_of",
    "seen_in",
    "times_said",
]

SQL = load("notes")
LONGEST = 20_000  # characters; what is longer is a document, and has a source
_PROBLEM = 2_000


@dataclass(frozen=True, slots=True)
class Draft:
    """A note before it is handed in: whose, and what it was made from."""

    author: str
    text: str
    made_from: frozenset[str]
    at_most: str | None
    evidence: tuple[Citation, ...]


def remember(work: Work, hearing: Hearing, moment: Moment, text: str, evidence: Sequence[str]) -> Remembered:
    """Keep a note. Evidence that its author may not see is refused like evidence that is not there."""
    if not (seen := seen_in(text)) or len(text) > LONGEST:
        raise Usage(f"a note has 1 to {LONGEST:,} characters that somebody sees, not {len(seen):,}")
    author_of(work, hearing, moment)
    with reading_as(work.database, work.tenant, work.key, hearing, moment) as reader:
        draft = _draft(reader, hearing, text, evidence)
    ref = ItemRef(RESERVED, f"note/{_digest(work, draft, hearing)}")
    require_reach(work, hearing.agent, ref)
    draft = _grown(draft, ref, _kept(work, ref))
    state = hand_in(work, draft.author, _event(work, ref, draft), "remember")
    with reading_as(work.database, work.tenant, work.key, hearing, moment) as reader:
        return _remembered(reader, ref, draft, state)


def seen_in(text: str) -> str:
    """What somebody sees of a text without markup, once it is kept; empty where nobody sees anything."""
    return visible(text.replace("\x00", ""), None).strip()


def hand_in(work: Work, author: str, event: JsonObject, how: str) -> str:
    """Take in an event of the record's own source on its author's word; what became of it."""
    receipt, _ = receive(
        work.database, lambda: stamped(intake_by(work, author)), [Arrived(event, None, how)], _unseen
    )
    (taken,) = receipt.items
    if taken.state == "quarantined":
        raise Conflict(f"it was not kept: {taken.reason}")
    return taken.state


def author_of(work: Work, hearing: Hearing, moment: Moment) -> str:
    """Who hands in; Refused where that is nobody, or where others hear what is for its author alone."""
    with reading_as(work.database, work.tenant, work.key, replace(hearing, hearers=()), moment) as reader:
        if not reader.permitted.subjects:
            raise Refused(f"nothing can be remembered for {hearing.principal!r}, who may read nothing here")
    with reading_as(work.database, work.tenant, work.key, hearing, moment) as reader:
        if reader.permitted.principal not in reader.permitted.subjects:
            raise Refused("a note is for its author alone, and others hear this; leave the hearers out")
        return reader.permitted.principal


@dataclass(frozen=True, slots=True)
class FileRow:
    """A note that is kept under a name."""

    item: UUID


def drafted(reader: Reader, hearing: Hearing, text: str) -> Draft:
    """A note of these words, made from whatever visible words it repeats."""
    return _draft(reader, hearing, text, ())


def grown(work: Work, draft: Draft, ref: ItemRef) -> Draft:
    """The same with all that the note was made from so far."""
    return _grown(draft, ref, _kept(work, ref))


def last_said(work: Work, ref: ItemRef) -> JsonObject | None:
    """What was last said of a note; None where its words are gone."""
    kept = [one for one in _kept(work, ref) if isinstance(one.get("body"), str) and one.get("title")]
    return kept[-1] if kept else None


def times_said(work: Work, ref: ItemRef) -> int:
    """How many events a note has had, the one that took it away among them."""
    name = (ref.source, ref.id)
    with writing(work.database, work.tenant) as conn:
        return len(histories_of(conn, work.tenant, [name]).get(name, ()))


def _draft(reader: Reader, hearing: Hearing, text: str, evidence: Sequence[str]) -> Draft:
    found = told(reader, [find_citation(reader, one) for one in dict.fromkeys(evidence)])
    items = [one.item for one in found if one.item is not None] + echoed(reader, text)
    return Draft(
        author=reader.permitted.principal,
        text=text,
        made_from=frozenset(f"{item.source}:{item.id}" for item in items),
        at_most=_at_most(hearing, found),
        evidence=tuple(one.citation for one in found),
    )


def _at_most(hearing: Hearing, found: Sequence[Found]) -> str | None:
    """An agent's word is a tool's; evidence counts as its reader is told, which may be less than its item."""
    most = [one.citation.trust for one in found if not is_trusted(one.citation.trust)]
    most += ["internal_tool"] if hearing.agent is not None else []
    return minimum(most) if most else None


def _digest(work: Work, draft: Draft, hearing: Hearing) -> str:
    words = " ".join(draft.text.split())
    return keyed_digest(work.key, "note", draft.author, hearing.agent or "", words).hex()


def require_reach(work: Work, agent: str | None, ref: ItemRef) -> None:
    """An agent keeps no note that its list would not let it read; else it would learn so only afterwards."""
    if agent is None:
        return
    with writing(work.database, work.tenant) as conn:
        reach = agents.reach_of(conn, work.tenant, agent, None)
    if reach != agents.ALL and not agents.refs_of(ref.source, ref.id, None) & reach:
        raise Refused(f"agent {agent!r} was not granted {RESERVED!r}, so it can keep no notes")


def _kept(work: Work, ref: ItemRef) -> Sequence[JsonObject]:
    """What was said of this note before."""
    name = (ref.source, ref.id)
    with writing(work.database, work.tenant) as conn:
        history = histories_of(conn, work.tenant, [name]).get(name, ())
    return [
        one.event.raw for one in history if isinstance(one.event, ContentEvent) and one.event.op is Op.UPSERT
    ]


def _grown(draft: Draft, ref: ItemRef, kept: Sequence[JsonObject]) -> Draft:
    """The draft with all the note was made from so far, which only grows, and in its first spelling."""
    said = {str(name) for one in kept for name in _listed(one.get("derived_from"))}
    limits = [most for one in kept if (most := _limit(one)) is not None]
    limits += [] if draft.at_most is None else [draft.at_most]
    return replace(
        draft,
        text=str(kept[0]["body"]) if kept else draft.text,
        made_from=(draft.made_from | said) - {f"{ref.source}:{ref.id}"},
        at_most=minimum(limits) if limits else None,
    )


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _limit(said: JsonObject) -> str | None:
    metadata = said.get("metadata")
    return metadata.get("at_most") if isinstance(metadata, dict) else None


def _version(draft: Draft) -> str:
    """A note with more behind it is a newer one."""
    most = ORDER[-1] if draft.at_most is None else draft.at_most
    return str(len(ORDER) * (len(draft.made_from) + 1) - trust_rank(most))


def _event(work: Work, ref: ItemRef, draft: Draft) -> JsonObject:
    named = {"source": ref.source, "id": ref.id, "at": format_instant(work.clock())}
    return {**named, **said_of(draft), "version": _version(draft)}


def said_of(draft: Draft) -> JsonObject:
    """What a note's event says besides which note it is, when and in which version."""
    return {
        "op": "upsert",
        "kind": "note",
        "author": draft.author,
        "body": draft.text,
        "audience": [[draft.author]],
        "derived_from": sorted(draft.made_from),
        "metadata": {} if draft.at_most is None else {"at_most": draft.at_most},
    }


def intake_by(work: Work, author: str) -> Intake:
    """How the record itself takes in what someone says through it."""
    credential = Credential(author, steward=False, foreign=frozenset(), directories=frozenset(), own=True)
    return Intake(
        work.tenant, work.key, credential, work.clock(), work.salts, "note", "member", compile_taken
    )


def _unseen(_: int) -> None:
    """Progress that nobody watches."""


def _remembered(reader: Reader, ref: ItemRef, draft: Draft, state: str) -> Remembered:
    items = items_of(reader, {item_uuid(reader.key, ref)})
    if not items:
        raise Refused("this note rests on something that its author may no longer read")
    (item,) = items
    passages = reader.rows(PassageRow, "reader", "passages_of_items", items=[item.item])
    standing = item_periods(reader, items)[item.item]
    cited = cite_passage(passages[0], (0, len(passages[0].body)), item, standing, reader.moment.as_of)
    return Remembered(
        id=cited.id,
        source=item.source,
        item=item.id,
        state="duplicate" if state == "duplicate" else "accepted",
        kind=item.kind,
        text=draft.text,
        audience=_audience(draft.author, len(draft.made_from)),
        trust=item.trust,
        evidence=draft.evidence,
    )


def _audience(author: str, made_from: int) -> str:
    """In words, and without naming whoever else may read the evidence."""
    if not made_from:
        return f"{author} alone"
    what = "the item" if made_from == 1 else f"all {made_from} items"
    return f"{author} alone, as long as they may read {what} it was made from"


def report(work: Work, hearing: Hearing, moment: Moment, citation: str, problem: str) -> Reported:
    """Keep someone's word that a citation is wrong, for stewards who may read it too.

    Nothing else changes.
    """
    said = " ".join(problem.split())
    if not said or len(said) > _PROBLEM:
        raise Usage(f"say in 1 to {_PROBLEM:,} characters what is wrong, not {len(said):,}")
    with reading_as(work.database, work.tenant, work.key, hearing, moment) as reader:
        cited = find_citation(reader, citation).citation
        (audience,) = {one.audience for one in reader.rows(_Label, "notes", "audience_of", **_ids(cited.id))}
        reporter = reader.permitted.principal
    id_ = keyed_uuid(work.key, "report", citation, reporter, said)
    values = {
        "tenant": work.tenant,
        "report": id_,
        "audience": audience,
        "citation": cited.id,
        "reported_by": reporter,
        "reported_at": work.clock(),
    }
    with writing(work.database, work.tenant) as conn:
        # An erasure that came between took the citation with it, and what is said of it after.
        compile_beside_others(conn, work.tenant)
        if conn.execute(SQL["is_there"], {"tenant": work.tenant, **_ids(cited.id)}).fetchone() is None:
            raise Refused(f"no citation {citation!r} for this reader")
        kept_as = blanks_of(conn, work.tenant, work.key).text(said)
        conn.execute(SQL["report"], {**values, "problem": kept_as})
    return Reported(id_.hex, cited, kept_as, reporter)


@dataclass(frozen=True, slots=True)
class _Label:
    audience: int


def _ids(citation: str) -> dict[str, str | None]:
    kind, id_ = citation[0], citation[2:34]
    return {"assertion": id_ if kind == "c" else None, "passage": id_ if kind == "p" else None}
