"""Tables: texts alone, a row per span, a row per answer, a column per worker."""

import json
from pathlib import Path
from typing import Any

import pytest

from spancrew.core import Dataset, Span
from spancrew.errors import FormatError
from spancrew.formats import Reading, formats, read, recognise, write
from tests.formats.drawn import answers_of, gold_of, spans_of

PER, LOC = Span(0, 1, "PER"), Span(2, 3, "LOC")


def read_table(path: Path, text: str, name: str = "data.csv", **options: Any) -> Reading:
    """Write a file and read it."""
    file = path / name
    file.write_text(text, encoding="utf-8", newline="")
    return read(file, **options)


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_texts_are_read_whatever_separates_the_columns(tmp_path: Path, separator: str) -> None:
    """Other columns become meta; empty cells are left out."""
    rows = [["id", "text", "stars"], ["a", "Ana left Rome.", "5"], ["b", "Yes.", ""]]
    text = "\r\n".join(separator.join(row) for row in rows)
    dataset, repairs = read_table(tmp_path, text)

    assert dataset.sentences.ids == ("a", "b")
    assert [dict(s.meta) for s in dataset.sentences] == [{"stars": "5"}, {}]
    assert dataset.sentences[0].tokens == ("Ana", "left", "Rome", ".")
    assert repairs == ()


def test_a_cell_may_hold_separators_quotes_and_line_ends(tmp_path: Path) -> None:
    """Texts come as they are, down to the line end."""
    dataset, _ = read_table(tmp_path, 'text,n\n"Ana, ""Bo""\r\nand me",1\n')

    assert dataset.sentences.texts == ('Ana, "Bo"\r\nand me',)


def test_quotation_marks_in_a_table_with_tabs_need_no_partner(tmp_path: Path) -> None:
    """Such files are often written without quoting."""
    dataset, _ = read_table(tmp_path, 'id\ttext\n1\t"Ana" left\n2\tBo "slept"\n', "data.tsv")

    assert dataset.sentences.texts == ('"Ana" left', 'Bo "slept"')


def test_a_table_is_recognised_by_its_header_whatever_its_name(tmp_path: Path) -> None:
    """Uploads have no name of their own."""
    (tmp_path / "upload").write_text("id,text\n1,Ana left Rome.\n")

    assert recognise(tmp_path / "upload").name == "csv"


@pytest.mark.parametrize("name", ["upload", "notes.txt"])
def test_prose_with_commas_is_no_table(tmp_path: Path, name: str) -> None:
    """Even if it begins with a word that columns have."""
    (tmp_path / name).write_text("Text, body and soul.\nAna left.\nBo, too, slept, he said.\n")

    assert not formats()["csv"].recognises(tmp_path / name, (tmp_path / name).read_text())


def test_a_file_of_one_column_may_have_commas_if_it_says_tabs(tmp_path: Path) -> None:
    """The ending decides where the header cannot."""
    dataset, _ = read_table(tmp_path, "text\nAna left, and slept.\n", "data.tsv")

    assert dataset.sentences.texts == ("Ana left, and slept.",)


def test_the_columns_of_text_and_id_can_be_named(tmp_path: Path) -> None:
    """Nothing about the names says what they hold."""
    dataset, _ = read_table(tmp_path, "k,b\n7,Yes.\n", columns={"text": "b", "id": "k"})

    assert (dataset.sentences.ids, dataset.sentences.texts) == (("7",), ("Yes.",))


@pytest.mark.parametrize("name", ["data.json", "data.jsonl", "upload"])
@pytest.mark.parametrize("columns", [{}, {"text": "paragraph"}])
def test_json_records_are_texts_with_meta(
    tmp_path: Path, name: str, columns: dict[str, str]
) -> None:
    """As lines; a field of any name can be the text."""
    field = columns.get("text", "text")
    record = {"id": 3, field: "Ana left.", "page": 7, "tags": ["a"], "none": None}
    dataset, _ = read_table(tmp_path, json.dumps(record), name, columns=columns)

    assert dataset.sentences.ids == ("3",)
    assert dataset.sentences[0].meta == {"page": 7, "tags": ["a"]}


def test_a_list_of_json_records_is_a_table_too(tmp_path: Path) -> None:
    """Sentences without an id are numbered."""
    dataset, _ = read_table(tmp_path, '[{"text": "Yes."},\n {"text": "No."}]', "data.json")

    assert dataset.sentences.ids == ("1", "2")


