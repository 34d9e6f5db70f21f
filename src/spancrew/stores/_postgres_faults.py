"""What can be wrong with PostgreSQL, and what to do about it."""

_BY_STATE = {
    "42501": "this user lacks rights in the database; grant CREATE on its schema",
    "53100": "the disk of the database is full; make room, and the work goes on",
    "53300": "the database has no connection left; allow more, or start fewer processes",
    "55P03": "another process has been writing for too long; try again soon",
    "25006": "the database may only be read; is this a replica?",
}
_BY_WORDS = {
    # Before a connection stands there are words only, no states.
    "password authentication failed": "the password is wrong; correct the address of the store",
    "no password supplied": "a password is needed; put it into the address of the store, or into "
    "PGPASSWORD",
    "does not exist": "there is no such database or user; create it, or correct the address",
    "too many clients": _BY_STATE["53300"],
    "lock timeout": _BY_STATE["55P03"],
    "No space left": _BY_STATE["53100"],
}
_AWAY = {"57P01", "57P02", "57P03", "08000", "08003", "08006", None}


def explained(place: str, error: BaseException) -> str:
    """Return the place, the cause and the remedy of an error of PostgreSQL."""
    state: str | None = getattr(error, "sqlstate", None)
    said = str(error).strip().partition("\n")[0]
    cause = _BY_STATE.get(state or "") or _by_words(str(error), state)
    if cause is not None:
        return f"{place}: {cause} ({said})"
    if state in _AWAY:
        return f"{place} cannot be reached now; once it is back, the work goes on ({said})"
    return f"{place}: {said}"


def _by_words(said: str, state: str | None) -> str | None:
    if state is not None:
        return None
    return next((cause for words, cause in _BY_WORDS.items() if words in said), None)
