"""Small campaigns of any make, and what people say in them."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from hypothesis import strategies as st

from spancrew.campaign import Material, Plan, Spans
from spancrew.consensus import consensus_method
from spancrew.core import Dataset, LabelSet, Sentence, Span
from spancrew.feedback import Prices, feedback_rule
from spancrew.policies import policy

Choose = Callable[[Sequence[Any]], Any]
"""Choose one of some values."""

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
        Sentence.from_tokens(f"s{k}", [f"x{(length + k + t) % 5}" for t in range(length)])
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


class World(NamedTuple):
    """A plan, and on what sentences it is followed."""

    plan: Plan
    lengths: list[int]
    gold: list[int | None]

    @property
    def material(self) -> Material:
        """Return the sentences."""
        return material(self.lengths, self.gold, self.plan.kind)


def any_plan(choose: Choose, methods: Sequence[str]) -> Plan:
    """Return a plan for a small crowd."""
    answers = choose([1, 2, 2, 3, 4])
    return Plan(
        LABELS.names,
        policy=policy(choose(POLICIES)),
        feedback=feedback_rule(choose(RULES)),
        consensus=consensus_method(choose(methods)),
        mode=choose(["stream", "rounds"]),
        kind=choose(["spans", "spans", "choices"]),
        crew=answers + choose(range(6)),
        answers=answers,
        warm_up=choose(["shared", "own", "none"]),
        gold_share=choose([0.0, 0.0, 0.4]),
        audit=choose([None, 0, 0.5, 3]),
        prices=Prices(choose([0.1, 0.0, 0.3]), choose([1.0, 0.7])),
        budget=choose([None, 3.0, 6.0, 20.0]),
        cap=choose([None, None, 3]),
        lease=100.0,
        stays_open=choose([False, False, True]),
        seed=choose(range(4)),
    )


def any_world(choose: Choose, methods: Sequence[str]) -> World:
    """Return 3 to 12 sentences of 1 to 6 tokens, with gold for none or some, and a plan."""
    plan = any_plan(choose, methods)
    lengths = [choose(range(1, 7)) for _ in range(choose(range(3, 13)))]
    some = [None, None, *range(WAYS)] if choose([True, False]) else [None]
    return World(plan, lengths, [choose(some) for _ in lengths])


@st.composite
def worlds(draw: st.DrawFn, methods: Sequence[str] = ("mv", "span-vote")) -> World:
    """Draw a small campaign."""
    return any_world(lambda options: draw(st.sampled_from(list(options))), methods)
