"""How long writing and reading 100,000 sentences takes in each format, and how much memory.

Run alone with ``python -m benchmarks.convert [--sentences N] [format ...]``. Each format is
measured in a process of its own, so that the memory is its own as well.
"""

import argparse
import os
import resource
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from benchmarks._row import Row
from spancrew.core import Dataset, DatasetBuilder, Sentence
from spancrew.formats import formats, formats_for, read, write

SENTENCES = 100_000
QUICK = {"SENTENCES": 600}
ASKED = 8.0
"""CPU seconds that writing Label Studio's tasks may take."""
MANY_FILES = {"brat", "crowd-dir", "inception"}
"""Formats with a file for each sentence and worker: they measure the disk, and get a tenth."""


class Measured(NamedTuple):
    """CPU seconds, and the most memory in use in MB, that of the data set included."""

    sentences: int
    wrote: float
    took: float
    memory: float


def rows() -> Iterator[Row]:
    """Measure all formats on all cores; all but Label Studio's are compared with our own."""
    others = sorted(formats_for("spans").keys() - {"spancrew"})
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        own, *measured = pool.map(
            lambda name: measured_alone(name, SENTENCES), ["spancrew", *others]
        )
    for name, found in zip(others, measured, strict=True):
        share = found.sentences / own.sentences
        asked = name == "label-studio"
        peer, whose = (ASKED, "asked") if asked else (own.wrote * share, "own format")
        what = f"{found.sentences:,} sentences to {name}"
        yield Row(what, found.wrote, peer, whose, "CPU s")
        yield Row(f"{what}, and back", found.took, own.took * share, "own format", "CPU s")
        yield Row(f"{what}: memory", found.memory, own.memory, "own format", "MB")


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


def measured_alone(name: str, sentences: int) -> Measured:
    """Measure a format in a new process."""
    count = sentences // 10 if name in MANY_FILES else sentences
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(_measured, name, count).result()


def _measured(name: str, sentences: int) -> Measured:
    dataset = repeated(sentences)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"data{next(iter(formats()[name].suffixes), '')}"
        start = time.process_time()
        write(dataset, path, name)
        middle = time.process_time()
        read(path, name)
        took = time.process_time() - middle
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Measured(sentences, middle - start, took, most)


def main() -> None:
    """Print a line for each format."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.convert")
    parser.add_argument(
        "formats", nargs="*", metavar="FORMAT", help=", ".join(formats_for("spans"))
    )
    parser.add_argument("--sentences", type=int, default=SENTENCES)
    options = parser.parse_args()
    for name in options.formats or sorted(formats_for("spans")):
        count, wrote, took, most = measured_alone(name, options.sentences)
        print(
            f"{name:14} {count:9,} sentences written in {wrote:6.1f} s, read in {took:6.1f} s, "
            f"{most:6,.0f} MB",
            flush=True,
        )


if __name__ == "__main__":
    main()
