"""Agreement: oracles, properties, and the values of the corner cases."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from nltk.metrics.agreement import AnnotationTask
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

from spancrew.core import Answer, Answers, Dataset, Sentence, Span, decode_tags, encode
from spancrew.errors import SpancrewError
from spancrew.metrics import (
    AGREEMENTS,
    AgreementName,
    agreement,
    agreement_of,
    overall_agreement,
    score,
)
from tests.strategies import LABELS, datasets, span_sets

Rows = list[list[str]]


@st.composite
def answer_rows(draw: st.DrawFn) -> Rows:
    """Draw two to five answers on one sentence as tags."""
    length = draw(st.integers(1, 8))
    sets = draw(st.lists(span_sets(length), min_size=2, max_size=5))
    return [list(decode_tags(encode(s, length, LABELS), LABELS)) for s in sets]


def differ(rows: Rows) -> bool:
    """Tell whether the answers are not unanimous; oracles divide by zero otherwise."""
    return len({tuple(row) for row in rows}) > 1


def nltk_task(rows: Rows) -> AnnotationTask:
    """Hand the answers to nltk."""
    return AnnotationTask([(w, t, tag) for w, row in enumerate(rows) for t, tag in enumerate(row)])


@given(answer_rows().filter(differ))
def test_fleiss_is_what_statsmodels_computes(rows: Rows) -> None:
    """Per sentence, over the tags of the tokens."""
    codes = [[LABELS.tags.index(tag) for tag in row] for row in rows]
    table, _ = aggregate_raters(np.array(codes).T)

    assert agreement_of(rows, "fleiss") == pytest.approx(fleiss_kappa(table, method="fleiss"))


@given(answer_rows().filter(differ))
def test_davies_fleiss_and_alpha_are_what_nltk_computes(rows: Rows) -> None:
    """The first is called multi_kappa there."""
    task = nltk_task(rows)

    assert agreement_of(rows, "davies_fleiss") == pytest.approx(task.multi_kappa())
    assert agreement_of(rows, "alpha") == pytest.approx(task.alpha())


@given(answer_rows())
def test_pairwise_f1_is_the_mean_over_pairs(rows: Rows) -> None:
    """Compare with scoring each pair on its own."""
    pairs = [score(a, b).f1 for a, b in combinations(rows, 2)]

    assert agreement_of(rows, "pairwise_f1") == pytest.approx(float(np.mean(pairs)))


@given(answer_rows(), st.randoms(use_true_random=False), st.sampled_from(AGREEMENTS))
def test_agreement_ignores_the_order_of_workers_and_the_names_of_labels(
    rows: Rows, random: "np.random.Generator", method: AgreementName
) -> None:
    """Shuffle the answers and rename the labels."""
    shuffled = sorted(rows, key=lambda _: random.random())
    swap = {"LOC": "PER", "PER": "ORG", "ORG": "LOC"}
    renamed = [[t[:2] + swap[t[2:]] if t != "O" else t for t in row] for row in shuffled]

    assert agreement_of(renamed, method) == pytest.approx(agreement_of(rows, method))


@given(answer_rows(), st.sampled_from(AGREEMENTS))
def test_agreement_is_one_only_for_unanimous_answers(rows: Rows, method: AgreementName) -> None:
    """And never above; kappa and alpha go below zero, pairwise F1 does not."""
    value = agreement_of(rows, method)

    assert value is not None
    assert value <= 1
    assert (value == 1) == (not differ(rows))


@pytest.mark.parametrize("method", AGREEMENTS)
def test_the_corner_cases_are_defined(method: AgreementName) -> None:
    """All empty is agreement; one answer alone is none."""
    empty = ["O"] * 5

    assert agreement_of([empty] * 4, method) == 1.0
    assert agreement_of([empty], method) is None
    assert agreement_of([["B-X"] * 3] * 2, method) == 1.0


def test_disagreement_is_seen() -> None:
    """Three answers with three different spans do not agree, whatever the measure."""
    rows = [["B-X" if i == k else "O" for i in range(3)] for k in range(3)]

    for method in AGREEMENTS:
        value = agreement_of(rows, method)
        assert value is not None
        assert value <= 0


def test_a_tie_between_labels_can_pass_the_papers_threshold() -> None:
    """Two say PER, two say ORG on the same borders: 0.64 on 20 tokens, a known weakness."""
    rows = [["O"] * 9 + [f"B-{name}", f"I-{name}"] + ["O"] * 9 for name in ("PER", "ORG") * 2]
    value = agreement_of(rows, "fleiss")

    assert value == pytest.approx(0.644, abs=0.001)


def complete(rows_of_sentences: list[Rows]) -> Answers:
    """Build answers where every worker has answered every sentence."""
    sentences = [
        Sentence.from_tokens(str(k), ["w"] * len(rows[0]))
        for k, rows in enumerate(rows_of_sentences)
    ]
    given_answers = [
        Answer(str(k), str(w), spans_of(row))
        for k, rows in enumerate(rows_of_sentences)
        for w, row in enumerate(rows)
    ]
    return Dataset.of(sentences, answers=given_answers, labels=LABELS).answers


def spans_of(row: list[str]) -> tuple[Span, ...]:
    """Read spans from tags."""
    from spancrew.core import spans_from_tags

    return spans_from_tags(row)[0]


@st.composite
def complete_tables(draw: st.DrawFn) -> list[Rows]:
    """Draw one to four sentences, each answered by the same two to four workers."""
    workers = draw(st.integers(2, 4))
    rows = st.integers(1, 6).flatmap(
        lambda n: st.lists(span_sets(n), min_size=workers, max_size=workers).map(
            lambda sets: [list(decode_tags(encode(s, n, LABELS), LABELS)) for s in sets]
        )
    )
    return draw(st.lists(rows, min_size=1, max_size=4))


@given(complete_tables())
def test_overall_values_are_the_textbook_ones_where_all_answer_all(table: list[Rows]) -> None:
    """To statsmodels and nltk we show all tokens of all sentences as one list."""
    joined = [[tag for row in rows for tag in row] for rows in zip(*table, strict=True)]
    assume(differ(joined))
    codes = [[LABELS.tags.index(tag) for tag in row] for row in joined]
    counts, _ = aggregate_raters(np.array(codes).T)
    answers, task = complete(table), nltk_task(joined)

    assert overall_agreement(answers, "fleiss") == pytest.approx(fleiss_kappa(counts))
    assert overall_agreement(answers, "davies_fleiss") == pytest.approx(task.multi_kappa())
    assert overall_agreement(answers, "alpha") == pytest.approx(task.alpha())


@given(datasets())
def test_overall_alpha_is_what_nltk_computes_with_gaps(data: Dataset) -> None:
    """Sentences with a single answer do not count."""
    answers = data.answers
    several = answers.per_sentence >= 2
    triples = [
        (int(answers.worker[k]), (int(answers.sentence[k]), t), int(code))
        for k in range(len(answers))
        if several[answers.sentence[k]]
        for t, code in enumerate(answers.codes[k])
    ]
    assume(len({code for _, _, code in triples}) > 1)

    assert overall_agreement(answers, "alpha") == pytest.approx(AnnotationTask(triples).alpha())


@given(datasets())
def test_sentences_with_fewer_than_two_answers_have_no_agreement(data: Dataset) -> None:
    """NaN per sentence; None overall if that is all there is."""
    alone = data.answers.per_sentence < 2

    for method in AGREEMENTS:
        assert np.isnan(agreement(data.answers, method)).tolist() == alone.tolist()
        assert (overall_agreement(data.answers, method) is None) == bool(alone.all())


@given(complete_tables())
def test_one_sentence_alone_is_its_own_overall(table: list[Rows]) -> None:
    """The two ways to compute a number meet."""
    answers = complete(table[:1])

    for method in AGREEMENTS:
        assert overall_agreement(answers, method) == pytest.approx(agreement(answers, method)[0])


def test_unknown_measures_and_uneven_answers_are_refused() -> None:
    """The message lists what there is."""
    with pytest.raises(SpancrewError, match="one of fleiss, davies_fleiss, alpha, pairwise_f1"):
        agreement_of([["O"], ["B-X"]], "cohen")  # type: ignore[arg-type]
    with pytest.raises(SpancrewError, match="same number of tags"):
        agreement_of([["O"], ["O", "O"]])


def test_every_small_table_is_bounded() -> None:
    """Enumerate all pairs of answers on two tokens with one label."""
    rows = [["O", "O"], ["B-X", "O"], ["O", "B-X"], ["B-X", "I-X"], ["B-X", "B-X"]]

    for pair, method in product(combinations(rows, 2), AGREEMENTS):
        value = agreement_of(list(pair), method)
        assert value is not None
        assert -1 <= value < 1
