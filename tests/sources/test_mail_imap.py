"""IMAP against a real server: what is new, what is gone, what is numbered anew, who holds what."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from muniment.domain.errors import Malformed, Unavailable
from muniment.sources.connector import Configured, Cursor, Listing, Page, Unauthorised
from muniment.sources.mail.imap import Imap, connect
from muniment.sources.parsed import Unread
from tests.mails import MBOX, accepted, handed, items, mbox, raw
from tests.sources.dovecot import PASSWORD, inside, serving
from tests.worlds import Clock

Event = Mapping[str, object]


@pytest.fixture(scope="module")
def server() -> Iterator[int]:
    with serving() as port:
        yield port


@pytest.fixture
def login(request: pytest.FixtureRequest) -> str:
    """A mailbox of one test's own."""
    return "ann-" + "".join(char for char in request.node.name if char.isalnum())[:60].casefold()


def imap(server: int, *logins: str, **settings: str) -> Imap:
    owners = ("user:ann", "user:bo")
    said = {
        "host": "127.0.0.1",
        "port": str(server),
        "tls": "no",
        "mailboxes": ",".join(f"{owner}={one}" for owner, one in zip(owners, logins, strict=False)),
        **settings,
    }
    return connect(Configured("mail", said, lambda _: PASSWORD, Clock(), "user:owner"))


def put(server: int, login: str, *mails: bytes, folder: str = "INBOX", flags: str = "") -> None:
    with inside(server, login) as box:
        box.create(f'"{folder}"')
        for one in mails:
            assert box.append(f'"{folder}"', flags, "", one.replace(b"\n", b"\r\n"))[0] == "OK"


def pulled(asked: Imap, cursor: Cursor | None = None) -> tuple[list[Event], Cursor]:
    """Everything a pull gave, and the cursor after it, as it would be stored."""
    pages: list[Page] = list(asked.pull(cursor))
    assert pages[-1].through is not None
    return accepted(one for page in pages for one in page.parsed), json.loads(json.dumps(pages[-1].cursor))


def swept(asked: Imap) -> Listing:
    (listing,) = asked.sweep()
    return listing


def bodies(events: list[Event]) -> list[object]:
    return [one["body"] for one in items(events)]


def numbered(count: int, first: int = 0) -> list[bytes]:
    return [raw(f"Mail {number}.", Message_ID=f"<{number}@x>") for number in range(first, first + count)]


def test_a_mailbox_is_read_once_and_then_what_is_new(server: int, login: str) -> None:
    put(server, login, *numbered(3))
    first, cursor = pulled(imap(server, login))
    nothing, cursor = pulled(imap(server, login), cursor)  # of `4:*` a server gives mail 3
    put(server, login, *numbered(1, 3))
    put(server, login, *numbered(1, 4), folder="Entw&APw-rfe 2026")
    new, _ = pulled(imap(server, login), cursor)

    assert bodies(first) == ["Mail 0.", "Mail 1.", "Mail 2."]
    assert nothing == []
    assert sorted(map(str, bodies(new))) == ["Mail 3.", "Mail 4."]


def test_what_was_read_stays_unread_for_its_owner(server: int, login: str) -> None:
    put(server, login, *numbered(2))
    pulled(imap(server, login))

    with inside(server, login) as box:
        box.select("INBOX", readonly=True)
        assert box.search(None, "UNSEEN")[1] == [b"1 2"]


def test_the_same_mail_by_imap_and_from_a_file_is_one_item(server: int, login: str, tmp_path: Path) -> None:
    mail = raw("Grüße.\n\nFrom here on we ship.\n", Content_Type="text/plain; charset=utf-8")
    put(server, login, mail)
    path = tmp_path / "a.mbox"
    path.write_bytes(mbox(mail))

    assert items(pulled(imap(server, login))[0]) == items(accepted(MBOX.read(path, handed())))


def test_a_folder_that_is_numbered_anew_is_read_anew(server: int, login: str) -> None:
    put(server, login, *numbered(2), folder="Project")
    before, cursor = pulled(imap(server, login))
    with inside(server, login) as box:
        box.delete("Project")
    put(server, login, *numbered(3), folder="Project")

    after, _ = pulled(imap(server, login), cursor)

    assert bodies(after) == ["Mail 0.", "Mail 1.", "Mail 2."]
    assert [one["id"] for one in items(after)][:2] == [one["id"] for one in items(before)]


