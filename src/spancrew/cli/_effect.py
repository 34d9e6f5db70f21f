"""`spancrew effect`: what labels are worth to a model that is trained on them."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

import typer

from spancrew.cli._options import (
    AnswerPrice,
    Data,
    DatasetOptions,
    ExpertPrice,
    Json,
    Members,
    ReportFile,
    Seed,
    refuse_missing_folder,
)
from spancrew.cli._printing import print_result, write_text
from spancrew.cli._progress import progress_bar
from spancrew.errors import SpancrewError


def effect(
    data: Data,
    test: Annotated[str, typer.Option(help="A file with gold for other sentences.")],
    model: Annotated[
        Literal["crf", "bilstm-crf", "crowd-cat", "adapter"],
        typer.Option(help="What is trained; all but crf need the extra 'models'."),
    ] = "crf",
    seeds: Annotated[int, typer.Option(help="How often everything is drawn and trained.")] = 3,
    sentences: Annotated[
        int | None,
        typer.Option(help="Train on so many sentences, drawn at random; all are labelled."),
    ] = None,
    answers: Annotated[
        int | None,
        typer.Option(help="Answers of a crew on a sentence; by default half of those there are."),
    ] = None,
    experts: Annotated[
        float, typer.Option(help="Share of the sentences that experts label for final labels.")
    ] = 0.2,
    policy: Annotated[
        str, typer.Option(help="Who selects the crew: difficulty-thompson, cucb:scale=0.2 ...")
    ] = "difficulty-thompson",
    feedback: Annotated[
        str, typer.Option(help="What the policy learns from: crowd, gate, expert ...")
    ] = "crowd",
    consensus: Annotated[
        str, typer.Option(help="How final labels are made of answers.")
    ] = "auto+tagger",
    members: Members = None,
    answer_price: AnswerPrice = 0.1,
    expert_price: ExpertPrice = 1.0,
    encoder: Annotated[
        str,
        typer.Option(
            help="What turns words into vectors: minilm (English), m3e (Chinese, for research "
            "only), or the folder of an encoder."
        ),
    ] = "minilm",
    tuned_layers: Annotated[
        int,
        typer.Option(
            min=0, help="The last layers of the encoder that learn, too; training is far slower."
        ),
    ] = 0,
    seed: Seed = 0,
    keep: Annotated[
        Path | None,
        typer.Option(help="A folder for what is trained, so that a second start goes on."),
    ] = None,
    report: ReportFile = None,
    *,
    reading: DatasetOptions,
    json: Json = False,
) -> None:
    """Train a model on labels of different origin and price, and test it.

    The model learns from all answers, from answers of random and of selected crews, from a
    majority vote, from final labels with experts, and from gold. The test file has gold for
    sentences that are not in the data; it is used for the scores only.

    Example: [bold]spancrew effect pilot.jsonl --test test.conll[/bold]
    """
    from spancrew.cli._effect_view import effect_views
    from spancrew.consensus import consensus_method, with_members
    from spancrew.effect import Design, learner_of
    from spancrew.effect import effect as measure
    from spancrew.feedback import Prices, feedback_rule
    from spancrew.policies import policy as policy_of
    from spancrew.report import effect_page

    if seeds < 1:
        raise SpancrewError(f"seeds {seeds}: at least 1 is needed")
    refuse_missing_folder(report)
    design = Design(
        policy_of(policy),
        feedback_rule(feedback),
        with_members(consensus_method(consensus), members or ()),
        answers,
        experts,
        Prices(answer_price, expert_price),
        sentences,
        seed,
    )
    learner = learner_of(model, encoder, tuned_layers=tuned_layers)
    name = Path(data).name
    with progress_bar(f"Reading {data}") as progress:
        dataset = reading.read_known(data, progress)
        test_data = replace(reading, format_=None, labels=None).read(test, progress).dataset
        found = measure(
            dataset,
            test_data,
            learner,
            design,
            seeds=range(seed, seed + seeds),
            keep=keep,
            progress=progress,
        )
    write_text(report, lambda: effect_page(name, found))
    print_result(found.as_json, effect_views(name, found), json=json, report=report)
