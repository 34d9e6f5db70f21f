"""Kill a server, or its PostgreSQL, many times under load, and check after each kill.

python -m tools.kills --store sqlite --processes 2 --kills 50
python -m tools.kills --store postgresql --victim database --kills 20

Workers and an expert answer, backups run one after the other, webhooks go to a receiver that
often fails, and the clock of the server is set back and forth. After each kill every confirmed
answer must be in the journal once, all journals must replay, the last backup must restore, and no
webhook may have skipped an event.
"""

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from tests.killing.checks import check_after_kill, check_in_the_end
from tests.killing.kills import kill_database, kill_server
from tests.killing.story import Kill, Story, story
from tests.postgres import running_postgres


def main() -> None:
    """Run one story and print what happened in it."""
    options = _options()
    dice = Random(options.seed)  # noqa: S311  no secret
    began = time.monotonic()
    with (
        tempfile.TemporaryDirectory(prefix="spancrew-kills-") as folder,
        _place(options.store, options.victim) as (store, kill),
        story(
            Path(folder),
            store=store,
            processes=options.processes,
            kills=options.kills,
            dice=dice,
        ) as made,
    ):
        made.run(kill, _and_say, dice)
        check_in_the_end(made)
        _report(made, time.monotonic() - began)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.kills", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--store", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--victim", choices=["server", "database"], default="server")
    parser.add_argument("--processes", type=int, default=1, help="of the server")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if options.victim == "database" and options.store == "sqlite":
        parser.error("SQLite has no process of its own: add --store postgresql")
    return options


@contextmanager
def _place(store: str, victim: str) -> Iterator[tuple[str | None, Kill]]:
    """Yield the address of an empty store, and how to kill."""
    if store == "sqlite":
        yield None, kill_server
        return
    with running_postgres() as server:
        yield server.database(), kill_server if victim == "server" else kill_database(server)


def _and_say(made: Story) -> None:
    check_after_kill(made)
    answers, backups = len(made.confirmed()), made.backups.finished
    print(
        f"kill {len(made.kills):3}: {made.kills[-1]:15} {answers:6} answers confirmed, "
        f"{backups} backups finished: all there",
        flush=True,
    )


def _report(made: Story, seconds: float) -> None:
    """Print the counts of a story that ended well."""
    receiver = made.receiver
    ways = ", ".join(f"{count} {way}" for way, count in sorted(Counter(made.kills).items()))
    arrived = sum(len(set(each)) for each in receiver.versions.values())
    print(
        f"\n{len(made.kills)} kills ({ways}) in {seconds:.0f} s, nothing lost\n"
        f"{len(made.crowd.answered)} answers and {len(made.crowd.decided)} decisions confirmed, "
        f"{made.sentences} sentences settled\n"
        f"{made.backups.finished} backups finished, {made.backups.failed} were cut off\n"
        f"{made.clock.jumps} jumps of the clock\n"
        f"{arrived} events delivered, {receiver.repeated} of them more than once, "
        f"{receiver.refused} deliveries failed"
    )


if __name__ == "__main__":
    main()
