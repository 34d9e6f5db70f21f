"""Awkward files as newcomers have them: each is read, or refused with the place and a way on."""

import gzip
import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from spancrew.core import Span
from spancrew.errors import FormatError
from spancrew.formats import ReadOptions, named, preview, read
from tests.formats.tool_files import FILES

CSV = "id,text,city\n1,Ana sings.,Oslo\n2,Café Bo opens.,Rome\n"
TEXTS = ("Ana sings.", "Café Bo opens.")
TSV = CSV.replace(",", "\t")
WIDE = ("\ufeff" + CSV).encode("utf-16-le")
LINES = '{"text": "Ana sings."}\n' * 6


def packed(parts: Mapping[str, bytes | str]) -> bytes:
    """Return an archive."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return made.getvalue()


READ: Mapping[str, tuple[str, bytes | str]] = {
    "Unicode text of Excel": ("a.txt", ("\ufeff" + TSV.replace("\n", "\r\n")).encode("utf-16-le")),
    "UTF-16": ("a.csv", WIDE),
    "UTF-16 of the other kind": ("a.tsv", ("\ufeff" + TSV).encode("utf-16-be")),
    "UTF-32": ("a.csv", CSV.encode("utf-32")),
    "mark of UTF-8": ("a.csv", "\ufeff" + CSV),
    "semicolons": ("a.csv", CSV.replace(",", ";")),
    "separator told": ("a.csv", "sep=;\n" + CSV.replace(",", ";")),
    "blank lines": ("a.csv", "\n\n" + CSV.replace("\n", "\n\n")),
    "line ends of Windows": ("a.csv", CSV.replace("\n", "\r\n")),
    "line ends of old": ("a.csv", CSV.replace("\n", "\r")),
    "tabs, called csv": ("a.csv", TSV),
    "commas, called tsv": ("a.tsv", CSV),
    "commas, called txt": ("a.txt", CSV),
    "blanks in the names": ("a.csv", CSV.replace("text", " Text ")),
    "list of texts": ("a.json", json.dumps(TEXTS)),
    "empty cells": ("a.csv", CSV + "3,,Nice\n"),
}


@pytest.mark.parametrize("kind", READ)
def test_an_odd_file_is_read(tmp_path: Path, kind: str) -> None:
    """All of it, and what is left out is told."""
    name, data = READ[kind]
    file = tmp_path / name
    file.write_bytes(data if isinstance(data, bytes) else data.encode())
    dataset, repairs = read(file)

    assert dataset.sentences.texts == TEXTS
    assert [each.what for each in repairs] == (
        ["rows without a text were left out (1)"] if kind == "empty cells" else []
    )


RESULT = {"type": "choices", "from_name": "a", "to_name": "text", "value": {"choices": ["good"]}}
CHOICE = {"id": 1, "data": {"text": "Ana"}, "annotations": [{"id": 1, "result": [RESULT]}]}
OLD = {
    "id": 1,
    "text": "Ana",
    "annotations": [{"label": 1, "start_offset": 0, "end_offset": 3, "user": 1}],
}

REFUSED: Mapping[str, tuple[str, bytes | str, str]] = {
    "cp1252": ("a.csv", CSV.encode("cp1252"), r"line 3: .*0xe9 at column 6, .*UTF-8.*cp1252"),
    "half UTF-16": ("a.csv", WIDE + b"\x00\xd8a\x00", "line 4: found half a character of UTF-16"),
    "UTF-16 without a mark": (
        "a.csv",
        CSV.encode("utf-16-le"),
        "looks like UTF-16 without the ma",
    ),
    "names missing": ("a.csv", "1,Ana sings.\n2,Bo.\n", "first row seems to hold no names"),
    "other names": ("a.csv", "a,b\nx,y\n", r"no column looks like the text \(columns: a, b\);"),
    "names alone": ("a.csv", "id,text\n", "there are no sentences in it"),
    "names twice": ("a.csv", "text,text\na,b\n", "two columns are called 'text'"),
    "too many cells": ("a.csv", "id,text\n1,Ana, Bo\n", "line 2: found 3 columns .*put quotes"),
    "open quotes": ("a.csv", 'id,text\n1,"Ana\n2,Bo\n', "line 2: .*quotes around cells in pairs"),
    "same id": ("a.csv", "id,text\n1,Ana\n1,Bo\n", "line 3: sentence '1' is there twice"),
    "no number": ("a.csv", "text,start,end,label\nAna,0,x,A\n", "line 2: .*'x'; expected a numbe"),
    "bad line": ("a.jsonl", LINES + '{"text": "Bo\n', "line 7: .* not JSON at column 10"),
    "Python": ("a.jsonl", "{'text': 'Ana'}\n", "Python's notation, not JSON; .*json.dump"),
    "wrapped": ("a.json", '{"data": [{"text": "Ana"}]}', "in the field 'data'; save that list"),
    "number": ("a.jsonl", '{"text": 5}\n', "line 1: found column 'text': 5; expected text"),
    "old Word": ("a.doc", b"\xd0\xcf\x11\xe0" + b"\0" * 99, "old Office; save it as .txt"),
    "Word": ("a.docx", packed({"[Content_Types].xml": "", "word/a.xml": ""}), "a Word document;"),
    "OpenDocument": ("a.ods", packed({"mimetype": "x.opendocument.spreadsheet"}), "as .xlsx or"),
    "PDF": ("a.pdf", "%PDF-1.4\n%x\n", "this is a PDF file; copy its text"),
    "picture": ("a.png", b"\x89PNG\r\n\x1a\n\0", "this is a picture; only text"),
    "web page": ("a.html", "<!DOCTYPE html>\n<p>Ana", "a web page .*; save it as plain text"),
    "XML": ("a.xml", '<?xml version="1.0"?><s>Ana</s>', "XML of no known format; write"),
    "gzip": ("a.csv.gz", gzip.compress(CSV.encode()), r"compressed \(gzip\); unpack it"),
    "SQLite": ("a.db", b"SQLite format 3\0", "a database .*; export its table"),
    "archive in an archive": ("a.zip", packed({"b.zip": packed({"a.csv": CSV})}), "unpack it"),
    "two tables": ("a.zip", packed({"a.csv": CSV, "b.csv": CSV}), "2 files in it look like csv"),
    "tag without position": ("a.txt", "Ana PER\nleft O\n", "line 1: .*'PER' .*write B-PER wher"),
    "position last": ("a.txt", "Ana PER-B\nleft O\n", "'PER-B' .*write B-PER where"),
    "CoNLL-U": ("a.conllu", "# text = Ana\n1\tAna" + "\t_" * 8 + "\n", "looks like CoNLL-U, .*as"),
    "CoNLL-2012": ("a.conll", "#begin document (a)\na 0 0 Ana (P) -\n", "spans are in brackets"),
    "decimal comma": ("a.csv", "text;spans;worker;seconds\nAna;[];a;1,5\n", "such as 1.5"),
    "choices of Label Studio": ("a.json", json.dumps([CHOICE]), "only results of type 'choices';"),
    "task without data": (
        "a.json",
        '[{"text": "Ana", "annotations": []}]',
        "'data' .*; write answ",
    ),
    "old doccano": ("a.jsonl", json.dumps(OLD), "label 1, a number of doccano's .*text labels"),
    "entities without offsets": (
        "a.jsonl",
        '{"text": "Ana", "entities": [{"text": "Ana", "label": "PER"}]}',
        "an object with start, end and label",
    ),
    "prose": ("notes.md", "# Ana\n\nAna sings.\n", "the format of plain text is called text"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_an_odd_file_is_refused_with_a_way_on(tmp_path: Path, kind: str) -> None:
    """What it nearly is, where it breaks, and what to do."""
    name, data, message = REFUSED[kind]
    file = tmp_path / name
    file.write_bytes(data if isinstance(data, bytes) else data.encode())

    with pytest.raises(FormatError, match=message):
        read(file)


@pytest.mark.parametrize(
    "name",
    [
        "bioes.bio",
        "log.txt",
        "prolific.csv",
        "webanno-3.3.tsv",
        "label-studio.json",
        "texts.jsonl",
    ],
)
def test_a_file_of_any_format_may_be_utf_16(tmp_path: Path, name: str) -> None:
    """Lines, places and all else are the same."""
    wide = tmp_path / name
    wide.write_bytes((FILES / name).read_text("utf-8").encode("utf-16"))

    assert read(wide).dataset == read(FILES / name).dataset


def test_a_text_inside_a_field_is_named_with_a_dot(tmp_path: Path) -> None:
    """The message and the columns to choose from name it; nothing of the record is lost."""
    file = tmp_path / "a.json"
    file.write_text('[{"id": 1, "doc": {"text": "Ana sings.", "year": 2020}}]')
    with pytest.raises(FormatError, match=r"\(fields: doc, doc.text, id\); name it in columns"):
        read(file)
    table = preview(file, named("json"), ReadOptions()).table
    dataset, _ = read(file, columns={"text": "doc.text"})

    assert table is not None
    assert [each.name for each in table.columns] == ["id", "doc", "doc.text"]
    assert dataset.sentences.texts == ("Ana sings.",)
    assert dataset.sentences[0].meta == {"doc": {"text": "Ana sings.", "year": 2020}}


def test_what_systems_leave_in_folders_does_not_count(tmp_path: Path) -> None:
    """Else a folder of texts could not be read after somebody has looked at it."""
    for name in (".DS_Store", "Thumbs.db", "desktop.ini", "~$a.docx"):
        (tmp_path / name).write_bytes(b"\0\1")
    (tmp_path / "a.txt").write_text("Ana sings.\n")

    assert read(tmp_path).dataset.sentences.texts == ("Ana sings.",)


def test_what_is_no_text_among_texts_is_named(tmp_path: Path) -> None:
    """So that it can be moved away, and not all texts read one by one."""
    for name in ("a.txt", "b.txt", "notes.md"):
        (tmp_path / name).write_text("Ana sings.\n")

    with pytest.raises(FormatError, match=r"2 of its files look like text; .*\(notes.md\)"):
        read(tmp_path)


ENTITIES = {
    "triples": [[0, 3, "PER"]],
    "objects": [{"start": 0, "end": 3, "label": "PER"}],
    "types": [{"start": 0, "end": 3, "type": "PER", "text": "Ana"}],
    "lengths": [{"offset": 0, "length": 3, "category": "PER"}],
}


@pytest.mark.parametrize("kind", ENTITIES)
def test_entities_may_be_written_in_many_ways(tmp_path: Path, kind: str) -> None:
    """Offsets and a label are enough."""
    file = tmp_path / "a.jsonl"
    file.write_text(json.dumps({"text": "Ana sings.", "entities": ENTITIES[kind]}))

    assert read(file).dataset.gold_spans(0) == (Span(0, 1, "PER"),)


def test_pairs_that_spacy_was_trained_on_are_read(tmp_path: Path) -> None:
    """A text and its entities."""
    file = tmp_path / "a.json"
    file.write_text(
        json.dumps([["Ana sings.", {"entities": [[0, 3, "PER"]]}], ["Bo.", {"entities": []}]])
    )
    dataset, _ = read(file)

    assert [dataset.gold_spans(k) for k in range(2)] == [(Span(0, 1, "PER"),), ()]


def test_the_csv_export_of_label_studio_has_answers(tmp_path: Path) -> None:
    """Its spans are in a column that is named after the tag of the labelling page."""
    spans = '"[{""start"":0,""end"":3,""text"":""Ana"",""labels"":[""PER""]}]"'
    head = "annotation_id,annotator,id,ner,lead_time,text"
    (tmp_path / "a.csv").write_text(f"{head}\n1,4,7,{spans},3.2,Ana sings.\n")
    (answer,) = read(tmp_path / "a.csv").dataset.answers_on(0)

    assert (answer.worker, answer.spans, answer.seconds) == ("4", (Span(0, 1, "PER"),), 3.2)
