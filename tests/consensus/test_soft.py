"""Soft labels: probabilities of tags, from final labels and answers."""

import numpy as np
import pytest
from hypothesis import given

from spancrew.consensus import MajorityVote, aggregate, soft_labels
from spancrew.core import Answer, Dataset, DatasetBuilder, Final, FinalSpan, Sentence, Span
from tests.formats.drawn import full_datasets
from tests.strategies import datasets

PER = Span(0, 1, "PER")


def one(*answers: tuple[Span, ...]) -> Dataset:
    """Return one sentence of two tokens with these answers, and one without any."""
    sentences = [Sentence.from_tokens(id_, ["Ana", "left"]) for id_ in ("s1", "s2")]
    given_ = [Answer("s1", f"w{k}", spans) for k, spans in enumerate(answers)]
    return Dataset.of(sentences, answers=given_)


def test_without_final_labels_a_tag_has_its_share_of_the_answers() -> None:
    """Zeros where nobody has answered."""
    soft = soft_labels(one((PER,), (PER,), (PER,), ()))

    assert soft.tolist() == [[0.25, 0.75, 0], [1, 0, 0], [0, 0, 0], [0, 0, 0]]


def test_a_final_tag_has_the_probability_of_its_span() -> None:
    """What is left goes to the tags of the other answers."""
    joined = aggregate(one((PER,), (PER,), ()), MajorityVote())
    confidence = joined.dataset.final(0).spans[0].confidence  # type: ignore[union-attr]
    soft = soft_labels(joined.dataset)

    assert soft[0] == pytest.approx([1 - confidence, confidence, 0])
    assert soft[1].tolist() == [1, 0, 0]
    assert not soft[2:].any()


def test_what_is_left_goes_to_outside_if_no_answer_says_otherwise() -> None:
    """All say the same, and the method is still in doubt."""
    builder = DatasetBuilder()
    builder.add_sentence(Sentence.from_tokens("s1", ["Ana", "left"]))
    builder.add_answer(Answer("s1", "ada", (PER,)))
    builder.add_final("s1", Final((FinalSpan(PER, 0.9, 1),), 0.9, 1, "auto"))

    assert soft_labels(builder.build()).tolist() == [pytest.approx([0.1, 0.9, 0]), [1, 0, 0]]


def test_what_an_expert_decided_is_certain() -> None:
    """Whatever the crowd says."""
    joined = aggregate(one((PER,), (), ()), MajorityVote(), ["w0"])

    assert soft_labels(joined.dataset)[0].tolist() == [0, 1, 0]


@given(datasets() | full_datasets())
def test_probabilities_come_to_one_or_to_nothing(dataset: Dataset) -> None:
    """A row for every token; nothing where neither the crowd nor an expert has spoken."""
    soft = soft_labels(dataset)
    total = soft.sum(axis=1)

    assert soft.shape == (len(dataset.sentences.starts.values), len(dataset.labels.tags))
    assert (soft >= 0).all()
    assert (np.isclose(total, 1) | (total == 0)).all()


@given(datasets(gold=False))
def test_gold_is_not_looked_at(dataset: Dataset) -> None:
    """Without final labels, the answers alone count, in any order."""
    soft = soft_labels(dataset)
    begin = dataset.sentences.starts.offsets

    for k in range(len(dataset)):
        rows = list(range(*dataset.answers.first[k : k + 2]))
        for token in range(begin[k], begin[k + 1]):
            codes = [int(dataset.answers.codes[row][token - begin[k]]) for row in rows]
            for code in set(codes):
                assert soft[token, code] == pytest.approx(codes.count(code) / len(codes))
