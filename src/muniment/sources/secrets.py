"""Secrets are named by reference and read at the moment they are needed: never stored, logged or shown."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping
from pathlib import Path
from secrets import token_bytes
from typing import Final

from muniment.domain.errors import Usage
from muniment.settings import variable
from muniment.sources import oauth
from muniment.sources.connector import Setting, Unauthorised

__all__ = ["checked", "mark", "reader", "resolve"]

_MARKED: Final = token_bytes(32)  # of this process alone
_LONGEST: Final = 64 * 1024  # characters of a file that holds one secret


def resolve(reference: str) -> str:
    """The secret that `env:NAME` or `file:PATH` means; Unauthorised, with the reference, if there is none."""
    how, colon, where = reference.partition(":")
    if not colon or how not in ("env", "file") or not where:
        raise Usage("a secret is said as env:NAME or file:PATH, and never by itself")
    found = variable(where) if how == "env" else _read(where)
    if not found:
        raise Unauthorised(f"the secret {reference!r} is not there or is empty")
    return found


def mark(reference: str) -> bytes:
    """What changes when the secret does; nothing can be told from it, and no grant is renewed for it."""
    how, _, where = reference.partition(":")
    found = variable(where) if how == "env" else _held(Path(where).expanduser())
    return hmac.digest(_MARKED, (found or "").encode("utf-8", "surrogateescape"), "sha256")


def _held(path: Path) -> str | None:
    try:
        with path.open(encoding="utf-8") as file:
            return file.read(_LONGEST).strip()
    except (OSError, UnicodeDecodeError):
        return None


def _read(name: str) -> str | None:
    """What the file holds; where that is a grant, a token that is good."""
    path = Path(name).expanduser()
    found = _held(path)
    if found is None:
        return None
    return oauth.access(path) if oauth.is_grant(found) else found


def reader(settings: Mapping[str, str]) -> Callable[[str], str]:
    """What reads a secret by its setting's name."""

    def read(name: str) -> str:
        if not (reference := settings.get(name)):
            raise Unauthorised(f"the secret setting {name!r} is not set")
        return resolve(reference)

    return read


def checked(said: Mapping[str, str], known: tuple[Setting, ...]) -> dict[str, str]:
    """The settings with their defaults; Usage says what is missing, unknown, or a secret said outright."""
    names = {one.name: one for one in known}
    for name, value in said.items():
        if name not in names:
            raise Usage(f"setting {name!r} is unknown: use {', '.join(names)}")
        _require_fit(names[name], value)
    whole = {one.name: said.get(one.name) or one.default for one in known}
    for one in known:
        if one.required and not whole[one.name]:
            raise Usage(f"setting {one.name!r} is missing: {one.help}")
    return {name: value for name, value in whole.items() if value}


def _require_fit(setting: Setting, value: str) -> None:
    """A secret is a reference, and nothing else has one in it. The value is never repeated."""
    how, colon, where = value.partition(":")
    if setting.secret and value and not (colon and how in ("env", "file") and where):
        raise Usage(
            f"setting {setting.name!r} is a secret: say env:NAME or file:PATH, which is all that is kept"
        )
    address = value.partition("://")[2].partition("/")[0]
    if not setting.secret and ":" in address.rpartition("@")[0]:
        raise Usage(f"setting {setting.name!r} has a password in it; leave it out and use a secret setting")
