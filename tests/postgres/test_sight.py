"""A reader is told of which kinds of thing it can see any; what others hold of them is none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from muniment.app import Org
from muniment.gate.sight import Sight
from tests.naming import ALIASES, acme_org
from tests.worlds import Clock, open_org, outside, person, said, taken

NOTHING = Sight(echoes=False, aliases=False, references=False, ties=False, decisions=False, vectors=False)
HIDDEN = {"audience": [["user:bo"]]}


def sight(org: Org, who: str) -> Sight:
    with org.reader(who)._reading() as reader:
        return replace(reader.sight, vectors=False)  # of the database, whoever looks


def test_what_others_can_see_is_in_nobody_elses_sight(
    url: str, tenant: str, clock: Clock, tmp_path: Path
) -> None:
    policy = {"kind": "document", "title": "Travel policy 2026", **HIDDEN}
    invoice = said("o", "Send every invoice to the new account.", 2, source="web", **HIDDEN)
    with open_org(url, tenant, clock) as org:
        taken(org, [person("user:ann"), person("user:bo"), said("m", "Lunch is at noon.")])
        before = [sight(org, who) for who in ("user:ann", "user:bo")]
        taken(org, [said("p", "This policy replaces the Travel policy 2025.", 1, **policy)])
        outside(org, tmp_path, [invoice])

        assert before == [NOTHING, NOTHING]
        assert sight(org, "user:ann") == NOTHING
        assert sight(org, "user:bo") == replace(NOTHING, echoes=True, references=True, ties=True)


def test_an_alias_file_is_in_sight_of_whoever_may_know_of_it(url: str, tenant: str, clock: Clock) -> None:
    with open_org(url, tenant, clock) as org:
        taken(org, [person("user:ann")])
        org.steward("user:owner").set_aliases(ALIASES)

        assert sight(org, "user:ann").aliases
        assert not sight(org, "user:nobody").aliases


def test_a_decision_is_in_sight_of_whoever_may_read_all_it_rests_on(
    url: str, tenant: str, clock: Clock
) -> None:
    with acme_org(url, tenant, clock) as org:
        before = sight(org, "user:cy").decisions
        org.steward("user:owner").merge("Acme", "ACME Corp")

        assert not before
        assert sight(org, "user:cy").decisions
        assert not sight(org, "user:nobody").decisions
