"""Accounts and incidents on their pages: what is shown, and what somebody does about it there."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from fastapi import FastAPI
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from muniment.app import Org
from muniment.domain.events import JsonObject
from muniment.domain.incidents import Entry, Incident
from muniment.domain.values import Json
from muniment.surfaces.web.ledgers import MOST_ENTRIES, end_of_ledger, laid
from tests.web.conftest import HERE, Browser, form_of, investigated, signed_in, site_of
from tests.worlds import START, Clock, member, open_org, person, said, taken

ACCOUNT = "/account/alsterkontor%20versicherung%20ag"
THEN = "as_of=2026-11-30"


def sent(http: TestClient, place: str, then: str, **fields: str) -> str:
    """Where a form of `place` leads when it is sent to `then`."""
    data = {"form": form_of(http.get(place).text), **fields}
    reply = http.post(then, data=data, headers={"Origin": HERE})
    return reply.headers["location"] if reply.status_code == 303 else f"{reply.status_code}"


def words(page: str) -> str:
    """A page without its tags."""
    return " ".join(re.sub(r"<[^>]*>", " ", page).split())


# ── accounts ──


def test_an_account_is_handed_over_on_one_page_every_line_of_it_cited(browser: Browser) -> None:
    page = browser("user:mara").get(f"{ACCOUNT}?{THEN}").text
    lines = re.findall(r'<li><span class="said" dir="auto">(.*?)</span>(.*?)</li>', page, re.DOTALL)

    assert "send Karl the draft of the renewal contract by Friday (active, due 2026-10-16, OVERDUE)" in page
    assert "Karl hinted at a competitor" in page
    assert len(lines) > 15
    assert all('class="chip' in cited for _, cited in lines)


def test_commitments_are_told_with_who_by_when_and_how_they_stand(browser: Browser) -> None:
    http = browser("user:mara")
    one = words(http.get(f"/commitments/alsterkontor%20versicherung%20ag?{THEN}").text)
    every = words(http.get(f"/commitments?{THEN}").text)

    assert "Overdue send Karl the draft of the renewal contract by Friday 1" in one
    assert "by 2026-10-16 ( by Friday ) · active overdue" in one
    assert "On condition: If this is solved" in one
    assert "have an offer from me by 15 September" not in one
    assert "have an offer from me by 15 September" in every


def test_due_days_are_a_file_for_a_calendar(browser: Browser) -> None:
    reply = browser("user:mara").get(f"/due.ics?entity=alsterkontor&{THEN}")

    assert reply.headers["content-type"] == "text/calendar; charset=utf-8"
    assert reply.headers["content-disposition"] == 'attachment; filename="due.ics"'
    assert reply.text.startswith("BEGIN:VCALENDAR\r\n")
    assert "20261016" in reply.text


def test_a_handoff_is_signed_as_it_was_shown_or_not_at_all(url: str, tenant: str, clock: Clock) -> None:
    with open_org(url, tenant, clock) as org:
        promise = said("m1", "I will send Acme the draft by Friday.", account="Acme", author="user:ann")
        taken(org, [person("user:ann"), person("user:bo"), promise])
        http = signed_in(site_of(org), org, "user:ann")
        page = http.get("/account/acme").text
        seen = re.search(r'name="seen" value="([0-9a-f]+)"', page)
        assert seen is not None

        signed = sent(http, "/account/acme", "/account", entity="acme", seen=seen[1])
        shown = words(http.get(signed).text)
        other = words(signed_in(site_of(org), org, "user:bo").get("/account/acme").text)
        taken(org, [said("m2", "I have sent Acme the draft.", 80, account="Acme", author="user:ann")])
        late = sent(http, "/account/acme", "/account", entity="acme", seen=seen[1])

    assert "Nobody signed yet" in words(page)
    assert signed == "/account/acme?signed=1"
    assert "Signed. Once the page says something else" in shown
    assert "Signed by ann" in shown
    assert "Signed by ann" in other
    assert "09:00 UTC · another page" not in shown
    assert late == "409"


@pytest.mark.parametrize("asked", ["with=user:mara", "known_at=2026-11-30"])
def test_nobody_signs_or_acts_on_what_is_not_theirs_and_now(browser: Browser, asked: str) -> None:
    page = browser("user:root").get(f"/account/kvarnby%20freight%20ab?{asked}").text

    assert "Kvarnby Freight AB" in page
    assert 'action="/account"' not in page
    assert 'action="/incidents"' not in browser("user:root").get(f"/incidents?{asked}").text


def test_an_agent_is_shown_no_form_to_sign_and_signs_nothing(site: FastAPI, company: Org) -> None:
    token = company.tokens.create("user:mara", agent="agent:bot").token
    http = TestClient(site, headers={"Authorization": f"Bearer {token}"}, follow_redirects=False)
    page = http.get(ACCOUNT)

    assert page.status_code == 200
    assert 'action="/account"' not in page.text
    assert http.post("/account", data={"entity": "alsterkontor", "seen": "0" * 64}).status_code == 400


# ── incidents ──


def test_an_incident_is_told_with_what_was_seen_and_what_history_suggests(
    browser: Browser, company: Org
) -> None:
    one = investigated(company)
    page = browser("user:oskar").get(f"/incidents/{one.incident}").text
    told = words(page)
    briefing = words(page[page.index('id="briefing"') : page.index('id="hand-in"')])

    assert "observation" in told
    assert "queue depth 8123" in told
    assert "prometheus" in told
    assert "open The certificate expired again oskar for it: 2" in told
    assert "not facts about this incident" in briefing
    assert "Earlier incidents hint The root cause of INC-31 was an expired client certificate" in briefing
    assert "history, not evidence" in briefing
    assert "Leans on ledger-db , tariff-sync" in told


def test_somebody_investigates_from_the_page_alone(browser: Browser, company: Org) -> None:
    http = browser("user:oskar")
    fields = {"title": "Stuck again", "service": "edi-gateway", "environment": "prod", "version": "7"}
    lines = {"signals": "EdiQueueBacklog\r\n\r\n TlsHandshakeFailures ", "audience": "group:sre"}
    opened = sent(http, "/incidents", "/incidents", **fields, **lines)
    place = opened.partition("?")[0]
    desk, id_ = company.reader("user:lena").incidents, place.rpartition("/")[2]

    def act(**sent_: str) -> str:
        return sent(http, place, place, **sent_)

    seen = act(act="observe", kind="observation", text="depth 9", tool="prometheus", query="depth")
    tried = act(act="observe", kind="attempt", text="Restarted the workers", outcome="no change")
    entry = next(one.id for one in desk.show(id_).entries if one.text == "depth 9")
    supposed = act(act="suppose", words="A certificate expired", **{f"rests.{entry}": "1"})
    doubted = act(act="doubt", words="The network is down", **{f"rests.{entry}": "1"})
    first, second = (one.id for one in desk.show(id_).hypotheses)
    hint = desk.briefing(id_).hints[0].id
    judged = [
        act(act=f"supported {first}", words="the handshake fails", **{f"rests.{entry}": "1"}),
        act(act=f"adopted {hint}", words="", **{f"rests.{entry}": "1"}),
    ]
    reached = act(act="reach", goal="Renew it", plan="find the job\nrun it", finished="looked", questions="")
    before = desk.show(id_)
    hinted = desk.briefing(id_).hints[0].verdict
    ending = {"result": "Renewed.", "cause": "the certificate expired", "confirmed": "1", "check": "openssl"}
    closed = act(act="close", **ending, conditions="prod", misleading="", **{f"rests.{entry}": "1"})
    proposed = act(act="propose", steps="Renew the certificate", reuse="it expires every year")

    assert opened == f"{place}?done=opened"
    assert [one.rpartition("=")[2] for one in (seen, tried)] == ["observe", "observe"]
    assert (supposed[-7:], doubted[-5:]) == ("suppose", "doubt")
    assert judged == [f"{place}?done=judged"] * 2
    assert (reached[-5:], closed[-5:], proposed[-7:]) == ("reach", "close", "propose")
    assert before.signals == ("EdiQueueBacklog", "TlsHandshakeFailures")
    assert {one.id: (one.verdict, one.supports, one.against) for one in before.hypotheses} == {
        first: ("supported", (entry,), ()),
        second: ("open", (), (entry,)),
    }
    assert hinted == "adopted"
    assert before.checkpoint is not None
    assert before.checkpoint.plan == ("find the job", "run it")
    page = http.get(place).text
    assert desk.show(id_).state == "closed"
    assert "the certificate expired" in page[page.index('id="episode"') :]
    assert 'form="judge"' not in page


def test_a_procedure_is_told_once_somebody_else_approved_it(url: str, tenant: str, clock: Clock) -> None:
    with open_org(url, tenant, clock) as org:
        people = [person("user:ann"), person("user:sam"), member("group:sre", "user:ann", "user:sam")]
        taken(org, people)
        org.steward("user:owner").grant_role("user:sam", "steward")
        app = site_of(org)
        ann, sam = signed_in(app, org, "user:ann"), signed_in(app, org, "user:sam")
        fields = {"service": "checkout", "environment": "prod", "signals": "HighErrorRate"}
        fields |= {"audience": "group:sre"}

        def opened(title: str) -> str:
            clock.forward(minutes=5)
            found = sent(ann, "/incidents", "/incidents", title=title, **fields).partition("?")[0]
            sent(ann, found, found, act="observe", text="pool 100 of 100", tool="prometheus", query="pool")
            return found

        place = opened("Checkout fails")
        desk = org.reader("user:ann").incidents
        entry = desk.show(place.rpartition("/")[2]).entries[-1].id
        ending = {"act": "close", "result": "Raised it.", "cause": "the pool was too small"}
        sent(ann, place, place, **ending, confirmed="1", **{f"rests.{entry}": "1"})
        sent(ann, place, place, act="propose", steps="Raise the pool", reuse="it happens every month")
        again = opened("Checkout fails again")
        waiting = words(ann.get(again).text)
        card = re.search(r'href="(/desk/candidates/[^"]+)"', sam.get("/desk/candidates").text)
        assert card is not None
        stamp = re.search(r'name="seen" value="([^"]*)"', sam.get(card[1]).text)
        assert stamp is not None
        sent(sam, card[1], card[1], act="approve", seen=stamp[1])
        approved = words(ann.get(again).text)

    assert "Earlier incidents hint" in waiting
    assert "Approved procedures" not in waiting
    assert "Approved procedures hint" in approved
    assert "Raise the pool" in approved


def test_memories_are_retired_as_they_were_shown_and_undone(url: str, tenant: str, clock: Clock) -> None:
    with open_org(url, tenant, clock) as org:
        told = said("INC-1", "The root cause of INC-1 was a full disk.", source="notes", kind="episode")
        taken(org, [person("user:sam"), {**told, "service": "checkout", "author": "user:sam"}])
        org.steward("user:owner").grant_role("user:sam", "steward")
        http = signed_in(site_of(org), org, "user:sam")
        page = http.get("/desk/upkeep").text
        ticked = dict.fromkeys(re.findall(r'name="(memory\.[^"]+)"', page), "1")
        form = form_of(page)

        shown = http.post(
            "/desk/upkeep", data={"form": form, "act": "retire", **ticked}, headers={"Origin": HERE}
        )
        before = len(org.steward("user:sam").upkeep.findings())
        hidden = dict(re.findall(r'name="(memory\.[^"]+|seen)" value="([^"]*)"', shown.text))
        again = {"form": form_of(shown.text), "act": "retire", **hidden}
        done = http.post("/desk/upkeep", data=again, headers={"Origin": HERE})
        after = http.get(done.headers["location"]).text
        batch = re.search(r'name="batch" value="([^"]+)"', after)
        assert batch is not None
        none = org.steward("user:sam").upkeep.findings()
        back = sent(http, "/desk/upkeep", "/desk/upkeep", act="restore", batch=batch[1])

        assert "These would be retired" in words(shown.text)
        assert "a full disk" in words(shown.text)
        assert before == len(org.steward("user:sam").upkeep.findings()) > 0
        assert none == []
        assert "Retired: withheld" in words(after)
        assert back == "/desk/upkeep?done=restore"
        nothing = http.post("/desk/upkeep", data={**again, "act": "eat"}, headers={"Origin": HERE})
        assert nothing.status_code == 400


@pytest.mark.parametrize(
    ("fields", "said_"),
    [
        ({"act": "eat"}, "nothing to do about an incident"),
        ({"act": "observe", "text": " "}, "an observation has 1 to"),
        ({"act": "observe", "text": "x", "kind": "rumour"}, "is unknown"),
        ({"act": "observe", "text": "x", "tool": "y" * 2_001}, "tool has at most 2,000"),
        ({"act": "gather", "since": "soon"}, "since"),
        ({"act": "gather", "since": "2020-01-01"}, "is no stretch to gather from"),
        ({"act": "reach", "goal": "x", "plan": "y\n" * 101}, "plan has at most 100 lines"),
        ({"act": "close", "result": ""}, "say how it ended"),
        ({"act": "close", "result": "x", "confirmed": "1"}, "confirmed by evidence"),
    ],
)
def test_what_makes_no_sense_of_an_incident_is_told_in_words(
    browser: Browser, company: Org, fields: Mapping[str, str], said_: str
) -> None:
    http = browser("user:oskar")
    place = f"/incidents/{investigated(company).incident}"
    data = {"form": form_of(http.get(place).text), **fields}

    reply = http.post(place, data=data, headers={"Origin": HERE})

    assert reply.status_code == 400
    assert said_ in reply.text


@given(st.integers(0, 500))
def test_a_long_ledger_shows_its_end_and_says_how_much_came_before(length: int) -> None:
    entries = laid(_incident(tuple(_entry(place, {}) for place in range(length))))

    shown, earlier = end_of_ledger(entries)
    numbers = [one.number for one in shown]

    assert numbers == list(range(earlier + 1, length + 1))
    assert len(shown) == min(length, MOST_ENTRIES)


JSON: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(["e_0", "e_1"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
)
DETAIL = st.dictionaries(
    st.sampled_from("tool query outcome evidence supports against target clock_ahead_s".split()),
    JSON,
)


@given(st.lists(DETAIL, max_size=4))
def test_a_ledger_is_laid_out_whatever_its_entries_say_of_themselves(details: list[JsonObject]) -> None:
    entries = tuple(_entry(place, detail) for place, detail in enumerate(details))

    shown = laid(_incident(entries))

    assert [one.entry for one in shown] == list(entries)
    for one in shown:
        for pointer in (*one.rests_on, *one.judges, *one.against):
            assert pointer.number is None or entries[pointer.number - 1].id == pointer.id


def _entry(place: int, detail: JsonObject) -> Entry:
    return Entry(f"e_{place}", "observation", START, None, "seen", detail, "member")


def _incident(entries: tuple[Entry, ...]) -> Incident:
    return Incident(
        id="inc-1",
        title="A storm",
        state="open",
        service=None,
        environment=None,
        version=None,
        signals=(),
        alert=None,
        opened_by=None,
        opened_at=START,
        entries=entries,
        hypotheses=(),
        contradictions=(),
        checkpoint=None,
        episode=None,
    )