def test_documents_in_cells_are_split_with_their_offsets(tmp_path: Path) -> None:
    """The id of the row is the document; its other columns go to every sentence."""
    dataset, _ = read_table(
        tmp_path, "id,text,url\nr1,Dr. Wu left. He slept.,u\n", split="sentences"
    )

    assert dataset.sentences.ids == ("r1:1", "r1:2")
    assert dataset.sentences[1].meta == {"url": "u", "document": "r1", "start": 13}


def test_rows_without_a_text_are_counted(tmp_path: Path) -> None:
    """A row of separators alone is no row at all."""
    dataset, repairs = read_table(tmp_path, "id,text\n1,Yes.\n2,\n3,  \n,\n")

    assert len(dataset) == 1
    assert [repair.what for repair in repairs] == ["rows without a text were left out (2)"]


SPANS = """sentence_id,text,annotator,begin,end,type
s1,Ana left Rome.,ana,0,3,PER
s1,Ana left Rome.,ana,9,13,LOC
s1,Ana left Rome.,bo,9,13,LOC
s2,Yes.,bo,,,
"""


def test_a_row_per_span_is_an_answer_per_worker(tmp_path: Path) -> None:
    """A row without a span is an answer that marks nothing."""
    dataset, repairs = read_table(tmp_path, SPANS)

    assert spans_of(dataset) == {
        ("s1", "ana"): (PER, LOC),
        ("s1", "bo"): (LOC,),
        ("s2", "bo"): (),
    }
    assert repairs == ()


def test_rows_without_a_worker_are_gold(tmp_path: Path) -> None:
    """Whether the column is empty or not there."""
    with_column, _ = read_table(tmp_path, SPANS.replace(",bo,", ",,"))
    without, _ = read_table(tmp_path, "text,start,end,label\nAna left.,0,3,PER\n")

    assert gold_of(with_column) == {"s1": (LOC,), "s2": None}
    assert gold_of(without) == {"1": (PER,)}


def test_offsets_may_count_tokens(tmp_path: Path) -> None:
    """Then tokens are what stands between blanks, unless there is a column of them."""
    text = "text,worker,token_start,token_end,label\nAna left Rome.,ana,2,3,LOC\n"
    dataset, _ = read_table(tmp_path, text)

    assert dataset.sentences[0].tokens == ("Ana", "left", "Rome.")
    assert spans_of(dataset) == {("1", "ana"): (LOC,)}


@pytest.mark.parametrize(("start", "end"), [(2, 6), (3, 7), (2, 5), (3, 6)])
def test_a_quote_decides_how_offsets_are_counted(tmp_path: Path, start: int, end: int) -> None:
    """Code points or UTF-16 units; the last character inside or not."""
    text = f"text,worker,start,end,label,quote\n👍 Rome,ana,{start},{end},LOC,Rome\n"
    dataset, _ = read_table(tmp_path, text)

    assert spans_of(dataset) == {("1", "ana"): (Span(1, 2, "LOC"),)}


def test_columns_can_be_named_by_their_roles(tmp_path: Path) -> None:
    """As --columns does."""
    text = "phrase,who,a,b,kind\nAna left.,ana,0,3,PER\n"
    roles = {"text": "phrase", "worker": "who", "start": "a", "end": "b", "label": "kind"}
    dataset, _ = read_table(tmp_path, text, columns=roles)

    assert spans_of(dataset) == {("1", "ana"): (PER,)}


def quoted(value: Any) -> str:
    """Return JSON as a cell of a CSV file."""
    return '"' + json.dumps(value).replace('"', '""') + '"'


@pytest.mark.parametrize(
    "spans",
    [
        [{"start": 0, "end": 3, "label": "PER"}],
        [[0, 3, "PER"]],
        [["PER", 0, 3]],
        [{"start_offset": 0, "end_offset": 3, "labels": ["PER"], "text": "Ana"}],
        [{"token_start": 0, "token_end": 1, "label": "PER"}],
        {"entities": [{"startOffset": 0, "endOffset": 3, "label": "PER"}]},
        [{"ner": {"entities": [{"startOffset": 0, "endOffset": 3, "label": "PER"}]}}],
    ],
)
def test_a_row_per_answer_has_spans_of_many_shapes(tmp_path: Path, spans: Any) -> None:
    """The last one is what MTurk's element for entities gives."""
    text = f"WorkerId,Input.text,Answer.taskAnswers\nW1,Ana left.,{quoted(spans)}\n"
    dataset, _ = read_table(tmp_path, text)

    assert spans_of(dataset) == {("1", "W1"): (PER,)}


