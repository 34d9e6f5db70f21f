"""The picture of a campaign for those who watch, against a recount of its journal."""

import statistics
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import pytest

from spancrew.campaign import Entry
from spancrew.server.live.folds import Folds
from spancrew.server.live.lately import WorkerPicture
from spancrew.server.live.picture import PictureFold, ProgressLine
from spancrew.server.settings import ServerSettings
from tests.server.busy import Busy, busy
from tests.server.conftest import HandClock, House, Visitor, create, running


@pytest.fixture(scope="module")
def half(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[House, Busy, Any]]:
    """Drive a campaign half way, look, and drive it to its end: the fold goes on from there."""
    folder, clock = tmp_path_factory.mktemp("picture"), HandClock()
    with running(folder, clock, ServerSettings(clock=clock)) as house:
        made = busy(house.admin(), folder, warm_up="shared")
        made.work(6)
        early = made.look("picture")
        made.work()
        yield house, made, early


def by_kind(made: Busy, kind: str) -> list[dict[str, Any]]:
    """Return the bodies of all events of a kind."""
    return [event["body"] for event in made.events() if event["kind"] == kind]


def test_progress_ends_where_status_and_ledger_are(half: tuple[House, Busy, Any]) -> None:
    """Counts and money of the last point are those of now, and no point goes back."""
    _, made, early = half
    points = made.look("picture")["progress"]
    status, ledger = made.look("status"), made.look("ledger")

    assert points[-1]["by_crowd"] == status["by_crowd"] > 0
    assert points[-1]["by_expert"] == status["by_expert"] > 0
    assert points[-1]["spent"] == pytest.approx(ledger["spent"])
    assert points[0] == {**points[0], "by_crowd": 0, "by_expert": 0, "spent": 0.0}
    for name in ("at", "by_crowd", "by_expert", "spent"):
        values = [point[name] for point in points]
        assert values == sorted(values)
    assert early["version"] < made.look("picture")["version"] == status["version"]


def test_labels_are_those_of_all_settled_sentences(half: tuple[House, Busy, Any]) -> None:
    """Every label of the plan is listed, with the spans that were settled."""
    _, made, _ = half
    counts = Counter(row[2] for body in by_kind(made, "Settled") for row in body["labels"])
    found = {row["label"]: row["spans"] for row in made.look("picture")["labels"]}

    assert found == {label: counts[label] for label in made.data.labels}
    assert sum(found.values()) > 0


def test_workers_lately_are_recounted(half: tuple[House, Busy, Any]) -> None:
    """Rewards are the last forty in order, times are medians, agreement is F1 by hand."""
    _, made, _ = half
    rewards: defaultdict[int, list[float]] = defaultdict(list)
    for event in made.events():
        if event["kind"] == "Settled":
            for worker, reward in event["body"]["rewards"]:
                rewards[worker] += [] if reward is None else [reward]
        if event["kind"] == "Scored":
            rewards[event["body"]["worker"]].append(event["body"]["reward"])
    agreed = agreement_by_hand(made)
    for number, row in enumerate(made.look("picture")["workers"]):
        assert row["worker"] == f"w{number}"
        assert row["rewards"] == rewards[number][-40:]
        assert row["seconds"] == 2.0 + number
        assert row["settled"] == len(agreed[number])
        assert row["agreement"] == pytest.approx(statistics.fmean(agreed[number]))


def agreement_by_hand(made: Busy) -> dict[int, list[float]]:
    """Return the exact F1 of every answer that counted against the final labels."""
    answers: dict[tuple[int, int], set[tuple[Any, ...]]] = {}
    scores: defaultdict[int, list[float]] = defaultdict(list)
    for event in made.events():
        body = event["body"]
        if event["kind"] == "Answered" and not body["surplus"]:
            answers[body["sentence"], body["worker"]] = {tuple(span) for span in body["spans"]}
        if event["kind"] == "Settled":
            final = {tuple(row[:3]) for row in body["labels"]}
            for worker, _ in body["rewards"]:
                said = answers[body["sentence"], worker]
                both = len(said) + len(final)
                scores[worker].append(2 * len(said & final) / both if both else 1.0)
    return scores


def test_a_fold_that_went_on_is_one_from_the_beginning(half: tuple[House, Busy, Any]) -> None:
    """Looking often changes nothing."""
    house, made, _ = half
    fresh = PictureFold()
    for version, entry in house.store.read(made.campaign):
        fresh.take(version, entry)
    kept = house.app.state.services.pictures
    assert house.client.portal is not None
    now = house.client.portal.call(kept.look, made.campaign, lambda fold: fold)

    assert now.version == fresh.version
    assert now.labels == fresh.labels
    assert now.progress.points == fresh.progress.points
    assert {k: list(w.rewards) for k, w in now.workers.items()} == {
        k: list(w.rewards) for k, w in fresh.workers.items()
    }


def test_a_journal_that_was_taken_back_is_read_again(house: House, admin: Visitor) -> None:
    """After an older backup was put back, nothing of the newer journal is left."""
    campaign = create(admin, house.path.parent)
    kept = Folds(house.store, "picture", lambda _: PictureFold())
    assert house.client.portal is not None
    fold = house.client.portal.call(kept.look, campaign, lambda found: found)
    fold.version = 99

    again = house.client.portal.call(kept.look, campaign, lambda found: found)

    assert again is not fold
    assert again.version == house.store.version(campaign)


def test_a_draft_has_a_picture_too(house: House, admin: Visitor) -> None:
    """There is one point, and nothing on it."""
    campaign = create(admin, house.path.parent)
    found = admin.ok("GET", f"/campaigns/{campaign}/picture")

    assert [point["by_crowd"] for point in found["progress"]] == [0]
    assert found["workers"] == []
    assert admin.call("GET", "/campaigns/nosuch/picture").status_code == 404


def test_a_line_of_any_length_has_few_points() -> None:
    """Ten thousand moves leave some hundred points, the first and the last exact."""
    line = ProgressLine()
    line.begin(0.0)
    for k in range(10_000):
        line.settle(float(k), "crowd")
        line.pay(float(k), 0.1, answers=2)

    assert len(line.points) <= 401
    assert line.points[0].by_crowd == 0
    assert line.points[-1] == (9999.0, 10_000, 0, 1000.0, 20_000)
    assert all(point.by_crowd in {point.at, point.at + 1} for point in line.points)


@pytest.mark.parametrize(
    ("rewards", "trend"),
    [
        ([0.5] * 9, None),
        ([0.5] * 20, "steady"),
        ([0.2] * 10 + [0.9] * 10, "rising"),
        ([1.0, 0.9] * 10 + [0.4, 0.2] * 10, "falling"),
        ([0.0, 1.0] * 20, "steady"),
    ],
)
def test_a_trend_is_told_where_it_is_clear(rewards: list[float], trend: str | None) -> None:
    """Few rewards tell nothing, noise is no trend."""
    worker = WorkerPicture()
    worker.rewards.extend(rewards)

    assert worker.trend == trend


def test_events_of_no_interest_are_not_even_read() -> None:
    """A kind that the picture does not show may have any body."""
    picture = PictureFold()
    picture.take(5, Entry("Claimed", 1.0, "no JSON at all"))

    assert picture.version == 5
