"""What a question wants, its parts and its names, read without a model."""

from __future__ import annotations

from random import Random

import pytest

from muniment.context.asked.names import names, without
from muniment.context.asked.parts import MOST, parts
from muniment.context.asked.wants import wants

WANTS = """
When did Melanie run a charity race? | when
Do you know when the lease ends? | when
By when must I submit it? | when
What date was the contract signed? | when
How long ago did Ann leave? | when
What should I do when the server fails? |
How much did the audit cost? | number
How many seats did we buy? | number
How long has Mel been married? | number
What is the refund limit? | number
What was our total revenue? | number
She raised a number of issues; where are they? |
Who approved the budget? | who decision
What did the engineer who fixed it say? |
Tell me who owns the pager. | who
Which team runs billing? | who
What did we promise Acme? | promise
Which commitments are open? | list promise
What did Bob commit to? | promise
What is the latest commit hash? | latest
What does Promise.all return? |
What did we decide about pricing? | decision
Why did they choose Postgres? | decision
Who signed off? | who decision
Is a decision tree used? |
What is our travel policy? | policy
Can I expense a taxi? | policy
Are contractors allowed to use the lab? | policy
As a rule he is late. |
Can you help me? |
In which order did the outages happen? | order
What happened first, the launch or the audit? | order earliest
What came first and then what? | order earliest
Give me a timeline of the incident. | order
How did the plan change over the year? | order
What is the purchase order number? | number
In order to deploy, what is needed? |
List all open risks. | list
What books has Melanie read? | list
Which cities has John been to? | list
What are the options? | list
Name three risks. | list
Why is it not there at all? |
Is the all-hands on? |
Summarise the whole meeting. | summary
Give me a recap of the call. | summary
What happened in the incident? | summary
What is the current price? | latest number
Who is the most recent hire? | who latest
Is Ann still at Acme? | latest
What did the last meeting decide? | latest decision
How long did it last? | number
What was the original price? | earliest number
When did Nate first win? | when earliest
What is her first name? |
合同什么时候到期 | when
谁在什么时候批准的 | who when
报销上限是多少 | number
参加的有几个人 | number list
他多久以前离职的 | when
项目要多久 | number
谁批准了预算 | who decision
负责人是哪位 | who
我们答应过客户什么 | promise
对他们承诺了哪些事 | promise list
质量保证部在哪里 |
关于定价我们决定了什么 | decision
年假有什么规定 | policy
可以报销出租车吗 | policy
实习生能不能远程办公 | policy
故障的先后顺序是怎样的 | order
先做什么后做什么 | order
王先生在哪里 |
订单在哪里 |
列出所有未关闭的风险 | list
都有哪些供应商 | list
所有权归属怎么写 |
总结一下这次会议 | summary
项目概况 | summary
最新的价格是多少 | latest number
目前谁在值班 | latest who
最早的方案是什么 | earliest
第一次会议说了什么 | earliest
原来如此 |
把这个给我看一下 |
"""
_WANTS = [
    (question.strip(), frozenset(said.split()))
    for question, _, said in (row.partition("|") for row in WANTS.strip().splitlines())
]


@pytest.mark.parametrize(("question", "said"), _WANTS, ids=[row[0] for row in _WANTS])
def test_a_question_says_what_kind_of_thing_it_wants(question: str, said: frozenset[str]) -> None:
    assert wants(question) == said


PARTS = [
    (
        "When did the Lisbon migration start and how much did it cost?",
        ["When did the Lisbon migration start", "how much did the Lisbon migration cost?"],
    ),
    ("Who approved it? And when was it paid?", ["Who approved it?", "when was it paid?"]),
    (
        "What books has Melanie read and what pets does she have?",
        ["What books has Melanie read", "what pets does Melanie have?"],
    ),
    (
        "What does Orrin charge, and when does its contract end?",
        ["What does Orrin charge", "when does Orrin's contract end?"],
    ),
    ("Did Ann reply and did she sign?", ["Did Ann reply", "did Ann sign?"]),
    ("Which happened first, the launch or the audit?", ["the launch", "the audit"]),
    (
        "It broke again. What I really want to know is: who is on call?",
        ["who is on call?"],
    ),
    (
        "We met Acme yesterday. What did they want?",
        ["We met Acme yesterday. What did they want?"],
    ),
    ("李强的生日是什么时候，还有他的邮箱是多少？", ["李强的生日是什么时候", "李强的邮箱是多少？"]),
    ("报销上限是多少；谁来审批？", ["报销上限是多少", "谁来审批？"]),
    ("合同何时到期？另外，年费是多少？", ["合同何时到期？", "年费是多少？"]),
    ("合同何时到期以及年费是多少", ["合同何时到期", "年费是多少"]),
    ("张伟和李娜的生日分别是什么时候？", ["张伟的生日是什么时候", "李娜的生日是什么时候"]),
    (
        "今天天气真好。等等，我真正想问的问题是：我居住的小区怎么样？",
        ["我居住的小区怎么样？"],
    ),
    ("When and where did they meet?", ["When and where did they meet?"]),
    ("What J.K. Rowling quote does Tim like?", ["What J.K. Rowling quote does Tim like?"]),
    ("Would Ann like Dr. Seuss books?", ["Would Ann like Dr. Seuss books?"]),
    (
        "What does Tim have that serves as a reminder and is a prized possession?",
        ["What does Tim have that serves as a reminder and is a prized possession?"],
    ),
    ("Who met Ann and Bob?", ["Who met Ann and Bob?"]),
    ("研发和销售的会议是什么时候？", ["研发和销售的会议是什么时候？"]),
    ("他还有什么要求？", ["他还有什么要求？"]),
    ("release notes", ["release notes"]),
    ("?", ["?"]),
    ("", [""]),
]


