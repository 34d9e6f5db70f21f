"""`spancrew payout`: pay the workers of a crowd platform what they earned."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from spancrew.cli import _payout_views as views
from spancrew.cli._campaign_views import show as show_views
from spancrew.cli._command_table import group
from spancrew.cli._options import Json
from spancrew.cli._payout_approval import approve
from spancrew.cli._payout_journals import Folder, PlanId, folder_of, found_plan, open_journal
from spancrew.cli._payout_planning import plan as plan_payout
from spancrew.cli._platforms import Yes, open_platform
from spancrew.cli._progress import progress_bar
from spancrew.errors import SpancrewError

if TYPE_CHECKING:
    from spancrew.bridges import Payment, PayoutJournal, PayoutPlan

Wait = Annotated[
    float,
    typer.Option(min=0.0, help="Seconds to look for payments whose request got no answer."),
]
AtOnce = Annotated[
    int, typer.Option(min=1, max=200, help="Prolific: bonuses that go into one request.")
]


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

    with found_plan(folder, plan) as (journal, chosen):
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
    with found_plan(folder, plan) as (journal, chosen):
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
    total, done = len(_unpaid(journal, chosen)), 0
    with progress_bar(f"Paying on {chosen.platform}") as bar:

        def note(payments: "Sequence[Payment]") -> None:
            nonlocal done
            done += len(payments)
            bar(done, total)

        Payout(platform, journal, wait=wait, done=note).send(chosen)
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
        with found_plan(folder, plan) as (journal, chosen):
            _print_payout(journal, chosen, json=json)
        return
    records = []
    for path in sorted(folder_of(folder).glob("*.sqlite")):
        with open_journal(path) as journal:
            records += [views.payout_record(each, journal) for each in journal.plans.values()]
    show_views(json, records, views.payout_table(records))


def check(plan: PlanId, folder: Folder = None, json: Json = False) -> None:
    """Ask the platform whether it shows every bonus that was paid; if not, the exit code is 2."""
    from spancrew.bridges import Payout

    with found_plan(folder, plan) as (journal, chosen):
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
    with found_plan(folder, plan) as (journal, chosen):
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


payout = group(
    "payout",
    "Pay the workers of a crowd platform: plan first, then send.",
    {
        "plan": plan_payout,
        "send": send,
        "resume": resume,
        "show": show,
        "check": check,
        "settle": settle,
        "approve": approve,
    },
)
