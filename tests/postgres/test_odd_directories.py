"""What directories really send: contradictions, cycles, strangers, thousands. Each has one outcome."""

from __future__ import annotations

import pytest

from muniment.app import Org
from tests.worlds import Event, at, member, open_org, person, said, taken

ZEBRA = said("1", "The zebra memo", audience=["group:a"])
STEWARD = "user:owner"


def reads(org: Org, *people: str) -> list[str]:
    return [who for who in people if org.reader(who).search("zebra")]


def listing(group: str, *members: str, hours: float = 0, **fields: object) -> Event:
    return {"op": "member", "source": "dir", "group": group, "at": at(hours), "set": list(members), **fields}


def why(org: Org, who: str, item: str = "chat:1") -> tuple[str, ...]:
    return next((one.why for one in org.steward(STEWARD).who_can(item) if one.principal == who), ())


# Words that contradict each other


@pytest.mark.parametrize(
    "events",
    [
        [{**member("group:a", "user:ann"), "remove": ["user:ann"]}],
        [member("group:a", "user:ann"), member("group:a", remove=["user:ann"])],
        [member("group:a", remove=["user:ann"], source="hr"), member("group:a", "user:ann")],
        [listing("group:a", "user:bo"), member("group:a", "user:ann")],
        [{**listing("group:a", "user:bo"), "add": ["user:ann"]}],
        [listing("group:a", "user:ann"), listing("group:a", "user:bo", source="hr")],
        [listing("group:a", "user:ann"), member("group:a", remove=["user:ann"])],
    ],
    ids=[
        "added and removed in one event",
        "added and removed at once",
        "removed by one source and added by another",
        "added to a listing that leaves it out",
        "added in the event that lists others",
        "listed by one source and not by another",
        "listed and removed",
    ],
)
def test_at_one_time_out_beats_in(url: str, tenant: str, events: list[Event]) -> None:
    for number, order in enumerate((events, events[::-1])):
        with open_org(url, f"{tenant}-{number}") as org:
            taken(org, [ZEBRA])
            for event in order:
                taken(org, [event])

            assert reads(org, "user:ann") == []
            assert why(org, "user:ann") == ()


