"""One model of vectors takes another's place while questions go on: whole or not, wider, given up."""

import threading
from collections.abc import Iterator

import numpy as np
import pytest

from muniment.app import Org
from muniment.gate.binding import writing
from muniment.index import codes, vectors
from muniment.jobs.embed import BATCH, embed_due
from muniment.jobs.loop import Work
from muniment.jobs.swap import IDLE, asked_of
from muniment.jobs.turns import compile_beside_others
from muniment.models.embedding import Embedder, Silent
from muniment.models.scripted import ScriptedEmbedder
from muniment.models.usual import USUAL
from tests.worlds import Clock, open_org, person, said, taken

Rows = set[tuple[object, ...]]


@pytest.fixture
def old() -> ScriptedEmbedder:
    return ScriptedEmbedder(name="old")


@pytest.fixture
def new() -> ScriptedEmbedder:
    return ScriptedEmbedder(name="new", dimensions=96)


@pytest.fixture
def org(url: str, tenant: str, clock: Clock, old: ScriptedEmbedder) -> Iterator[Org]:
    """Ten messages with vectors of the old model."""
    with open_org(url, tenant, clock) as opened:
        taken(opened, [person("user:ann"), *(said(f"m{n}", f"message {n}") for n in range(10))])
        finish(opened, old)
        yield opened


def finish(org: Org, embedder: Embedder, before: Embedder | None = None) -> None:
    while embed_due(org._work, embedder, before):
        pass


def rows(org: Org, sql: str) -> Rows:
    with writing(org._work.database, org.tenant) as conn:
        return set(conn.execute(sql.encode(), [org.tenant]).fetchall())


def models(org: Org) -> Rows:
    return rows(org, "select model, state from muniment.vector_model where tenant = %s")


def counts(org: Org) -> Rows:
    """How many vectors there are of each model."""
    sql = "select model, count(*) from muniment.passage_vector where tenant = %s group by model"
    return rows(org, sql)


def asked(work: Work, current: Embedder, before: Embedder | None) -> tuple[str, bool]:
    """Who places questions, and whether anything is said of it."""
    found, told = asked_of(work, current, before)
    return ("nobody" if isinstance(found, Silent) else found.name), told is not None


def test_questions_go_by_the_old_model_until_the_new_one_is_whole(
    org: Org, old: ScriptedEmbedder, new: ScriptedEmbedder
) -> None:
    before = asked(org._work, new, old)
    embed_due(org._work, new, old, limit=4)
    half = asked(org._work, new, old)
    finish(org, new, old)
    after = asked(org._work, new, old)

    assert (before, half, after) == (("old", False), ("old", False), ("new", False))
    assert counts(org) == {("old", 10), ("new", 10)}
    assert models(org) == {("old", "whole"), ("new", "whole")}


def test_who_has_the_new_one_alone_is_told_that_meaning_is_used_in_part(
    org: Org, new: ScriptedEmbedder
) -> None:
    before = asked(org._work, new, None)
    embed_due(org._work, new, limit=4)
    half = asked(org._work, new, None)
    finish(org, new)

    assert (before, half) == (("nobody", False), ("new", True))
    assert asked(org._work, new, None) == ("new", False)


def test_what_is_new_meanwhile_gets_vectors_of_both_the_old_ones_first(
    org: Org, old: ScriptedEmbedder, new: ScriptedEmbedder
) -> None:
    embed_due(org._work, new, old, limit=4)
    taken(org, [said("late", "message late")])

    embed_due(org._work, new, old, limit=1)

    assert counts(org) == {("old", 11), ("new", 4)}
    finish(org, new, old)
    assert counts(org) == {("old", 11), ("new", 11)}
    taken(org, [said("later", "message later")])
    finish(org, new, old)
    assert counts(org) == {("old", 11), ("new", 12)}


def test_the_old_vectors_go_when_nobody_works_at_them_any_more(
    org: Org, clock: Clock, old: ScriptedEmbedder, new: ScriptedEmbedder
) -> None:
    finish(org, new, old)
    finish(org, new, old)
    kept = counts(org)
    clock.at += IDLE
    finish(org, new, old)

    assert kept == {("old", 10), ("new", 10)}
    assert counts(org) == {("new", 10)}
    assert models(org) == {("new", "whole")}
    assert rows(org, "select model from muniment.vector_due where tenant = %s") == set()


