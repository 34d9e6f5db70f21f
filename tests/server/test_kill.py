"""A server that is killed at any moment loses no answer that it has acknowledged.

One kill each, or two in a long run; `python -m tools.kills` goes on for longer.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.killing.checks import check_after_kill, check_in_the_end
from tests.killing.kills import kill_database, kill_server
from tests.killing.story import CHOICES, SPANS, Kill, Topic, story
from tests.postgres import Postgres, running_postgres
from tests.spread import often

KILLS = often(1, 2)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    """Run a PostgreSQL."""
    with running_postgres() as server:
        yield server


def killed(
    folder: Path, store: str | None, processes: int, kill: Kill, topic: Topic = SPANS
) -> None:
    """Kill and check, for one story."""
    dice = Random(processes)  # noqa: S311  no secret
    with story(
        folder, store=store, processes=processes, kills=KILLS, dice=dice, topic=topic
    ) as made:
        made.run(kill, check_after_kill, dice)
        check_in_the_end(made)


def test_a_server_that_is_killed_loses_nothing(tmp_path: Path) -> None:
    """Nor do its backups and its webhooks, though the clock is set back and forth."""
    killed(tmp_path, None, 2, kill_server)


def test_no_choice_is_lost_with_postgresql(postgres: Postgres, tmp_path: Path) -> None:
    """Choices are answered, corrected and added as spans are."""
    killed(tmp_path, postgres.database(), 1, kill_server, CHOICES)


def test_nothing_is_lost_if_the_database_is_killed(postgres: Postgres, tmp_path: Path) -> None:
    """The server waits for it to come back."""
    killed(tmp_path, postgres.database(), 1, kill_database(postgres))
