"""When a pack says that it is enough, and what a reply asks back."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from muniment.app import Org
from muniment.view import judged
from tests.worlds import Clock, open_org, person, said, taken

RENT = "The rent of the Cardiff depot is EUR 4,200 a month unless the roof leaks."
TALK = "Somebody mentioned the rent of the depot again, and nobody had anything to add to it. "


@pytest.fixture
def org(url: str, tenant: str, clock: Clock) -> Iterator[Org]:
    with open_org(url, tenant, clock) as opened:
        taken(opened, [person("user:ann"), person("user:bo")])
        yield opened


def test_a_pack_is_enough_where_it_tells_the_sentence_that_answers(org: Org) -> None:
    taken(org, [said("r", RENT)])

    pack = org.reader("user:bo").context("What is the rent of the Cardiff depot?", budget=400)

    assert pack.enough
    assert RENT in pack.text


def test_a_pack_that_only_points_to_the_answer_is_not_enough(org: Org) -> None:
    taken(org, [said("r", RENT)])

    pack = org.reader("user:bo").context("What is the rent of the Cardiff depot?", budget=16)

    assert RENT not in pack.text
    assert not pack.enough
    assert org.reader("user:bo").ask("What is the rent of the Cardiff depot?").state == "answered"


def test_a_pack_without_an_answer_is_not_enough_however_full(org: Org) -> None:
    taken(org, [said(f"t{n}", TALK * 3, n) for n in range(8)])

    pack = org.reader("user:bo").context("Who cleans the windows of the Cardiff depot?", budget=2000)

    assert pack.parts
    assert not pack.enough


def test_the_sentence_that_was_asked_for_survives_where_a_long_message_does_not_fit(org: Org) -> None:
    body = TALK * 12 + RENT + " " + TALK * 12
    taken(org, [said("r", body)])

    pack = org.reader("user:bo").context("What is the rent of the Cardiff depot?", budget=200)

    assert RENT in pack.text
    assert len(pack.text) < len(body) / 2
    assert pack.enough


def test_several_subjects_that_answer_equally_well_are_asked_back(org: Org) -> None:
    taken(
        org,
        [
            said("a", "The yearly fee is EUR 900.", account="Acme"),
            said("b", "The yearly fee is EUR 700.", 1, account="Brim"),
        ],
    )
    bo = org.reader("user:bo")

    assert bo.ask("What is the yearly fee?").clarify == ("Which account: Acme or Brim?",)
    assert bo.context("What is the yearly fee?").clarify == ("Which account: Acme or Brim?",)
    assert bo.ask("What is the yearly fee of Acme?").clarify == ()


def test_what_a_reader_may_not_see_is_not_asked_back(org: Org) -> None:
    taken(
        org,
        [
            said("a", "The yearly fee is EUR 900.", account="Acme"),
            said("b", "The yearly fee is EUR 700.", 1, account="Brim", audience=[["user:ann"]]),
        ],
    )

    assert org.reader("user:bo").ask("What is the yearly fee?").clarify == ()
    assert org.reader("user:ann").ask("What is the yearly fee?").clarify == ("Which account: Acme or Brim?",)


def test_messages_of_a_thread_stand_under_one_head_in_the_order_they_were_said(org: Org) -> None:
    taken(
        org,
        [
            said("1", "Where is the depot key?", thread="t"),
            said("2", "The depot key hangs in the office.", 1, thread="t", author="user:bo"),
            said("3", "The depot key of Brim is lost.", 2, thread="u"),
        ],
    )

    texts = [part.text for part in org.reader("user:bo").context("Where is the depot key?").parts]
    told = "\n".join(texts)

    assert told.index("Where is the depot key?") < told.index("hangs in the office")
    assert sum(text.startswith("**") for text in texts if "> " in text) == 2


def test_a_story_is_told_in_the_order_of_time(org: Org) -> None:
    days = [said(f"d{n}", f"The depot got roof number {n}.", n, thread=f"t{n}") for n in (5, 1, 3)]
    taken(org, days)

    text = org.reader("user:bo").context("In what order did the depot get its roofs?", budget=1500).text

    assert text.index("roof number 1") < text.index("roof number 3") < text.index("roof number 5")


def test_a_reply_answers_in_the_words_of_the_question_it_follows(org: Org) -> None:
    asked = said(
        "1", "How long have you been painting, Bo?", thread="t", author_name="Ann", author="user:ann"
    )
    reply = said("2", "Seven years now!", 0.02, thread="t", author_name="Bo", author="user:bo")
    late = said("3", "Eleven years of waiting.", 9, thread="t", author_name="Bo", author="user:bo")
    taken(org, [asked, reply, late, said("4", TALK, 10)])
    view = org.reader("user:bo")

    with view._reading() as reader:
        sought = view._seek(reader, "How long has Bo been painting?", None, None)
        covered = {one.text: one.traits.covered for one in judged(reader, sought).weighed}

    assert covered["Seven years now!"] > covered["Eleven years of waiting."]
