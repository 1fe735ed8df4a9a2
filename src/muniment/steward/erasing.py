"""Erasing an item, a person or some words: what is reached, what a hold forbids, and what is said of it.

Each batch is one transaction that meets no compilation and holds its keys; what was cut short between two is
taken up by saying the same again. Afterwards the files are scrubbed, as PostgreSQL keeps the bytes of deleted
rows.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from muniment.domain.audience import is_principal
from muniment.domain.blanking import Blanked, Blanks, nameless, words_of
from muniment.domain.errors import Refused, Usage
from muniment.domain.record import Moment
from muniment.domain.values import Value
from muniment.events.erased import item_digest, person_digest
from muniment.gate import directory, policy, tokens
from muniment.gate.forget import About, forget
from muniment.gate.holds import refuse_held
from muniment.gate.reader import Hearing, reading_as
from muniment.jobs import blank, erase
from muniment.jobs.compile import Key
from muniment.jobs.erase import Gone
from muniment.jobs.lineage import made_of
from muniment.jobs.restate import restate
from muniment.jobs.unname import forget_person
from muniment.steward.desk import Desk, alone
from muniment.store.pool import Connection
from muniment.store.queries import load
from muniment.store.scrub import LARGE, Scrubbed, scrub

__all__ = ["BATCH", "Erased", "blank_everywhere", "erase_target", "erase_words", "scrub_files", "unname"]

SQL: Final = load("erasing")
BATCH: Final = 500
LEAST: Final = 4  # letters of a part of a name that is looked for by itself
_DIRECTORY: Final = ("@principal/", "@member/", "@audience/")


@dataclass(frozen=True, slots=True)
class Erased(Value):
    """What was erased, or would be.

    named: the ids of it that the steward may read; `items` counts the others too. mentions: items of others
    that name what was erased and are left to be looked at, `more_mentions` such as the steward may not read.
    files: what was done about bytes of deleted rows.
    """

    target: str
    dry_run: bool
    items: int = 0
    named: tuple[str, ...] = ()
    events: int = 0
    passages: int = 0
    statements: int = 0
    refused: int = 0
    questions: int = 0
    acts: int = 0
    mentions: tuple[str, ...] = ()
    more_mentions: int = 0
    files: str = "not scrubbed"


@dataclass(frozen=True, slots=True)
class _Visible:
    source: str
    id: str


@dataclass(frozen=True, slots=True)
class _Person:
    """Who is erased, and all they are called."""

    principal: str
    names: frozenset[str] = field(default_factory=frozenset)


def erase_target(desk: Desk, target: str, *, dry_run: bool) -> Erased:
    """Erase an item (SOURCE:ID), or a principal and all they wrote."""
    return (_erase_person if is_principal(target) else _erase_item)(desk, target, dry_run=dry_run)


def _erase_item(desk: Desk, target: str, *, dry_run: bool) -> Erased:
    """Erase one item, under every id it had."""
    source, colon, id_ = target.partition(":")
    if not colon or not source or not id_:
        raise Usage(
            f"{target!r} names nothing: write SOURCE:ID, such as slack:m7, or a principal, such as user:ann"
        )
    with alone(desk) as conn:
        # Who is who is a person's to be erased from, not an item.
        if id_.startswith(_DIRECTORY):
            raise Refused(f"no item {target!r}")
        keys = erase.as_one(conn, desk.tenant, [(source, id_)])
        if len(keys) == 1 and not _is_known(conn, desk.tenant, (source, id_)):
            raise Refused(f"no item {target!r}")
        refuse_held(conn, desk.tenant, keys)
        made = made_of(conn, desk.tenant, keys).difference(keys)
        mentions = _readable(desk, made)
        gone = erase.counted(conn, desk.work, keys) if dry_run else erase.erase_items(conn, desk.work, keys)
        if not dry_run:
            _note(desk, conn, item_digest(desk.work.key, (source, id_)).hex(), gone)
    found = _erased(target, gone, dry_run=dry_run)
    return replace(found, mentions=mentions, more_mentions=len(made) - len(mentions))


def _is_known(conn: Connection, tenant: str, name: Key) -> bool:
    row = conn.execute(SQL["is_known"], {"tenant": tenant, "source": name[0], "id": name[1]}).fetchone()
    return row == (True,)


def _erase_person(desk: Desk, target: str, *, dry_run: bool) -> Erased:
    """Erase all that a person wrote or handed in as its author, and what they are called."""
    with desk.writing() as conn:
        principal = policy.find_principal(conn, desk.tenant, target)
        if principal is None:
            raise Refused(f"no principal {target!r}")
        person = _Person(principal, frozenset(_column(conn, desk, "called", principal=principal)))
        keys = _authored(conn, desk, person)
        refuse_held(conn, desk.tenant, keys, [principal])
        left = set(_mentioning(conn, desk, person)).difference(keys)
        whole = erase.counted(conn, desk.work, keys)
    mentions, named = _readable(desk, left), _readable(desk, keys)
    found = replace(
        _erased(target, whole, dry_run=dry_run),
        named=named,
        mentions=mentions,
        more_mentions=len(left) - len(mentions),
    )
    if dry_run:
        return found
    gone = Gone()
    for start in range(0, len(keys), BATCH):
        with alone(desk) as conn:
            some = keys[start : start + BATCH]
            refuse_held(conn, desk.tenant, some, [principal])
            gone += erase.erase_items(conn, desk.work, some)
    with alone(desk) as conn:
        refuse_held(conn, desk.tenant, [], [principal])
        gone += unname(conn, desk, person.principal)
        _note(desk, conn, person_digest(desk.work.key, principal).hex(), gone)
    return replace(found, refused=gone.refused, questions=gone.questions, acts=gone.acts)


def _authored(conn: Connection, desk: Desk, person: _Person) -> list[Key]:
    """Under every id they had."""
    names = sorted({person.principal, *person.names})
    values = {"tenant": desk.tenant, "principal": person.principal, "names": names}
    return erase.as_one(conn, desk.tenant, conn.execute(SQL["authored"], values).fetchall())


def _mentioning(conn: Connection, desk: Desk, person: _Person) -> list[Key]:
    parts = {part for name in person.names for part in words_of(name) if len(part) >= LEAST}
    words = sorted({one.casefold() for one in (person.principal, *person.names)} | parts)
    found = conn.execute(SQL["keys_with"], {"tenant": desk.tenant, "words": words}).fetchall()
    return [name for name in found if not name[1].startswith("@")]


def unname(conn: Connection, desk: Desk, principal: str) -> Gone:
    """Take a person's names out of the directory; what they may stays, under an id that says no more."""
    work, tenant = desk.work, desk.tenant
    directory.lock(conn, tenant)
    names = frozenset(_column(conn, desk, "called", principal=principal))
    values = {"tenant": tenant, "principal": principal}
    keys = conn.execute(SQL["keys_of_person"], values).fetchall()
    blank.rewrite(conn, work, keys, nameless)
    restate(conn, work, keys)
    erase.suppress(conn, work, "person", [person_digest(work.key, principal)])
    conn.execute(SQL["drop_reports_by"], values)
    tokens.drop_of_person(conn, tenant, principal, names)
    forget_person(conn, work, {principal, *names})
    refused = _refused_of(conn, desk, principal)
    conn.execute(SQL["drop_refused"], {"tenant": tenant, "entries": refused})
    about = About(names=names, asker=principal)
    questions, acts = forget(conn, tenant, about)
    return Gone(refused=len(refused), questions=questions, acts=acts)


