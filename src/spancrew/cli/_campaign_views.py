"""How campaigns look on a terminal."""

import csv as csv_
import json as json_
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, is_dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console, Group, RenderableType

from spancrew.cli._printing import bars, fact_table, print_json, table

if TYPE_CHECKING:
    from spancrew.campaign import Anchoring, Ledger, Status
    from spancrew.wire import (
        AdminView,
        AgreementView,
        AssignmentView,
        CampaignSummary,
        CampaignView,
        CertificateView,
        DeliveryView,
        DoubtView,
        EventView,
        Invitation,
        PersonView,
        TokenView,
        WebhookView,
        WorkerView,
    )


def as_record(value: Any) -> Any:
    """Return a value, or a list of them, as JSON."""
    from spancrew.wire import Wire

    if isinstance(value, list | tuple):
        return [as_record(each) for each in value]
    if isinstance(value, Wire):
        return value.model_dump(mode="json")
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value


def show(json: bool, value: Any, *views: RenderableType) -> None:
    """Print a value as JSON, or as people like it."""
    if json:
        print_json(as_record(value))
        return
    console = Console(highlight=False)
    for k, view in enumerate(views):
        if k:
            console.print()
        console.print(view)


def say(json: bool, value: Any, sentence: str) -> None:
    """Print a value as JSON, or one sentence about it."""
    if json:
        print_json(as_record(value))
    else:
        typer.echo(sentence)


def moment(at: float | None) -> str:
    """Return a time as people read it, in UTC."""
    return "-" if at is None else f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M:%S}"


def campaign_table(cards: "Sequence[CampaignSummary]") -> RenderableType:
    """Return the list of campaigns."""
    if not cards:
        return (
            "There is no campaign yet; set one up with "
            "'spancrew campaign create demo --gold ignore'."
        )
    rows = [(c.id, c.name, moment(c.created_at), f"{c.sentences:,}") for c in cards]
    return table("Campaigns", ("id", "name", "set up (UTC)", "sentences"), rows, words=3)


def status_table(
    details: "CampaignView", status: "Status", quality: "CertificateView"
) -> RenderableType:
    """Return how far a campaign is."""
    share = status.settled / max(status.sentences, 1)
    rows = {
        "phase": status.phase + (f" ({status.reason})" if status.reason else ""),
        "settled": f"{status.settled:,} of {status.sentences:,} sentences ({share:.0%})",
        "by crowd, expert, gold": f"{status.by_crowd:,}, {status.by_expert:,}, {status.by_gold:,}",
        "in hand, waiting for an expert": f"{status.open:,}, {status.at_expert:,}",
        "workers, ready": f"{status.workers:,}, {status.ready:,}",
        "answers": f"{status.answers:,}",
        "audited": f"{status.audited:,} of the crowd's {status.by_crowd:,}",
        "exact F1 of the labels": _quality(quality),
        **_anchoring(status.anchoring),
        "policy": str(details.plan.get("policy", "-")),
        "feedback rule": str(details.plan.get("feedback", "-")),
        "consensus method": str(details.plan.get("consensus", "-")),
    }
    return fact_table(f"{details.name} ({details.id})", rows.items())


def _anchoring(found: "Anchoring | None") -> dict[str, str]:
    """Return how far people follow what models suggest, if anything was suggested."""
    if found is None:
        return {}
    means = [
        f"{'-' if mean is None else f'{mean:.2f}'} of {count:,}"
        for mean, count in ((found.agreed_seen, found.seen), (found.agreed_unseen, found.unseen))
    ]
    said = f"{means[0]} who saw it, {means[1]} who did not"
    if found.more is not None and found.low is not None and found.high is not None:
        said += f": {found.more:+.2f} ({found.low:+.2f} to {found.high:+.2f} at 95%)"
    return {"agreement with suggestions": said}


def _quality(quality: "CertificateView") -> str:
    f1 = quality.f1
    if not quality.sentences:
        return "-"
    if f1.low is None or f1.high is None or quality.level is None:
        return f"{f1.estimate:.3f}, the model's guess"
    return f"{f1.estimate:.3f} ({f1.low:.3f} to {f1.high:.3f} at {quality.level:.0%}), audited"


def ledger_table(ledger: "Ledger") -> RenderableType:
    """Return the money of a campaign."""
    rows = [
        ("spent", f"{ledger.spent:,.2f}"),
        ("put aside for sentences in hand", f"{ledger.committed:,.2f}"),
        ("forecast in all", _forecast(ledger)),
        ("saved against experts alone", f"{ledger.saved:,.2f}"),
        ("budget", "none" if ledger.budget is None else f"{ledger.budget:,.2f}"),
        ("left", "-" if ledger.left is None else f"{ledger.left:,.2f}"),
    ]
    return fact_table("Money", rows, words=1)


def _forecast(ledger: "Ledger") -> str:
    amount = f"{ledger.forecast:,.2f}"
    is_above = ledger.budget is not None and ledger.forecast > ledger.budget
    return f"{amount}; the budget ends it before" if is_above else amount


def record_table(title: str, value: Any) -> RenderableType:
    """Return the names and values of a record."""
    facts: Mapping[str, Any] = as_record(value)
    rows = ((name, "-" if each is None else str(each)) for name, each in facts.items())
    return fact_table(title, rows)


def worker_table(workers: "Sequence[WorkerView]") -> RenderableType:
    """Return the workers, the best first; models come after the people."""
    if not workers:
        return "There is no worker yet; 'spancrew campaign invite worker' makes links for them."
    head = ("worker", "name", "state", "mean F1", "95 %", "answers", "late", "earned", "last seen")
    ordered = sorted(workers, key=_place)
    return table("Workers", head, [_worker_row(each) for each in ordered], words=3)


