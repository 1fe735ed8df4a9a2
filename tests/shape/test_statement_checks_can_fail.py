"""Each check on SQL files, shown a small fault it must find and a near miss it must let pass."""

import pytest

from tests.shape import statements
from tests.shape.source import Source

GOOD = """
-- What an organisation knows; SELECT in a comment is nobody's keyword.
create table schema_version (version integer primary key);
create table tenant (tenant text primary key);
create table source (
  tenant text not null references tenant,
  id     text not null check (id <> 'a, (b'),
  kind   numeric(4, 2),
  primary key (tenant, id)
);
create table item (
  tenant text not null,
  id     bytea not null,
  source text not null,
  valid  tstzrange not null,
  constraint item_key primary key (tenant, id),
  unique nulls not distinct (tenant, source, id),
  foreign key (tenant, source) references source (tenant, id),
  exclude using gist (tenant with =, id with =, valid with &&)
);
create unique index item_source on item using btree (tenant, source) where id is not null;
create index item_kind on item (source);
alter table item add constraint item_once unique (tenant, valid);
"""


def test_a_schema_whose_keys_lead_with_tenant_passes() -> None:
    assert statements.keys_without_tenant(GOOD) == []
    assert statements.tenant_tables(GOOD) == {"tenant", "source", "item"}


@pytest.mark.parametrize(
    ("was", "becomes"),
    [
        ("constraint item_key primary key (tenant, id)", "constraint item_key primary key (id, tenant)"),
        ("constraint item_key primary key (tenant, id),", ""),
        ("unique nulls not distinct (tenant, source, id)", "unique nulls not distinct (source, id)"),
        ("foreign key (tenant, source)", "foreign key (source, tenant)"),
        ("exclude using gist (tenant with =, id with =", "exclude using gist (id with ="),
        ("on item using btree (tenant, source)", "on item using btree (source)"),
        ("unique (tenant, valid)", "unique (valid)"),
        ("kind   numeric(4, 2)", "kind   numeric(4, 2) unique"),
        ("source text not null,\n  valid", "source text not null references source,\n  valid"),
        ("tenant text primary key", "id text primary key"),
    ],
)
def test_a_key_that_does_not_lead_with_tenant_is_found(was: str, becomes: str) -> None:
    assert was in GOOD

    assert statements.keys_without_tenant(GOOD.replace(was, becomes))


def test_columns_and_keys_are_read_apart() -> None:
    item = next(table for table in statements.tables(GOOD) if table.name == "item")

    assert item.columns == ("tenant", "id", "source", "valid")
    assert [key.sort for key in item.keys] == [
        "primary key",
        "unique",
        "foreign key",
        "exclude",
        "unique index",
        "unique",
    ]


def test_an_unclosed_parenthesis_is_said() -> None:
    with pytest.raises(ValueError, match="unclosed"):
        statements.tables("create table item (id text")


QUERIES = """
-- name: find_item
-- One item. FROM here on, comments may shout.
select id from item where tenant = %(tenant)s and id = %(id)s;

-- name: now
select clock.now() as at, 'SELECT' as word;
"""


def test_a_query_file_in_order_passes() -> None:
    assert statements.without_tenant("q.sql", QUERIES, {"item"}) == []
    assert statements.lowercase_keywords("q.sql", QUERIES) == []
    assert statements.select_star("q.sql", QUERIES) == []
    assert statements.unnamed("q.sql", QUERIES) == []


@pytest.mark.parametrize(
    "sql",
    [
        "select id from item where id = %(id)s",
        "select a.id from source a join item b on a.id = b.source",
        "insert into item (id) values (%(id)s)",
        "update item set kind = 'tenant' where id = %(id)s",
        "delete from public.item -- of one tenant",
        "select 1 from job, item",
    ],
)
def test_a_statement_that_never_says_whose_is_found(sql: str) -> None:
    assert statements.without_tenant("q.sql", f"-- name: one\n{sql}", {"item"})


@pytest.mark.parametrize("sql", ["SELECT 1", "select 1 WHERE true", "create table a (b text PRIMARY KEY)"])
def test_an_uppercase_keyword_is_found(sql: str) -> None:
    assert statements.lowercase_keywords("q.sql", sql)


@pytest.mark.parametrize(
    "sql",
    ["select * from a", "select a.* from a", "select b, a.* from a", "insert into a values (1) returning *"],
)
def test_a_select_that_names_no_columns_is_found(sql: str) -> None:
    assert statements.select_star("q.sql", sql)


@pytest.mark.parametrize(
    "sql", ["select count(*) from a", "select a * b from c", "select 2 * 3", "select 1 /* select * from a */"]
)
def test_a_star_that_is_not_a_column_list_passes(sql: str) -> None:
    assert statements.select_star("q.sql", sql) == []


def test_a_statement_without_a_name_is_found() -> None:
    assert statements.unnamed("q.sql", "select 1;\n-- name: two\nselect 2;")


@pytest.mark.parametrize(
    "module",
    [
        'SQL = load("items")\nconn.execute(SQL["find_item"], values)',
        'reader.rows(ItemRow, "items", "find_item", id=1)',
        'SQL = load("items")\nfor noun in ("item",):\n    conn.execute(SQL[f"find_{noun}"])',
    ],
)
def test_a_statement_that_a_module_names_passes(module: str) -> None:
    query = "-- name: find_item\nselect 1;"

    assert statements.unused("items", query, [Source.parse("jobs/one.py", module)]) == []


@pytest.mark.parametrize(
    "module",
    [
        'SQL = load("items")  # find_item',
        'SQL = load("pages")\nconn.execute(SQL["find_item"])',
        'SQL = load("items")\nfor noun in ("page",):\n    conn.execute(SQL[f"find_{noun}"])',
    ],
)
def test_a_statement_that_no_module_names_is_found(module: str) -> None:
    query = "-- name: find_item\nselect 1;"

    assert statements.unused("items", query, [Source.parse("jobs/one.py", module)])
