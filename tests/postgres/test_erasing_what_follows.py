"""What was made from something erased, by rules, by readers and by other sources."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from muniment.app import Org, SourceChange
from muniment.gate.binding import writing
from muniment.jobs.rebuild import fingerprint, rebuild
from muniment.steward import Steward
from tests.canaries import hits
from tests.worlds import member, open_org, person, said, taken


@pytest.fixture
def org(url: str, tenant: str) -> Iterator[Org]:
    with open_org(url, tenant) as opened:
        taken(opened, [person("user:ann"), person("user:bo"), said("m1", "The budget is 500 euros.", 1)])
        yield opened


@pytest.fixture
def desk(org: Org) -> Steward:
    return org.steward("user:owner")


def found(org: Org, words: str, who: str = "user:ann") -> set[str | None]:
    return {hit.item for hit in org.reader(who).search(words)}


def digests(org: Org) -> dict[str, str]:
    with writing(org._work.database, org.tenant) as conn:
        return fingerprint(conn, org.tenant)


def test_words_are_blanked_in_what_a_rule_has_reduced(org: Org, desk: Steward) -> None:
    whole = said("w1", "Hello there. The owner of Acme is Ann Zorblat. See you soon.", 1)
    taken(org, [whole])
    desk.set_source("chat", SourceChange(keep="quotes"))
    desk.apply_rules()

    desk.erase_subject("Ann Zorblat")

    assert hits(org, ["zorblat", "see you soon"]) == {}
    assert org.ingest([whole]).duplicate == 1
    assert hits(org, ["zorblat", "see you soon"]) == {}


def test_notes_and_reports_go_with_what_they_are_about(org: Org, desk: Steward) -> None:
    ann = org.reader("user:ann")
    (citation, *_) = ann.ask("What is the budget?").citations
    ann.report(citation.id, "the zorblat is wrong")
    ann.remember("Recall the quagga of the budget.", evidence=[citation.id])
    assert set(hits(org, ["zorblat", "quagga"])) == {"zorblat", "quagga"}

    desk.erase("chat:m1")

    assert hits(org, ["zorblat", "quagga", "500 euros"]) == {}


def test_what_others_made_from_it_is_named(org: Org, desk: Steward) -> None:
    taken(org, [said("s1", "In short: 500.", 2, source="digest", derived_from=["chat:m1"])])

    done = desk.erase("chat:m1")

    assert (done.mentions, done.more_mentions) == (("digest:s1",), 0)
    assert found(org, "short") == set()


LEVELS = """
levels:
  - about: [budget]
    range: {groups: [group:sales], unit: EUR, grid: [0, 1000, 10000]}
"""


def test_a_band_goes_with_the_value_it_is_of(org: Org, desk: Steward) -> None:
    taken(org, [member("group:sales", "user:bo")])
    taken(org, [said("v1", "The budget of Acme is 700 EUR.", 1, audience=["user:ann"], account="Acme")])
    desk.set_disclosure(LEVELS)
    banded = {hit.source for hit in org.reader("user:bo").search("budget acme", unit="claim")}
    assert "disclosure" in str(banded) + str(org.reader("user:bo").search("budget acme"))

    desk.erase("chat:v1")

    assert org.reader("user:bo").search("acme") == []
    live = digests(org)
    rebuild(org._work)
    assert digests(org) == live
