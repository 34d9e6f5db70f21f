"""Models beside the people: who is heard, and how loud."""

from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from spancrew.consensus import (
    Aggregated,
    Auto,
    Bsc,
    CrewModel,
    Evidence,
    MajorityVote,
    Tagger,
    WithMembers,
    aggregate,
    are_heard,
    beliefs_of_people,
    by_people,
    consensus_method,
    consensus_name,
    has_hired,
    hearing_models_alone,
    with_members,
)
from spancrew.core import Answers, Dataset, Ragged, offsets_of
from spancrew.errors import SpancrewError
from spancrew.formats import read
from spancrew.metrics import Metric

EXACT = Metric("exact")
TAUGHT = 200
"""Sentences that people have answered where models answer more."""


@cache
def demo() -> Dataset:
    """Return the bundled data set: 600 sentences, 30 workers."""
    return read("demo").dataset


@cache
def crew_model() -> CrewModel:
    """Return what is learned from it with a tagger."""
    return WithMembers(Auto(), (Tagger(),)).fit(Evidence.of(demo()))


def f1(found: Aggregated) -> float:
    """Return the exact F1 of final labels against gold."""
    return EXACT.pool(found.beliefs.labels, found.dataset.gold).f1


def with_model(
    dataset: Dataset, codes: Ragged, copies: int = 1, on: np.ndarray | None = None
) -> Dataset:
    """Return a data set with the answers of a model, or of copies of it, on some sentences."""
    answers, names = dataset.answers, list(dataset.workers)
    sentence = np.arange(len(dataset)) if on is None else on
    for copy in range(copies):
        merged = np.concatenate([answers.sentence, sentence.astype(answers.sentence.dtype)])
        worker = np.append(answers.worker, np.full(len(sentence), len(names)))
        values = np.concatenate([answers.codes.values, codes.values])
        lengths = np.concatenate([answers.codes.lengths, codes.lengths])
        order = np.argsort(merged, kind="stable")
        together = Ragged(values.astype(dataset.labels.dtype), offsets_of(lengths)).take(order)
        answers = Answers(
            merged[order], worker[order].astype(answers.worker.dtype), together, len(dataset)
        )
        names.append(f"model:{copy}")
    return replace(dataset, answers=answers, workers=tuple(names))


def gold_with(share: float) -> Ragged:
    """Return gold in which a share of the sentences have no spans."""
    gold = demo().gold
    lost = np.random.default_rng(5).random(len(gold)) < share
    return Ragged(np.where(np.repeat(lost, gold.lengths), 0, gold.values), gold.offsets)


def test_a_good_tagger_is_heard_and_helps() -> None:
    """By two points and more on the bundled data set."""
    alone, together = aggregate(demo(), "auto"), aggregate(demo(), "auto+tagger")

    assert [each.is_passed for each in together.auditions] == [True]
    assert f1(together) > f1(alone) + 0.02


def test_two_answers_do_not_hide_a_good_tagger() -> None:
    """With few answers, each has much of a say in what it is compared with; that is left out."""
    whole, rng = demo(), np.random.default_rng(3)
    first = whole.answers.first
    chosen = [rng.permutation(np.arange(a, b))[:2] for a, b in pairwise(first)]
    rows = np.sort(np.concatenate(chosen))
    some = whole.answers.take(rows, whole.answers.sentence[rows], whole.answers.sentences)
    few = replace(whole, answers=some)
    alone, together = aggregate(few, "auto"), aggregate(few, "auto+tagger")

    assert [each.is_passed for each in together.auditions] == [True]
    assert f1(together) > f1(alone) + 0.05


def test_a_poor_tagger_is_not_heard() -> None:
    """On 62 sentences it learns nothing, and nothing changes."""
    dataset = read("demo-zh").dataset
    alone, together = aggregate(dataset, "auto"), aggregate(dataset, "auto+tagger")

    assert [each.is_passed for each in together.auditions] == [False]
    assert together.beliefs.labels == alone.beliefs.labels


def test_a_tagger_that_is_named_twice_has_one_voice() -> None:
    """Exactly: whatever is named again says nothing new."""
    once, twice = (aggregate(demo(), f"auto{'+tagger' * times}") for times in (1, 2))

    assert twice.beliefs.labels == once.beliefs.labels
    assert np.array_equal(twice.beliefs.confidence, once.beliefs.confidence)


@pytest.mark.parametrize("copies", [2, 5])
def test_copies_of_a_model_have_one_voice(copies: int) -> None:
    """However many there are."""
    model = gold_with(0.3)
    one = aggregate(with_model(demo(), model), "auto")
    many = aggregate(with_model(demo(), model, copies), "auto")

    assert many.beliefs.labels == one.beliefs.labels
    assert f1(one) > f1(aggregate(demo(), "auto")) + 0.02


@pytest.mark.parametrize("code", [0, 1])
def test_a_model_that_says_always_the_same_changes_nothing(code: int) -> None:
    """Nothing anywhere, or a span on every token."""
    gold = demo().gold
    model = Ragged(np.full_like(gold.values, code), gold.offsets)
    found = aggregate(with_model(demo(), model), "auto")

    assert [each.is_passed for each in found.auditions] == [False]
    assert found.beliefs.labels == aggregate(demo(), "auto").beliefs.labels


