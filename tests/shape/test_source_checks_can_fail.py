"""Each check on Python source, shown a small fault it must find and a near miss it must let pass."""

from collections.abc import Callable
from textwrap import dedent

import pytest

from tests.shape import budgets, source
from tests.shape.source import Source


def faults(check: Callable[[Source], list[str]], text: str, name: str = "items/versions.py") -> list[str]:
    return check(Source.parse(name, dedent(text)))


def body(lines: int, first: str = "def f():") -> str:
    return first + "\n" + "    x = 1\n" * lines


def test_a_module_longer_than_the_budget_is_found() -> None:
    assert faults(source.module_length, "x = 1\n" * (budgets.MODULE_LINES + 1))
    assert not faults(source.module_length, "x = 1\n" * budgets.MODULE_LINES)


def test_a_function_longer_than_a_screen_is_found() -> None:
    assert faults(source.function_length, body(budgets.FUNCTION_LINES))
    assert faults(source.function_length, body(budgets.FUNCTION_LINES, "async def f():"))
    assert not faults(source.function_length, body(budgets.FUNCTION_LINES - 1))


def test_a_docstring_does_not_count_as_length() -> None:
    docstring = '    """' + "words\n" * budgets.FUNCTION_LINES + '    """\n'

    assert not faults(source.function_length, "def f():\n" + docstring + "    return 1\n")


@pytest.mark.parametrize(
    "signature",
    ["a, b, c, d, e, f, g", "a, b, c, d, e, f, *, g", "self, a, b, c, d, e, f, g", "a, b, c, d, e, *f, **g"],
)
def test_a_seventh_parameter_is_found(signature: str) -> None:
    assert faults(source.parameters, f"def f({signature}): ...")


def test_self_is_not_a_parameter_and_reasons_are_honoured() -> None:
    assert not faults(source.parameters, "def f(self, a, b, c, d, e, f): ...")
    assert not faults(source.parameters, "def search(self, a, b, c, d, e, f, *, g): ...")
    assert not faults(source.parameters, "def ask(a, b, c, d, e, f, g, h): ...", "surfaces/cli.py")


def test_a_fourth_level_is_found() -> None:
    deep = """
        def f(rows):
            for row in rows:
                if row:
                    with row:
                        while row:
                            row = None
        """

    assert faults(source.nesting, deep)


def test_a_level_hidden_in_a_handler_a_case_or_an_else_is_found() -> None:
    hidden = """
        def f(row):
            try:
                return row
            except ValueError:
                match row:
                    case 1:
                        for x in row:
                            pass
                        else:
                            if x:
                                return 1
        """

    assert faults(source.nesting, hidden)


def test_a_chain_of_elifs_is_one_level() -> None:
    chain = "def f(x):\n    if x == 0:\n        return 0\n"
    chain += "".join(f"    elif x == {n}:\n        return {n}\n" for n in range(1, 9))

    assert not faults(source.nesting, chain)


@pytest.mark.parametrize(
    "caught",
    ["except Exception:", "except:", "except BaseException as e:", "except (ValueError, Exception):"],
)
def test_a_broad_except_is_found_outside_its_two_places(caught: str) -> None:
    text = f"try:\n    x = 1\n{caught}\n    pass\n"

    assert faults(source.broad_except, text)
    assert not faults(source.broad_except, text, "app.py")
    assert not faults(source.broad_except, text, "jobs/worker.py")
    assert not faults(source.broad_except, text.replace(caught, "except (ValueError, KeyError):"))


@pytest.mark.parametrize(
    "text",
    [
        "import os\nx = os.environ['A']",
        "import os as o\nx = o.getenv('A')",
        "from os import environ\nx = environ",
        "from os import getenv as g\nx = g('A')",
    ],
)
def test_reading_the_environment_is_found_outside_settings(text: str) -> None:
    assert faults(source.environment, text)
    assert not faults(source.environment, text, "settings.py")


@pytest.mark.parametrize(
    "text",
    [
        "from datetime import datetime, UTC\nx = datetime.now(UTC)",
        "import datetime as dt\nx = dt.datetime.now(dt.UTC)",
        "from uuid import uuid4\nx = uuid4()",
        "import random\nx = random.random()",
        "import time\nx = time.time()",
    ],
)
def test_the_clock_and_chance_are_found_in_a_room(text: str) -> None:
    assert faults(source.clock_and_chance, text)
    assert not faults(source.clock_and_chance, text, "app.py")


def test_a_clock_given_as_an_argument_passes() -> None:
    assert not faults(source.clock_and_chance, "def f(clock):\n    return clock.now()\n")
    assert not faults(source.clock_and_chance, "import random\nchance = random.Random(7)\n")


