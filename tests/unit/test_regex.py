"""A pattern that waits for its first use is what `re.compile` makes, and each of the tree can be made."""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import muniment
from muniment.domain.regex import regex

ROOT = Path(muniment.__file__).parent


def modules() -> Iterator[str]:
    for file in sorted(ROOT.rglob("*.py")):
        if "regex(" in file.read_text():
            yield ".".join(("muniment", *file.relative_to(ROOT).with_suffix("").parts))


def test_every_pattern_of_the_tree_can_be_made() -> None:
    for module in modules():
        import_module(module)
    kind = type(regex(""))

    # Wherever one is kept: in a name, a tuple, a mapping, a cue.
    kept = [one for one in gc.get_objects() if type(one) is kind]
    made = [re.compile(one.pattern, one.flags) for one in kept]

    assert len(made) > 700


@given(st.sampled_from(["(?P<a>x+)", "y|", "[^z]"]), st.sampled_from([0, re.IGNORECASE]), st.text("xyzXY"))
def test_a_pattern_is_what_the_library_makes_of_it(text: str, flags: int, asked: str) -> None:
    ours, theirs = regex(text, flags), re.compile(text, flags)

    assert [found.span() for found in ours.finditer(asked)] == [
        found.span() for found in theirs.finditer(asked)
    ]
    assert ours.sub("-", asked) == theirs.sub("-", asked)
    assert ours.split(asked) == theirs.split(asked)
    assert (ours.pattern, ours.flags, dict(ours.groupindex)) == (text, theirs.flags, dict(theirs.groupindex))


def test_what_is_no_pattern_is_said_when_it_is_used() -> None:
    wrong = regex("(")

    with pytest.raises(re.error):
        wrong.search("")


def test_which_pattern_matched_is_asked_by_its_text() -> None:
    # `match.re` is what the library made, and never the one that stands for it.
    asked = [file for file in ROOT.rglob("*.py") if re.search(r"\.re (?:is|==|!=|in)\b", file.read_text())]

    assert asked == []
