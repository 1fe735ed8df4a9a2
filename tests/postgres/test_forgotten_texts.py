"""What a process keeps of texts between reads goes with them, however they are erased."""

from __future__ import annotations

import functools
import gc
import random
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from multiprocessing import get_context

import pytest

from muniment.app import Org
from muniment.domain.record import Moment
from muniment.gate.reader import Hearing, reading_as
from muniment.index.words import lexemes
from muniment.steward import Steward
from tests.canaries import canary
from tests.worlds import KEY, Clock, at, open_org, person, said, taken

Way = Callable[[Org, Steward, str], object]
_HOLDS = (dict, list, tuple, set, frozenset)


def an_item(_: Org, desk: Steward, __: str) -> object:
    return desk.erase("chat:m1")


def its_author(_: Org, desk: Steward, word: str) -> object:
    return desk.erase(f"user:{word}")


def words_of_it(_: Org, desk: Steward, word: str) -> object:
    return desk.erase_subject(word)


def by_a_list(org: Org, desk: Steward, word: str) -> object:
    """As after a restore, of what was erased since."""
    desk.erase("chat:m1")
    kept(org, word)
    return desk.replay_erasures([asdict(one) for one in desk.erasures()])


WAYS: dict[str, Way] = {one.__name__: one for one in (an_item, its_author, words_of_it, by_a_list)}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_nothing_of_what_was_erased_stays_in_the_process(url: str, tenant: str, seed: int, way: Way) -> None:
    word = canary(random.Random(seed))
    with open_org(url, tenant) as org:
        written(org, word)
        kept(org, word)
        before = keeping(word)

        way(org, org.steward("user:owner"), word)

        assert before
        assert keeping(word) == set()


def test_nor_in_a_process_that_reads_after_another_one_erased(url: str, tenant: str, seed: int) -> None:
    word = canary(random.Random(seed))
    with open_org(url, tenant) as org, ProcessPoolExecutor(1, get_context("spawn")) as elsewhere:
        written(org, word)
        kept(org, word)
        before = keeping(word)

        elsewhere.submit(erase_the_item, url, tenant).result()
        org.reader("user:ann").search("lunch")

        assert before
        assert keeping(word) == set()


def test_a_read_that_began_before_leaves_nothing_behind(url: str, tenant: str, seed: int) -> None:
    word = canary(random.Random(seed))
    moment = Moment(Clock()(), Clock()(), None)
    with open_org(url, tenant) as org:
        written(org, word)
        with reading_as(org._work.database, tenant, KEY, Hearing("user:ann"), moment):
            org.steward("user:owner").erase("chat:m1")
            org.reader("user:ann").search("lunch")
            lexemes(f"what it had read of {word}")
            meanwhile = keeping(word)

        assert meanwhile
        assert keeping(word) == set()


def erase_the_item(url: str, tenant: str) -> None:
    with open_org(url, tenant) as org:
        org.steward("user:owner").erase("chat:m1")


def written(org: Org, word: str) -> None:
    """A text with a word in all its places: title, heading, name, channel, body, author."""
    author = f"user:{word}"
    body = f"# {word} plan\n\nThe budget of {word} is 500 euros. I will send it to {word} by Friday.\n"
    where: dict[str, object] = {
        "title": f"{word} plan",
        "kind": "document",
        "container": f"C-{word}",
        "account": f"{word} ltd",
    }
    where |= {"author": author, "author_name": f"{word} Roe", "labels": {"channel": f"{word}-room"}}
    taken(org, [person("user:ann"), person(author, name=f"{word} Roe")])
    taken(org, [said("m1", body, 1, media="text/markdown", **where), said("m2", "The lunch is at noon.", 2)])


def kept(org: Org, word: str) -> None:
    """Have the process keep what it keeps: by asking in every way."""
    ann = org.reader("user:ann", as_of=at(100))
    ann.ask(f"What is the budget of {word}?")
    ann.context(f"Write to {word}", budget=500)
    ann.search(word)
    ann.locate(word)
    org.sync()


def keeping(word: str) -> set[str]:
    """Caches and tables of our modules in which the word can be reached."""
    return {name for name, keeps in kept_things() if word in " ".join(texts_in(keeps)).casefold()}


def kept_things() -> Iterator[tuple[str, object]]:
    for one in gc.get_objects():
        if isinstance(one, functools._lru_cache_wrapper) and str(one.__module__).startswith("muniment"):
            yield f"{one.__module__}.{one.__qualname__}", one
    for name in sorted(one for one in sys.modules if one.startswith("muniment.")):
        for key, value in sorted(vars(sys.modules[name]).items()):
            if isinstance(value, (dict, list, set)) and not key.startswith("__"):
                yield f"{name}.{key}", value


def texts_in(keeps: object) -> Iterator[str]:
    """Every text that is reached through containers, and through a cache's own links."""
    seen, left = {id(keeps)}, [keeps]
    while left:
        for one in gc.get_referents(left.pop()):
            if isinstance(one, str):
                yield one
            elif id(one) not in seen and (isinstance(one, _HOLDS) or type(one).__name__ == "_lru_list_elem"):
                seen.add(id(one))
                left.append(one)
