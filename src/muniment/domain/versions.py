"""Which of two events of one item is the newer, by the source's own word and never by arrival."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import IntEnum

from muniment.domain.regex import regex

__all__ = ["Form", "Order", "form_of", "orders", "same_version"]

_DECIMAL = regex(r"-?\d{1,100}(?:\.\d{1,100})?\Z", re.ASCII)


class Form(IntEnum):
    """How a version is written. Versions of unlike forms compare by `at`."""

    TIME = 0
    DECIMAL = 1
    BYTES = 2


@dataclass(frozen=True, slots=True, order=True)
class Order:
    """A place in an item's order of versions. Later is newer; a removal comes after what it ties with.

    `label` only keeps versions of unlike forms and one time from tying, which arrival would then decide.
    """

    number: Decimal
    text: bytes
    at: datetime
    removal: bool
    label: str


def form_of(version: str | None) -> Form:
    """The form a version is written in; an absent one is its event's time."""
    if version is None:
        return Form.TIME
    return Form.DECIMAL if _DECIMAL.match(version) else Form.BYTES


def orders(stamps: Iterable[tuple[str | None, datetime, bool]]) -> list[Order]:
    """Places for (version, at, is a removal), all of one item.

    A pairwise rule over mixed forms would have cycles, and a winner that depends on arrival. So where an
    item's versions are not all of one form, all of them compare by time.
    """
    known = list(stamps)
    forms = {form_of(version) for version, _, _ in known}
    if len(forms) > 1:
        return [Order(Decimal(0), b"", at, removal, version or "") for version, at, removal in known]
    return [_order(version, at, removal=removal) for version, at, removal in known]


def _order(version: str | None, at: datetime, *, removal: bool) -> Order:
    match form_of(version):
        case Form.TIME:
            return Order(Decimal(0), b"", at, removal, "")
        case Form.DECIMAL:
            # Equal numbers are one version whatever their times, so `at` only breaks ties between ops.
            return Order(Decimal(version or 0), b"", at, removal, "")
        case Form.BYTES:
            return Order(Decimal(0), (version or "").encode("utf-8", "surrogatepass"), at, removal, "")


def same_version(one: tuple[str | None, datetime], other: tuple[str | None, datetime]) -> bool:
    """Whether two events carry one version: equal numbers, equal text, or, without versions, equal times."""
    forms = form_of(one[0]), form_of(other[0])
    if forms == (Form.DECIMAL, Form.DECIMAL):
        return Decimal(one[0] or 0) == Decimal(other[0] or 0)
    if forms == (Form.TIME, Form.TIME):
        return one[1] == other[1]
    return one[0] == other[0]
