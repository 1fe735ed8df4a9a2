"""Tokens end with whom they stand for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from muniment.app import Org
from muniment.domain.principals import Bearer
from muniment.gate.binding import writing
from tests.worlds import Clock, open_org, person, said, taken


@pytest.fixture
def org(url: str, tenant: str, clock: Clock) -> Iterator[Org]:
    with open_org(url, tenant, clock) as org:
        ann = person("user:ann", name="Ann Quill", emails=["ann@corp.example"], aliases=["slack:U1"])
        taken(org, [ann, person("user:bo"), said("m1", "The pier is closed.", author="user:ann")])
        yield org


def tokens_left(org: Org) -> str:
    with writing(org._work.database, org.tenant) as conn:
        sql = "select coalesce(jsonb_agg(to_jsonb(t))::text, '') from muniment.token t where t.tenant = %s"
        return str((conn.execute(sql, [org.tenant]).fetchone() or ("",))[0])


def test_whoever_is_erased_comes_through_no_more_and_no_token_says_their_name(org: Org) -> None:
    made = [
        org.tokens.create("user:ann"),
        org.tokens.create("user:ann", agent="agent:quill-laptop"),
        org.tokens.create("user:ann@corp.example"),
        org.tokens.create("user:slack:U1"),
    ]
    other = org.tokens.create("user:bo")

    org.steward("user:owner").erase("user:ann")

    assert [org.tokens.bearer(one.token) for one in made] == [None] * len(made)
    assert org.tokens.bearer(other.token) == Bearer("user:bo")
    assert not any(word in tokens_left(org) for word in ("ann", "quill", "U1"))


@pytest.mark.parametrize("gone", ["user:ann", "agent:laptop"])
def test_whoever_is_deactivated_comes_through_no_more(org: Org, clock: Clock, gone: str) -> None:
    made = org.tokens.create("user:ann", agent="agent:laptop")
    before = org.tokens.bearer(made.token)
    clock.forward(hours=1)

    taken(org, [person(gone, 1, standing="deactivated")])

    assert before == Bearer("user:ann", "agent:laptop")
    assert org.tokens.bearer(made.token) is None


@pytest.mark.parametrize("named", ["user:ann", "ann@corp.example", "ANN@corp.example", "slack:U1"])
def test_an_issuers_word_on_whoever_was_deactivated_counts_for_nothing(org: Org, named: str) -> None:
    before = org.tokens.resolved(Bearer(named))

    taken(
        org,
        [person("user:ann", 1, standing="deactivated", emails=["ann@corp.example"], aliases=["slack:U1"])],
    )

    assert before == Bearer("user:ann")
    assert org.tokens.resolved(Bearer(named)) is None
    assert org.tokens.resolved(Bearer("new@corp.example")) == Bearer("new@corp.example")


def test_an_address_that_went_to_somebody_new_is_theirs(org: Org) -> None:
    taken(
        org,
        [
            person("user:ann", 1, standing="deactivated", emails=[]),
            person("user:ann2", 2, emails=["ann@corp.example"]),
        ],
    )

    assert org.tokens.resolved(Bearer("ann@corp.example")) == Bearer("user:ann2")
