"""The organisation's alias file: other words for one thing, for those who may know of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from muniment.app import Org
from muniment.domain.errors import Malformed, Refused, Usage
from tests.naming import ALIASES, acme_org, crm, stated
from tests.worlds import Clock, at, person, said, taken


@pytest.fixture
def org(url: str, tenant: str, clock: Clock) -> Iterator[Org]:
    with acme_org(url, tenant, clock) as org:
        yield org


def test_a_question_in_one_wording_finds_text_in_another(org: Org) -> None:
    taken(org, [said("p1", "The fix for connection pool exhausted is to raise maxPoolSize to 40.")])
    before = org.reader("user:cy").ask("What is the fix for 连接池耗尽?")
    org.steward("user:owner").set_aliases(ALIASES)
    view = org.reader("user:cy")

    answers = [view.ask(f"What is the fix for {name}?") for name in ("连接池耗尽", "pool  Exhaustion")]

    assert before.state != "answered"
    assert all("maxPoolSize" in answer.text for answer in answers)
    assert [hit.item for hit in view.search("连接池耗尽")] == ["p1"]


def test_more_words_for_a_thing_make_a_text_count_for_no_more(org: Org) -> None:
    """Who says it in two wordings matches no better than who says it in the one that was asked."""
    taken(
        org,
        [
            said("p1", "Notes on pool exhaustion and Kafka lag"),
            said("p2", "Notes on connection pool exhausted, pool exhaustion, pool exhaustion, no Kafka"),
        ],
    )
    view = org.reader("user:cy")
    plain = {hit.item: hit.score for hit in view.search("Kafka lag")}
    org.steward("user:owner").set_aliases(ALIASES)

    assert {hit.item: hit.score for hit in view.search("Kafka lag")} == plain
    assert view.search("pool exhaustion Kafka lag")[0].item == "p1"


def test_an_alias_leads_to_what_it_means_and_is_about_it(org: Org) -> None:
    taken(org, [said("p1", "The rate limit of 结账服务 is 600.", service="checkout")])
    org.steward("user:owner").set_aliases(ALIASES)
    view = org.reader("user:cy")

    assert view.page("kasse") == view.page("checkout")
    assert stated(view, "checkout") == {"The rate limit of 结账服务 is 600."}


def test_aliases_that_conflict_stay_ambiguous(org: Org) -> None:
    taken(org, [crm("a-1", "Acme GmbH", aliases=["blue"]), crm("a-2", "Bluebird Ltd", aliases=[])])
    org.steward("user:owner").set_aliases("aliases: [{means: Bluebird Ltd, names: [blue]}]")

    with pytest.raises(Usage, match="Acme GmbH or Bluebird Ltd"):
        org.reader("user:cy").page("blue")


def test_an_alias_is_for_its_audience(org: Org) -> None:
    taken(org, [said("p1", "The fix for connection pool exhausted is to raise maxPoolSize to 40.")])
    ann = org.reader("user:ann", as_of=at(1000))
    before = [ann.ask("What is the fix for pool exhaustion?"), ann.pages(), ann.search("kasse")]
    org.steward("user:owner").set_aliases("audience: [group:board]\n" + ALIASES)

    after = [ann.ask("What is the fix for pool exhaustion?"), ann.pages(), ann.search("kasse")]

    assert after == before
    assert "kasse" in org.steward("user:owner").entity("checkout").names


def test_what_the_file_said_is_still_known_then(org: Org, clock: Clock) -> None:
    taken(org, [said("p1", "The rate limit of checkout is 600.", service="checkout")])
    desk = org.steward("user:owner")
    desk.set_aliases(ALIASES)
    then = clock.at
    clock.forward(hours=1)
    desk.set_aliases("aliases: []")

    assert org.reader("user:cy", known_at=then).page("kasse").title == "checkout"
    with pytest.raises(Refused):
        org.reader("user:cy").page("kasse")


def test_a_steward_replaces_only_what_they_may_know_of(org: Org) -> None:
    taken(org, [person("user:sam")])
    org.steward("user:owner").grant_role("user:sam", "steward")
    org.steward("user:owner").set_aliases("audience: [group:board]\n" + ALIASES)

    assert org.steward("user:sam").aliases() == []
    org.steward("user:sam").set_aliases("aliases: [{means: Acme, names: [AC]}]")

    assert {one.means for one in org.steward("user:owner").aliases()} == {
        "Acme",
        "checkout",
        "connection pool exhausted",
    }


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("", "the alias file is empty: it begins with aliases:"),
        ("aliases: [", "no YAML: line 1"),
        ("names: []", "line 1, file: field 'names' is unknown: use audience, aliases"),
        ("aliases:\n - means: x1\n", r"line 2, file.aliases\[1\]: field 'names' is missing"),
        ("aliases:\n - means: ab\n   names: [AB]\n", "line 3.*'AB' is what it means already"),
        ("aliases:\n - means: ab\n   names: [cd, Cd]\n", "line 3.*'Cd' is given as 'cd' already"),
        ("aliases:\n - means: ab\n   names: [c]\n", "line 3.*'c' can be no name"),
        ("aliases:\n - means: ab\n   kind: firm\n   names: [cd]\n", "line 3.*'firm' is unknown: use account"),
        ("aliases:\n - means: ab\n   names: [cd]\n   audience: []\n", "line 4.*not empty"),
        ("aliases:\n - means: ab\n   names: [cd]\n   audience: [ann]\n", "line 4.*'ann' names nobody"),
        ("aliases:\n - means: ab\n   names: [cd]\n - means: AB\n   names: [ef]\n", "line 4.*entry on line 2"),
        (
            "aliases:\n - means: ab\n   names: [cd]\n   audience: [group:sales]\n",
            "line 2: 'user:owner' is not in",
        ),
    ],
)
def test_a_bad_file_is_told_what_is_wrong_and_where(org: Org, content: str, fault: str) -> None:
    with pytest.raises(Malformed, match=fault):
        org.steward("user:owner").set_aliases(content)

    assert org.steward("user:owner").aliases() == []
