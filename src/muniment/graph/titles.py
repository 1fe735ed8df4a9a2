"""What looks like a title in running text: 《…》, quotation marks, capitals, words for a document. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from muniment.domain.regex import regex
from muniment.graph.sections import Headings

__all__ = ["capital_run", "find_titles", "is_generic", "may_hold_titles"]

_NOUNS = (
    "policy|policies|endorsement|form|agreement|contract|handbook|manual|guide|guideline|guidelines|bulletin"
    "|memorandum|memo|procedure|procedures|plan|standard|standards|directive|regulation|regulations|act|rules"
    "|addendum|amendment|charter|code|specification|spec|runbook|playbook|terms|conditions|declarations"
    "|notice"
    "|circular|protocol|framework|instruction|instructions|checklist|schedule|supplement|rider|template"
    "|proposal"
    "|report|roadmap|order|filing|treaty|statute|ordinance|convention|decision|strategy|programme|program|faq"
    "|manifesto|letter|brief|register|statement|catalogue|catalog|note|notes|overview|process|scheme"
    "|decree|law|list|booklet|pamphlet|leaflet|brochure|rulebook|annex|annexure|appendix|exhibit|certificate"
    "|glossary|digest|compendium|advisory|prospectus|syllabus|binder|deed|warrant|covenant|tariff|factsheet"
)
_LOWER_NOUNS = (
    "policy|endorsement|handbook|manual|guideline|guidelines|procedure|runbook|playbook|charter|addendum"
    "|bulletin"
    "|memorandum|regulation|regulations|agreement|directive|standard|guide|rules|checklist"
)
_SPACE = r"(?:[ \t]{1,3}|[ \t]?\n[ \t]{0,8}(?=\S))"
_SMALL = r"(?:of|and|for|the|to|in|on|&|or|with|by|at|from|a|an)"
_WORD = r"[A-Z][\w'’&/+-]{0,40}"
_NEXT = r"(?:[A-Z0-9][\w'’&/+.-]{0,40}(?<![.]))"
_RUN = regex(rf"(?<![\w.@/#-]){_WORD}(?:{_SPACE}(?:{_SMALL}{_SPACE}){{0,2}}{_NEXT}){{0,11}}")
_FUNCTION = r"(?:and|or|the|our|is|are|was|were|be|a|an|in|on|to|for|with|by|from|that|this|of|as|at|it|not)"
_LOWER = regex(
    r"\b(?:[Tt]he|[Oo]ur|[Ss]ee|[Pp]er|[Uu]nder|to|of|in|with|by|[Rr]eplaces?|[Ss]upersedes?|[Aa]mends?)\s"
    rf"((?:(?!{_FUNCTION}\s)[A-Za-z][\w'’-]{{0,30}}\s){{1,4}}?(?:{_LOWER_NOUNS})(?:\s(?:19|20)\d\d)?)"
    rf"(?![\w-])"
)
_HAN = regex(r"《([^《》\n]{1,120})》")
_QUOTED = regex(r"[\"“]([^\"“”\n]{3,100}?)[,.]?[\"”]")
_CUES = frozenset(
    "see|see also|refer to|refers to|referred to|referring to|per|under|pursuant to|accordance with"
    "|according to|line with"
    "|consult|read|cf|cf.|compare|governed by|subject to|comply with|complies with|compliance with|based "
    "on|replaces"
    "|replace|supersedes|supersede|superseded by|replaced by|obsoletes|obsoleted by|repeals|rescinds"
    "|amends|amended by"
    "|modifies|modified by|updates|updated by|revises|revised by|replacing|superseding|amending|attached "
    "to|part of"
    "|endorsement to|addendum to|supplement to|supplements|titled|entitled|called".split("|")
) | {
    f"{how} {where}"
    for how in "defined described set out forth specified stated explained listed provided required "
    "documented found "
    "covered detailed".split()
    for where in ("in", "by", "under")
}
_FILLERS = frozenset("the our both also page document form new old".split())
_AROUND = '"“”*_`[](（:,,;'
_LEADS = frozenset(
    "the this that these those see under in for per if when as our all any each please refer read and or "
    "but at on by "
    "to from of with a an it we you they i he she is are was were section while where which who whose new "
    "old also "
    "both note both before after until unless since because then thus however no not use using follow "
    "following "
    "consult compare according pursuant upon every such your their its his her replaces supersedes "
    "amends".split()
)
_ADJECTIVES = frozenset(
    "new old current previous existing updated latest revised attached following same original draft "
    "prior earlier "
    "former present entire whole our this that any all each such other another own first second third last "
    "next final full "
    "relevant applicable appropriate respective general underlying above below".split()
)
_GENERIC = regex(rf"(?:{_NOUNS})\Z", re.IGNORECASE)
_NOUN_END = regex(rf"(?:\A|[\s-])(?:{_NOUNS})(?:[\s,(]{{1,2}}(?:v?\d[\w.-]{{0,10}}))?\Z", re.IGNORECASE)
# `Updates to the Fee Schedule` is about the schedule; a line `Endorsement to the Form` says whose it is.
_LEADING = regex(
    r"(?:(?P<of>Updates|Changes|Copy|Copies|Questions|Exceptions|References|Corrections|Comments|Access)"
    r"|(?:Endorsement|Addendum|Annex|Appendix|Schedule|Supplement|Rider|Exhibit|Amendment|Attachment)"
    r"(?: (?:No\.? ?)?[\dA-Z]{1,4})?)\s(?:to|of|on|about)\s(?:(?:the|our)\s)?(?=[A-Z])"
)
_TAIL = regex(r"\s(?:in|from|on|at|by|for|to|with)\s\d.*\Z", re.DOTALL)
_JOINT = regex(r"\s(?:and|or|&)\s(?:(?:the|our|its)\s)?")

# Without one of these nothing is a title: neither a word for a document, nor one after which titles stand.
_WORDS = frozenset(_NOUNS.split("|")) | {word for cue in _CUES for word in cue.split() if len(word) > 2}
_LATIN = regex(r"[a-z]+")

_GENERICS = frozenset(_NOUNS.split("|"))

Found = tuple[int, int, str]


def may_hold_titles(plain: str) -> bool:
    """Whether a casefolded text is worth looking through; most chatter is not."""
    return "《" in plain or not _WORDS.isdisjoint(_LATIN.findall(plain))


def is_generic(name: str) -> bool:
    """Whether a normal name is no more than a word for a document: `policy`: `Section 4 of the policy`."""
    return name in _GENERICS


def capital_run(text: str, at: int) -> Found | None:
    """Words with capitals that begin there, where only their place says that they are a title."""
    match = _RUN.match(text, at)
    if match is None:
        return None
    said = match[0]
    if tail := _TAIL.search(said):
        said = said[: tail.start()]
    return at, at + len(said), said


def find_titles(text: str, headings: Headings) -> Iterator[Found]:
    """[start, end) of what may be a title, and its words. `headings`: the text's own."""
    taken: list[Found] = [(match.start(), match.end(), match[1]) for match in _HAN.finditer(text)]
    if '"' in text or "“" in text:
        taken += (one for match in _QUOTED.finditer(text) if (one := _quoted(text, match)))
    spans = sorted((start, end) for start, end, _ in taken)
    yield from taken
    runs = (
        one for match in _RUN.finditer(text) for run in _apart(match) if (one := _run(text, run, headings))
    )
    yield from (one for one in runs if not _within(one, spans))
    lower = (one for match in _LOWER.finditer(text) if (one := _lower(match)))
    yield from (one for one in lower if not _within(one, spans))


