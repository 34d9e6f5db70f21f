"""What a server tells before there is a campaign: what is in data, what a plan would give."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from spancrew.client._failures import failure_of
from spancrew.client._wire import made, sentence_of, spans_of
from spancrew.core import Sentence, Span
from spancrew.errors import SpancrewError


class Spread(NamedTuple):
    """Mean and standard deviation over runs."""

    mean: float
    sd: float


@dataclass(frozen=True, slots=True)
class Inspection:
    """What is in a data set: ``labels`` with their spans, ``gold`` sentences, some examples.

    The spans of an example are None where they are not known; ``repaired`` counts what had to be
    changed while reading.
    """

    format: str
    sentences: int
    tokens: int
    gold: int
    workers: int
    answers: int
    repaired: int
    labels: Mapping[str, int] = field(hash=False)
    examples: tuple[tuple[Sentence, tuple[Span, ...] | None], ...] = ()


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a plan is expected to give, with its spread over runs.

    ``saved`` is a share of ``expert_only``, the money for experts alone. ``sentences`` were
    rehearsed ``of`` all. ``crowd`` is calibrated or assumed; ``fidelity`` says how much it behaves
    like the real workers, None where nobody knows; ``assumptions`` are said in words.
    """

    policy: str
    feedback: str
    consensus: str
    crew: int
    answers: int
    runs: int
    sentences: int
    of: int
    workers: int
    f1: Spread
    expert_share: Spread
    answers_per_sentence: Spread
    cost: Spread
    crowd_cost: Spread
    expert_cost: Spread
    saved: Spread
    expert_only: float
    crowd: str
    skill: float | None = None
    fidelity: Mapping[str, Any] | None = field(default=None, hash=False)
    assumptions: tuple[str, ...] = ()


_SPREADS = (
    "f1",
    "expert_share",
    "answers_per_sentence",
    "cost",
    "crowd_cost",
    "expert_cost",
    "saved",
)


def inspection_of(record: Mapping[str, Any]) -> Inspection:
    """Return what is in a data set."""
    examples = tuple(
        (sentence_of(e["sentence"]), None if e["spans"] is None else spans_of(e["spans"]))
        for e in record["examples"]
    )
    labels = {each["name"]: each["spans"] for each in record["labels"]}
    return made(Inspection, record, labels=labels, examples=examples)


def forecast_of(body: bytes, address: str) -> Forecast:
    """Return the forecast in the last line of a rehearsal; raise what went wrong instead."""
    lines = body.splitlines()
    last = json.loads(lines[-1]) if lines else {}
    if "error" in last:
        raise failure_of(503, lines[-1], address)
    if "forecast" not in last:
        raise SpancrewError(f"{address} ended the rehearsal early: try again")
    record = last["forecast"]
    spreads = {name: Spread(**record[name]) for name in _SPREADS}
    said = tuple(str(each["text"]) for each in record["assumptions"])
    return made(Forecast, record, **spreads, assumptions=said)
