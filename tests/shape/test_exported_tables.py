"""Every table is exported, made anew, or left out with a reason; a new one that nobody declared is found."""

from __future__ import annotations

import re

from muniment.export.tables import BEGUN_WITH, CANONICAL, DERIVED, LEFT
from muniment.jobs import rebuild
from tests.shape import source, statements

SCHEMA = (source.PACKAGE / "sql" / "schema.sql").read_text(encoding="utf-8")


def undeclared(schema: str) -> set[str]:
    tables = {table.name for table in statements.tables(schema)} - {"schema_version"}
    return tables ^ {*CANONICAL, *DERIVED, *LEFT}


def test_every_table_is_declared_once() -> None:
    assert undeclared(SCHEMA) == set()
    assert len(CANONICAL) + len(DERIVED) + len(LEFT) == len({*CANONICAL, *DERIVED, *LEFT})


def test_a_table_that_nobody_declared_is_found() -> None:
    assert undeclared(SCHEMA + "\ncreate table muniment.diary (tenant text, primary key (tenant));") == {
        "diary"
    }


def out_of_order(schema: str, order: tuple[str, ...]) -> list[str]:
    """Foreign keys that lead to a table which is restored later."""
    found = []
    for made in re.finditer(r"create table muniment\.(\w+) \((.*?)\n\)", schema, re.DOTALL):
        targets = re.findall(r"references muniment\.(\w+)", made[2])
        found += [f"{made[1]} to {one}" for one in targets if order.index(one) > order.index(made[1])]
    return found


def test_what_a_foreign_key_leads_to_is_restored_first() -> None:
    assert out_of_order(SCHEMA, CANONICAL) == []
    assert out_of_order(SCHEMA, CANONICAL[::-1]) != []


def test_what_is_said_to_be_made_anew_is_compared_after_a_rebuild() -> None:
    compared = {*rebuild._TABLES, "posting_segment", "posting_block"}

    assert compared >= DERIVED
    assert compared - DERIVED <= {"posting_size"}


def test_what_an_empty_organisation_holds_is_exported_too() -> None:
    assert set(CANONICAL) >= BEGUN_WITH
