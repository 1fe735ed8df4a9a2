"""Statements, items and ties built by hand, for tests of what they add up to."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import NAMESPACE_URL, UUID, uuid5

from muniment.claims.claim import Claim, Statement, Tie, Ties
from muniment.claims.reconcile import reconcile
from muniment.domain.record import AssertionRow, ItemRow

KEY = b"k" * 32
NOW = datetime(2026, 12, 1, tzinfo=UTC)


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def uuid(*parts: str) -> UUID:
    return uuid5(NAMESPACE_URL, "/".join(parts))


def item(name: str, **changes: object) -> ItemRow:
    at = day("2026-01-10")
    row = ItemRow(
        item=uuid("item", name),
        source="policies",
        id=name,
        state="live",
        kind="document",
        title=name,
        author=f"user:{name}",
        author_name=None,
        at=at,
        created_at=at,
        version=None,
        container=None,
        thread=None,
        account=None,
        project=None,
        service=None,
        url=None,
        status=None,
        valid_from=None,
        valid_to=None,
        trust="member",
        authority="owner",
    )
    return replace(row, **changes)  # type: ignore[arg-type]


def said(where: ItemRow, value: str | None, **changes: object) -> Statement:
    """A statement about the hotel limit of the travel policy, unless told otherwise."""
    entity = changes.pop("entity", "travel policy")
    text = str(changes.get("statement", f"{where.id} says the limit is {value}."))
    row = AssertionRow(
        assertion=uuid("assertion", where.id, text),
        item=where.item,
        kind="policy",
        level="exact",
        statement=text,
        entity=None if entity is None else str(entity),
        attribute=None if entity is None else "hotel limit",
        qualifier=None,
        value=value,
        quotes=[[str(uuid("passage", where.id)), 0, 5]],
        stated_by=where.author,
        stated_at=where.at,
        valid_from=where.valid_from,
        valid_to=where.valid_to,
        known_from=where.at,
        known_to=None,
        authority=where.authority,
        trust=where.trust,
        status="active",
    )
    row = replace(row, **changes)  # type: ignore[arg-type]
    return Statement(row, where, row.entity)


def supersedes(actor: ItemRow, target: ItemRow) -> Tie:
    return Tie("supersedes", actor, target)


def amends(actor: ItemRow, target: ItemRow) -> Tie:
    return Tie("amends", actor, target)


def claims(statements: Sequence[Statement], *ties: Tie, as_of: datetime = NOW) -> dict[str | None, Claim]:
    """The claims by their value; a test that expects two of one value asks `reconcile` itself."""
    made = reconcile(statements, Ties(frozenset(ties)), as_of, key=KEY)
    assert len({claim.value for claim in made}) == len(made)
    return {claim.value: claim for claim in made}


def later(at: datetime, days: int) -> datetime:
    return at + timedelta(days=days)
