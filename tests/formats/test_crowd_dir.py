"""The crowd-dir format: a folder per worker, a token-tag file per document."""

import re
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.core import Answer, Dataset, LabelSet, Sentence, Span
from spancrew.errors import FormatError
from spancrew.formats._alignment import Match, align
from spancrew.formats._base import Reading, ReadOptions
from spancrew.formats._collected import Collected
from spancrew.formats._crowd_dir import CrowdDirectory
from tests.strategies import datasets

GOLD = "Ana B-PER\nsaw O\nNew B-LOC\nYork I-LOC\n. O\n\nBo B-PER\nslept O\n. O\n"


def made(root: Path, files: dict[str, str]) -> Path:
    """Write files below a folder and return the folder."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode())
    return root


def read(root: Path, files: dict[str, str]) -> Reading:
    """Write files below a folder and read it."""
    return CrowdDirectory().read(made(root, files), ReadOptions())


def refusal(root: Path, files: dict[str, str]) -> FormatError:
    """Return the error that reading such a folder raises."""
    with pytest.raises(FormatError) as caught:
        read(root, files)
    return caught.value


def notes(reading: Reading) -> list[tuple[str, str, int | None]]:
    """Return kind, file and line of every repair."""
    return [(r.kind, Path(r.place.path).name, r.place.line) for r in reading.repairs]


def only_answers(reading: Reading) -> list[tuple[str, tuple[Span, ...]]]:
    """Return sentence and spans of all answers in order."""
    dataset = reading.dataset
    given_ = [dataset.answer(k) for k in range(len(dataset.answers))]
    return [(answer.sentence, answer.spans) for answer in given_]


PERFECT = [
    ("one:0", (Span(0, 1, "PER"), Span(2, 4, "LOC"))),
    ("one:1", (Span(0, 1, "PER"),)),
]


@pytest.mark.parametrize(
    ("gold", "answers"),
    [
        ("ground_truth/one.txt", "ada/one.txt"),
        ("ground_truth/one.txt.final.txt", "mturk_train_data/ada/one.txt"),
        ("Ground-Truth/one.txt", "crowd/ada/one.conll"),
        ("GOLD/one", "workers/ada/one.txt"),
        ("expert/one.txt", "ada/one.txt"),
    ],
)
def test_the_layout_is_found_out(tmp_path: Path, gold: str, answers: str) -> None:
    """Workers stand beside the gold or inside one folder; endings of files may differ."""
    reading = read(tmp_path, {gold: GOLD, answers: GOLD})

    assert reading.dataset.workers == ("ada",)
    assert reading.dataset.sentences.ids == ("one:0", "one:1")
    assert reading.dataset.sentences[1].meta == {"document": "one", "index": 1}
    assert reading.dataset.gold_spans(0) == PERFECT[0][1]
    assert only_answers(reading) == PERFECT
    assert reading.repairs == ()


def test_documents_and_workers_come_in_alphabetical_order(tmp_path: Path) -> None:
    """A worker need not have every document, nor any."""
    files = {f"ground_truth/{name}.txt": GOLD for name in ("b", "a")}
    files |= {"answers/bo/b.txt": GOLD, "answers/ada/a.txt": GOLD, "answers/cy/.DS_Store": "x"}

    dataset, repairs = read(tmp_path, files)

    assert dataset.sentences.ids == ("a:0", "a:1", "b:0", "b:1")
    assert dataset.workers == ("ada", "bo", "cy")
    assert len(dataset.answers) == 4
    assert repairs == ()


def test_files_that_are_neither_gold_nor_answers_are_noted(tmp_path: Path) -> None:
    """Nothing is passed over in silence, hidden files of the system excepted."""
    reading = read(
        tmp_path,
        {
            "ground_truth/one.txt": GOLD,
            "answers/ada/one.txt": GOLD,
            "answers/ada/old/one.txt": GOLD,
            "answers/notes.txt": "x",
            "testset/two.txt": GOLD,
            "README": "x",
            ".git": "x",
        },
    )

    assert sorted(notes(reading)) == [
        ("ignored", "README", None),
        ("ignored", "notes.txt", None),
        ("ignored", "old", None),
        ("ignored", "testset", None),
    ]
    assert only_answers(reading) == PERFECT


@pytest.mark.parametrize(
    ("dirty", "expected"),
    [
        (GOLD.replace("Ana B-PER", "Ana/PER O"), [("stuck-label", 1)]),
        (
            GOLD.replace("New B-LOC\nYork I-LOC", "New/LOC O\nYork/LOC O"),
            [("stuck-label", 3), ("stuck-label", 4)],
        ),
        (GOLD.replace("York I-LOC", "York/I-LOC O"), [("stuck-label", 4)]),
        (GOLD.replace("Bo B-PER", "Bo/PER B-PER"), [("stuck-label", 7)]),
        (GOLD.replace("York I-LOC", "Yo I-LOC\nrk I-LOC"), [("split-token", 5)]),
        (GOLD.replace("York I-LOC", "Yo I-LOC\nrk O"), [("split-token", 5)]),
        (GOLD.replace("slept O", "sle O\npt O"), [("split-token", 9)]),
        (GOLD.replace("New B-LOC\nYork I-LOC", "NewYork B-LOC"), [("joined-token", 3)]),
        (GOLD.replace("saw O", "saw O\n O"), [("blank-token", 3)]),
        (GOLD.replace("saw O", "saw O\n\tO"), [("blank-token", 3)]),
        (GOLD.replace("saw O", "saw O\n"), [("sentence-border", 4)]),
        (GOLD.replace("\n\n", "\n"), [("sentence-border", 6)]),
        (GOLD.replace("Bo B-PER", "Bo I-PER"), [("tag", 7)]),
        (GOLD.replace("\n\n", "\n\n\n"), []),
        (GOLD.replace("\n", "\r\n"), []),
        ("\ufeff" + GOLD, []),
        (f"-DOCSTART- O\n\n{GOLD}", []),
    ],
    ids=[
        "stuck-bare",
        "stuck-two",
        "stuck-prefixed",
        "stuck-twice",
        "split",
        "split-half-tagged",
        "split-outside",
        "joined",
        "blank",
        "blank-tab",
        "border-added",
        "border-lost",
        "stray",
        "blank-lines",
        "crlf",
        "bom",
        "docstart",
    ],
)
def test_known_dirt_is_mended_and_noted_at_its_line(
    tmp_path: Path, dirty: str, expected: list[tuple[str, int]]
) -> None:
    """Each dirty copy gives the same answers as a clean one."""
    reading = read(tmp_path, {"gold/one.txt": GOLD, "ada/one.txt": dirty})

    assert only_answers(reading) == PERFECT
    assert notes(reading) == [(kind, "one.txt", line) for kind, line in expected]


def test_a_label_that_sticks_in_the_gold_is_taken_off(tmp_path: Path) -> None:
    """Gold is mended like answers; a slash without a label stays."""
    gold = GOLD.replace("Bo B-PER", "Bo/B-PER O").replace("saw O", "and/or O")
    copy = GOLD.replace("saw O", "and/or O")

    reading = read(tmp_path, {"gold/one.txt": gold, "ada/one.txt": copy})

    assert reading.dataset.sentences[1].tokens == ("Bo", "slept", ".")
    assert reading.dataset.sentences[0].tokens[1] == "and/or"
    assert reading.dataset.gold_spans(1) == PERFECT[1][1]
    assert [r.what for r in reading.repairs] == ["Bo/B-PER O read as Bo B-PER"]


def test_a_label_that_was_in_the_text_already_is_not_the_answer_of_a_worker(
    tmp_path: Path,
) -> None:
    """Where the gold has it stuck to the same token, the tag of the worker counts."""
    gold = GOLD.replace("Bo B-PER", "Bo/B-PER O")
    copy = GOLD.replace("Bo B-PER", "Bo/B-PER O").replace("Ana B-PER", "Ana/PER O")

    reading = read(tmp_path, {"gold/one.txt": gold, "ada/one.txt": copy})

    assert reading.dataset.gold_spans(1) == PERFECT[1][1]
    assert only_answers(reading) == [PERFECT[0], ("one:1", ())]
    assert [r.kind for r in reading.repairs] == ["stuck-label"] * 3


def test_comments_are_noted(tmp_path: Path) -> None:
    """They have no place in a data set."""
    reading = read(tmp_path, {"gold/one.txt": "# by hand\n" + GOLD, "ada/one.txt": GOLD})

    assert only_answers(reading) == PERFECT
    assert [(r.kind, r.what) for r in reading.repairs] == [("comment", "1 comment line left out")]


def test_spans_on_two_parts_of_a_token_become_one(tmp_path: Path) -> None:
    """Both parts carry a B of their own; the token can have one span only."""
    dirty = GOLD.replace("Ana B-PER", "A B-PER\nna B-PER")

    reading = read(tmp_path, {"gold/one.txt": GOLD, "ada/one.txt": dirty})

    assert only_answers(reading) == PERFECT
    assert [r.kind for r in reading.repairs] == ["split-token", "overlap"]


def test_a_copy_that_stops_early_counts_as_far_as_it_goes(tmp_path: Path) -> None:
    """Whole sentences are answers; the rest is noted."""
    copy = GOLD.replace("slept O\n. O\n", "")

    reading = read(tmp_path, {"gold/one.txt": GOLD, "ada/one.txt": copy})

    assert only_answers(reading) == PERFECT[:1]
    assert [(r.kind, r.place.line, r.what) for r in reading.repairs] == [
        ("refused", 7, "1 token from 'Bo' on match no sentence; left out"),
        (
            "partial",
            None,
            "1 of 2 sentences not whole in the file, the first one 'one:1'; taken as not answered",
        ),
    ]


def test_a_damaged_sentence_does_not_take_the_others_along(tmp_path: Path) -> None:
    """What comes after the damage is found again."""
    copy = GOLD.replace("saw O", "seen O")

    reading = read(tmp_path, {"gold/one.txt": GOLD, "ada/one.txt": copy})

    assert only_answers(reading) == PERFECT[1:]
    assert notes(reading) == [("refused", "one.txt", 1), ("partial", "one.txt", None)]


def test_sentences_may_be_left_out_of_a_copy(tmp_path: Path) -> None:
    """They are not answered, and that is noted."""
    copy = GOLD.partition("\n\n")[2]

    reading = read(tmp_path, {"gold/one.txt": GOLD, "ada/one.txt": copy})

    assert only_answers(reading) == PERFECT[1:]
    assert [r.kind for r in reading.repairs] == ["partial"]


@pytest.mark.parametrize(
    ("copy", "what"),
    [
        (
            "Something O\nelse O\n",
            "no sentence of the document is in it (it begins with 'Somethin",
        ),
        ("", "there are no tokens in it"),
    ],
)
def test_a_copy_of_something_else_is_refused_and_noted(
    tmp_path: Path, copy: str, what: str
) -> None:
    """The other workers still count."""
    files = {"gold/one.txt": GOLD, "ada/one.txt": copy, "bo/one.txt": GOLD}

    reading = read(tmp_path, files)

    assert only_answers(reading) == PERFECT
    assert [(r.kind, Path(r.place.path).parent.name) for r in reading.repairs] == [
        ("refused", "ada")
    ]
    assert what in reading.repairs[0].what


def test_a_document_without_gold_has_the_sentences_of_the_first_copy(tmp_path: Path) -> None:
    """It has answers but no gold, and what is mended is noted once."""
    dirty = GOLD.replace("Ana B-PER", "Ana/PER O")
    files = {"gold/two.txt": GOLD, "ada/one.txt": dirty, "bo/one.txt": GOLD}

    reading = read(tmp_path, files)

    assert reading.dataset.sentences.ids == ("one:0", "one:1", "two:0", "two:1")
    assert reading.dataset.has_gold.tolist() == [False, False, True, True]
    assert len(reading.dataset.answers) == 4
    assert [r.kind for r in reading.repairs] == ["gold", "stuck-label"]
    assert "no gold for document 'one'" in reading.repairs[0].what


def test_an_empty_gold_file_is_as_good_as_none(tmp_path: Path) -> None:
    """The first copy that has tokens gives the sentences; no tokens at all give none."""
    files = {"gold/one.txt": "", "gold/two.txt": GOLD, "gold/void.txt": "\n"}
    files |= {"ada/two.txt": GOLD, "bo/one.txt": "", "cy/one.txt": GOLD}

    reading = read(tmp_path, files)

    assert reading.dataset.sentences.ids == ("one:0", "one:1", "two:0", "two:1")
    assert sorted((r.kind, Path(r.place.path).parent.name) for r in reading.repairs) == [
        ("gold", "cy"),
        ("refused", "bo"),
        ("refused", "gold"),
        ("refused", "gold"),
    ]


def test_question_marks_mean_not_answered_and_no_gold(tmp_path: Path) -> None:
    """They stand on all tokens of a sentence."""
    unknown = "Ana ?\nsaw ?\nNew ?\nYork ?\n. ?\n\nBo B-PER\nslept O\n. O\n"

    reading = read(tmp_path, {"gold/one.txt": unknown, "ada/one.txt": unknown})

    assert reading.dataset.has_gold.tolist() == [False, True]
    assert only_answers(reading) == PERFECT[1:]
    assert reading.repairs == ()


@pytest.mark.parametrize(
    ("copy", "line", "problem"),
    [
        (GOLD + "Rome LOC\n", 10, "found tag 'LOC'; expected O, or a position with a label"),
        (GOLD + "Rome\n", 10, "found 1 column (Rome); expected a token and a tag, separated by"),
        (
            GOLD.replace("slept O", "slept ?"),
            8,
            "sentence 'one:1', worker 'ada': ? on 1 of 3 tokens of the sentence; expected ? on",
        ),
    ],
    ids=["tag", "column", "half"],
)
def test_broken_files_are_refused_with_file_and_line(
    tmp_path: Path, copy: str, line: int, problem: str
) -> None:
    """The message names the file of the worker."""
    error = refusal(tmp_path, {"gold/one.txt": GOLD, "ada/one.txt": copy})

    assert error.place.path == str(tmp_path / "ada" / "one.txt")
    assert error.place.line == line
    assert problem in str(error)


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        (
            {"gold/one.txt": GOLD, "expert/one.txt": GOLD, "ada/one.txt": GOLD},
            "found 2 folders of gold (expert, gold); expected one",
        ),
        (
            {"gold/one.txt": GOLD, "a/ada/one.txt": GOLD, "b/bo/one.txt": GOLD},
            "found 2 folders with folders in them (a, b); expected the folders of the workers in",
        ),
        (
            {"gold/one.txt": GOLD, "ada/one.txt": GOLD, "ada/one.conll": GOLD},
            "found document 'one' again; expected only one.conll",
        ),
        ({"one.txt": GOLD}, "found no folder of a worker; expected a folder per worker"),
        ({"gold/.keep": "", "ada/.keep": ""}, "there are no sentences in it"),
    ],
    ids=["gold", "containers", "twice", "none", "empty"],
)
def test_layouts_that_can_be_read_in_two_ways_are_refused(
    tmp_path: Path, files: dict[str, str], problem: str
) -> None:
    """The message says what was found."""
    assert problem in str(refusal(tmp_path, files))


def test_a_file_is_not_a_crowd_directory(tmp_path: Path) -> None:
    """It is refused with what was expected."""
    made(tmp_path, {"x.txt": GOLD})

    with pytest.raises(FormatError, match="found a file; expected a folder with a folder per"):
        CrowdDirectory().read(tmp_path / "x.txt", ReadOptions())


def test_progress_ends_with_all_bytes(tmp_path: Path) -> None:
    """It is told after each document."""
    seen: list[tuple[int, int]] = []
    made(tmp_path, {"gold/one.txt": GOLD, "gold/two.txt": GOLD, "ada/one.txt": GOLD})
    options = ReadOptions(progress=lambda done, total: seen.append((done, total)))

    CrowdDirectory().read(tmp_path, options)

    total = 3 * len(GOLD)
    assert seen == [(2 * len(GOLD), total), (total, total)]


@given(
    st.lists(st.text("ab.", min_size=1, max_size=4), min_size=1, max_size=8),
    st.data(),
)
def test_alignment_finds_sentences_that_were_kept(
    sentences: list[str], data: st.DataObject
) -> None:
    """Left-out sentences cost nothing else, however the tokens were split."""
    kept = data.draw(st.lists(st.booleans(), min_size=len(sentences), max_size=len(sentences)))
    text = [each for each, stays in zip(sentences, kept, strict=True) if stays]
    rows = [char for sentence in text for char in sentence]

    matches = align(sentences, rows)

    covered = "".join("".join(rows[match.start : match.end]) for match in matches)
    assert covered == "".join(sentences[match.sentence] for match in matches)
    assert sum(match.end - match.start for match in matches) == len(rows)
    assert [match.sentence for match in matches] == sorted({m.sentence for m in matches})


def test_alignment_prefers_many_characters_to_an_early_match() -> None:
    """A short sentence that stands in two places does not lead astray."""
    matches = align(["Ana left", "Bo slept", "-"], ["-", "Ana left", "x", "Bo slept", "-"])

    assert matches == [Match(0, 1, 2), Match(1, 3, 4), Match(2, 4, 5)]


def comparable(dataset: Dataset) -> dict[str, Any]:
    """Return tokens, gold and answers of every sentence, whatever the order of workers."""
    return {
        sentence.id: (
            sentence.tokens,
            dataset.gold_spans(position),
            {(answer.worker, answer.spans) for answer in dataset.answers_on(position)},
        )
        for position, sentence in enumerate(dataset.sentences)
    }


def in_documents(dataset: Dataset) -> Dataset:
    """Return the same data with sentences named and placed as in a crowd directory."""
    names = {id_: ("ab"[k % 2], k // 2) for k, id_ in enumerate(dataset.sentences.ids)}
    ids = {id_: f"{document}:{index}" for id_, (document, index) in names.items()}
    sentences = [
        Sentence.from_tokens(
            ids[sentence.id],
            sentence.tokens,
            dict(zip(("document", "index"), names[sentence.id], strict=True)),
        )
        for sentence in sorted(dataset.sentences, key=lambda each: ids[each.id])
    ]
    gold = {
        ids[id_]: spans
        for k, id_ in enumerate(dataset.sentences.ids)
        if (spans := dataset.gold_spans(k)) is not None
    }
    answers = [dataset.answer(k) for k in range(len(dataset.answers))]
    renamed = [Answer(ids[answer.sentence], answer.worker, answer.spans) for answer in answers]
    return Dataset.of(sentences, gold, renamed, dataset.labels)


@given(datasets())
def test_gold_and_answers_survive_the_round_trip(dataset: Dataset) -> None:
    """Also where sentences are alike and a worker answered only the second of them."""
    original = in_documents(dataset)
    with tempfile.TemporaryDirectory() as folder:
        lost = CrowdDirectory().write(original, Path(folder, "crowd"))
        back, repairs = CrowdDirectory().read(
            Path(folder, "crowd"), ReadOptions(labels=original.labels)
        )

    assert comparable(back) == comparable(original)
    assert back.sentences == original.sentences
    assert repairs == ()
    assert {repair.what.split(":")[0].partition(" ")[2] for repair in lost} <= {
        "label without spans",
        "labels without spans",
    }


def test_files_are_written_per_document_and_worker(tmp_path: Path) -> None:
    """Sentences without a document share one file; those not answered have question marks."""
    sentences = [
        Sentence.from_tokens("a", ["Ana"], {"filename": "x/one.txt"}),
        Sentence.from_tokens("b", ["Bo"]),
        Sentence.from_tokens("c", ["New York"]),
    ]
    answers = [Answer("a", "gold", ()), Answer("c", "w", (Span(0, 1, "LOC"),))]

    CrowdDirectory().write(
        Dataset.of(sentences, {"b": [Span(0, 1, "PER")]}, answers), tmp_path / "crowd"
    )

    files = sorted((tmp_path / "crowd").rglob("*.txt"))
    assert {str(path.relative_to(tmp_path / "crowd")): path.read_text() for path in files} == {
        "answers/gold/x_one.txt": "Ana\tO\n\n",
        "answers/w/all.txt": "Bo\t?\n\nNew York\tB-LOC\n\n",
        "ground_truth/all.txt": "Bo\tB-PER\n\nNew York\t?\n\n",
        "ground_truth/x_one.txt": "Ana\t?\n\n",
    }


def test_gold_alone_survives_the_round_trip(tmp_path: Path) -> None:
    """Without workers there is only the folder of gold, which is still recognised."""
    dataset, _ = read(tmp_path / "first", {"gold/one.txt": GOLD})

    CrowdDirectory().write(dataset, tmp_path / "second")

    assert CrowdDirectory().recognises(tmp_path / "second", "")
    assert CrowdDirectory().read(tmp_path / "second", ReadOptions()).dataset == dataset


def test_what_it_cannot_hold_is_counted(tmp_path: Path) -> None:
    """Ids, meta, texts, times and tokens like Rome/LOC are left out or altered with a word."""
    sentence = Sentence("a", "Rome/LOC!", ((0, 8), (8, 9)), {"page": 1})
    dataset = Dataset.of([sentence], None, [Answer("a", "w", (), at=1.0)], LabelSet(("LOC",)))

    lost = CrowdDirectory().write(dataset, tmp_path / "crowd")

    assert [repair.what.split(":")[0] for repair in lost] == [
        "1 sentence id",
        "1 sentence with meta",
        "1 original text",
        "1 answer with seconds, time or source",
        "1 label without spans",
        "1 token that ends like a label",
    ]


@pytest.mark.parametrize("worker", ["a/b", "..", ".hidden", "a\\b"])
def test_workers_that_cannot_be_folders_are_refused(tmp_path: Path, worker: str) -> None:
    """No name may lead out of the folder."""
    dataset = Dataset.of([Sentence.from_tokens("1", ["a"])], None, [Answer("1", worker)])

    with pytest.raises(FormatError, match="cannot be the name of a folder"):
        CrowdDirectory().write(dataset, tmp_path / "crowd")


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"ground_truth/one.txt": GOLD, "ada/one.txt": GOLD}, True),
        ({"Gold/one.txt": GOLD, "answers/ada/one.txt": GOLD}, True),
        ({"gold/one.txt": GOLD}, True),
        ({"gold/one.txt": GOLD, "model.bin": "x"}, False),
        ({"gold/data-00000.arrow": "x", "train/data-00000.arrow": "x"}, False),
        ({"train/one.txt": GOLD}, False),
        ({"one.txt": GOLD}, False),
    ],
)
def test_a_folder_of_gold_beside_others_is_recognised(
    tmp_path: Path, files: dict[str, str], expected: bool
) -> None:
    """Other folders and files are not."""
    made(tmp_path, files)

    assert CrowdDirectory().recognises(tmp_path, "") is expected
    assert not CrowdDirectory().recognises(tmp_path / next(iter(files)), GOLD)


@pytest.mark.long
@pytest.mark.realdata
def test_the_conll_crowd_survives_the_way_through_a_directory(
    real_data: Path, tmp_path: Path
) -> None:
    """Every answer comes back; 11 tokens of the real text have a label stuck to them.

    The directory takes it off, which changes token and gold but no answer.
    """
    dataset, _ = Collected().read(real_data / "conll-crowd" / "collected.json", ReadOptions())

    lost = CrowdDirectory().write(dataset, tmp_path / "crowd")
    back, repairs = CrowdDirectory().read(tmp_path / "crowd", ReadOptions())

    assert any(repair.what.startswith("11 tokens that end like a label") for repair in lost)
    assert {repair.kind for repair in repairs} == {"stuck-label"}
    assert (len(back), len(back.workers), len(back.answers)) == (4580, 47, 16475)
    assert answers_by_text(back) == answers_by_text(dataset)


def answers_by_text(dataset: Dataset) -> list[tuple[str, list[Any]]]:
    """Return the answers on each text without stuck labels, whatever the ids."""
    return sorted(
        (
            re.sub(r"/([BI]-)?(LOC|MISC|ORG|PER)(?= |$)", "", sentence.text),
            sorted((answer.worker, answer.spans) for answer in dataset.answers_on(position)),
        )
        for position, sentence in enumerate(dataset.sentences)
    )
