"""A look at data of any kind: which column is which, how text is cut, and what would help."""

import io
import json
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spancrew.errors import REMEDIES
from spancrew.formats import LAYOUTS, formats, formats_for, read, write
from spancrew.server.pages.assets import PAGES
from tests.server.conftest import Visitor

REVIEWS = "nr,review text,stars\nr1,Dr. Wu left. She was happy.,5\nr2,Yes.,4\n"
PROLIFIC = "who,sentence,from,bis,kind\n5f,Ana left Rome.,0,3,PER\n60,Yes.,,,\n"


def look(
    admin: Visitor, file: str | bytes, name: str = "data.csv", format_: str = "", **reading: Any
) -> Any:
    """Send a file to look at, with choices how to read it."""
    content = file.encode() if isinstance(file, str) else file
    fields = {"reading": json.dumps(reading), "format": format_}
    return admin.call("POST", "/inspections", data=fields, files={"file": (name, content)})


def test_without_a_text_column_the_columns_are_there_to_choose_from(admin: Visitor) -> None:
    """With an example of each, and all layouts that the format knows."""
    error = look(admin, REVIEWS).json()["error"]

    assert error["code"] == "data"
    assert error["option"] == "text_column"
    assert error["message"].startswith("no column looks like the text (columns: nr, review text,")
    table = error["reading"]["table"]
    assert [each["name"] for each in table["columns"]] == ["nr", "review text", "stars"]
    assert table["columns"][2]["example"] == "5"
    assert table["layouts"] == {
        name: {"needs": list(each.needs), "takes": list(each.takes)}
        for name, each in LAYOUTS.items()
    }


def test_a_choice_of_columns_and_pieces_counts(admin: Visitor) -> None:
    """The same reader as everywhere: other columns are kept, sentences are cut from texts."""
    columns = {"text": "review text", "id": "nr"}
    found = look(admin, REVIEWS, columns=columns, split="sentences").json()

    assert found["sentences"] == 3
    assert [each["sentence"]["id"] for each in found["examples"]] == ["r1:1", "r1:2", "r2:1"]
    assert found["reading"]["format"] == "csv"
    assert found["reading"]["table"]["layout"] == "texts"
    assert found["reading"]["table"]["roles"] == {"text": "review text", "id": "nr"}
    assert "split" in found["reading"]["follows"]


def test_answers_in_a_table_are_shown_with_their_workers(admin: Visitor) -> None:
    """The first of each example, in tokens."""
    columns = {"worker": "who", "start": "from", "end": "bis", "label": "kind"}
    found = look(admin, PROLIFIC, columns=columns).json()

    assert (found["sentences"], found["workers"], found["answers"]) == (2, 2, 2)
    assert found["examples"][0]["answers"] == [
        {
            "worker": "5f",
            "spans": [{"start": 0, "end": 1, "label": "PER"}],
        }
    ]
    assert found["reading"]["table"]["layout"] == "spans"


@pytest.mark.parametrize(
    ("text", "format_", "sentences"),
    [
        ("Ana left Rome.\nYes.", "text", 2),
        ("id\ttext\n1\tAna left Rome.\n2\tYes.\n", "csv", 2),
        ('{"text": "Yes."}\n', "json", 1),
        ("Ana B-PER\nleft O\n", "conll", 1),
    ],
)
def test_pasted_text_is_recognised(
    admin: Visitor, text: str, format_: str, sentences: int
) -> None:
    """What looks like nothing else is text."""
    found = admin.ok("POST", "/inspections", files={"text": (None, text)})

    assert (found["format"], found["sentences"]) == (format_, sentences)


def test_workbooks_and_parquet_are_read(admin: Visitor) -> None:
    """A formula is what it came to, or nothing; it is never worked out here."""
    openpyxl, arrow = pytest.importorskip("openpyxl"), pytest.importorskip("pyarrow")
    book, target = openpyxl.Workbook(), io.BytesIO()
    for row in (["text", "n"], ["Ana left Rome.", '=HYPERLINK("http://x","y")'], ["Yes.", "=1+1"]):
        book.active.append(row)
    book.save(target)
    sink = arrow.BufferOutputStream()
    pytest.importorskip("pyarrow.parquet").write_table(arrow.table({"text": ["Yes."]}), sink)
    excel = look(admin, target.getvalue(), "data.xlsx").json()
    parquet = look(admin, sink.getvalue().to_pybytes(), "data.parquet").json()

    assert (excel["format"], excel["sentences"]) == ("xlsx", 2)
    assert [each["example"] for each in excel["reading"]["table"]["columns"]][1] == ""
    assert (parquet["format"], parquet["sentences"]) == ("parquet", 1)


