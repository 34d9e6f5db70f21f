"""The whole story of a campaign through the API."""

import csv
import io
import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spancrew.core import Dataset
from spancrew.formats import formats_for, read
from spancrew.metrics import agreement, overall_agreement
from spancrew.server.settings import ServerSettings
from tests.server.conftest import (
    HandClock,
    House,
    Visitor,
    create,
    demo,
    gold_spans,
    invite,
    running,
)

DATA = demo()


def label_all(workers: list[Visitor], experts: list[Visitor], campaign: str) -> int:
    """Let workers and experts work until nothing is left; return how many answers were given."""
    given = 0
    for _ in range(400):
        busy = False
        for number, worker in enumerate(workers):
            work = worker.ok("POST", f"/campaigns/{campaign}/next")["assignment"]
            if work is None:
                continue
            busy, given = True, given + 1
            worker.ok("POST", f"/campaigns/{campaign}/answers", json=answer(work, number))
        for expert in experts:
            busy = decide(expert, campaign) or busy
        if not busy:
            return given
    raise AssertionError("the campaign does not end")


def answer(work: dict[str, Any], number: int) -> dict[str, Any]:
    """Return what a worker says: gold, but the last worker marks nothing."""
    spans = gold_spans(DATA, work["sentence"]["id"]) if number < 4 else []
    key = f"k{work['assignment']}"
    return {"assignment": work["assignment"], "spans": spans, "seconds": 2.5, "key": key}


def decide(expert: Visitor, campaign: str) -> bool:
    """Let an expert decide on the next sentence; tell whether there was one."""
    sheet = expert.ok("POST", f"/campaigns/{campaign}/expert/next")["sheet"]
    if sheet is None:
        return False
    spans = gold_spans(DATA, sheet["sentence"]["id"])
    body = {"sentence": sheet["number"], "spans": spans, "seconds": 5.0}
    expert.ok("POST", f"/campaigns/{campaign}/expert/answers", json=body)
    return True


@dataclass
class Story:
    """A campaign that was driven to its end."""

    house: House
    admin: Visitor
    campaign: str
    given: int

    def look(self, what: str) -> Any:
        """Return a view of the campaign."""
        return self.admin.ok("GET", f"/campaigns/{self.campaign}/{what}")

    def export(self, folder: Path, **options: Any) -> tuple[str, Dataset]:
        """Return the file name of an export and the data set in it."""
        response = self.admin.call("GET", f"/campaigns/{self.campaign}/export", params=options)
        assert response.status_code == 200, response.text
        name = response.headers["content-disposition"].split('"')[1]
        (folder / name).write_bytes(response.content)
        return name, read(folder / name, options.get("format")).dataset


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    """Drive a campaign from creation to its end, once for all tests."""
    folder, clock = tmp_path_factory.mktemp("story"), HandClock()
    with running(folder, clock, ServerSettings(clock=clock)) as house:
        admin = house.admin()
        campaign = create(admin, folder)
        workers = [invite(admin, campaign, name=f"Worker {n}") for n in range(5)]
        expert = invite(admin, campaign, "experts", name="Eva")
        admin.ok("POST", f"/campaigns/{campaign}/start")
        yield Story(house, admin, campaign, label_all(workers, [expert], campaign))


def test_all_views_of_a_campaign_say_the_same(story: Story) -> None:
    """Everything is settled and paid, and the sums fit."""
    status, ledger, standings = (story.look(v) for v in ("status", "ledger", "standings"))

    assert status["phase"] == "finished"
    assert status["settled"] == status["sentences"] == len(DATA)
    assert status["answers"] == ledger["answers"] == story.given
    assert status["by_expert"] == ledger["experts"]
    assert ledger["spent"] == pytest.approx(0.1 * story.given + ledger["experts"])
    assert sum(each["answers"] for each in standings) == story.given
    assert sum(each["earned"] for each in standings) == pytest.approx(0.1 * story.given)
    assert [each["worker"] for each in standings] == ["w0", "w1", "w2", "w3", "w4"]


OTHERS = {"matrix", "oei", "text", "brat"}
"""Formats for several answers, for data without labels, or without tokens of its own."""


@pytest.mark.parametrize("format_", [name for name in formats_for("spans") if name not in OTHERS])
def test_an_export_has_the_final_labels(story: Story, tmp_path: Path, format_: str) -> None:
    """In every format; folders come packed."""
    response = story.admin.call(
        "GET", f"/campaigns/{story.campaign}/export", params={"format": format_}
    )

    assert response.status_code == 200, response.text
    name = response.headers["content-disposition"].split('"')[1]
    assert name.startswith("Names-in-news")
    path = tmp_path / name
    path.write_bytes(response.content)
    if path.suffix == ".zip":
        shutil.unpack_archive(path, tmp_path / "unpacked")
        path = tmp_path / "unpacked"
    exported = read(path, format_).dataset
    assert [_labels(exported, k) for k in range(len(exported))] == [
        DATA.gold_spans(k) for k in range(len(DATA))
    ]


def _labels(dataset: Dataset, position: int) -> Any:
    final = dataset.final(position)
    return final.labels if final else dataset.gold_spans(position)


