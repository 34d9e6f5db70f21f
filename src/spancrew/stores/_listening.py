"""Which journals change, whoever changes them: heard of in a thread."""

import logging
from collections.abc import Callable
from threading import Event, Thread

from sqlalchemy import Engine

from spancrew.errors import StoreError
from spancrew.stores._transactions import database_of

_AGAIN = 1.0
"""Seconds after which a listener that lost the database tries again."""

_log = logging.getLogger("spancrew.stores")


class JournalListener:
    """Hears which journals of a database change, until it is stopped.

    PostgreSQL notifies; SQLite is asked every half second while ``is_wanted`` says so. Calls of
    ``heard`` come from a thread; None means that any journal may have changed. It never raises:
    while the database is away nothing is heard, and afterwards that anything may have changed.
    """

    def __init__(
        self,
        engine: Engine,
        heard: Callable[[str | None], None],
        is_wanted: Callable[[], bool] = lambda: True,
    ) -> None:
        self.over = Event()
        self.heard = heard
        self.is_wanted = is_wanted
        self._engine = engine
        self._thread = Thread(target=self._run, name="spancrew-listener", daemon=True)

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def stop(self) -> None:
        """Listen no longer, and wait for the thread."""
        self.over.set()
        self._thread.join()

    def _run(self) -> None:
        database = database_of(self._engine)
        while not self.over.is_set():
            try:
                database.listen(self._engine, self)
            except (StoreError, database.errors) as error:
                _log.warning("%s: not listening: %s", database.place, type(error).__name__)
                self.over.wait(_AGAIN)
