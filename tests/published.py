"""A little of every public set, invented here, in the form in which each is published."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

__all__ = ["write_everything"]

_LOCOMO = [
    {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ann",
            "speaker_b": "Bo",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {
                    "speaker": "Ann",
                    "dia_id": "D1:1",
                    "text": "Look at this!",
                    "blip_caption": "a photo of a kayak",
                },
                {"speaker": "Bo", "dia_id": "D1:2", "text": "I sold mine in April."},
            ],
            "session_2_date_time": "9:30 am on 2 June, 2023",
            "session_2": [
                {"speaker": "Ann", "dia_id": "D2:1", "text": "The kayak leaks."},
                {"speaker": "Bo", "dia_id": "D2:2", "text": "Mine went for 300 euros."},
            ],
        },
        "qa": [
            {"question": "What leaks?", "answer": "a kayak", "evidence": ["D1:1; D2:1"], "category": 1},
            {"question": "What did Bo get for his?", "answer": 300, "evidence": ["D1:2"], "category": 4},
            {"question": "Who won?", "answer": "nobody", "evidence": [], "category": 5},
        ],
    }
]
_LOCOMO_CORRECTIONS = [
    {"question_id": "locomo_0_qa1", "error_type": "WRONG_CITATION", "correct_evidence": ["D2:2"]}
]
_BEAM = [
    {
        "batch_number": 1,
        "turns": [
            [
                {
                    "role": "user",
                    "id": 0,
                    "time_anchor": "March-15-2024",
                    "content": "I plan a garden. ->-> 1,1",
                },
                {"role": "assistant", "id": 1, "content": "Start with the soil."},
            ]
        ],
    },
    {
        "batch_number": 2,
        "turns": [
            [{"role": "user", "id": 2, "time_anchor": "April-05-2024", "content": "Now it has two beds."}]
        ],
    },
]
_BEAM_ASKED = {
    "knowledge_update": [
        {"question": "How many beds?", "source_chat_ids": {"original": [0], "updated": [2, 99]}}
    ],
    "abstention": [{"question": "Which fence?"}],
}
_MEMDAILY = [
    {
        "tid": user,
        "split": "01_simple_events",
        "message_list": [
            {
                "mid": 0,
                "message": f"第{user}场会议在北京。",
                "time": "2024年04月01日 周一 08:30",
                "place": "深圳",
            },
            {"mid": 1, "message": "规模是三千人。", "time": "2024年04月01日 周一 20:58", "place": "深圳"},
        ],
        "question_list": [{"question": "规模多大？", "target_step_id": [1 - user]}],
    }
    for user in (0, 1)
]
_QMSUM = [
    {
        "meeting_transcripts": [
            {"speaker": "Grad G", "content": "Shall we start ?"},
            {"speaker": "Professor E", "content": " "},
            {"speaker": "Grad G", "content": "The remote costs twelve euros ."},
            {"speaker": "Professor E", "content": "Too much ."},
        ],
        "specific_query_list": [
            {"query": "What was said on cost?", "answer": "…", "relevant_text_span": [["2", "3"]]},
            {"query": "What was the mood?", "answer": "…", "relevant_text_span": []},
        ],
        "general_query_list": [],
        "topic_list": [],
    }
]
_LONGMEMEVAL = [
    {
        "question_id": name,
        "question_type": "single-session-user",
        "question": "What did I name the boat?",
        "answer": "Petrel",
        "question_date": "2023/06/01 (Thu) 08:00",
        "haystack_session_ids": ["s1", "s2"],
        "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/21 (Sun) 10:05"],
        "haystack_sessions": [
            [{"role": "user", "content": "Which knots?"}, {"role": "assistant", "content": "A bowline."}],
            [{"role": "user", "content": "I named the boat Petrel.", "has_answer": True}],
        ],
        "answer_session_ids": ["s2"],
    }
    for name in ("q1", "q2_abs")
]
_TRAJECTORIES = [
    {
        "id": name,
        "domain": "web",
        "environment": "shop",
        "goal": f"Find the {what}",
        "outcome": "success",
        "start_url": "https://shop.example",
        "states": [
            {
                "state_index": number,
                "url": f"https://shop.example/{number}",
                "action": None if number else "click [12]",
                "thought": "Look further.",
                "accessibility_tree": tree,
                "screenshot": f"screenshots/{name}/{number}.png",
            }
            for number, tree in enumerate(("link 'Home'", f"button '{what}', 12 left; Save-as draft"))
        ],
    }
    for name, what in (("t1", "red kettle"), ("t2", "blue lamp"))
]
_V2_ASKED: list[dict[str, object]] = [
    {"id": "v1", "answer": "Red kettle, save as draft", "eval_function": "norm_phrase_set_match|lower=true"},
    {"id": "v2", "answer": "B", "eval_function": "mc_choice_match"},
    {"id": "v3", "answer": "There is no such button.", "eval_function": "llm_abstention_checker"},
]


def write_everything(folder: Path) -> None:
    """Each set in the folder its loader looks in."""
    _json(folder / "locomo" / "dev.json", _LOCOMO)
    _json(folder / "locomo" / "dev_corrections.json", _LOCOMO_CORRECTIONS)
    _json(folder / "beam" / "100K" / "1" / "chat.json", _BEAM)
    _json(folder / "beam" / "100K" / "1" / "probing_questions" / "probing_questions.json", _BEAM_ASKED)
    _lines(folder / "memdaily_zh" / "dev.jsonl", _MEMDAILY)
    _lines(folder / "qmsum" / "val.jsonl", _QMSUM)
    _json(folder / "longmemeval" / "longmemeval_s.json", _LONGMEMEVAL)
    plain = {"domain": "web", "environment": "shop", "question_type": "static-environment", "image": None}
    asked = [{**plain, "question": "Which kettle, and how is it saved?", **one} for one in _V2_ASKED]
    _lines(folder / "longmemeval_v2" / "questions.jsonl", asked)
    _lines(folder / "longmemeval_v2" / "trajectories.jsonl", _TRAJECTORIES)
    haystacks = {str(one["id"]): ["t1", "t2"] for one in _V2_ASKED}
    _json(folder / "longmemeval_v2" / "haystacks" / "lme_v2_small.json", haystacks)


def _json(file: Path, value: object) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(value), encoding="utf-8")


def _lines(file: Path, values: Iterable[object]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
