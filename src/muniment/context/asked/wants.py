"""What kind of thing a question wants: a time, a number, a person, a promise, everything, the latest.

Read from its words alone, in English and Chinese. It decides what evidence is looked for first, never what is
held back: a question that is read wrongly still finds what its words find.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from muniment.domain.han import simplified
from muniment.domain.regex import regex

__all__ = ["Want", "wants"]

Want = Literal[
    "when", "number", "who", "promise", "decision", "policy", "order", "list", "summary",
    "latest", "earliest",
]  # fmt: skip
_LONGEST = 8_000  # characters that are read

_AUXILIARY = (
    r"(?:did|do|does|is|was|were|are|will|would|has|have|had|can|could|should|shall|must|may|might|['’]s)"
)
# Where a question word asks rather than joins: "the person who", "when it rains".
_ASKS = (
    r"(?:\A|(?<=[.?!;:,，。？！；：\n] )|(?<=[.?!;:，。？！；：\n(\"“])|(?<=\band )|(?<=\bor )|(?<=\bbut )"
    r"|(?<=\bknow )"
    r"|(?<=\btell me )|(?<=\bremember )|(?<=\bsay )|(?<=\bsince )|(?<=\buntil )|(?<=\bby )|(?<=\bof )"
    r"|(?<=\bto )"
    r"|(?<=\bwith )|(?<=\bfrom )|(?<=\bfor )|(?<=\bcheck )|(?<=\bsure )|(?<=\bask )|(?<=\bfind out )"
    r"|(?<=\bso ))"
)
_PLURAL = (
    r"(?!(?:was|is|does|has|this|its|news|series|thus|always|perhaps|sales)\b)[a-z-]{2,20}(?<![su])(?<!i)s"
)
_MEASURE = (
    r"(?:amount|number|price|cost|total|percentage|percent|rate|fee|budget|share|limit|cap|threshold|quota"
    r"|age|size"
    r"|count|fraction|ratio|salary|discount|revenue|distance|weight|height|temperature|average|deductible"
    r"|premium"
    r"|balance|margin|headcount|score|version)"
)
_ENGLISH: Mapping[Want, str] = {
    "when": (
        rf"(?=when){_ASKS}when {_AUXILIARY}\b|(?=when){_ASKS}when['’](?:s|d|re)\b|\b(?:know|tell me"
        rf"|remember|say|sure|confirm|check) when\b"
        r"|(?:by|since|until|till) when\b|\bwhen(?: exactly)?\s*\?"
        r"|\b(?:what|which) (?:exact |specific )?(?:time|date|day|month|year|week|quarter)\b(?! (?:zone"
        r"|sheet|of the))"
        r"|\b(?:due date|deadline|how long ago|expir(?:y|es|ation) date)\b"
    ),
    "number": (
        r"\bhow (?:much|many|long(?! ago)|often|old|far|large|big|high|fast|tall|deep|heavy|wide)\b"
        r"|\bhow (?:expensive|frequently)\b"
        rf"|\b(?:what|which)(?:['’]s| is| was| are| were| will| would)?(?: the| our| my| his| her"
        rf"| their)?(?: [\w-]+){{0,3}} {_MEASURE}s?\b"
    ),
    "who": (
        rf"(?=who){_ASKS}who(?:m|se|['’]s)?\b(?! (?:says|knew)\b)"
        r"|\bwhich (?:person|people|team|department|colleague|engineer|manager|customer|client|vendor"
        r"|supplier|employee)s?\b"
        r"|\bwhose\b(?=.*\?)"
    ),
    "promise": (
        r"\bpromis(?:e|es|ed|ing)\b(?!\.)|\bcommit(?:s|ted|ting)? (?:ourselves|us\b|myself"
        r"|to\b(?! (?:the )?(?:main|master|repo|branch|git)\b))"
        r"|\bcommitments?\b|\bpledg(?:e|es|ed)\b|\bagreed? to (?!disagree\b)|\bundert(?:ake|ook|aking)\b"
        r"|\bow(?:e|es|ed) (?!to\b)"
        r"|\baction items?\b|\bto-?dos?\b(?! app)|\bfollow-?ups?\b|\bsupposed to (?:do|deliver|send|finish"
        r"|call|get)\b|\bon the hook\b"
        r"|\bdeliverables?\b|\bsigned? up to\b|\bgave (?:\w+ ){1,3}word\b|\bvow(?:s|ed)?\b"
    ),
    "decision": (
        r"\bdeci(?:de|des|ded|ding|sions?)\b|\b(?:choose|chose|chosen|chooses)\b|\bagree[ds]? (?:on|upon)\b"
        r"|\bsettled? (?:on|for)\b"
        r"|\bconclu(?:ded?|sions?)\b|\bapprov(?:e|ed|al)\b(?=.*\b(?:was|were|did|who|is|by|board|budget)\b)"
        r"|\bsign(?:ed)? off\b"
        r"|\bverdict\b|\bgo(?:ne|ing)? with\b|\bwent with\b|\bpicked\b|\bopt(?:ed|s)? (?:for|to)\b"
        r"|\bruled (?!out)\b|\bresolution\b"
    ),
    "policy": (
        r"\bpolic(?:y|ies)\b|\b(?:rules?|guidelines?|regulations?|procedures?"
        r"|requirements?)\b(?<!as a rule)(?<!rule of thumb)(?! out)"
        r"|\b(?:allowed|permitted|eligib(?:le|ility)|entitle(?:d|ment)|forbidden|prohibited|mandatory"
        r"|compulsory|required)\b"
        rf"|(?=[mcs][auoh]){_ASKS}(?:may|can|must|could|should) (?:i|we|you|one|employees?|staff"
        rf"|contractors?|managers?|anyone|interns?)\b(?! (?:help|tell|show|give|remind|list|summar))"
        r"|\bneeds? (?:an? )?(?:approval|permission|sign-?off)\b|\bdo (?:i|we|they|employees) (?:have"
        r"|need) to\b|\bcompl(?:y|iance)\b"
    ),
    "order": (
        r"\b(?:in|what|which) (?:what |which |the )?(?:chronological |right |correct )?order\b(?! to\b)"
        r"|\border (?:of|in which)\b|\btime-?line\b"
        r"|\bchronolog\w*\b|\bsequence of\b|\b(?:happened|came|comes|started|finished|ended|was \w+"
        r"|were \w+|did) (?:first|earlier|later|last)\b"
        r"|\bfirst\b.{2,80}\bthen\b|\bbefore or after\b|\b(?:earlier|sooner|later|first),? .{2,80}\bor\b"
        r"|\bstep[ -]by[ -]step\b"
        r"|\b(?:evol(?:ve|ved|ution)|progress(?:ed|ion)|chang(?:e|ed|es)|develop(?:ed)?) (?:over|through"
        r"|since|across|during)\b"
        r"|\bhappened (?:after|before|next)\b|\bhow\b.{2,80}\b(?:evolve|progress)(?:d|ed)?\b"
    ),
    "list": (
        r"(?<!at )(?<!after )(?<!for )(?<!of )\ball\b(?![- ]hands\b| right\b| good\b| day\b| the time\b"
        r"| over\b)|\b(?:both|every(?:thing|one|body)?|each)\b(?! other\b| day\b)"
        r"|\blist(?:s|ed)?\b(?! price)|\benumerate\b|\bwhich ones\b|\bwhat (?:kinds|types|sorts) of\b"
        r"|\bwhat (?:else|all)\b|\bname (?:the|three|two|some|all|\d)\b"
        rf"|\b(?:what|which)(?: [a-z-]+){{0,2}} {_PLURAL} (?:are|were|have|has|had|did|do|does|can|could"
        rf"|should|will|need|must|is|was|that|at|in|of|for|on|to|from|\w+ed)\b"
        r"|\b(?:what|which) (?:are|were) (?:all |some )?(?:the|our|my|his|her|their"
        r"|\w+['’]s)? ?(?:[a-z-]+ ){0,3}?" + _PLURAL + r"\b"
    ),
    "summary": (
        r"\bsummar(?:y|ies|i[sz]e[ds]?|i[sz]ing|i[sz]ation)\b|\boverview\b|\brecap\b|\btl;?dr\b|\bgist\b"
        r"|\b(?:main|key) (?:\w+ )?(?:points?|takeaways?)\b"
        r"|\bcatch me up\b|\bup to speed\b|\bhighlights\b|\bwalk me through\b|\bin a nutshell\b"
        r"|\b(?:in short|briefly)\b"
        r"|\bhow did (?:the |our |my )?[\w -]{2,40} go\b|\bwhat happened (?:in|at|during|with)\b"
        r"|\bdigest of\b"
    ),
    "latest": (
        r"\bcurrent(?:ly)?\b|\b(?:right )?now\b(?! that\b)|\b(?:latest|newest|most recent(?:ly)?"
        r"|up[- ]to[- ]date)\b|\bstill\b|\bas of (?:now|today)\b"
        r"|\bthese days\b|\bat (?:the moment|present)\b|\banymore\b|\bnowadays\b|\bpresently\b|\bstatus\b"
        r"|\btoday['’]s\b"
        r"|\b(?:the|my|our|his|her|their|your|its|['’]s) (?:very )?last (?!name\b|resort\b|minute\b|mile\b"
        r"|week|month|year|quarter|night|few\b|two\b|three\b|\d|spring|summer|autumn|winter|couple\b)\w+"
        r"|\bhow\b.{2,40}\bgoing\b"
    ),
    "earliest": (
        r"\b(?:earliest|oldest|original(?:ly)?|initial(?:ly)?|at first|to begin with|in the beginning)\b"
        r"|\bfirst\b(?! (?:name|aid|class|floor|half|quarter|of all|line|responder|principles|week|party"
        r"|place|thing|and foremost|language)\b)(?!-)"
    ),
}  # fmt: skip
_CHINESE: Mapping[Want, str] = {
    "when": (
        r"什么时候|啥时候|何时|几时|哪[一]?[天日年]|哪个月|几[号月点](?!钟头)|什么(?:时间|日期)"
        r"|[哪多]久(?:以前|之前)|截止(?:日期|时间)|(?<!持续)(?<!所需)(?<!占用)时间是(?:什么|多少|几)"
        r"|生日是|到期日"
    ),
    "number": (
        r"多少|几(?:个|次|天|位|名|岁|年|周|小时|分钟|人|台|件|份|项|家|万|百|千|倍|成|折|元|块|条|种|轮|页"
        r"|层|米|公里)(?!月份|来)|多(?:长|久(?!以前|之前)|大|高|远|重|宽|快)"
        r"|百分之几|(?:比例|金额|总额|价格|单价|费用|预算|上限|下限|限额|额度|薪资|工资|单位价|数量|人数"
        r"|年龄|身高|规模|折扣|利率|税率)(?:(?:是|为|有)(?:多|什么|几|啥)|呢|各|分别)|(?:持续"
        r"|所需)时间是"
    ),
    "who": r"谁|哪位|哪个(?:人|同事|部门|团队|小组|客户|供应商|经理|员工)|什么人|哪些(?:人|同事|员工|客户)"
        r"|负责人是|由哪",
    "promise": r"承诺|答应|许诺|应允|保证(?!金|书|人)(?<!质量保证)|待办|行动项|跟进(?:事项|项)|欠(?!费|佳"
        r"|缺)|说好|约定(?:要|好)|打包票",
    "decision": r"决定|决议|拍板|敲定|定下|定了|结论|选定|选用|选了|选择了|批准了|商定|议定|裁定|最终方案"
        r"|达成(?:一致|共识)",
    "policy": (
        r"政策|规定|制度|规则|条例|(?:管理|实施|暂行)办法|流程|允许|可不可以|能不能|是否(?:可以|能|需要"
        r"|必须|允许)|可以.{0,20}吗|能.{0,20}报销|必须"
        r"|需要.{0,12}(?:批准|审批|同意)|要求(?!我)|禁止|不得|准许|资格|标准|合规|按规"
    ),
    "order": (
        r"先后|顺序|次序|时间线|时间轴|依次|先.{1,30}(?:后|再|然后)|来龙去脉|事情经过|经过(?:是|如何)"
        r"|哪[个一].{0,12}[先早晚后](?!生)|谁.{0,8}(?:先|在前|更早|更晚|在后)"
        r"|早于|晚于|演变|变化过程|进展过程|发展过程|按时间|之后(?:又|还)?发生|接下来发生|还是先"
    ),
    "list": r"哪些|所有(?!权|制|者)|全部(?!门)|列出|列举|列一下|清单|都有(?:什么|谁|哪)|都(?:说|做|答应"
        r"|承诺|提)(?:过|了)?(?:什么|哪)|每[个一位项]|分别|各(?:个|自|是)|有哪|还有什么|一一|几个",
    "summary": r"总结(?!果)|概述|概括|归纳|小结|综述|梳理|概况|大致|要点|回顾|简述|摘要|整体情况|总体情况"
        r"|一句话|简单(?:说|讲|介绍)|讲讲|说说",
    "latest": r"最新|目前|当前|现在|现行|如今|眼下|最近一[次回版]|上一?次|最后一[次回版]|现任|还(?:在"
        r"|是不是|有没有)|仍然?|是否仍|进展(?:如何|怎么样)|到哪[一]?步",
    "earliest": r"最早|最初|第一[次个位回版](?!季度|月)|首[次个位](?!付)|最开始|起初|一开始|原先"
        r"|原来(?!如此)|最先|刚开始",
}  # fmt: skip
# What looks like a want and is none, taken out first.
_NOT_MEANT = regex(
    r"\b(?:purchase|sales|work|court|pre-?)[ -]?orders?\b|\bin order to\b|\bout of order\b"
    r"|\border (?:number|id|form|confirmation)s?\b"
    r"|\b(?:git|pre-?)[ -]commits?\b|\bcommit (?:hash|message|id|history|sha)\w*\b|\bpromise\.\w+"
    r"|\ba number of\b|\bas a rule\b|\brules? of thumb\b"
    r"|\bphone numbers?\b|\bat first glance\b|\bfirst come\b|\bto-?do app\b|\bdecision tree\b"
    r"|\bpolicy ?makers?\b|订单|先生|首先|原来如此|所有权|质量保证"
)
_READINGS = tuple((want, regex(english), regex(_CHINESE[want])) for want, english in _ENGLISH.items())
_LETTERS = regex("[a-z]{3}")
_HAN = regex("[\u4e00-\u9fff]")


def wants(text: str) -> frozenset[Want]:
    """Every kind of thing that the question asks for; often none, sometimes several."""
    read = _NOT_MEANT.sub("_", simplified(text[:_LONGEST].lower())).strip()
    latin, han = _LETTERS.search(read), _HAN.search(read)
    return frozenset(
        want
        for want, english, chinese in _READINGS
        if (latin and english.search(read)) or (han and chinese.search(read))
    )
