"""How long writing and reading 100,000 sentences takes in each format, in CPU seconds.

Run alone with ``python -m benchmarks.convert [format ...]``: all of them take some minutes.
"""

import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks._row import Row
from spancrew.core import Dataset, DatasetBuilder, Sentence
from spancrew.formats import formats, read, write

SENTENCES = 100_000
ASKED = 8.0
"""CPU seconds that writing Label Studio's tasks may take."""
MANY_FILES = {"brat", "crowd-dir"}
"""Formats with a file for each sentence and worker, which measure the disk."""


def rows() -> Iterator[Row]:
    """Measure what is asked for: writing Label Studio's tasks."""
    wrote, _ = measured("label-studio", repeated(SENTENCES))
    yield Row(f"{SENTENCES:,} sentences to Label Studio", wrote, ASKED, "asked", "CPU s")


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


def measured(name: str, dataset: Dataset) -> tuple[float, float]:
    """Return the CPU seconds of writing and of reading."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"data{next(iter(formats()[name].suffixes), '')}"
        start = time.process_time()
        write(dataset, path, name)
        middle = time.process_time()
        read(path, name)
        return middle - start, time.process_time() - middle


def main() -> None:
    """Print a line for each format, and the most memory that was in use until then."""
    dataset = repeated(SENTENCES)
    for name in sys.argv[1:] or sorted(formats().keys() - MANY_FILES):
        wrote, took = measured(name, dataset)
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{name:14} written in {wrote:6.1f} s, read in {took:6.1f} s, {most:6,.0f} MB")


if __name__ == "__main__":
    main()
