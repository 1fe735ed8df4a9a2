"""Cues of promises that are not plain: on a condition, hedged, by somebody named, and most Chinese ones."""

from __future__ import annotations

from muniment.assertions.cues import cue
from muniment.domain.assertions import Kind

__all__ = ["ENGLISH", "HAN", "NAMED_HAN", "NOT_MEANT", "NOT_MEANT_HAN"]

# What somebody else said, in quotation marks, and what nobody means.
NOT_MEANT = (
    r"[\"“][^\"”]{0,200}\b(?:i|we)(?:['’]ll| will)\b|\b(?:eat my hat|pigs (?:will|might|can) fly|hell freezes"
    r"|grow wings|next life|over my dead body|when i['’]m dead|yeah,? right|oh great|in your dreams"
    r"|as if\b|shall i\W*$|no way)\b|['’]ll (?:just )?have (?:the|a) \w+,? (?:thanks|please)"
    r"|cross that bridge|\b(?:surely|certainly|obviously|no doubt) (?:miss|fail|lose|regret|break)\b"
    r"|\bwill be (?:out|away|off|on holiday|on leave|late)\b"
)
NOT_MEANT_HAN = "才怪|呵呵|太阳从西|下辈子|[摘上天][^，。]{0,4}(?:太阳|星星|月亮)|做梦"
_WHEN = (
    r"\b(?:by|before|this|next|tomorrow|today|tonight|monday|tuesday|wednesday|thursday|friday|in"
    r"|within|until|spring|summer|autumn|winter|quarter|soon)\b|\byou\b"
)
_STATIVE = (
    r"(?:be|have|need|know|see|miss|say|think|want|like|love|find|hear|meet|go|come|stay|live|learn|remember"
    r"|understand|survive)\b"
)
_HAVE_DONE = (
    r"have (?=.{2,80}\b(?:done|ready|live|finished|completed?|sorted|fixed|over|out|with you|to you|back)\b)"
)
_CHATTER = (
    r"\bif (?:i|we) (?:have|get|find|had) (?:the )?time\b|\bif possible\b|\bwould\b"
    r"|\bwere to\b|\bhad\b"
)
_NOT_SURE = r"\b(?:if|would|could|might|maybe|perhaps|probably|whether|unless)\b"
# What begins a sentence and is nobody who could promise.
_NOBODY = (
    r"^(?:the|your|our|my|their|his|her|its|a|an|this|that|these|those|every|each|all|some|any|no|new|and"
    r"|but|so|then|if|when|once|as|in|on|at|by|for|with|it|there|what|who|which|i|we|you|he|she|they"
    r"|somebody|someone|nobody|everyone|users|customers|employees|people|please|hopefully|maybe)\b"
)
_HANDING = (
    r"(?:sending|shipping|mailing|e-?mailing|forwarding|delivering|adding|refunding|crediting|waiving"
    r"|uploading"
    r"|sharing"
    r"|deploying|drafting|issuing|replacing|extending|returning|wiring|transferring)"
)
_ASSIGNED = (
    r"(?:send|share|update|prepare|provide|review|confirm|circulate|schedule|draft|deliver|check|fix"
    r"|finali[sz]e|complete"
    r"|submit|follow|arrange|set|book|write|create|raise|report|upload|publish|present|test|sign|chase"
    r"|contact|call|email"
    r"|investigate|resolve|ship|refund|collect|add|remove|ensure|organi[sz]e|document|migrate|deploy"
    r"|approve|propose)"
)
_IF = (
    r"(?:if|once|unless|as soon as|provided(?: that)?|providing|assuming(?: that)?|subject to|as long as"
    r"|on condition that|when|only if)"
)
_DUE = (
    r"\b(?:by|before|within|no later than|until|end of|tomorrow|today|tonight|(?:next|this) (?:week|month"
    r"|quarter"
    r"|afternoon|evening|morning|monday|tuesday|wednesday|thursday|friday))\b"
)
_SUBJECT = r"\b(?:i|we|our team|my team)"
_WILL = (
    r"(?:['’]ll| will| shall) (?:also |then |gladly |of course )?"
    r"(?!see\b|be\b|need|have to|know|never)[a-z]{2,}"
)
ENGLISH = (
    cue(
        Kind.COMMITMENT,
        "if once unless soon provided providing assuming subject long condition when",
        rf"^\W*(?:then |but |and |so |ok |sure )?{_IF} [^,;]{{2,160}}, "
        rf"(?:then )?(?:i|we|our team|my team){_WILL}"
        rf"|{_SUBJECT}{_WILL}[^;]{{2,160}}?,? {_IF} \w+",
        rf"{NOT_MEANT}|{_CHATTER}|\bwhen (?:i|we)['’]ll|\b(?:he|she|they) (?:said|says|thinks)|what if"
        r"|\bwhen we come\b",
    ),
    cue(
        Kind.COMMITMENT,
        "hope hoping hopefully expect expecting intend intending plan planning aim aiming try trying should "
        "might could probably likely think look see goal target intention",
        # Anchored, or each place would be tried from each other.
        rf"^(?=.*(?:{_WHEN})).*?(?:{_SUBJECT}(?: am| are|['’]m|['’]re)? (?:hope|hoping|expect"
        rf"|expecting|intend|intending|plan|planning|aim|aiming|try|trying) to (?:{_HAVE_DONE}"
        rf"|(?!{_STATIVE})[a-z]{{2,}})"
        rf"|{_SUBJECT} should have (?:a|an|the|your|it|this|that)\b(?=.*{_DUE})"
        rf"|{_SUBJECT} (?:should|might) be able to (?!{_STATIVE})[a-z]{{2,}}"
        rf"|{_SUBJECT}(?: will|['’]ll) (?:probably|likely|try to|see (?:if|what|whether))"
        r" (?!be |need|miss|know)[a-z]{2,}"
        rf"|\b(?:my|our) (?:plan|goal|aim|intention|target) is to (?:{_HAVE_DONE}|(?!{_STATIVE})[a-z]{{2,}})"
        rf"|{_SUBJECT} could probably [a-z]{{2,}}|think (?:i|we) can (?!{_STATIVE})[a-z]{{2,}})",
        rf"{NOT_MEANT}|\bwould\b|n['’]t\b|\bnot\b|\bnever\b|\b(?:he|she|they) (?:said|says|hope)",
    ),
    cue(
        Kind.COMMITMENT,
        "shall owe undertake you'll you’ll will consider",
        r"\b(?:i|we) shall (?!see|be|need|overcome)[a-z]{2,}|\b(?:i|we) owe you\b|\b(?:i|we) undertake to\b"
        r"|\byou(?:['’]ll| will) (?:have|get|receive|hear)\b[^.;]{0,80}\bfrom (?:me|us|my|our)\b"
        r"|\b(?:i|we)(?:['’]ll| will) not (?:raise|increase|charge|sell|share|change|renew|bill|invoice)\b"
        r"|\b(?:i|we)(?:['’]ll| will) have (?:a|an|the|your) (?:fix|patch|answer|draft|version|quote|proposal"
        r"|solution|decision)\b|\b(?:i|we)(?:['’]ll| will) show you\b.*\b(?:next|tomorrow|on|this)\b",
        rf"{NOT_MEANT}|\bif\b|\bwould\b|\b(?:he|she|they) (?:said|says)",
    ),
    cue(
        Kind.COMMITMENT,
        "word pledge won't won’t prepared and be count rely leave agreed let will you'll you’ll "
        "on expect hook promised",
        # What is given by a set phrase, offered to be sent at once, or handed over by a day.
        r"\byou have (?:my|our) word\b|\b(?:i|we) pledge\b|\b(?:i|we) (?:won['’]t|will not) (?:charge"
        r"|bill|invoice|raise|increase|share"
        r"|sell)\b|^[a-z]+ and i will (?!be\b|not\b|see\b|never\b)[a-z]{3,}|\b(?:i['’]m|we['’]re|i am"
        r"|we are) prepared to [a-z]{3,}"
        rf"|\b(?:i|we)(?:['’]ll| will) be [a-z]+ing (?:you|your|the|it|a|this|that|back|in"
        rf"|over)\b(?=.*(?:{_DUE}|\bat \d))"
        rf"|\bleave (?:it|that|this|the [^,;.]{{2,40}}) (?:with|to) (?:me|us)\b"
        r"|\b(?:count|rely|depend) on (?:me|us)\b"
        rf"|\b(?:i|we)(?:['’]ve| have)? agreed to (?!disagree|meet|not\b)(?=.*{_DUE})[a-z]{{3,}}"
        r"|^\W*(?:(?:ok|okay|sure|yes|absolutely)\W+)?let me (?:send|share|forward|email|e-mail|get you|draft"
        r"|put together|write up|set up|book|prepare|fix) \w"
        rf"|\byou(?:['’]ll| will) (?:have|get|receive)\b(?=.*{_DUE})[^;]{{2,}}"
        rf"|^\W*(?:you can )?expect (?=.{{3,}}\bfrom (?:me|us)\b)(?=.*{_DUE})|\b(?:i['’]m|we['’]re|i am"
        rf"|we are) on the hook\b"
        rf"|\b(?:i|we)(?:['’]ve| have) promised (?!not\b|myself\b)(?=.*{_DUE})\w"
        r"|^\W*(?:(?:ok|okay|sure|yes)\W+)?(?:will do|on it)\b\W+(?:i['’]m )?[a-z]{2,}ing\b",
        rf"{NOT_MEANT}|\b(?:if|unless|would|could|might|maybe|perhaps|when|whenever|whether)\b"
        rf"|(?<!wo)n['’]t\b"
        r"|\bnever\b|(?<!will )\bnot\b|\b(?:he|she|they) (?:said|says|agreed)|let me (?:know|see|think"
        r"|get back)"
        r"|\?\W*$",
    ),
    cue(
        Kind.COMMITMENT,
        "i'm we're i’m we’re am are",
        rf"\b(?:i['’]m|i am|we['’]re|we are) (?:now |also |just )?{_HANDING}\b(?=.*(?:{_DUE}|\bnow\b"
        rf"|\bright away\b|\bacross\b))",
        rf"{NOT_MEANT}|\b(?:if|unless|would|might|maybe|when|whether|while|because|not|why)\b|n['’]t\b"
        rf"|\?\W*$",
    ),
    cue(
        Kind.COMMITMENT,
        "going",
        rf"^[a-z][\w’'.-]{{1,15}}(?: [a-z][\w’'.-]{{1,15}})? (?:is|are) going to (?!{_STATIVE}|not\b|rise"
        rf"|fall|drop|happen)"
        rf"[a-z]{{2,}}\b(?=.*(?:{_DUE}|\bon\b))",
        rf"{NOT_MEANT}|{_NOT_SURE}|{_NOBODY}",
    ),
    cue(
        Kind.COMMITMENT,
        "agreed promised committed offered volunteered",
        rf"^[a-z][\w’'.-]{{1,15}}(?: [a-z][\w’'.-]{{1,15}})?(?: has| have)? (?:agreed|promised|committed"
        rf"|offered|volunteered) to "
        rf"(?!{_STATIVE}|disagree|not\b)[a-z]{{2,}}\b(?=.*{_DUE})",
        rf"{NOT_MEANT}|{_NOT_SURE}|{_NOBODY}|\bbut\b|\bnever\b|\blast (?:week|month|year)\b|\?\W*$",
    ),
    cue(
        Kind.COMMITMENT,
        "to",
        # As minutes have it: "Tom to send the wireframes by 3 May".
        rf"^(?:action(?: item)?s?: ?|[-*•] ?)?[a-z][\w’'.-]{{1,15}}(?: (?:and|&) [a-z][\w’'.-]{{1,15}}"
        rf"| [a-z][\w’'.-]{{1,15}})?"
        rf" to {_ASSIGNED}\b(?=.*\b(?:by|before|until|within)\b)",
        rf"{NOT_MEANT}|{_NOT_SURE}|^\W*(?:remember|need|needs|want|wants|try|have|has|had|got|time|ready"
        rf"|happy|glad|able"
        r"|unable|hope|hoping|plan|planning|ask|asked|forget|how|when|where|what|who|which|used|due"
        r"|in order|nothing"
        rf"|something|easy|hard|make sure|sure|order|going|like|love|supposed|free|tell|remind"
        r"|get|help|allow|invite|urge|expect|force|teach|reply|respond|refer|prior|according|thanks"
        r"|subject|related|next"
        rf"|back|up|close|down|way|chance|reason|goal|aim|request|deadline|let|please)\b|{_NOBODY}|\?\W*$",
    ),
    cue(
        Kind.COMMITMENT,
        "team counsel lawyer lawyers engineer engineers manager accountant colleague director staff group "
        "department",
        rf"^(?:our|the|my) (?:[\w’'.-]+ ){{0,2}}(?:team|counsel|lawyers?|engineers?|manager|accountant"
        rf"|colleague|director"
        r"|staff|group|department) (?:will|shall|is going to) (?!{_STATIVE}|not\b"
        rf"|never\b)[a-z]{{2,}}\b(?=.*{_DUE})",
        rf"{NOT_MEANT}|{_NOT_SURE}|\?\W*$",
    ),
    cue(
        Kind.COMMITMENT,
        "shall",
        rf"^[a-z][\w’'.&-]{{1,20}}(?: [a-z][\w’'.&-]{{1,20}})?,? shall (?!not\b|be\b|mean|apply|have"
        rf"|include|remain)"
        rf"(?=.*{_DUE})[a-z]{{3,}}",
        rf"{NOT_MEANT}|^(?:the|this|that|these|those|such|any|all|each|every|no|it|they|he|she|i|we|you"
        rf"|nothing"
        r"|nobody|users?|employees|staff|members|parties|either|neither|both|customers?|where|what|when"
        r"|how) ",
    ),
    cue(
        Kind.COMMITMENT,
        "will",
        r"^[a-z][\w’'.-]{1,15} [a-z][\w’'.-]{1,15} will (?!be\b|not\b|need|have|go |double|triple|rise|fall"
        r"|increase|drop|contain|happen|see\b)[a-z]{2,}\b.*\b(?:by|before|until|on|this|next|tomorrow"
        r"|today|tonight)\b",
        rf"{NOT_MEANT}|{_NOT_SURE}|{_NOBODY}",
    ),
)

