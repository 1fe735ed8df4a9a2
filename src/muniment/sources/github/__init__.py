"""GitHub: issues, pull requests, comments, reviews, discussions and releases, by webhook and by asking."""

from __future__ import annotations

from muniment.sources.connector import Configured, Connector, ConnectorKind, Hook, Setting
from muniment.sources.filekind import FileKind
from muniment.sources.github.files import GITHUB_WEBHOOKS

__all__ = ["CONNECTORS", "FILES"]


def _connect(configured: Configured) -> Connector:
    from muniment.sources.github.pull import GitHub  # noqa: PLC0415  # only who asks needs it

    return GitHub(configured)


def _hook(configured: Configured) -> Hook:
    from muniment.sources.github.hook import GitHubHook  # noqa: PLC0415  # only who serves needs it

    return GitHubHook(configured)


FILES: tuple[FileKind, ...] = (GITHUB_WEBHOOKS,)
CONNECTORS: tuple[ConnectorKind, ...] = (
    ConnectorKind(
        name="github",
        summary="issues, pull requests, comments, reviews, discussions and releases of repositories",
        settings=(
            Setting("token", "a token that reads issues, pull requests and collaborators", secret=True),
            Setting("repositories", "owner/name, several separated by commas", required=False),
            Setting("organization", "all repositories of an organisation", required=False),
            Setting("webhook_secret", "what GitHub signs deliveries with", secret=True, required=False),
            Setting("api", "another GitHub's address", required=False, default="https://api.github.com"),
        ),
        connect=_connect,
        hook=_hook,
        knows=(
            "reads issues, pull requests, comments, reviews, discussions and published releases; no code",
            "a public repository is read by every full member, a private one by its collaborators and teams",
            "needs read access to issues, pull requests, discussions, contents, members and administration",
            "what stands in a private repository whose collaborators the token may not see waits, unread",
            "cannot know of a deleted review, nor of a deletion before the next sweep where no webhook tells",
        ),
    ),
)
