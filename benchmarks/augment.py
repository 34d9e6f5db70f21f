"""SES with Algorithm 2: against enumeration, over three sizes, and on the paper's data sets."""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

import numpy as np
from tests.augment import brute

from benchmarks._row import Row, seconds
from spancrew.augment import Recipe, augment, word_starts
from spancrew.augment._targets import RunningMean
from spancrew.core import Dataset
from spancrew.errors import FormatError
from spancrew.experiments import data_folder, paper_workers
from spancrew.formats import read
from spancrew.metrics import Metric, MetricName

WORKERS = 47
MOST_COMBINATIONS = 2_000
"""Enumeration gets the sentences with no more than this; times are per answer."""

METRICS: tuple[MetricName, ...] = ("exact", "proportional", "token")
BUDGET = {"CoNLL": 3.0, "OEI": 15.0}
MEMORY = 1024.0
QUICK = {"WORKERS": 5, "MOST_COMBINATIONS": 100, "METRICS": ("exact",)}

_PEAK = """
import sys
from benchmarks._row import peak_memory
from spancrew.augment import Recipe, augment
from spancrew.experiments import paper_workers
from spancrew.formats import read
augment(read(sys.argv[1]).dataset, Recipe(), {w.worker: w.original / 100 for w in paper_workers()})
print(peak_memory())
"""


def rows() -> Iterator[Row]:
    """Measure; the paper's data sets only where they are."""
    yield from _against_enumeration()
    try:
        folder = data_folder()
    except FormatError as error:
        print(f"SES on the paper's data sets is left out: {error}")
        return
    conll = read(folder / "conll-crowd" / "collected.json").dataset
    oei = read(folder / "oei" / "train.json").dataset
    targets = {row.worker: row.original / 100 for row in paper_workers()}
    yield from _sizes(oei, targets)
    yield from _whole("CoNLL", conll, None)
    yield from _whole("OEI", oei, targets)
    peak = _peak(folder / "oei" / "train.json")
    yield Row("SES + Algorithm 2, OEI, peak memory", peak, MEMORY, "budget", "MiB")


def _against_enumeration() -> Iterator[Row]:
    """Time both on those sentences of the bundled crowd that can be enumerated."""
    dataset = read("demo").dataset
    few = [k for k in range(len(dataset)) if 1 < _combinations(dataset, k) <= MOST_COMBINATIONS]
    small = dataset.take(np.array(few))
    bare = Dataset.of(
        small.sentences,
        {id_: small.gold_spans(k) or () for k, id_ in enumerate(small.sentences.ids)},
    )
    targets = {f"w{k}": (k + 0.5) / WORKERS for k in range(WORKERS)}
    answers = len(few) * WORKERS
    for metric in METRICS:
        ours = seconds(partial(augment, bare, Recipe(Metric(metric)), targets), repeats=3)
        peer = seconds(partial(_enumerate, bare, Metric(metric), targets), repeats=1)
        name = f"SES + Algorithm 2, {metric}, {answers:,} answers"
        scale = 1e6 / answers
        yield Row(name, ours * scale, peer * scale, "enumeration", "us per answer")


def _combinations(dataset: Dataset, k: int) -> int:
    gold = dataset.gold_spans(k) or ()
    return brute.count(gold, [True] * len(dataset.sentences[k]))


def _enumerate(dataset: Dataset, metric: Metric, targets: Mapping[str, float]) -> None:
    """Make all combinations of every sentence, score them, pick and draw for every worker."""
    rng = np.random.default_rng(0)
    choice = RunningMean(np.array(list(targets.values())))
    workers = np.arange(len(targets))
    for k in range(len(dataset)):
        gold, length = dataset.gold_spans(k) or (), len(dataset.sentences[k])
        answers = brute.combinations(gold, [True] * length)
        scores = np.array(brute.scores(answers, gold, length, metric))
        levels = np.unique(scores)
        for level in choice.next(levels, workers):
            rng.choice(np.flatnonzero(scores == levels[level]))


def _sizes(dataset: Dataset, targets: Mapping[str, float]) -> Iterator[Row]:
    """Time three sizes; what grows linearly has a ratio of 1 against the smallest."""
    smallest = 0.0
    for share in (4, 2, 1):
        part = dataset.take(np.arange(0, len(dataset), share))
        recipe = Recipe(words=word_starts(part))
        answers = len(part) * len(targets)
        taken = seconds(partial(augment, part, recipe, targets), repeats=2) / answers * 1e6
        smallest = smallest or taken
        name = f"SES + Algorithm 2, exact, OEI, {len(part):,} sentences x {len(targets)} workers"
        yield Row(name, taken, smallest, "a quarter of it", "us per answer")


def _whole(name: str, dataset: Dataset, targets: Mapping[str, float] | None) -> Iterator[Row]:
    starts = word_starts(dataset)
    workers = len(targets or dataset.workers)
    for metric in METRICS:
        recipe = Recipe(Metric(metric), words=starts)
        taken = seconds(partial(augment, dataset, recipe, targets), repeats=2)
        title = f"SES + Algorithm 2, {metric}, all {len(dataset) * workers:,} {name} answers"
        yield Row(title, taken, BUDGET[name], "budget", "s")


def _peak(path: Path) -> float:
    """Return the peak memory of a process that reads and augments, in MiB."""
    command = [sys.executable, "-c", _PEAK, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603  our own interpreter
    return float(done.stdout)