def test_a_model_that_copies_a_person_says_nothing_new() -> None:
    """It passes its audition, but is silent where this person has answered."""
    answers = demo().answers
    person = int(np.bincount(answers.worker).argmax())
    rows = np.flatnonzero(answers.worker == person)
    copied = with_model(demo(), answers.codes.take(rows), on=answers.sentence[rows])
    found = aggregate(copied, "auto")

    assert [each.is_passed for each in found.auditions] == [True]
    assert found.beliefs.labels == aggregate(demo(), "auto").beliefs.labels


def test_people_are_not_rewarded_for_agreeing_with_a_model() -> None:
    """Beliefs for rewards are those of people alone."""
    evidence, model = Evidence.of(demo()), crew_model()
    answers, lengths, words = evidence.answers, evidence.lengths, evidence.words
    judged = model.judge(answers, lengths, words)
    alone = Auto().fit(evidence)

    assert has_hired(model)
    people = beliefs_of_people(model, judged, answers, words)
    assert people.labels == alone.judge(answers, lengths, words).labels
    assert people.labels != judged.labels
    assert by_people(alone) is alone
    assert beliefs_of_people(alone, judged, answers, words) is judged


def test_who_joins_later_is_not_taken_for_the_tagger() -> None:
    """A worker whom no fit has seen counts like any that nobody knows."""
    evidence, model = Evidence.of(demo()), crew_model()
    part = evidence.take(np.arange(40))
    answers = part.answers
    strangers = [
        replace(answers, worker=np.full_like(answers.worker, number)) for number in (30, 500)
    ]
    one, other = (model.judge(each, part.lengths, part.words) for each in strangers)

    assert one.labels == other.labels


def test_a_sentence_that_nobody_answered_stays_unlabelled() -> None:
    """A tagger alone settles nothing."""
    evidence, model = Evidence.of(demo()), crew_model()
    part = evidence.take(np.arange(10))
    none = part.answers.take(np.zeros(0, np.int64), np.zeros(0, np.int32), 10)
    beliefs = model.judge(none, part.lengths, part.words)

    assert not beliefs.labels.values.any()
    assert not beliefs.confidence.any()


def test_models_are_heard_alone_where_that_is_asked_for_and_learn_nothing_from_it() -> None:
    """People have answered the first sentences only; without them nobody hears the model."""
    model = with_model(demo(), gold_with(0.1))
    people = np.flatnonzero(model.answers.worker < len(demo().workers))
    late = model.answers.sentence[people] >= TAUGHT
    kept = np.setdiff1d(np.arange(len(model.answers)), people[late])
    answers = model.answers.take(kept, model.answers.sentence[kept], len(model))
    evidence = Evidence.of(replace(model, answers=answers))
    fitted = WithMembers(Bsc()).fit(evidence)
    other = WithMembers(Bsc()).fit(evidence.take(np.arange(TAUGHT)))
    first = np.arange(len(model)) < TAUGHT
    shy, bold = fitted, hearing_models_alone(fitted)
    given = evidence.answers, evidence.lengths, evidence.words
    said = bold.judge(*given)

    assert has_hired(fitted)
    assert (said.labels.values == hearing_models_alone(other).judge(*given).labels.values).all()
    assert (are_heard(shy, evidence.answers, evidence.words) == first).all()
    assert are_heard(bold, evidence.answers, evidence.words).all()
    assert not shy.judge(*given).labels.take(np.flatnonzero(~first)).values.any()
    alone = np.flatnonzero(~first)
    assert EXACT.pool(said.labels.take(alone), demo().gold.take(alone)).f1 > 0.8


def test_experts_can_turn_a_model_down() -> None:
    """It agrees with the people, but not with the experts, and these are believed."""
    dataset = demo()
    people = aggregate(dataset, "auto").beliefs.labels
    is_known = np.arange(len(dataset)) < 60
    lost = np.where(np.repeat(is_known, people.lengths), 0, people.values)
    gold = dataset.gold
    known = Ragged(
        gold.values[: gold.offsets[60]], offsets_of(np.where(is_known, gold.lengths, 0))
    )
    crowd = with_model(dataset, Ragged(lost, people.offsets))
    (audition,) = WithMembers(Auto()).fit(replace(Evidence.of(crowd), known=known)).auditions

    assert audition.f1 > audition.needed
    assert audition.expert_f1 < audition.expert_needed
    assert not audition.is_passed


@pytest.mark.parametrize(
    "name",
    [
        "auto+tagger",
        "mv:ties=first+tagger:rounds=6",
        "bsc+tagger",
        "auto+tagger:expert=16,passes=3",
    ],
)
def test_a_method_with_members_has_a_name(name: str) -> None:
    """From which it is made again, as a journal needs it."""
    assert consensus_name(consensus_method(name)) == name


def test_members_can_be_added_by_name() -> None:
    """None, one or several."""
    vote = MajorityVote()

    assert with_members(vote, []) is vote
    assert consensus_name(with_members(vote, ["tagger"])) == "mv+tagger"
    again = with_members(with_members(vote, ["tagger"]), ["tagger:rounds=2"])
    assert consensus_name(again) == "mv+tagger+tagger:rounds=2"


def test_a_member_that_is_not_known_is_refused() -> None:
    """With the names of those that are."""
    with pytest.raises(SpancrewError, match=r"member 'taggr' is not known.*tagger"):
        consensus_method("auto+taggr")
