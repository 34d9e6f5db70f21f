"""What `spancrew doctor` looks at in a store: rights, disk, schema, pages, clock and backup."""

import os
import shutil
import stat
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from spancrew.cli._doctor_checks import DoctorFinding, DoctorVerdict, Patient
from spancrew.errors import SpancrewError

if TYPE_CHECKING:
    from spancrew.server import AlertLimits
    from spancrew.stores import SqlStore

_ALMOST_NOTHING = 0.2
"""Share of the limit for free space below which a server may stop at any moment."""
_SLOW, _WRONG = 5.0, 60.0
"""Seconds by which two clocks may differ."""


def examine_store(patient: Patient) -> Iterator[DoctorFinding]:
    """Open the store and look at it; nothing in it is changed."""
    from spancrew.stores import open_sql, path_of

    try:
        path = path_of(patient.address)
        if path is not None and not path.exists():
            yield _no_store(path)
            yield disk_space(path, patient.limits)
            return
        if path is not None:
            yield from file_rights(path)
            yield disk_space(path, patient.limits)
        with closing(open_sql(patient.address, upgrade=False)) as store:
            yield DoctorFinding("store", "ok", store.place)
            yield from _inside(store, patient)
    except SpancrewError as error:
        problem, _, remedy = str(error).partition("; ")
        yield DoctorFinding("store", "problem", problem, remedy)


def _no_store(path: Path) -> DoctorFinding:
    return DoctorFinding(
        "store",
        "warning",
        f"there is no store {path}",
        "'spancrew serve' makes one; or name another --folder or --store",
    )


def file_rights(path: Path) -> Iterator[DoctorFinding]:
    """See that only the owner can read what people have entered, and that we are the owner."""
    files = [each for end in ("", "-wal", "-shm") if (each := Path(f"{path}{end}")).exists()]
    for each in files:
        known = each.stat()
        if known.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            rights = stat.filemode(known.st_mode)
            yield DoctorFinding(
                "rights",
                "problem",
                f"others can read or write {each} ({rights})",
                f"chmod 600 {each}",
            )
            return
        if known.st_uid != os.geteuid():
            yield DoctorFinding(
                "rights",
                "warning",
                f"{each} belongs to user {known.st_uid}, not to you",
                "run the server and this command as that user",
            )
            return
    yield DoctorFinding("rights", "ok", "only you can read the store")


def disk_space(path: Path, limits: "AlertLimits") -> DoctorFinding:
    """See that there is room to write."""
    usage = shutil.disk_usage(path.absolute().parent)
    share = usage.free / usage.total
    found = f"{share:.0%} free ({usage.free / 1e9:,.1f} GB)"
    least = limits.disk[0]
    if share >= least or "disk" in limits.off:
        return DoctorFinding("disk", "ok", found)
    verdict: DoctorVerdict = "warning" if share >= _ALMOST_NOTHING * least else "problem"
    return DoctorFinding("disk", verdict, found, "make room, or nothing can be saved soon")


def _inside(store: "SqlStore", patient: Patient) -> Iterator[DoctorFinding]:
    from spancrew.stores import damages_of, last_backup, steps_of

    applied = steps_of(store.engine)
    yield schema_of(applied)
    if not applied:
        return
    if store.engine.dialect.name == "sqlite":
        yield pages_of(damages_of(store))
    newest, there = _times(store)
    yield clock(patient.now, newest, there)
    yield backup_age(last_backup(store.engine), newest, patient)


def _times(store: "SqlStore") -> tuple[float | None, float | None]:
    """Return when the newest event happened, and what the clock of PostgreSQL says."""
    from spancrew.stores import reading

    with reading(store.engine) as connection:
        newest = connection.exec_driver_sql("SELECT max(at) FROM journal").scalar()
        if store.engine.dialect.name != "postgresql":
            return newest, None
        query = "SELECT extract(epoch FROM clock_timestamp())"
        return newest, float(connection.exec_driver_sql(query).scalar() or 0.0)


def schema_of(applied: Collection[int]) -> DoctorFinding:
    """Compare the schema of a store with ours; one that is newer cannot be opened at all."""
    from spancrew.server import SCHEMA_STEPS

    lacking = [step.name for step in SCHEMA_STEPS if step.number not in applied]
    if not lacking:
        return DoctorFinding("schema", "ok", f"step {max(applied)}, as this spancrew has it")
    if not applied:
        found, remedy = "there are no tables yet", "'spancrew serve' makes them"
    else:
        found = f"made by an older spancrew; without {', '.join(lacking)}"
        remedy = "the server upgrades it when it is started; make a backup before"
    return DoctorFinding("schema", "warning", found, remedy)


def pages_of(damages: Sequence[str]) -> DoctorFinding:
    """Say what SQLite found when it looked at all pages."""
    if not damages:
        return DoctorFinding(
            "pages", "ok", "no damage found; 'spancrew store check' replays journals"
        )
    return DoctorFinding(
        "pages",
        "problem",
        damages[0],
        "stop the server, keep the file, and restore a backup with 'spancrew store restore'",
    )


def clock(now: float, newest: float | None, there: float | None) -> DoctorFinding:
    """Compare the clock with the newest event, and with the clock of the database."""
    behind = (newest or 0.0) - now
    apart = 0.0 if there is None else abs(there - now)
    remedy = "set the clock, and keep it right: timedatectl set-ntp true"
    if behind > _SLOW:
        found = f"{behind:,.0f} seconds behind the newest event of the store"
        return DoctorFinding("clock", "problem" if behind > _WRONG else "warning", found, remedy)
    if apart > _SLOW:
        found = f"{apart:,.0f} seconds apart from the clock of the database"
        return DoctorFinding("clock", "problem" if apart > _WRONG else "warning", found, remedy)
    return DoctorFinding("clock", "ok", "not behind the newest event of the store")


def backup_age(last: float | None, newest: float | None, patient: Patient) -> DoctorFinding:
    """See that there is a backup of what the store holds, and that it is not too old."""
    remedy = "make one, every day: spancrew store backup FILE"
    if newest is None:
        return DoctorFinding("backup", "ok", "there is nothing to back up yet")
    limits, now = patient.limits, patient.now
    if "backup" in limits.off:
        return DoctorFinding("backup", "ok", "it is not watched (--alerts backup=off)")
    if last is None:
        return DoctorFinding("backup", "warning", "there was never one", remedy)
    found = f"the last one is {(now - last) / 3600:,.0f} hours old"
    if now - last < limits.backup_seconds or last >= newest:
        return DoctorFinding("backup", "ok", found)
    return DoctorFinding("backup", "warning", found, remedy)
