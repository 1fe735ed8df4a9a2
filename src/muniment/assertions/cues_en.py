"""English cues of how things are and what to do, and the order in which all English cues are tried."""

from __future__ import annotations

from muniment.assertions import cues_en_talk as talk
from muniment.assertions import cues_promise as promise
from muniment.assertions.cues import cue
from muniment.domain.assertions import Kind

__all__ = ["CUES", "IMPERATIVES"]

_UNSURE = (
    r"\b(?:might|may|could|can|possibly|probably|perhaps|maybe|likely|not sure|unlikely|suspect|whether|if"
    r"|often|usually|typically|sometimes)\b"
)
_ROOT_CAUSE = (
    # "The root cause is still unknown" and "to find the root cause" name no cause.
    cue(
        Kind.ROOT_CAUSE,
        "cause",
        r"\b(?:root|underlying|actual|true|real|main|primary) cause(?: (?:of|for"
        "|behind) [^.;]{2,80}?)?(?: was| is| turned out to be|:| —| has been (?:identified|confirmed"
        "|traced))",
        "cause[^.;]{0,60}? (?:is|was|remains?) (?:still |yet |as yet |currently |being |under )*(?:unknown"
        r"|unclear|not|investigat|being|undetermined|pending|open|to be)|\bif\b|\bmay|\bmight|probably"
        "|suspect|isn['’]t|wasn['’]t",
    ),
    # Handbooks and runbooks say what can cause things; only what did is a root cause.
    cue(
        Kind.ROOT_CAUSE,
        "caused triggered traced",
        r"\b(?:was|were|is|been|outage|failure|incident|errors?|it|this|latency|all) (?:all |directly "
        r"|actually |indeed |ultimately |in fact )?(?:caused by|triggered by)\b|\btraced (?:it |this |that "
        r"|the \w+ |the \w+ \w+ )?(?:back )?to\b|\b(?:that|which|this) (?:is what )?caused the\b",
        rf"{_UNSURE}|\bnot (?:caused|triggered|traced)|n['’]t (?:caused|triggered)|\bcan be|\bare caused"
        "|(?:errors|issues|problems|failures) caused by",
    ),
    cue(
        Kind.ROOT_CAUSE,
        "due because",
        r"\b(?:outage|incident|failure|failed|crash\w*|regression|downtime|latency spike|alert|timeouts?"
        r"|errors?|went down) (?:\w+ ){0,3}(?:was|were|is|are|happened|occurred|failed)? ?(?:due to"
        r"|because of)\b",
        rf"{_UNSURE}|\bnot (?:due|because)|\bwhen\b",
    ),
)
_ATTEMPT = (
    # "Have you tried …", "we haven't tried" and "tried it and it works" are not failures.
    cue(
        Kind.ATTEMPT,
        "tried attempted trying",
        r"\b(?:tried|attempted)\b.*(?:\b(?:but|however|without|no luck|no effect|in vain|to no avail|failed"
        "|didn['’]t|did not|doesn['’]t|no improvement|no difference|still (?:fail|crash|broken|slow"
        r"|the same))\b)",
        "(?:haven['’]t|have not|hasn['’]t|not|never|n['’]t|you|if you|if) (?:yet |ever |even "
        "|really )?(?:tried"
        "|attempted)|but (?:it|that|this)(?:['’]s| is| now)? (?:works?|worked|fixed|fine)"
        r"|tried[- ]and[- ](?:true|tested)|without (?:any )?(?:problem|issue|trouble)|\bwould\b|when (?:he"
        "|she|they|users?)",
    ),
    cue(
        Kind.ATTEMPT,
        "help helped fix effect solve gave reverted difference resolve luck abandoned",
        r"\b(?:restart|rollback|rolling|increas|rais|scal|bump|clear|disabl|enabl|switch|revert|upgrad"
        r"|downgrad|add|remov|patch|reboot|flush|chang)\w*\b.*\b(?:did not|didn['’]t|does not"
        r"|doesn['’]t) (?:help|fix|solve|resolve|work|make (?:a|any) difference)\b|\b(?:had"
        r"|with) no effect\b|\bgave up on\b|\babandoned the (?:idea|attempt|approach)\b"
        r"|\bmade no difference\b",
        r"\b(?:if|would|could|might|never)\b|did not have to|gave up on (?:me|you|us)",
    ),
)
_PITFALL = (
    cue(
        Kind.PITFALL,
        "beware careful watch gotcha caveat caution pitfall trap",
        r"\bbeware\b|\bwatch out (?:for|when|with|:)|\bbe (?:very |extra |especially )?careful (?:not to"
        r"|when|with|about|if|to)\b|\b(?:a |one |known |common |big |the |main )?(?:gotcha|caveat"
        r"|pitfall)s?(?: here| with \w+| is|:| -|,)|^caution\b|\bis a trap\b",
        r"thanks|thank you|take care|must be careful of us|be careful to (?:you|him)|\bavoid(?:s"
        "|ing)? the (?:pitfall|trap)",
    ),
    # A prohibition alone is policy; with its reason or consequence it warns.
    cue(
        Kind.PITFALL,
        "don't don’t do never not",
        "(?:^|[,;:.] |please |and |so |but |important: ?)(?:do not|don['’]t|never) (?!worry|mention|forget"
        r"|share|forward|tell|hesitate)[a-z]+\b.*(?:\b(?:because|or (?:it|you|the|else|they|we|all)"
        "|otherwise|as (?:it|this|that) (?:will|would|breaks|causes)|since (?:it|this|that)|it (?:will"
        r"|breaks|wipes|drops|deletes)|(?:this|that) (?:will|breaks|wipes|drops|deletes|causes))\b)",
        r"\b(?:i|we|they|you|people|users) (?:do not|don['’]t|never)\b|don['’]t (?:know|think|believe|need"
        "|have)",
    ),
)
# "You must be tired", "I must say" and "must have been" guess or concede;
# "we must fix this today" is a wish of the moment.
_POLICY = (
    cue(
        Kind.POLICY,
        "must",
        r"\bmust (?:not |never |always |also |only |first |either |be |both )?[a-z]{2,}",
        r"\b(?:i|we) must\b|must(?: have| ['’]ve|['’]ve) (?:been|had|gone|got|missed|forgotten|left|changed"
        r"|made|broken|failed|misread)|!$|^must\b|must (?:have (?:a|an|lots|so|some)\b|feel|really|seem"
        "|look|love|mean|enjoy|add so)|must be (?:an? )?(?:wonderful|incredible|nightmare|blast|so|really"
        "|very|such|quite|pretty|extremely|incredibly"
        "|awesome|amazing|fulfilling|frustrating|exciting|rewarding|challenging|exhausting|interesting"
        "|disappointing|proud|tough|cool|fantastic|wonderful|tired|joking|kidding|nice|hard|something|some"
        "|wrong|the (?:case|reason|one)|a (?:bug|mistake|joke|problem|typo|reason|better|way)|because|due"
        "|great|fun|crazy|mad|there|right|missing)|must (?:say|admit|confess)|must-(?:have|read|see)"
        r"|there must be|(?:it|that|this|he|she|you|they) must (?:be|have|think|feel)\b|\ba must\b"
        r"|\bif (?:we|i) must",
    ),
    cue(
        Kind.POLICY,
        "may cannot allowed permitted prohibited forbidden required mandatory eligible entitled obligatory",
        r"\b(?:(?:may|shall|are to|is to) (?:not|only)|can not|can only be)\b(?! yet\b| be (?:the|a|sure"
        "|true|able|worth|enough|easy|as|obvious|clear|necessary|possible|needed|applicable|appropriate)"
        "| (?:know|want|like|have|need|see|get|work|help|always|feel|even|seem|realize|agree|appear|apply"
        r"|reflect|find|exist))|\b(?:is|are|be) (?:strictly |not |expressly |only |generally )?(?:allowed"
        r"|permitted|prohibited|forbidden|mandatory|obligatory)\b|\b(?:is|are) (?:\w+ly )?required (?:to"
        r"|for|before|by|when|in|on|at|from|within|after|if|unless|prior)\b|\b(?:is|are) required[.;]?$"
        r"|\b(?:is|are) (?:not )?(?:entitled|eligible) (?:to|for)\b",
        r"\b(?:i|you|we) (?:can|may) only (?:imagine|hope|guess|see|say)|i (?:may|can) not\b|(?:it|that"
        r"|this|there) may not\b|we may not\b|\bi can only\b|\bno longer (?:required|allowed)"
        r"|not required\b|is (?:it|this|that) (?:allowed|permitted|required)|(?:am|was"
        "|were) (?:not )?(?:allowed|permitted|required)|[a-z]+ing is required to fix|what (?:is"
        "|are) required|arguments? (?:is|are) required|does not mean|^no ",
    ),
    cue(
        Kind.POLICY,
        "limit cap maximum minimum allowance capped limited exceed threshold entitlement quota",
        r"\b(?:limit|cap|maximum|minimum|allowance|quota|entitlement|ceiling)(?: (?:in|for|of|on|per"
        "|at) [^.;:]{2,50}?)? (?:is|are|remains|was (?:set|raised|lowered|increased|reduced) to"
        r"|is set (?:at|to)) (?:now |set to |still |currently )?\D{0,6}\d|\b(?:is|are) (?:capped at"
        r"|limited to)\b|\b(?:may|must|should|can) not exceed\b|\bup to a maximum of\b",
        r"\b(?:i|my) (?:limit|cap|maximum)\b|\b(?:if|unless)\b"
        r"|\b(?:wrong|untrue|false|incorrect|not true) that"
        r"|\bwas limited|not limited|exceed(?:ed)? expect"
        r"|\bwould\b|support is limited to|are limited to (?:the|a)\b|time is limited",
    ),
    cue(
        Kind.POLICY,
        "policy shall rule never always need have requires",
        r"\b(?:it is|our|company|the) policy (?:is|that|to|requires|states|says|prohibits|allows)\b"
        r"|\b(?:employees|contractors|staff|members|managers|users|vendors|suppliers|customers|travell?ers"
        r"|approvers|engineers) (?:shall|should always|should never|need to|have to)\b|\bthe rule is\b"
        r"|\brequires? (?:prior |written |explicit )+(?:\w+ )?(?:approval|consent|notice"
        r"|authori[sz]ation)\b",
        r"\bif\b|policy (?:is|was) (?:still |under |being )*(?:unclear|outdated|under|being|draft|stupid"
        r"|wrong)|\bwant",
    ),
)
# "p99" and friends measure; "the office is down the road" does not.
_OBSERVATION = (
    cue(
        Kind.OBSERVATION,
        "p50 p90 p95 p99 latency cpu memory error errors throughput utilization utilisation queue disk qps "
        "rps backlog lag heap uptime requests replication",
        r"\b(?:p\d\d|latency|cpu|memory|error rate|errors?|throughput|utili[sz]ation|queue(?: depth)?"
        r"|disk(?: usage)?|qps|rps|backlog|lag|heap|uptime|5xx|4xx)\b[^.;?]{0,40}?\b(?:is|are|at|jumped"
        "|spiked|rose|climbed|went|dropped|fell|hit|hits|reached|stands|sits|increased|decreased|up|down"
        r"|now|exceeded|peaked|averag\w+|:)\b[^.;?]{0,20}\d",
        r"\b(?:if|should|must|target|goal|aim|would|could|need|limit|budget|slo|when|whenever|want)\b",
    ),
    cue(
        Kind.OBSERVATION,
        "restarting crashlooping crashing crashed firing alerting down spiked spiking unreachable oom "
        "oomkilled degraded failing flapping timing throttled crashloopbackoff",
        r"\b(?:pods?|nodes?|containers?|services?|workers?|replicas?|jobs?|instances?|cluster|database|db"
        "|api|endpoint|hosts?|servers?|gateway|alerts?|alarm|site|website|[a-z]+-[a-z0-9-]+|queue|builds?"
        "|checks?|deployments?|traffic|latency|errors?|cpu|memory|requests?|production|prod|staging"
        r"|checkout|login|[a-z]*(?:high|low|down|error|latency|usage)[a-z]*)(?: \w+)? (?:is|are|was|were"
        "|keeps?|kept|started|has been|have been|got|just|been|went) (?:now |still |again |currently |all "
        r"|being |constantly )?(?:restarting|crash\w*|firing|alerting|down\b|spik\w+|unreachable|oom\w*"
        r"|degraded|failing|flapping|timing out|throttled|in crashloop\w*)|\bpods? (?:restarting"
        r"|crashlooping|crashing|oomkilled)\b|\b(?:latency|errors?|cpu|memory|traffic|error rate) (?:spiked"
        r"|spiking)\b|\bfiring (?:since|for|again)\b",
        r"\b(?:if|when|whenever|should|might|could|would|i am|i['’]m|was down to|up and down|down (?:the|to"
        "|with|for|by|from)|calm|may|can|wi(?:ll)|because|go|sit|lie|that (?:is|are)|which (?:is|are)"
        r"|lay)\b|(?:ed|ing|ten) down\b|down time",
    ),
)
_PROCEDURE = (
    cue(
        Kind.PROCEDURE,
        "to run use click open go execute call select set type enter",
        "^(?:in order )?to [a-z]{3,}[^,.;?]{2,90}, (?:please |first |then |simply |just |you (?:should"
        "|need to|can) )?(?:run|use|click|open|go|execute|call|select|set|type|enter|restart|scale|apply"
        "|submit|send|file|fill|visit|ask|post|create|add|delete|drain|roll|stop|start|log|contact|follow"
        r"|check|navigate|email|press|choose|edit|install|download)\b",
        r"\bto be (?:honest|fair|clear|sure|frank)|to my (?:knowledge|surprise)|\bwe (?:should|will)\b",
    ),
)

# Most telling first: the first that holds gives the sentence its kind.
CUES = (
    *talk.SENSITIVITY,
    *_ROOT_CAUSE,
    *_ATTEMPT,
    *talk.OBJECTION,
    *talk.DECISION,
    *talk.COMMITMENT,
    *promise.ENGLISH,
    *talk.ARRANGEMENT,
    *_PITFALL,
    *_POLICY,
    *talk.PREFERENCE,
    *_OBSERVATION,
    *_PROCEDURE,
)
IMPERATIVES = frozenset(
    "run use click open go execute call select set type enter restart scale apply submit send file fill "
    "visit ask post create add "
    "delete remove drain roll stop start log contact follow check navigate email press choose edit install "
    "download verify confirm "
    "make update copy paste save close build push pull merge tag clone upload attach review wait complete "
    "sign get let write "
    "schedule book notify tell change move enable disable configure connect ensure deploy export import "
    "find look read provide "
    "include request turn put give commit checkout cordon inspect identify determine collect prepare test "
    "announce generate".split()
)
