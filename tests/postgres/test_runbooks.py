"""Runbooks: found by their alert, for their environment, and told to be at odds where they are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from evals.shared import NotHere, shared
from muniment.app import Org
from muniment.domain.incidents import Briefing
from muniment.domain.investigating import Start
from tests.worlds import Clock, member, open_org, person, taken


@pytest.fixture
def org(url: str, tenant: str, clock: Clock) -> Iterator[Org]:
    with open_org(url, tenant, clock) as opened:
        groups = [member("group:sre", "user:ann"), member("group:legal", "user:cy")]
        taken(opened, [person("user:ann"), person("user:cy"), *groups])
        yield opened


def briefed(org: Org, signal: str = "HighErrorRate", service: str | None = "checkout") -> Briefing:
    desk = org.reader("user:ann").incidents
    start = Start(f"{signal} fires", service=service, environment="prod", signals=(signal,))
    return desk.briefing(desk.open(start).incident)


def test_a_runbook_is_found_by_its_alerts_name(org: Org, tmp_path: Path) -> None:
    for name in ("ours", "theirs"):
        book = tmp_path / name
        book.mkdir()
        text = f"# HighErrorRate\n\nOf {name}.\n\n1. Check the connections of the pool in {name}\n"
        (book / "HighErrorRate.md").write_text(text, encoding="utf-8")
        org.add(book, source=f"runbooks-{name}", audience=["*"])

    found = briefed(org).hints

    assert {one.conditions["source"] for one in found} == {
        "runbooks-ours:HighErrorRate.md",
        "runbooks-theirs:HighErrorRate.md",
    }
    assert {one.kind for one in found} == {"procedure"}


def runbook(tmp_path: Path, org: Org, name: str, head: str = "", words: str = "") -> None:
    (book := tmp_path / name).mkdir()
    text = f"{head}# HighErrorRate\n\nOf {name}.\n\n1. Check the connections of the pool in {name}\n{words}\n"
    (book / "HighErrorRate.md").write_text(text, encoding="utf-8")
    org.add(book, source=f"runbooks-{name}", audience=["*"])


def test_runbooks_of_two_places_that_say_otherwise_are_told_to_be_at_odds(org: Org, tmp_path: Path) -> None:
    for name, words in (("ours", "Restart the ledger by hand."), ("theirs", "Scale the gateway up first.")):
        runbook(tmp_path, org, name, words=words)

    found = briefed(org)
    (clash,) = found.clashes
    scarce = org.reader("user:ann").incidents.briefing(found.incident, 1)

    assert (clash.signal, clash.sources) == (
        "higherrorrate", ("runbooks-ours:HighErrorRate.md", "runbooks-theirs:HighErrorRate.md"),
    )  # fmt: skip
    assert set(clash.hints) == {one.id for one in found.hints}
    assert "nothing here tells which" in clash.why
    assert (scarce.hints, scarce.clashes) == ((), (clash,))


def test_the_runbook_of_this_environment_is_the_narrower_one(org: Org, tmp_path: Path) -> None:
    runbook(tmp_path, org, "any", words="Scale the gateway up first.")
    runbook(tmp_path, org, "prod", "---\nenvironment: prod\n---\n", "Restart the ledger by hand.")
    runbook(tmp_path, org, "staging", "---\nlabels: {environment: staging}\n---\n", "Throw it all away.")

    found = briefed(org)

    (clash,) = found.clashes
    assert clash.why.startswith("they say otherwise; runbooks-prod:HighErrorRate.md is for prod")
    assert [one.why for one in found.left_out] == ["of another environment, 'staging'"]


def test_a_copy_of_a_runbook_and_a_hidden_one_are_at_odds_with_nothing(org: Org, tmp_path: Path) -> None:
    runbook(tmp_path, org, "ours", words="Restart the ledger by hand.")
    (copy := tmp_path / "copy").mkdir()
    (copy / "HighErrorRate.md").write_bytes((tmp_path / "ours" / "HighErrorRate.md").read_bytes())
    org.add(copy, source="runbooks-copy", audience=["*"])
    (hidden := tmp_path / "hidden").mkdir()
    (hidden / "HighErrorRate.md").write_text(
        "# HighErrorRate\n\n1. Call the vendor and wait\n", encoding="utf-8"
    )
    org.add(hidden, source="runbooks-hidden", audience=["group:legal"])

    assert briefed(org).clashes == ()


def test_published_runbooks_are_matched_by_alert_and_told_apart(org: Org) -> None:
    try:
        real = shared("runbooks")
    except NotHere as missing:
        pytest.skip(str(missing))
    books = {
        name: {one.stem: one for one in sorted((real / name).rglob("*.md"))}
        for name in ("openshift", "prometheus_operator")
    }
    both = sorted(books["openshift"].keys() & books["prometheus_operator"].keys())[:6]
    for name, files in books.items():
        for alert in both:
            org.add(files[alert], source=name, audience=["*"])

    told = {alert: briefed(org, alert, None) for alert in both}

    for alert, found in told.items():
        assert {str(one.conditions["source"]) for one in found.hints} == {
            f"{name}:{alert}.md" for name in books
        }, alert
        assert {one.kind for one in found.hints} == {"procedure"}, alert
    assert sum(len(found.clashes) for found in told.values()) >= 4
