"""Mailboxes that somebody connected: read by their owners, and not by whoever connected them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from muniment.app import Org
from tests.mails import raw
from tests.sources import gmail_double
from tests.worlds import Clock, open_org, person, taken

ANN, BO = "ann@acme.example", "bo@acme.example"


@pytest.fixture
def google() -> Iterator[gmail_double.Gmail]:
    with gmail_double.serving() as served:
        yield served


@pytest.fixture
def org(url: str, tenant: str, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Org]:
    monkeypatch.setenv("GMAIL_TOKEN", "canary-token")
    with open_org(url, tenant, clock) as org:
        taken(org, [person(who) for who in ("user:ann", "user:bo", "user:owner")])
        yield org


@pytest.mark.parametrize("audience", [None, [["*"]]])
def test_a_mail_is_for_its_holders_alone_whoever_connected_the_mailboxes(
    org: Org, google: gmail_double.Gmail, clock: Clock, audience: list[list[str]] | None
) -> None:
    for login in (ANN, BO):
        google.boxes[login] = gmail_double.Box()
    google.boxes[ANN].add("m1", raw("The merger closes on Friday.", Message_ID="<1@x>"))
    boxes = f"user:ann={ANN},user:bo={BO}"
    said = {"mailboxes": boxes, "base_url": google.url, "token": "env:GMAIL_TOKEN"}
    org.connect("gmail", "mail", said, audience=audience)

    org.pull("mail", sweep=True)
    first = {who: len(org.reader(who).search("merger")) for who in ("user:ann", "user:bo", "user:owner")}
    google.boxes[BO].add("m2", raw("The merger closes on Friday.", Message_ID="<1@x>"))
    clock.forward(minutes=10)
    org.pull("mail", sweep=True)
    then = {who: len(org.reader(who).search("merger")) for who in ("user:ann", "user:bo", "user:owner")}

    assert first == {"user:ann": 1, "user:bo": 0, "user:owner": 0}
    assert then == {"user:ann": 1, "user:bo": 1, "user:owner": 0}