OVERLAP = '{"text": "Ana left.", "label": [[0, 3, "A"], [0, 8, "B"]]}\n'
UNEQUAL = "id,text,worker,spans\n1,Yes.,w,[]\n1,No.,v,[]\n"
SLIP = "text,worker,spans\n" + "".join(
    f'Ana {k} left.,w,"[[0,3,""{"PRE" if k == 30 else "PER"}""]]"\n' for k in range(31)
)
LAYERS = """#FORMAT=WebAnno TSV 3.3
#T_SP=webanno.custom.Ship|sail|crew
#T_SP=webanno.custom.Sea|x


#Text=Yes
1-1\t0-3\tYes\ta\tb\tc\t
"""
WRONG = "text,start,end,label\nYes.,0,x,A\n"
ELSEWHERE = {"to", "split", "discontinuous", "label_names"}
"""What only writing and formats of folders ask for; below are some of these as archives."""
PROBLEMS: list[tuple[str, str, dict[str, Any], str | None]] = [
    ("a.csv", REVIEWS, {}, "text_column"),
    ("a.json", '[{"nr": 1, "paragraph": "Yes."}]', {}, "text_column"),
    ("a.csv", REVIEWS, {"columns": {"text": "nothing"}}, "columns"),
    ("a.csv", REVIEWS, {"columns": {"text": "nr", "start": "stars"}}, "columns"),
    ("a.dat", "just prose\n", {}, "format"),
    ("a.jsonl", OVERLAP, {}, "overlaps"),
    ("a.csv", UNEQUAL, {}, "skip_unequal"),
    ("a.csv", SLIP, {}, "labels"),
    ("a.csv", UNEQUAL, {"split": "lines", "skip_unequal": True}, "unused"),
    ("a.txt", "Yes.\n", {"columns": {"text": "x"}}, "unused"),
    ("a.tsv", LAYERS, {}, "layer"),
    ("a.tsv", LAYERS, {"columns": {"layer": "Ship"}}, "feature"),
    ("a.csv", WRONG, {}, None),
    ("a.csv", "text,text\nYes.,No.\n", {}, None),
    ("a.csv", 'text\n"Yes.\n', {}, None),
    ("a.json", '[{"text": 7}]', {}, None),
    ("a.txt", " \n", {}, None),
    ("a.csv", "text,spans\nYes.,none\n", {"columns": {"spans": "spans"}}, None),
    ("a.xlsx", "no workbook", {}, "format"),
    ("a.csv", "text\nYes.\n", {"labels": ["A", "A"]}, None),
]


@pytest.mark.parametrize("route", ["inspections", "campaigns"])
def test_what_cannot_be_read_names_an_option_and_never_a_flag(admin: Visitor, route: str) -> None:
    """Wherever the data are sent: the page has a control for it, or the message says enough."""
    for name, text, reading, option in PROBLEMS:
        answer = admin.call(
            "POST",
            f"/{route}",
            data={"reading": json.dumps(reading), "name": "x"},
            files={"file": (name, text.encode())},
        )
        error = answer.json()["error"]

        assert answer.status_code == 422
        assert error.get("option") == option, (name, text)
        assert "--" not in error["message"] + error.get("remedy", "")
        assert "upload" not in error["message"]
    assert {option for *_, option in PROBLEMS} - {None} == REMEDIES.keys() - ELSEWHERE


def test_a_wrong_cell_names_row_and_column(admin: Visitor) -> None:
    """And what would be right there."""
    error = look(admin, WRONG).json()["error"]

    assert error["message"] == "line 2: found column 'end': 'x'; expected a number"
    assert error["reading"]["table"]["roles"]["end"] == "end"


@pytest.mark.parametrize(
    "reading",
    [
        "[]",
        "7",
        '{"x": 1}',
        '{"split": "words"}',
        '{"columns": {"text": 7}}',
        '{"skip_unequal": 1}',
    ],
)
def test_choices_that_do_not_exist_are_refused(admin: Visitor, reading: str) -> None:
    """By name."""
    files = {"file": ("a.csv", REVIEWS.encode())}
    answer = admin.call("POST", "/inspections", data={"reading": reading}, files=files)

    assert answer.status_code == 422
    assert answer.json()["error"]["message"].startswith("reading")


def test_a_campaign_reads_as_the_preview_did(admin: Visitor) -> None:
    """The choices go with the data each time."""
    reading = json.dumps({"columns": {"text": "review text", "id": "nr"}, "split": "sentences"})
    fields = {"name": "Reviews", "plan": json.dumps({"labels": ["PER"]}), "reading": reading}
    files = {"file": ("reviews.csv", REVIEWS.encode())}
    made = admin.ok("POST", "/campaigns", data=fields, files=files)

    assert made["sentences"] == 3


