"""What is erased is gone from aliases and from what was settled of names."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from muniment.app import Org
from muniment.domain.entities import Parting, Terms
from muniment.domain.errors import Malformed, Refused
from muniment.gate.binding import writing
from tests.naming import acme_org
from tests.worlds import Clock, person, said, taken

ALIASES = """
aliases:
  - means: Orla Quill
    kind: person
    names: [the owl, Quill]
  - means: night desk
    kind: project
    names: [the owl, OQ desk]
  - means: Quill project
    names: [feather]
"""
LEFT = """
select jsonb_agg(to_jsonb(a))::text from muniment.alias a where a.tenant = %(tenant)s
 union all
select jsonb_agg(to_jsonb(d))::text from muniment.entity_decision d where d.tenant = %(tenant)s
 union all
select jsonb_agg(to_jsonb(p))::text from muniment.person_name p where p.tenant = %(tenant)s
"""


@pytest.fixture
def org(url: str, tenant: str, clock: Clock) -> Iterator[Org]:
    with acme_org(url, tenant, clock) as org:
        taken(
            org,
            [
                person("user:orla", name="Orla Quill", emails=["orla@corp.example"], aliases=["slack:UQ"]),
                said("q1", "I will send the offer.", author="user:orla", author_name="Orla Quill"),
                said("q2", "I will send the rest.", author="user:oq2", author_name="OQ"),
                said("q3", "The owner of Acme is Bo.", account="Acme"),
            ],
        )
        yield org


def left(org: Org) -> str:
    with writing(org._work.database, org.tenant) as conn:
        rows = conn.execute(LEFT, {"tenant": org.tenant}).fetchall()
    return " ".join(row[0] or "" for row in rows).casefold()


def test_a_blanked_name_is_gone_from_aliases_and_decisions(org: Org) -> None:
    desk = org.steward("user:owner")
    desk.set_aliases(ALIASES)
    desk.merge("Acme", "ACME Corp", Terms("Quill asked for it"))
    desk.split("Acme", "Quill Ltd", Parting(items=["chat:q3"]))

    desk.erase_subject("Quill")

    assert "quill" not in left(org)
    assert {one.means: one.names for one in desk.aliases()} == {"night desk": ("the owl", "OQ desk")}
    (merged,) = desk.entity_decisions("Acme")
    assert merged.reason == "█████ asked for it"
    with pytest.raises(Malformed, match="line 3: it has words that were erased"):
        desk.set_aliases(ALIASES)


def test_an_erased_person_is_gone_from_aliases_and_decisions(org: Org) -> None:
    desk = org.steward("user:owner")
    desk.set_aliases(ALIASES)
    desk.merge("user:orla", "user:oq2")
    before = org.reader("user:cy").page("user:oq2")

    desk.erase("user:orla")

    assert before.title == "Orla Quill"
    assert not any(one in left(org) for one in ("orla quill", "orla@corp", "slack:uq"))
    assert desk.entity_decisions() == []
    assert {one.means for one in desk.aliases()} == {"night desk", "Quill project"}
    assert org.reader("user:cy").page("user:oq2").title == "OQ"


def test_an_erased_item_is_gone_from_what_was_split(org: Org) -> None:
    desk = org.steward("user:owner")
    desk.split("Acme", "Acme Ltd", Parting(items=["chat:q3"]))

    desk.erase("chat:q3")

    assert desk.entity_decisions() == []
    with pytest.raises(Refused):
        org.reader("user:cy").page("Acme Ltd")
