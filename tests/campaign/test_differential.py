"""A live campaign takes the decisions of a rehearsal: one rule, two drivers."""

from dataclasses import replace

import numpy as np
import pytest

from spancrew.campaign import Audited, Campaign, CrewChosen, Plan, Settled, WarmUp
from spancrew.consensus import (
    Auto,
    Bsc,
    Consensus,
    DawidSkene,
    MajorityVote,
    SpanDs,
    SpanVote,
    Tagger,
    WithMembers,
)
from spancrew.core import Chance, Ragged, Span, encode
from spancrew.crowds import Replay
from spancrew.feedback import Adaptive, AgreementGate, ExpectedErrorGate
from spancrew.metrics import Metric
from spancrew.policies import Cucb, Queue
from spancrew.simulate import Scene, Setting, rehearse, scene_of
from tests.campaign.driven import MODEL_PRICE, Driven
from tests.simulate.preferences import preference_scene
from tests.simulate.small import small_scene
from tests.simulate.test_engine import NUMBERS, POLICIES, RULES
from tests.simulate.watched import Watched
from tests.spread import spread

METHODS: dict[str, Consensus] = {
    "mv": MajorityVote(),
    "span-vote": SpanVote(),
    "ds": DawidSkene(),
    "span-ds": SpanDs(),
    "bsc": Bsc(),
    "auto": Auto(),
    "auto+tagger": WithMembers(Auto(), (Tagger(rounds=1),)),
}
AUDITED = {
    "expected error": RULES["expected error"],
    "adaptive, share": RULES["adaptive, share"],
    "quality": ExpectedErrorGate(quality=0.9),
    "gate": AgreementGate(0.4),
}
LIVE = {name: policy for name, policy in POLICIES.items() if name != "oracle"}
NUMBERS_LIVE = {
    name: setting
    for name, setting in NUMBERS.items()
    if setting.attendance == 1 and setting.delay == 0
}


@pytest.fixture(scope="module")
def scene() -> Scene:
    """Return a scene of 23 sentences and 9 workers."""
    return small_scene()


@pytest.fixture(scope="module")
def long_scene() -> Scene:
    """Return a scene that is long enough for several fits."""
    return small_scene(sentences=140, workers=9, seed=3)


@pytest.fixture(scope="module")
def chosen_scene() -> Scene:
    """Return pairs of responses with two questions each, enough for several fits."""
    return preference_scene(sheets=130)


@pytest.mark.parametrize("policy", LIVE)
def test_every_policy_chooses_the_same_crews(scene: Scene, policy: str) -> None:
    """Draws, ties and what was learned are the same in both drivers."""
    assert_same(scene, replace(NUMBERS["plain"], policy=LIVE[policy], feedback=AgreementGate(0.4)))


@pytest.mark.parametrize(("rule", "policy"), spread(RULES, ["cucb", "difficulty-thompson"]))
def test_every_rule_asks_the_same_people(scene: Scene, rule: str, policy: str) -> None:
    """Verdicts, rewards and doubts are the same in both drivers."""
    assert_same(scene, replace(NUMBERS["plain"], policy=LIVE[policy], feedback=RULES[rule]))


@pytest.mark.parametrize("numbers", NUMBERS_LIVE)
def test_crews_caps_and_prices_mean_the_same(scene: Scene, numbers: str) -> None:
    """Whatever can be set is set alike."""
    assert_same(scene, replace(NUMBERS_LIVE[numbers], policy=Cucb(0.3)))


@pytest.mark.parametrize(
    ("method", "rule"),
    spread(METHODS, ["expected error", "adaptive, share", "gate, leave one out"]),
)
def test_every_method_learns_the_same(long_scene: Scene, method: str, rule: str) -> None:
    """Models are fitted on the same evidence at the same time, and labels are revised alike."""
    setting = replace(NUMBERS["plain"], policy=Cucb(0.3), feedback=RULES[rule])
    assert_same(long_scene, replace(setting, consensus=METHODS[method]))


