"""How a sentence says that its own text relates to the texts it names, in English. Pure.

A relation needs a text that speaks of itself: `this policy replaces …`, the text's own title, or a line that
has no subject at all. What another text does, what is denied, supposed, planned or asked, relates nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from muniment.domain.references import ReferenceKind
from muniment.domain.regex import regex
from muniment.graph.templates import OWN, REFS, Template, named_in

__all__ = ["Relation", "english"]


class Relation(NamedTuple):
    """Which mention a text relates to and how; `edition` where it is another edition of the text itself."""

    mention: int | None
    kind: ReferenceKind
    inverse: bool
    cue: str
    edition: str | None = None


_VERBS: dict[str, ReferenceKind] = {
    **dict.fromkeys(
        "replaces replace replaced replacing supersedes supersede superseded superseding obsoletes "
        "obsolete obsoleted "
        "withdraws withdraw abolishes abolish retires repeals repeal repealed rescinds rescind rescinded "
        "revokes revoke revoked cancels withdrawn "
        "cancelled "
        "canceled abolished deleted".split(),
        "supersedes",
    ),
    **dict.fromkeys(
        "amends amend amended amending modifies modify modified modifying updates update updated updating "
        "revises "
        "revise revised revising corrects corrected".split(),
        "amends",
    ),
}
_ASKS = frozenset(
    "replace supersede obsolete repeal rescind revoke withdraw abolish retire amend modify update updates "
    "revise".split()
)
_VERB = rf"(?P<verb>{'|'.join(sorted(_VERBS, key=len, reverse=True))})"
_SELF_NOUN = (
    "policy|document|version|edition|revision|endorsement|form|agreement|contract|handbook|manual|guide"
    "|guidelines?"
    "|bulletin|memorandum|memo|procedures?|plan|standard|directive|regulations?|rules|addendum|amendment"
    "|charter|code"
    "|specification|spec|runbook|playbook|terms|conditions|notice|circular|protocol|framework"
    "|instructions?|checklist"
    "|schedule|supplement|rider|template|proposal|report|order|page|note|text|paper|rfc|pep|adr|one"
    "|update|annex"
    "|appendix|article|issue|pr|pull request|change|ticket|decision|statement|release|publication|filing"
    "|letter"
    "|list|price list|catalogue|exhibit|attachment|announcement|message|email|act|law|scheme|process"
    "|release note"
)
_SELF = (
    rf"(?:(?:(?:version|edition|revision) [\w.]{{1,8}} of )?(?:this|the present|these)"
    rf"(?: [\w&'’-]+){{0,4}}? (?:{_SELF_NOUN})|this|these|it"
    rf"|(?:the )?{OWN})(?: (?:no\.? ?)?[\d.]+)?(?: ?\([^()]{{0,60}}\))?"
)
_ADVERBS = (
    r"(?:,? ?(?:not only|hereby|thereby|also|fully|completely|entirely|wholly|expressly|therefore|now"
    r"|formally"
    r"|immediately|shall|will"
    r"|partially|partly|in part|in turn|since|already|later|meanwhile|subsequently|both|further"
    r"|furthermore|only|simply|and|effectively|does|do|has"
    r"|have|thus))*"
)
_LEAD = (
    r"(?:(?:with effect|effective|as of|as from|from|on|since|starting|beginning|accordingly|therefore"
    r"|note|important"
    r"|notice|status|summary|please note)\b[^,:]{0,40}?[,:]? ?(?:that )?)?"
)
_MIDDLE = (
    r"(?:,? ?(?:which|that)|, (?:effective|dated|issued|published|adopted|approved|in force)[^,]{0,60},"
    r"| (?:effective|dated|in force)[^,;]{0,40}"
    r"|(?:(?!\b(?:how|why|when|whether|if|that|who|what|where|which|once|unless|until"
    r"|because)\b)[^;:]){0,200}?[, ]and)?"
)
_SUBJECT = regex(rf"(?:{_LEAD}(?P<self>{_SELF}){_MIDDLE})?{_ADVERBS},? ?\Z", re.IGNORECASE)
_BULLET = regex(r"\A(?:[\s>#|•+\[(-]|\d{1,3}[.)] |[A-Z][\w ]{0,20}: )+")
_KEEPS = (
    r"(?:[\s,:(\"“]|\b(?:the|our|all|any|and|its|both|previous(?:ly)?|prior|earlier|existing|former|old"
    r"|older|current|original|entire"
    r"|whole|entirety|full|in|entirely|completely|fully|wholly|versions?|editions?|of|documents?|policy"
    r"|policies|form|standard"
    r"|pep|rfc|adr|issues?|pr|with|immediate|effect|hereby|following|published|issued|guidance|rules"
    r"|insurance|coverage"
    r"|provided|under|text|parts?|portions?|provisions?|terms|obsolete|outdated|separate|standalone|draft"
    r"|requirements"
    r"|as|a|an|well|such|now|that|is|new|proposed|titled|entitled|called|amendment|number|no\.|resolution"
    r"|circular|decision|notice|endorsement|agreement|handbook|manual|guide|bulletin"
    r"|page|note|article)\b)*?"
)
_ACTIVE = regex(
    rf"\b{_VERB}\b(?: and (?:cancels|replaces|supersedes|amends))?(?! by\b){_KEEPS}{REFS}", re.IGNORECASE
)
_PASSIVE = regex(
    rf"\b(?:is|are|was|were|been|be)(?: (?:\w+ly|hereby|now|since|also|being|in part|thus))? {_VERB}"
    rf"(?: and (?:replaced|superseded|withdrawn))?(?: (?:in its entirety|in full|in part|entirely"
    rf"|completely|partially|fully))?"
    rf",? (?:and replaced )?by {_KEEPS}{REFS}",
    re.IGNORECASE,
)
_BARE_PASSIVE = regex(
    rf"(?:\A|\bas |(?<=[(\[])|(?<=[:—-] )|, (?:now |since )?){_VERB}(?: (?:and replaced|in part|in full"
    rf"|entirely))? by {_KEEPS}{REFS}",
    re.IGNORECASE,
)
_BY_THIS = regex(
    rf"{REFS}[\s,)\"”]*(?:which |that )?(?:is|are|was|were|has been|have been|shall be|will be) (?:"
    rf"(?:\w+ly|hereby|now|thus) )?"
    rf"{_VERB}(?: and replaced| in its entirety| in full| entirely)*,? by (?:the present|this|these|{OWN})",
    re.IGNORECASE,
)
_HEREBY = regex(
    rf"{REFS}[\s,)\"”]*(?:is|are|shall be) (?P<here>hereby |therefore )?{_VERB}(?P<rest>[^.;]{{0,40}})",
    re.IGNORECASE,
)
_READS = regex(
    r"\A(?: and replaced| in (?:its|their) entirety| in full)*(?: to read| as follows| by adding"
    r"| by deleting| by replacing"
    r"| with the following| by the following|:)",
    re.IGNORECASE,
)
_ATTACHES = regex(
    r"\b(?P<verb>(?:is|are) (?:\w+ly )?(?:attached|appended|annexed) to|(?:is|are) (?:an?|the) "
    r"(?:[\w-]+ ){0,3}?(?:endorsement"
    r"|addendum|appendix|annex|annexure|schedule|supplement|rider|exhibit|attachment) (?:to|of)|(?:is"
    r"|are) (?:an? )?(?:integral )?"
    r"part of|attaches to|attach to|forms? (?:an? )?(?:integral )?part of"
    r"|(?:must|should|is to|shall|has to) be read (?:together |in conjunction |along )?with|supplements"
    r"|is incorporated into"
    rf"|endorses){_ADVERBS}{_KEEPS}{REFS}",
    re.IGNORECASE,
)
_BELONGS = regex(
    rf"\A(?:[\w-]+ ){{0,3}}?(?P<verb>endorsement|addendum|appendix|annex|annexure|schedule|supplement"
    rf"|rider|exhibit|attachment"
    rf"|amendment|modification|corrigendum|erratum|attached)(?: (?:no\. ?)?[\w.]{{1,6}})? to {_KEEPS}{REFS}",
    re.IGNORECASE,
)
_ANOTHER = regex(
    rf"\b{_VERB},? (?:and replaces )?(?:the|our|its)? ?(?:previous |prior |earlier )?"
    r"(?:(?P<a>(?:19|20)\d\d(?:-\d\d)?|v?\d+(?:\.\d+)*|first|second|third|fourth|\d+(?:st|nd|rd|th)) "
    r"(?:edition|version|revision)"
    r"|(?:edition|version|revision) (?P<b>(?:19|20)\d\d(?:-\d\d)?|v?\d+(?:\.\d+)*|[a-z]\b))(?! of (?:the"
    r"|our|\x01))",
    re.IGNORECASE,
)
_DENIED = regex(
    r"\b(?:not|never|neither|nor|cannot|without|rather than|instead of|no longer)\b|n['’]t\b", re.IGNORECASE
)
_ONLY = regex(r"\bnot only\b", re.IGNORECASE)
_SUPPOSED = regex(
    r"(?<!\d )\bmay\b(?! \d)|\b(?:would|could|might|can|should|if|unless|until|whether|once|suppos\w+"
    r"|assum\w+|propos(?:e|es"
    r"|ed|ing)|plans? to|planned"
    r"|intend\w*|consider\w*|expected|aims?|wants?|likely|possibly|perhaps|hypothetical\w*|e\.g\."
    r"|for example|claims?|claimed"
    r"|said|says|asked|rumou?r\w*|believes?|thinks?|had|hoped?|supposed|suggests?|recommends?|imagine)\b",
    re.IGNORECASE,
)
_CONDITION = regex(
    r"\b(?:if|once|when|provided that|upon approval|subject to (?:\w+ ){0,2}approval|pending|unless and until"
    r"|only for|only where)\b",
    re.IGNORECASE,
)
_FUTURE = regex(r"\b(?:will|going to|is to|are to)\b", re.IGNORECASE)
_PARTLY = regex(
    r"\b(?:partially|partly|in part|sections?|parts? of|portions? of|provisions? of)\b", re.IGNORECASE
)


def english(sentence: Template, *, says_when: bool) -> list[Relation]:
    """What the sentence says of its own text. `says_when`: the text says from when it holds."""
    text = sentence.text
    if sentence.asks:
        return []
    found: list[Relation] = []
    for match in _BY_THIS.finditer(text):
        found += (
            _related(match, text, inverse=False)
            if _is_said(text[: match.start()], text[match.start() :])
            else []
        )
    found += _hereby(text)
    for match in _PASSIVE.finditer(text):
        found += _if_own(text, match, says_when=says_when, inverse=True)
    for match in _BARE_PASSIVE.finditer(text):
        found += _if_own(text, match, says_when=says_when, inverse=True)
    for match in _ACTIVE.finditer(text):
        found += _if_own(text, match, says_when=says_when, inverse=False)
    return [*found, *_attached(text, says_when=says_when), *_editions(text, says_when=says_when)]


def _hereby(text: str) -> Iterator[Relation]:
    """`X is hereby repealed`; `Section 4 of X is amended to read`."""
    for match in _HEREBY.finditer(text):
        if not _is_said(text[: match.start()], text[match.start() :]) or " by \x01" in match["rest"]:
            continue
        changes = _VERBS[match["verb"].casefold()] == "amends"
        if match["rest"] and _READS.match(match["rest"]):
            yield from (one._replace(kind="amends") for one in _related(match, text, inverse=False))
        elif match["here"] or (changes and not match["rest"].strip()):
            yield from _related(match, text, inverse=False)


def _attached(text: str, *, says_when: bool) -> Iterator[Relation]:
    for match in _ATTACHES.finditer(text):
        for one in _if_own(text, match, says_when=says_when, inverse=False):
            yield one._replace(kind="attaches_to")
    for match in _BELONGS.finditer(_BULLET.sub("", text)):
        changes = match["verb"].casefold() in ("amendment", "modification", "corrigendum", "erratum")
        kind: ReferenceKind = "amends" if changes else "attaches_to"
        yield from (
            Relation(one, kind, inverse=False, cue=match["verb"].casefold())
            for one in named_in(match["refs"])
        )


def _editions(text: str, *, says_when: bool) -> Iterator[Relation]:
    for match in _ANOTHER.finditer(text):
        if _is_own(text, match, says_when=says_when):
            kind = _VERBS[match["verb"].casefold()]
            yield Relation(
                None, kind, inverse=False, cue=match["verb"].casefold(), edition=match["a"] or match["b"]
            )


def _if_own(text: str, match: re.Match[str], *, says_when: bool, inverse: bool) -> list[Relation]:
    return _related(match, text, inverse=inverse) if _is_own(text, match, says_when=says_when) else []


def _is_own(text: str, match: re.Match[str], *, says_when: bool) -> bool:
    before, after = text[: match.start()], text[match.end() :]
    clause = _BULLET.sub("", before)
    subject = _SUBJECT.match(clause)
    if subject is None or not _is_said(before, match[0].split("\x01")[0] + after):
        return False
    # `Update PEP 8` on a line by itself asks for it; `updates` there is a noun.
    if subject["self"] is None and match.groupdict().get("verb", "").casefold() in _ASKS:
        return False
    return says_when or not _FUTURE.search(before)


def _is_said(before: str, rest: str) -> bool:
    """Whether the sentence asserts what it says: it is not denied, supposed or bound to a condition."""
    if _DENIED.search(_ONLY.sub("", before)) or _SUPPOSED.search(before):
        return False
    return not _CONDITION.search(rest)


def _related(match: re.Match[str], text: str, *, inverse: bool) -> list[Relation]:
    verb = match.groupdict().get("verb", "").casefold()
    kind = _VERBS.get(verb, "amends")
    said = text[max(0, match.start() - 20) : match.start()] + match[0].split("\x01")[0]
    if kind == "supersedes" and _PARTLY.search(said):
        kind = "amends"
    return [Relation(one, kind, inverse, verb) for one in named_in(match["refs"])]
