"""Small campaigns of any make, and what people say in them."""

from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from spancrew.campaign import Material, Plan, Spans
from spancrew.consensus import consensus_method
from spancrew.core import Dataset, LabelSet, Sentence, Span
from spancrew.feedback import FeedbackRule, Prices, feedback_rule
from spancrew.policies import policy

LABELS = LabelSet(("LOC", "PER"))
POLICIES = [
    "random",
    "epsilon-greedy",
    "cucb",
    "thompson",
    "kl-ucb",
    "bayes-ucb",
    "difficulty-thompson",
    "discounted",
]
RULES = [
    "gate:threshold=0.4",
    "gate",
    "expected-error",
    "expected-error:expert_share=0.5",
    "adaptive",
    "adaptive:error_cost=4",
    "crowd",
    "expert",
]
WAYS = 5
"""Ways to answer a sentence, so few that workers often agree."""


def said(way: int, length: int, kind: str = "spans") -> Spans:
    """Return what somebody says of a sentence who answers in one of the ways."""
    first, second = LABELS.names
    if kind == "choices":
        odd = way % (length + 2)
        return tuple((k, k + 1, second if k == odd else first) for k in range(length))
    ways: list[Spans] = [
        (),
        ((0, 1, first),),
        ((0, length, second),),
        ((0, 1, second), (length - 1, length, first)) if length > 1 else ((0, 1, second),),
        ((length - 1, length, second),),
    ]
    return ways[way % WAYS]


def material(lengths: list[int], gold: list[int | None], kind: str = "spans") -> Material:
    """Return sentences of so many tokens; gold is the way in which it is said, if it is known."""
    sentences = [
        Sentence.from_tokens(f"s{k}", [f"x{(k + t) % 4}" for t in range(length)])
        for k, length in enumerate(lengths)
    ]
    known = {
        sentence.id: [Span(*span) for span in said(way, len(sentence), kind)]
        for sentence, way in zip(sentences, gold, strict=True)
        if way is not None
    }
    return Material.of(Dataset.of(sentences, known, [], LABELS))


def plain(count: int = 6, tokens: int = 3, known: int = 0, kind: str = "spans") -> Material:
    """Return sentences of equal length, of which the first ones have gold."""
    return material([tokens] * count, [1] * known + [None] * (count - known), kind)


@st.composite
def plans(draw: st.DrawFn, kind: str, methods: tuple[str, ...]) -> Plan:
    """Draw a plan for a small crowd."""
    answers = draw(st.integers(1, 4))
    return Plan(
        LABELS.names,
        policy=policy(draw(st.sampled_from(POLICIES))),
        feedback=_rule(draw(st.sampled_from(RULES))),
        consensus=consensus_method(draw(st.sampled_from(methods))),
        mode=draw(st.sampled_from(["stream", "rounds"])),
        kind=kind,  # type: ignore[arg-type]
        crew=answers + draw(st.integers(0, 5)),
        answers=answers,
        warm_up=draw(st.sampled_from(["shared", "own", "none"])),
        gold_share=draw(st.sampled_from([0.0, 0.0, 0.4])),
        prices=Prices(draw(st.sampled_from([0.1, 0.0, 0.3])), draw(st.sampled_from([1.0, 0.7]))),
        budget=draw(st.sampled_from([None, 3.0, 6.0, 20.0])),
        cap=draw(st.sampled_from([None, None, 3])),
        lease=100.0,
        seed=draw(st.integers(0, 3)),
    )


def _rule(name: str) -> FeedbackRule:
    return feedback_rule(name)


class World(NamedTuple):
    """A plan, and on what sentences it is followed."""

    plan: Plan
    lengths: list[int]
    gold: list[int | None]

    @property
    def material(self) -> Material:
        """Return the sentences."""
        return material(self.lengths, self.gold, self.plan.kind)


@st.composite
def worlds(draw: st.DrawFn, methods: tuple[str, ...] = ("mv", "span-vote")) -> World:
    """Draw 3 to 12 sentences of 1 to 6 tokens, with gold for none, some or most, and a plan."""
    plan = draw(plans(draw(st.sampled_from(["spans", "spans", "choices"])), methods))
    lengths = draw(st.lists(st.integers(1, 6), min_size=3, max_size=12))
    some = st.one_of(st.none(), st.none(), st.integers(0, WAYS - 1))
    with_gold = draw(st.booleans())
    return World(plan, lengths, [draw(some) if with_gold else None for _ in lengths])


def ways(seed: int, count: int) -> list[int]:
    """Return ways to answer that somebody takes who mostly agrees with others."""
    rng = np.random.default_rng(seed)
    return [int(way) if rng.random() < 0.4 else 1 for way in rng.integers(0, WAYS, count)]
