"""What nobody sees of a text changes no byte of any reply, and no word of it is told, by any verb or door.

The two worlds of a pair differ only in words that a rendered page would not show.
"""

from __future__ import annotations

import json
import random
import string
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from operator import methodcaller

import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from muniment.app import Org
from muniment.items import text
from muniment.sources.unseen import stretches
from muniment.surfaces.http.api import Serving, api
from muniment.surfaces.mcp.door import add_mcp
from muniment.surfaces.mcp.profiles import servers
from muniment.view import View
from tests.canaries import canary, hits
from tests.planted import plant
from tests.properties.test_two_worlds import ASKS, DESK, LOOKS, cast, item, reply, sentence
from tests.worlds import Event, open_org, taken

PAIRS = 2  # `make prove` tries 300
MARKDOWN: tuple[Callable[[str], str], ...] = (
    lambda hidden: f"\n\n<!-- {hidden} -->\n\n",
    lambda hidden: f" <!-- {hidden} --> ",
    lambda hidden: f" <!--\n{hidden}\n{hidden}\n--> ",
    lambda hidden: f"\n\n<div hidden>\n\n{hidden}\n\n</div>\n\n",
    lambda hidden: f' <span style="display: none">{hidden}</span> ',
    lambda hidden: f"\n\n[//]: # ({hidden})\n\n",
    lambda hidden: f"\n\n[note]: # '{hidden}'\n\n",
    lambda hidden: f"\n\n## Terms <!-- {hidden} -->\n\n",
    lambda hidden: f" <b data-note='{hidden}'>so</b> ",
    lambda hidden: f"\n\n- ```\n  code\n  ```\n  <!-- {hidden} -->\n\n",
)
HTML = (*MARKDOWN[:5], MARKDOWN[8], lambda hidden: f"<script>{hidden}</script>")
RESTRUCTURED: tuple[Callable[[str], str], ...] = (lambda hidden: f"\n\n.. {hidden}\n   {hidden}\n\n",)
MEDIA = {"text/markdown": MARKDOWN, "text/html": HTML, "text/x-rst": RESTRUCTURED, "text/plain": ()}
SMUGGLED = {letter: chr(0xE0000 + ord(letter)) for letter in string.printable if letter.isprintable()}
PLACES = ("acme", "renewal date", "discount")


def worlds(draw: random.Random, word: str) -> tuple[list[Event], list[Event]]:
    """The events of both: where the first says the word in hiding, the second says something as long."""
    first: list[Event] = []
    second: list[Event] = []
    for number in range(draw.randint(4, 8)):
        event = item(draw, f"m{number}", [[["*"]]], [])
        media = draw.choice(list(MEDIA))
        both = _bodies(draw, str(event["body"]), MEDIA[media], word)
        for world, body, hidden in zip((first, second), both, (word, word[::-1]), strict=True):
            named = {
                "title": f"{event.get('title')}{_smuggled(hidden)}",
                "author_name": f"Ann{_smuggled(hidden)}",
            }
            world.append({**event, **named, "media": media, "body": body})
    return [*cast(), *first], [*cast(), *second]


def _bodies(
    draw: random.Random, body: str, hiding: Sequence[Callable[[str], str]], word: str
) -> tuple[str, str]:
    first = second = ""
    for part in body.split(". "):
        said = f"{sentence(draw)} {word} owns it.".replace("'", "")  # which would end an attribute
        other = "".join(draw.choices(string.ascii_lowercase, k=len(said)))
        hide = draw.choice((*hiding, _smuggled))
        first, second = f"{first}{part}. {hide(said)}", f"{second}{part}. {hide(other)}"
    return first, second


def _smuggled(hidden: str) -> str:
    """In characters that show nothing."""
    return "".join(SMUGGLED.get(letter, SMUGGLED["x"]) for letter in hidden)


