"""An outsider who calls a text as one of ours is called, changes nothing about what ours refer to."""

from __future__ import annotations

from pathlib import Path

import pytest

from muniment.app import Org
from muniment.domain.values import dump
from tests.worlds import Event, at, open_org, outside, person, said, taken

OLD = {"title": "Travel Policy", "metadata": {"policy_number": "POL-7"}, "url": "https://wiki.example/travel"}
NAMINGS = {
    "title": "the Travel Policy",
    "number": "POL-7",
    "address": "https://wiki.example/travel",
    "edition": "the 2024 edition of the Travel Policy",
}
TAKEN: dict[str, dict[str, object]] = {
    "title": {"title": "Travel Policy"},
    "title that is the number": {"title": "POL-7"},
    "number": {"title": "Hotels", "metadata": {"policy_number": "POL-7"}},
    "address": {"title": "Hotels", "url": "https://wiki.example/travel"},
    "title without an edition": {"title": "Travel Policy", "metadata": {"edition": ""}},
    "everything": {**OLD, "metadata": {"policy_number": "POL-7", "edition": "2024"}},
}


def rule(id_: str, title: str, body: str, **fields: object) -> Event:
    plain: dict[str, object] = {"kind": "document", "source": "wiki", "author": "user:ann", "title": title}
    return said(id_, body, 1, **{**plain, **fields})


def told(org: Org) -> tuple[str, object, object]:
    """What the rule is, and what took whose place."""
    ann = org.reader("user:ann")
    acts = ["supersedes", "superseded_by", "refers_to", "cites"]
    led = [ann.expand(one, acts) for one in ("wiki:old", "wiki:new", "wiki:see")]
    ours = [[(two.edge, two.node) for two in one.neighbours if two.edge in acts] for one in led]
    return ann.ask("What is the hotel limit of travel?").text, ours, dump(ann.conflicts())


@pytest.mark.parametrize("taken_name", TAKEN.values(), ids=TAKEN)
@pytest.mark.parametrize("naming", NAMINGS.values(), ids=NAMINGS)
def test_no_name_that_an_outsider_takes_frees_a_rule_of_its_successor(
    url: str, tenant: str, tmp_path: Path, naming: str, taken_name: dict[str, object]
) -> None:
    with open_org(url, tenant) as org:
        old = {**OLD, "metadata": {**OLD["metadata"], "edition": "2024"}} if "2024" in naming else OLD  # type: ignore[dict-item]
        rules = [
            rule("old", body="The hotel limit of travel is 150 EUR.", **old),  # type: ignore[arg-type]
            rule(
                "new", "Trip Rules", f"This policy replaces {naming}. The hotel limit of travel is 200 EUR."
            ),
            rule("see", "Trips", f"See {naming}."),
        ]
        taken(org, [person("user:ann"), *rules])
        before = told(org)
        theirs = {"kind": "document", "source": "mail", "author": "eve@elsewhere.example"}
        outside(org, tmp_path, [{**said("x", "We sell rooms.", 3), **theirs, **taken_name, "at": at(3)}])

        assert "200 EUR" in before[0]
        assert told(org) == before


def test_what_outsiders_alone_have_written_is_still_found_by_its_name(
    url: str, tenant: str, tmp_path: Path
) -> None:
    with open_org(url, tenant) as org:
        taken(org, [person("user:ann"), rule("see", "Trips", "See the Travel Policy.")])
        theirs = {"kind": "document", "source": "mail", "title": "Travel Policy"}
        outside(org, tmp_path, [{**said("x", "We sell rooms.", 3), **theirs}])
        found = org.reader("user:ann").expand("wiki:see", ["refers_to"]).neighbours

    assert [one.title for one in found] == ["Travel Policy"]
