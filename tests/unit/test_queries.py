"""Named statements: what the files may hold, and what the loader refuses."""

from importlib.resources import files

import pytest

from muniment.store.queries import load, parse

LONGEST_KEPT = 4_096  # characters: psycopg keeps how a statement reads up to here
ROOMS = sorted(
    path.name.removesuffix(".sql")
    for path in (files("muniment") / "sql" / "queries").iterdir()
    if path.name.endswith(".sql")
)


@pytest.mark.parametrize("room", ROOMS)
def test_every_shipped_file_has_unique_lowercase_names(room: str) -> None:
    statements = load(room)

    assert statements
    assert all(name == name.lower() and text for name, text in statements.items())


def test_a_statement_goes_without_what_is_said_above_it() -> None:
    statements = parse(
        "x.sql", "-- about the file\n\n-- name: one\n-- Why.\nselect 1;\n\n-- name: two\nselect 2;\n"
    )

    assert dict(statements) == {"one": "select 1;", "two": "select 2;"}


def test_a_statement_goes_without_the_shape_it_is_written_in() -> None:
    statements = parse("x.sql", "-- name: one\nselect a\n  from t\n where a = '  b';\n")

    assert dict(statements) == {"one": "select a\nfrom t\nwhere a = '  b';"}


@pytest.mark.parametrize("room", ROOMS)
def test_no_statement_is_so_long_that_it_is_looked_over_for_every_call(room: str) -> None:
    assert all(len(text) <= LONGEST_KEPT for text in load(room).values())


def test_an_unknown_name_names_the_file() -> None:
    with pytest.raises(KeyError, match=r"'absent' in sql/queries/store\.sql"):
        load("store")["absent"]


def test_a_name_used_twice_is_refused() -> None:
    with pytest.raises(ValueError, match=r"'one' is used twice in x\.sql"):
        parse("x.sql", "-- name: one\nselect 1;\n-- name: one\nselect 2;\n")


@pytest.mark.parametrize("name", ["One", "two words", "", "1st"])
def test_a_name_that_is_no_lowercase_identifier_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="is not lowercase"):
        parse("x.sql", f"-- name: {name}\nselect 1;\n")


def test_a_file_is_read_once() -> None:
    assert load("store") is load("store")
