"""Text to lexemes where two scripts meet."""

import random
import string

import pytest

from muniment.context.question import understand
from muniment.domain.names import normal_name
from muniment.index.words import content_lexemes, lexemes, running, terms


def test_chinese_beside_digits_and_latin_letters_is_read_like_chinese_anywhere() -> None:
    beside = lexemes("备件于7月11日从苏州仓库发出，PR-318合并")

    assert {"7", "11", "苏州", "仓库", "pr-318", "合并"} <= set(beside)


def test_the_words_of_a_chinese_question_do_not_hang_on_a_year() -> None:
    assert terms("2023年出差北京的酒店标准是多少") == [("2023",), ("出差",), ("北京",), ("酒店",), ("标准",)]


def test_an_identifier_ends_where_chinese_begins() -> None:
    assert [one.surface for one in understand("INC-2041的根本原因是什么？").named] == ["INC-2041"]


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("年假多少天？", [("年假",)]),
        ("年假有几天？", [("年假",)]),
        ("病假多少天？", [("病假",)]),
        ("年检的费用是多少？", [("年检",), ("费用",)]),
    ],
)
def test_characters_side_by_side_are_a_word_that_the_dictionary_lacks(
    question: str, asked: list[tuple[str, ...]]
) -> None:
    assert terms(question) == asked


def test_other_letters_beside_plain_ones_leave_their_words_as_they_are(seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(2_000):
        parts = draw.choices([*"aBz09 \n", *string.punctuation, "The", " don't ", " INC-7 ", "running"], k=30)
        text = "".join(parts)
        beside = lexemes(f"{text} é")
        beside.remove("é")
        assert beside == lexemes(text)


@pytest.mark.parametrize(
    ("stored", "asked"),
    [
        ("臺灣雲端服務的負責人是陳曉麗", "台湾云端服务的负责人是陈晓丽"),
        ("請問後續發佈時間", "请问后续发布时间"),
        ("ＩＮＣ－４４３", "INC-443"),
        ("ﾃｽﾄ環境", "テスト環境"),
        ("مُحَمَّد", "محمد"),
        ("שָׁלוֹם", "שלום"),
        ("STRASSE", "straße"),
    ],
)
def test_what_differs_only_in_script_width_or_points_has_the_same_lexemes(stored: str, asked: str) -> None:
    assert lexemes(stored) == lexemes(asked)


@pytest.mark.parametrize(
    ("stored", "asked"),
    [
        ("東京タワーに行きました", "タワー"),
        ("会議のあとで資料をおくります", "おくります"),
        ("ประชุมวันจันทร์เลื่อนไปวันพุธ", "วันพุธ"),
        ("배포가 금요일로 연기되었습니다", "금요일"),
        ("ကျေးဇူးတင်ပါတယ်", "ကျေးဇူး"),
        ("बैठक शुक्रवार को होगी", "शुक्रवार"),
        ("الاجتماع يوم الجمعة", "الجمعة"),
        ("Встреча перенесена на пятницу", "пятницу"),
        ("INC-443的负责人是李强", "INC-443"),
        ("发布完成🚀🎉", "🎉"),
        ("欢迎🇨🇳🇩🇪的同事", "🇩🇪"),
        ("𠮷野家的合同", "𠮷野家"),
    ],
)
def test_a_word_of_any_script_is_found_in_its_sentence(stored: str, asked: str) -> None:
    wanted = set(content_lexemes(asked))

    assert wanted
    assert len(wanted & set(lexemes(stored))) >= max(1, len(wanted) * 2 // 3)


@pytest.mark.parametrize(
    "text", ["", " ", "?", "%", "_", "*", "&|!()<->:*", "''\"\"", "\u202e\u200b", "的", "，。！"]
)
def test_marks_and_stop_words_alone_have_no_lexemes(text: str) -> None:
    assert lexemes(text) == []


def test_a_long_run_is_read_in_time_that_grows_with_it() -> None:
    for unit in ("a", "一", "3", "三月", "タ", "ก", "🎉", "a-", "1,", "2024-", "百分之", "é-"):
        assert len(lexemes(unit * 20_000)) < 100_000


def test_parts_of_a_long_path_are_found() -> None:
    path = "/".join(f"part{number}" for number in range(60))

    assert {"part0", "part59"} <= set(lexemes(path))


def test_a_name_is_the_same_in_both_scripts_of_chinese() -> None:
    assert normal_name("陳曉麗") == normal_name("陈晓丽")
    assert normal_name("臺北 辦公室") == "台北 办公室"


def test_a_question_in_traditional_characters_is_understood_like_one_in_simplified() -> None:
    traditional, simplified = understand("海瀾港務的年費是多少？"), understand("海澜港务的年费是多少？")

    assert traditional.lexemes == simplified.lexemes
    assert traditional.owner == simplified.owner
    assert understand("合同甚麼時候到期，有幾個？").wants_value


def test_a_number_is_asked_for_in_its_normal_form() -> None:
    assert terms("预算三百五十万够吗")[:2] == [("预算",), ("3500000",)]
    assert terms("a budget of 3.5 million") == [("budget",), ("3500000",)]
    assert terms("第三季度的收入") == [("第三", "三季", "季度"), ("收入",)]


def test_a_quotation_has_a_run_of_its_sources_words_whatever_figures_it_holds() -> None:
    said, quoted = (
        running("On March 5, 2024 we paid 3.5 million to Orrin for it."),
        running("paid 3.5 million to Orrin"),
    )

    assert any(said[at : at + len(quoted)] == quoted for at in range(len(said)))
