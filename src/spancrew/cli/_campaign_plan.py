"""The options that make a plan."""

import json
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from spancrew.errors import PlanError

PolicyOption = Annotated[
    str | None,
    typer.Option("--policy", help="Who is asked: difficulty-thompson (default), cucb, random ..."),
]
FeedbackOption = Annotated[
    str | None,
    typer.Option(
        "--feedback",
        help="Whose word counts: expected-error (default), adaptive, gate:threshold=0.65, expert, "
        "crowd.",
    ),
]
ConsensusOption = Annotated[
    str | None,
    typer.Option(
        "--consensus",
        help="How answers are joined: mv, span-vote, ds, span-ds, bsc, auto; without it the usual "
        "one of the rule.",
    ),
]
AnswersOption = Annotated[
    int | None, typer.Option("--answers", help="Answers on a sentence; 4 by default.")
]
CrewOption = Annotated[
    int | None, typer.Option("--crew", help="Workers chosen in a step; 20 by default.")
]
BudgetOption = Annotated[
    float | None, typer.Option("--budget", help="What may be spent; never exceeded.")
]
AnswerPrice = Annotated[
    float | None, typer.Option("--answer-price", help="What an answer costs; 0.1 by default.")
]
ExpertPrice = Annotated[
    float | None,
    typer.Option("--expert-price", help="What an expert's label costs; 1 by default."),
]
ModeOption = Annotated[
    Literal["stream", "rounds"] | None,
    typer.Option(
        "--mode",
        help="stream (default): whoever is free gets the next sentence; rounds: a crew at a time, "
        "as in the paper.",
    ),
]
WarmUpOption = Annotated[
    Literal["shared", "own", "none"] | None,
    typer.Option(
        "--warm-up",
        help="What new workers label first: one shared known sentence (default), each one of "
        "their own, or none.",
    ),
]
GoldShare = Annotated[
    float | None,
    typer.Option("--gold-share", help="Share of assignments on sentences with known labels; 0."),
]
LeaseOption = Annotated[
    float | None,
    typer.Option("--lease", help="Seconds a worker has for an assignment; 600 by default."),
]
CapOption = Annotated[int | None, typer.Option("--cap", help="Most answers a worker may give.")]
SeedOption = Annotated[
    int | None, typer.Option("--seed", help="Chance is drawn from this number; 0 by default.")
]
PlanFile = Annotated[
    Path | None,
    typer.Option("--plan", help="A plan as JSON file; the other options change it."),
]


def plan_of(
    given: dict[str, Any],
    file: Path | None = None,
    labels: str | None = None,
) -> dict[str, Any]:
    """Return a plan as JSON: what the file says, changed by the options that were given."""
    plan = {} if file is None else _read(file)
    price = {"answer": given.pop("answer_price", None), "expert": given.pop("expert_price", None)}
    prices = {name: value for name, value in price.items() if value is not None}
    if prices:
        plan["prices"] = {**plan.get("prices", {}), **prices}
    if labels is not None:
        plan["labels"] = [name.strip() for name in labels.split(",")]
    return plan | {name: value for name, value in given.items() if value is not None}


def _read(file: Path) -> dict[str, Any]:
    try:
        plan = json.loads(file.read_text("utf-8"))
    except ValueError as error:
        raise PlanError(f"{file}: this is no JSON ({error})") from None
    if not isinstance(plan, dict):
        raise PlanError(f"{file}: a plan is a JSON object, such as {{'answers': 3}}")
    return plan