def test_an_export_has_every_raw_answer_with_its_time(story: Story, tmp_path: Path) -> None:
    """Under a pseudonym."""
    _, raw = story.export(tmp_path)

    assert len(raw.answers) == story.given
    assert set(raw.workers) <= {"w0", "w1", "w2", "w3", "w4"}
    assert raw.answer(0).seconds == 2.5
    assert raw.answer(0).at == story.house.clock()


def test_an_export_can_name_workers_or_leave_answers_out(story: Story, tmp_path: Path) -> None:
    """As the admin wishes."""
    _, named = story.export(tmp_path, names=True)
    _, bare = story.export(tmp_path, answers=False)

    assert all(name.startswith("Worker ") for name in named.workers)
    assert len(bare.answers) == 0
    assert bare.finals is not None


def test_an_export_can_be_revised(story: Story, tmp_path: Path) -> None:
    """Whoever decided stays the one who decided."""
    _, before = story.export(tmp_path, revise=False)
    _, after = story.export(tmp_path)

    assert before.finals is not None
    assert after.finals is not None
    assert after.finals.by == before.finals.by


def test_a_format_that_is_not_known_is_refused(story: Story) -> None:
    """With the names of those that are."""
    response = story.admin.call(
        "GET", f"/campaigns/{story.campaign}/export", params={"format": "../../etc/passwd"}
    )

    assert response.status_code == 422
    assert "conll" in response.json()["error"]["message"]


def test_events_can_be_read_page_by_page(story: Story) -> None:
    """Every version once, in order; the first is the plan."""
    after, seen = 0, []
    while True:
        page = story.admin.ok(
            "GET", f"/campaigns/{story.campaign}/events", params={"after": after, "limit": 50}
        )
        seen += page["events"]
        after = page["version"]
        if not page["more"]:
            break

    assert [each["version"] for each in seen] == list(range(1, len(seen) + 1))
    assert seen[0]["kind"] == "Opened"
    assert after == story.look("status")["version"]


def test_every_assignment_says_why_it_was_this_worker(story: Story) -> None:
    """And what became of it."""
    found = story.look("assignments/1")

    assert found["state"] in {"answered", "returned"}
    assert found["worker"].startswith("w")
    assert found["reason"]


def test_the_agreement_is_that_of_the_exported_answers(story: Story, tmp_path: Path) -> None:
    """Over all, by sentence, and in the histogram."""
    found = story.look("agreement")
    _, raw = story.export(tmp_path)
    by_sentence = agreement(raw.answers)
    known = by_sentence[~np.isnan(by_sentence)]

    assert found["overall"] == pytest.approx(overall_agreement(raw.answers))
    assert found["mean"] == pytest.approx(known.mean())
    assert found["sentences"] == len(known) == sum(b["sentences"] for b in found["histogram"])
    assert found["answers"] == story.given


def test_payments_name_what_everybody_earned(story: Story) -> None:
    """As a table for the crowd platform."""
    response = story.admin.call("GET", f"/campaigns/{story.campaign}/payments.csv")
    rows = list(csv.DictReader(io.StringIO(response.text)))

    assert [row["worker"] for row in rows] == ["w0", "w1", "w2", "w3", "w4"]
    assert sum(float(row["earned"]) for row in rows) == pytest.approx(0.1 * story.given)


def test_figures_are_there_for_prometheus(story: Story) -> None:
    """For admins: requests by route, and the state of campaigns."""
    page = story.admin.call("GET", "/metrics").text

    assert f'spancrew_spent{{campaign="{story.campaign}"}}' in page
    assert 'spancrew_requests_total{method="POST",route="/api/v1/campaigns/{c}/answers"' in page


def test_the_log_has_no_secrets_answers_or_texts(story: Story) -> None:
    """Of the whole story: who called what, and how it ended, is all it says."""
    story.house.nobody.call(
        "POST", "/session", json={"name": "eva", "password": "hunter2-hunter2"}
    )
    log = story.house.log.getvalue()
    rows = [json.loads(line) for line in log.splitlines()]
    forbidden = ["PER", "LOC", "hunter2", "spans", story.admin.secret, story.admin.csrf]
    forbidden += [text for text in DATA.sentences.texts if len(text) > 8]

    assert not [word for word in forbidden if word and word in log]
    assert {row["route"] for row in rows} >= {"/api/v1/campaigns/{c}/answers"}
    assert {row["role"] for row in rows} >= {"admin", "worker", "expert", None}


def test_what_is_known_from_the_beginning_is_final(admin: Visitor, tmp_path: Path) -> None:
    """Sentences with gold are settled by gold, and an export says so."""
    campaign = create(admin, tmp_path, gold="use", sentences=4)
    response = admin.call("GET", f"/campaigns/{campaign}/export", params={"format": "spancrew"})
    path = tmp_path / "known.jsonl"
    path.write_bytes(response.content)
    exported = read(path).dataset
    finals = [exported.final(k) for k in range(3)]

    assert [final.by for final in finals if final] == ["gold"] * 3
    assert [final.labels for final in finals if final] == [
        exported.gold_spans(k) for k in range(3)
    ]
    assert admin.ok("GET", f"/campaigns/{campaign}/status")["by_gold"] == 3
