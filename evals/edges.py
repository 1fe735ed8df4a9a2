"""Which document replaces which, and which it requires: the record against the proposals' own header fields.

The fields are read here by a parser of its own. Edges come from a reader's rows, as no door lists them with
the words that made them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path

import muniment
from evals.shared import Report, shared
from muniment.claims.read import ties_around
from muniment.claims.references import Resolved, references_from
from muniment.domain.events import ItemRef
from muniment.domain.record import EdgeRow, ItemRow
from muniment.index.projection import item_uuid
from muniment.view import View

__all__ = ["peps"]

Pair = tuple[int, int]
SOURCE = "peps"
_NUMBER = re.compile(r"\d+")
_CREATED = re.compile(r"(\d{1,2})-(\w{3})-(\d{4})")
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


def peps(org: muniment.Org) -> Report:
    """Replaces, Superseded-By and Requires of 155 proposals, and which of them stands on which day."""
    folder = shared("peps")
    receipt = org.add(folder, source=SOURCE, audience=["*"])
    org.sync()
    fields = {_own(one): one for one in map(_fields, sorted(folder.glob("pep-*.rst")))}
    view = org.reader(org.login)
    with view._reading() as reader:  # no door lists edges with their words
        items = {item_uuid(reader.key, ItemRef(SOURCE, one.id)): one.id for one in receipt.items if one.id}
        declared = reader.rows(EdgeRow, "claims", "ties_of_items", items=sorted(items))
        stated = references_from(reader, list(items))
    wrong: list[str] = []
    replaced = {pair for one in fields.values() for pair in _replaced(one)}
    required = {pair for one in fields.values() for pair in _named(one, "Requires")}
    edges = {_pair(_number(items[row.item]), _number(row.target_id), row.inverse) for row in declared}
    figures = {
        **_figures("declared edges", edges, replaced, wrong),
        **_figures("resolved from the texts", _texts(stated), _within(replaced, fields), wrong),
        **_figures("requires", _cited(stated), _within(required, fields), wrong),
        "superseded or not, by day": _by_day(org, fields, replaced, wrong),
    }
    return Report("edges", "`python -m evals edges`", figures, wrong)


def _figures(
    what: str, said: set[Pair], wanted: set[Pair], wrong: list[str]
) -> Mapping[str, tuple[float, int]]:
    wrong += [f"{what}: missed {pair}" for pair in sorted(wanted - said)]
    wrong += [f"{what}: false {pair}" for pair in sorted(said - wanted)]
    right = float(len(said & wanted))
    return {f"{what}, precision": (right, len(said)), f"{what}, recall": (right, len(wanted))}


def _texts(stated: Sequence[Resolved]) -> set[Pair]:
    """What the texts alone say supersedes what, as (older, newer)."""
    return {
        _pair(_number(one.stater.id), _number(one.target.id), one.inverse)
        for one in stated
        if one.kind == "supersedes"
    }


def _cited(stated: Sequence[Resolved]) -> set[Pair]:
    """What proposals cite in their headers."""
    return {
        (_number(one.stater.id), _number(one.target.id))
        for one in stated
        if one.kind == "cites" and one.cue == "requires"
    }


def _within(pairs: set[Pair], fields: Mapping[int, Mapping[str, str]]) -> set[Pair]:
    """Those of which both are here: a reference to what nobody handed in leads nowhere."""
    return {pair for pair in pairs if pair[0] in fields and pair[1] in fields}


def _pair(stater: int, target: int, inverse: bool) -> Pair:  # noqa: FBT001  # as the row has it
    return (stater, target) if inverse else (target, stater)


def _by_day(
    org: muniment.Org, fields: Mapping[int, Mapping[str, str]], replaced: set[Pair], wrong: list[str]
) -> tuple[float, int]:
    """Whether a proposal is superseded on the day before its first successor was made, and on that day."""
    right = asked = 0
    for older in sorted({older for older, newer in replaced if older in fields and newer in fields}):
        since = min(_created(fields[newer]) for was, newer in replaced if was == older and newer in fields)
        for day, wanted in ((since - timedelta(days=1), False), (since + timedelta(days=1), True)):
            said = _is_superseded(org.reader(org.login, as_of=f"{day}T00:00:00Z"), older)
            asked += 1
            right += said == wanted
            if said != wanted:
                wrong.append(f"PEP {older} on {day}: {'superseded' if said else 'stands'}")
    return float(right), asked


def _is_superseded(view: View, number: int) -> bool:
    with view._reading() as reader:
        item = item_uuid(reader.key, ItemRef(SOURCE, f"pep-{number:04}"))
        rows = reader.rows(ItemRow, "reader", "items", items=[item])
        ties = ties_around(reader, rows)
        return any(
            tie.kind == "supersedes" and tie.target.item == item and tie.since <= reader.moment.as_of
            for tie in ties
        )


def _created(fields: Mapping[str, str]) -> date:
    match = _CREATED.search(fields["Created"])
    assert match is not None
    return date(int(match[3]), _MONTHS.index(match[2]) + 1, int(match[1]))


def _fields(path: Path) -> Mapping[str, str]:
    header = re.sub(r"\n[ \t]+", " ", path.read_text(encoding="utf-8").partition("\n\n")[0])
    return dict(line.split(":", 1) for line in header.split("\n") if ":" in line)


def _own(fields: Mapping[str, str]) -> int:
    return int(fields["PEP"])


def _named(fields: Mapping[str, str], field: str) -> Iterator[Pair]:
    yield from ((_own(fields), int(number)) for number in _NUMBER.findall(fields.get(field, "")))


def _replaced(fields: Mapping[str, str]) -> Iterator[Pair]:
    yield from ((older, own) for own, older in _named(fields, "Replaces"))
    yield from _named(fields, "Superseded-By")


def _number(id_: str) -> int:
    return int(_NUMBER.findall(id_)[0])