def test_a_new_model_that_fails_on_everything_takes_nothing_away(
    org: Org, clock: Clock, old: ScriptedEmbedder, new: ScriptedEmbedder
) -> None:
    new.fails = lambda _: True

    for _ in range(40):
        embed_due(org._work, new, old)
        clock.forward(minutes=30)

    assert counts(org) == {("old", 10)}
    assert models(org) == {("old", "whole"), ("new", "coming")}
    assert asked(org._work, new, old) == ("old", False)
    new.fails = lambda _: False
    finish(org, new, old)
    assert asked(org._work, new, old) == ("new", False)


def test_a_text_that_is_set_aside_does_not_keep_the_new_model_from_its_place(
    org: Org, clock: Clock, old: ScriptedEmbedder, new: ScriptedEmbedder
) -> None:
    new.fails = lambda text: "message 7" in text

    for _ in range(6):
        finish(org, new, old)
        clock.forward(minutes=30)

    assert asked(org._work, new, old) == ("new", False)
    with writing(org._work.database, org.tenant) as conn:
        assert vectors.vectors_behind(conn, org.tenant, "new") == 1


def test_going_back_before_it_is_whole_costs_nothing(
    org: Org, clock: Clock, old: ScriptedEmbedder, new: ScriptedEmbedder
) -> None:
    embed_due(org._work, new, old, limit=4)
    old.seen.clear()

    clock.at += IDLE
    finish(org, old)

    assert old.seen == []
    assert counts(org) == {("old", 10)}
    assert models(org) == {("old", "whole")}


def test_coming_again_after_its_vectors_went_begins_anew(
    org: Org, clock: Clock, old: ScriptedEmbedder, new: ScriptedEmbedder
) -> None:
    finish(org, new)
    clock.at += IDLE
    finish(org, new)

    finish(org, old, new)

    assert counts(org) == {("old", 10), ("new", 10)}
    assert asked(org._work, old, new) == ("old", False)


def test_an_empty_record_changes_its_model_at_once(url: str, tenant: str, new: ScriptedEmbedder) -> None:
    with open_org(url, tenant) as org:
        finish(org, new)

        assert models(org) == {("new", "whole")}
        taken(org, [said("m", "message")])
        finish(org, new)
        assert counts(org) == {("new", 1)}


def test_a_passage_that_was_being_written_when_a_model_began_gets_its_vector(
    org: Org, old: ScriptedEmbedder, new: ScriptedEmbedder
) -> None:
    late = [said("late", "message late")]
    new.before = lambda: late and taken(org, [late.pop()])

    finish(org, new, old)

    assert counts(org) == {("old", 11), ("new", 11)}


def test_two_that_are_set_up_differently_do_not_begin_anew_at_every_turn(
    org: Org, clock: Clock, old: ScriptedEmbedder, new: ScriptedEmbedder
) -> None:
    for _ in range(5):
        finish(org, new)
        finish(org, old)
        clock.forward(minutes=1)

    assert len(old.seen) == 10
    assert len(new.seen) == 10
    assert models(org) == {("old", "whole"), ("new", "whole")}


def test_one_text_is_embedded_once_however_many_passages_say_it(org: Org, new: ScriptedEmbedder) -> None:
    taken(org, [said(f"same{n}", "thanks!") for n in range(100)])

    assert embed_due(org._work, new) == 110
    assert len(new.seen) == 11
    assert BATCH >= 110


def test_the_usual_vector_of_a_model_is_that_of_our_own_texts(org: Org, old: ScriptedEmbedder) -> None:
    leaning = ScriptedEmbedder(name="leaning", is_centred=False)

    finish(org, leaning, old)

    with writing(org._work.database, org.tenant) as conn:
        mean = vectors.mean_of(conn, org.tenant, "leaning")
    assert mean is not None
    assert tuple(leaning.seen[: len(USUAL)]) == USUAL
    stored = rows(
        org,
        "select code::text, vector::text from muniment.passage_vector "
        "where tenant = %s and model = 'leaning'",
    )
    assert len(mean) == 64
    assert any(code != codes.code_of("other", _read(str(vector))) for code, vector in stored)
    assert all(code == codes.code_of("other", _read(str(vector)), mean) for code, vector in stored)


def _read(vector: str) -> vectors.Floats:
    return np.array(vector.strip("[]").split(","), np.float32)


def test_a_model_begins_when_no_passage_is_being_written_by_somebody_who_does_not_know_it(
    org: Org, new: ScriptedEmbedder
) -> None:
    work = org._work
    beginning = threading.Thread(target=lambda: embed_due(work, new))

    with writing(work.database, org.tenant) as conn:
        compile_beside_others(conn, org.tenant)
        beginning.start()
        beginning.join(0.3)
        meanwhile = models(org)
    beginning.join(30)

    assert meanwhile == {("old", "whole")}
    assert models(org) == {("old", "whole"), ("new", "coming")}