def _refused_of(conn: Connection, desk: Desk, principal: str) -> list[int]:
    """Refused lines that a person wrote, or that are about nothing but them."""
    rows = conn.execute(SQL["refused"], {"tenant": desk.tenant}).fetchall()
    return [entry for entry, raw, _ in rows if principal in raw and _is_theirs(raw, principal)]


def _is_theirs(raw: str, principal: str) -> bool:
    try:
        said = json.loads(raw)
    except ValueError:
        return json.dumps(principal) in raw
    return isinstance(said, dict) and principal in (said.get("author"), said.get("id"))


def erase_words(desk: Desk, words: str, *, dry_run: bool) -> Erased:
    """Blank some words, such as a name or an e-mail, wherever a text has them or comes with them."""
    try:
        blanked = Blanked.of(desk.work.key, words)
    except ValueError as error:
        raise Usage(f"subject: {error}") from None
    # The server folds the case of plain letters only, so it is asked for the longest word made of those.
    plain = sorted((word for word in words_of(words) if word.isascii()), key=len)
    found = blank_everywhere(desk, [blanked], plain[-1:] or None, dry_run=dry_run)
    return replace(found, target="subject")


def blank_everywhere(
    desk: Desk, blanked: Sequence[Blanked], words: Sequence[str] | None, *, dry_run: bool
) -> Erased:
    """Blank words known by digest. `words`: one of which a text must have, where they are known."""
    blanks = Blanks.of(desk.work.key, blanked)
    with alone(desk) as conn:
        keys = blank.keys_with(conn, desk.tenant, blanks, words)
        refuse_held(conn, desk.tenant, keys)
        if not dry_run:
            for one in blanked:
                values = {"digest": one.digest, "first": one.first, "words": one.words, "now": desk.now}
                conn.execute(SQL["blank"], {"tenant": desk.tenant, **values})
    named = _readable(desk, [name for name in keys if not name[1].startswith("@")])
    found = Erased("subject", dry_run, items=len(keys), named=named)
    if dry_run:
        return found
    events = 0
    for start in range(0, len(keys), BATCH):
        with alone(desk) as conn:
            some = keys[start : start + BATCH]
            refuse_held(conn, desk.tenant, some)
            events += blank.blank_keys(conn, desk.work, some, blanks)
    with alone(desk) as conn:
        refused, questions, acts = blank.blank_beside(conn, desk.work, blanks)
        gone = Gone(len(keys), events, 0, 0, refused, questions, acts)
        _note(desk, conn, blanked[0].digest.hex(), gone)
    return replace(found, events=events, refused=refused, questions=questions, acts=acts)


