"""A pilot: raw sentences, labelled by workers and an expert, become the basis of a plan."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spancrew.core import Dataset
from spancrew.formats import read
from spancrew.server.people.pilots import Pilots
from spancrew.stores import SentenceRow
from tests.server.conftest import (
    House,
    Visitor,
    create,
    gold_spans,
    invite,
    invite_admin,
    last_unknown,
    upload,
)

SIZE, ALL = 20, 30


@cache
def truth() -> Dataset:
    """Return sentences as they should be labelled."""
    return read("demo").dataset.take(np.arange(ALL))


def raw() -> Dataset:
    """Return the same sentences, of which nothing is known."""
    known = truth()
    return Dataset.of(list(known.sentences), {}, [], known.labels)


def send(admin: Visitor, folder: Path, dataset: Dataset | None = None, **form: Any) -> Any:
    """Ask for a pilot."""
    plan = json.dumps({"answers": 2, **form.pop("plan", {})})
    return admin.call(
        "POST",
        "/campaigns",
        data={"name": "Pilot", "pilot": str(SIZE), "plan": plan, **form},
        files={"file": ("raw.jsonl", upload(dataset or raw(), folder))},
    )


def made_pilot(admin: Visitor, folder: Path, **plan: Any) -> str:
    """Create a pilot, and start it."""
    answer = send(admin, folder, plan=plan)
    assert answer.status_code == 201, answer.text
    id_ = str(answer.json()["id"])
    admin.ok("POST", f"/campaigns/{id_}/start")
    return id_


def work(admin: Visitor, pilot: str, workers: int = 5) -> None:
    """Let workers answer all there is, in turn; the last marks nothing."""
    waiting = [invite(admin, pilot) for _ in range(workers)]
    last, idle = waiting[-1], 0
    while idle < workers:
        worker = waiting.pop(0)
        waiting.append(worker)
        found = worker.ok("POST", f"/campaigns/{pilot}/next").get("assignment")
        idle = idle + 1 if found is None else 0
        if found is not None:
            number = found["assignment"]
            spans = [] if worker is last else gold_spans(truth(), found["sentence"]["id"])
            body = {"assignment": number, "spans": spans, "key": str(number)}
            worker.ok("POST", f"/campaigns/{pilot}/answers", json=body)


def decide(admin: Visitor, pilot: str, most: int = SIZE) -> list[dict[str, Any]]:
    """Let an expert label sentences; return the sheets."""
    expert = invite(admin, pilot, "experts")
    sheets: list[dict[str, Any]] = []
    while len(sheets) < most:
        sheet = expert.ok("POST", f"/campaigns/{pilot}/expert/next").get("sheet")
        if sheet is None:
            break
        sheets.append(sheet)
        spans = gold_spans(truth(), sheet["sentence"]["id"])
        body = {"sentence": sheet["number"], "spans": spans, "key": f"e{len(sheets)}"}
        expert.ok("POST", f"/campaigns/{pilot}/expert/answers", json=body)
    return sheets


def parts(**fields: str) -> dict[str, Any]:
    """Return a form without a file."""
    return {name: (None, value) for name, value in fields.items()}


@pytest.mark.slow
def test_a_pilot_is_labelled_and_then_used_without_a_file(admin: Visitor, tmp_path: Path) -> None:
    """Experts see no answers; the plan rests on the pilot, the campaign labels the others."""
    pilot = made_pilot(admin, tmp_path)
    (begun,) = admin.ok("GET", "/pilots")
    work(admin, pilot)
    sheets = decide(admin, pilot, 12)
    (half,) = admin.ok("GET", "/pilots")
    refused = admin.call("POST", "/inspections", files=parts(campaign=pilot))
    sheets += decide(admin, pilot)
    (done,) = admin.ok("GET", "/pilots")
    found = admin.ok("POST", "/inspections", files=parts(campaign=pilot))
    runs = parts(campaign=pilot, runs="1", plan=json.dumps({"answers": 2, "policy": "random"}))
    lines = admin.call("POST", "/rehearsals", files=runs).text.splitlines()
    made = admin.ok("POST", "/campaigns", files=parts(campaign=pilot, name="Whole", gold="use"))
    entries = admin.ok("GET", "/audit")["entries"]
    log = {each["action"]: each for each in sorted(entries, key=lambda each: each["id"])}

    assert (begun["sentences"], begun["missing"], begun["waiting"]) == (SIZE, SIZE, ALL - SIZE)
    assert (half["labelled"], half["missing"], half["phase"]) == (12, 8, "running")
    assert refused.status_code == 409
    assert refused.json()["error"]["missing"] == 8
    assert "8 of its 20 sentences" in refused.json()["error"]["message"]
    assert len(sheets) == SIZE
    assert not any(sheet["answers"] for sheet in sheets)
    assert (done["missing"], done["phase"], done["workers"]) == (0, "finished", 5)
    assert [found[name] for name in ("sentences", "gold", "answers")] == [ALL, SIZE, 2 * SIZE]
    forecast = json.loads(lines[-1])["forecast"]
    assert (forecast["sentences"], forecast["crowd"]) == (SIZE, "calibrated")
    status = admin.ok("GET", f"/campaigns/{made['id']}/status")
    assert (status["sentences"], status["by_gold"], status["waiting"]) == (ALL, SIZE, ALL - SIZE)
    assert log["rehearsal.rehearse"]["campaign"] == pilot
    assert log["campaigns.create"]["after"] == {"name": "Whole", "sentences": ALL, "pilot": pilot}


def test_a_pilot_that_is_ended_early_gives_what_it_has(
    house: House, admin: Visitor, tmp_path: Path
) -> None:
    """Its other sentences wait with the rest; only its admins can use it."""
    pilot = made_pilot(admin, tmp_path)
    work(admin, pilot, 2)
    decide(admin, pilot, 7)
    admin.ok("POST", f"/campaigns/{pilot}/finish")
    other = invite_admin(admin, create(admin, tmp_path))
    own = invite_admin(admin, pilot)
    form = parts(campaign=pilot)
    found = own.ok("POST", "/inspections", files=form)
    strange = [other.call("POST", f"/{each}", files=form) for each in ("inspections", "plans")]
    listed = [len(each.ok("GET", "/pilots")) for each in (own, other)]
    admin.ok("DELETE", f"/campaigns/{pilot}")

    assert (found["sentences"], found["gold"]) == (ALL, 7)
    assert [each.status_code for each in strange] == [404, 404]
    assert listed == [1, 0]
    assert house.directory.pilots.all() == {}


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({"pilot": "19"}, "from 20 to 200"),
        ({"pilot": "201"}, "from 20 to 200"),
        ({"pilot": "many"}, "from 20 to 200"),
        ({"pilot": "30"}, "a pilot of 30 leaves none"),
        ({"plan": {"feedback": "expert"}}, "feedback: this is settled for a pilot"),
        ({"plan": {"audit": 0.1}}, "audit: this is settled for a pilot"),
        ({"plan": {"answers": 1}}, "at least 2"),
        ({"campaign": "0123"}, "leave out data, file and text"),
    ],
)
def test_what_is_no_pilot_is_refused(
    admin: Visitor, tmp_path: Path, form: dict[str, Any], says: str
) -> None:
    """With the reason, and nothing is created."""
    answer = send(admin, tmp_path, **form)

    assert answer.status_code == 422
    assert says in answer.json()["error"]["message"]
    assert admin.ok("GET", "/campaigns") == []


def test_known_labels_and_other_campaigns_are_refused(admin: Visitor, tmp_path: Path) -> None:
    """A pilot asks for all labels of its own, and no other campaign counts as one."""
    known = send(admin, tmp_path, last_unknown(truth()))
    anew = send(admin, tmp_path, truth(), gold="ignore")
    other = create(admin, tmp_path)
    used = admin.call("POST", "/inspections", files=parts(campaign=other))
    gone = admin.call("POST", "/inspections", files=parts(campaign="0123"))

    assert "some labels are known" in known.json()["error"]["message"]
    assert anew.status_code == 201
    assert "is no pilot" in used.json()["error"]["message"]
    assert gone.status_code == 404


def test_what_waits_comes_back_as_it_was(house: House) -> None:
    """Text of any language, borders of tokens and provenance; other campaigns have nothing."""
    kept = Pilots(house.directory.engine)
    rows = [SentenceRow("a", "héllo 世界", ((0, 5), (6, 8)), None, '{"page": 3}')]
    kept.put("one", rows)
    kept.put("two", [])

    assert kept.rest("one") == rows
    assert kept.rest("two") == []
    assert kept.rest("three") is None
    assert [kept.has(each) for each in ("one", "two", "three")] == [True, True, False]
    assert kept.all() == {"one": 1, "two": 0}