@pytest.mark.parametrize(
    "text",
    [
        "import psycopg",
        "from psycopg import sql",
        "from muniment.store import pool",
        "from muniment import store",
        "import muniment.store.pool",
    ],
)
def test_a_reading_room_with_a_connection_is_found(text: str) -> None:
    assert faults(source.reading_rooms, text, "pages/render.py")
    assert faults(source.reading_rooms, text, "claims.py")
    assert not faults(source.reading_rooms, text, "items/versions.py")


def test_a_reading_room_with_a_reader_passes() -> None:
    assert not faults(source.reading_rooms, "from muniment.gate import Reader", "pages/render.py")
    assert not faults(source.reading_rooms, "from muniment.storeroom import x", "pages/render.py")


@pytest.mark.parametrize(
    "text",
    [
        "from muniment.gate import Reader",
        "import muniment.index.blocks",
        "from muniment import domain, index",
    ],
)
def test_a_surface_that_reaches_into_a_room_is_found(text: str) -> None:
    assert faults(source.surfaces, text, "surfaces/cli.py")
    assert not faults(source.surfaces, text, "gate/reader.py")


@pytest.mark.parametrize(
    "text", ["import muniment", "from muniment import open", "from muniment.app import Org", "import typer"]
)
def test_a_surface_that_asks_the_application_passes(text: str) -> None:
    assert not faults(source.surfaces, text, "surfaces/cli.py")


@pytest.mark.parametrize(
    "text",
    [
        "c.execute(f'select {x} from item')",
        "c.execute('update item set a = %s' % x)",
        "c.execute('delete from ' + table)",
        "c.execute('select a from {}'.format(x))",
        "c.executemany(f'insert into {x} values (1)', rows)",
        "c.execute(f'set role {role}')",
        "c.copy(f'copy {x} from stdin')",
        "statement = f'select a from item where b = {x}'",
        "statement = f'with a as (select 1) delete from {x}'",
        "c.execute(' '.join(['select a', 'from item', where]))",
        "c.execute('select a from item' + (' where b' if x else ''))",
    ],
)
def test_sql_built_from_strings_is_found(text: str) -> None:
    assert faults(source.built_sql, text)


@pytest.mark.parametrize(
    "text",
    [
        "c.execute('select a from item where b = %(b)s', {'b': 1})",
        "c.execute('select a '\n 'from item')",
        "c.execute(sql.SQL('create role {}').format(sql.Identifier(x)))",
        "raise ValueError(f'cannot update {x!r}: select another')",
        "c.execute(query['find_item'], {'id': x})",
        "reason = f'a superuser must run: alter role {x} nosuperuser; delete from {y}'",
        "left = 5 % 3 + total",
    ],
)
def test_constant_sql_and_plain_sentences_pass(text: str) -> None:
    assert not faults(source.built_sql, text)


@pytest.mark.parametrize(
    "text",
    [
        "class AudienceManager: ...",
        "def handler(): ...",
        "def f(helper): ...",
        "job_handler = 1",
        "self.sql_engine = 1",
        "def process(): ...",
        "class Data: ...",
    ],
)
def test_an_empty_name_is_found(text: str) -> None:
    assert faults(source.banned_names, text)


def test_an_empty_module_name_is_found() -> None:
    assert faults(source.banned_names, "", "items/utils.py")
    assert faults(source.banned_names, "", "items/text_helpers.py")


@pytest.mark.parametrize(
    "text",
    [
        "from contextlib import contextmanager",
        "process = start()",
        "def handle_of(x): ...",
        "class Reader: ...",
    ],
)
def test_a_name_that_says_something_passes(text: str) -> None:
    assert not faults(source.banned_names, text)


@pytest.mark.parametrize(
    "text", ["import time\ntime.sleep(1)", "from time import sleep\nsleep(1)", "import time as t\nt.sleep(1)"]
)
def test_a_sleeping_test_is_found(text: str) -> None:
    assert faults(source.sleeping, text)


@pytest.mark.parametrize(
    "text",
    ["from unittest import mock", "import unittest.mock", "from unittest.mock import patch", "import mock"],
)
def test_a_mock_is_found(text: str) -> None:
    assert faults(source.mocking, text)
    assert not faults(source.mocking, "import unittest")


@pytest.mark.parametrize(
    "text",
    [
        "monkeypatch.setattr('muniment.items.versions.cut', f)",
        "from muniment.items import versions\nmonkeypatch.setattr(versions, 'cut', f)",
        "import muniment\nmonkeypatch.setattr(muniment.items.versions, 'cut', f)",
        "from muniment.items import versions\nversions.cut = f",
    ],
)
def test_replacing_our_own_code_is_found(text: str) -> None:
    assert faults(source.patching, text)


@pytest.mark.parametrize(
    "text",
    ["monkeypatch.setenv('A', 'b')", "monkeypatch.setattr('sys.argv', [])", "import sys\nsys.argv = []"],
)
def test_patching_what_is_not_ours_passes(text: str) -> None:
    assert not faults(source.patching, text)
