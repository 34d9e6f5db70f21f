"""INCEpTION's projects: several annotators, a curator, and how far they are."""

import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from spancrew.core import Answer, Dataset, Sentence, Span
from spancrew.errors import FormatError
from spancrew.formats import ReadOptions, read, recognise, write
from spancrew.formats._inception import Inception
from tests.formats.drawn import full_datasets, gold_of, spans_of
from tests.formats.tool_files import FILES
from tests.spread import often

PER = (Span(1, 2, "PER"),)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a copy of a project that may be changed."""
    return Path(shutil.copytree(FILES / "inception-project", tmp_path / "project"))


def set_states(project: Path, document: str, **users: str) -> None:
    """Say how far everybody is."""
    record = {
        "source_documents": [{"name": "log.txt", "state": document}],
        "annotation_documents": [
            {"name": "log.txt", "user": user, "state": state} for user, state in users.items()
        ],
    }
    (project / "exportedproject.json").write_text(json.dumps(record))


def whats(repairs: Any) -> list[str]:
    """Return what was repaired, but for the layer of every file."""
    return [r.what for r in repairs if "the layer POS" not in r.what]


@settings(max_examples=often(20, 60))
@given(dataset=full_datasets())
def test_everything_but_meta_and_details_comes_back(
    dataset: Dataset, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Names that no file can have are encoded; sentences keep their order."""
    path = tmp_path_factory.mktemp("inception") / "data"
    Inception().write(dataset, path)
    back, repairs = Inception().read(path, ReadOptions())

    assert repairs == ()
    assert back.sentences.ids == dataset.sentences.ids
    assert [(s.text, s.bounds) for s in back.sentences] == [
        (s.text, s.bounds) for s in dataset.sentences
    ]
    assert gold_of(back) == gold_of(dataset)
    assert spans_of(back) == spans_of(dataset)


def test_annotators_are_workers_and_the_curator_is_gold(project: Path) -> None:
    """Whoever has not finished is left out and counted; the text before all work is no answer."""
    dataset, repairs = read(project)

    assert recognise(project).name == "inception"
    assert gold_of(dataset) == {"log.txt:1": PER, "log.txt:2": (Span(0, 1, "PER"),)}
    assert spans_of(dataset) == {
        ("log.txt:1", "ana"): PER,
        ("log.txt:2", "ana"): (),
        ("log.txt:1", "bo"): (),
        ("log.txt:2", "bo"): (),
    }
    assert dataset.sentences[1].meta == {"document": "log.txt", "start": 20}
    assert whats(repairs) == ["documents in progress were left out (1)"]


def test_if_nobody_has_finished_all_work_is_read(project: Path) -> None:
    """Small teams never press the button; that is said."""
    set_states(project, "ANNOTATION_IN_PROGRESS", ana="INPROGRESS", bo="NEW", cy="IN_PROGRESS")
    dataset, repairs = read(project)

    assert dataset.workers == ("ana", "cy")
    assert whats(repairs) == [
        "documents not begun or locked were left out (1)",
        "no document is marked as finished; those in progress were read",
    ]


def test_a_curation_in_progress_is_no_gold(project: Path) -> None:
    """The work of the annotators is finished, so something is."""
    set_states(project, "CURATION_IN_PROGRESS", ana="FINISHED", bo="LOCKED", cy="FINISHED")
    dataset, repairs = read(project)

    assert not dataset.has_gold.any()
    assert dataset.workers == ("ana", "cy")
    assert len(whats(repairs)) == 2


def test_a_document_that_nobody_has_finished_gives_its_sentences(project: Path) -> None:
    """They can be labelled."""
    set_states(project, "CURATION_IN_PROGRESS", ana="NEW", bo="NEW", cy="NEW", di="FINISHED")
    dataset, _ = read(project)

    assert len(dataset) == 2
    assert len(dataset.answers) == 0
    assert not dataset.has_gold.any()


def test_without_a_description_all_files_count(project: Path) -> None:
    """The states are in it."""
    (project / "exportedproject.json").unlink()

    assert recognise(project).name == "inception"
    assert read(project).dataset.workers == ("ana", "bo", "cy")