def _within(one: Found, spans: list[tuple[int, int]]) -> bool:
    return any(start < one[1] and one[0] < end for start, end in spans)


def _quoted(text: str, match: re.Match[str]) -> Found | None:
    """Words in quotation marks, where they are called a document or are where a title stands."""
    said = match[1]
    if not said[0].isupper() and not "\u4e00" <= said[0] <= "\u9fff":
        return None
    if not _NOUN_END.search(said) and not _is_cued(text, match.start()):
        return None
    return match.start(), match.end(), said


def _apart(match: re.Match[str]) -> list[tuple[int, str]]:
    """A run of words with capitals, cut where it joins two titles: `X Policy and Y Policy`."""
    run, at, found = match[0], 0, []
    if lead := _LEADING.match(run):
        at = lead.end() if lead["of"] or _begins_line(match) else 0
    for joint in _JOINT.finditer(run):
        left, right = run[at : joint.start()], run[joint.end() :]
        if " " in left and " " in right and _NOUN_END.search(left) and _NOUN_END.search(right):
            found.append((match.start() + at, left))
            at = joint.end()
    return [*found, (match.start() + at, run[at:])]


def _begins_line(match: re.Match[str]) -> bool:
    text = match.string
    return not text[text.rfind("\n", 0, match.start()) + 1 : match.start()].strip(" \t#*_>")


def _run(text: str, run: tuple[int, str], headings: Headings) -> Found | None:
    start, said = run
    if tail := _TAIL.search(said):
        said = said[: tail.start()]
    words = said.split()
    while words and words[0].casefold() in _LEADS:
        dropped = said.index(words[1], len(words[0])) if len(words) > 1 else len(said)
        start, said, words = start + dropped, said[dropped:], words[1:]
    if not words or _GENERIC.match(said):
        return None
    if len(words) > 1 and _NOUN_END.search(said):
        return start, start + len(said), said
    is_part = headings.has(said)
    if is_part and len(words) > 1 and not _stands_alone(text, start, start + len(said)):
        return start, start + len(said), said
    if (is_part or not _is_name(words)) and _is_cued(text, start):
        return start, start + len(said), said
    return None


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether it is a line by itself, as a heading is."""
    after = text.find("\n", end)
    line = text[text.rfind("\n", 0, start) + 1 : len(text) if after < 0 else after]
    return not line.replace(text[start:end], "", 1).strip("#*=-_ .\t0123456789")


def _is_cued(text: str, at: int) -> bool:
    """Whether the words before are those after which a title stands."""
    before = [word.strip(_AROUND).casefold() for word in text[max(0, at - 40) : at].split()]
    words = [word for word in before if word and word not in _FILLERS][-2:]
    return bool(words) and (words[-1] in _CUES or " ".join(words) in _CUES)


def _is_name(words: list[str]) -> bool:
    """A lone short word after a cue is a person or a product more often than a text."""
    return len(words) == 1 and not (len(words[0]) > 6 or words[0].isupper())


def _lower(match: re.Match[str]) -> Found | None:
    start, words = match.start(1), match[1].split()
    while words and words[0] in _ADJECTIVES:
        start += len(words[0]) + 1
        words = words[1:]
    if len(words) < 2:
        return None
    return start, match.end(1), " ".join(words)
