"""Whether models pay, in one sentence."""

from dataclasses import replace

import numpy as np
import pytest

from spancrew.core import Answer, Answers, Dataset, Ragged, Sentence, Span
from spancrew.formats import read
from spancrew.planner import Aim, Basis, ModelsCompared, People, PlanNeeds, Terms, families
from spancrew.planner._stages import stages
from spancrew.workbench import plan

FOUR, TWO = PlanNeeds(3.94, 0.2, 330.0, 0.951), PlanNeeds(2.02, 0.104, 212.4, 0.95)


def with_model(dataset: Dataset, wrong: float) -> Dataset:
    """Return a data set that a model has answered: gold, or nothing on a share of sentences."""
    rng, answers = np.random.default_rng(5), dataset.answers
    said = dataset.gold.values.copy()
    said[np.repeat(rng.random(len(dataset)) < wrong, dataset.gold.lengths)] = 0
    sentence = np.concatenate([answers.sentence, np.arange(len(dataset), dtype=np.int32)])
    order = np.argsort(sentence, kind="stable")
    number = np.full(len(dataset), len(dataset.workers), np.int32)
    codes = Ragged.joined([answers.codes, Ragged(said, dataset.gold.offsets)])
    more = Answers(
        sentence[order],
        np.concatenate([answers.worker, number])[order],
        codes.take(order),
        len(dataset),
    )
    return replace(dataset, workers=(*dataset.workers, "model:x"), answers=more)


SAID = """\
With the tagger and model:x at 0.002 an answer you need 2.0 people a sentence instead of 3.9, and \
experts on 10 % instead of 20 % of the sentences (cost 212 instead of 330, F1 0.950 \
instead of 0.951).
The tagger does not pay: the best plan with it makes no difference that rehearsals can tell \
(cost 325 instead of 330, F1 0.951 instead of 0.951).
model:x and model:y at 0.5 an answer do not pay, so plan without them: the best plan with \
them costs more (cost 500 instead of 330, F1 0.951 instead of 0.951).
model:x does not pay, so plan without it: the best plan with it has worse labels \
(cost 330 instead of 330, F1 0.900 instead of 0.951).
""".splitlines()


@pytest.mark.parametrize(
    ("quality", "models", "price", "beside", "sentence"),
    [
        (0.95, ("tagger", "model:x"), 0.002, TWO, SAID[0]),
        (0.95, ("tagger",), 0.0, FOUR._replace(cost=325.0), SAID[1]),
        (0.95, ("model:x", "model:y"), 0.5, FOUR._replace(cost=500.0), SAID[2]),
        (None, ("model:x",), 0.0, FOUR._replace(f1=0.9), SAID[3]),
    ],
)
def test_one_sentence_says_whether_models_pay(
    quality: float | None, models: tuple[str, ...], price: float, beside: PlanNeeds, sentence: str
) -> None:
    """With its prices, and what the plan without them needs."""
    found = ModelsCompared(models, price, beside, FOUR, quality)

    assert found.sentence == sentence
    assert found.pays == (beside is TWO)
    assert found.as_json()["sentence"] == sentence


def test_a_quality_that_only_models_reach_is_worth_its_money() -> None:
    """Also where the plan with them costs more."""
    beside = PlanNeeds(2.0, 0.0, 400.0, 0.9)

    assert ModelsCompared(("tagger",), 0.0, beside, FOUR._replace(f1=0.8), 0.9).pays


def test_models_first_is_tried_where_there_are_models() -> None:
    """And what a model costs is part of what a plan costs; the bar knows of three more looks."""
    rules = {family.rule for family in families(9, 3, has_experts=True, members=["tagger"])}
    alone = {family.rule for family in families(9, 3, has_experts=True)}
    tried = list(families(9, 3, has_experts=True, has_models=True))
    aim = Aim(1_000, models=("model:x", "model:y"), model_price=0.01)
    terms, people = Terms(aim, People(9)), Terms(aim.for_people(), People(9))
    figures, first = np.array([0.9, 0.2, 0.05, 1.5]), tried[-1].at(0.2)

    assert rules - alone == {"adaptive:expert_share={:g},first=0"}
    assert first.fewest == 0
    assert terms.cost(first, figures) == pytest.approx(people.cost(first, figures) + 20.0)
    assert len(stages(tried, 300, terms)) == len(stages(tried, 300, people)) + 3


def test_a_crowd_without_models_is_the_same_people() -> None:
    """In what is drawn and in what is replayed, nobody hears the model."""
    drawn = [Sentence.from_tokens(f"s{k}", ["Ana", "left"]) for k in range(40)]
    gold = {each.id: (Span(0, 1, "PER"),) for each in drawn}
    people = [Answer(each.id, f"w{j}", gold[each.id]) for each in drawn for j in range(5)]
    basis = Basis.of(with_model(Dataset.of(drawn, gold, people), 0.1), 5, 0, enough=200)
    alone = basis.without_models()

    assert basis.model(40, 0).workers == (*alone.model(40, 0).workers, "model:x")
    assert len(basis.real().by_models(np.arange(40))[0]) == 40
    assert len(alone.real().by_models(np.arange(40))[0]) == 0


@pytest.mark.long
def test_a_plan_says_what_a_good_model_of_its_pilot_saves() -> None:
    """In a note and in JSON; a plan without models has neither."""
    demo = read("demo").dataset.take(np.arange(60))
    found = plan(with_model(demo, 0.1), quality=0.9, model_price=0.002).found
    json = found.as_json()["models"]

    assert found.models is not None
    assert json["members"] == ["model:x"]
    assert json["price"] == 0.002
    assert found.notes[0] == json["sentence"] == found.models.sentence
    assert json["pays"]
    assert json["with"]["cost"] < json["without"]["cost"]
