"""Gmail by its API: all of it once, then its history, then what is still there."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from muniment.domain.errors import Unavailable
from muniment.sources.connector import Configured, Cursor, CursorLost, Page, Throttled, Unauthorised
from muniment.sources.mail.gmail import Gmail, connect
from tests.mails import MBOX, accepted, handed, items, mbox, raw
from tests.sources import gmail_double
from tests.worlds import Clock

Event = Mapping[str, object]
ANN, BO = "ann@acme.example", "bo@acme.example"
BUSY = b'{"error":{"errors":[{"reason":"userRateLimitExceeded"}]}}'


@pytest.fixture
def server() -> Iterator[gmail_double.Gmail]:
    with gmail_double.serving() as served:
        served.boxes[ANN] = gmail_double.Box()
        yield served


def gmail(server: gmail_double.Gmail, *logins: str, **settings: str) -> Gmail:
    owners = {ANN: "user:ann", BO: "user:bo"}
    boxes = ",".join(f"{owners[one]}={one}" for one in logins or (ANN,))
    said = {"mailboxes": boxes, "base_url": server.url, **settings}
    return connect(Configured("mail", said, lambda _: "canary-token", Clock(), "user:owner"))


def pulled(asked: Gmail, cursor: Cursor | None = None) -> tuple[list[Event], Cursor]:
    pages: list[Page] = list(asked.pull(cursor))
    assert pages[-1].through is not None
    return accepted(one for page in pages for one in page.parsed), json.loads(json.dumps(pages[-1].cursor))


def numbered(number: int) -> bytes:
    return raw(f"Mail {number}.", Message_ID=f"<{number}@x>")


def bodies(events: list[Event]) -> set[object]:
    return {one["body"] for one in items(events)}


def filled(server: gmail_double.Gmail, count: int, login: str = ANN) -> gmail_double.Box:
    box = server.boxes.setdefault(login, gmail_double.Box())
    for number in range(count):
        box.add(f"m{number}", numbered(number))
    return box


def test_a_mailbox_is_read_once_and_then_what_happens(server: gmail_double.Gmail) -> None:
    box = filled(server, 5)
    first, cursor = pulled(gmail(server))
    nothing, cursor = pulled(gmail(server), cursor)
    box.add("m5", numbered(5))
    new, cursor = pulled(gmail(server), cursor)

    assert bodies(first) == {f"Mail {number}." for number in range(5)}
    assert (nothing, bodies(new)) == ([], {"Mail 5."})
    assert pulled(gmail(server), cursor)[0] == []


def test_what_comes_while_a_mailbox_is_read_is_not_missed(server: gmail_double.Gmail) -> None:
    box = filled(server, 3)
    pages = gmail(server).pull(None)
    first = next(pages)
    box.add("m9", numbered(9))
    rest = list(pages)

    assert "Mail 9." in bodies(accepted(one for page in (first, *rest) for one in page.parsed))


def test_a_first_reading_goes_on_where_it_was_broken_off(server: gmail_double.Gmail) -> None:
    filled(server, 6)
    first = next(gmail(server).pull(None))
    server.asked.clear()
    rest, _ = pulled(gmail(server), json.loads(json.dumps(first.cursor)))

    assert bodies(rest) == {"Mail 0.", "Mail 1.", "Mail 2.", "Mail 3."}
    assert len([one for one in server.asked if "/messages/" in one]) == 4


def test_a_history_that_is_too_old_loses_the_cursor_and_no_mail(server: gmail_double.Gmail) -> None:
    box = filled(server, 2)
    _, cursor = pulled(gmail(server))
    box.add("m7", numbered(7))
    box.oldest = box.now

    with pytest.raises(CursorLost):
        list(gmail(server).pull(cursor))
    assert bodies(pulled(gmail(server))[0]) == {"Mail 0.", "Mail 1.", "Mail 7."}


def test_what_goes_into_the_trash_is_held_no_more_until_it_comes_back(server: gmail_double.Gmail) -> None:
    box = filled(server, 1)
    events, cursor = pulled(gmail(server))
    name = items(events)[0]["id"]

    box.label("m0", add="TRASH")
    gone, cursor = pulled(gmail(server), cursor)
    box.label("m0", remove="TRASH")
    back, _ = pulled(gmail(server), cursor)

    assert [(one["item"], one.get("remove")) for one in gone] == [(name, ["user:ann"])]
    assert [one.get("add") for one in back if one["op"] == "audience"] == [["user:ann"]]


def test_spam_trash_drafts_and_chats_are_not_read_unless_asked_for(server: gmail_double.Gmail) -> None:
    box = filled(server, 1)
    for number, label in enumerate(("SPAM", "TRASH", "DRAFT", "CHAT"), 1):
        box.add(f"m{number}", numbered(number), label)

    assert bodies(pulled(gmail(server))[0]) == {"Mail 0."}
    assert len(bodies(pulled(gmail(server, also="spam,trash,drafts"))[0])) == 4


def test_a_listing_is_of_all_mailboxes_and_says_who_lost_what(server: gmail_double.Gmail) -> None:
    box, other = filled(server, 2), filled(server, 3, BO)
    asked = gmail(server, ANN, BO)
    events, _ = pulled(asked)
    names = {str(one["body"]): str(one["id"]) for one in items(events)}
    box.delete("m0")
    other.delete("m2")

    (listing,) = asked.sweep()

    assert listing.complete
    assert listing.ids == {names["Mail 0."], names["Mail 1."]}
    assert [(one["item"], one["remove"]) for one in accepted(listing.parsed)] == [
        (names["Mail 0."], ["user:ann"])
    ]
    assert [again.parsed for again in asked.sweep()] == [[]]


def test_the_same_mail_by_the_api_and_from_an_export_is_the_same_item(
    server: gmail_double.Gmail, tmp_path: Path
) -> None:
    server.boxes[ANN].add("m0", raw().replace(b"\n", b"\r\n"), "INBOX", "Label_7")
    path = tmp_path / "takeout.mbox"
    path.write_bytes(mbox(raw(X_GM_THRID="1799", X_Gmail_Labels="Inbox,Layoffs")))

    assert items(pulled(gmail(server))[0]) == items(accepted(MBOX.read(path, handed())))


def test_labels_and_whose_mailbox_it_was_are_no_part_of_a_mail(server: gmail_double.Gmail) -> None:
    server.boxes[ANN].add("m0", numbered(0), "INBOX", "Layoffs")

    assert "Layoffs" not in repr(pulled(gmail(server))[0])


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ((429, {"retry-after": "7"}, b"{}"), Throttled),
        ((403, {}, BUSY), Throttled),
        ((403, {}, b"{}"), Unauthorised),
        ((401, {}, b"{}"), Unauthorised),
        ((500, {}, b""), Unavailable),
        ((302, {"location": "http://127.0.0.1:1/"}, b""), Unavailable),
        ((200, {}, b"<html>"), Unavailable),
        ((200, {}, b"[]"), Unavailable),
        ((200, {}, b"{}"), Unavailable),
    ],
)
def test_a_fault_is_told_by_what_to_do_about_it(
    server: gmail_double.Gmail, fault: tuple[int, dict[str, str], bytes], error: type[Exception]
) -> None:
    server.fault = fault

    with pytest.raises(error) as said:
        list(gmail(server).pull(None))

    assert type(said.value) is error
    assert "canary" not in str(said.value)
    assert server.tokens == {"Bearer canary-token"}
    if fault[1].get("retry-after"):
        assert isinstance(said.value, Throttled)
        assert said.value.after == 7


def test_a_cursor_holds_no_secret_and_nothing_anybody_wrote(server: gmail_double.Gmail) -> None:
    filled(server, 3)
    _, cursor = pulled(gmail(server))

    assert cursor == {"mailboxes": {f"user:ann={ANN}": {"history": "103"}}}
