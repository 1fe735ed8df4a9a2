"""Which runs of a text are kept as its fingerprint."""

import random

from hypothesis import given
from hypothesis import strategies as st

from muniment.index import prints
from muniment.index.prints import fingerprint

KEY = b"k" * 32
WORDS = ["the", "cat", "12", "Sitzung", "über", "a", "invoice", "limit"]


def test_a_shared_stretch_is_found_whatever_stands_around_it(seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(300):
        shared = [f"{draw.choice(WORDS)}{draw.randrange(9)}" for _ in range(11)]
        one, other = ([*draw.choices([*WORDS, "会", "议"], k=draw.randrange(12))] for _ in range(2))
        texts = [" ".join([*around, *shared, *around[::-1]]) for around in (one, other)]
        assert fingerprint(KEY, texts[0]) & fingerprint(KEY, texts[1])


def test_seven_words_are_no_run_and_eight_are_one(seed: int) -> None:
    words = random.Random(seed).choices(WORDS, k=8)

    assert [len(fingerprint(KEY, " ".join(words[:count]))) for count in (0, 7, 8)] == [0, 0, 1]


def test_a_chinese_character_at_the_end_leaves_the_runs_before_it_as_they_are(seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(300):
        plain = " ".join(f"{draw.choice(WORDS)}{draw.randrange(99)}" for _ in range(draw.randrange(11, 40)))
        assert fingerprint(KEY, plain) <= fingerprint(KEY, f"{plain} 会")


@given(st.text(alphabet="aB9 _-.é文Ⅷ²", max_size=80))
def test_words_are_compared_alike_one_by_one_and_all_at_once(text: str) -> None:
    words = prints._TOKEN.findall(prints._plain(text))

    assert prints._all_compared(text, words) == [prints._compared(word) for word in words]
