"""English cues of what people say to one another: secrets, objections, decisions, promises, favours."""

from __future__ import annotations

from muniment.assertions.cues import cue
from muniment.assertions.cues_promise import NOT_MEANT
from muniment.domain.assertions import Kind

__all__ = ["ARRANGEMENT", "COMMITMENT", "DECISION", "OBJECTION", "PREFERENCE", "SENSITIVITY"]

# What is supposed, asked of somebody else, or only possible states nothing.
_SUPPOSED = (
    r"\b(?:if|would|could|might|maybe|perhaps|possibly|probably|hypothetically|suppose|imagine|whether"
    r"|unless)\b"
)
SENSITIVITY = (
    # "Don't mention it" is a courtesy; "don't share passwords" is a rule for everyone, not a secret.
    cue(
        Kind.SENSITIVITY,
        "mention share forward repeat discuss disclose circulate bring tell",
        r"\b(?:do not|don['’]t|never|not to|please avoid|avoid) (?:mention|share|forward|repeat|discuss"
        r"|disclose|circulate|bring|tell|mentioning|sharing|forwarding|discussing)\b"
        r"(?=.*\b(?:this|that|it|anyone|anybody|outside|them|him|her|the|their|yet|until|publicly)\b)",
        r"mention it[.!]?$|\b(?:i|we|they|you|people|who) (?:do not|don['’]t|never)\b|passwords?|credential"
        r"|secrets? |token|don['’]t (?:tell me|forget)|because\b|\b(?:says?|said) [\"“]",
    ),
    # Adverts speak of confidential computing, mail footers of what "may contain confidential" things.
    cue(
        Kind.SENSITIVITY,
        "confidential",
        r"\b(?:is|are|remains?|stays?|strictly|keep (?:this|it|that|these)|this|highly|still|marked"
        r"|treat (?:this|it) as|company|commercially|in strictest)(?: \w+ly| still| as| all)? confiden",
        r"\bnot (?:strictly )?confidential|no longer confidential|confidential computing|may (?:contain"
        r"|be)\b|intended (?:only|solely)|\bif\b|is not\b|isn['’]t",
    ),
    cue(
        Kind.SENSITIVITY,
        "between quiet private secret yourself internal record nda embargo embargoed distribution sensitive "
        "hush",
        r"\bkeep (?:this|it|that|these)(?: \w+)? (?:quiet|private|secret|internal|to yourself|to yourselves"
        r"|between us|under wraps|off)\b|\bbetween (?:us|you and me|ourselves)(?: (?:for now|only"
        "|please))?[.,!]?$"
        r"|\boff the record\b|\bunder (?:nda|embargo)\b|\bnot for (?:\w+ )?(?:distribution|circulation)\b"
        r"|\binternal only\b|\b(?:politically|commercially|very|a) sensitive (?:topic|subject|matter|issue"
        r"|point|with)\b|\b(?:is|are) (?:a )?(?:very |highly |politically "
        "|commercially )?sensitive (?:about|on|topic|subject|at the moment|for them|right now)",
        r"\b(?:case|time|cost|price|latency)[- ]sensitive|not (?:under|sensitive)|private (?:key|repo"
        "|method)",
    ),
)
OBJECTION = (
    # "Not too expensive", "no objection" and "we don't object" agree.
    cue(
        Kind.OBJECTION,
        "expensive pricey steep costly complicated risky slow long much",
        r"\b(?:too|way too|far too|simply too|prohibitively) (?:expensive|pricey|steep|costly|complicated"
        r"|risky|slow|long|much (?:money|work|risk|effort|for))\b",
        r"\b(?:not|n['’]t|never|isn['’]t|nothing) (?:\w+ )?(?:too|prohibitively)|\bif\b|\bwhen\b"
        r"|\bwithout\b|\btakes? too long|\bto avoid\b|\bbefore\b|\bor (?:is )?too\b|in case",
    ),
    cue(
        Kind.OBJECTION,
        "comfortable happy object objects objected objection objections oppose opposes opposed disagree "
        "disagrees disagreed convinced sign signing accept agree concern concerns concerned worried worry "
        "breaker against reservations unacceptable pushback",
        r"\b(?:not|n['’]t|un)(?: \w+)? ?(?:comfortable|happy|convinced) (?:with|about|that|signing|by)\b"
        r"|\b(?:i|we|they|legal|security|finance|procurement|customer|client|cfo|cto|ceo|team|board|vendor"
        "|buyer) (?:strongly |still |also )?(?:object|objects|objected|oppose|opposes|disagree|disagrees"
        r"|disagreed)\b"
        r"|\b(?:can ?not|can['’]t|won['’]t|unable to|refuse to|refused to|refuses to) (?:accept|agree"
        r"|sign|approve)\b"
        r"|\bdeal[- ]?breaker\b|\b(?:i am|i['’]m|we are|we['’]re|they are|they['’]re|is|are|still|was"
        r"|were) (?:\w+ )?(?:concerned|worried|opposed) (?:about|that|to)\b|\b(?:i|we|they|[a-z]+) (?:have"
        r"|has|had|raised|voiced) (?:\w+ )?(?:concerns|reservations|objections|an objection|a concern)\b"
        r"|\b(?:is|are|be) (?:simply )?unacceptable\b|\b(?:my|our|their|main|biggest) (?:concern"
        r"|objection) (?:is|was|remains)\b",
        r"\bagree more|no (?:objections?|concerns?|reservations?|longer)|not a deal|n['’]t (?:object"
        "|oppose|disagree"
        r"|worried|concerned)|not (?:worried|concerned|opposed|object)|\bif (?:you|anyone|anybody|they"
        r"|there|someone|not)\b|\bwould be unacceptable|who (?:object|disagree)|\bany (?:concerns"
        r"|objections)|\byou (?:have|had|are|were)\b|you['’]re|\bwhen\b",
    ),
)
DECISION = (
    # "Not decided", "before we decide" and "need to decide" have no outcome; "agreed-upon" is an adjective.
    cue(
        Kind.DECISION,
        "decided resolved opted settled chosen agreed concluded",
        r"\b(?:we|team|board|council|committee|group|leadership|management|they|it was|was|been|have|has|i"
        r"|everyone|both|all|parties|sides|[a-z]+) (?:\w+ly )?(?:all |both |finally |have "
        "|also )?(?:decided (?:to|on|that|against|not|we)|opted (?:to|for|not)|settled on|agreed (?:to"
        r"|that|on|we|not|with)|chosen (?:to|not|[a-z]+ (?:over|as|for)\b)|resolved to|resolved that"
        r"|concluded that we)\b",
        r"(?:\b(?:not|never|yet to|once|until|before|after|if|unless|when|whether|whoever|who|would have"
        r"|could have|had not|be|being|to be|is)|n['’]t) (?:(?!we\b|they\b|team\b|board\b"
        r"|everyone\b)\w+ ){0,3}(?:decided|agreed|settled|resolved|chose)\b|agreed to disagree|\b(?:is"
        r"|are|was|were) chosen|\bnobody|\bno one"
        r"|than we agreed|(?:that|which) were agreed|\byou have\b"
        r"|\byou (?:\w+ )?(?:decided|agreed|chose)\b|agreed[- ]upon|agreed on\b[^.]{0,40}\bbut\b"
        r"|\bnot (?:been )?(?:decided|agreed)|\bif\b|as (?:was )?agreed (?:on|to|with)|\bare agreed\b",
    ),
    cue(
        Kind.DECISION,
        "decision agreed decided verdict outcome call",
        r"^(?:\W*)(?:final call|(?:final )?(?:decision|agreed|decided|outcome|verdict"
        "|resolution))(?: made)?(?::| -"
        r"| —) ?\w+ \w+|\b(?:the|our|final|council['’]s|board['’]s) decision (?:is|was) (?:to|that|not to"
        r"|we)\b",
        r"\bif\b|decision (?:is|was) (?:still |yet |not )*(?:pending|open|due|needed|postponed|to be (?:made"
        "|taken))|agreed, (?:but|thanks|thank|yes|ok|good|that makes|sounds|i |and|let)",
    ),
    # "Let's go with the flow" decides nothing; "approved by" describes.
    cue(
        Kind.DECISION,
        "going go",
        r"\b(?:we['’]re|we are|we['’]ll be|i['’]m|let['’]s|we['’]ll|we will) (?:go|going) (?:with|for"
        r"|ahead with)\b",
        r"go with the flow|\bif\b|\bnot going|shall|\bwould\b|going for (?:a |lunch|coffee|drinks|dinner)"
        "|go for (?:a |it|lunch|coffee|drinks|dinner)|until",
    ),
    cue(
        Kind.DECISION,
        "approved rejected accepted signed",
        r"\b(?:board|council|committee|cfo|ceo|cto|management|leadership|team|legal|security|finance"
        r"|steering) (?:has |have |formally |unanimously )*(?:approved|rejected|accepted|signed off)\b"
        r"|^(?:approved|rejected|accepted): \w",
        r"\b(?:not|n['’]t|if|once|until|unless|when|whether|after|before) (?:\w+ ){0,4}(?:approved|rejected"
        r"|accepted|signed)|\bwould\b",
    ),
)
_UNMEANT = f"{_SUPPOSED}|{NOT_MEANT}"
# Stative verbs promise nothing ("I'll be honest", "we'll see"), nor does announcing what comes next.
_NO_PROMISE = (
    r"(?:be (?!there|ready|sending|done|done by|back)|see\b|have (?:had|been)\b|need|have to|have (?:a|an"
    r"|no|one|two|some"
    r"|more|time|access)\b|not\b|never|likely|probably|hopefully|maybe|miss|love|hate|admit|bet|assume"
    r"|guess|say\b|"
    r"also need|show|describe|explain|discuss"
    r"|cover(?! (?:\w+ ){0,3}(?:costs?|fees?|expenses|travel|shipping|charges?|difference|bill)\b)|talk"
    r"|walk|look at|learn|find (?:that|out)|always|ever"
    r"|then|want|know|notice|get (?:a|an|the|to|there|used|'em)\b|keep (?!you|ya|track|it|them|this|an eye"
    r"|everyone)|have fun|pass\b|go to bed|leave it|think|try not)"
)
COMMITMENT = (
    cue(
        Kind.COMMITMENT,
        "i'll we'll i’ll we’ll",
        r"\b(?:i|we)['’]ll (?:also |then |just |definitely |personally |make sure to "
        f"|make sure )?(?!{_NO_PROMISE})[a-z]{{2,}}",
        rf"{_UNMEANT}|\b(?:i|we)['’]ll (?:not|never)\b|hope|that (?:i|we)['’]ll|(?:i|we)['’]ll (?:kill"
        r"|be damned)|\bwhen (?:i|we)['’]ll|(?:think|doubt|guess|suppose|suspect|afraid"
        r"|worried) (?:that )?(?:i|we)['’]ll|\b(?:he|she|they) (?:said|says|thinks)",
    ),
    # Documents say "we will" of themselves and of rules; there it commits nobody.
    cue(
        Kind.COMMITMENT,
        "will",
        r"\b(?:i|we|our team|my team) will (?:also |then |just |definitely |personally "
        f"|make sure to )?(?!{_NO_PROMISE})[a-z]{{2,}}",
        rf"{_UNMEANT}|hope|(?:think|doubt|guess|suppose|suspect|afraid|worried) (?:i|we) will|\b(?:he|she"
        rf"|they) (?:said|says|thinks)|\bwhen\b|that (?:i"
        r"|we) will\b|as (?:i|we) will|how (?:i|we) will|in this (?:guide|section|document|page|pep)",
    ),
    cue(
        Kind.COMMITMENT,
        "will",
        r"^(?:action(?: item)?: ?)?[a-z]{3,15}(?: and [a-z]{3,15})? will (?!be\b|not\b|need|go up|double"
        r"|triple|rise"
        r"|fall|increase|decrease|drop"
        r"|expire|happen|remain|become|cost|last"
        r"|have)[a-z]{2,}\b.*\b(?:by|before|until|within|no later|on|this|next|tomorrow|today|tonight"
        r"|end of)\b",
        rf"{_UNMEANT}|^(?:you|it|this|that|there|they|he|she|who|everyone|nobody|users?|employees"
        "|customers|which|what|these|those|people|python|managers?|candidates|applicants|staff|members"
        "|supervisors|hopefully|hiring|teams?) ",
    ),
    cue(
        Kind.COMMITMENT,
        "promise commit commits committed going can action guarantee",
        r"\b(?:i|we) (?:promise|commit|guarantee)(?:d)? to\b|\b(?:our|my) team commits to\b"
        r"|\b(?:i|we) promise (?:you|that|a|the|we|i)\b|\b(?:i|we) guarantee (?!nothing\b|no\b)[\w\d]"
        r"|\b(?:i am|i['’]m|we are|we['’]re) (?:committed to (?:deliver|keep|provid|maintain|support"
        r"|honou?r|complet|replac|refund|fix)|committing to"
        r"|going to (?!be|need|have|see|die|miss|say|assume|show|go)[a-z]+)|\b(?:i|we) can (?:have|get|send"
        r"|deliver|finish|ship|share|turn|fix|do)\b.*\b(?:by|before|within|overnight|tonight|tomorrow"
        r"|today)\b|\b(?:i|we) can commit to\b|^action(?: item)?: ?\w+",
        rf"{_UNMEANT}|\bnot (?:going|committ)|n['’]t (?:going|promise|guarantee|commit)|can(?:not"
        "|['’]t) (?:promise|guarantee|commit)",
    ),
)
ARRANGEMENT = (
    # Programs raise exceptions, and rules come "without exception"; "let them know" lets nobody do anything.
    cue(
        Kind.ARRANGEMENT,
        "standing arrangement exception waived waive grandfathered informally understanding let lets allow "
        "allows handshake side special",
        r"\bstanding (?:agreement|arrangement|exception|order|approval)\b|\b(?:special|informal|side"
        r"|handshake|existing|long-standing) (?:arrangement|agreement|deal|understanding)s?\b|\b(?:as"
        "|by way of|made|make|granted|get|have|has|with|got) (?:an|a one[- ](?:off|time)|a standing"
        r"|a special|a permanent) exception\b|\b(?:we|they|finance|legal|support|sales|billing"
        "|management) (?:always |still |usually |informally )?(?:lets?|allows?) (?:them|him|her|acme"
        r"|[a-z]+) (?!know|go\b|down|us|me|be\b|have it)(?:\w+ )*(?:pay|skip|use|expense|submit|keep|bypass"
        r"|roll|book|work|send|stay|bill|share|defer|return)\w*|\bwe (?:always |usually "
        r"|have )*waived? (?:the|their|all|that)\b|\b(?:is|are|was|were) grandfathered\b"
        r"|\bwe have an understanding\b",
        "raise|throw|catch|unhandled|runtime|traceback|without exception|exception (?:handling|class|type"
        r"|hierarchy|object|instance)|\bno (?:special|standing|longer|side)|\bif\b|\bwould\b|let (?:them"
        "|him|her) know|never (?:let|allow)|n['’]t (?:let|allow)",
    ),
)
PREFERENCE = (
    # "If you prefer", "whichever you prefer" offer a choice; preferred stock is a security.
    cue(
        Kind.PREFERENCE,
        "prefer prefers preferred rather favourite favorite preference",
        r"\b(?:i|we|they|he|she|customer|client|team|[a-z]+) (?:much |really |strongly |generally |would "
        r"|usually |always |all |still )*prefers?\b|\b(?:i['’]d|we['’]d|they['’]d|i would|we would"
        r"|they would|would) (?:much )?rather\b|\bpreferred (?:\w+ ){1,3}(?:is|are|:)|\b(?:my|our|their|his"
        r"|her|[a-z]+['’]s) (?:strong |personal |clear )?(?:preference|favou?rite)(?: \w+)? (?:is|would be"
        r"|goes)\b|\b(?:has|have|had) a (?:\w+ )?preference for\b",
        r"\b(?:if|whichever|whatever|whether|as|however|unless|or|wherever|when|which|what|how"
        r"|who)(?: \w+)? (?:you|they|someone|your|one|people|the \w+|it) (?:would |\w+ )?(?:prefer|rather)"
        r"|preferred (?:stock|shares)|\bif you\b|\b(?:some|many) (?:people|folks)\b|\bmight\b"
        "|no (?:strong |particular )?preference|do (?:you|they|we)"
        "|n['’]t prefer",
    ),
)
