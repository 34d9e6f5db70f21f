"""What every feedback rule keeps to."""
# ruff: noqa: S101  asserts are what a contract is made of

import pickle

import numpy as np

from spancrew.consensus import Beliefs, MajorityVote
from spancrew.core import Answers, IntArray, Ragged
from spancrew.errors import SpancrewError
from spancrew.feedback import Doubts, FeedbackRule, Prices, Situation, Verdict
from spancrew.testing._parts import check_part

_SENTENCES = 80
_THRESHOLD = 0.5
_SEEN = 60
"""Sentences that every run has seen before."""


class FeedbackContract:
    """Tests for pytest: inherit, and set ``rule``.

    Rules are asked about sentences of different runs, each of which has seen something else, and
    on some of which more answers may be asked for.
    """

    rule: FeedbackRule

    def test_every_sentence_gets_a_verdict(self) -> None:
        """Whether it has many answers, one or none; the reason is a number or NaN."""
        verdict = self._judge(_ALL)

        assert verdict.trusted.shape == verdict.reason.shape == verdict.more.shape == (_SENTENCES,)
        assert verdict.trusted.dtype == verdict.more.dtype == np.bool_
        assert verdict.reason.dtype == np.float64

    def test_a_rule_says_what_it_is_like(self) -> None:
        """How rewards are found, with how many answers a sentence starts, what decides."""
        assert isinstance(self.rule.leave_one_out, bool)
        assert isinstance(self.rule.decides_by, str)
        assert self.rule.first is None or self.rule.first >= 0

    def test_no_sentences_are_no_verdicts(self) -> None:
        """A step in which nobody works is fine."""
        verdict = self._judge([])

        assert [len(column) for column in verdict] == [0, 0, 0]

    def test_whoever_is_trusted_needs_no_more_answers(self) -> None:
        """And where none are left, none are asked for."""
        verdict = self._judge(_ALL)
        left = _situation(_ALL).left

        assert not (verdict.trusted & verdict.more).any()
        assert not verdict.more[left == 0].any()

    def test_without_a_situation_nothing_was_seen_and_all_answers_are_in(self) -> None:
        """As if it was said."""
        answers, lengths = _asked(_ALL)
        beliefs = MajorityVote().judge(answers, lengths)
        untold = self.rule.judge(answers, beliefs)
        told = self.rule.judge(answers, beliefs, Situation.first(_SENTENCES))

        assert _is_same(untold, told)
        assert not untold.more.any()

    def test_a_verdict_does_not_depend_on_other_runs(self) -> None:
        """Alone or among others."""
        together = self._judge(_ALL)
        for sentence in _ALL:
            alone = self._judge([sentence])

            assert _is_same(alone, together.take(np.array([sentence])))

    def test_a_verdict_does_not_depend_on_who_answers_first(self) -> None:
        """Turn round the answers of every sentence."""
        answers, lengths = _asked(_ALL)
        rows = np.lexsort((-np.arange(len(answers)), answers.sentence))
        turned = answers.take(rows, answers.sentence, _SENTENCES)
        one, other = (
            self.rule.judge(each, MajorityVote().judge(each, lengths), _situation(_ALL))
            for each in (answers, turned)
        )

        assert _is_same(one, other)

    def test_the_same_answers_get_the_same_verdict(self) -> None:
        """A rule has no memory of its own, and leaves answers and doubts alone."""
        answers, lengths = _asked(_ALL)
        beliefs = MajorityVote().judge(answers, lengths)
        situation = _situation(_ALL)
        before = pickle.dumps((answers, tuple(situation.doubts), self.rule))
        one, other = (self.rule.judge(answers, beliefs, situation) for _ in range(2))

        assert _is_same(one, other)
        assert pickle.dumps((answers, tuple(situation.doubts), self.rule)) == before

    def test_it_is_the_same_again_from_a_copy_and_from_its_name(self) -> None:
        """And has all members of the protocol."""
        check_part(self.rule, "feedback", FeedbackRule)

    def test_a_rule_that_asks_no_expert_says_so(self) -> None:
        """No money is put aside then, so there would be none for an expert."""
        verdict = self._judge(_ALL)

        assert self.rule.asks_experts or (verdict.trusted | verdict.more).all()

    def test_a_threshold_is_where_the_rule_asks(self) -> None:
        """Where the rule has one: the expert is asked as the preview of it says."""
        prices, doubts = Prices(), Doubts.start(1)
        if self.rule.current_threshold(prices, doubts) is None:
            _refuses_thresholds(self.rule)
            return
        moved = self.rule.with_threshold(_THRESHOLD, prices)
        threshold = moved.current_threshold(prices, doubts)

        assert threshold is not None
        assert not threshold.moves
        assert abs(threshold.value - _THRESHOLD) < 1e-3
        assert threshold.by == moved.decides_by == self.rule.decides_by
        check_part(moved, "feedback", FeedbackRule)
        answers, lengths = _asked(_ALL)
        beliefs = MajorityVote().judge(answers, lengths)
        verdict = moved.judge(answers, beliefs)
        asked = moved.asks_at(verdict.reason, beliefs.contested, prices)
        is_answered = answers.per_sentence > 0
        assert (asked == ~verdict.trusted)[is_answered].all()

    def _judge(self, sentences: list[int]) -> Verdict:
        answers, lengths = _asked(sentences)
        beliefs = MajorityVote().judge(answers, lengths)
        return self.rule.judge(answers, beliefs, _situation(sentences))