def scrub_files(desk: Desk, *, all_tables: bool) -> str:
    """Take the bytes of deleted rows out of the database's files; what was done, in words."""
    with desk.writing() as conn:
        desk.record(conn, "scrub", "record", {"all": all_tables})
    return _in_words(scrub(desk.work.database, most=None if all_tables else LARGE))


def _in_words(done: Scrubbed) -> str:
    parts = [f"{done.rewritten} tables written anew"]
    parts += (
        [f"{len(done.vacuumed)} large or busy ones only vacuumed; --scrub writes them anew"]
        if done.vacuumed
        else []
    )
    parts += (
        [f"{len(done.left)} left as they are, for want of the right or because they are in use"]
        if done.left
        else []
    )
    parts += ["log begun anew" if done.log else "the log keeps what was written until the server recycles it"]
    return "; ".join(parts)


def _erased(target: str, gone: Gone, *, dry_run: bool) -> Erased:
    return Erased(
        target,
        dry_run,
        items=gone.items,
        events=gone.events,
        passages=gone.passages,
        statements=gone.statements,
        refused=gone.refused,
        questions=gone.questions,
        acts=gone.acts,
    )


def _note(desk: Desk, conn: Connection, digest: str, gone: Gone) -> None:
    """In the audit, by digest: it must not name what was erased."""
    desk.record(conn, "erase", digest, {"items": gone.items, "events": gone.events})


def _column(conn: Connection, desk: Desk, query: str, **values: object) -> list[str]:
    return [row[0] for row in conn.execute(SQL[query], {"tenant": desk.tenant, **values})]


def _readable(desk: Desk, keys: Collection[Key]) -> tuple[str, ...]:
    """Those that the steward may read, by their own rights."""
    work, names = desk.work, sorted(keys)
    moment = Moment(desk.now, desk.now, None)
    with reading_as(work.database, work.tenant, work.key, Hearing(desk.principal), moment) as reader:
        sources, ids = [one[0] for one in names], [one[1] for one in names]
        found = reader.rows(_Visible, "erasing", "visible", sources=sources, ids=ids)
    return tuple(f"{one.source}:{one.id}" for one in found)
