"""The certificate of a campaign: what its audits say of the labels that an export gives."""

import hashlib
from importlib.metadata import version
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from fastapi.responses import HTMLResponse

from spancrew import wire
from spancrew.campaign import Campaign, LabelsSoFar
from spancrew.certificates import (
    Certificate,
    Estimate,
    Provenance,
    certificate_record,
    labels_hash,
)
from spancrew.consensus import consensus_name
from spancrew.report import certificate_page
from spancrew.server.api.access import AdminOf, EntryOf, Server
from spancrew.server.api.copies import copied
from spancrew.server.api.parameters import USUAL, CampaignId
from spancrew.server.processes import in_thread
from spancrew.stores import EventStore

router = APIRouter(prefix=wire.PREFIX, tags=["watch"], responses=USUAL)
Level = Annotated[float, Query(gt=0, lt=1)]

_AS_FILE = {"Content-Disposition": 'attachment; filename="certificate.html"'}
_DRAWN = "a random sample of the sentences that the crowd settled, labelled blind by experts"


@router.get("/campaigns/{c}/certificate", summary="How good the labels so far are")
async def certificate(
    c: CampaignId, _admin: AdminOf, services: Server, *, level: Level = 0.95
) -> wire.CertificateView:
    """Return what audits say of the labels as they were settled; without audits, a guess."""
    found = await services.desk.look(c, lambda campaign: campaign.certificate(level))
    return wire.CertificateView(
        kind=found.kind,
        f1=_estimate(found.delivered.f1),
        precision=_estimate(found.delivered.precision),
        recall=_estimate(found.delivered.recall),
        level=found.level,
        audited=found.audited,
        experts=found.experts,
        sentences=found.sentences,
    )


def _estimate(figure: Estimate) -> wire.EstimateView:
    return wire.EstimateView(**figure._asdict())


async def _certified(
    c: CampaignId,
    entry: EntryOf,
    services: Server,
    *,
    level: Level = 0.95,
    strict: bool = False,
    revise: bool = True,
) -> tuple[Certificate, Provenance]:
    copy, store = await copied(services, c), services.desk.store

    def work() -> tuple[Certificate, Provenance]:
        found = copy.labels_so_far(revise=revise)
        made = found.certificate(level, strict=strict)
        return made, _provenance(copy, found, store, (c, entry.name))

    return await in_thread(work)


Certified = Annotated[tuple[Certificate, Provenance], Depends(_certified)]


@router.get(
    "/campaigns/{c}/certificate/record",  # noqa: FAST003  the dependency takes it
    summary="The certificate, to keep and to check",
)
async def record(certified: Certified) -> dict[str, Any]:
    """Return the certificate of the labels that an export gives, with hashes of what it is about.

    ``strict`` gives lower bounds that hold however often one looks; ``revise`` is that of the
    export.
    """
    return certificate_record(*certified)


@router.get(
    "/campaigns/{c}/certificate/page",  # noqa: FAST003  the same
    summary="The certificate as a page",
    response_class=HTMLResponse,
)
async def page(certified: Certified) -> HTMLResponse:
    """Return the same as a page, to be kept as a file."""
    return HTMLResponse(certificate_page(*certified), headers=_AS_FILE)


def _provenance(
    campaign: Campaign, found: LabelsSoFar, store: EventStore, named: tuple[str, str]
) -> Provenance:
    (c, name), plan = named, campaign.plan
    ids = [row.id for row in store.sentences(c)]
    own = [ids[each] for each in found.sentence.tolist()]
    return Provenance(
        source=name,
        drawn=_DRAWN,
        probability=campaign.state.audit_chance or None,
        seed=plan.seed,
        labels_hash=labels_hash(own, plan.labels, found.codes, found.audits),
        journal_hash=_journal_hash(store, c, campaign.version),
        versions={"spancrew": version("spancrew"), "consensus": consensus_name(plan.method)},
    )


def _journal_hash(store: EventStore, campaign: str, last: int) -> str:
    """Return the SHA-256 of the journal's lines up to a version: kind, time and body."""
    digest = hashlib.sha256()
    for number, entry in store.read(campaign):
        if number > last:
            break
        digest.update(f"{entry.kind}\t{entry.at!r}\t{entry.body}\n".encode())
    return digest.hexdigest()