def test_a_listing_of_nobody_puts_everyone_out(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        taken(org, [ZEBRA, member("group:a", "user:ann"), listing("group:a", hours=1)])

        assert reads(org, "user:ann") == []


# Groups in groups


@pytest.mark.parametrize(
    "edges",
    [
        [("group:a", "group:a")],
        [("group:a", "group:b"), ("group:b", "group:a")],
        [("group:a", "group:b"), ("group:b", "group:c"), ("group:c", "group:a"), ("group:c", "group:c")],
    ],
    ids=["in itself", "each in the other", "in a ring"],
)
def test_a_cycle_of_groups_lets_in_whom_it_holds_and_nobody_else(
    url: str, tenant: str, edges: list[tuple[str, str]]
) -> None:
    inner = edges[-1][0]
    with open_org(url, tenant) as org:
        taken(org, [ZEBRA, *(member(outer, held) for outer, held in edges), member(inner, "user:ann")])
        taken(org, [member("group:elsewhere", "user:eve")])

        assert reads(org, "user:ann", "user:eve") == ["user:ann"]
        (chain,) = why(org, "user:ann")
        assert chain.startswith("group:a")
        assert chain.endswith("through user:ann")


def test_a_thousand_groups_deep_is_deep_and_the_reason_names_each(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        ladder = [member(f"group:{n}" if n else "group:a", f"group:{n + 1}") for n in range(1000)]
        taken(org, [ZEBRA, *ladder, member("group:1000", "user:ann")])

        assert reads(org, "user:ann") == ["user:ann"]
        (chain,) = why(org, "user:ann")
        assert chain.count(" through ") == 1001

        taken(org, [member("group:500", hours=1, remove=["group:501"])])
        assert reads(org, "user:ann") == []


def test_ten_thousand_names_in_one_listing_and_one_less(url: str, tenant: str) -> None:
    crowd = [f"user:{number}" for number in range(10_000)]
    with open_org(url, tenant) as org:
        taken(org, [ZEBRA, listing("group:a", *crowd)])
        assert reads(org, "user:0", "user:9999", "user:10000") == ["user:0", "user:9999"]
        assert len(org.steward(STEWARD).who_can("chat:1")) == 10_000

        taken(org, [listing("group:a", *crowd[1:], hours=1)])

        assert reads(org, "user:0", "user:9999") == ["user:9999"]


# Names that mean nobody


def test_a_group_nobody_spoke_of_admits_nobody_until_somebody_is_in_it(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        taken(org, [ZEBRA, person("user:ann")])
        assert reads(org, "user:ann") == []
        assert org.steward(STEWARD).who_can("chat:1") == []

        taken(org, [member("group:a", "user:ann")])

        assert reads(org, "user:ann") == ["user:ann"]


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        ({"group": "finance", "add": ["user:ann"]}, "must begin with group:"),
        ({"group": "group:", "add": ["user:ann"]}, "must begin with group:"),
        ({"group": "user:bo", "add": ["user:ann"]}, "must begin with group:"),
        ({"group": "group:a", "add": ["ann"]}, "is neither user:"),
        ({"group": "group:a", "add": ["*"]}, "is neither user:"),
        ({"group": "group:a", "add": ["container:chat:C1"]}, "is neither user:"),
        ({"group": "group:a", "add": ["reach:source:chat"]}, "is neither user:"),
        ({"group": "group:a"}, "needs add, remove or set"),
        ({"group": "group:a", "add": [], "remove": []}, "needs add, remove or set"),
        ({"group": "group:a", "add": "user:ann"}, "must be a list"),
        ({"group": "group:a", "add": [None]}, "must be a list"),
        ({"group": "group:a", "add": ["user:" + "x" * 800]}, "bytes long"),
    ],
)
def test_a_membership_that_makes_no_sense_is_kept_with_the_reason(
    url: str, tenant: str, event: dict[str, object], reason: str
) -> None:
    with open_org(url, tenant) as org:
        receipt = org.ingest([{"op": "member", "source": "dir", "at": at(0), **event}])

        assert receipt.quarantined == 1
        assert reason in str(receipt.items[0].reason)


@pytest.mark.parametrize(
    "audience", [[], [[]], [["*"], []], ["everyone"], ["container:chat:C1"], ["reach:source:chat"], "*", [1]]
)
def test_an_audience_that_names_nobody_is_refused(url: str, tenant: str, audience: object) -> None:
    with open_org(url, tenant) as org:
        said_so = org.ingest([said("1", "zebra", audience=audience)])
        channel = {"op": "audience", "source": "chat", "container": "C1", "at": at(0), "audience": audience}

        assert said_so.quarantined == 1
        assert org.ingest([channel]).quarantined == 1
        assert "audience" in str(said_so.items[0].reason) or "names nobody" in str(said_so.items[0].reason)


# Who may say it


@pytest.mark.parametrize(
    "event",
    [
        {"op": "member", "source": "chat", "group": "group:crm:owners", "add": ["user:eve"]},
        {"op": "member", "source": "chat", "group": "group:finance", "add": ["user:eve"]},
        {"op": "member", "source": "chat", "group": "group:chatty:C1", "add": ["user:eve"]},
        {"op": "principal", "source": "chat", "id": "user:eve", "standing": "member"},
        {"op": "principal", "source": "chat", "id": "user:eve", "emails": ["ann@x.example"]},
        {"op": "principal", "source": "chat", "id": "user:eve", "aliases": ["crm:7"]},
    ],
)
def test_a_source_speaks_for_its_own_groups_and_names_alone(
    url: str, tenant: str, event: dict[str, object]
) -> None:
    with open_org(url, tenant) as org:
        receipt = org.ingest([{"at": at(0), **event}], importer="service:chat")
        own = {"op": "member", "source": "chat", "group": "group:chat:C1", "at": at(0), "add": ["user:eve"]}

        assert receipt.quarantined == 1
        assert "no directory" in str(receipt.items[0].reason)
        assert org.ingest([own], importer="service:chat").accepted == 1


# Kinds of everyone

KINDS: dict[str, tuple[str, str | None, bool, bool]] = {
    "a full member": ("user:ann", "member", True, True),
    "a guest": ("user:gus", "guest", False, True),
    "somebody outside": ("user:ext", "external", False, True),
    "a service": ("service:bot", None, False, True),
    "a service that is a full member": ("service:all", "member", True, True),
    "somebody who left": ("user:gone", "deactivated", False, False),
    "somebody of no standing": ("user:new", None, False, True),
}


@pytest.mark.parametrize("kind", KINDS)
def test_everyone_is_full_members_and_a_name_is_whoever_has_not_left(
    url: str, tenant: str, kind: str
) -> None:
    who, standing, is_everyone, is_named = KINDS[kind]
    with open_org(url, tenant) as org:
        taken(
            org,
            [
                person(who, standing=standing),
                said("all", "zebra for everyone"),
                said("group", "zebra for a group", audience=["group:a"]),
                said("own", "zebra for them", audience=[who]),
                said("both", "zebra for everyone who is in it", audience=[["*"], ["group:a"]]),
                member("group:a", who),
            ],
        )
        found = {hit.item for hit in org.reader(who).search("zebra")}

        assert ("all" in found, "both" in found) == (is_everyone, is_everyone)
        assert ({"group", "own"} <= found) is is_named
        named = {item for item in ("all", "group", "own", "both") if why(org, who, f"chat:{item}")}
        assert named == found


NAMES = [
    ("ann@x.example", True),
    ("ANN@X.EXAMPLE", True),
    ("ａｎｎ@x.example", True),
    ("STRASSE@x.example", True),
    ("straße@x.example", True),
    ("ann+lists@x.example", False),
    ("ann@x.example ", False),
    ("chat:U1", True),
    ("chat:u1", False),
    ("USER:ann", False),
    ("user:Ann", False),
    ("group:a", False),
    ("*", False),
    ("", False),
]


@pytest.mark.parametrize(("name", "is_ann"), NAMES)
def test_a_name_is_an_id_an_alias_or_an_address_in_any_case(
    url: str, tenant: str, name: str, *, is_ann: bool
) -> None:
    with open_org(url, tenant) as org:
        emails = ["Ann@x.example", "Straße@x.example"]
        taken(
            org,
            [ZEBRA, person("user:ann", emails=emails, aliases=["chat:U1"]), member("group:a", "user:ann")],
        )

        assert (reads(org, name) == [name]) is is_ann


def test_a_name_two_claim_is_nobodys_in_any_spelling(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        taken(
            org,
            [
                ZEBRA,
                person("user:ann", emails=["shared@x.example"]),
                person("user:bo", emails=["ＳＨＡＲＥＤ@x.example"]),
                member("group:a", "user:ann", "user:bo"),
            ],
        )

        assert reads(org, "shared@x.example", "SHARED@x.example", "user:ann") == ["user:ann"]
