"""A small record of rules, forms and talk that refer to each other, for walking from one to the next."""

from __future__ import annotations

from muniment.domain.graph import Node
from muniment.view import View
from tests.worlds import Event, member, person, said

FINANCE = [["group:finance"]]


def document(id: str, title: str, body: str, hours: float = 0, **fields: object) -> Event:  # noqa: A002  # the contract's own word
    return said(id, body, hours, source="policies", kind="document", title=title, **fields)


def rules() -> list[Event]:
    """Ann is in finance, Bo is not; editions of one rule, and what people say."""
    people = [person("user:ann"), person("user:bo"), member("group:finance", "user:ann")]
    return [*people, *editions(), *talk()]


def editions() -> list[Event]:
    return [
        document("2024", "Travel policy", "The hotel limit is EUR 120 per night.", valid_from="2024-01-01"),
        document(
            "2025",
            "Travel policy",
            "## Hotels\n\nThe hotel limit is EUR 140 per night.\n\n## Waiting period\n\nIt is 14 days.",
            media="text/markdown",
            valid_from="2025-01-01",
            supersedes=["2024"],
        ),
        document(
            "2026",
            "Travel policy",
            "The hotel limit is EUR 180 per night.",
            1,
            valid_from="2026-04-01",
            supersedes=["2025"],
        ),
        document(
            "secret", "Travel policy for the board", "No limit.", 2, supersedes=["2026"], audience=FINANCE
        ),
    ]


def talk() -> list[Event]:
    return [
        said("m1", "The renewal date of Acme is 2027-03-01.", account="Acme"),
        said("m2", "Acme's renewal date is 2027-05-01.", 5, account="Acme", author="user:bo"),
        said("m3", "年假制度：入职满一年的员工每年有 10 天年假。", 6, kind="document", title="年假制度"),
    ]


def form(id: str, title: str, body: str, hours: float = 0, **fields: object) -> Event:  # noqa: A002  # as above
    return said(
        id, body, hours, source="forms", kind="document", title=title, media="text/markdown", **fields
    )


def forms() -> list[Event]:
    base = (
        "# Homeowners Form\n\n## Section 4 Water damage\n\n"
        "The limit for water backup is USD 5,000 for each occurrence. "
        "See Section 9 for the waiting period.\n\n"
        "## Section 9 Waiting periods\n\nThe waiting period is 14 days.\n"
    )
    endorsement = (
        "# Water Damage Endorsement\n\nIt changes what the form says.\n\n## 4.2 Limit\n\n"
        "The limit for water backup is USD 12,500 for each occurrence.\n\n"
        "## 4.3 Deductible\n\nThe deductible is USD 750.\n"
    )
    bulletin = "# Bulletin\n\nAdjusters apply Section 4.2 of the Water Damage Endorsement.\n"
    return [
        form("base", "Homeowners Form", base, valid_from="2024-01-01"),
        form("wd", "Water Damage Endorsement", endorsement, 1, valid_from="2025-01-01", amends=["base"]),
        form("bulletin", "Bulletin on sump pumps", bulletin, 2),
    ]


def titles(node: Node, edge: str) -> list[str]:
    return [one.title for one in node.neighbours if one.edge == edge]


def ids(node: Node) -> list[str]:
    return [one.node for one in node.neighbours]


def item(view: View, id_: str) -> str:
    return view.expand(f"policies:{id_}").id
