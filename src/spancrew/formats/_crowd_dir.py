"""The crowd directory of Rodrigues et al. 2014: a folder per worker, a file per document."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from spancrew.core import Dataset
from spancrew.errors import FormatError, Place
from spancrew.formats import _losses
from spancrew.formats._base import Reading, ReadOptions, Repair
from spancrew.formats._column_writer import (
    ColumnWriter,
    answer_tags,
    gold_tags,
    refuse_odd_names,
    unknown_tags,
)
from spancrew.formats._crowd_document import DocumentReader
from spancrew.formats._crowd_layout import document_name, is_crowd_directory, layout_of
from spancrew.formats._intake import Intake
from spancrew.formats._token_file import labels_in, stuck_label

_GOLD, _ANSWERS = "ground_truth", "answers"
_WITHOUT_DOCUMENT = "all"


class CrowdDirectory:
    """Gold and answers as token-tag files: ``ground_truth/doc.txt``, ``answers/worker/doc.txt``.

    A worker's file is matched with the gold file by its characters, never by line numbers: such
    files split tokens, lose blank lines and stop early. Sentences are those of the gold file.
    ``?`` as the tag of a whole sentence says that it was not answered, or has no gold.
    """

    name = "crowd-dir"
    suffixes: tuple[str, ...] = ()

    def recognises(self, path: Path, head: str) -> bool:  # noqa: ARG002  a folder has no head
        """Tell whether it is a folder with a folder of gold and others beside it."""
        return is_crowd_directory(path)

    def read(self, path: Path, options: ReadOptions) -> Reading:
        """Read document by document, and in it worker by worker."""
        layout = layout_of(path)
        intake = Intake(options, overlaps="longest")
        for odd in layout.ignored:
            intake.repair("ignored", Place(str(odd)), "neither gold nor a folder of answers")
        for worker in layout.workers:
            intake.add_worker(worker)
        reader = DocumentReader(layout, intake, labels_in(layout.files))
        total = sum(file.stat().st_size for file in layout.files)
        done = 0
        for document in layout.documents:
            reader.take(document)
            done += sum(file.stat().st_size for file in layout.files_of(document))
            options.progress(done, total)
        return intake.finish(Place(str(path)))

    def write(self, dataset: Dataset, path: Path) -> tuple[Repair, ...]:
        """Write a file per document and worker; sentences not answered are marked with ``?``."""
        return _losses.report(_write_directory(dataset, path), path)


def _write_directory(dataset: Dataset, root: Path) -> Iterator[_losses.Loss]:
    """Write everything and return what was left out.

    Workers have their folders inside ``answers``, so that no worker's name can be taken for gold.
    """
    refuse_odd_names(dataset.labels, "label", root)
    refuse_odd_names(dataset.workers, "worker", root)
    _refuse_odd_folders(dataset.workers, root)
    (root / _GOLD).mkdir(parents=True)
    for worker in dataset.workers:
        (root / _ANSWERS / worker).mkdir(parents=True)
    documents = _documents(dataset)
    changed = sum(
        _write_document(dataset, positions, f"{document}.txt", root)
        for document, positions in documents.items()
    )
    return _lost(dataset, documents, changed)


def _refuse_odd_folders(workers: Iterable[str], root: Path) -> None:
    for worker in workers:
        if worker.startswith(".") or not {"/", "\\"}.isdisjoint(worker):
            raise FormatError(
                Place(str(root)),
                f"worker {worker!r} cannot be the name of a folder; rename it or write spancrew",
            )


def _documents(dataset: Dataset) -> dict[str, list[int]]:
    """Return the sentences of each document; those that name none share one."""
    found: dict[str, list[int]] = {}
    metas = dataset.sentences.metas
    for position in range(len(dataset)):
        meta = metas.get(position, {})
        given = meta.get("document", meta.get("filename", _WITHOUT_DOCUMENT))
        found.setdefault(_safe(document_name(str(given))), []).append(position)
    return found


def _safe(name: str) -> str:
    """Return a name that can be the name of a visible file."""
    plain = "".join(c if c.isprintable() and c not in "/\\" else "_" for c in name)
    return f"_{plain}" if not plain or plain.startswith(".") else plain


def _write_document(dataset: Dataset, positions: list[int], file_name: str, root: Path) -> int:
    """Write a document for gold and workers; return how many of its tokens were altered."""
    gold = [gold_tags(dataset, position) for position in positions]
    changed = _write_file(dataset, positions, gold, root / _GOLD / file_name)
    given = [answer_tags(dataset, position) for position in positions]
    unknown = [unknown_tags(dataset, position) for position in positions]
    for worker in sorted({worker for answers in given for worker in answers}):
        tags = [answers.get(worker, none) for answers, none in zip(given, unknown, strict=True)]
        folder = root / _ANSWERS / dataset.workers[worker]
        _write_file(dataset, positions, tags, folder / file_name)
    return changed


def _write_file(dataset: Dataset, positions: list[int], tags: list[list[str]], path: Path) -> int:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        writer = ColumnWriter(file)
        for position, column in zip(positions, tags, strict=True):
            writer.sentence(dataset.sentences[position].tokens, [column])
    return writer.changed


def _lost(
    dataset: Dataset, documents: dict[str, list[int]], changed: int
) -> Iterator[_losses.Loss]:
    yield from _lost_provenance(dataset, documents)
    yield _losses.texts(dataset, "crowd-dir")
    yield _losses.details(dataset, "crowd-dir")
    yield _losses.idle_labels(dataset, "crowd-dir")
    yield _losses.tokens(changed, "crowd-dir")
    words = (token for sentence in dataset.sentences for token in sentence.tokens)
    yield _losses.Loss(
        sum(bool(stuck_label(token, dataset.labels)) for token in words),
        "token that ends like a label",
        "crowd-dir takes a label off its token when it reads one such as Rome/LOC",
        more="tokens that end like a label",
    )


def _lost_provenance(dataset: Dataset, documents: dict[str, list[int]]) -> Iterator[_losses.Loss]:
    """Compare ids and meta with those that reading gives."""
    other_ids = other_metas = 0
    for document, positions in documents.items():
        for index, position in enumerate(positions):
            meta = dataset.sentences.metas.get(position)
            other_ids += dataset.sentences.ids[position] != f"{document}:{index}"
            other_metas += bool(meta) and meta != {"document": document, "index": index}
    yield _losses.ids(other_ids, "crowd-dir")
    yield _losses.metas(other_metas, "crowd-dir")