_DAY = (
    r"(?:[今明后]天|[今明]晚|[今明]早|本周|这周|这个?月|下个?月|下?周[一二三四五六日天末]|星期[一二三四五六日]|月底|月中"
    r"|月初|年底|季度末|下班前|下午|上午|\d{1,2}月|[一二三四五六七八九十]月|\d{1,2}[日号]|以后|之前|以前|下一?个?版本"
    r"|前(?!端|台|面|提|后|年|天)|[\d一二两三四五六七八九十](?:个)?(?:天|小时|周|月|工作日)|尽快|马上|立刻|这就|晚点|稍后|回头|一会儿?|待会)"
)
_ACT = (
    r"(?:发|给|寄|交(?!流|情)|提供|完成|上线|开通|安排|派|退|付|签|写|补|改|修|整理|更新|跟进|确认|核对|起草|配|送|免|减"
    r"|承担|排(?!队|名|除|斥)|汇(?!报|总)|打款|赔|启动|实施|进场|报销|扩容|返工|包(?:换|退|修|邮|赔)|保留|延长|部署|搭|迁移|做|负责|答复|回复|反映|对接|带|换"
    r"|处理|返回|拿出"
    r"|出具|准备|导|走完|升级|调|退还|查|响应"
    r"|兑现|报|拜访|对一|支持|接入|开发|实现|推出|发布)"
)
_US = r"(?:我们?|我方|我司|本人|咱们)(?:这边)?"
_SURNAMES = (
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴"
    "夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文"
)
NAMED_HAN = (
    rf"(?:[{_SURNAMES}][\u4e00-\u9fff]{{1,2}}?|(?:法务|财务|采购|研发|运维|商务|售后|客服|技术|运营|人事|行政|仓库|物流|产品|测试)"
    r"(?:部门?|团队|同事|这边|那边)?"
    r"|[\u4e00-\u9fff]{2,6}(?:物流|公司|集团|保险|银行|科技))"
)
_NOT_YET = (
    r"(?:保证|承诺|答应)过|以前|曾经?|(?:让|叫|要求?|催)我|"
    r"不(?!收费|涨|超过|另收|少于|再收)|没|未|已经?|上个?[周月]|昨|去年|刚|[了过][。！!]?$|过的|需要|觉得|认为|赌|以为"
    r"|听说|据说|是否|要不要|能不能|[吗？?]$|说他|写着|写的|写明|说[“\"]|麻烦|请|记得|你应|想要?(?!办法)|希望|就好了"
    r"|(?:我|我们)[^，。]{0,4}(?:休假|请假|调休|出差|放假|值班|在家办公|开会|不在)"
    r"|我[^，。]{0,6}去[^，。]{0,8}(?:参加|开会|出差|旅游|培训|面试)"
    r"|我[^，。]{0,6}去[^，。]{0,8}(?:参加|开会|出差|旅游|培训|面试)"
    f"|{NOT_MEANT_HAN}"
)
_IF_HAN = "如果|要是|假如|若|万一|只要|一旦|除非|的话"
# What follows is looked for ahead, each by itself: one after the other would be tried in every combination.
_SOON, _DOES = f"(?=[^，。]{{0,14}}{_DAY})", f"(?=[^，。]{{0,30}}{_ACT})"
_WE_DO = f"{_US}{_DOES}"
HAN = (
    cue(
        Kind.COMMITMENT,
        "如果 要是 只要 一旦 若 的话 前提 除非 等 一通过 收到",
        rf"(?:如果|要是|若|只要|一旦)[^，,。]{{2,40}}[，,](?=[^。]{{0,10}}{_US})(?=[^。]{{0,40}}{_ACT})"
        rf"|的话[，,]{_WE_DO}|等[^，,。]{{2,20}}[后了][，,]{_WE_DO}|一[^，,。]{{1,6}}[，,]{_US}就{_DOES}"
        rf"|收到[^，,。]{{1,10}}后{_WE_DO}|{_US}(?=[^，。]{{0,20}}{_ACT})[^，,。]{{1,40}}[，,](?:前提是|只要|除非)",
        rf"当时|早就|早知|看看|就好了|需要|赌|觉得|[？?]$|吗|有时间|有空|不会|{NOT_MEANT_HAN}",
    ),
    cue(
        Kind.COMMITMENT,
        "尽量 争取 力争 打算 计划 希望 预计 应该 可能 尽力 看看能不能 试试 大概 原则上",
        rf"(?:尽量|争取|力争|打算|计划|希望|预计|应该|可能|会尽力|试试|大概|原则上){_DOES}|看看?能不能[^，。]{{0,14}}",
        rf"(?:客户|领导|老板|大家|用户|财务|法务|甲方|乙方)[^，。]{{0,2}}(?:希望|打算|计划|可能|应该|预计)|希望(?:[你您他她]|贵|对方|客户)|他们|她们|对方"
        rf"|你们?应|你应|供应商|会涨|如果|没有?"
        rf"|本来|曾经|当初|不打算|真希望|[？?]$|吗|{NOT_MEANT_HAN}",
    ),
    cue(
        Kind.COMMITMENT,
        "我 本人 咱们",
        # Anchored and looked ahead once: a text in which nothing is done is not asked about at every "I".
        rf"^(?=(?s:.)*?(?:{_ACT}|出|包|免除|承诺|保证))(?s:.)*?(?:由{_US}(?:出|付|承担|负责|报销|买单|包)|{_US}{_SOON}{_DOES}"
        rf"|{_DAY}[^，。]{{0,3}}{_WE_DO}"
        rf"|{_US}(?:一定|将|会|这就|马上|承诺|保证|免费|承担|免除|负责){_DOES}"
        rf"|{_US}(?:承担|免除|减免|承诺|保证|包(?:换|退|修|邮|赔))[^，。]{{0,20}})",
        rf"{_NOT_YET}|{_IF_HAN}|会议|会想|会永远|会更|打算|计划|可能",
    ),
    cue(
        Kind.COMMITMENT,
        "一定 肯定 放心 保证",
        rf"(?:一定|肯定|保证)(?:会|能)?(?=[^，。]{{0,6}}[给为帮向替](?:您|你|贵司|贵方|客户)){_DOES}",
        rf"{_NOT_YET}|{_IF_HAN}|可能|说|他们?|她们?|对方|[你您](?:们)?(?:一定|肯定|能?保证)",
    ),
    cue(
        Kind.COMMITMENT,
        "会 将 负责 周 明天 月底 下班前",
        rf"^{NAMED_HAN}(?:(?:会在?|将于?|负责|{_DAY}(?:内|前)?会?){_DOES}|负责[^，。]{{2,}})",
        rf"{_NOT_YET}|{_IF_HAN}|可能|说",
    ),
)