def test_a_rehearsal_reads_so_too(admin: Visitor) -> None:
    """What its process refuses names the option as well."""
    fields = {"plan": "{}", "reading": json.dumps({"split": "lines", "skip_unequal": True})}
    files = {"file": ("a.csv", UNEQUAL.encode())}
    error = admin.call("POST", "/rehearsals", data=fields, files=files).json()["error"]

    assert (error["code"], error["option"], error["value"]) == ("data", "unused", "split")


def test_a_look_leaves_no_file_behind(
    admin: Visitor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither when it goes well nor when it does not."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    looks = [look(admin, text).status_code for text in ("text\nYes.\n", REVIEWS)]

    assert looks == [200, 422]
    assert list(place.iterdir()) == []


def test_the_page_offers_all_formats_that_are_files() -> None:
    """Folders are sent as archives; the files of one of them may be compressed once more."""
    page = (PAGES / "templates" / "new.html").read_text("utf-8")
    offered = {name for name in formats() if f'("{name}", "' in page or f'value="{name}"' in page}

    assert offered == formats_for("spans").keys() - {"huggingface"}


BRAT = {"p/a.txt": "Ana left Rome.\n", "p/a.ann": "T1\tPER 0 3\tAna\nT2\tLOC 9 13\tRome\n"}
PIECES = {**BRAT, "p/a.ann": "T1\tPER 0 3;9 13\tAna Rome\n"}
TWO_LINES = {"p/a.txt": "Ana\nleft.\n", "p/a.ann": "T1\tPER 0 8\tAna left\n"}


def packed(files: dict[str, str]) -> bytes:
    """Return an archive of files."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return target.getvalue()


@pytest.mark.parametrize(
    ("files", "format_", "sentences"),
    [
        (BRAT, "brat", 1),
        ({"x/a.txt": "Yes.\nNo.\n", "x/b.txt": "Perhaps.\n"}, "text", 3),
        ({"reviews.csv": "text\nYes.\n"}, "csv", 1),
        (
            {"tasks.json": '[{"id": 1, "data": {"text": "Yes."}, "annotations": []}]'},
            "label-studio",
            1,
        ),
        ({"ground_truth/a.txt": "Yes O\n", "answers/w/a.txt": "Yes O\n"}, "crowd-dir", 1),
    ],
)
def test_an_archive_is_looked_at_and_taken_as_what_is_in_it(
    admin: Visitor, files: dict[str, str], format_: str, sentences: int
) -> None:
    """The preview and the campaign have the same sentences."""
    archive = packed(files)
    found = look(admin, archive, "data.zip").json()
    fields = {"name": "Packed", "plan": json.dumps({"labels": ["PER", "LOC"]}), "gold": "ignore"}
    made = admin.ok("POST", "/campaigns", data=fields, files={"file": ("x.zip", archive)})

    assert (found["format"], found["sentences"]) == (format_, sentences)
    assert made["sentences"] == sentences


def test_a_project_of_inception_is_looked_at(admin: Visitor, tmp_path: Path) -> None:
    """With its annotators; it is an archive of its own, and read as on the command line."""
    demo = read("demo").dataset.take(np.arange(20))
    write(demo, tmp_path / "inception.zip")
    found = look(admin, (tmp_path / "inception.zip").read_bytes(), "project.zip").json()

    assert (found["format"], found["answers"]) == ("inception", len(demo.answers))


@pytest.mark.parametrize(
    ("files", "option"), [(PIECES, "discontinuous"), (TWO_LINES, "split")], ids=["pieces", "lines"]
)
def test_what_is_wrong_in_an_archive_has_the_name_of_its_file(
    admin: Visitor, files: dict[str, str], option: str
) -> None:
    """And what would help; where it was unpacked is told to nobody."""
    answer = look(admin, packed(files), "data.zip")
    error = answer.json()["error"]
    mended = look(admin, packed(files), "data.zip", **{option: error["value"] or "split"})

    assert answer.status_code == 422
    assert error["message"].startswith("p/a.ann, line 1: ")
    assert (error["option"], error["reading"]["format"]) == (option, "brat")
    assert "unpacked" not in answer.text
    assert mended.status_code == 200, mended.text


def test_repairs_in_an_archive_have_the_name_of_their_file(admin: Visitor) -> None:
    """Line by line."""
    rows = "Ana B-PER\nand O\nBo I-PER\nCy B-PER\nand I-PER\nDi B-PER\n"
    found = look(admin, packed({"x.conll": rows}), "data.zip").json()

    assert [each["place"] for each in found["repairs"]] == ["x.conll, line 3"]


def test_an_archive_of_other_things_says_what_is_in_it(admin: Visitor) -> None:
    """So that it can be packed better."""
    error = look(admin, packed({"d/a.xyz": "?", "d/b.csv": "text\nYes.\n"}), "x.zip").json()

    assert error["error"]["message"].endswith(", but d/b.csv looks like csv; take that alone")
