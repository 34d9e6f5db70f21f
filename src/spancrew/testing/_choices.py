"""What every consensus method that serves choices keeps to."""
# ruff: noqa: S101  asserts are what a contract is made of

from dataclasses import replace

import numpy as np

from spancrew.consensus import Consensus, Evidence
from spancrew.core import Ragged
from spancrew.testing._believed import by_experts, check, check_same, judged, some_of, turned
from spancrew.testing._choosers import chosen_by_crowd


class ChoiceContract:
    """Tests for pytest: inherit, and set ``method`` to the form that joins choices."""

    method: Consensus

    def test_every_question_gets_one_label(self) -> None:
        """Whatever was learned, as sure as a probability."""
        evidence, _ = chosen_by_crowd(questions=3, labels=4)
        nothing = self.method.fit(evidence.take(np.zeros(0, np.int64)))
        for model in (nothing, self.method.fit(evidence)):
            beliefs = judged(model, evidence)
            begins = beliefs.labels.offsets[:-1]

            check(evidence, beliefs)
            assert (beliefs.labels.values % 2 == 1).all()
            assert np.allclose(beliefs.expected, 3)
            assert np.allclose(beliefs.errors, 2 * np.add.reduceat(1 - beliefs.spans, begins))
            assert np.allclose(beliefs.confidence, np.multiply.reduceat(beliefs.spans, begins))

    def test_a_sheet_without_answers_gets_nothing(self) -> None:
        """And is not believed in."""
        evidence, _ = chosen_by_crowd(sheets=20)
        kept = np.flatnonzero(evidence.answers.sentence > 4)
        answers = evidence.answers.take(kept, evidence.answers.sentence[kept], 20)
        silent = replace(evidence, answers=answers)
        beliefs = judged(self.method.fit(silent), silent)

        assert not beliefs.labels.values[:5].any()
        assert not beliefs.confidence[:5].any()
        assert not beliefs.contested[:5].any()

    def test_the_order_of_answers_does_not_matter(self) -> None:
        """Not even where labels are tied."""
        evidence, _ = chosen_by_crowd(labels=2)
        model = self.method.fit(evidence)
        other = replace(evidence, answers=turned(evidence.answers))

        check_same(judged(model, evidence), judged(model, other))

    def test_a_sheet_alone_gets_what_it_gets_among_others(self) -> None:
        """A model looks at no other."""
        evidence, _ = chosen_by_crowd(sheets=30)
        model = self.method.fit(evidence)
        whole = judged(model, evidence)
        alone = judged(model, some_of(evidence, np.array([7])))

        assert alone.labels.values.tolist() == [whole.labels.values[7]]
        assert np.isclose(alone.confidence[0], whole.confidence[7])

    def test_a_good_crowd_is_believed(self) -> None:
        """With and without experts."""
        evidence, truth = chosen_by_crowd(sheets=120, worst=0.9, best=0.95, answers=6)
        taught = replace(evidence, known=by_experts(truth, np.arange(120) % 4 == 0))
        for some in (evidence, taught):
            assert self._accuracy(some, truth) > 0.85

    def _accuracy(self, evidence: Evidence, truth: Ragged) -> float:
        labels = judged(self.method.fit(evidence), evidence).labels
        return float((labels.values == truth.values).mean())
