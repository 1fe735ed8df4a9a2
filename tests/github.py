"""Shapes of GitHub's for tests, as webhooks and the REST interface give them, and a small GitHub to ask."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.served import Answer, Question

Thing = dict[str, object]


def user(number: int, login: str, kind: str = "User") -> Thing:
    return {"id": number, "login": login, "node_id": f"U_{number}", "type": kind}


ANN, BO, ROBOT = user(11, "ann"), user(12, "bo"), user(77, "mender[bot]", "Bot")


def repository(name: str = "acme/kettle", *, private: bool = False, **more: object) -> Thing:
    return {
        "node_id": f"R_{name.partition('/')[2]}",
        "full_name": name,
        "private": private,
        "visibility": "private" if private else "public",
        "updated_at": "2026-06-01T08:00:00Z",
        **more,
    }


def issue(number: int = 7, updated: str = "2026-06-02T10:00:00Z", **more: object) -> Thing:
    return {
        "node_id": f"I_{number}",
        "number": number,
        "title": "The kettle leaks",
        "body": "Water drips from the spout.",
        "user": ANN,
        "state": "open",
        "labels": [],
        "assignees": [],
        "created_at": "2026-06-02T09:00:00Z",
        "updated_at": updated,
        "closed_at": None,
        "html_url": f"https://github.example/acme/kettle/issues/{number}",
        **more,
    }


def comment(number: int = 1, updated: str = "2026-06-03T10:00:00Z", **more: object) -> Thing:
    return {
        "node_id": f"IC_{number}",
        "body": "It is the seal.",
        "user": BO,
        "created_at": updated,
        "updated_at": updated,
        "issue_url": "https://api.github.example/repos/acme/kettle/issues/7",
        "html_url": "https://github.example/acme/kettle/issues/7#issuecomment-1",
        **more,
    }


@dataclass
class SmallGitHub:
    """Lists by path, served in small pages with Link, ETag and `since`; counts what it was asked."""

    things: dict[str, Thing] = field(default_factory=dict)
    lists: dict[str, list[Thing]] = field(default_factory=dict)
    refused: Mapping[str, Answer] = field(default_factory=dict)
    page: int = 2
    asked: list[str] = field(default_factory=list)
    unchanged: int = 0

    def __call__(self, question: Question) -> Answer:
        path = question.path.lstrip("/")
        self.asked.append(path)
        if question.headers.get("authorization") != "Bearer let me in":
            return Answer({"message": "Bad credentials"}, 401)
        if path in self.refused:
            return self.refused[path]
        if path in self.things:
            return Answer(self.things[path])
        if path not in self.lists:
            return Answer({"message": "Not Found"}, 404)
        return self._listed(path, question)

    def _listed(self, path: str, question: Question) -> Answer:
        query = question.query
        found = [one for one in self.lists[path] if str(one.get("updated_at")) >= query.get("since", "")]
        if query.get("sort") == "updated":
            found.sort(key=lambda one: str(one["updated_at"]))
        start = (int(query.get("page", "1")) - 1) * self.page
        shown = found[start : start + self.page]
        tag = f'"{hashlib.sha256(json.dumps(shown).encode()).hexdigest()}"'
        if question.headers.get("if-none-match") == tag:
            self.unchanged += 1
            return Answer(b"", 304, {"etag": tag})
        headers = {"etag": tag}
        if start + self.page < len(found):
            rest = {**query, "page": str(int(query.get("page", "1")) + 1)}
            search = "&".join(f"{name}={value}" for name, value in rest.items())
            here = f"http://{question.headers['host']}{question.path}"
            headers["link"] = f'<{here}?page=1>; rel="first", <{here}?{search}>; rel="next"'
        return Answer(json.dumps(shown).encode(), 200, headers)
