"""Ways to kill a server or its database."""

import os
import signal
from random import Random

from tests.killing.story import Kill, Story
from tests.postgres import Postgres
from tests.processes import kill
from tests.waiting import wait_until


def kill_server(story: Story, dice: Random) -> str:
    """Kill the server as a whole, or one of its processes."""
    ways = [_cut_power, _kill_first] + [_kill_one] * (story.processes > 1)
    way = dice.choice(ways)
    way(story, dice)
    return way.__name__.strip("_").replace("_", " ")


def _cut_power(story: Story, _dice: Random) -> None:
    """Kill all at the same moment: every process of the server, and a backup that runs."""
    kill(story.server.process)
    story.backups.kill()
    story.restart()


def _kill_first(story: Story, _dice: Random) -> None:
    """Kill the process that was started; others of it notice that, and end."""
    story.server.kill()
    story.restart()


def _kill_one(story: Story, dice: Random) -> None:
    """Kill a process that serves; the first one replaces it."""
    before = story.server.servers()
    os.kill(dice.choice(before), signal.SIGKILL)
    wait_until(lambda: set(story.server.servers()) - set(before), "no process was replaced")


def kill_database(postgres: Postgres) -> Kill:
    """Return how to kill a PostgreSQL; the server has to find its way back by itself."""

    def one(_story: Story, dice: Random) -> str:
        way = dice.choice(["backend", "immediate stop", "postmaster"])
        if way == "backend":
            postgres.kill_backend(dice)
        else:
            postgres.kill(signal.SIGKILL if way == "postmaster" else signal.SIGQUIT)
            postgres.recover()
        return way

    return one