def test_time_and_duration_of_an_answer_are_kept(tmp_path: Path) -> None:
    """What differs between answers and is not known has no place, and is reported."""
    text = (
        "PROLIFIC_PID,sentence_id,text,spans,time_taken,submitted_at,browser,topic\n"
        "p1,s1,Yes.,[],12.5,2026-03-01T10:00:00Z,a,x\np2,s1,Yes.,[],7,noon,b,x\n"
    )
    dataset, repairs = read_table(tmp_path, text)
    first, second = (answers_of(dataset)["s1", worker] for worker in ("p1", "p2"))

    assert (first.seconds, first.at, second.seconds, second.at) == (12.5, 1772359200.0, 7.0, None)
    assert dataset.sentences[0].meta == {"topic": "x"}
    assert [(r.kind, r.what) for r in repairs] == [
        ("time", "'noon' is not a time in ISO 8601; it was left out"),
        ("column", "column 'browser' differs between rows of one sentence; left out (1)"),
    ]


def test_a_column_per_worker_is_known_by_its_lists_of_spans(tmp_path: Path) -> None:
    """An empty cell is no answer, an empty list is one."""
    text = f"text,note,ana,bo\nAna left.,x,{quoted([[0, 3, 'PER']])},[]\nYes.,y,,[]\n"
    dataset, _ = read_table(tmp_path, text)

    assert spans_of(dataset) == {("1", "ana"): (PER,), ("1", "bo"): (), ("2", "bo"): ()}
    assert dataset.sentences[0].meta == {"note": "x"}


def test_a_worker_who_answered_twice_counts_once(tmp_path: Path) -> None:
    """The last row does."""
    row = "w,Ana left.,{}\n"
    text = "worker,text,spans\n" + row.format("[]") + row.format(quoted([[0, 3, "PER"]]))
    dataset, repairs = read_table(tmp_path, text)

    assert spans_of(dataset) == {("1", "w"): (PER,)}
    assert [repair.kind for repair in repairs] == ["repeated"]


