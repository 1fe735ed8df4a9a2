"""An agent reads what its user may, and of that, once it holds a grant, what it was granted."""

from __future__ import annotations

import pytest

from muniment.app import Org
from muniment.domain.errors import Refused, Usage
from muniment.gate.binding import writing
from muniment.jobs.rebuild import fingerprint, rebuild
from tests.worlds import Clock, Event, at, member, open_org, person, said, taken

X = "agent:x"


def company() -> list[Event]:
    opens = {"op": "audience", "source": "chat", "at": at(0), "audience": ["*"], "live": True}
    return [
        person("user:ann"),
        person("user:bo"),
        member("group:a", "user:ann"),
        {**opens, "container": "C1"},
        said("in C1", "zebra in the channel", audience=None, container="C1"),
        said("loose", "zebra in no channel"),
        said("mine", "zebra for the group", audience=["group:a"]),
        said("mail", "zebra by mail", source="mail"),
    ]


def reads(org: Org, who: str = "user:ann", agent: str | None = X, **how: object) -> set[str]:
    found = org.reader(who, agent=agent, **how).search("zebra", limit=20)  # type: ignore[arg-type]
    return {hit.item for hit in found if hit.item is not None}


EVERYTHING = {"in C1", "loose", "mine", "mail"}


def test_without_a_grant_it_reads_all_that_its_user_may(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        taken(org, company())

        assert reads(org) == reads(org, agent=None) == EVERYTHING
        assert reads(org, "user:bo") == EVERYTHING - {"mine"}


@pytest.mark.parametrize(
    ("target", "left"),
    [
        ("chat", {"in C1", "loose", "mine"}),
        ("chat:C1", {"in C1"}),
        ("chat:mine", {"mine"}),
        ("mail", {"mail"}),
    ],
)
def test_with_a_grant_it_reads_what_was_granted_of_what_its_user_may(
    url: str, tenant: str, target: str, left: set[str]
) -> None:
    with open_org(url, tenant) as org:
        taken(org, company())
        org.steward("user:owner").grant_read(X, target)

        assert reads(org) == left
        assert reads(org, "user:bo") == left - {"mine"}
        assert reads(org, agent=None) == reads(org, agent="agent:other") == EVERYTHING


def test_what_comes_later_lies_under_what_was_granted_before(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        taken(org, company())
        org.steward("user:owner").grant_read(X, "chat:C1")

        taken(org, [said("next", "zebra, next", audience=None, container="C1"), said("out", "zebra, out")])
        taken(org, [{"op": "move", "source": "chat", "id": "loose", "at": at(1), "to": {"container": "C1"}}])

        assert reads(org) == {"in C1", "next", "loose"}


def test_what_is_made_of_two_things_needs_both_within_its_list(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        made = [
            said("of both", "zebra of both", source="digest", derived_from=["chat:loose", "mail:mail"]),
            said("of mail", "zebra of mail", source="digest", derived_from=["mail:mail"]),
        ]
        taken(org, [*company(), *made])
        desk = org.steward("user:owner")

        desk.grant_read(X, "digest")
        assert reads(org) == set()
        desk.grant_read(X, "mail")
        assert reads(org) == {"mail", "of mail"}
        desk.grant_read(X, "chat:loose")
        assert reads(org) == {"mail", "of mail", "loose", "of both"}


def test_taking_back_holds_on_the_next_read_and_leaves_nothing(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        taken(org, company())
        desk = org.steward("user:owner")
        desk.grant_read(X, "chat:C1")
        desk.grant_read(X, "mail")
        assert reads(org) == {"in C1", "mail"}

        assert desk.revoke_read(X, "mail").changed
        assert reads(org) == {"in C1"}
        desk.revoke_read(X, "chat:C1")
        assert reads(org) == set()
        desk.grant_role(X, "all")
        assert reads(org) == EVERYTHING
        desk.revoke_role(X, "all")
        assert reads(org) == set()


def test_an_agent_that_reads_everything_has_no_list_to_take_from(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        taken(org, company())

        with pytest.raises(Usage, match="reads all that its user may"):
            org.steward("user:owner").revoke_read(X, "mail")
        assert reads(org) == EVERYTHING


@pytest.mark.parametrize("target", ["nowhere", "chat:nowhere", "mail:C1"])
def test_what_is_not_there_is_not_granted(url: str, tenant: str, target: str) -> None:
    with open_org(url, tenant) as org:
        taken(org, company())

        with pytest.raises(Refused):
            org.steward("user:owner").grant_read(X, target)
        assert reads(org) == EVERYTHING


def test_a_note_that_could_not_be_read_back_is_not_kept(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        taken(org, company())
        desk = org.steward("user:owner")
        desk.grant_read(X, "chat")
        with pytest.raises(Refused, match="agent:x"):
            org.reader("user:ann", agent=X).remember("zebra by the narrowed agent")
        with pytest.raises(Refused, match="alone"):
            org.reader("user:ann", hearers=["user:bo"]).remember("zebra before others")

        assert {one.source for one in org.reader("user:ann").search("zebra", limit=20)}.isdisjoint(
            {"muniment"}
        )
        assert org.reader("user:ann", hearers=["user:ann"]).remember("zebra for myself").state == "accepted"


def test_only_agents_are_given_everything(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org, pytest.raises(Usage):
        org.steward("user:owner").grant_role("user:ann", "all")


def test_a_deactivated_agent_reads_nothing(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        taken(org, company())
        org.steward("user:owner").grant_read(X, "chat")
        taken(org, [person(X, hours=1, standing="deactivated")])

        assert reads(org) == set()
        assert X not in {one.principal for one in org.steward("user:owner").who_can("chat:mine")}


def test_who_can_says_through_whom_and_by_which_grant_now_and_then(url: str, tenant: str) -> None:
    clock = Clock()
    with open_org(url, tenant, clock) as org:
        taken(org, company())
        before = clock.at
        clock.forward(hours=1)
        desk = org.steward("user:owner")
        desk.grant_read(X, "chat")

        found = {one.principal: one.why for one in desk.who_can("chat:mine")}
        then = {one.principal for one in desk.who_can("chat:mine", at=before)}

        assert found == {
            "user:ann": ("group:a through user:ann",),
            X: ("through user:ann and its grant on chat",),
        }
        assert then == {"user:ann"}
        assert X not in {one.principal for one in desk.who_can("mail:mail")}


def test_nobody_else_sees_that_an_agent_was_narrowed(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org, open_org(url, f"{tenant}-twin") as twin:
        for one in (org, twin):
            taken(one, company())
        org.steward("user:owner").grant_read(X, "chat:C1")

        for verb in ("search", "ask", "context"):
            replies = [
                str(getattr(one.reader("user:ann"), verb)("zebra in the channel")) for one in (org, twin)
            ]
            assert replies[0] == replies[1]
        (hit, *_) = org.reader("user:ann").search("zebra channel")
        assert hit.citation is not None
        explained = org.reader("user:ann").explain(hit.citation.id)
        assert "reach" not in str(explained.why_visible)


def test_what_an_agent_may_not_read_does_not_touch_what_it_gets(url: str, tenant: str) -> None:
    """Two records that differ in what lies outside the agent's list answer it alike, rank and all."""
    outside = [said(f"more {number}", f"zebra channel number {number}") for number in range(5)]
    with open_org(url, tenant) as org, open_org(url, f"{tenant}-twin") as twin:
        for one in (org, twin):
            taken(one, company())
            one.steward("user:owner").grant_read(X, "chat:C1")
        taken(twin, outside)

        for verb in ("search", "ask", "context"):
            replies = [
                str(getattr(one.reader("user:ann", agent=X), verb)("zebra in the channel"))
                for one in (org, twin)
            ]
            assert replies[0] == replies[1]


def test_an_agent_that_asks_for_itself_has_no_more_than_its_grant(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        taken(org, [*company(), said("its", "zebra for the agent", audience=[X]), said("b", "b", source="b")])
        assert reads(org, X, None) == {"its"}

        org.steward("user:owner").grant_read(X, "b")

        assert reads(org, X, None) == set()


def test_a_rebuild_keeps_what_lies_under_a_grant(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        taken(org, company())
        org.steward("user:owner").grant_read(X, "chat:C1")
        org.steward("user:owner").grant_read(X, "mail")
        with writing(org._work.database, tenant) as conn:
            before = fingerprint(conn, tenant)

        rebuild(org._work)

        with writing(org._work.database, tenant) as conn:
            assert fingerprint(conn, tenant) == before
        assert reads(org) == {"in C1", "mail"}


# Who hears it


@pytest.mark.parametrize(
    ("hearers", "left"),
    [
        (["user:bo"], EVERYTHING - {"mine"}),
        (["user:bo", "user:bo", "user:ann"], EVERYTHING - {"mine"}),
        (["BO@X.example"], EVERYTHING - {"mine"}),
        (["ｂｏ@x.example"], EVERYTHING - {"mine"}),
        (["slack:UBO"], EVERYTHING - {"mine"}),
        (["bo+lists@x.example"], set()),
        (["user:nobody"], set()),
        (["user:bo", "user:nobody"], set()),
        (["slack:ubo"], set()),
        ([""], set()),
        (["*"], set()),
        (["group:a"], EVERYTHING),
        (["group:both"], EVERYTHING - {"mine"}),
        (["group:outer"], EVERYTHING - {"mine"}),
        (["group:guests"], set()),
        (["group:nobody"], set()),
        (["group:"], set()),
        (["group:\x00"], set()),
    ],
)
def test_what_is_said_to_several_is_what_each_of_them_may_read(
    url: str, tenant: str, hearers: list[str], left: set[str]
) -> None:
    with open_org(url, tenant) as org:
        taken(
            org,
            [
                *company(),
                person("user:bo", hours=1, emails=["bo@x.example"], aliases=["slack:UBO"]),
                person("user:gone", standing="deactivated"),
                person("user:guest", standing="guest"),
                member("group:both", "user:ann", "user:bo", "user:gone"),
                member("group:outer", "group:both", "group:outer"),
                member("group:guests", "user:ann", "user:guest"),
            ],
        )

        assert reads(org, agent=None, hearers=hearers) == left