def _place(worker: "WorkerView") -> tuple[bool, float]:
    known = worker.standing
    if known is None:
        return False, 0.0
    return known.model is not None, -(known.mean or 0.0)


def _worker_row(worker: "WorkerView") -> tuple[str, ...]:
    person, known = worker.person, worker.standing
    seen = moment(person.seen_at)
    if known is None:
        return (person.pseudonym, person.name or "", "invited", "-", "-", "0", "0", "0.00", seen)
    between = (
        "-" if known.low is None or known.high is None else f"{known.low:.2f}-{known.high:.2f}"
    )
    return (
        person.pseudonym,
        person.name or "",
        known.state,
        "-" if known.mean is None else f"{known.mean:.2f}",
        between,
        f"{known.answers:,}",
        f"{known.late:,}",
        f"{known.earned:,.2f}",
        seen,
    )


def expert_table(experts: "Sequence[PersonView]") -> RenderableType:
    """Return the experts."""
    if not experts:
        return "There is no expert yet; 'spancrew campaign invite expert' makes links for them."
    rows = [(e.pseudonym, e.name or "", moment(e.seen_at)) for e in experts]
    return table("Experts", ("expert", "name", "last seen (UTC)"), rows, words=3)


def queue_table(queue: "Sequence[DoubtView]") -> RenderableType:
    """Return the sentences that wait for an expert."""
    if not queue:
        return "No sentence waits for an expert."
    rows = [(q.id, q.purpose, moment(q.since), q.claimed_by or "", f"{q.loss:.2f}") for q in queue]
    head = ("sentence", "for", "since (UTC)", "taken by", "errors expected")
    return table("Waiting for an expert", head, rows, words=4)


def story_table(story: "AssignmentView") -> RenderableType:
    """Return why an assignment went to its worker."""
    facts = {
        "sentence": story.sentence,
        "worker": story.worker,
        "handed out (UTC)": moment(story.at),
        "until (UTC)": moment(story.until),
        "for": story.purpose,
        "state": story.state,
        **{f"because: {name}": value for name, value in story.reason.items()},
    }
    return record_table(f"Assignment {story.assignment}", facts)


def agreement_view(found: "AgreementView") -> RenderableType:
    """Return how much the workers agree."""
    if found.mean is None:
        return "No sentence has two answers yet."
    facts = {
        "over all": "-" if found.overall is None else f"{found.overall:.3f}",
        "mean of the sentences": f"{found.mean:.3f}",
        "sentences": f"{found.sentences:,}",
        "answers": f"{found.answers:,}",
    }
    counts = ((f"{bin_.low:+.1f}", bin_.sentences) for bin_ in found.histogram)
    return Group(
        fact_table(f"Agreement ({found.method})", facts.items()),
        "",
        bars("Sentences by kappa", counts),
    )


def event_line(event: "EventView", *, json: bool) -> str:
    """Return an event on one line."""
    if json:
        return json_.dumps(as_record(event), ensure_ascii=False)
    body = " ".join(f"{name}={_short(value)}" for name, value in event.body.items())
    return f"{event.version:>7}  {moment(event.at)}  {event.kind:<15} {body}".rstrip()


def _short(value: Any) -> str:
    text = json_.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:59]}…"


def webhook_table(webhooks: "Sequence[WebhookView]") -> RenderableType:
    """Return the addresses that events are sent to."""
    if not webhooks:
        return "Events are sent to no address."
    rows = [
        (str(w.id), w.url, ", ".join(w.kinds) or "all", _health(w), f"{w.cursor:,}")
        for w in webhooks
    ]
    return table(
        "Webhooks", ("id", "address", "events", "state", "delivered up to"), rows, words=4
    )


def _health(webhook: "WebhookView") -> str:
    if webhook.stopped:
        return "given up"
    return f"{webhook.failures} failures" if webhook.failures else "ok"


def delivery_table(deliveries: "Sequence[DeliveryView]") -> RenderableType:
    """Return what was sent to an address."""
    if not deliveries:
        return "Nothing has been sent yet."
    rows = [
        (moment(d.at), str(d.status or "-"), d.problem or "", f"{d.events}", f"{d.attempt}")
        for d in deliveries
    ]
    head = ("at (UTC)", "status", "problem", "events", "attempt")
    return table("Deliveries", head, rows, words=3)


def token_table(tokens: "Sequence[TokenView]") -> RenderableType:
    """Return the tokens for programs."""
    rows = [
        (
            str(each.id),
            each.name or "",
            each.person,
            each.scope or "all",
            "-" if each.expires_at is None else moment(each.expires_at),
            "-" if each.used_at is None else moment(each.used_at),
        )
        for each in tokens
    ]
    return table(
        "Tokens", ("id", "name", "of", "scope", "ends (UTC)", "used (UTC)"), rows, words=4
    )


def admin_table(admins: "Sequence[AdminView]") -> RenderableType:
    """Return the admins and what is theirs."""
    rows = [
        (
            each.person.pseudonym,
            each.person.name or "",
            each.email or "",
            "all (owner)" if each.campaigns is None else ", ".join(each.campaigns) or "none",
        )
        for each in admins
    ]
    return table("Admins", ("who", "name", "e-mail", "campaigns"), rows, words=4)


def print_invitations(made: "Iterable[Invitation]", *, csv: bool, json: bool) -> None:
    """Print links: as JSON, as CSV, or one on a line."""
    if json:
        print_json(as_record(list(made)))
        return
    if csv:
        out = csv_.writer(sys.stdout, lineterminator="\n")
        out.writerow(("who", "name", "state", "link"))
        out.writerows((e.person.pseudonym, e.person.name or "", "invited", e.url) for e in made)
        return
    for each in made:
        typer.echo(each.url)