@pytest.mark.parametrize(("question", "said"), PARTS, ids=[row[0] for row in PARTS])
def test_a_question_is_taken_apart_where_it_asks_twice(question: str, said: list[str]) -> None:
    assert list(parts(question)) == said


def test_a_question_has_no_more_parts_than_can_be_searched() -> None:
    found = parts(" ".join(f"Who owns service{number}?" for number in range(40)))

    assert len(found) == MOST
    assert "service39" in found[-1]


NAMES = [
    ("What did Jon say to Orrin & Vale?", ["Jon", "Orrin & Vale"], []),
    ("Caroline's birthday is when?", [], ["Caroline"]),
    ("Melanie went where last summer?", [], ["Melanie"]),
    ("Ann Bell and Tim agreed to what?", ["Bell", "Tim"], ["Ann Bell"]),
    ("Summarise the meeting.", [], []),
    ("Did the server restart?", [], []),
    ("Everything was fine. Nate wrote what?", [], ["Nate"]),
    ("李强的生日是什么时候？", [], ["李强"]),
    ("小王说了什么？", [], ["小王"]),
    ("我和张伟的会议在哪里？", [], ["张伟"]),
    ("王总监什么时候来？", [], ["王总监"]),
    ("欧阳明负责什么？", [], ["欧阳明"]),
    ("客户说什么了？", [], []),
    ("方案的成本是多少？", [], []),
    ("高级会员的价格是多少？", [], []),
]


@pytest.mark.parametrize(("question", "sure", "unsure"), NAMES, ids=[row[0] for row in NAMES])
def test_names_are_found_and_guesses_are_marked(question: str, sure: list[str], unsure: list[str]) -> None:
    found = names(question)

    assert [one.surface for one in found if one.is_sure][: len(sure)] == sure
    assert [one.surface for one in found if not one.is_sure and one.surface not in sure][:1] == unsure[:1]


WITHOUT = [
    ("What did Caroline say about adoption?", ["Caroline"], "What did say about adoption?"),
    ("What is Caroline's new job?", ["Caroline"], "What is new job?"),
    (
        "What do Caroline and Melanie both like to paint?",
        ["Caroline", "Melanie"],
        "What do both like to paint?",
    ),
    ("Caroline, what is your favourite book?", ["Caroline"], "what is your favourite book?"),
    ("How is Annual leave counted?", ["Ann"], "How is Annual leave counted?"),
    ("Who is Caroline?", ["Caroline"], "Who is Caroline?"),
    ("Caroline", ["Caroline"], "Caroline"),
    ("李强的生日是什么时候？", ["李强"], "生日是什么时候？"),
    ("我和张伟的会议在哪里？", ["张伟"], "我的会议在哪里？"),
    ("Acme的年费是多少", ["Acme"], "年费是多少"),
    ("What (if [any]) did A.B. pay?", ["A.B.", "(if [any]"], "What) did pay?"),
    ("What did we agree?", [], "What did we agree?"),
    ("What did we agree?", ["", " "], "What did we agree?"),
]


@pytest.mark.parametrize(("question", "surfaces", "left"), WITHOUT)
def test_a_question_without_its_names_still_reads(question: str, surfaces: list[str], left: str) -> None:
    assert without(question, surfaces) == left


def test_no_mixture_of_questions_fails(seed: int) -> None:
    rng = Random(seed)
    marks = [*"?？；;,，。. \n\"“”'()（）", " and ", "，还有", "以及", "🙂", "\u202e", "%_*"]
    texts = [question for question, _ in _WANTS] + [question for question, _ in PARTS]

    for _ in range(60):
        text = "".join(
            one for _ in range(6) for one in (rng.choice(texts)[: rng.randint(0, 40)], rng.choice(marks))
        )
        wants(text)
        assert all(parts(text)) or not text
        assert without(text, [one.surface for one in names(text)]) or not text