def told(org: Org) -> Iterator[str]:
    """Everything that Ann is told, and what explains it."""
    ann = org.reader("user:ann")
    yield from (reply(ask, ann) for ask in (*ASKS[:3], *LOOKS))
    for unit in ("item", "passage", "claim", "page"):
        yield reply(partial(_searched, unit), ann)
    for hit in ann.search("acme discount renewal owner rate limit", unit="passage", limit=6):
        assert hit.citation is not None
        yield reply(methodcaller("explain", hit.citation.id), ann)
    yield from (reply(ask, org.steward("user:owner")) for ask in DESK)


def _searched(unit: str, view: View) -> object:
    return [view.search(place, unit=unit, limit=30) for place in PLACES]


def over_the_wire(org: Org, word: str) -> Iterator[str]:
    """What HTTP and MCP say."""
    token = org.tokens.create("user:ann").token
    carried = {"Authorization": f"Bearer {token}", "Accept": "application/json, text/event-stream"}
    application = api(org, Serving(step=0.0, a_minute=1_000_000))
    add_mcp(application, servers(org), None)
    with TestClient(application, headers=carried) as client:
        for place in PLACES:
            yield client.get("/v1/search", params={"q": place, "limit": 20, "unit": "passage"}).text
            yield client.post("/v1/ask", json={"question": f"What is the {place}?"}).text
            yield client.post("/v1/context", json={"task": f"All of the {place}", "budget": 3000}).text
            yield client.post("/v1/locate", json={"terms": place}).text
            yield client.get(f"/v1/pages/{place}").text
            for tool, name in (
                ("search", "query"),
                ("context", "query"),
                ("page", "entity"),
                ("locate", "terms"),
            ):
                yield _called(client, tool, {name: place})
        for number in range(8):
            yield client.post("/v1/expand", json={"node": f"chat:m{number}", "hops": 2}).text
            yield _called(client, "fetch", {"id": f"chat:m{number}"})
        yield client.get("/v1/search", params={"q": word}).text


def _called(client: TestClient, tool: str, arguments: dict[str, str]) -> str:
    call = {"name": tool, "arguments": arguments}
    said = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    told: Response = client.post("/mcp", json=said, headers={"MCP-Protocol-Version": "2025-06-18"})
    return str(told.text)


def pair(url: str, tenant: str, seed: int) -> tuple[list[str], list[str], list[str]]:
    """What is told in both worlds, and every place where the first still has a word that was hidden."""
    draw = random.Random(seed)
    word = canary(draw)
    both, left = [], []
    for number, events in enumerate(worlds(draw, word)):
        with open_org(url, f"{tenant}-{seed}-{number}") as org:
            taken(org, events)
            both.append(list(told(org)))
            if not number:
                left = [place for place in hits(org, [word]).get(word, ()) if place != "payload"]
                left += [said for said in both[0] if word in said]
    return both[0], both[1], left


def test_what_nobody_sees_is_told_to_nobody(url: str, tenant: str, seed: int, *, prove: bool) -> None:
    for number in range(300 if prove else PAIRS):
        first, second, left = pair(url, tenant, seed + number)

        assert left == [], f"MUNIMENT_SEED={seed + number}"
        assert first == second, f"MUNIMENT_SEED={seed + number}"
        assert any(len(json.loads(one)) for one in first if one.startswith("["))


def everything_is_seen(_body: str, _media: str | None) -> list[tuple[int, int]]:
    """Planted fault: nothing is hidden."""
    return []


def test_neither_http_nor_mcp_tells_what_nobody_sees(url: str, tenant: str, seed: int) -> None:
    draw = random.Random(seed)
    word = canary(draw)
    with open_org(url, tenant) as org:
        taken(org, worlds(draw, word)[0])

        said = list(over_the_wire(org, word))

    assert [one for one in said if word in one] == []
    assert sum("Acme" in one for one in said) > 3


def test_a_text_that_is_not_blanked_is_found(
    url: str, tenant: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch, text, "unseen", everything_is_seen)
    plant(monkeypatch, stretches, "unseen", everything_is_seen)

    first, second, left = pair(url, tenant, seed)

    assert left
    assert first != second
