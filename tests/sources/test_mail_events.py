"""Mail in the record: one item for one mail, for those who hold it and nobody else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.app import Org
from muniment.domain.events import AudienceEvent, ContentEvent
from muniment.events.parse import Parsed, Rejection, parse_event
from muniment.items.fold import Accepted, fold
from tests.mails import handed, items, mbox, raw, told
from tests.sources.test_mail_parsing import part, parted
from tests.worlds import NOW, open_org, person, taken

SECRET = raw("The merger closes on Friday.\n", Subject="Merger", Bcc="Zora <zora@acme.example>")
AT_BO = raw(
    "The merger closes on Friday.\n",
    Subject="Merger",
    Received="from a by b; Wed, 03 Jun 2026 07:00:09 +0000",
)
PEOPLE = ("user:ann", "user:bo", "user:zora", "user:mal")
Event = Mapping[str, object]


@pytest.fixture
def org(url: str, tenant: str) -> Iterator[Org]:
    with open_org(url, tenant) as opened:
        names = [(who, f"{who.removeprefix('user:')}@acme.example") for who in PEOPLE]
        taken(opened, [person(who, emails=[address]) for who, address in names])
        yield opened


def found(org: Org, who: str, words: str = "merger") -> list[str]:
    return [hit.item or "" for hit in org.reader(who).search(words)]


def of(path: Path, data: bytes, owner: str) -> list[Event]:
    return told(path / "in.mbox", mbox(data), by=handed(owner))


def test_one_mail_in_many_mailboxes_is_one_item_for_all_who_hold_it(org: Org, tmp_path: Path) -> None:
    taken(org, of(tmp_path, SECRET, "user:ann"))
    name = found(org, "user:ann")
    assert found(org, "user:bo") == []

    receipt = taken(org, of(tmp_path, AT_BO, "user:bo"))

    assert found(org, "user:ann") == found(org, "user:bo") == name
    assert receipt.duplicate == 1  # the mail itself: only who holds it is new
    assert found(org, "user:zora") == found(org, "user:mal") == []


def test_who_was_sent_a_blind_copy_is_known_to_nobody_else(org: Org, tmp_path: Path) -> None:
    for owner in ("user:ann", "user:bo", "user:zora"):
        taken(org, of(tmp_path, SECRET, owner))

    bo = org.reader("user:bo")
    hit = bo.search("merger")[0]
    answer = bo.ask("When does the merger close?")
    assert hit.citation is not None
    why = bo.explain(hit.citation.id)
    shown = (hit, answer, why, bo.context("merger", budget=2000), bo.locate("merger"), bo.pages())
    assert "zora" not in repr(shown).casefold()
    assert found(org, "user:zora") == [hit.item]


def test_a_mail_that_only_borrows_anothers_id_opens_nothing(org: Org, tmp_path: Path) -> None:
    taken(org, of(tmp_path, SECRET, "user:ann"))
    forged = raw("Let me read it.\n", Subject="Merger")

    taken(org, of(tmp_path, forged, "user:mal"))

    assert len(found(org, "user:mal")) == 1
    assert set(found(org, "user:mal")).isdisjoint(found(org, "user:ann"))
    assert "Friday" not in repr(org.reader("user:mal").search("merger Friday"))


def test_handing_in_twice_is_handing_in_once(org: Org, tmp_path: Path) -> None:
    first = taken(org, of(tmp_path, SECRET, "user:ann"))
    again = taken(org, of(tmp_path, SECRET, "user:ann"))

    assert (first.accepted, again.accepted, again.duplicate) == (2, 0, 2)


def test_a_file_for_somebody_else_is_not_for_who_hands_it_in(org: Org, tmp_path: Path) -> None:
    receipt = taken(org, of(tmp_path, SECRET, "user:ann"))

    assert found(org, "user:owner") == []
    assert not [note for note in receipt.notes if "no audience was given" in note]


def test_whoever_no_longer_holds_a_mail_no_longer_reads_it(org: Org, tmp_path: Path) -> None:
    events = [*of(tmp_path, SECRET, "user:ann"), *of(tmp_path, SECRET, "user:bo")]
    taken(org, events)
    name = items(events)[0]["id"]
    gone = {"op": "audience", "source": "mail", "item": name, "at": NOW.isoformat(), "remove": ["user:bo"]}

    taken(org, [gone])

    assert found(org, "user:ann") == [name]
    assert found(org, "user:bo") == []
    taken(org, of(tmp_path, AT_BO, "user:bo"))  # an old export says nothing new
    assert found(org, "user:bo") == []


def test_words_of_a_member_are_a_members_and_of_a_stranger_a_strangers(org: Org, tmp_path: Path) -> None:
    stranger = raw("The discount is 20 percent.", From="Ann Lee <ann@evil.example>", Message_ID="<2@x>")
    taken(org, [*of(tmp_path, SECRET, "user:ann"), *of(tmp_path, stranger, "user:ann")])

    ann = org.reader("user:ann")
    own, other = ann.search("merger")[0].citation, ann.search("discount")[0].citation
    assert own is not None
    assert other is not None
    assert (own.said_by, own.trust) == ("ann@acme.example", "member")
    assert (other.said_by, other.trust) == ("ann@evil.example", "external_document")


def test_a_thread_is_what_a_mail_answers_and_never_its_subject(tmp_path: Path) -> None:
    reply = raw(Message_ID="<3@x>", References="<plan@acme.example> <2@x>", In_Reply_To="<2@x>")
    lone = raw(Message_ID="<4@x>", In_Reply_To="<plan@acme.example>")
    other = raw(Message_ID="<5@x>", Subject="Re: Plan")
    threads = [one["thread"] for one in items(told(tmp_path / "m", mbox(raw(), reply, lone, other)))]

    assert threads == ["plan@acme.example"] * 3 + ["5@x"]


def test_a_mail_without_an_id_is_known_by_what_it_says(tmp_path: Path) -> None:
    nameless = raw(Message_ID=None)
    one, two = (items(of(tmp_path, data, "user:ann")) for data in (nameless, nameless + b"\n\n"))

    assert one[0]["id"] == two[0]["id"]
    assert str(one[0]["id"]).startswith("unnamed#")


def test_what_a_mailbox_adds_is_no_part_of_a_mail(tmp_path: Path) -> None:
    added = {
        "Received": "from a by b",
        "Bcc": "zora@acme.example",
        "X-Gmail-Labels": "Layoffs",
        "Delivered-To": "zora@acme.example",
        "X-Original-To": "zora@acme.example",
        "Return-Path": "<ann@acme.example>",
    }
    plain, marked = raw(), raw(**{name.replace("-", "_"): value for name, value in added.items()})

    assert items(of(tmp_path, plain, "user:ann")) == items(of(tmp_path, marked, "user:ann"))
    shown = repr(of(tmp_path, marked, "user:ann")).casefold()
    assert [word for word in ("zora", "layoffs") if word in shown] == []


def test_a_quoted_mail_is_not_its_senders_word(org: Org, tmp_path: Path) -> None:
    reply = raw(
        "Fine with me.\n\nOn Tue, Bo <bo@acme.example> wrote:\n> The limit is EUR 900 per night.\n-- \nAnn\n"
    )
    taken(org, of(tmp_path, reply, "user:ann"))

    answer = org.reader("user:ann").ask("What is the limit per night?")
    assert [one.said_by for one in answer.citations if "900" in (one.statement or "") and one.claim] == []


def test_a_text_that_came_with_a_mail_is_an_item_for_its_readers(org: Org, tmp_path: Path) -> None:
    notes = part(
        "# Budget\n\nThe budget for travel is EUR 5,000.\n",
        "text/markdown",
        Content_Disposition='attachment; filename="notes.md"',
    )
    sheet = part("QUJD", "application/pdf", Content_Disposition='attachment; filename="a.pdf"')
    opened = part(
        "---\naudience: ['*']\n---\nFor all.",
        "text/markdown",
        Content_Disposition='attachment; filename="b.md"',
    )
    events = of(tmp_path, parted(part("See attached.", "text/plain"), notes, sheet, opened), "user:ann")
    taken(org, events)

    assert [one["kind"] for one in items(events)] == ["email", "document"]
    assert [one["title"] for one in items(events)][1] == "Budget"
    assert len(found(org, "user:ann", "budget travel")) == 1
    assert found(org, "user:bo", "budget travel") == []


@pytest.mark.parametrize("newest_first", [False, True])
def test_a_request_to_give_a_mail_back_withholds_it_until_somebody_decides(
    org: Org,
    tmp_path: Path,
    newest_first: bool,  # noqa: FBT001  # a case
) -> None:
    asked = raw(
        "Ann would like to recall it.",
        Subject="Recall: Merger",
        Message_ID="<r@x>",
        Date="Wed, 03 Jun 2026 12:00:00 +0200",
    )
    box = mbox(*([asked, SECRET] if newest_first else [SECRET, asked]))
    taken(org, told(tmp_path / "m", box, by=handed("user:bo")))

    bo = org.reader("user:bo")
    assert [hit.text for hit in bo.search("merger closes") if "Friday" in hit.text] == []

    taken(
        org,
        [
            {
                "op": "restore",
                "source": "mail",
                "id": items(of(tmp_path, SECRET, "user:bo"))[0]["id"],
                "at": NOW.isoformat(),
            }
        ],
    )
    assert [hit.text for hit in bo.search("merger closes") if "Friday" in hit.text]


@pytest.mark.parametrize(
    "fields",
    [
        {"From": "mal@evil.example"},
        {"Date": "Wed, 03 Jun 2026 01:00:00 +0200"},
        {"Subject": "Recall: Another"},
        {"Subject": "Re: Recall: Merger"},
    ],
)
def test_nobody_else_takes_a_mail_back_and_nobody_before_it_was_sent(
    tmp_path: Path, fields: dict[str, str]
) -> None:
    said = {
        "Subject": "Recall: Merger",
        "Message_ID": "<r@x>",
        "Date": "Wed, 03 Jun 2026 12:00:00 +0200",
        **fields,
    }
    events = told(tmp_path / "m", mbox(SECRET, raw(**said)))

    assert [one for one in events if one["op"] == "recall"] == []


@pytest.mark.parametrize(
    "said",
    [
        {"container": "c", "add": ["user:ann"]},
        {"item": "m"},
        {"item": "m", "audience": [["*"]], "add": ["user:ann"]},
        {"item": "m", "add": ["ann@acme.example"]},
        {"item": "m", "add": "user:ann"},
    ],
)
def test_who_holds_a_copy_is_said_of_items_by_principals_and_alone(said: Event) -> None:
    event = {"op": "audience", "source": "mail", "at": "2026-06-03T09:00:00Z", **said}

    assert isinstance(parse_event(event), Rejection)


@settings(max_examples=60)
@given(st.permutations(range(8)))
def test_the_order_of_deliveries_decides_nothing(order: Sequence[int]) -> None:
    name = "plan@acme.example#1"
    upsert = {
        "op": "upsert",
        "source": "mail",
        "id": name,
        "at": "2026-06-03T09:00:00Z",
        "version": "1",
        "body": "x",
    }
    held = [
        ("add", "user:ann", 9), ("add", "user:bo", 9), ("remove", "user:bo", 11), ("add", "user:bo", 12),
        ("add", "user:zora", 9), ("remove", "user:zora", 9), ("remove", "user:mal", 10),
    ]  # fmt: skip
    said = [
        upsert,
        *(
            {
                "op": "audience",
                "source": "mail",
                "item": name,
                "at": f"2026-06-03T{hour:02}:00:00Z",
                what: [who],
            }
            for what, who, hour in held
        ),
    ]
    history = []
    for seq, at in enumerate(order, 1):
        parsed = parse_event(said[at])
        assert isinstance(parsed, Parsed)
        assert isinstance(parsed.event, ContentEvent | AudienceEvent)
        history.append(Accepted(seq, NOW, "user:owner", parsed.event))

    standing = fold(history, {}, frozenset())

    assert standing is not None
    assert standing.audience.as_lists() == [["user:ann", "user:bo"]]
