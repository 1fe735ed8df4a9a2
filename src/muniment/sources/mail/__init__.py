"""Mail: exports in files, a mailbox behind IMAP, Gmail. One mail in many mailboxes is one item."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from muniment.sources.connector import Configured, Connector, ConnectorKind, Setting
from muniment.sources.filekind import FileKind, Handed
from muniment.sources.parsed import Parsed

__all__ = ["CONNECTORS", "FILES"]

# Reading mail takes the HTML parser with it, so that it is imported where a mail is read.


def _is_mbox(path: Path) -> bool:
    from muniment.sources.mail.files import is_mbox  # noqa: PLC0415  # as above

    return is_mbox(path)


def _is_eml(path: Path) -> bool:
    from muniment.sources.mail.files import is_eml  # noqa: PLC0415  # as above

    return is_eml(path)


def _read_mbox(path: Path, handed: Handed) -> Iterator[Parsed]:
    from muniment.sources.mail.files import read_mbox  # noqa: PLC0415  # as above

    return read_mbox(path, handed)


def _read_eml(path: Path, handed: Handed) -> Iterator[Parsed]:
    from muniment.sources.mail.files import read_eml  # noqa: PLC0415  # as above

    return read_eml(path, handed)


def _imap(configured: Configured) -> Connector:
    from muniment.sources.mail.imap import connect  # noqa: PLC0415  # as above

    return connect(configured)


def _gmail(configured: Configured) -> Connector:
    from muniment.sources.mail.gmail import connect  # noqa: PLC0415  # as above, and the extra

    return connect(configured)


_ALSO_HELP = "what else to read, with commas: spam, trash, drafts"

FILES = (
    FileKind(
        name="mbox",
        source="mail",
        summary="an mbox file, as Thunderbird, Apple Mail or Google Takeout export it",
        read=_read_mbox,
        recognises=_is_mbox,
        options=("owner", "also"),
    ),
    FileKind(
        name="eml",
        source="mail",
        summary="a mail on its own (.eml, .emlx), a folder of them, or a Maildir",
        read=_read_eml,
        recognises=_is_eml,
        options=("owner", "also"),
    ),
)
_MAILBOXES = Setting(
    "mailboxes",
    "whose mailboxes, with commas: PRINCIPAL=LOGIN, such as user:ann=ann@acme.example",
)
_CANNOT = (
    "each mail is for those in whose mailbox it was found; a Bcc is known to nobody else",
    "it cannot know who forwarded a mail outside, nor what was deleted before it was first connected",
)
CONNECTORS = (
    ConnectorKind(
        name="imap",
        summary="mailboxes behind IMAP over TLS",
        settings=(
            Setting("host", "the server's name"),
            _MAILBOXES,
            Setting("password", "one for all logins, or a JSON object of login to password", secret=True),
            Setting("port", "where the server listens", required=False, default="993"),
            Setting("tls", "yes, starttls, or no on this machine only", required=False, default="yes"),
            Setting("folders", "which folders, with commas; all of them else", required=False),
            Setting("also", _ALSO_HELP, required=False),
        ),
        connect=_imap,
        hook=None,
        knows=("it reads every folder but spam, trash and drafts, and marks nothing as read", *_CANNOT),
    ),
    ConnectorKind(
        name="gmail",
        summary="Gmail mailboxes by its API",
        settings=(
            _MAILBOXES,
            Setting("token", "one for all, or a JSON object of login to token", secret=True),
            Setting("base_url", "where the API is", required=False, default="https://gmail.googleapis.com"),
            Setting("also", _ALSO_HELP, required=False),
        ),
        connect=_gmail,
        hook=None,
        knows=("it needs the scope gmail.readonly, and reads all mail but spam, trash and drafts", *_CANNOT),
    ),
)
