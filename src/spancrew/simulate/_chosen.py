"""Which answers a policy collects."""

from typing import NamedTuple

from spancrew.core import IntArray, Ragged
from spancrew.metrics import Metric
from spancrew.simulate._engine import Engine
from spancrew.simulate._scene import Scene
from spancrew.simulate._setting import Setting, refuse_unfit


class ChosenAnswers(NamedTuple):
    """The answers of one run, in the order of sentences, and how many labels experts gave."""

    sentence: IntArray
    worker: IntArray
    codes: Ragged
    experts: int


def chosen_answers(scene: Scene, setting: Setting) -> ChosenAnswers:
    """Rehearse the first run of a setting, and return the answers that it collects."""
    refuse_unfit(setting, len(scene.workers), len(scene.dataset))
    engine = Engine(scene, setting, range(1), (Metric(),))
    engine.run()
    sentence, worker = engine.record.collected()
    experts = int((engine.by_expert | engine.audits.audited).sum())
    return ChosenAnswers(sentence, worker, scene.source.answers(sentence, worker), experts)
