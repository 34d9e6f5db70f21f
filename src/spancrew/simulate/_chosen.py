"""Which answers a policy collects."""

from typing import NamedTuple

from spancrew.core import BoolArray, IntArray, Ragged
from spancrew.metrics import Metric
from spancrew.simulate._engine import Engine
from spancrew.simulate._scene import Scene
from spancrew.simulate._setting import Setting, refuse_unfit


class ChosenAnswers(NamedTuple):
    """The answers of one run, in the order of sentences, and which sentences experts labelled."""

    sentence: IntArray
    worker: IntArray
    codes: Ragged
    by_expert: BoolArray


def chosen_answers(scene: Scene, setting: Setting) -> ChosenAnswers:
    """Rehearse the first run of a setting, and return the answers that it collects."""
    refuse_unfit(setting, len(scene.workers), len(scene.dataset))
    engine = Engine(scene, setting, range(1), (Metric(),))
    engine.run()
    sentence, worker = engine.record.collected()
    by_expert = (engine.by_expert | engine.audits.audited)[0]
    return ChosenAnswers(sentence, worker, scene.source.answers(sentence, worker), by_expert)