def test_what_was_expunged_is_found_by_listing(server: int, login: str) -> None:
    put(server, login, *numbered(3))
    events, cursor = pulled(imap(server, login))
    names = [str(one["id"]) for one in items(events)]
    with inside(server, login) as box:
        box.select("INBOX")
        box.store("2", "+FLAGS", "\\Deleted")
        box.expunge()

    listing = swept(imap(server, login))

    assert pulled(imap(server, login), cursor)[0] == []
    assert (listing.complete, listing.ids) == (True, frozenset((names[0], names[2])))


def test_a_mail_that_one_of_two_threw_away_is_still_the_others(server: int, login: str) -> None:
    other = f"{login}-bo"
    put(server, login, *numbered(1))
    put(server, other, *numbered(2))
    asked = imap(server, login, other)
    events, cursor = pulled(asked)
    shared = items(events)[0]["id"]
    with inside(server, login) as box:
        box.select("INBOX")
        box.copy("1", "Trash")
        box.store("1", "+FLAGS", "\\Deleted")
        box.expunge()

    gone, _ = pulled(imap(server, login, other), cursor)
    first, second = swept(asked), swept(asked)

    assert [(one["op"], one["item"], one.get("remove")) for one in gone] == [
        ("audience", shared, ["user:ann"])
    ]
    assert (first.complete, len(first.ids)) == (True, 2)
    assert [(one["item"], one.get("remove")) for one in accepted(first.parsed)] == [(shared, ["user:ann"])]
    assert (second.ids, second.parsed) == (first.ids, [])


def test_spam_trash_and_drafts_are_not_read_unless_asked_for(server: int, login: str) -> None:
    put(server, login, *numbered(1))
    put(server, login, *numbered(1, 1), folder="Junk")
    put(server, login, *numbered(1, 2), folder="Trash")
    put(server, login, *numbered(1, 3), folder="Drafts")
    put(server, login, *numbered(1, 4), flags="\\Draft")

    assert bodies(pulled(imap(server, login))[0]) == ["Mail 0."]
    assert len(bodies(pulled(imap(server, login, also="spam,trash,drafts"))[0])) == 5


def test_a_listing_of_some_folders_only_is_not_whole(server: int, login: str) -> None:
    put(server, login, *numbered(1))
    put(server, login, *numbered(1, 1), folder="Other")
    some = imap(server, login, folders="INBOX")

    assert bodies(pulled(some)[0]) == ["Mail 0."]
    assert not swept(some).complete


def test_a_cursor_names_no_folder_and_no_password(server: int, login: str) -> None:
    put(server, login, *numbered(1), folder="Layoffs 2026")
    _, cursor = pulled(imap(server, login))

    assert [word for word in ("Layoffs", PASSWORD, "Mail 0") if word in json.dumps(cursor)] == []


def test_a_page_that_is_lost_is_read_again_from_its_cursor(server: int, login: str) -> None:
    put(server, login, *numbered(130))
    pages = list(imap(server, login).pull(None))
    again, _ = pulled(imap(server, login), pages[0].cursor)

    assert [page.seen for page in pages if page.seen] == [100, 30]
    assert len(items(again)) == 30


def test_a_wrong_password_and_a_server_that_is_not_there_are_told_apart(server: int, login: str) -> None:
    settings = {"host": "127.0.0.1", "port": str(server), "tls": "no", "mailboxes": f"user:ann={login}"}
    wrong = connect(Configured("mail", settings, lambda _: "canary-word", Clock(), "user:owner"))
    absent = imap(1, login)

    with pytest.raises(Unauthorised) as refused:
        list(wrong.pull(None))
    with pytest.raises(Unavailable, match="cannot be reached"):
        list(absent.pull(None))
    assert "canary" not in str(refused.value)


@pytest.mark.parametrize(
    "settings",
    [{"mailboxes": "ann@x.example"}, {"mailboxes": "ann=ann"}, {"also": "everything"}, {"host": ""}],
)
def test_settings_that_cannot_be_are_refused(settings: dict[str, str]) -> None:
    with pytest.raises(Malformed):
        imap(1, "ann", **settings)


def test_a_password_goes_over_no_open_line_to_another_machine() -> None:
    with pytest.raises(Malformed, match="another machine"):
        list(imap(1, "ann", host="mail.example").pull(None))


def test_bytes_that_are_no_mail_are_said_to_be_unread(server: int, login: str) -> None:
    put(server, login, b"just words\n\nmore words\n")
    found = [one for page in imap(server, login).pull(None) for one in page.parsed]

    assert [type(one) for one in found] == [Unread]
