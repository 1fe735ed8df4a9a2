"""The tree as it is, held to the budgets."""

from collections.abc import Callable
from pathlib import Path
from statistics import median

import pytest

from tests.shape import budgets, source, statements, tree
from tests.shape.report import lengths
from tests.shape.source import Source

Check = Callable[[Source], list[str]]


def assert_none(faults: list[str]) -> None:
    assert not faults, "\n" + "\n".join(faults)


@pytest.mark.parametrize(
    "check",
    [
        source.module_length,
        source.function_length,
        source.parameters,
        source.nesting,
        source.broad_except,
        source.environment,
        source.clock_and_chance,
        source.reading_rooms,
        source.surfaces,
        source.built_sql,
        source.banned_names,
    ],
    ids=lambda check: check.__name__,
)
def test_our_source_keeps_its_shape(check: Check) -> None:
    assert_none([fault for module in tree.package_sources() for fault in check(module)])


@pytest.mark.parametrize(
    "check",
    [source.module_length, source.function_length, source.sleeping, source.mocking, source.patching],
    ids=lambda check: check.__name__,
)
def test_our_tests_keep_their_shape(check: Check) -> None:
    assert_none([fault for module in tree.test_sources() for fault in check(module)])


def test_most_functions_are_short() -> None:
    lines = [count for count, _ in lengths(tree.package_sources())]

    assert median(lines) <= budgets.MEDIAN_FUNCTION_LINES


def test_sql_keywords_are_lowercase() -> None:
    assert_none(
        [fault for name, sql in tree.sql_files() for fault in statements.lowercase_keywords(name, sql)]
    )


def test_sql_names_its_columns() -> None:
    assert_none([fault for name, sql in tree.sql_files() for fault in statements.select_star(name, sql)])


def test_every_statement_in_a_query_file_has_a_name() -> None:
    assert_none([fault for name, sql in tree.sql_files("queries") for fault in statements.unnamed(name, sql)])


def test_every_statement_in_a_query_file_is_used() -> None:
    modules = tree.package_sources()

    assert_none(
        [
            fault
            for name, sql in tree.sql_files("queries")
            for fault in statements.unused(Path(name).stem, sql, modules)
        ]
    )


def test_every_statement_says_whose_rows_it_touches() -> None:
    tenants = statements.tenant_tables(schema())

    assert_none(
        [
            fault
            for name, sql in tree.sql_files("queries")
            for fault in statements.without_tenant(name, sql, tenants)
        ],
    )


def test_every_key_leads_with_tenant() -> None:
    assert_none(statements.keys_without_tenant(schema()))


def test_the_schema_was_read() -> None:
    assert statements.tables(schema())


def schema() -> str:
    return (source.PACKAGE / "sql" / "schema.sql").read_text(encoding="utf-8")


def test_every_room_says_what_it_never_does() -> None:
    assert_none([fault for room in tree.rooms(source.PACKAGE) for fault in tree.room_without_story(room)])


@pytest.mark.parametrize(
    "check", [tree.machine_paths, tree.registry_hosts, tree.banned_words, tree.dead_links]
)
def test_the_repository_speaks_of_the_project_alone(check: Callable[[str, str], list[str]]) -> None:
    assert_none(
        [fault for name in tree.tracked() if (text := tree.text_of(name)) for fault in check(name, text)]
    )
