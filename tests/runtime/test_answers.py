"""A task is answered in sentences that evidence proves at the moment they are told, and in no others."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest

from muniment.app import Org
from muniment.domain.errors import Usage
from muniment.domain.tasks import Clarify, Limits, Sentence, Step, Task
from muniment.domain.values import Citation
from muniment.models.scripted import EMPTY, NO_JSON, ScriptedModel, fails
from tests.runtime.tasks import Reply, Script, answer, done, listing, look, open_with, shown
from tests.worlds import Clock, Event, member, open_org, said, taken

TASK = "Tell the customer when Acme renews and for how much"
RENEWS = "Acme renews on 1 May 2027"


def test_every_sentence_that_is_told_carries_what_proves_it(org: Org, script: Script) -> None:
    script.moves = [answer(("Acme renews on 1 May 2027 for EUR 4200", RENEWS))]

    ended, events = done(org, "user:ann", TASK)

    assert (ended.state, ended.dropped) == ("answered", 0)
    assert ended.text == "Acme renews on 1 May 2027 for EUR 4200."
    (sentence,) = [one for one in events if isinstance(one, Sentence)]
    (citation,) = [one for one in events if isinstance(one, Citation)]
    assert sentence.citations == (citation.id,)
    assert events.index(citation) < events.index(sentence)
    assert org.reader("user:ann").explain(citation.id).citation.quote == citation.quote
    assert ended.citations == (citation,)


UNPROVED: list[object] = [
    {"text": "Acme renews on 1 May 2027", "citations": []},
    {"text": "Acme renews on 1 May 2027", "citations": ["e999"]},
    {"text": "Acme renews on 1 May 2027", "citations": ["t1"]},
    {"text": "Acme renews on 1 May 2027", "citations": ["e1", "e999"]},
    {"text": "Acme renews on 2 May 2027", "citations": ["e1"]},
    {"text": "Acme never renews", "citations": ["e1"]},
    {"text": "Globex bought the moon", "citations": ["e1"]},
    {"text": "", "citations": ["e1"]},
    {"text": "Acme renews " * 100, "citations": ["e1"]},
    {"words": "Acme renews on 1 May 2027"},
    7,
]


def test_a_sentence_that_nothing_proves_is_dropped_and_counted(org: Org, script: Script) -> None:
    script.moves = [lambda _: json.dumps({"do": "answer", "sentences": UNPROVED})]

    ended, events = done(org, "user:ann", TASK)

    assert (ended.state, ended.text, ended.dropped) == ("not_found", "", len(UNPROVED))
    assert not [one for one in events if isinstance(one, Sentence | Citation)]
    refused = org.steward("user:owner").model_costs()
    assert sum(one.refused for one in refused if one.purpose == "task") == len(UNPROVED)


def test_what_was_revoked_between_two_steps_is_not_told(org: Org, script: Script) -> None:
    discount = answer(("The discount for Acme is 18 percent", "18 percent"))

    def revoked(material: object) -> str:
        reply = discount(material)  # type: ignore[arg-type]
        taken(org, [listing("group:sales", hours=5)])
        return reply

    script.moves = [revoked]

    ended, events = done(org, "user:ann", "What is the discount for Acme?")

    assert (ended.state, ended.dropped) == ("not_found", 1)
    assert "18" not in repr([one for one in events if not isinstance(one, Step)])


def test_what_was_edited_between_two_steps_is_not_told(org: Org, script: Script) -> None:
    first = answer(("Acme renews on 1 May 2027", RENEWS))

    def edited(material: object) -> str:
        reply = first(material)  # type: ignore[arg-type]
        body = "Acme renews on 9 June 2027."
        taken(org, [said("m1", body, hours=9, author="user:ann", account="acme")])
        return reply

    script.moves = [edited]

    assert done(org, "user:ann", TASK)[0].state == "not_found"


def test_a_model_sees_what_the_person_may_see_and_no_more(org: Org, script: Script) -> None:
    script.moves = [look("search", "discount"), look("page", "acme"), answer()]

    done(org, "user:bo", "What is the discount for Acme?")

    assert script.seen
    assert not [one for _, one in script.seen if "18 percent" in shown(one)]


def test_it_looks_further_until_it_has_what_it_needs(org: Org, script: Script) -> None:
    taken(org, [said(f"n{number}", f"Lunch on day {number} is soup.") for number in range(30)])
    script.moves = [
        look("search", "soup lunch"),
        look("locate", "acme"),
        look("expand", "n1"),
        look("expand", "n99"),
        look("page", "nobody at all"),
        look("more", ""),
        answer(("Lunch is soup", "soup")),
    ]

    ended, events = done(org, "user:ann", "Tell when Acme renews")

    steps = [one for one in events if isinstance(one, Step)]
    assert [one.number for one in steps] == list(range(1, len(steps) + 1))
    assert next(one.found for one in steps if one.what.startswith("search")) > 0
    assert next(one.found for one in steps if one.what == "expand: n99") == 0
    assert ended.state == "answered"


def test_it_may_ask_the_person_back(org: Org, script: Script) -> None:
    script.moves = [lambda _: json.dumps({"do": "ask", "question": "Which year?"})]

    ended, events = done(org, "user:ann", TASK)

    assert Clarify(("Which year?",)) in events
    assert (ended.state, ended.clarify) == ("clarify", ("Which year?",))


def test_an_ambiguous_name_is_asked_about_before_any_model_is(org: Org, script: Script) -> None:
    entity = {"op": "entity", "source": "dir", "entity_kind": "account", "at": "2026-06-01T09:00:00Z"}
    names = {"audience": [["*"]], "aliases": ["Orion"]}
    taken(org, [{**entity, **names, "id": f"o{one}", "name": f"Orion {one}"} for one in ("North", "South")])
    script.moves = [answer()]

    ended, _ = done(org, "user:ann", "When does Orion renew?")

    assert ended.state == "clarify"
    assert not script.seen


def test_nothing_at_all_to_go_by_ends_without_the_model(org: Org, script: Script) -> None:
    ended, _ = done(org, "user:ann", "zyzzyva quokka")

    assert ended.state == "out_of_scope"
    assert not script.seen


@pytest.mark.parametrize(
    ("limits", "why"),
    [
        (Limits(steps=2), "steps"),
        (Limits(tokens=100), "tokens"),
        (Limits(usd=Decimal("0.015")), "usd"),
    ],
)
def test_a_task_takes_no_more_than_it_may(
    url: str, tenant: str, script: Script, limits: Limits, why: str
) -> None:
    script.moves = [look("search", "acme")]
    with open_with(url, tenant, ScriptedModel(script, cost=Decimal("0.01"))) as org:
        taken(org, [said("m1", "Acme renews on 1 May 2027.", author="user:owner", account="acme")])
        ended, _ = done(org, "user:owner", Task(TASK, limits=limits))

    assert ended.state == "stopped"
    assert why in str(ended.why)
    assert ended.spent.steps <= limits.steps
    assert ended.spent.usd <= float(limits.usd)
    assert len(script.seen) == ended.spent.steps


def test_a_model_that_is_late_does_not_keep_the_person(url: str, tenant: str) -> None:
    import threading  # noqa: PLC0415  # only here

    held = threading.Event()
    model = ScriptedModel(lambda _: "{}", before=lambda: held.wait(20))
    with open_with(url, tenant, model) as org:
        taken(org, [said("m1", "Acme renews on 1 May 2027.", author="user:owner", account="acme")])
        ended, _ = done(org, "user:owner", Task(TASK, limits=Limits(seconds=0.2)))
        held.set()

    assert ended.state == "stopped"


def test_replies_that_are_no_step_are_counted_and_asked_anew(org: Org, script: Script) -> None:
    wrong = [NO_JSON, EMPTY, "[]", '{"do": "fly"}', '{"do": "look", "how": "x", "what": ""}']
    right = answer(("Acme renews on 1 May 2027", RENEWS))
    script.moves = [*(_always(one) for one in wrong), right]

    ended, _ = done(org, "user:ann", TASK)

    assert (ended.state, ended.spent.steps) == ("answered", len(wrong) + 1)


def _always(reply: str) -> Reply:
    return lambda _: reply


def test_a_model_that_is_down_ends_the_task_and_says_no_more(url: str, tenant: str) -> None:
    with open_with(url, tenant, ScriptedModel(fails)) as org:
        taken(org, [said("m1", "Acme renews on 1 May 2027.", author="user:owner", account="acme")])
        ended, _ = done(org, "user:owner", Task(TASK, limits=Limits(seconds=5)))

    assert (ended.state, ended.why) == ("stopped", "the model did not answer")


def test_without_a_model_a_task_is_put_wrongly(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org, pytest.raises(Usage, match="needs a language model"):
        org.tasks.run("user:owner", Task(TASK))


@pytest.mark.parametrize("text", ["", "  ", "x" * 8_001])
def test_a_task_has_words_and_not_too_many(text: str) -> None:
    with pytest.raises(Usage):
        Task(text)


def test_each_step_is_in_the_audit_under_the_persons_name(org: Org, script: Script) -> None:
    script.moves = [look("search", "acme"), answer(("Acme renews on 1 May 2027", RENEWS))]

    done(org, "user:ann", TASK, agent="agent:helper")

    acts = [one.action for one in org.steward("user:owner").audit(limit=100) if one.principal == "user:ann"]
    assert {"context", "search", "task"} <= set(acts)


def test_hidden_data_changes_no_event_of_a_task(url: str, tenant: str) -> None:
    """Two worlds, of which one has what Bo may not read."""
    told = []
    for name, hidden in ((f"{tenant}-a", []), (f"{tenant}-b", [_hidden(1), _hidden(2)])):
        script = Script([look("search", "discount"), look("page", "acme"), answer(("Acme renews", "renews"))])
        with open_with(url, name, ScriptedModel(script), Clock()) as org:
            taken(org, [member("group:sales", "user:owner")])
            open_ = said("m1", "Acme renews on 1 May 2027.", author="user:bo", account="acme")
            person = {"op": "principal", "source": "dir", "id": "user:bo", "at": "2026-06-01T09:00:00Z"}
            taken(org, [{**person, "standing": "member"}, open_, *hidden])
            ended, events = done(org, "user:bo", "What is the discount for Acme?")
            told.append((repr(events), shown({"all": script.seen})))
            assert ended.state == "answered"

    assert told[0] == told[1]


def _hidden(number: int) -> Event:
    body = f"The discount for Acme is {number}8 percent."
    return said(f"h{number}", body, author="user:ann", account="acme", audience=[["group:sales"]])
