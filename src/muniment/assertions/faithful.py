"""Whether a statement says nothing that its evidence does not. Pure, and strict rather than clever.

Every number and date, every name, and every word that carries meaning must occur in the evidence; what is
left to a model is which of the words to take, and the small words between them. So no statement can carry
what the model knows from elsewhere, be it invented or somebody else's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cached_property
from itertools import takewhile

from muniment.assertions.anchor import Anchored, normal_quote
from muniment.assertions.terms import Mention, find_terms
from muniment.domain.regex import regex

__all__ = ["Evidence", "is_denied"]

_FIGURE = regex(r"\d+(?:[.,:/]\d+)*")
_WIDE_FIGURE = regex("[〇零一二两三四五六七八九十百千万亿]+")
_WIDE_DIGITS = {
    sign: value for value, signs in enumerate(("〇零", *"一二三四五六七八九")) for sign in signs
} | {"两": 2}
_WIDE_UNITS = {"十": 10, "百": 100, "千": 1000}
_WIDE_SCALES = {"万": 10**4, "亿": 10**8}
_GROUPED = regex(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_WORD = regex(r"[^\W\d_\u2e80-\u9fff][^\W_\u2e80-\u9fff]*(?:['.@&/-][^\W_\u2e80-\u9fff]+)*")
_WIDE = regex("[\u2e80-\u9fff]")
_NEGATION = regex(
    r"\b(?:not|no|nobody|nothing|never|none|neither|nor|without|cannot|stopped|ceased)\b|n't\b|[不没未无非勿别莫]",
    re.IGNORECASE,
)
_NUMBERS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17,
    "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60,
    "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100, "thousand": 1000, "million": 1000000,
    "half": 2, "third": 3, "quarter": 4, "dozen": 12,
}  # fmt: skip
# Words that name nothing and count nothing.
_PLAIN = frozenset(
    "a an the this that these those it its they them their he she his her we us our i my you your who which "
    "what whose whom where when while whenever once and or but nor yet so if unless because since as than "
    "then thus of in on at to from for with by into onto over under between among through during before "
    "after until till about against per via within across above below up down out off again also only just "
    "both each every any all some other others another same such own is are was were be been being am has "
    "have had having do does did done will would shall should can could may might must need needs needed "
    "ought let lets say says said state states stated there here one ones not no never nothing nobody none "
    "more most less least very too own s t applies apply applied holds hold held set sets means uses used "
    "using gets get got makes make made "
    "requires require required allowed allow allows must".split()
)
_PLAIN_WIDE = frozenset(
    "的地得是在为于和与及或由对从到将应须可需要能会已被把等此该其每以之至后前内外中上下有了着过也都还再"
    "就只才而但且即则若如因所请让使用说称表示规定我们他她它您你的这那些个位项名方须必"
)
_SPELLED = frozenset(
    ("duration", "count", "number")
)  # judged by their figures and words, which may be spelled
_ALIKE = 0.7  # of the longer word that two forms of one word begin alike with: approval, approved
_ENDING = 4  # letters by which one form may be longer than another: renew, renewal


@dataclass(frozen=True)
class Evidence:
    """The quote of a statement, and what its item says of itself."""

    quote: str
    beside: str = ""
    beside_values: frozenset[str] = frozenset()  # the terms of that

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        """The terms of the quote."""
        return tuple(find_terms(self.quote))

    def lacks(self, statement: str) -> str | None:
        """What of the statement is not in the evidence, by its sort; None where all of it is."""
        statement = Anchored(statement).normal
        rest = self._without_terms(statement)
        if rest is None or not set(_figures(rest)) <= self._figures:
            return "a number or date that its evidence does not have"
        if not all(self._has_word(word, is_name=name) for word, name in _words(statement)):
            return "a name or word that its evidence does not have"
        if not all(sign in self._wide for sign in _WIDE.findall(statement)):
            return "a name or word that its evidence does not have"
        if is_denied(self.quote) != is_denied(statement):
            return "it denies what its evidence does not, or the other way about"
        return None

    def _without_terms(self, statement: str) -> str | None:
        """The statement without the terms that the evidence has too; None where one is missing from it."""
        left = list(statement)
        for mention in find_terms(statement):
            if mention.term.kind == "state":  # plain words, judged as words
                continue
            if mention.term.value not in self._values and not self.has(mention.term.text):
                if mention.term.kind in _SPELLED:
                    continue
                return None
            left[mention.start : mention.end] = " " * (mention.end - mention.start)
        return "".join(left)

    def has(self, words: str) -> bool:
        """Whether the words stand in it, whole and in their order, in whatever case."""
        return next(self._anchored.places(normal_quote(words).casefold()), None) is not None

    def _has_word(self, word: str, *, is_name: bool) -> bool:
        plain = word.casefold().removesuffix("'s")
        if plain in self._words or plain in _PLAIN:
            return True
        if is_name or plain in _NUMBERS:
            return self.has(word) or str(_NUMBERS.get(plain)) in self._figures
        return any(_is_form(plain, other) for other in self._common)

    @cached_property
    def _anchored(self) -> Anchored:
        return Anchored(Anchored(f"{self.quote}\n{self.beside}").normal.casefold())

    @cached_property
    def _values(self) -> frozenset[str]:
        return self.beside_values.union(mention.term.value for mention in self.mentions)

    @cached_property
    def _figures(self) -> frozenset[str]:
        text = self._anchored.normal
        spelled = (str(_NUMBERS[word]) for word in self._words if word in _NUMBERS)
        return frozenset((*_figures(text), *spelled))

    @cached_property
    def _words(self) -> frozenset[str]:
        whole = {match[0].removesuffix("'s") for match in _WORD.finditer(self._anchored.normal)}
        return frozenset(whole | {part for word in whole for part in re.split("['.@&/-]", word) if part})

    @cached_property
    def _common(self) -> frozenset[str]:
        """Words that stand in it without a capital: names have no other forms."""
        words = (match[0] for match in _WORD.finditer(Anchored(f"{self.quote}\n{self.beside}").normal))
        return frozenset(word for word in words if word == word.casefold())

    @cached_property
    def _wide(self) -> frozenset[str]:
        return _PLAIN_WIDE | frozenset(_WIDE.findall(self._anchored.normal))


def is_denied(text: str) -> bool:
    """Whether it says that something is not so."""
    return _NEGATION.search(text) is not None


def _figures(text: str) -> Iterator[str]:
    """Numbers in one spelling, Chinese ones among them; what is no plain number as it is written."""
    for match in _WIDE_FIGURE.finditer(text):
        yield str(_wide_number(match[0]))
    for match in _FIGURE.finditer(text):
        written = match[0].replace(",", "") if _GROUPED.fullmatch(match[0]) else match[0]
        try:
            yield f"{Decimal(written).normalize():f}"
        except InvalidOperation:
            yield written


def _wide_number(written: str) -> int:
    """A Chinese number; signs without a unit are read one by one, as in 二〇二七."""
    if not set(written) & (_WIDE_UNITS.keys() | _WIDE_SCALES.keys()):
        return int("".join(str(_WIDE_DIGITS[sign]) for sign in written))
    total = section = digit = 0
    for sign in written:
        if sign in _WIDE_DIGITS:
            digit = _WIDE_DIGITS[sign]
        elif sign in _WIDE_UNITS:
            section += (digit or 1) * _WIDE_UNITS[sign]
            digit = 0
        else:
            total = (total + section + digit or 1) * _WIDE_SCALES[sign]
            section = digit = 0
    return total + section + digit


def _words(statement: str) -> Iterator[tuple[str, bool]]:
    """Each word, and whether it is written as a name: with a capital that no sentence begins with."""
    for match in _WORD.finditer(statement):
        yield match[0], match.start() > 0 and any(sign.isupper() for sign in match[0])


def _is_form(one: str, other: str) -> bool:
    """Whether two words are plainly forms of one."""
    short, long = sorted((one, other), key=len)
    if len(short) >= 3 and long.startswith(short) and len(long) - len(short) <= _ENDING:
        return True
    return _alike(one, other) >= max(4, _ALIKE * len(long))


def _alike(one: str, other: str) -> int:
    """With how many characters two words begin alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
