"""Everything that is known of one worker."""

import json

from spancrew.campaign import WorkerStanding
from spancrew.server.api.views import spans_view, standing_view
from spancrew.server.people.directory import Directory
from spancrew.server.people.values import PersonRow
from spancrew.stores import EventStore
from spancrew.wire import AnswerRecord, PersonView, WorkerData


def worker_data(
    store: EventStore,
    directory: Directory,
    campaign: str,
    person: PersonRow,
    standing: WorkerStanding,
) -> WorkerData:
    """Collect what the directory and the journal have of a worker."""
    answers, assignments = [], 0
    mark = f'"worker":{person.number},'
    for version, entry in store.read(campaign):
        if entry.kind not in {"Assigned", "Answered"} or mark not in entry.body:
            continue
        body = json.loads(entry.body)
        if entry.kind == "Assigned":
            assignments += 1
            continue
        answers.append(
            AnswerRecord(
                version=version,
                assignment=body["assignment"],
                sentence=store.sentence(campaign, body["sentence"]).id,
                spans=spans_view(body["spans"]),
                at=entry.at,
                **{name: body[name] for name in ("seconds", "paid", "late", "surplus")},
            )
        )
    sessions = directory.secrets.of_person(person.id, "session")
    return WorkerData(
        person=PersonView.model_validate(person),
        platform_details=directory.people.details(person.id),
        standing=standing_view(standing),
        sessions=tuple(at for _, _, at in sessions),
        practised=tuple(directory.guides.practised(person.id).values()),
        assignments=assignments,
        answers=tuple(answers),
    )
