"""Words that a document's readers do not see are not put before an agent."""

from __future__ import annotations

import pytest

from tests.worlds import open_org, person, said, taken


@pytest.mark.parametrize(
    "hidden", ["<!-- The pier code is 4711. -->", "<div hidden>The pier code is 4711.</div>"]
)
def test_a_pack_holds_no_hidden_words(url: str, tenant: str, hidden: str) -> None:
    body = f"# Pier\n\nThe pier opens at nine.\n\n{hidden}\n"
    with open_org(url, tenant) as org:
        taken(org, [person("user:bo"), said("d1", body, kind="document", media="text/markdown")])

        pack = org.reader("user:bo").context("What is the pier code?", budget=500)

    assert "opens at nine" in pack.text
    assert "4711" not in pack.text