def test_a_project_may_stand_in_a_folder_of_the_archive(project: Path) -> None:
    """As it does when somebody packs it again; macOS adds files of its own."""
    path = project.with_suffix(".zip")
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("__MACOSX/annotation/log.txt/._ana.xmi", b"\0")
        for file in sorted(p for p in project.rglob("*") if p.is_file()):
            packed.write(file, f"harbour/{file.relative_to(project).as_posix()}")

    assert recognise(path).name == "inception"
    assert read(path).dataset == read(project).dataset


def test_tables_of_tokens_may_be_in_it(project: Path) -> None:
    """A project may be exported with WebAnno TSV."""
    shutil.rmtree(project / "curation")
    for file in (project / "annotation" / "log.txt").iterdir():
        file.unlink()
    shutil.copy(FILES / "webanno-3.3.tsv", project / "annotation" / "log.txt" / "ana.tsv")
    dataset, _ = read(project)

    assert spans_of(dataset)["log.txt:1", "ana"] == (Span(1, 2, "PER"), Span(4, 6, "LOC_SEA"))


def test_texts_that_differ_are_refused_or_left_out(project: Path) -> None:
    """The message says whose, and from where."""
    file = project / "annotation" / "log.txt" / "bo.xmi"
    file.write_text(file.read_text("utf-8").replace("Bo stayed", "Bo strayed"), "utf-8")

    with pytest.raises(
        FormatError, match=r"bo\.xmi: the text of worker 'bo' differs from character 25: 'rayed"
    ):
        read(project)
    dataset, repairs = read(project, skip_unequal=True)

    assert dataset.workers == ("ana",)
    assert "unequal" in {r.kind for r in repairs}


def test_labels_in_another_layer_than_before_are_refused(project: Path) -> None:
    """One data set has one set of labels."""
    file = project / "annotation" / "log.txt" / "ana.xmi"
    file.write_text(file.read_text("utf-8").replace("type4:Named", "custom:Named"), "utf-8")

    with pytest.raises(
        FormatError, match=r"ana\.xmi: the labels are in the layer NamedEntity, but"
    ):
        read(project)


def test_two_files_of_one_person_are_refused(project: Path) -> None:
    """Nobody can tell which one counts."""
    folder = project / "annotation" / "log.txt"
    shutil.copy(folder / "ana.xmi", folder / "ana.json")

    with pytest.raises(FormatError, match=r"'log.txt' by 'ana' again; expected one file of each"):
        read(project)


def test_a_worker_may_have_the_name_of_the_curator(tmp_path: Path) -> None:
    """Or that of the document before all work."""
    sentence = Sentence.from_text("s", "Ana left.")
    names = ("CURATION_USER", "INITIAL_CAS")
    answers = [Answer("s", name, (Span(0, 1, "PER"),)) for name in names]
    dataset = Dataset.of([sentence], {"s": []}, answers)
    write(dataset, tmp_path / "x.inception.zip")

    assert read(tmp_path / "x.inception.zip").dataset == dataset


@pytest.mark.parametrize(
    ("file", "found"),
    [("annotation_ser/a/b.ser", "1 files of Java objects"), ("source/a.txt", "no annotations")],
)
def test_an_export_that_only_inception_can_read_is_refused(
    tmp_path: Path, file: str, found: str
) -> None:
    """The message says how to export it again."""
    with zipfile.ZipFile(tmp_path / "p.zip", "w") as packed:
        packed.writestr("exportedproject.json", "{}")
        packed.writestr(file, b"\xac\xed\0")

    with pytest.raises(
        FormatError, match=f"{found}; .*export again with the format UIMA CAS JSON"
    ):
        read(tmp_path / "p.zip")


def test_a_packed_file_that_would_fill_the_memory_is_refused(tmp_path: Path) -> None:
    """The size that it claims is what counts."""
    path = tmp_path / "p.zip"
    write(Dataset.of([Sentence.from_text("s", "Ana left.")]), path, "inception")
    with zipfile.ZipFile(path, "a") as packed:
        packed.writestr("curation/s/CURATION_USER.json", b"{}\0")
        packed.filelist[-1].file_size = (1 << 30) + 1

    with pytest.raises(
        FormatError, match=r"CURATION_USER\.json: it unpacks to more than 1,024 MB"
    ):
        read(path)
