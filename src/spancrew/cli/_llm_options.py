"""Options for language models, and what `--dry-run` shows of them."""

import json as json_
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spancrew.cli._printing import print_json
from spancrew.errors import SpancrewError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spancrew.core import Dataset
    from spancrew.members import AnswerJournal, Briefing, Example, LlmSettings, Member


@dataclass(frozen=True, slots=True)
class LlmOptions:
    """Where a language model is, what it is told, and what its tokens cost."""

    url: Annotated[
        str, typer.Option(help="llm: the address of its API, which mostly ends in /v1.")
    ] = ""
    guide: Annotated[Path | None, typer.Option(help="llm: a text file that says what to do.")] = (
        None
    )
    meanings: Annotated[
        Path | None, typer.Option(help="llm: a JSON file with the meaning of each label.")
    ] = None
    examples: Annotated[
        int, typer.Option(min=0, help="llm: sentences with gold to show, the most alike.")
    ] = 5
    input_price: Annotated[
        float | None, typer.Option(help="llm: what a million tokens cost that it reads.")
    ] = None
    output_price: Annotated[
        float | None, typer.Option(help="llm: what a million tokens cost that it writes.")
    ] = None
    most_tokens: Annotated[int, typer.Option(help="llm: the most tokens of an answer.")] = 400
    samples: Annotated[
        int, typer.Option(help="llm: answers to draw; a span that half of them have is taken.")
    ] = 1
    temperature: Annotated[
        float | None, typer.Option(help="llm: 0 by default, and 0.7 for several samples.")
    ] = None
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="llm: show the prompt and the price, and ask nothing."),
    ] = False

    def settings(self) -> "LlmSettings":
        """Return where the model is and what it costs."""
        from spancrew.members import LlmSettings

        return LlmSettings(
            url=self.url,
            input_price=self.input_price,
            output_price=self.output_price,
            most_tokens=self.most_tokens,
            samples=self.samples,
            temperature=self.temperature,
        )

    def briefing(self, dataset: "Dataset") -> "Briefing":
        """Return what the model is told; all sentences with gold may be shown."""
        gold = ((each, dataset.gold_spans(k)) for k, each in enumerate(dataset.sentences))
        return self.told("", [(each, spans) for each, spans in gold if spans is not None])

    def told(self, guide: str, examples: "Sequence[Example]") -> "Briefing":
        """Return what the model is told, by a guide unless the options name another."""
        from spancrew.members import Briefing

        return Briefing(
            guide=guide if self.guide is None else self.guide.read_text("utf-8"),
            meanings={} if self.meanings is None else _meanings(self.meanings),
            examples=examples,
            shown=self.examples,
        )


def show_prompt(
    member: "Member", dataset: "Dataset", journal: "AnswerJournal", *, json: bool
) -> None:
    """Print what a language model would be told first, and about what it would cost."""
    from spancrew.members import LanguageModel, open_sentences

    if not isinstance(member, LanguageModel):
        raise SpancrewError("--dry-run shows the prompt of a language model: name llm:MODEL")
    sentences = [each for each in open_sentences(dataset, member) if journal.answer(each) is None]
    if not sentences:
        raise SpancrewError(f"{member.name} has answered every sentence already")
    labels = dataset.labels.names
    messages = member.messages(sentences[0], labels)
    found = member.estimate(sentences, labels)
    if json:
        print_json({"messages": messages, **found._asdict()})
        return
    for each in messages:
        typer.echo(f"--- {each['role']}\n{each['content']}\n")
    typer.echo(f"{found.requests:,} requests, about {found.tokens:,} tokens.")
    if found.price is None:
        typer.echo("For the price, name --input-price and --output-price.")
    else:
        typer.echo(f"About {found.price:.4f}; at most {found.most:.4f} if nothing is sent twice.")


def _meanings(file: Path) -> dict[str, str]:
    try:
        found: Any = json_.loads(file.read_text("utf-8"))
    except (ValueError, RecursionError) as error:
        raise SpancrewError(f"{file}: this is no JSON ({error})") from None
    if not isinstance(found, dict) or not all(isinstance(each, str) for each in found.values()):
        raise SpancrewError(
            f'{file}: write each label with its meaning, as in {{"PER": "people"}}'
        )
    return found
