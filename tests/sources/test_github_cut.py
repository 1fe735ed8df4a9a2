"""GitHub left at any page and gone on with from there: nothing is passed by."""

from __future__ import annotations

import json

from tests.github import ANN, SmallGitHub, Thing, comment, issue
from tests.served import served
from tests.sources.test_github_pull import R, made, small, texts

__all__ = ["small"]
MANY = 5  # of one second and one list, over more than two pages


def test_whatever_page_is_the_last_of_a_turn_the_next_turn_tells_the_rest(small: SmallGitHub) -> None:
    at = "2026-06-08T10:00:00Z"
    release: Thing = {"name": "n", "body": "b", "draft": False, "author": ANN, "published_at": at}
    small.lists[f"{R}/releases"] = [{**release, "node_id": f"RE_{n}"} for n in range(MANY)]
    small.lists[f"{R}/issues"] += [issue(10 + n, at) for n in range(MANY)]
    small.lists[f"{R}/issues/comments"] += [comment(10 + n, at) for n in range(MANY)]

    with served(small) as url:
        pages = list(made(url).pull(None))
        whole = set(texts(pages))
        told = []
        for end in range(1, len(pages) + 1):
            cursor = json.loads(json.dumps(pages[end - 1].cursor))
            told.append(set(texts(pages[:end])) | set(texts(list(made(url).pull(cursor)))))

    assert len(whole) >= 3 * MANY
    assert [one ^ whole for one in told] == [set()] * len(pages)
