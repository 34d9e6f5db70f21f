"""What every feedback rule keeps to."""
# ruff: noqa: S101  asserts are what a contract is made of

import pickle

import numpy as np

from spancrew.consensus import MajorityVote
from spancrew.core import Answers, IntArray, Ragged
from spancrew.feedback import FeedbackRule, Verdict

_SENTENCES = 80


class FeedbackContract:
    """Tests for pytest: inherit, and set ``rule``."""

    rule: FeedbackRule

    def test_every_sentence_gets_a_verdict(self) -> None:
        """Whether it has many answers, one or none; the reason is a number or NaN."""
        answers, lengths = _asked()
        verdict = self._judge(answers, lengths)

        assert verdict.trusted.shape == verdict.reason.shape == (_SENTENCES,)
        assert verdict.trusted.dtype == np.bool_
        assert verdict.reason.dtype == np.float64
        assert isinstance(self.rule.leave_one_out, bool)

    def test_no_sentences_are_no_verdicts(self) -> None:
        """A step in which nobody works is fine."""
        verdict = self._judge(*_some([]))

        assert len(verdict.trusted) == len(verdict.reason) == 0

    def test_a_verdict_does_not_depend_on_other_sentences(self) -> None:
        """Alone or among others."""
        together = self._judge(*_asked())
        for sentence in range(_SENTENCES):
            alone = self._judge(*_some([sentence]))

            assert alone.trusted[0] == together.trusted[sentence]
            assert _is_same(alone.reason, together.reason[sentence : sentence + 1])

    def test_a_verdict_does_not_depend_on_who_answers_first(self) -> None:
        """Turn round the answers of every sentence."""
        answers, lengths = _asked()
        rows = np.lexsort((-np.arange(len(answers)), answers.sentence))
        one = self._judge(answers, lengths)
        other = self._judge(answers.take(rows, answers.sentence, _SENTENCES), lengths)

        assert (one.trusted == other.trusted).all()
        assert _is_same(one.reason, other.reason)

    def test_the_same_answers_get_the_same_verdict(self) -> None:
        """A rule has no memory and leaves the answers alone."""
        answers, lengths = _asked()
        before = pickle.dumps((answers, self.rule))
        one, other = self._judge(answers, lengths), self._judge(answers, lengths)

        assert (one.trusted == other.trusted).all()
        assert _is_same(one.reason, other.reason)
        assert pickle.dumps((answers, self.rule)) == before

    def test_a_copy_on_another_machine_is_the_same_rule(self) -> None:
        """Sweeps send rules to other processes."""
        assert pickle.loads(pickle.dumps(self.rule)) == self.rule  # noqa: S301  our own bytes

    def _judge(self, answers: Answers, lengths: IntArray) -> Verdict:
        return self.rule.judge(answers, MajorityVote().judge(answers, lengths))


def _is_same(one: np.ndarray, other: np.ndarray) -> bool:
    return np.allclose(one, other, rtol=0, atol=1e-9, equal_nan=True)


def _asked() -> tuple[Answers, IntArray]:
    return _some(list(range(_SENTENCES)))


def _some(sentences: list[int]) -> tuple[Answers, IntArray]:
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
