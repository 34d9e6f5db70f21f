"""A process whose store gets into trouble: ``python -m tests.stores.troubled TROUBLE PATH``.

It prints what the store says, then that it goes on once the trouble is over.
"""

import os
import resource
import sys
from collections.abc import Callable
from pathlib import Path

from spancrew.campaign import Entry
from spancrew.errors import StoreError
from spancrew.stores import Derived, EventStore, open_store

NOBODY = 65_534
ENTRY = Entry("Judged", 1.0, '{"text":"' + "x" * 2_000 + '"}')


def full_disk(path: Path) -> Callable[[], None]:
    """Let no file grow beyond what the store has now and a little more."""
    most = path.with_name(f"{path.name}-wal").stat().st_size + 100_000
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))
    return lambda: resource.setrlimit(
        resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    )


def gone_file(path: Path) -> Callable[[], None]:
    """Move the file away, as if its disk had gone."""
    away = path.with_name("away.db")
    path.rename(away)

    def back() -> None:
        away.rename(path)

    return back


TROUBLES = {"full": full_disk, "gone": gone_file}


def say(words: str) -> None:
    """Print a line."""
    sys.stdout.write(f"{words}\n")


def attempt(store: EventStore, count: int) -> int:
    """Append one by one until it fails; return how many were safe."""
    for number in range(count):
        try:
            store.append("a", [ENTRY], expected_version=store.version("a"))
        except StoreError as error:
            say(str(error))
            return number
    return count


def go_through(trouble: str, path: Path) -> None:
    """Write, get into trouble, get out of it, write."""
    store = open_store(path)
    safe = attempt(store, 3)
    over = TROUBLES[trouble](path)
    safe += attempt(store, 1_000)
    try:
        store.keep("a", "snapshot", Derived(1, bytes(10_000_000)))
    except StoreError as error:
        say(str(error))
    over()
    say(f"{safe} safe, {store.version('a')} there")
    say(f"{attempt(store, 5)} more")
    store.close()


def read_only(path: Path) -> None:
    """Open a store that may only be read; as nobody, if this is the superuser."""
    open_store(path).close()
    os.chmod(path, 0o444)  # noqa: PTH101  Path.chmod is imported late
    os.chmod(path.parent, 0o555)  # noqa: PTH101, S103
    if os.geteuid() == 0:
        os.setuid(NOBODY)
    for address in (path, path.parent / "new.db"):
        try:
            open_store(address)
        except StoreError as error:
            say(str(error))


if __name__ == "__main__":
    if sys.argv[1] == "read-only":
        read_only(Path(sys.argv[2]))
    else:
        go_through(sys.argv[1], Path(sys.argv[2]))
