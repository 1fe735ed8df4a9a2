"""What one sentence promises: by whom, how firmly, on what condition. Pure, and from its words alone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from muniment.assertions.cues_promise import NAMED_HAN
from muniment.domain.accounts import Strength
from muniment.domain.regex import regex

__all__ = ["Promise", "read_promise", "without_speaker"]

_LEADING = regex(
    r"^(?:\W*)(?:(?:then|but|and|so|ok|okay|sure|yes)[, ]+)?"
    r"(?P<if>(?:if|once|when|as soon as|provided(?: that)?|providing|assuming(?: that)?|subject to"
    r"|as long as|on condition that|in case|unless|only if|should) [^,;]{2,160}),\s*(?:then )?(?P<rest>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_TRAILING = regex(
    r"^(?P<rest>.{6,}?),? (?P<if>(?:(?<!see )(?<!know )(?<!check )(?<!ask )if|only if|once(?! more| again)"
    r"|as soon as|provided(?: that)?|providing"
    r"|assuming(?: that)?|subject to|as long as|on condition that|unless|pending) .{2,})$",
    re.IGNORECASE | re.DOTALL,
)
_HAN_LEADING = regex(
    r"^\W*(?P<if>(?:如果|要是|假如|若|只要|一旦|只有|除非)[^，,]{1,60}?)[，,]\s*(?:那么?|才|就)?(?P<rest>.+)$"
    r"|^\W*(?P<if3>[^，,]{2,40}的话)[，,]\s*(?P<rest3>.+)$"
    r"|^\W*(?P<if4>收到[^，,]{1,12}?后)[，,]?(?P<rest4>.+)$|^\W*(?P<if5>[^，,]{1,12}一[^，,]{1,8})[，,](?P<rest5>我们?就.+)$"
    r"|^\W*(?P<if2>(?:等|待)[^，,]{1,40}?(?:后|之后|以后|了|再))[，,]?\s*(?P<rest2>.*我.+)$",
    re.DOTALL,
)
_HAN_TRAILING = regex(r"^(?P<rest>.+?)[，,]\s*(?P<if>(?:前提是|条件是|但前提是|除非|只要).+)$", re.DOTALL)
_HEDGE = regex(
    r"\b(?:try|trying|hope|hopes|hoping|hopefully|aim|aims|aiming|plan(?:s|ning)? to|planning|(?:i|we) expect"
    r"|expecting|intend|intending|should be able|should have|probably|likely|possibly|perhaps|maybe|might"
    r"|(?-i:may)|could"
    r"|think|guess|tentatively|best (?:effort|to)|our best|my best|all being well|with luck|ideally|targeting"
    r"|see (?:if|what|whether)|look into|looking to)\b"
    r"|尽量|争取|尽力|可能|应该(?!付)|大概|希望|打算|计划|也许|或许|估计|看看能不能|看能不能|试试|试着|尝试|力争|原则上|预计"
    r"|差不多",
    re.IGNORECASE,
)
_DEBTOR = regex(
    r"^\W*(?i:action(?: item)?s?|todo|next step|ai)?\s*[:：-]?\s*@?"
    r"(?P<who>[A-Z][\w’'.-]+(?: (?:[A-Z][\w’'.-]+|& [A-Z]\w+)){0,3})(?: and [A-Z]\w+)?"
    r"(?:,? (?:who|as agreed),?)? (?:will|shall|to|is going to|has (?:agreed|promised|committed) to|agreed to"
    r"|promised to|committed to|commits to|undertakes to|owes)\b"
)
_HAN_DEBTOR = regex(
    r"^\W*(?:行动项|待办)?[:：]?\s*@?(?P<who>[\u4e00-\u9fff]{2,12}?|[A-Z][A-Za-z]+(?: [A-Z][a-z]+)?) ?"
    r"(?:(?:在|于|今|明|本|下|周|这|月)[^，,]{0,12}?)?(?:承诺|答应|保证|负责|同意|会在|会把|会将|会给|将|会|来(?=[\u4e00-\u9fff]))"
)
_HAN_NAMED = regex(rf"^\W*(?P<who>{NAMED_HAN})(?=会|将|负责|承诺|答应|[在今明本下周月\d])")
_WORD = regex(r"[\s’']")
_NO_NAME: Final = frozenset(
    "i we you it this that there they he she who everyone nobody the our my your their action todo next "
    "please let then once when if as so and but ok okay yes sure thanks also".split()
)
_NO_HAN_NAME = regex(
    r"^(?:我|你|您|他|她|它|这|那|大家|如果|今|明|后天|本|下|上|周|月|年|请|可以|好的?|没问题|收到|行|就|先|再|然后|另外|同时|"
    r"关于|最迟|最晚|合同|报价|方案|文档|数据|对账|材料|报告|分词|唯一)"
)
_HAN_FIRST = regex("我们?|我方|我司|本人|咱们?")
_FIRST = regex(r"\b(?:i|we|our team|my team|me|us)\b(?:['’](?:ll|m|re|ve))?", re.IGNORECASE)
_MODAL = regex(
    r"\b(?:i|we|our team|my team|[A-Z]\w+)(?:['’]ll| will| shall| am going to|['’]m going to| are going to"
    r"|['’]re going to| can| promise to| commit to| committed to| guarantee to| undertake to)\s+"
    r"(?:also |then |just |definitely |personally |make sure to )?",
    re.IGNORECASE,
)
_SPEAKER = regex(r"^(?P<who>[^\n:：]{1,60})[:：]\s+")


@dataclass(frozen=True, slots=True)
class Promise:
    """A promise as its sentence has it. `owner` None: whoever says it."""

    content: str
    owner: str | None
    strength: Strength
    condition: str | None


def read_promise(sentence: str) -> Promise:
    """The parts of a sentence that is known to promise something."""
    text = " ".join(sentence.split())
    condition, rest = _parted(text)
    if condition is not None:
        strength: Strength = "conditional"
    else:
        strength = "hedged" if _HEDGE.search(rest) else "firm"
    return Promise(_content(rest), _owner(rest), strength, condition)


def without_speaker(sentence: str, speaker: str | None) -> str:
    """A turn without the speaker's name at its head."""
    lead = _SPEAKER.match(sentence)
    known = speaker is not None and lead is not None and lead["who"].strip() == speaker.strip()
    return sentence[lead.end() :] if known and lead is not None else sentence


def _parted(text: str) -> tuple[str | None, str]:
    """The condition, if there is one, and what is promised."""
    for pattern in (_LEADING, _HAN_LEADING, _HAN_TRAILING, _TRAILING):
        if match := pattern.match(text):
            found = {name.rstrip("2345"): part for name, part in match.groupdict().items() if part}
            return found["if"].strip(), found["rest"].strip()
    return None, text


def _owner(text: str) -> str | None:
    """Who is named as the one who does it."""
    if (match := _DEBTOR.match(text)) and _WORD.split(match["who"])[0].casefold() not in _NO_NAME:
        return match["who"]
    if _HAN_FIRST.search(text[:14]):
        return None
    if named := _HAN_NAMED.match(text):
        return named["who"]
    if (han := _HAN_DEBTOR.match(text)) and not _NO_HAN_NAME.match(han["who"]):
        return han["who"]
    return None


def _content(text: str) -> str:
    """What is to be done, in the words it was said in."""
    match = _MODAL.search(text)
    kept = text[match.end() :] if match else text
    return kept.strip(" .。!！,，;；") or text
