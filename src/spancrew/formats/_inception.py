"""INCEpTION's export of a whole project: the work of several annotators, and of the curator."""

import json
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from io import StringIO
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote

from spancrew.core import Dataset, Sentence, Span
from spancrew.errors import FormatError, Place
from spancrew.formats import _losses
from spancrew.formats._archive import Archive, PackedFile, pack
from spancrew.formats._base import Reading, ReadOptions, Repair
from spancrew.formats._cas import CasSentence
from spancrew.formats._cas_json import write_json_cas
from spancrew.formats._documents import CutDocument
from spancrew.formats._file_names import file_name
from spancrew.formats._inception_project import (
    CURATOR,
    INITIAL,
    PROJECT,
    Project,
    ProjectFile,
    ProjectProgress,
    progress_of,
    project_in,
)
from spancrew.formats._intake import Intake
from spancrew.formats._json import parse_json
from spancrew.formats._layers import LayerChoice, LayeredDocument
from spancrew.formats._text import text_in
from spancrew.formats._uima_cas import cas_in
from spancrew.formats._unequal import UnequalTexts
from spancrew.formats._webanno_reader import read_webanno


class Inception:
    """A project as a zip archive, or the folder that it unpacks to.

    Each annotator is a worker, and what was curated is gold. The files of annotations may be
    UIMA CAS as XMI or JSON, or WebAnno TSV.
    """

    name = "inception"
    suffixes = ("inception.zip",)
    follows = frozenset({"columns", "split", "skip_unequal"})

    def recognises(self, path: Path, head: str) -> bool:
        """Tell whether there is the description of a project, or a folder of annotations."""
        if path.is_dir():
            return (path / PROJECT).is_file() or _is_project(path / "annotation")
        return (
            not head and (archive := Archive.of(path)) is not None and _project(archive).is_there
        )

    def read(self, path: Path, options: ReadOptions) -> Reading:
        """Read document by document, and in it annotator by annotator."""
        place = Place(str(path))
        archive = Archive.of(path)
        if archive is None or not _project(archive).is_there:
            raise FormatError.expected(
                place, "no project", f"a zip archive with {PROJECT} and a folder 'annotation'"
            )
        project = _project(archive)
        _refuse_binaries(project, place)
        choice = LayerChoice(options.columns)
        choice.check(place)
        with archive.opened() as open_:
            progress = _progress(project, open_)
            intake = Intake(options)
            reader = _ProjectReader(str(path), project, progress, open_, options, intake, choice)
            return reader.read(place)

    def write(self, dataset: Dataset, path: Path) -> tuple[Repair, ...]:
        """Write a document for each sentence, as a part of one cannot be left unannotated."""
        place = Place(str(path))
        names = [file_name(id_, (), "a sentence", place) for id_ in dataset.sentences.ids]
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
            pack(packed, PROJECT, json.dumps(_description(dataset, names, place)))
            for position, name in enumerate(names):
                sentence = dataset.sentences[position]
                for inside, spans in _files(dataset, position, name, place):
                    pack(packed, inside, _cas(sentence, spans))
        return _losses.report(_lost(dataset, self.name), path)


def _is_project(folder: Path) -> bool:
    """Tell whether there are folders of documents with files of annotations."""
    if not folder.is_dir():
        return False
    inside = [f"annotation/{p.parent.name}/{p.name}" for p in folder.glob("*/*") if p.is_file()]
    return project_in(inside).is_there


def _project(archive: Archive) -> Project:
    return project_in(archive.names)


def _refuse_binaries(project: Project, place: Place) -> None:
    if project.files or project.initial:
        return
    what = f"{project.binaries} files of Java objects" if project.binaries else "no annotations"
    raise FormatError.expected(
        place, what, "annotations that others can read; export again with the format UIMA CAS JSON"
    )


def _progress(project: Project, open_: Callable[[str], PackedFile]) -> ProjectProgress:
    if project.description is None:
        return ProjectProgress((), {})
    file = open_(project.description)
    place = Place(file.path)
    return progress_of(parse_json(text_in(file.data, file.path), place), place)


