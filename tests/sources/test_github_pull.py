"""GitHub asked over HTTP: pages, what did not change, limits, who may read, and what is still there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from muniment.domain.errors import Unavailable
from muniment.sources.connector import Cursor, Listing, Page, Throttled, Unauthorised
from muniment.sources.github.deliveries import tell
from muniment.sources.github.pull import GitHub
from muniment.sources.parsed import Event
from tests.github import ANN, BO, SmallGitHub, Thing, comment, issue, repository, user
from tests.served import Answer, Question, configured, fit, served

R = "repos/acme/kettle"


@pytest.fixture
def small() -> SmallGitHub:
    """A repository with five issues, three comments, a pull request with a review, and a release."""
    issues: list[Thing] = [issue(number, f"2026-06-0{number}T10:00:00Z") for number in range(1, 6)]
    issues.append(issue(6, "2026-06-06T10:00:00Z", pull_request={"merged_at": None}, node_id="PR_6"))
    review: Thing = {"node_id": "PRR_1", "user": BO, "body": "Fine.", "state": "APPROVED",
              "submitted_at": "2026-06-06T11:00:00Z"}  # fmt: skip
    release: Thing = {"node_id": "RE_1", "name": "2.0", "body": "New seal.", "draft": False, "author": ANN,
               "published_at": "2026-06-07T10:00:00Z"}  # fmt: skip
    return SmallGitHub(
        things={R: repository()},
        lists={
            f"{R}/issues": issues,
            f"{R}/issues/comments": [comment(n, f"2026-06-0{n}T11:00:00Z") for n in (1, 2, 3)],
            f"{R}/pulls/comments": [],
            f"{R}/pulls/6/reviews": [review],
            f"{R}/issues/events": [{"id": 40, "event": "closed", "issue": issue(1)}],
            f"{R}/releases": [release, {**release, "node_id": "RE_2", "draft": True}],
        },
    )


@pytest.fixture
def asked(small: SmallGitHub) -> Iterator[GitHub]:
    with served(small) as url:
        yield made(url)


def made(url: str, **more: str) -> GitHub:
    settings = {"repositories": "acme/kettle", **more}
    return GitHub(configured("github", {"token": "let me in"}, api=url, **settings))


def events(pages: Sequence[Page]) -> list[Event]:
    return fit(one for page in pages for one in page.parsed)


def texts(pages: Sequence[Page]) -> list[object]:
    return [one["id"] for one in events(pages) if one["op"] == "upsert"]


def last(pages: Sequence[Page]) -> Cursor:
    return pages[-1].cursor


# What is new


def test_everything_is_read_page_by_page_and_told_to_be_complete_at_the_end(asked: GitHub) -> None:
    pages = list(asked.pull(None))

    kinds = [str(one).split("/")[1] for one in texts(pages)]
    assert {kind: len({one for one in texts(pages) if f"/{kind}/" in str(one)}) for kind in kinds} == {
        "issue": 6, "review": 1, "comment": 3, "release": 1,
    }  # fmt: skip
    assert [page.through is not None for page in pages] == [False] * (len(pages) - 1) + [True]


def test_a_second_pull_asks_for_nothing_that_did_not_change(small: SmallGitHub, asked: GitHub) -> None:
    cursor = last(list(asked.pull(None)))
    cursor = last(list(asked.pull(cursor)))  # which asks from the times that the first one saw
    small.unchanged = 0

    again = list(asked.pull(cursor))

    assert texts(again) == []
    assert small.unchanged == 5


def test_what_changed_since_is_read_and_nothing_else(small: SmallGitHub, asked: GitHub) -> None:
    cursor = last(list(asked.pull(last(list(asked.pull(None))))))
    small.lists[f"{R}/issues"][0].update(body="It drips.", updated_at="2026-06-19T10:00:00Z")

    changed = [one for one in events(list(asked.pull(cursor))) if one["op"] == "upsert"]

    assert [one["body"] for one in changed if one["id"] == "R_kettle/issue/I_1"] == ["It drips."]
    assert len(changed) <= 3  # with the last one seen before, which shares the mark's time, and its review


def test_a_change_while_pages_are_read_hides_nothing(small: SmallGitHub) -> None:
    moving = small.lists[f"{R}/issues"]

    def meddles(question: Question) -> Answer:
        answer = small(question)
        if small.asked[-1] == f"{R}/issues" and moving[0]["updated_at"] == "2026-06-01T10:00:00Z":
            moving[0]["updated_at"] = "2026-06-18T10:00:00Z"  # so that all others move up a place
        return answer

    with served(meddles) as url:
        read = set(texts(list(made(url).pull(None))))

    assert {f"R_kettle/issue/I_{number}" for number in range(1, 6)} <= read


def test_a_full_page_of_one_second_is_left_by_the_link(small: SmallGitHub, asked: GitHub) -> None:
    small.lists[f"{R}/issues"] = [issue(number) for number in range(1, 8)]

    assert len({one for one in texts(list(asked.pull(None))) if "/issue/" in str(one)}) == 7


def test_a_pull_begun_anew_after_a_break_loses_nothing(asked: GitHub) -> None:
    whole = set(texts(list(asked.pull(None))))
    for stop in range(1, 8):
        before = [page for page, _ in zip(asked.pull(None), range(stop), strict=False)]
        after = list(asked.pull(last(before)))
        assert set(texts(before)) | set(texts(after)) == whole


def test_a_pull_request_opened_again_is_told_by_the_events(small: SmallGitHub, asked: GitHub) -> None:
    cursor = last(list(asked.pull(None)))
    pull = small.lists[f"{R}/issues"][5]
    small.lists[f"{R}/issues/events"].insert(
        0, {"id": 41, "event": "reopened", "issue": pull, "created_at": "2026-06-08T10:00:00Z"}
    )

    states = [one for one in events(list(asked.pull(cursor))) if one["op"] == "close"]

    assert [(one["id"], one["state"]) for one in states if one["state"] == "open"] == [
        ("R_kettle/issue/PR_6", "open")
    ]


def test_asked_and_delivered_are_the_same_events(small: SmallGitHub, asked: GitHub) -> None:
    known = {one["id"]: one for one in events(list(asked.pull(None))) if one["op"] == "upsert"}
    for thing in small.lists[f"{R}/issues"]:
        payload = {"action": "edited", "issue": thing, "repository": repository()}
        delivered = fit(tell("github", "issues", payload, "", looked_up=True, saved=False).parsed)

        assert [one for one in delivered if one["op"] == "upsert"] == [
            known[f"R_kettle/issue/{thing['node_id']}"]
        ]


# Discussions


def test_discussions_are_read_as_their_deliveries_are(small: SmallGitHub) -> None:
    author = {"__typename": "User", "login": "ann", "databaseId": 11}
    times = {"createdAt": "2026-06-02T09:00:00Z", "updatedAt": "2026-06-02T10:00:00Z"}
    remark = {"id": "DC_1", "body": "Ours too.", "url": "https://g.example/discussions/9#c", **times}
    node = {
        "id": "D_9", "number": 9, "title": "Which seal?", "body": "Rubber or cork?", "closed": False,
        "url": "https://g.example/discussions/9", "category": {"name": "Q&A"}, "author": author, **times,
        "comments": {"nodes": [{**remark, "author": author, "replies": {"nodes": []}}]},
    }  # fmt: skip
    found = {"data": {"repository": {"discussions": {"nodes": [node], "pageInfo": {"hasNextPage": False}}}}}
    small.things[R]["has_discussions"] = True
    small.refused = {"graphql": Answer(found)}

    with served(small) as url:
        asked = [one for one in events(list(made(url).pull(None))) if "/d" in str(one.get("url"))]

    delivered = fit(
        one
        for event, field, thing in (
            ("discussion", "discussion", {
                "node_id": "D_9", "number": 9, "title": "Which seal?", "body": "Rubber or cork?",
                "html_url": node["url"], "category": {"name": "Q&A"}, "user": ANN, "state": "open",
                "created_at": times["createdAt"], "updated_at": times["updatedAt"],
            }),
            ("discussion_comment", "comment", {
                "node_id": "DC_1", "body": "Ours too.", "html_url": remark["url"], "user": ANN,
                "created_at": times["createdAt"], "updated_at": times["updatedAt"],
            }),
        )
        for one in tell("github", event, {"action": "created", field: thing, "repository": repository()},
                        "", looked_up=False, saved=False).parsed[1:]
    )  # fmt: skip
    assert asked == delivered


# Limits and refusals


@pytest.mark.parametrize(
    ("answer", "after"),
    [
        (Answer({}, 429, {"retry-after": "30"}), 30.0),
        (Answer({"message": "You have exceeded a secondary rate limit"}, 403, {"retry-after": "9"}), 9.0),
        (Answer({"message": "You have exceeded a secondary rate limit"}, 403), 60.0),
        (Answer(b"", 502, {"retry-after": "5"}), 5.0),
    ],
)
def test_a_limit_is_waited_out_and_no_refusal(
    small: SmallGitHub, answer: Answer, after: float | None
) -> None:
    small.refused = {f"{R}/issues": answer}

    with served(small) as url, pytest.raises(Throttled) as told:
        list(made(url).pull(None))

    assert told.value.after == after


def test_a_used_up_allowance_is_waited_for_by_the_sources_own_clock(small: SmallGitHub) -> None:
    headers = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "99999999999"}
    small.refused = {f"{R}/issues": Answer({}, 403, headers)}

    with served(small) as url, pytest.raises(Throttled) as told:
        list(made(url).pull(None))

    assert told.value.after is not None
    assert told.value.after > 10**10


def test_a_wrong_token_is_a_persons_to_mend_and_is_not_repeated(small: SmallGitHub) -> None:
    with served(small) as url, pytest.raises(Unauthorised) as told:
        list(GitHub(configured("github", {"token": "hunter2"}, api=url, repositories="a/b")).pull(None))

    assert "hunter2" not in str(told.value)


def test_the_token_is_not_taken_to_another_host(small: SmallGitHub) -> None:
    small.refused = {R: Answer(b"", 302, {"location": "http://127.0.0.2:9/elsewhere"})}

    with served(small) as url, pytest.raises(Unavailable, match="another host"):
        list(made(url).pull(None))


def test_a_renamed_repository_is_found_where_it_went(small: SmallGitHub) -> None:
    small.refused = {"repos/old/name": Answer(b"", 301, {"location": "/" + R})}

    with served(small) as url:
        read = texts(list(made(url, repositories="old/name").pull(None)))

    assert "R_kettle/issue/I_1" in read


def test_a_repository_that_is_not_there_is_named_once_the_others_are_read(small: SmallGitHub) -> None:
    pages: list[Page] = []
    with served(small) as url, pytest.raises(Unavailable, match="acme/lost"):
        pages += made(url, repositories="acme/lost, acme/kettle").pull(None)

    with served(small) as url:
        read = made(url, repositories="acme/lost, acme/kettle").pull(None)
        assert texts([next(read), next(read)])


# Who may read


def rights(small: SmallGitHub, **more: str) -> list[Event]:
    with served(small) as url:
        return fit(next(made(url, **more).pull(None)).parsed)


def private(small: SmallGitHub, lists: dict[str, list[Thing]] | None = None) -> SmallGitHub:
    small.things[R] = repository(private=True)
    small.lists |= lists or {}
    return small


def test_a_public_repository_is_verified_now_and_live_only_with_deliveries(small: SmallGitHub) -> None:
    [plain], [heard] = rights(small), rights(small, webhook_secret="env:X")  # noqa: S106  # its name

    assert (plain["audience"], plain["live"]) == ([["*"]], False)
    assert plain["verified_through"] == "2026-06-20T09:00:00Z"
    assert heard["live"] is True


def test_a_private_repository_is_read_by_collaborators_and_through_teams(small: SmallGitHub) -> None:
    private(small, {
        f"{R}/collaborators": [ANN, BO], f"{R}/teams": [{"node_id": "T_1", "slug": "makers"}],
        "orgs/acme/teams/makers/members": [BO, user(13, "cy")],
    })  # fmt: skip

    def narrowed(question: Question) -> Answer:
        answer = small(question)
        direct = question.query.get("affiliation") == "direct"
        return Answer([ANN]) if direct else answer

    with served(narrowed) as url:
        said = fit(next(made(url).pull(None)).parsed)

    sets = {str(one["group"]): one["set"] for one in said if one["op"] == "member"}
    assert sets == {
        "group:github:T_1": ["user:github:12", "user:github:13"],
        "group:github:R_kettle": ["group:github:T_1", "user:github:11"],
    }
    assert [one["audience"] for one in said if one["op"] == "audience"] == [[["group:github:R_kettle"]]]


def test_groups_that_are_as_they_were_are_not_stated_again_but_the_audience_is(small: SmallGitHub) -> None:
    private(small, {f"{R}/collaborators": [ANN]})
    with served(small) as url:
        cursor = next(made(url).pull(None)).cursor
        again = fit(next(made(url).pull(cursor)).parsed)
        small.lists[f"{R}/collaborators"] = [ANN, BO]
        changed = fit(next(made(url).pull(cursor)).parsed)

    assert [(one["op"], one.get("audience")) for one in again] == [("audience", [["group:github:R_kettle"]])]
    assert [one["set"] for one in changed if one["op"] == "member"] == [["user:github:11", "user:github:12"]]


def test_a_private_repository_whose_collaborators_are_unknown_is_not_spoken_of(small: SmallGitHub) -> None:
    private(small)
    small.refused = {f"{R}/collaborators": Answer({"message": "Must have push access"}, 403)}

    assert rights(small) == []


# What is still there


def test_a_sweep_lists_everything_of_each_kind_and_says_it_is_complete(asked: GitHub) -> None:
    found = list(asked.sweep())

    assert [(one.prefix, len(one.ids), one.complete) for one in found] == [
        ("R_kettle/issue/", 6, True), ("R_kettle/comment/", 3, True),
        ("R_kettle/line/", 0, True), ("R_kettle/release/", 1, True),
    ]  # fmt: skip


def test_a_sweep_that_is_limited_lists_nothing_it_has_not_read(small: SmallGitHub) -> None:
    small.refused = {f"{R}/issues/comments": Answer({}, 429)}
    found: list[Listing] = []

    with served(small) as url, pytest.raises(Throttled):
        found += made(url).sweep()

    assert [one.prefix for one in found] == ["R_kettle/issue/"]


def test_a_deletion_while_a_sweep_reads_makes_nothing_else_look_deleted(small: SmallGitHub) -> None:
    there = small.lists[f"{R}/issues"]

    def meddles(question: Question) -> Answer:
        answer = small(question)
        if small.asked[-1] == f"{R}/issues" and len(there) == 6:
            del there[0]  # so that the third is now where the second was, on the page already read
        return answer

    with served(meddles) as url:
        listing = next(made(url).sweep())

    assert {str(one["node_id"]) for one in there} <= {one.rpartition("/")[2] for one in listing.ids}
