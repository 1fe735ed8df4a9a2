"""What the demo takes in, and what a person would say beside each of its files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

__all__ = ["COMPANY", "LATER", "NAMES", "Taken"]


@dataclass(frozen=True, slots=True)
class Taken:
    """One `add`: paths under demo/, and what is said of them. `audience` is one clause: any of them reads."""

    paths: tuple[str, ...]
    source: str | None = None
    kind: str | None = None
    audience: tuple[str, ...] = ()
    account: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)


def _table(name: str) -> Taken:
    """A table of the CRM; the mapping beside it says what its columns are."""
    mapping = {"mapping": f"demo/exports/crm/{name}.yaml"}
    return Taken((f"exports/crm/{name}.csv",), "crm", "csv", options=mapping)


def _meeting(day: str, title: str, *readers: str, account: str | None = None) -> Taken:
    """A transcript says nowhere who may read it, and is called as its file is."""
    path = f"exports/meetings/{day}.vtt"
    return Taken((path,), "meet", "vtt", readers, account, {"title": title})


_MEETINGS = (
    _meeting("2026-03-25-edi-queues", "EDI gateway: one queue or many", "*"),
    _meeting("2026-06-18-product-h2", "Product plan for the second half of the year", "*"),
    _meeting(
        "2026-08-06-nordhafen-kickoff",
        "Kick-off: warehouses of Nordhafen Logistik",
        "group:slack:C07NORDHAFEN",
        account="acct-102",
    ),
    _meeting("2026-09-24-all-hands", "All-hands, September", "*"),
    _meeting(
        "2026-10-13-alsterkontor-offer",
        "Renewal offer for Alsterkontor",
        *("user:mara", "user:jonas", "user:tomas", "user:hanna"),
        account="acct-101",
    ),
    _meeting("2026-10-27-review-inc-44", "事件回顾：关税重复（INC-44）", "*"),
    _meeting(
        "2026-11-12-q4-forecast", "Forecast for the fourth quarter", "group:finance", "group:leadership"
    ),
    _meeting("2026-11-20-oncall-handover", "On-call hand-over", "group:sre"),
)

_OWNERS = (
    *("diego", "emeka", "felix", "hanna", "haoran", "ingrid", "jonas", "lena", "mara", "minjie", "oskar"),
    *("priya", "sofie", "tomas", "wei"),
)


def _mailbox(owner: str) -> Taken:
    """A mailbox says nowhere whose it is."""
    return Taken((f"exports/mail/{owner}.mbox",), "mail", "mbox", options={"owner": f"user:{owner}"})


def _workspace(path: str) -> Taken:
    """Which account a channel is about Slack does not know."""
    about = {"alsterkontor-renewal": "acct-101", "nordhafen-rollout": "acct-102", "kvarnby": "acct-106"}
    accounts = ", ".join(f"{channel}={account}" for channel, account in about.items())
    return Taken((path,), "slack", "slack-export", options={"accounts": accounts})


COMPANY: Sequence[Taken] = (
    Taken(("company/directory.jsonl",)),
    _table("accounts"),
    _table("records"),
    Taken(("exports/policies",), "policies", audience=("*",)),
    *_MEETINGS,
    _workspace("exports/slack-export.zip"),
    *(_mailbox(owner) for owner in _OWNERS),
    Taken(tuple(f"company/{name}.jsonl" for name in ("issues", "alerts", "incidents"))),
)
# What a steward says of names: of who writes a mail an export tells the address alone.
NAMES = "exports/aliases.yaml"
LATER = _workspace("exports/later/slack-export.zip")
