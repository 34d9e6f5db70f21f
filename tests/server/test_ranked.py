"""Workers in the order of a column, as the dashboard shows them."""

from pathlib import Path
from typing import Any

import pytest

from spancrew.campaign import WorkerStanding
from spancrew.server.api.ranked import ranked
from spancrew.server.live.picture import PictureFold
from spancrew.wire import Concern, WorkerColumn
from tests.server.conftest import Visitor, create, invite

_STATES = ("ready", "paused", "banned", "ready", "ready")
_MEANS = (0.5, None, 0.9, 0.5, 0.7)


def standing(number: int, **known: Any) -> WorkerStanding:
    """Return how a worker stands; the fourth is a model."""
    usual: dict[str, Any] = dict.fromkeys(WorkerStanding.__match_args__)
    usual |= {"worker": number, "state": _STATES[number], "mean": _MEANS[number]}
    usual |= {"answers": 10 - number, "earned": float(number % 2)}
    usual |= {"model": "tagger" if number == 4 else None}
    return WorkerStanding(**(usual | known))


@pytest.fixture
def fold() -> PictureFold:
    """Return a picture of five workers; the second has done nothing."""
    made = PictureFold()
    made.joined = 5
    for number, seconds in ((0, 4.0), (2, 9.0), (3, 1.0), (4, 0.1)):
        made.workers[number].seconds.append(seconds)
        made.workers[number].compare(number, 8)
    made.workers[0].rewards.extend([0.9] * 6 + [0.1] * 6)
    made.workers[2].rewards.extend([0.1] * 6 + [0.9] * 6)
    made.workers[3].rewards.extend([0.5] * 12)
    return made


@pytest.mark.parametrize(
    ("by", "up", "down"),
    [
        ("worker", [0, 1, 2, 3, 4], [3, 2, 1, 0, 4]),
        ("state", [2, 1, 0, 3, 4], [0, 3, 1, 2, 4]),
        ("score", [0, 3, 2, 1, 4], [2, 0, 3, 1, 4]),
        ("trend", [0, 3, 2, 1, 4], [2, 3, 0, 1, 4]),
        ("speed", [3, 0, 2, 1, 4], [2, 0, 3, 1, 4]),
        ("agreement", [0, 2, 3, 1, 4], [3, 2, 0, 1, 4]),
        ("answers", [3, 2, 1, 0, 4], [0, 1, 2, 3, 4]),
        ("earned", [0, 2, 1, 3, 4], [1, 3, 0, 2, 4]),
    ],
)
def test_workers_are_in_the_order_of_a_column(
    fold: PictureFold, by: WorkerColumn, up: list[int], down: list[int]
) -> None:
    """Equal ones as they came, unknown ones last, models below the people; both ways."""
    standings = [standing(number) for number in (4, 2, 0, 3, 1)]

    assert ranked(standings, fold, by, down=False) == up
    assert ranked(standings, fold, by, down=True) == down


def test_whoever_needs_a_look_comes_first(fold: PictureFold) -> None:
    """What matters most before the rest, and the others as they came."""
    concerns: dict[int, tuple[Concern, ...]] = {3: ("idle",), 2: ("weak", "idle"), 1: ("idle",)}
    standings = [standing(number) for number in (4, 2, 0, 3, 1)]

    assert ranked(standings, fold, "attention", down=False, concerns=concerns) == [2, 1, 3, 0, 4]


def test_whoever_joined_after_the_picture_was_made_is_left_out(fold: PictureFold) -> None:
    """Nothing is known of them yet; the next look has them."""
    fold.joined = 2

    assert ranked([standing(k) for k in range(5)], fold, "worker", down=False) == [0, 1]


def test_a_page_by_a_column_has_what_the_dashboard_shows(admin: Visitor, tmp_path: Path) -> None:
    """Some of all, with how they did lately, and the names of everybody; else neither."""
    campaign = create(admin, tmp_path)
    admin.ok("POST", f"/campaigns/{campaign}/start")
    for name in ("Ana", "Bo", "Cy"):
        invite(admin, campaign, name=name)
    here = f"/campaigns/{campaign}"
    found = admin.ok("GET", f"{here}/workers/page?by=worker&down=true&size=2")
    second = admin.ok("GET", f"{here}/workers/page?by=worker&down=true&size=2&page=1")
    plain = admin.ok("GET", f"{here}/workers/page")
    picture = admin.ok("GET", f"{here}/picture")
    lean = admin.ok("GET", f"{here}/picture?workers=false")

    assert [each["person"]["name"] for each in found["workers"]] == ["Cy", "Bo"]
    assert [each["lately"] for each in found["workers"]] == picture["workers"][:0:-1]
    assert (found["total"], found["size"]) == (3, 2)
    assert found["names"] == {"w0": "Ana", "w1": "Bo", "w2": "Cy"}
    assert [each["person"]["name"] for each in second["workers"]] == ["Ana"]
    assert (plain["names"], plain["size"]) == ({}, 50)
    assert {each["lately"] for each in plain["workers"]} == {None}
    assert lean == picture | {"workers": []}
