"""The command authorise: a person lets us in at a source, once, in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from muniment.domain.errors import Usage
from muniment.surfaces.cli.everywhere import Call
from muniment.surfaces.cli.exits import Exit
from muniment.surfaces.cli.out import put, put_json, say

__all__ = ["authorise"]


def _option(flag: str, text: str, metavar: str) -> Any:
    return typer.Option(flag, help=text, metavar=metavar, show_default=False)


def authorise(
    call: Call,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Where the grant is kept.", show_default=False)
    ],
    *,
    at: Annotated[
        str, _option("--at", "The source's OAuth address, to which /authorize and /token belong.", "URL")
    ],
    client: Annotated[str, _option("--client", "What the source knows us as.", "ID")],
    secret: Annotated[
        str | None, _option("--secret", "The client's secret, as env:NAME.", "REFERENCE")
    ] = None,
    scope: Annotated[str, _option("--scope", "What to ask to be allowed.", "SCOPES")] = "",
    token_at: Annotated[
        str | None, _option("--token-at", "Its token address, where that is another.", "URL")
    ] = None,
) -> int:
    """Be let in at a source by a person in a browser, and keep the grant in a file.

    Name it as a secret, --set token=file:FILE, for a token that renews itself. Only you may read the file.
    """
    if secret is not None and not secret.startswith("env:"):
        raise Usage("--secret is said as env:NAME; a secret is never kept beside the grant")
    # Here, or help would load the database driver.
    from muniment.app import OAuthClient  # noqa: PLC0415
    from muniment.app import authorise as let_in  # noqa: PLC0415

    ours = OAuthClient(*_addresses(at, token_at), client, scope, secret)
    let_in(ours, file, lambda address: say(f"open this address and let us in:\n{address}"))
    if call.json:
        put_json({"file": str(file), "client": client})
    else:
        put(f"the grant is in {file}; name it as file:{file}")
    return Exit.DONE


def _addresses(at: str, token_at: str | None) -> tuple[str, str]:
    """Where a person lets us in, and where tokens are given: said outright, or by their usual names."""
    if token_at is not None:
        return at, token_at
    return f"{at.rstrip('/')}/authorize", f"{at.rstrip('/')}/token"
