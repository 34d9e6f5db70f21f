"""`spancrew campaign`: look at sentences and their labels, and correct them."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from spancrew.cli import _campaign_views as views
from spancrew.cli._connection import CampaignName, Connection
from spancrew.cli._options import Data, DatasetOptions, Json
from spancrew.cli._printing import table
from spancrew.errors import SpancrewError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from spancrew.core import Span
    from spancrew.wire import SentenceHit, SentencesView

_SPAN = re.compile(r"(\d+)-(\d+):(.+)")
_LONG = 60

Number = Annotated[int, typer.Argument(help="The number of a sentence, as 'sentences' lists it.")]
Note = Annotated[str, typer.Option(help="Why; it is kept in the journal.")]


def sentences(
    campaign: CampaignName,
    text: Annotated[str, typer.Option(help="Words that are somewhere in the sentence.")] = "",
    state: Annotated[str, typer.Option(help="One of waiting, open, at_expert and settled.")] = "",
    by: Annotated[str, typer.Option(help="Who decided: crowd, expert, audit or gold.")] = "",
    label: Annotated[str, typer.Option(help="Only sentences with this label.")] = "",
    worker: Annotated[str, typer.Option(help="Only those that a worker answered, as w7.")] = "",
    disputed: Annotated[
        bool, typer.Option("--disputed", help="Only those on which answers differ.")
    ] = False,
    corrected: Annotated[
        bool, typer.Option("--corrected", help="Only those whose labels were corrected.")
    ] = False,
    page: Annotated[int, typer.Option(min=1, help="Which page of 50.")] = 1,
    *,
    connection: Connection,
    json: Json = False,
) -> None:
    """List sentences with their labels, 50 at a time."""
    wanted: dict[str, Any] = {"text": text, "state": state, "by": by, "label": label}
    wanted |= {"worker": worker, "disputed": disputed, "corrected": corrected}
    with connection.campaign(campaign) as chosen:
        asked = {name: value for name, value in wanted.items() if value}
        found = chosen.sentences.page(page - 1, **asked)
    views.show(json, found, sentence_table(found))


def add(
    campaign: CampaignName,
    data: Data,
    gold: Annotated[
        Literal["use", "ignore"],
        typer.Option(help="Use known labels for checks, or ignore them and label all."),
    ] = "use",
    *,
    reading: DatasetOptions,
    connection: Connection,
    json: Json = False,
) -> None:
    """Add the sentences of a file to a campaign, also while it runs.

    What it has already is not added again. The budget decides how many are begun.
    """
    with connection.campaign(campaign) as chosen:
        found = chosen.sentences.add(
            data, gold=gold, format=reading.format_, reading=reading.as_json()
        )
    known = f" {found.known:,} were there already." if found.known else ""
    text = f"{found.added:,} sentences added to campaign {chosen.id}.{known}"
    views.say(json, views.as_record(found), f"{text} It has {found.sentences:,} now.")


def overrule(
    campaign: CampaignName,
    number: Number,
    spans: Annotated[
        list[str] | None,
        typer.Argument(
            help="Spans in tokens, as 0-2:PER for the first two; the end is exclusive."
        ),
    ] = None,
    nothing: Annotated[
        bool, typer.Option("--nothing", help="The sentence is to have no labels.")
    ] = False,
    note: Note = "",
    *,
    connection: Connection,
) -> None:
    """Give a settled sentence other labels; scores, standings and the certificate follow."""
    given = [parsed_span(each) for each in spans or ()]
    if nothing == bool(given):
        raise SpancrewError("give spans such as 0-2:PER, or --nothing if there are none")
    with connection.campaign(campaign) as chosen:
        chosen.sentences.overrule(number, given, note=note)
    typer.echo(f"Sentence {number} of campaign {chosen.id} has these labels from now on.")


def reopen(
    campaign: CampaignName, number: Number, note: Note = "", *, connection: Connection
) -> None:
    """Ask an expert for a sentence that is settled; its labels stay until one answers."""
    with connection.campaign(campaign) as chosen:
        chosen.sentences.reopen(number, note=note)
    typer.echo(f"Sentence {number} of campaign {chosen.id} waits for an expert.")


def parsed_span(text: str) -> "Span":
    """Return a span that was typed.

    >>> parsed_span("0-2:PER")
    Span(start=0, end=2, label='PER')
    """
    from spancrew.core import Span

    found = _SPAN.fullmatch(text)
    if found is None:
        raise SpancrewError(f"{text!r} is no span; write start-end:label in tokens, as 0-2:PER")
    return Span(int(found[1]), int(found[2]), found[3])


def sentence_table(found: "SentencesView") -> "RenderableType":
    """Return sentences for a terminal."""
    if not found.sentences:
        return "No sentence is like that."
    rows = [_row(each) for each in found.sentences]
    title = f"{found.total:,} sentences, page {found.page + 1}"
    return table(title, ("number", "sentence", "state", "by", "labels", "text"), rows, words=6)


def _row(hit: "SentenceHit") -> Sequence[str]:
    labels = " ".join(f"{each.start}-{each.end}:{each.label}" for each in hit.labels)
    text = hit.sentence.text
    shown = text if len(text) <= _LONG else f"{text[: _LONG - 1]}…"
    return (str(hit.number), hit.sentence.id, hit.state, hit.by, labels, shown)
