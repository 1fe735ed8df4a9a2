"""Everything that can go wrong, as a tree a caller can act on.

MunimentError
├── Refused       not for you, or not there; which of the two is never said
├── Conflict      the record moved on; read again
├── Held          a legal hold forbids it; for stewards only
├── Malformed     this input can never work
│   ├── NotAnOrg  the folder or database is not an organisation's record
│   └── Usage     the command or call was put wrongly
└── Unavailable   something we need is down; the same call may work later
"""

from __future__ import annotations

__all__ = ["Conflict", "Held", "Malformed", "MunimentError", "NotAnOrg", "Refused", "Unavailable", "Usage"]


class MunimentError(Exception):
    """The root: catching it catches all of ours and nothing else."""


class Refused(MunimentError):
    """The thing is not there for this reader: missing and forbidden are one answer."""


class Conflict(MunimentError):
    """The record changed between reading and writing."""


class Held(MunimentError):
    """A legal hold forbids it until it is released."""


class Malformed(MunimentError):
    """The input cannot be accepted, now or later."""


class NotAnOrg(Malformed):
    """The folder or database does not hold an organisation's record."""


class Usage(Malformed):
    """The call itself was put wrongly: an unknown option, a path that does not exist."""


class Unavailable(MunimentError):
    """A service we depend on did not answer; nothing was lost."""
