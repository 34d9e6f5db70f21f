"""What answers got right is counted once for all rehearsals in a scene, if it pays."""

from dataclasses import replace

from spancrew.simulate import Setting, rehearse
from spancrew.simulate._outcome import METRICS
from tests.simulate.small import small_scene
from tests.simulate.test_plain import same


def test_counts_are_kept_where_as_many_answers_are_asked_for() -> None:
    """A rehearsal finds the same with them and without."""
    scene, few = small_scene(), Setting(crew=4, answers=2, runs=1, seed=3)
    answers = len(scene.dataset) * len(scene.workers)
    many = replace(few, runs=answers // len(scene.dataset))
    fresh = rehearse(scene, few)

    assert scene.all_tallies(METRICS, answers - 1) is None
    rehearse(scene, many)
    kept = scene.all_tallies(METRICS, 0)
    assert kept is not None
    assert len(kept) == answers
    assert same(rehearse(scene, few).answers, fresh.answers)
    assert replace(scene).all_tallies(METRICS, 0) is None
