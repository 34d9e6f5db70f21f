"""`spancrew member`: let a model work in a live campaign."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from spancrew.cli._annotate import AskingOptions
from spancrew.cli._bridge import say
from spancrew.cli._command_table import group
from spancrew.cli._llm_options import LlmOptions
from spancrew.cli._options import Json
from spancrew.cli._printing import print_json
from spancrew.errors import SpancrewError

if TYPE_CHECKING:
    from spancrew.bridges import MemberCounts
    from spancrew.client import WorkerClient
    from spancrew.members import Briefing

_NOT_YET = "model"
"""The name of a model before its campaign gives it one."""

LinkOfModel = Annotated[
    str, typer.Argument(metavar="LINK", help="The link that 'campaign member add' has shown.")
]


def run(link: LinkOfModel, asking: AskingOptions, *, llm: LlmOptions, json: Json = False) -> None:
    """Let a model answer in a live campaign until it is over, in a process of its own.

    The model works through the same API as people. Stop it at any time, and start it again with
    the same command: with --keep it asks for nothing twice, also after it was killed. A language
    model is told the guide of the campaign and its examples, unless --guide says something else.

    Example: [bold]spancrew member run http://127.0.0.1:8000/enter#secret --with
    http:http://127.0.0.1:9000/answers --keep answers.db[/bold]
    """
    from spancrew.bridges import MemberRun, model_name
    from spancrew.client import Client
    from spancrew.members import AnswerJournal, LanguageModel, member_for

    if llm.dry_run:
        raise SpancrewError("--dry-run needs data: 'spancrew annotate DATA --dry-run' shows it")
    names, least = asking.renamed, asking.least
    with AnswerJournal(asking.keep, asking.most_money) as journal:
        # A model that cannot be had is refused before the campaign hears of it.
        settings = asking.settings(journal, llm, llm.told("", []))
        member = member_for(asking.with_, replace(settings, name=asking.name or _NOT_YET))
        with Client.from_link(link) as client:
            name = model_name(client.me().name)
            member.name = asking.name or name
            work = client.worker()
            if isinstance(member, LanguageModel):
                member.brief(_briefing(work, llm))
            say(f"{member.name} works in campaign {work.campaign}")
            made = MemberRun(work, member, journal, renamed=names, least=least, say=say).run()
    _show(made, json=json)


def _briefing(work: "WorkerClient", llm: LlmOptions) -> "Briefing":
    """Return what a language model is told: the guide of the campaign with its examples."""
    guide = work.guide()
    examples = [(each.sentence, each.spans) for each in guide.examples]
    return llm.told(guide.instructions, examples)


def _show(made: "MemberCounts", *, json: bool) -> None:
    if json:
        counts = {"answered": made.answered, "unusable": made.unusable, "late": made.late}
        print_json({**counts, "faults": dict(made.faults)})
        return
    typer.echo(
        f"The campaign is over: {made.answered:,} answers, {made.unusable:,} sentences given "
        f"back, {made.late:,} answers too late."
    )


member = group("member", "Let a model work in a live campaign.", {"run": run})
