"""Codes kept by the process: the nearest are those of brute force, and none is used under another stamp."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from muniment.index.kept import Coded, Kept, nearest, padded

WIDTH = 5
PLACE = ("acme", "model", 0, 1)


def rows(seed: int, count: int) -> np.ndarray:
    """Ids and codes of few values, so that many tie."""
    random = np.random.default_rng(seed)
    ids = random.integers(0, 256, (count, 16), np.uint8)
    return np.hstack([ids, random.integers(0, 3, (count, WIDTH), np.uint8)])


@given(st.integers(0, 10_000), st.lists(st.integers(1, 40), min_size=1, max_size=4), st.integers(1, 60))
def test_the_nearest_are_those_of_brute_force(seed: int, sizes: list[int], count: int) -> None:
    made = rows(seed, sum(sizes))
    asked = np.random.default_rng(seed + 1).integers(0, 3, WIDTH, np.uint8)
    groups = np.split(made, np.cumsum(sizes)[:-1])

    coded = {audience: Coded.read(one.tobytes(), WIDTH) for audience, one in enumerate(groups)}
    found = nearest(coded, padded(asked.reshape(1, -1)), count)

    far = [(int(np.bitwise_count(row[16:] ^ asked).sum()), row[:16].tobytes()) for row in made]
    owners = {row[:16].tobytes(): audience for audience, group in enumerate(groups) for row in group}
    best = {passage for _, passage in sorted(far)[:count]}
    assert {one.tobytes() for one in found.passages} == best
    assert [owners[one.tobytes()] for one in found.passages] == found.audiences.tolist()


def test_what_is_kept_is_found_under_its_own_stamp_only() -> None:
    kept = Kept()
    coded = Coded.read(rows(1, 3).tobytes(), WIDTH)

    kept.keep(PLACE, 7, coded)

    assert kept.find({PLACE: 7, ("other", "model", 0, 1): 7}) == {PLACE: coded}
    assert kept.find({PLACE: 8}) == {}


def test_the_longest_unused_goes_when_there_is_no_room() -> None:
    coded = Coded.read(rows(1, 3).tobytes(), WIDTH)
    kept = Kept(most=2 * coded.size)
    first, second, third = (("acme", "model", 0, audience) for audience in range(3))

    kept.keep(first, 1, coded)
    kept.keep(second, 1, coded)
    kept.find({first: 1})
    kept.keep(third, 1, coded)

    assert kept.find({first: 1, second: 1, third: 1}) == {first: coded, third: coded}
