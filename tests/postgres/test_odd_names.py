"""What no text can hold is no name, also where something is called by the nearest text that can be held."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from muniment.domain.errors import MunimentError
from muniment.domain.values import dump
from muniment.view import View
from tests.worlds import at, open_org, person, said, taken

NEAR = ("Acm?x", "Acm\ufffdx", "Acmx", "Acm x")
ODD = ("Acm\ud800x", "Acm\x00x", "acm\udfffx", "ACM\x00X")
VERBS: dict[str, Callable[[View, str], object]] = {
    "ask of it": lambda view, name: view.ask("What is the price?", entity=name),
    "context of it": lambda view, name: view.context("Write", budget=300, entity=name),
    "search of it": lambda view, name: view.search("price", entity=name),
    "page": lambda view, name: view.page(name),
    "timeline": lambda view, name: view.timeline(name),
    "locate within": lambda view, name: view.locate("price", within=name),
    "expand": lambda view, name: view.expand(name, ["about_of"]),
    "handoff": lambda view, name: view.handoff(name),
    "commitments": lambda view, name: view.commitments(name),
    "landmines": lambda view, name: view.landmines(name),
    "history": lambda view, name: view.history(name),
    "explain": lambda view, name: view.explain(name),
    "topology": lambda view, name: view.incidents.topology(name),
    "incident": lambda view, name: view.incidents.show(name),
}


@pytest.fixture(scope="module")
def view(url: str) -> Iterator[View]:
    with open_org(url, "odd-names") as org:
        near = [said(f"m{n}", f"The price of {name} is {n}.", account=name) for n, name in enumerate(NEAR)]
        taken(org, [person("user:ann"), *near])
        yield org.reader("user:ann", as_of=at(100))


@pytest.mark.parametrize("odd", ODD, ids=ascii)
@pytest.mark.parametrize("verb", VERBS.values(), ids=VERBS)
def test_what_cannot_be_a_name_is_as_good_as_one_that_nobody_knows(
    view: View, verb: Callable[[View, str], object], odd: str
) -> None:
    assert told(view, verb, odd) == told(view, verb, "zebra")


@pytest.mark.parametrize("odd", ODD, ids=ascii)
def test_a_question_that_no_text_can_hold_is_answered_by_the_words_in_it(view: View, odd: str) -> None:
    answer = view.ask(f"What is the price of {odd}?")
    pack = view.context(f"Write to {odd} about the price", budget=300)

    assert (answer.state, pack.state) == ("answered", "answered")


def told(view: View, verb: Callable[[View, str], object], name: str) -> object:
    """What a verb replies, or which of our errors it raises; any other is a fault."""
    try:
        return dump(verb(view, name))
    except MunimentError as error:
        return type(error)