@dataclass(frozen=True, slots=True)
class _ProjectReader:
    """Takes documents in."""

    path: str
    project: Project
    progress: ProjectProgress
    open: Callable[[str], PackedFile]
    options: ReadOptions
    intake: Intake
    choice: LayerChoice
    passed_over: Counter[str] = field(default_factory=Counter)
    unequal: UnequalTexts = field(default_factory=UnequalTexts)

    def read(self, place: Place) -> Reading:
        """Read all documents in the order of the project."""
        there = {*self.project.files, *self.project.initial}
        ordered = [name for name in dict.fromkeys(self.progress.documents) if name in there]
        documents = [*ordered, *sorted(there.difference(ordered))]
        for done, document in enumerate(documents, start=1):
            self._take(document)
            self.options.progress(done, len(documents))
        self.unequal.settle(self.options, self.intake)
        self.intake.skip(self.passed_over, place)
        if self.progress.is_unfinished:
            what = "no document is marked as finished; those in progress were read"
            self.intake.repair("partial", place, what)
        return self.intake.finish(place)

    def _take(self, name: str) -> None:
        files = sorted(self.project.files.get(name, ()), key=lambda file: file.worker or "")
        _refuse_twice(files, self.path)
        reasons = [self.progress.left_out(file) for file in files]
        counted = [file for file, reason in zip(files, reasons, strict=True) if reason is None]
        self.passed_over.update(reason for reason in reasons if reason is not None)
        document: CutDocument | None = None
        for file in counted:
            packed = self.open(file.name)
            found = _document_in(packed)
            if document is None:
                document = self._cut(found, name, packed.path)
            self._take_marks(found, document, file, Place(packed.path))
        if document is None:  # nobody has finished it, so only its text counts
            packed = self.open(self.project.initial.get(name) or files[0].name)
            self._cut(_document_in(packed), name, packed.path)

    def _cut(self, found: LayeredDocument, name: str, path: str) -> CutDocument:
        document = found.cut(self.options, unquote(name), path, own=False)
        document.add_to(self.intake)
        return document

    def _take_marks(
        self, found: LayeredDocument, document: CutDocument, file: ProjectFile, place: Place
    ) -> None:
        if found.text != document.text:
            who = "the curator" if file.worker is None else f"worker {file.worker!r}"
            self.unequal.add(f"the text of {who}", place, found.text, document.text)
            return
        marks = list(self.choice.marks(found, place))
        self.passed_over.update(found.passed_over)
        document.take(marks, file.worker, self.intake, place)


def _refuse_twice(files: list[ProjectFile], path: str) -> None:
    for one, other in pairwise(files):
        if one.worker == other.worker:
            what = f"{other.document!r} by {other.worker or CURATOR!r} again"
            raise FormatError.expected(Place(f"{path}/{other.name}"), what, "one file of each")


def _document_in(file: PackedFile) -> LayeredDocument:
    if not file.path.endswith(".tsv"):
        return cas_in(file)
    text = text_in(file.data, file.path)
    lines = enumerate(text.split("\n"), start=1)
    return read_webanno(
        ((Place(file.path, number), line.rstrip("\r")) for number, line in lines), Place(file.path)
    )


def _files(
    dataset: Dataset, position: int, name: str, place: Place
) -> Iterator[tuple[str, tuple[Span, ...] | None]]:
    """Yield the files of a document with their spans."""
    gold = dataset.gold_spans(position)
    if gold is not None:
        yield f"curation/{name}/{CURATOR}.json", gold
    answers = list(dataset.answers_on(position))
    for answer in answers:
        yield f"annotation/{name}/{_user(answer.worker, place)}.json", answer.spans
    if gold is None and not answers:
        yield f"annotation/{name}/{INITIAL}.json", None


def _user(worker: str, place: Place) -> str:
    return file_name(worker, (CURATOR, INITIAL), "a worker", place)


def _cas(sentence: Sentence, spans: tuple[Span, ...] | None) -> str:
    made = StringIO()
    write_json_cas([CasSentence(sentence, spans)], made, ids=False)
    return made.getvalue()


def _description(dataset: Dataset, names: list[str], place: Place) -> dict[str, object]:
    """Return the documents in order, and who has finished which."""
    sources, done = [], []
    for position, name in enumerate(names):
        curated = dataset.gold_spans(position) is not None
        state = "CURATION_FINISHED" if curated else "ANNOTATION_IN_PROGRESS"
        sources.append({"name": name, "format": "jsoncas", "state": state})
        for answer in dataset.answers_on(position):
            user = _user(answer.worker, place)
            done.append({"name": name, "user": user, "state": "FINISHED"})
    return {
        "name": "spancrew",
        "mode": "annotation",
        "source_documents": sources,
        "annotation_documents": done,
    }


def _lost(dataset: Dataset, name: str) -> Iterator[_losses.Loss]:
    yield from _losses.unused(dataset, name)
    yield _losses.details(dataset, name)
    yield _losses.metas(len(dataset.sentences.metas), name)
