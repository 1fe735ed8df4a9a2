"""People and their accounts: `user:slack:U1` is whoever goes by `slack:U1`, or by the e-mail it has.

A source knows its own users and not the organisation's people. So it writes its own ids, which say whose they
are, and whoever shares a name with one alone is that user too. The query `permitted` holds the same rule.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from muniment.domain.regex import regex

__all__ = ["is_account", "people_of"]

_ACCOUNT = regex(r"user:[^:]+:.", re.DOTALL)
_NAMES_ONE = regex(r"[^:]+:.|.*@", re.DOTALL)


def is_account(principal: str) -> bool:
    """Whether an id is a user's of some source, rather than a person's of the organisation."""
    return _ACCOUNT.match(principal) is not None


def people_of(
    names: Iterable[tuple[str, str]], deactivated: Collection[str]
) -> Mapping[str, Collection[str]]:
    """For each account the people who are it, by who goes by which name."""
    owners: dict[str, set[str]] = defaultdict(set)
    for principal, name in names:
        owners[name].add(principal)
    found: dict[str, set[str]] = defaultdict(set)
    for name, all_of_them in owners.items():
        people = [one for one in all_of_them if not is_account(one)]
        if len(people) != 1:
            continue
        own = {f"user:{name}"} if _NAMES_ONE.match(name) else set()
        for account in (all_of_them - set(people) | own) - set(deactivated) - set(people):
            found[account].update(people)
    return {account: sorted(people) for account, people in found.items()}