_ALL = list(range(_SENTENCES))


def _refuses_thresholds(rule: FeedbackRule) -> None:
    for attempt in (
        lambda: rule.with_threshold(_THRESHOLD, Prices()),
        lambda: rule.asks_at(np.zeros(1), np.zeros(1, bool), Prices()),
    ):
        try:
            attempt()
        except SpancrewError:
            continue
        raise AssertionError("a rule without a threshold lets one be set")


def _is_same(one: Verdict, other: Verdict) -> bool:
    return (
        np.array_equal(one.trusted, other.trusted)
        and np.array_equal(one.more, other.more)
        and np.allclose(one.reason, other.reason, rtol=0, atol=1e-9, equal_nan=True)
    )


def _situation(sentences: list[int]) -> Situation:
    """Return what is known where each of some sentences has a run of its own."""
    doubts = Doubts.start(len(sentences))
    for run, sentence in enumerate(sentences):
        rng = np.random.default_rng(sentence)
        runs = np.full(_SEEN, run)
        errors = rng.gamma(0.5 + rng.random(), size=_SEEN)
        trusted = rng.random(_SEEN) < rng.random()
        doubts.learn(runs, _beliefs(errors), Verdict.final(trusted, errors))
        doubts.learn_answer(runs, errors, errors * rng.random(_SEEN))
    left = np.array(sentences, np.int64) % 3
    return Situation(doubts, np.arange(len(sentences)), left, Prices())


def _beliefs(errors: np.ndarray) -> Beliefs:
    """Return beliefs with these errors on sentences of one span."""
    ones = np.ones(len(errors))
    labels = Ragged.of([[1]] * len(errors))
    return Beliefs(labels, ones < 0, ones, np.exp(-errors), errors, ones)


def _asked(sentences: list[int]) -> tuple[Answers, IntArray]:
    """Return the answers on some sentences, from none to five on each, and their lengths."""
    given = [_answers_on(sentence) for sentence in sentences]
    count = [len(rows) for _, rows in given]
    answers = Answers(
        np.repeat(np.arange(len(given)), count).astype(np.int32),
        np.array([j for each in count for j in range(each)], np.int32),
        Ragged.of([row for _, rows in given for row in rows]),
        len(given),
    )
    return answers, np.array([length for length, _ in given], np.int64)


def _answers_on(sentence: int) -> tuple[int, list[list[int]]]:
    """Return the length of a sentence and its answers: more alike on one, less on another."""
    rng = np.random.default_rng(sentence)
    length = 1 + sentence % 7
    likely = _codes(rng, length)
    alike = rng.random()
    rows = [likely if rng.random() < alike else _codes(rng, length) for _ in range(sentence % 6)]
    return length, rows


def _codes(rng: np.random.Generator, length: int) -> list[int]:
    """Return codes of three labels, some spans longer than a token."""
    codes: list[int] = []
    for _ in range(length):
        before = codes[-1] if codes else 0
        inside = before + before % 2
        drawn = int(rng.choice([0, 0, 1, 3, 5]))
        codes.append(inside if before and rng.random() < 0.4 else drawn)
    return codes
