"""What labels are worth to a model that is trained on them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spancrew.consensus import with_members
from spancrew.effect import ARMS, ArmName, Design, Effect, learner_of
from spancrew.effect import effect as measure_effect
from spancrew.feedback import Prices, feedback_rule
from spancrew.formats import pandas_frame
from spancrew.policies import policy as policy_of
from spancrew.report import (
    EFFECT_HEAD,
    effect_figure,
    effect_notes,
    effect_page,
    effect_rows,
    effect_sentences,
    fragment,
    note,
    table,
    tag,
    text,
)
from spancrew.workbench._figure import Figure
from spancrew.workbench._given import Given, data_of, known_data_of, method_of, names_of


@dataclass(frozen=True, slots=True)
class EffectOnModel:
    """An effect that shows itself; ``found`` has every figure."""

    name: str
    found: Effect

    def __repr__(self) -> str:
        """Return the scores in a line."""
        return f"EffectOnModel({self.found!r})"

    def _repr_html_(self) -> str:
        """Return findings, figure and table, for a notebook."""
        return fragment(
            *(tag("p", text(line), class_="lead") for line in effect_sentences(self.found)),
            effect_figure(self.found),
            table(EFFECT_HEAD, effect_rows(self.found)),
            *map(note, effect_notes(self.found)),
        )

    def frame(self) -> Any:
        """Return a pandas DataFrame with a row for each arm."""
        records = [
            {
                "arm": arm.name,
                "answers": arm.answers,
                "experts": arm.experts,
                "money": arm.money,
                "label_f1": arm.label_f1,
                "precision": arm.precision.mean,
                "recall": arm.recall.mean,
                "f1": arm.f1.mean,
                "f1_sd": arm.f1.sd,
            }
            for arm in self.found.arms
        ]
        return pandas_frame(records, list(records[0]))

    def plot(self) -> Figure:
        """Draw the F1 on every arm."""
        return Figure.of(f"{self.name}: effect on models", effect_figure(self.found))

    def page(self) -> str:
        """Return the whole report as an HTML page."""
        return effect_page(self.name, self.found)

    def as_json(self) -> dict[str, Any]:
        """Return the figures as ``spancrew effect --json`` prints them."""
        return self.found.as_json()


def effect(  # noqa: PLR0913  what is trained, on what, and what it costs
    data: Given,
    test: Given,
    model: str = "crf",
    *,
    seeds: int = 3,
    sentences: int | None = None,
    arms: Sequence[ArmName] = ARMS,
    policy: str = "difficulty-thompson",
    feedback: str = "crowd",
    consensus: str = "auto+tagger",
    members: str | Sequence[str] | None = None,
    answers: int | None = None,
    experts: float = 0.2,
    answer_price: float = 0.1,
    expert_price: float = 1.0,
    encoder: str | Path = "minilm",
    tuned_layers: int = 0,
    seed: int = 0,
    keep: str | Path | None = None,
) -> EffectOnModel:
    """Say how good a model becomes on labels of different origin and price.

    ``data`` has answers and gold, ``test`` gold of other sentences. The ``model`` is ``crf``, or
    with the extra ``models`` one of ``bilstm-crf``, ``crowd-cat`` and ``adapter``. The last
    ``tuned_layers`` of its encoder learn, too. With ``keep``, what is trained is kept in that
    folder and not trained again.
    """
    learner = learner_of(model, encoder, tuned_layers=tuned_layers)
    joined = with_members(method_of(consensus), names_of(members, "members") or ())
    design = Design(
        policy_of(policy),
        feedback_rule(feedback),
        joined,
        answers,
        experts,
        Prices(answer_price, expert_price),
        sentences,
        seed,
    )
    name, dataset, _ = known_data_of(data)
    found = measure_effect(
        dataset,
        data_of(test).dataset,
        learner,
        design,
        arms=arms,
        seeds=range(seed, seed + seeds),
        keep=None if keep is None else Path(keep),
    )
    return EffectOnModel(name, found)
