"""How long writing 100,000 sentences in each format takes, and how much memory; reading, too.

Run alone with ``python -m benchmarks.convert [--sentences N] [format ...]``. The data set is made
once; each format is measured in a copy of the process that has made it, so that the memory is its
own as well. A format's memory includes the data set. A tenth of the sentences is read.
"""

import argparse
import gc
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks._row import Row, peak_memory
from spancrew.core import Dataset, DatasetBuilder, Sentence
from spancrew.formats import formats, formats_for, read, write

SENTENCES = 100_000
QUICK = {"SENTENCES": 600}
ASKED = 8.0
"""CPU seconds that writing Label Studio's tasks may take."""
MANY_FILES = {"brat", "crowd-dir", "inception"}
"""Formats with a file for each sentence and worker: they measure the disk, and get a tenth."""


class Measured(NamedTuple):
    """CPU seconds for so many sentences, and the most memory in use in MB."""

    written: int
    writing: float
    read: int
    reading: float
    memory: float


def rows() -> Iterator[Row]:
    """Measure all formats on all cores; all but Label Studio's are compared with our own."""
    others = sorted(formats_for("spans").keys() - {"spancrew"})
    own, *measured = measured_apart(["spancrew", *others], SENTENCES)
    for name, found in zip(others, measured, strict=True):
        share = found.written / own.written
        asked = name == "label-studio"
        peer, whose = (ASKED, "asked") if asked else (own.writing * share, "own format")
        what = f"{found.written:,} sentences to {name}"
        yield Row(what, found.writing, peer, whose, "CPU s")
        yield Row(f"{what}: memory", found.memory, own.memory, "own format", "MB")
        what = f"{found.read:,} sentences from {name}"
        yield Row(what, found.reading, own.reading, "own format", "CPU s")


def repeated(count: int) -> Dataset:
    """Return the bundled data set over and over, with answers and gold."""
    demo = read("demo").dataset
    builder = DatasetBuilder(demo.labels)
    for k in range(count):
        position, turn = k % len(demo), k // len(demo)
        one = demo.sentences[position]
        id_ = f"{one.id}-{turn}"
        builder.add_sentence(
            Sentence(id_, one.text, one.bounds, one.meta), demo.gold_spans(position)
        )
        for answer in demo.answers_on(position):
            builder.add_answer(type(answer)(id_, answer.worker, answer.spans, answer.seconds))
    return builder.build()


def measured_apart(names: list[str], sentences: int) -> list[Measured]:
    """Measure formats in a new process, whose memory is not that of whoever asks."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(_measured_in_copies, names, sentences).result()


def _measured_in_copies(names: list[str], sentences: int) -> list[Measured]:
    """Make the data set, and measure each format in a copy of this process."""
    global _made  # noqa: PLW0603  what copies of this process find in their memory
    _made = repeated(sentences)
    gc.collect()
    gc.freeze()
    with get_context("fork").Pool(os.cpu_count(), maxtasksperchild=1) as pool:
        return pool.map(_measured, names, chunksize=1)


_made: Dataset


def _measured(name: str) -> Measured:
    part = _made.take(np.arange(len(_made) // 10))
    whole = part if name in MANY_FILES else _made
    with tempfile.TemporaryDirectory() as folder:
        ending = next(iter(formats()[name].suffixes), "")
        paths = [Path(folder) / f"{each}{ending}" for each in ("whole", "part")]
        writing = _seconds(lambda: write(whole, paths[0], name))
        memory = peak_memory()
        write(part, paths[1], name)
        reading = _seconds(lambda: read(paths[1], name))
    return Measured(len(whole), writing, len(part), reading, memory)


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    """Print a line for each format."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.convert")
    parser.add_argument(
        "formats", nargs="*", metavar="FORMAT", help=", ".join(formats_for("spans"))
    )
    parser.add_argument("--sentences", type=int, default=SENTENCES)
    options = parser.parse_args()
    names = options.formats or sorted(formats_for("spans"))
    for name, found in zip(names, measured_apart(names, options.sentences), strict=True):
        print(
            f"{name:14} {found.written:9,} sentences written in {found.writing:6.1f} s, "
            f"{found.memory:6,.0f} MB; {found.read:7,} read in {found.reading:6.1f} s"
        )


if __name__ == "__main__":
    main()
