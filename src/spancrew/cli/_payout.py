"""`spancrew payout`: pay the workers of a crowd platform what they earned."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from spancrew.cli import _payout_views as views
from spancrew.cli._campaign_views import show as show_views
from spancrew.cli._command_table import group
from spancrew.cli._connection import CampaignName, Connection
from spancrew.cli._options import Json
from spancrew.cli._payout_approval import approve
from spancrew.cli._platforms import (
    Api,
    Base,
    Others,
    Production,
    Studies,
    Yes,
    api_of,
    entry_of,
    open_platform,
    platform_of,
)
from spancrew.errors import SpancrewError, StoreError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from spancrew.bridges import Due, Payment, PayoutJournal, PayoutPlan

Folder = Annotated[
    Path | None,
    typer.Option(
        envvar="SPANCREW_PAYOUTS",
        help="The folder of the payout journals; by default in your data folder.",
    ),
]
PlanId = Annotated[str, typer.Argument(metavar="PLAN", help="A plan, as 'payout plan' named it.")]
Wait = Annotated[
    float,
    typer.Option(min=0.0, help="Seconds to look for payments whose request got no answer."),
]
AtOnce = Annotated[
    int, typer.Option(min=1, max=200, help="Prolific: bonuses that go into one request.")
]


def plan(
    campaign: CampaignName,
    study: Studies,
    base: Annotated[
        Base,
        typer.Option(help="Whether base pay is a part of the earnings, or comes on top of them."),
    ] = "deduct",
    others: Annotated[
        Others | None,
        typer.Option(help="Bonuses that no payout from here made: count them as paid, or not."),
    ] = None,
    fee: Annotated[
        float | None,
        typer.Option(
            min=0.0,
            help="What the platform takes of a bonus, as a share of it; assumed to be 0.333 on "
            "Prolific and 0.2 on MTurk.",
        ),
    ] = None,
    production: Production = False,
    api: Api = None,
    folder: Folder = None,
    *,
    connection: Connection,
    json: Json = False,
) -> None:
    """Show what every worker is owed, and what paying it costs; nothing is sent."""
    from spancrew.bridges import FEES, PayoutJournal, dues, earners_of, journal_name, plan_of

    with connection.campaign(campaign) as chosen:
        name = platform_of(entry_of(chosen))
        earners, strangers = earners_of(chosen, name)
    address = api_of(name, api, production=production)
    handed_in = open_platform(name, study, address).submissions()
    with PayoutJournal(_folder(folder) / journal_name(chosen.id, address)) as journal:
        _refuse_uncertain(journal)
        owed = dues(earners, handed_in, journal.paid(), base=base, others=others or "ignore")
        if others is None:
            _refuse_others(owed)
        made = plan_of(chosen.id, name, address, study, owed)
        if made.payments:
            journal.plan(made)
    record = views.plan_record(made, owed, strangers, FEES[name] if fee is None else fee)
    show_views(json, record, *_plan_views(made, owed, strangers, record["fee"]))


def _plan_views(
    made: "PayoutPlan", owed: "list[Due]", strangers: list[str], fee: float
) -> "list[RenderableType]":
    shown = [views.due_table(owed), views.total_table(made, fee)]
    problems = [f"{each.worker} ({each.person}) {each.problem}" for each in owed if each.problem]
    if strangers:
        who = ", ".join(strangers)
        problems.append(f"did not come from {made.platform}, or were erased: {who}")
    shown += [f"Not paid: {each}." for each in problems]
    shown.append(
        f"Nothing was sent to {made.api}. 'spancrew payout send {made.id}' pays this."
        if made.payments
        else "Nobody is owed anything that can be paid now."
    )
    return shown


def send(
    plan: PlanId,
    yes: Yes = False,
    wait: Wait = 300.0,
    at_once: AtOnce = 200,
    folder: Folder = None,
    json: Json = False,
) -> None:
    """Pay what a plan shows; each bonus once, whatever happens."""
    from spancrew.bridges import money

    with _found(folder, plan) as (journal, chosen):
        if journal.has_begun(chosen):
            raise SpancrewError(f"plan {plan} was begun: 'spancrew payout resume {plan}' goes on")
        if not yes:
            typer.confirm(
                f"Pay {len(chosen.payments):,} bonuses, {money(chosen.cents)} in all without "
                f"fees, on {chosen.api}?",
                abort=True,
                err=json,
            )
        _run(journal, chosen, wait, at_once, json=json)


def resume(
    plan: PlanId,
    wait: Wait = 300.0,
    at_once: AtOnce = 200,
    folder: Folder = None,
    json: Json = False,
) -> None:
    """Go on with a payout that was interrupted or in part refused; nobody is paid twice."""
    with _found(folder, plan) as (journal, chosen):
        if not journal.has_begun(chosen):
            raise SpancrewError(
                f"plan {plan} was not begun: 'spancrew payout send {plan}' does it"
            )
        _run(journal, chosen, wait, at_once, json=json)


def _run(
    journal: "PayoutJournal", chosen: "PayoutPlan", wait: float, at_once: int, *, json: bool
) -> None:
    from spancrew.bridges import Payout

    platform = open_platform(chosen.platform, chosen.studies, chosen.api, at_once)
    Payout(platform, journal, wait=wait).send(chosen)
    _print_payout(journal, chosen, json=json)
    unpaid = _unpaid(journal, chosen)
    if unpaid:
        raise SpancrewError(
            f"{len(unpaid):,} of {len(chosen.payments):,} bonuses were refused; 'spancrew payout "
            f"resume {chosen.id}' tries them again"
        )


def show(
    plan: Annotated[
        str | None, typer.Argument(metavar="[PLAN]", help="A plan; without it, all are listed.")
    ] = None,
    folder: Folder = None,
    json: Json = False,
) -> None:
    """Show how far payouts are, and what is uncertain."""
    if plan is not None:
        with _found(folder, plan) as (journal, chosen):
            _print_payout(journal, chosen, json=json)
        return
    records = []
    for path in sorted(_folder(folder).glob("*.sqlite")):
        with _journal(path) as journal:
            records += [views.payout_record(each, journal) for each in journal.plans.values()]
    show_views(json, records, views.payout_table(records))


def check(plan: PlanId, folder: Folder = None, json: Json = False) -> None:
    """Ask the platform whether it shows every bonus that was paid; if not, the exit code is 2."""
    from spancrew.bridges import Payout

    with _found(folder, plan) as (journal, chosen):
        platform = open_platform(chosen.platform, chosen.studies, chosen.api)
        lacking = Payout(platform, journal).missing(chosen)
        record = views.payout_record(chosen, journal)
        people = [each.person for each in lacking]
    text = f"{record['paid']:,} of {record['bonuses']:,} bonuses are paid"
    if lacking:
        raise SpancrewError(
            f"{text}, and {len(lacking):,} of them are not shown by {chosen.platform} (yet): "
            f"{', '.join(people)}"
        )
    show_views(json, record | {"missing": people}, f"{text}; {chosen.platform} shows all of them.")


def settle(
    plan: PlanId,
    outcome: Annotated[
        Literal["paid", "unpaid"], typer.Argument(help="What you found on the platform.")
    ],
    person: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PERSON]...", help="Whose; by default all uncertain ones."),
    ] = None,
    folder: Folder = None,
) -> None:
    """Say what became of uncertain payments, where the platform cannot tell and you can."""
    with _found(folder, plan) as (journal, chosen):
        unsure = [each for each in chosen.payments if journal.state(each) == "sent"]
        meant = [each for each in unsure if not person or each.person in person]
        unknown = set(person or ()) - {each.person for each in meant}
        if unknown or not meant:
            whose = f" to {', '.join(sorted(unknown))}" if unknown else ""
            raise SpancrewError(f"plan {plan} has no uncertain payment{whose}")
        keys = [each.key for each in meant]
        journal.settle(keys, "paid" if outcome == "paid" else "open", "an admin said so")
    typer.echo(
        f"{len(meant):,} payments are noted as {outcome}; 'spancrew payout resume {plan}' goes on."
    )


def _print_payout(journal: "PayoutJournal", chosen: "PayoutPlan", *, json: bool) -> None:
    record = views.payout_record(chosen, journal)
    shown = [views.payout_table([record])]
    unpaid = _unpaid(journal, chosen)
    if unpaid:
        shown.append(views.payment_table("Not paid", unpaid, journal))
    show_views(json, record, *shown)


def _unpaid(journal: "PayoutJournal", chosen: "PayoutPlan") -> "list[Payment]":
    return [each for each in chosen.payments if journal.state(each) != "paid"]


def _refuse_uncertain(journal: "PayoutJournal") -> None:
    unsure = {payment.key for _, payments in journal.uncertain() for payment in payments}
    for plan in journal.plans.values():
        if any(each.key in unsure for each in plan.payments):
            raise SpancrewError(
                f"it is uncertain whether {len(unsure):,} payments of plan {plan.id} were made: "
                f"'spancrew payout resume {plan.id}' finds out"
            )


def _refuse_others(owed: "list[Due]") -> None:
    from spancrew.bridges import money

    foreign = [each for each in owed if each.others]
    if foreign:
        amount = money(sum(each.others for each in foreign))
        raise SpancrewError(
            f"{len(foreign):,} workers got bonuses of {amount} in all that "
            f"no payout from here made, such as {foreign[0].person}: say --others deduct if they "
            "were for this campaign, --others ignore if not"
        )


def _folder(given: Path | None) -> Path:
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return given or Path(base) / "spancrew" / "payouts"


def _journal(path: Path) -> "PayoutJournal":
    from spancrew.bridges import PayoutJournal

    return PayoutJournal(path)


@contextmanager
def _found(folder: Path | None, plan: str) -> "Iterator[tuple[PayoutJournal, PayoutPlan]]":
    """Yield a plan with the journal that has it."""
    busy: StoreError | None = None
    for path in sorted(_folder(folder).glob("*.sqlite")):
        try:
            journal = _journal(path)
        except StoreError as error:
            busy = error
            continue
        with journal:
            if plan in journal.plans:
                yield journal, journal.plans[plan]
                return
    if busy is not None:
        raise busy
    raise SpancrewError(f"there is no plan {plan!r} in {_folder(folder)}: 'payout plan' makes one")


payout = group(
    "payout",
    "Pay the workers of a crowd platform: plan first, then send.",
    {
        "plan": plan,
        "send": send,
        "resume": resume,
        "show": show,
        "check": check,
        "settle": settle,
        "approve": approve,
    },
)