@pytest.mark.parametrize(
    ("method", "rule", "audit"),
    [
        ("mv", "gate, leave one out", 0),
        ("ds", "adaptive, share", 0),
        ("auto", "expected error", 0),
        ("auto", "expected error", 0.2),
        ("mv", "gate", 20),
    ],
)
def test_choices_are_settled_the_same(
    chosen_scene: Scene, method: str, rule: str, audit: float
) -> None:
    """Each method takes the form for choices in both drivers."""
    setting = replace(NUMBERS["plain"], policy=Cucb(0.3), audit=audit)
    rules = {**RULES, **AUDITED}
    assert_same(chosen_scene, replace(setting, consensus=METHODS[method], feedback=rules[rule]))


@pytest.mark.parametrize(
    ("method", "rule", "audit"),
    [
        ("mv", "gate", 25),
        ("bsc", "adaptive, share", 0.2),
        ("auto", "expected error", 0.2),
        ("auto", "quality", 25),
        ("auto", "gate", 1_000),
    ],
)
def test_the_same_sentences_are_audited(
    long_scene: Scene, method: str, rule: str, audit: float
) -> None:
    """Draws, what they teach, money and labels are the same in both drivers."""
    setting = replace(NUMBERS["plain"], policy=Cucb(0.3), feedback=AUDITED[rule], audit=audit)
    assert_same(long_scene, replace(setting, consensus=METHODS[method]))


@pytest.mark.parametrize(("warm_up", "audit"), [("shared", 0.0), ("shared", 25), ("none", 0.2)])
@pytest.mark.parametrize("rule", ["expected error", "crowd, leave one out"])
def test_every_warm_up_costs_and_teaches_the_same(
    long_scene: Scene, warm_up: WarmUp, audit: float, rule: str
) -> None:
    """One sentence for all, which its expert settles, or none; the crowd alone has no expert."""
    setting = replace(NUMBERS["plain"], policy=Cucb(0.3), feedback=RULES[rule], audit=audit)
    assert_same(long_scene, replace(setting, consensus=Bsc(), warm_up=warm_up))


@pytest.mark.parametrize(
    ("method", "rule", "audit"),
    [
        ("auto", "expected error", 0.2),
        ("bsc", "adaptive, share", 0.0),
        ("auto", "gate, leave one out", 0.0),
        ("mv", "gate", 0.0),
    ],
)
def test_models_beside_the_people_are_heard_the_same(
    long_scene: Scene, method: str, rule: str, audit: float
) -> None:
    """They have no seat in a crew; the second is of no use, and nobody hears it."""
    workers = (*long_scene.workers[:6], "model:one", "model:two", *long_scene.workers[8:])
    scene = replace(long_scene, workers=workers)
    setting = replace(NUMBERS["plain"], policy=Cucb(0.3), feedback=RULES[rule], audit=audit)
    prices = (MODEL_PRICE, MODEL_PRICE)
    assert_same(scene, replace(setting, consensus=METHODS[method], model_prices=prices))


@pytest.mark.parametrize(
    ("method", "rule", "audit"),
    [
        ("auto", Adaptive(0.8, first=0), 0.2),
        ("bsc", Adaptive(quality=0.8, first=0), 0.0),
        ("auto+tagger", Adaptive(expert_share=0.2, error_cost=3.0, first=0), 20),
    ],
)
def test_models_that_come_first_settle_the_same_sentences(
    long_scene: Scene, method: str, rule: Adaptive, audit: float
) -> None:
    """People are asked where models are not heard yet, or leave doubt."""
    workers = (*long_scene.workers[:7], "model:one", "model:two")
    scene = replace(long_scene, workers=workers)
    setting = replace(NUMBERS["plain"], policy=Cucb(0.3), feedback=rule, audit=audit)
    setting = replace(setting, consensus=METHODS[method], model_prices=(MODEL_PRICE,) * 2)
    live = Driven(scene, plan_of(scene, setting))
    assert_same(scene, setting, live)
    by_models = [each for each in settled_in(live) if each.by == "crowd" and not each.answers]

    assert 5 < len(by_models) < 110
    assert not any(each.rewards for each in by_models)
    assert Campaign.replay(live.material, live.events).snapshot() == live.campaign.snapshot()


