"""The crowd directory of Rodrigues et al. 2014: a folder per worker, a file per document."""

from pathlib import Path

from spancrew.core import Dataset
from spancrew.errors import Place
from spancrew.formats import _losses
from spancrew.formats._base import Reading, ReadOptions, Repair
from spancrew.formats._crowd_document import DocumentReader
from spancrew.formats._crowd_layout import is_crowd_directory, layout_of
from spancrew.formats._crowd_writer import write_directory
from spancrew.formats._intake import Intake
from spancrew.formats._token_file import labels_in


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
        return _losses.report(write_directory(dataset, path), path)
