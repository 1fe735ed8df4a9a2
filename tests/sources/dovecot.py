"""A real IMAP server for tests: Debian's dovecot, in a folder of its own."""

from __future__ import annotations

import imaplib
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

PASSWORD = "right"  # noqa: S105  # of a server that lives for one test
_NOBODY = 65534
_CONFIG = """
base_dir = {base}/run
state_dir = {base}/state
log_path = {base}/log
protocols = imap
ssl = no
disable_plaintext_auth = no
default_login_user = nobody
default_internal_user = nobody
default_internal_group = nogroup
first_valid_uid = 0
mail_location = maildir:{base}/mail/%u
namespace inbox {{
  inbox = yes
  mailbox Trash {{
    auto = create
    special_use = \\Trash
  }}
  mailbox Junk {{
    auto = create
    special_use = \\Junk
  }}
}}
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={user} gid={user} home={base}/mail/%u
}}
service anvil {{
  chroot =
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    address = 127.0.0.1
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
"""


@contextmanager
def serving() -> Iterator[int]:
    """The port of a server that has nobody's mail yet. Skips where Debian's dovecot-imapd is not there."""
    program = shutil.which("dovecot") or shutil.which("dovecot", path="/usr/sbin")
    if program is None or os.getuid() != 0:
        pytest.skip("a real IMAP server is not here: as root, apt-get install dovecot-imapd")
    with tempfile.TemporaryDirectory() as name:
        base, port = Path(name), _free_port()
        base.chmod(0o755)
        (base / "mail").mkdir()
        os.chown(base / "mail", _NOBODY, _NOBODY)
        config = base / "dovecot.conf"
        config.write_text(_CONFIG.format(base=base, port=port, password=PASSWORD, user=_NOBODY))
        server = subprocess.Popen([program, "-F", "-c", str(config)])
        try:
            _await(port, server)
            yield port
        finally:
            server.terminate()
            server.wait(timeout=20)


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _await(port: int, server: subprocess.Popen[bytes]) -> None:
    for _ in range(200):
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", port)) == 0:
                return
        with suppress(subprocess.TimeoutExpired):
            raise AssertionError(f"dovecot ended by itself: {server.wait(timeout=0.05)}")
    raise AssertionError("dovecot does not listen")


@contextmanager
def inside(port: int, login: str) -> Iterator[imaplib.IMAP4]:
    """What a person's own mail program does."""
    client = imaplib.IMAP4("127.0.0.1", port, timeout=20)
    client.login(login, PASSWORD)
    try:
        yield client
    finally:
        client.logout()