@pytest.mark.parametrize(("method", "rule"), [("ds", "gate"), ("auto", "expected error")])
def test_a_campaign_that_grew_takes_the_same_decisions(
    chosen_scene: Scene, method: str, rule: str
) -> None:
    """As a rehearsal on all of its sentences that has them in the same order."""
    setting = replace(NUMBERS["plain"], policy=Cucb(0.3), feedback={**RULES, **AUDITED}[rule])
    setting = replace(setting, consensus=METHODS[method], audit=0, warm_up="none")
    live = Driven(chosen_scene, plan_of(chosen_scene, setting), begins_with=50)
    size = len(chosen_scene.dataset)
    theirs, _ = Queue(np.arange(size), Chance.of(setting.seed, range(1))).peek(size)
    place = np.empty(size, np.int64)
    place[theirs[0]] = live.campaign.state.order
    dataset = chosen_scene.dataset.take(place)

    assert not np.array_equal(place, np.arange(size))
    assert_same(scene_of(dataset, Replay(dataset)), setting, live)


def assert_same(scene: Scene, setting: Setting, live: Driven | None = None) -> list[int]:
    """Drive both, and compare step by step; return how large the crews were."""
    policy = Watched(setting.policy)
    outcome = rehearse(scene, replace(setting, policy=policy, runs=1))
    live = (live or Driven(scene, plan_of(scene, setting), setting.worker_prices)).run()
    campaign = live.campaign
    crews = [event.crew for event in live.events if isinstance(event, CrewChosen)]
    theirs = [tuple(w for w in crew[0].tolist() if w >= 0) for crew in policy.crews]
    # A rehearsal chooses on when too few are left for a sentence; a live campaign waits for more.
    theirs = [crew for crew in theirs if len(crew) >= setting.answers]
    if setting.crew == "auto":  # the policy has put everybody in order
        theirs = [whole[: len(crew)] for whole, crew in zip(theirs, crews, strict=True)]
    ledger = campaign.ledger()

    assert crews == theirs
    assert campaign.status().settled == outcome.settled[0]
    assert campaign.state.standings.count[0] == pytest.approx(outcome.count[0], abs=1e-12)
    assert campaign.state.standings.mean[0] == pytest.approx(outcome.mean[0], abs=1e-12)
    assert ledger.answers == outcome.asked[0]
    assert ledger.model_answers == outcome.model_answers[0]
    assert ledger.experts == outcome.expert_labels[0]
    assert campaign.status().audited == outcome.audited[0]
    assert ledger.spent == pytest.approx(outcome.money[0])
    assert_same_labels(live, outcome.final[Metric()][0, -1])
    if outcome.audited[0]:
        found = campaign.certificate(revise=setting.consensus.learns).delivered.f1
        assert tuple(found) == pytest.approx(tuple(outcome.certified[0]), abs=1e-9)
    return [len(crew) for crew in crews]


def plan_of(scene: Scene, setting: Setting) -> Plan:
    """Return the plan that says what a setting says."""
    return Plan(
        labels=scene.dataset.labels.names,
        kind=scene.dataset.kind,
        policy=setting.policy,
        feedback=setting.feedback,
        consensus=setting.consensus,
        mode="rounds",
        warm_up=setting.warm_up,
        crew=setting.crew,
        answers=setting.answers,
        prices=setting.prices,
        cap=setting.cap,
        seed=setting.seed,
        audit=setting.audit,
    )


def settled_in(live: Driven) -> list[Settled]:
    """Return how the sentences of a campaign were settled."""
    return [event for event in live.events if isinstance(event, Settled)]


def assert_same_labels(live: Driven, scores: np.ndarray) -> None:
    """Score the final labels, revised as the rehearsal does in the end."""
    revised = live.campaign.revised()
    audited = {event.sentence: event.spans for event in live.events if isinstance(event, Audited)}
    rows, sentences = [], []
    for event in live.events:
        if not isinstance(event, Settled):
            continue
        spans = [(each.start, each.end, each.label) for each in event.labels]
        if event.by == "crowd":
            spans = list((revised | audited).get(event.sentence, tuple(spans)))
        length = int(live.material.lengths[event.sentence])
        made = [Span(*span) for span in spans]
        rows.append(encode(made, length, live.material.labels).tolist())
        sentences.append(event.sentence)
    gold = live.scene.dataset.gold.take(np.array(sentences))

    assert Metric().pool(Ragged.of(rows), gold) == pytest.approx(tuple(scores))
