"""Where statements would run on a PostgreSQL distributed by tenant, and that the reading of them can fail."""

from __future__ import annotations

import pytest

from tests.shape.shards import PAGE, page, place_of, places

TENANTS = ("item", "passage")


def test_the_page_of_shards_is_current() -> None:
    """`python -m tests.shape.shards > docs/operations/shards.md`."""
    assert page(places()) == PAGE.read_text(encoding="utf-8")


def test_only_lists_of_rows_are_not_bound_by_their_words() -> None:
    unbound = {
        f"{room}.{name}" for room, all_ in places().items() for name, one in all_.items() if one.unbound
    }

    assert unbound == {
        "events.insert_quarantine",
        "events.write_events",
        "writer.insert",
        "writer.insert_said",
    }


def whole(sql: str) -> str:
    """A statement that was written short."""
    return sql.replace("ME", "%(tenant)s").replace("o.", "muniment.")


@pytest.mark.parametrize(
    "sql",
    [
        "select id from o.item where tenant = ME",
        "select i.id from o.item i where i.tenant = ME",
        "select i.id from o.item as i join o.passage p on p.tenant = i.tenant where i.tenant = ME",
        "select i.id from o.item i where i.tenant = ME and exists (select from o.passage where tenant = ME)",
        "with a as (select i.id from o.item i where i.tenant = ME) select a.id from a",
        "select id from o.item where tenant = ME union select id from o.passage where tenant = ME",
        "insert into o.item (tenant, id) values (ME, %(id)s)",
        "insert into o.item (tenant, id) select i.tenant, i.id from o.item i where i.tenant = ME",
        "update o.item t set id = 1 from unnest(%(ids)s::text[]) as n (id) where t.tenant = ME",
        "delete from o.item t using o.passage p where t.tenant = ME and p.tenant = t.tenant",
    ],
)
def test_a_statement_that_says_whose_rows_it_means_stays_on_one_shard(sql: str) -> None:
    assert place_of(whole(sql), TENANTS).kind == "one shard"


@pytest.mark.parametrize(
    ("sql", "unbound"),
    [
        ("select id from o.item", "item"),
        (
            "select i.id from o.item i join o.passage p on p.id = i.id where i.tenant = ME",
            "passage",
        ),
        ("select i.id from o.item i, o.passage p where i.tenant = ME", "passage"),
        (
            "select i.id from o.item i where i.tenant = ME and exists (select from o.passage p)",
            "passage",
        ),
        (
            "select id from o.item where tenant = ME union select id from o.passage",
            "passage",
        ),
        (
            "select m.id from (select tenant, id from o.item) as m where m.tenant = ME",
            "item",
        ),
        (
            "with a as (select i.id from o.item i) select 1 from o.passage i where i.tenant = ME",
            "item",
        ),
        ("insert into o.item (id, tenant) values (%(id)s, ME)", "item"),
        ("insert into o.item (tenant, id) values ('acme', ME)", "item"),
        ("insert into o.item (tenant, id) select n.tenant, n.id from n", "item"),
        ("update o.item set id = 1 where id = ME", "item"),
    ],
)
def test_a_statement_that_does_not_is_found(sql: str, unbound: str) -> None:
    assert place_of(whole(sql), TENANTS).unbound == (unbound,)


def test_a_statement_without_a_tenants_table_is_the_coordinators() -> None:
    assert place_of("select muniment.item(1), pg_advisory_xact_lock(2)", TENANTS).kind == "coordinator"
    assert place_of("select pg_advisory_xact_lock(2)", TENANTS).locks
