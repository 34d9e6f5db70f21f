"""`spancrew what-if`: another rule on the answers that a campaign has collected."""

import json as json_
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spancrew.cli._certify_sources import is_campaign
from spancrew.cli._connection import Connection
from spancrew.cli._options import DatasetOptions, Force, Json, Seed, label_names, refuse_existing
from spancrew.cli._printing import print_result, table, write_text
from spancrew.cli._progress import progress_bar

if TYPE_CHECKING:
    from rich.console import RenderableType

    from spancrew.feedback import Prices
    from spancrew.whatif import OtherRule
    from spancrew.workbench import NamedCampaign, WhatIfResult


def what_if(
    campaign: Annotated[
        str,
        typer.Argument(help="A campaign of the server by its id or name, or its export."),
    ],
    threshold: Annotated[
        float | None, typer.Option(help="Another threshold of the feedback rule.")
    ] = None,
    answers: Annotated[
        int | None, typer.Option(help="The first so many answers on each sentence alone.")
    ] = None,
    feedback: Annotated[
        str | None,
        typer.Option(help="Another feedback rule: gate:threshold=0.5, expected-error, crowd ..."),
    ] = None,
    consensus: Annotated[
        str | None,
        typer.Option(help="Another consensus method: mv, span-vote, ds, span-ds, bsc, auto."),
    ] = None,
    diff: Annotated[
        Path | None,
        typer.Option(help="Write what would differ, sentence by sentence, to this .jsonl file."),
    ] = None,
    journal: Annotated[
        Path | None,
        typer.Option(help="The journal of an export, as 'campaign events --json' prints it."),
    ] = None,
    answer_price: Annotated[
        float, typer.Option(help="What an answer costs; for an export without a journal.")
    ] = 0.1,
    expert_price: Annotated[
        float, typer.Option(help="What an expert's label costs; for the same.")
    ] = 1.0,
    draws: Annotated[
        int, typer.Option(help="How often experts' labels that nobody knows are drawn.")
    ] = 5,
    seed: Seed = 0,
    *,
    reading: DatasetOptions,
    connection: Connection,
    force: Force = False,
    json: Json = False,
) -> None:
    """Say what another rule would have decided on the answers that a campaign has collected.

    What it would have cost, how good the labels would be, and which of them would differ. Known
    where the journal tells it, an estimate with an interval where an expert was never asked. The
    campaign may still be running.

    Example: [bold]spancrew what-if news --threshold 0.5 --diff differs.jsonl[/bold]
    """
    from spancrew.feedback import Prices
    from spancrew.whatif import OtherRule
    from spancrew.whatif import what_if as compare
    from spancrew.workbench import WhatIfResult

    other = OtherRule(threshold, answers, feedback, consensus)
    if diff is not None:
        refuse_existing(diff, force=force)
    with progress_bar(f"Reading {campaign}") as progress:
        prices = Prices(answer_price, expert_price)
        name, collected = _collected(campaign, other, journal, prices, reading, connection)
        progress.phase("Playing the journal once more")
        found = compare(collected, other, draws=draws, seed=seed, progress=progress)
    result = WhatIfResult(name, found, collected.ids)
    write_text(diff, lambda: _lines(result))
    last = "Sentence by sentence: --diff differs.jsonl"
    closing = last if diff is None else f"What would differ is in {diff}."
    print_result(result.as_json, _views(result), [closing], json=json)


def _collected(
    campaign: str,
    other: "OtherRule",
    journal: Path | None,
    prices: "Prices",
    reading: DatasetOptions,
    connection: Connection,
) -> "NamedCampaign":
    from spancrew.workbench import collect

    if is_campaign(campaign, connection):
        with connection.campaign(campaign) as chosen:
            return collect(chosen, other)
    options = {"format": reading.format_, "labels": label_names(reading.labels)}
    given = {name: value for name, value in options.items() if value is not None}
    return collect(campaign, other, journal, prices, **given, **reading.as_json())


def _lines(result: "WhatIfResult") -> str:
    records = (json_.dumps(each, ensure_ascii=False) for each in result.records())
    return "".join(f"{line}\n" for line in records)


def _views(result: "WhatIfResult") -> "Iterator[RenderableType]":
    from rich.text import Text

    from spancrew.report import what_if_head, what_if_rows, what_if_title

    found = result.found
    yield table(what_if_title(found), what_if_head(), what_if_rows(found))
    yield Text("\n".join(found.notes))
