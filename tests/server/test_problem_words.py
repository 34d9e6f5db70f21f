"""What is wrong with a file is told in the language of the page."""

# ruff: noqa: RUF001  Chinese has signs of its own

import re

import pytest

from spancrew.errors import FormatError, Place
from spancrew.formats._foreign import FOREIGN
from spancrew.server.pages.problems import in_words, problem_words
from spancrew.server.pages.render import languages
from tests.problem_texts import HOLE, problem_texts
from tests.server.conftest import Visitor

OTHERS = [language for language in languages() if language != "en"]
_LATIN = re.compile(r"[a-z]{3,} [a-z]{2,} [a-z]{2,}")


@pytest.mark.parametrize("language", OTHERS)
def test_every_problem_of_a_file_has_words(language: str) -> None:
    """Whoever adds one finds here what is missing."""
    found = problem_texts("formats", "core")

    assert len(found) > 300
    assert sorted(found - problem_words(language).keys()) == []


@pytest.mark.parametrize("language", OTHERS)
def test_files_of_other_programs_have_words(language: str) -> None:
    """What they are, and what to do with them."""
    found = {text for _, *texts in FOREIGN for text in texts}

    assert found <= problem_words(language).keys()


@pytest.mark.parametrize("language", OTHERS)
def test_words_have_a_place_for_every_value(language: str) -> None:
    """In the order of the values, or by their numbers."""
    for text, words in problem_words(language).items():
        numbers = re.findall(r"\{(\d*)\}", words)
        expected = [str(k) for k in range(text.count(HOLE))]

        assert sorted(numbers) == expected or numbers == [""] * len(expected), text


@pytest.mark.parametrize("language", OTHERS)
def test_every_text_is_recognised_with_its_values(language: str) -> None:
    """Values are found again, and stay as they are."""
    for text, words in problem_words(language).items():
        values = [f"'v {k}'" for k in range(text.count(HOLE))]
        told = in_words(text.replace(HOLE, "%s") % tuple(values) if values else text, language)

        assert all(value in told for value in values), text
        assert not values or told != text
        assert _LATIN.search(told) is None or _LATIN.search(words), text


def test_a_problem_within_a_problem_is_worded_too() -> None:
    """What was found, what was expected, and where."""
    error = FormatError.expected(Place("x"), "a folder", "a file for each document")

    assert in_words(error.problem, "zh") == "发现文件夹；应为每个文档一个文件"
    assert in_words(error.problem, "en") == error.problem
    assert in_words("line 3: found 'a folder'; expected a number", "zh") == (
        "第 3 行：发现'a folder'；应为数字"
    )


def test_losses_are_counted() -> None:
    """English has a plural, others may not."""
    assert in_words(
        "3 sentences with gold: brat has no labels; write spancrew to keep them", "zh"
    ) == ("3 含标准答案的句子：brat 没有标签；请写为 spancrew 以保留")
    assert in_words("1 answer: text has no labels; x", "zh").startswith("1 回答：")


def zh(admin: Visitor, file: bytes, name: str) -> dict[str, object]:
    """Return what a Chinese page is told of a file."""
    headers = {"Accept-Language": "zh-CN,zh;q=0.9"}
    answer = admin.call("POST", "/inspections", files={"file": (name, file)}, headers=headers)
    found: dict[str, object] = answer.json()
    return found


def test_a_chinese_page_gets_chinese_problems_and_repairs(admin: Visitor) -> None:
    """By the language of the request; a program that says nothing gets English."""
    wrong = zh(admin, b"text,start,end,label\nYes.,0,x,A\n", "a.csv")
    rows = b"Ana B-PER\nand O\nBo I-PER\nCy B-PER\nand I-PER\nDi B-PER\n"
    mended = zh(admin, rows, "a.conll")
    plain = admin.call("POST", "/inspections", files={"file": ("a.conll", rows)}).json()

    assert wrong["error"]["message"] == "第 2 行：发现列 'end'：'x'；应为数字"  # type: ignore[index]
    assert mended["repairs"][0]["place"] == "第 3 行"  # type: ignore[index]
    assert "读作" in mended["repairs"][0]["what"]  # type: ignore[index]
    assert "read as" in plain["repairs"][0]["what"]
