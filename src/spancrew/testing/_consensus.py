"""What every consensus method keeps to."""
# ruff: noqa: S101  asserts are what a contract is made of

import pickle
from dataclasses import replace

import numpy as np

from spancrew.consensus import Consensus
from spancrew.core import Ragged
from spancrew.testing._believed import (
    audited,
    by_chance,
    by_experts,
    check,
    check_same,
    f1_of,
    judged,
    nothing,
    part_of,
    score,
    some_of,
    turned,
)
from spancrew.testing._made_up import MadeUpCrowd
from spancrew.testing._parts import check_part


class ConsensusContract:
    """Tests for pytest: inherit, and set ``method``.

    ``calibrates`` tells that audits may change what the method states.
    """

    method: Consensus
    calibrates: bool = False

    def test_beliefs_have_a_place_for_everything(self) -> None:
        """And probabilities are probabilities, before and after learning."""
        evidence, _ = MadeUpCrowd().made()
        for model in (self.method.fit(nothing()), self.method.fit(evidence)):
            check(evidence, judged(model, evidence))

    def test_no_sentences_are_no_beliefs(self) -> None:
        """A step in which nobody works is fine, also for a model that has learned."""
        evidence, _ = MadeUpCrowd(sentences=20).made()
        for model in (self.method.fit(nothing()), self.method.fit(evidence)):
            check(nothing(), judged(model, nothing()))

    def test_words_are_not_needed(self) -> None:
        """Neither for learning nor for judging."""
        evidence, _ = MadeUpCrowd(sentences=30).made()
        wordless = replace(evidence, words=None, vocabulary=0)
        for model in (self.method.fit(evidence), self.method.fit(wordless)):
            check(evidence, model.judge(evidence.answers, evidence.lengths))

        check(evidence, judged(self.method.fit(wordless), evidence))

    def test_a_model_does_not_look_at_other_sentences(self) -> None:
        """A sentence alone gets what it gets among others."""
        evidence, _ = MadeUpCrowd(sentences=60).made()
        model = self.method.fit(evidence)
        together = judged(model, evidence)
        for sentence in range(0, 60, 7):
            alone = judged(model, some_of(evidence, np.array([sentence])))

            check_same(alone, part_of(together, sentence))

    def test_the_order_of_answers_does_not_matter(self) -> None:
        """Turn round the answers of every sentence."""
        evidence, _ = MadeUpCrowd(sentences=60).made()
        model = self.method.fit(evidence)
        other = replace(evidence, answers=turned(evidence.answers))

        check_same(judged(model, evidence), judged(model, other))

    def test_a_good_crowd_that_agrees_is_believed(self) -> None:
        """Before and after learning; nobody has ever made a mistake."""
        evidence, gold = MadeUpCrowd(worst=1.0, best=1.0).made()
        for model in (self.method.fit(nothing()), self.method.fit(evidence)):
            beliefs = judged(model, evidence)

            assert beliefs.labels == gold
            assert not beliefs.contested.any()
            assert beliefs.confidence.mean() > 0.5
            assert beliefs.spans[gold.values % 2 == 1].min() > 0.5

    def test_more_is_expected_where_the_crowd_disagrees(self) -> None:
        """More errors on sentences that are wrong, and less confidence."""
        evidence, gold = MadeUpCrowd(hints=0.5).made()
        beliefs = judged(self.method.fit(evidence), evidence)
        right = np.array(
            [np.array_equal(*rows) for rows in zip(beliefs.labels, gold, strict=True)]
        )

        assert beliefs.errors[~right].mean() > beliefs.errors[right].mean()
        assert beliefs.confidence[~right].mean() < beliefs.confidence[right].mean()

    def test_experts_do_no_harm(self) -> None:
        """Their labels on half of the sentences leave the others as good or better."""
        evidence, gold = MadeUpCrowd(sentences=240).made()
        known = by_experts(gold, np.arange(240) % 2 == 0)
        rest = np.arange(1, 240, 2)
        alone, taught = (
            f1_of(self.method.fit(some), some_of(evidence, rest), gold.take(rest))
            for some in (evidence, replace(evidence, known=known))
        )

        assert taught > alone - 0.02

    def test_audits_teach_nothing_about_workers(self) -> None:
        """Whatever they say, at once or when learning goes on; they may calibrate at most."""
        evidence, gold = MadeUpCrowd(sentences=120).made()
        known = replace(evidence, known=by_experts(gold, np.arange(120) % 5 == 0))
        part = some_of(known, np.arange(80))
        nonsense = Ragged(np.zeros_like(gold.values), gold.offsets)
        checked = [
            audited(some, nonsense, np.flatnonzero(~some.is_known)[::3], 3.0)
            for some in (part, known)
        ]
        plain = self.method.fit(known, self.method.fit(part))
        more = self.method.fit(checked[1], self.method.fit(checked[0]))
        assert checked[1].is_audit.sum() > checked[0].is_audit.sum() > 0
        if not self.calibrates:
            check_same(judged(plain, evidence), judged(more, evidence), within=0.0)

    def test_learning_goes_on_from_an_earlier_model(self) -> None:
        """It gets about as good as learning at once."""
        evidence, gold = MadeUpCrowd(sentences=240).made()
        at_once = self.method.fit(evidence)
        model = self.method.fit(nothing())
        for seen in (40, 120, 240):
            model = self.method.fit(some_of(evidence, np.arange(seen)), model)

        assert f1_of(model, evidence, gold) > f1_of(at_once, evidence, gold) - 0.03

    def test_learning_pays(self) -> None:
        """It does not lose against the same method that has not learned."""
        evidence, gold = MadeUpCrowd(sentences=240).made()
        taught = f1_of(self.method.fit(evidence), evidence, gold)
        untaught = f1_of(self.method.fit(nothing()), evidence, gold)

        assert isinstance(self.method.learns, bool)
        if self.method.learns:
            assert taught > untaught - 0.02
        else:
            assert taught == untaught

    def test_the_same_evidence_gives_the_same_beliefs(self) -> None:
        """Nothing is left to chance."""
        evidence, gold = MadeUpCrowd(sentences=60).made()
        known = replace(evidence, known=by_experts(gold, np.arange(60) < 10))
        one, other = (judged(self.method.fit(known), evidence) for _ in range(2))

        check_same(one, other, within=0.0)

    def test_nothing_changes_what_it_is_given(self) -> None:
        """Neither evidence nor model nor method."""
        evidence, gold = MadeUpCrowd(sentences=60).made()
        known = replace(evidence, known=by_experts(gold, np.arange(60) < 10))
        before = self.method.fit(evidence)
        kept = pickle.dumps((known, before, self.method))
        judged(self.method.fit(known, before), evidence)
        judged(before, evidence)

        assert pickle.dumps((known, before, self.method)) == kept

    def test_a_copy_on_another_machine_judges_alike(self) -> None:
        """Sweeps send methods, and campaigns keep models."""
        evidence, _ = MadeUpCrowd(sentences=60).made()
        model = self.method.fit(evidence)
        copy = pickle.loads(pickle.dumps(model))  # noqa: S301  our own bytes

        check_same(judged(model, evidence), judged(copy, evidence), within=0.0)

    def test_it_is_the_same_again_from_a_copy_and_from_its_name(self) -> None:
        """And has all members of the protocol."""
        check_part(self.method, "consensus", Consensus)

    def test_workers_nobody_has_seen_may_answer(self) -> None:
        """They are neither ignored nor a reason to stop."""
        evidence, _ = MadeUpCrowd(sentences=60).made()
        model = self.method.fit(evidence)
        good, gold = MadeUpCrowd(sentences=20, worst=1.0, best=1.0, seed=1).made()
        worker = good.answers.worker + 1000
        beliefs = model.judge(replace(good.answers, worker=worker), good.lengths, good.words)

        check(good, beliefs)
        assert beliefs.labels == gold

    def test_sentences_without_answers_are_possible(self) -> None:
        """Some of them, or all; with an expert's labels or without."""
        evidence, gold = MadeUpCrowd(sentences=40).made()
        some = evidence.answers.sentence % 3 > 0
        for kept in (np.flatnonzero(some), np.zeros(0, np.int64)):
            answers = evidence.answers.take(kept, evidence.answers.sentence[kept], 40)
            for known in (None, by_experts(gold, np.arange(40) % 2 == 0)):
                silent = replace(evidence, answers=answers, known=known)
                beliefs = judged(self.method.fit(silent), silent)

                check(silent, beliefs)
                assert (beliefs.confidence[answers.per_sentence == 0] < 1.0).all()

    def test_one_worker_alone_is_believed(self) -> None:
        """Whatever they say, there is nothing better."""
        evidence, _ = MadeUpCrowd(sentences=30, workers=1, answers=1, worst=0.7).made()
        beliefs = judged(self.method.fit(evidence), evidence)

        check(evidence, beliefs)
        assert score(beliefs.labels, evidence.answers.codes) > 0.7

    def test_answers_without_spans_give_none(self) -> None:
        """Everybody says that there is nothing."""
        evidence, _ = MadeUpCrowd(sentences=40).made()
        empty = Ragged(
            np.zeros_like(evidence.answers.codes.values), evidence.answers.codes.offsets
        )
        silent = replace(evidence, answers=replace(evidence.answers, codes=empty))
        beliefs = judged(self.method.fit(silent), silent)

        check(silent, beliefs)
        assert not beliefs.labels.values.any()

    def test_one_label_is_enough(self) -> None:
        """As in a search for terms."""
        evidence, gold = MadeUpCrowd(labels=1).made()
        model = self.method.fit(evidence)

        check(evidence, judged(model, evidence))
        assert f1_of(model, evidence, gold) > 0.5

    def test_a_worker_who_always_says_the_same_does_not_win(self) -> None:
        """Against three others who are good."""
        evidence, gold = MadeUpCrowd(worst=0.8).made()
        codes = evidence.answers.codes.values.copy()
        lazy = np.repeat(evidence.answers.worker == 0, evidence.answers.codes.lengths)
        codes[lazy] = 1
        answers = replace(evidence.answers, codes=Ragged(codes, evidence.answers.codes.offsets))
        spoilt = replace(evidence, answers=answers)
        model = self.method.fit(spoilt)

        check(spoilt, judged(model, spoilt))
        assert f1_of(model, spoilt, gold) > 0.7

    def test_ten_thousand_workers_may_answer_once(self) -> None:
        """As in a crowd that comes and goes."""
        evidence, gold = MadeUpCrowd(sentences=2500).made()
        worker = np.arange(10_000, dtype=np.int32)
        many = replace(
            evidence, answers=replace(evidence.answers, worker=worker), workers=len(worker)
        )
        model = self.method.fit(many)

        check(many, judged(model, many))
        assert f1_of(model, many, gold) > 0.5

    def test_long_sentences_with_many_answers_are_possible(self) -> None:
        """Three hundred tokens, fifty answers."""
        sheets = MadeUpCrowd(3, workers=50, answers=50, worst=0.6, shortest=300, longest=300)
        evidence, gold = sheets.made()
        model = self.method.fit(evidence)

        check(evidence, judged(model, evidence))
        assert f1_of(model, evidence, gold) > 0.9

    def test_answers_at_random_are_possible(self) -> None:
        """Few sentences, few answers, whatever they are; some by an expert."""
        for seed in range(40):
            evidence = by_chance(np.random.default_rng(seed))
            model = self.method.fit(evidence)

            check(evidence, judged(model, evidence))
            check(evidence, judged(self.method.fit(evidence, model), evidence))
