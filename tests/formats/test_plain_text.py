"""Plain text: files and folders of files, cut into lines, paragraphs or sentences."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.core import Answer, Dataset, Sentence, Span
from spancrew.errors import FormatError
from spancrew.formats import Split, read, recognise, write
from spancrew.formats._sentence_splitter import pieces

SPLITS: tuple[Split, ...] = ("lines", "paragraphs", "sentences")


def cut(text: str, split: Split = "sentences") -> list[str]:
    """Return the pieces of a text."""
    return [text[start:end] for start, end in pieces(text, split)]


@pytest.mark.parametrize(
    "sentences",
    [
        ["Dr. Wu paid 3.5 dollars to J. R. Smith.", "Why?"],
        ["The U.S. Army came.", "He lives in the U.S.", "He left at 5 p.m.", "The end."],
        ['"Really?" she asked.', 'He said "Go!" and left.', "(So it was.)", "Yes."],
        ["Well ... maybe not.", "No. 5 is here, e.g. on p. 7.", "Acme Inc. grew."],
        ["It was Vol. 3 of Sept. 9, cf. Fig. 2.", "Fine!", "“Good.”", "Then it ended."],
        ["Version 2.10 of example.com is out.", "Wow!!"],
    ],
)
def test_english_sentences_end_where_a_reader_would_say(sentences: list[str]) -> None:
    """Abbreviations, initials, decimals and quotations do not end one."""
    assert cut(" ".join(sentences)) == sentences


def test_chinese_sentences_need_no_blank_behind_them() -> None:
    """Marks in a row and closing quotes belong to the sentence before."""
    text = "他说「好。」真的吗\uff1f\uff01他来了……走了\uff0c好。\n\n第二段。没有"
    first = ["他说「好。」", "真的吗\uff1f\uff01", "他来了……走了\uff0c好。"]

    assert cut(text) == [*first, "第二段。", "没有"]


def test_a_blank_line_ends_a_paragraph_and_a_line_end_does_not() -> None:
    """Text that was wrapped by hand stays together."""
    text = "Ana left\r\nRome. Bo\r\nslept.\r\n \r\n\r\nYes.\r\n"

    assert cut(text, "lines") == ["Ana left", "Rome. Bo", "slept.", "Yes."]
    assert cut(text, "paragraphs") == ["Ana left\r\nRome. Bo\r\nslept.", "Yes."]
    assert cut(text) == ["Ana left\r\nRome.", "Bo\r\nslept.", "Yes."]


@given(
    text=st.text("aB1 .!?\"')\n\r。\uff01」…\uff0c", max_size=30), split=st.sampled_from(SPLITS)
)
def test_pieces_are_in_order_and_hold_everything_but_blanks(text: str, split: Split) -> None:
    """Offsets lead back to the document."""
    found = list(pieces(text, split))
    flat = [border for piece in found for border in piece]

    assert flat == sorted(flat)
    assert "".join("".join(cut(text, split)).split()) == "".join(text.split())
    assert all(text[a:b].strip() == text[a:b] != "" for a, b in found)


def test_a_file_is_read_line_by_line_with_offsets_in_meta(tmp_path: Path) -> None:
    """The document can be put together again."""
    file = tmp_path / "news.txt"
    file.write_text("Ana left Rome.\n\n  Bo slept.\n", encoding="utf-8")
    dataset, repairs = read(file)

    assert recognise(file).name == "text"
    assert dataset.sentences.ids == ("1", "2")
    assert [s.meta for s in dataset.sentences] == [
        {"document": "news.txt", "start": 0},
        {"document": "news.txt", "start": 18},
    ]
    assert dataset.sentences[1].tokens == ("Bo", "slept", ".")
    assert repairs == ()


def test_a_folder_of_files_is_read_document_by_document(tmp_path: Path) -> None:
    """Ids have the document in front; hidden files belong to the system."""
    (tmp_path / "b.txt").write_text("Bo slept. Yes.", encoding="utf-8")
    (tmp_path / "a.txt").write_text("你好。", encoding="utf-8")
    (tmp_path / ".DS_Store").write_bytes(b"\0")
    dataset, _ = read(tmp_path, split="sentences")

    assert recognise(tmp_path).name == "text"
    assert dataset.sentences.ids == ("a:1", "b:1", "b:2")
    assert dataset.sentences[0].tokens == ("你", "好", "。")


def test_a_file_with_tags_is_no_plain_text(tmp_path: Path) -> None:
    """The ending says little: crowds often come in .txt files."""
    file = tmp_path / "gold.txt"
    file.write_text("Ana B-PER\nleft O\n", encoding="utf-8")

    assert recognise(file).name == "conll"


def test_a_file_that_is_not_utf_8_is_refused_at_its_line(tmp_path: Path) -> None:
    """The message says how to convert it."""
    file = tmp_path / "old.txt"
    file.write_bytes(b"Ana\nKai caf\xe9 x\n")

    with pytest.raises(FormatError, match=r"old\.txt, line 2: found byte 0xe9 at column 8.*iconv"):
        read(file)


def test_a_folder_without_text_files_is_refused(tmp_path: Path) -> None:
    """Named on purpose, but there is nothing in it."""
    with pytest.raises(FormatError, match=r"no file \*\.txt"):
        read(tmp_path, "text")


def test_writing_keeps_the_texts_and_says_what_is_lost(tmp_path: Path) -> None:
    """One line for each; labels have no place."""
    sentence = Sentence.from_text("s1", "Ana\nleft")
    dataset = Dataset.of(
        [sentence], {"s1": [Span(0, 1, "PER")]}, [Answer("s1", "bo", (Span(0, 1, "PER"),))]
    )
    lost = write(dataset, tmp_path / "out.txt", "text")

    assert (tmp_path / "out.txt").read_text("utf-8") == "Ana left\n"
    assert [repair.what.split(":")[0] for repair in lost] == [
        "1 sentence with gold",
        "1 answer",
        "1 sentence id",
        "1 text with line ends or double blanks",
    ]


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ({"columns": {"text": "x"}}, "leave columns out"),
        ({"discontinuous": "split"}, "leave discontinuous out"),
        ({"skip_unequal": True}, "leave skip_unequal out"),
    ],
)
def test_an_option_that_would_change_nothing_is_refused(
    tmp_path: Path, option: dict[str, object], words: str
) -> None:
    """Whoever names a column expects that it matters."""
    file = tmp_path / "news.txt"
    file.write_text("Ana left Rome.", encoding="utf-8")

    with pytest.raises(FormatError, match=words):
        read(file, **option)  # type: ignore[arg-type]
