"""One database, two organisations: nothing of the one can be reached, named or changed from the other.

Each case hands the second organisation something of the first, and something of the same shape that never
was, and the two replies are one. Then it looks whether the first is as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

import muniment
from muniment.app import Org, SourceChange
from muniment.domain.errors import Malformed, MunimentError
from muniment.gate.binding import writing
from muniment.settings import Settings
from tests.worlds import Clock, Event, at, member, person, said, taken, within

# Names close to each other in every way a careless comparison could take for the same.
PAIRS = (
    ("acme", "acme2"),
    ("north", "North"),
    ("a%", "ab"),
    ("o'hara", "o''hara"),
    ("zürich", "zu\u0308rich"),
)
SECRET, NEVER = "Orrinvale Ltd", "Zephyrine Ltd"
QUESTION = "What discount does {} get?"


@dataclass(frozen=True, slots=True)
class Ours:
    """Things of the first organisation, by which somebody could try to get at it."""

    citation: str
    claim: str
    entry: int
    cursor: str | None


@dataclass(frozen=True, slots=True)
class Pair:
    """Two organisations in one database."""

    url: str
    first: Org
    second: Org
    ours: Ours
    theirs: Ours


def company(secret: str, percent: int) -> list[Event]:
    return [
        person("user:ann", emails=["ann@x.example"], aliases=["chat:U1"]),
        member("group:sales", "user:ann"),
        said("1", f"{secret} gets a discount of {percent} percent.", account=secret, title=secret),
        said("2", f"The renewal date of {secret} is 2026-09-01.", account=secret, container="C1"),
        said("sales", "Sales only: the zebra plan.", audience=["group:sales"]),
    ]


def open_org(url: str, tenant: str, key: bytes) -> Org:
    settings = Settings(login="owner", key=key, embedder="off")
    return muniment.open(within(url), tenant, clock=Clock(), settings=settings)


def things(org: Org, secret: str) -> Ours:
    reader = org.reader("user:ann")
    (citation, *_) = reader.ask(QUESTION.format(secret)).citations
    claims = [hit.citation.claim for hit in reader.search(f"renewal {secret}", unit="claim") if hit.citation]
    org.ingest([{"op": "nonsense", "source": "chat"}])
    cursor = reader.context(f"Prepare {secret}", budget=60).cursor
    entry = max(one.entry for one in org.steward("user:owner").quarantined())
    return Ours(citation.id, claims[0] or "", entry, cursor)


@pytest.fixture(scope="module", params=PAIRS, ids=[" and ".join(pair) for pair in PAIRS])
def pair(request: pytest.FixtureRequest, url: str) -> Iterator[Pair]:
    one, other = (f"pair {name}" for name in request.param)
    with open_org(url, one, b"the first's key") as first, open_org(url, other, b"the second's key") as second:
        taken(first, [*company(SECRET, 18), person("user:only-first", emails=["only@x.example"])])
        taken(second, company("Lindqvist AB", 22))
        first.steward("user:owner").grant_role("user:only-first", "steward")
        first.steward("user:owner").grant_read("agent:x", "chat:1")
        yield Pair(url, first, second, things(first, SECRET), things(second, "Lindqvist AB"))


def reply(act: Callable[[], object], *names: str) -> str:
    """What came back, value or error, without what was asked for, which the asker knows."""
    try:
        text = repr(act())
    except MunimentError as error:
        text = f"{type(error).__name__}: {error}"
    for name in names:
        text = text.replace(name, "X")
    return _without_trace(text)


def _without_trace(text: str) -> str:
    head, mark, rest = text.partition("trace='")
    return text if not mark else head + rest.partition("'")[2]


def tampered(id_: str) -> str:
    """The same with one character changed, in the part that is a hash."""
    return f"{id_[:8]}{'0' if id_[8] != '0' else '1'}{id_[9:]}"


Case = Callable[[Pair], tuple[str, str]]


def ann(org: Org) -> muniment.View:
    return org.reader("user:ann")


def asked(pair: Pair, name: str, who: str = "user:ann", **how: object) -> str:
    view = pair.second.reader(who, **how)  # type: ignore[arg-type]
    return reply(lambda: view.ask(QUESTION.format(name)), name)


def both(act: Callable[[str], object], real: str, never: str) -> tuple[str, str]:
    return reply(lambda: act(real), real), reply(lambda: act(never), never)


def desk(pair: Pair) -> muniment.app.Steward:
    return pair.second.steward("user:owner")


CASES: dict[str, Case] = {
    "a name": lambda pair: (asked(pair, SECRET), asked(pair, NEVER)),
    "an entity that bounds a question": lambda pair: both(
        lambda name: ann(pair.second).ask("What discount?", entity=name), SECRET, NEVER
    ),
    "a page": lambda pair: both(ann(pair.second).page, SECRET, NEVER),
    "a timeline": lambda pair: both(ann(pair.second).timeline, SECRET, NEVER),
    "words": lambda pair: both(ann(pair.second).search, "Orrinvale", "Zephyrine"),
    "a citation": lambda pair: both(
        ann(pair.second).explain, pair.ours.citation, f"{pair.ours.citation[:2]}{'0' * 32}"
    ),
    "a citation with a character changed": lambda pair: both(
        ann(pair.second).explain, tampered(pair.theirs.citation), tampered(pair.ours.citation)
    ),
    "a claim": lambda pair: both(ann(pair.second).history, pair.ours.claim, "0" * 32),
    "a claim with a character changed": lambda pair: both(
        ann(pair.second).history, tampered(pair.theirs.claim), "0" * 32
    ),
    "somebody": lambda pair: (
        asked(pair, "Lindqvist AB", "user:only-first"),
        asked(pair, "Lindqvist AB", "user:never-seen"),
    ),
    "somebody's address": lambda pair: (
        asked(pair, "Lindqvist AB", "only@x.example"),
        asked(pair, "Lindqvist AB", "never@x.example"),
    ),
    "somebody who hears it": lambda pair: (
        asked(pair, "Lindqvist AB", hearers=["user:only-first"]),
        asked(pair, "Lindqvist AB", hearers=["user:never-seen"]),
    ),
    "an agent": lambda pair: (
        asked(pair, "Lindqvist AB", agent="agent:x"),
        asked(pair, "Lindqvist AB", agent="agent:never-seen"),
    ),
    "a steward": lambda pair: both(pair.second.steward, "user:only-first", "user:never-seen"),
    "an item's readers": lambda pair: both(desk(pair).who_can, "chat:first-only", "chat:never"),
    "an item for a grant": lambda pair: both(
        lambda item: desk(pair).grant_read("user:eve", item), "chat:first-only", "chat:never"
    ),
    "an item for an agent": lambda pair: both(
        lambda item: desk(pair).grant_read("agent:z", item), "chat:first-only", "chat:never"
    ),
    "a source for an agent": lambda pair: both(
        lambda source: desk(pair).grant_read("agent:z", source), "first-source", "never-source"
    ),
    "an item to erase": lambda pair: both(desk(pair).erase, "chat:first-only", "chat:never"),
    "an item to hold": lambda pair: both(
        lambda item: desk(pair).hold(item, "case"), "chat:first-only", "chat:never"
    ),
    "an entry in quarantine": lambda pair: both(
        lambda entry: pair.second.replay([int(entry)]), str(pair.ours.entry), str(2**40)
    ),
    "a cursor": lambda pair: (
        reply(lambda: ann(pair.second).context("Prepare Lindqvist AB", budget=60, cursor=pair.ours.cursor)),
        reply(lambda: ann(pair.second).context("Prepare Lindqvist AB", budget=60, cursor=pair.theirs.cursor)),
    ),
}


@pytest.fixture(scope="module", autouse=True)
def more(pair: Pair) -> None:
    """Items only the first has."""
    taken(pair.first, [said("first-only", "A note"), said("x", "A note", source="first-source")])


@pytest.mark.parametrize("case", CASES)
def test_what_is_anothers_is_what_never_was(pair: Pair, case: str) -> None:
    real, never = CASES[case](pair)

    assert real == never
    assert "Orrinvale" not in real
    assert "18 percent" not in real


def test_the_probe_would_see_the_first_organisation(pair: Pair) -> None:
    """What every case looks for is there to be found, in the organisation it belongs to."""
    view = ann(pair.first)
    assert "18 percent" in view.ask(QUESTION.format(SECRET)).text
    assert view.explain(pair.ours.citation).citation.id == pair.ours.citation
    assert view.history(pair.ours.claim)
    assert pair.first.reader("only@x.example").search("discount")
    assert pair.first.steward("user:only-first").who_can("chat:first-only")


def test_what_one_says_changes_nothing_in_the_other(pair: Pair) -> None:
    before = reply(
        lambda: (ann(pair.first).ask(QUESTION.format(SECRET)), pair.first.steward("user:owner").sources())
    )

    taken(
        pair.second,
        [
            {"op": "delete", "source": "chat", "id": "1", "at": at(50)},
            member("group:sales", "user:eve", hours=50, remove=["user:ann"]),
            person("user:ann", hours=50, standing="deactivated", source="dir2"),
            {"op": "audience", "source": "chat", "container": "C1", "at": at(50), "audience": ["user:eve"]},
            said("new", "It replaces it.", 50, supersedes=["chat:1"]),
        ],
    )
    desk(pair).set_source("chat", SourceChange(trust="external_document"))

    after = reply(
        lambda: (ann(pair.first).ask(QUESTION.format(SECRET)), pair.first.steward("user:owner").sources())
    )
    assert after == before
    assert ann(pair.first).search("zebra")
    assert not ann(pair.second).search("zebra")


def test_under_anothers_key_no_organisation_opens(pair: Pair) -> None:
    """MUNIMENT_KEY of one organisation, set for the other."""
    with pytest.raises(Malformed, match="was made with another key than MUNIMENT_KEY"):
        open_org(pair.url, pair.second.tenant, b"the first's key")

    assert pair.second.reader("user:owner").search("zebra") == []


SEEN = """
select (select count(*) from muniment.item), (select count(*) from muniment.item_version),
       (select count(*) from muniment.passage), (select count(*) from muniment.assertion),
       (select count(*) from muniment.mention), (select count(*) from muniment.entity_name),
       (select count(*) from muniment.watermark), (select count(*) from muniment.posting_block)
"""


def test_a_transaction_of_one_sees_no_row_of_the_other_whatever_audience_it_names(pair: Pair) -> None:
    database = pair.first._work.database
    with writing(database, pair.first.tenant) as conn:
        ours = conn.execute(SEEN).fetchone() or ()
        numbers = [row[0] for row in conn.execute("select audience from muniment.audience")]
    with writing(database, pair.second.tenant) as conn:
        named = "{" + ",".join(map(str, numbers)) + "}"
        conn.execute("select set_config('muniment.audiences', %s, true)", [named])
        conn.execute("set local role muniment_reader")
        seen = conn.execute(SEEN).fetchone() or ()

    assert all(ours)
    assert set(seen) == {0}
