"""A rehearsed campaign: against the libraries that the authors' code calls; three sizes."""

import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from benchmarks._row import Row
from spancrew.augment import Recipe, augment
from spancrew.consensus import Auto
from spancrew.core import Dataset
from spancrew.crowds import Replay
from spancrew.errors import FormatError
from spancrew.experiments import data_folder
from spancrew.feedback import AgreementGate, ExpectedErrorGate
from spancrew.formats import read
from spancrew.metrics import Metric
from spancrew.policies import Cucb
from spancrew.simulate import Scene, Setting, rehearse, scene_of

RUNS, LEARNERS = 100, 3
"""Runs in lock step: plain ones, and ones with a method that learns."""
BUDGET, AUTO_BUDGET = 10.0, 1_200.0
"""Milliseconds that one run of CoNLL may take on one core, plain and with ``auto``."""

SAMPLE = 60
"""Sentences that nltk and seqeval get; times are per sentence."""
TIMES, FEW = (1, 10, 100), 2
"""How often the sentences are repeated, and how many runs each size gets."""
QUICK = {"RUNS": 2, "LEARNERS": 1, "SAMPLE": 10, "TIMES": (1, 2)}

_GROWN = """
import sys, time
import numpy as np
from benchmarks._row import peak_memory
from benchmarks.rehearsal import grown, measured_scene
from spancrew.simulate import rehearse
times, runs = int(sys.argv[1]), int(sys.argv[2])
scene, setting = measured_scene(grown(times), runs)
rehearse(scene, setting, range(1))
start = time.process_time()
rehearse(scene, setting)
print((time.process_time() - start) / runs, peak_memory())
"""


def rows() -> Iterator[Row]:
    """Measure on CoNLL where it is, else on the bundled data set, and say so."""
    dataset, name = _data()
    scene, setting = measured_scene(dataset, RUNS)
    rehearse(scene, setting, range(2))
    ours = min(_seconds(scene, setting) for _ in range(3)) / RUNS * 1e3
    title = f"a run of {name}, K = {setting.answers}, crew {setting.crew}, {RUNS} in lock step"
    yield Row(title, ours, BUDGET, "budget", "ms")
    peer = _peer(scene) * len(dataset) * 1e3
    yield Row(f"{title}; peer: kappa and F1 only", ours, peer, "nltk + seqeval", "ms")
    yield _learning(scene, setting, name)
    yield from _growth(name)


def _learning(scene: Scene, setting: Setting, name: str) -> Row:
    """Measure the same with the method that learns most, and experts for a fifth."""
    gate = ExpectedErrorGate(expert_share=0.2)
    chosen = replace(setting, consensus=Auto(), feedback=gate, runs=LEARNERS)
    rehearse(scene, chosen, range(1))
    ours = min(_seconds(scene, chosen) for _ in range(2)) / LEARNERS * 1e3
    title = f"a run of {name} with auto, expert share 0.2, {LEARNERS} in lock step"
    return Row(title, ours, AUTO_BUDGET, "budget", "ms")


def measured_scene(dataset: Dataset, runs: int) -> tuple[Scene, Setting]:
    """Return a scene of SES answers and the paper's setting for CoNLL."""
    full = augment(dataset, Recipe(ties="best-exact"))
    scene = scene_of(full, Replay(full), Metric())
    gate = AgreementGate(0.65, ties="paper")
    return scene, Setting(Cucb(0.2), gate, crew=20, answers=4, runs=runs, warm_up="own")


def grown(times: int) -> Dataset:
    """Return the data set with its sentences repeated; what is repeated is new to the engine."""
    dataset, _ = _data()
    return dataset.take(np.tile(np.arange(len(dataset)), times)) if times > 1 else dataset


def _data() -> tuple[Dataset, str]:
    try:
        return read(data_folder() / "conll-crowd" / "collected.json").dataset, "CoNLL"
    except FormatError as error:
        print(f"The rehearsal is measured on demo: {error}")
        return read("demo").dataset, "demo"


def _seconds(scene: Scene, setting: Setting) -> float:
    start = time.process_time()
    rehearse(scene, setting)
    return time.process_time() - start


def _peer(scene: Scene) -> float:
    """Return the seconds per sentence for kappa by nltk and four F1 by seqeval."""
    from nltk.metrics.agreement import AnnotationTask
    from seqeval.metrics import f1_score

    tags = _tags(scene)
    start = time.process_time()
    for answers, gold in tags:
        data = [
            (str(who), str(token), tag)
            for who, answer in enumerate(answers)
            for token, tag in enumerate(answer)
        ]
        AnnotationTask(data=data).multi_kappa()
        for answer in answers:
            f1_score([gold], [answer], zero_division=0)
    return (time.process_time() - start) / len(tags)


def _tags(scene: Scene) -> list[tuple[list[list[str]], list[str]]]:
    labels = scene.dataset.labels.names
    names = ["O"] + [f"{part}-{label}" for label in labels for part in "BI"]
    found = []
    for sentence in np.linspace(0, len(scene.dataset) - 1, SAMPLE).astype(np.int64).tolist():
        rows = scene.source.answers(np.full(4, sentence), np.arange(4))
        answers = [[names[code] for code in row] for row in rows]
        gold = [names[code] for code in scene.dataset.gold[sentence]]
        if len({tag for answer in answers for tag in answer}) > 1:
            found.append((answers, gold))
    return found


def _growth(name: str) -> Iterator[Row]:
    """Yield time per run and sentence and memory for 1, 10 and 100 times the sentences."""
    first = 0.0
    for times in TIMES:
        command = [sys.executable, "-c", _GROWN, str(times), str(FEW)]
        printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout  # noqa: S603
        taken, memory = (float(word) for word in printed.split())
        each = taken / times * 1e3
        first = first or each
        title = f"a run of {name} x {times}, {FEW} in lock step"
        yield Row(f"{title}, per {name}", each, first, f"{name} x 1", "ms")
        yield Row(f"{title}, peak memory", memory, 24_000.0, "machine", "MiB")