def test_rows_of_one_sentence_with_two_texts_are_refused_or_left_out(tmp_path: Path) -> None:
    """The message shows both."""
    text = "id,worker,text,spans\ns1,ana,Yes.,[]\ns1,bo,No.,[]\n"

    with pytest.raises(FormatError, match=r"line 3: sentence 's1' is 'No.' here and 'Yes.'"):
        read_table(tmp_path, text)
    dataset, repairs = read_table(tmp_path, text, skip_unequal=True)

    assert spans_of(dataset) == {("s1", "ana"): ()}
    assert [repair.kind for repair in repairs] == ["unequal"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n", r"no column looks like the text \(columns: a, b\).*under 'text'"),
        ("text,text\n1,2\n", "two columns are called 'text'"),
        ("id,text\n1,Yes.,no\n", r"line 2: found 3 columns \('no' is the last\).*quotes"),
        ('id,text\n1,"Yes."x\n', "line 2: found a row that cannot be read"),
        (
            "text,worker,spans\nYes.,w,none\n",
            "line 2: found column 'spans': 'none'; expected a li",
        ),
        (
            "text,start,end,label\nYes.,0,x,A\n",
            "line 2: found column 'end': 'x'; expected a number",
        ),
        (
            "text,start,end,label\nYes.,0,1.5,A\n",
            "line 2: found column 'end': '1.5'; exp",
        ),
        ("text,start,end,label\nYes.,0,9,A\n", "characters 0-9"),
        ("text,start,end,label\nYes.,0,1,\n", "line 2: found column 'label': None"),
        (",\n,\n", "names no columns"),
        ("text\n\n", "there are no sentences"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(
    tmp_path: Path, text: str, message: str
) -> None:
    """And with what to do."""
    with pytest.raises(FormatError, match=message):
        read_table(tmp_path, text)


def test_a_role_or_a_column_that_is_not_there_is_refused(tmp_path: Path) -> None:
    """The message names those that are."""
    with pytest.raises(FormatError, match=r"no column 'x' for the text.*columns: a, b"):
        read_table(tmp_path, "a,b\n1,2\n", columns={"text": "x"})
    with pytest.raises(FormatError, match="no role 'who'; choose from text, id"):
        read_table(tmp_path, "a,b\n1,2\n", columns={"who": "a"})


def test_texts_with_spans_cannot_be_split(tmp_path: Path) -> None:
    """Their offsets would lead nowhere."""
    with pytest.raises(FormatError, match="leave split out"):
        read_table(tmp_path, SPANS, split="sentences")


def test_columns_that_came_in_go_out_again(tmp_path: Path) -> None:
    """With labels beside them."""
    dataset, _ = read_table(tmp_path, "id,text,url\na,Ana left.,u1\nb,Yes.,u2\n")
    for name in ("out.csv", "out.xlsx", "out.parquet"):
        write(dataset, tmp_path / name)
        back, _ = read(tmp_path / name)

        assert back == dataset
    assert (tmp_path / "out.csv").read_text().splitlines()[:2] == [
        "id,text,gold,url",
        "a,Ana left.,,u1",
    ]


def test_text_in_a_workbook_is_never_a_formula(tmp_path: Path) -> None:
    """Nor an error, nor too long."""
    rows = "id,text\n1,=SUM(A1)\n2,#N/A\n3,_x0041_\n"
    dataset, _ = read_table(tmp_path, rows)
    write(dataset, tmp_path / "out.xlsx")
    back, _ = read(tmp_path / "out.xlsx")

    assert back.sentences.texts == ("=SUM(A1)", "#N/A", "_x0041_")
    long, _ = read_table(tmp_path, f"text\n{'a' * 40_000}\n")
    with pytest.raises(FormatError, match="Excel holds 32,767; write csv"):
        write(long, tmp_path / "long.xlsx")


def test_sheets_without_a_text_are_reported(tmp_path: Path) -> None:
    """Numbers and dates in cells are kept as they are, or as text."""
    openpyxl = pytest.importorskip("openpyxl")
    from datetime import date

    book = openpyxl.Workbook()
    book.active.append(["What this file is about"])
    data = book.create_sheet("data")
    for row in (["id", "text", "n", "day"], [1, "Yes.", 7, date(2026, 3, 1)]):
        data.append(row)
    book.create_sheet("more")
    book.save(tmp_path / "book.xlsx")
    dataset, repairs = read(tmp_path / "book.xlsx")

    assert dataset.sentences.ids == ("1",)
    assert dataset.sentences[0].meta == {"n": 7, "day": "2026-03-01 00:00:00"}
    assert [r.what for r in repairs] == ["sheets beside 'data' were left out (2)"]


def test_a_parquet_file_of_another_team_is_read(tmp_path: Path) -> None:
    """Lists of structs are spans; columns keep their types."""
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    spans = [{"start": 0, "end": 3, "label": "PER"}]
    table = arrow.table(
        {"text": ["Ana left.", "Yes."], "spans": [spans, []], "n": [1, 2], "ok": [True, None]}
    )
    parquet.write_table(table, tmp_path / "data")
    dataset, _ = read(tmp_path / "data")

    assert gold_of(dataset) == {"1": (PER,), "2": ()}
    assert dataset.sentences[0].meta == {"n": 1, "ok": True}


def test_a_worker_without_a_name_cannot_be_written(tmp_path: Path) -> None:
    """An empty cell would be gold."""
    from spancrew.core import Answer, Sentence

    dataset = Dataset.of([Sentence.from_text("s", "Yes.")], answers=[Answer("s", "")])

    with pytest.raises(FormatError, match="worker without a name"):
        write(dataset, tmp_path / "out.csv")


@pytest.mark.parametrize("value", [1, "sport", ["sport", "news"], True])
@pytest.mark.parametrize("name", ["label", "labels"])
def test_a_class_of_the_whole_text_is_meta(tmp_path: Path, name: str, value: Any) -> None:
    """Data for classifiers has such a field; nobody marked anything in it."""
    text = json.dumps({"text": "Ana left.", name: value})
    dataset, repairs = read_table(tmp_path, text, "data.jsonl")

    assert recognise(tmp_path / "data.jsonl").name == "json"
    assert dataset.sentences[0].meta == {name: value}
    assert gold_of(dataset) == {"1": None}
    assert repairs == ()
