"""The checks of `spancrew doctor`: each looks at one thing and says what it found."""

import os
import re
import shutil
import sqlite3
import stat
import sys
from collections.abc import Collection, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from importlib import metadata
from ipaddress import ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

from spancrew.errors import SpancrewError

if TYPE_CHECKING:
    from spancrew.stores import SqlStore

Verdict = Literal["ok", "warning", "problem"]
_SHOWN = ("numpy", "numba", "sqlalchemy", "fastapi", "uvicorn", "pydantic", "psycopg")
_LITTLE, _TOO_LITTLE = 0.1, 0.02
"""Shares of a disk that are free."""
_OLD = 48 * 3600.0
"""Seconds after which a backup is too old."""
_SLOW, _WRONG = 5.0, 60.0
"""Seconds by which two clocks may differ."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check found, and what to do about it if it is not well."""

    check: str
    verdict: Verdict
    found: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Patient:
    """What is examined: a store, and how the server is started."""

    address: str
    host: str
    public_url: str | None
    proxies: tuple[str, ...]
    now: float


def examine(patient: Patient) -> Iterator[Checked]:
    """Yield the result of every check, whatever the others find."""
    yield python_version()
    packages = installed_packages()
    yield packages
    yield public_address(patient)
    yield from trusted_proxies(patient)
    if packages.verdict != "problem":
        yield from examine_store(patient)


def python_version() -> Checked:
    """Say which Python and which spancrew run."""
    version = ".".join(map(str, sys.version_info[:3]))
    return Checked(
        "python",
        "ok",
        f"Python {version}, spancrew {metadata.version('spancrew')}, "
        f"SQLite {sqlite3.sqlite_version}",
    )


def installed_packages() -> Checked:
    """Look for all packages that the server needs."""
    missing = [name for name in _needed() if _version(name) is None]
    if missing:
        return Checked(
            "packages",
            "problem",
            f"{', '.join(missing)} are not installed",
            "pip install 'spancrew[server]'",
        )
    return Checked("packages", "ok", ", ".join(f"{name} {_version(name)}" for name in _SHOWN))


def _needed() -> Iterator[str]:
    """Yield the packages that spancrew itself and its server need here."""
    for line in metadata.requires("spancrew") or ():
        name, _, condition = line.partition(";")
        is_ours = "extra ==" not in condition or re.search(r"extra == ['\"]server['\"]", condition)
        if is_ours and "platform" not in condition:
            yield re.split(r"[^\w.-]", name.strip())[0]


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def public_address(patient: Patient) -> Checked:
    """See that browsers reach the server in a way that keeps secrets."""
    url, is_local = patient.public_url, patient.host in {"127.0.0.1", "::1", "localhost"}
    if url is None:
        if is_local:
            return Checked("address", "ok", f"{patient.host}: this machine only")
        return Checked(
            "address",
            "warning",
            f"{patient.host} without a public address",
            "set --public-url https://... so that links and cookies are right",
        )
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        return Checked(
            "address", "problem", f"public URL {url!r}", "write it as https://crew.example"
        )
    if parts.scheme == "http" and parts.hostname not in {"127.0.0.1", "localhost"}:
        return Checked(
            "address",
            "warning",
            f"{url} is not encrypted",
            "put a proxy with TLS in front, and set --public-url to its https:// address",
        )
    return Checked("address", "ok", url)


def trusted_proxies(patient: Patient) -> Iterator[Checked]:
    """See that not everybody can claim to be a proxy."""
    everybody = [each for each in patient.proxies if _is_everybody(each)]
    if everybody:
        yield Checked(
            "proxies",
            "problem",
            f"{', '.join(everybody)} lets everybody claim any address",
            "name the addresses of your proxies with --proxy",
        )
    elif patient.proxies:
        yield Checked("proxies", "ok", ", ".join(patient.proxies))
    elif patient.public_url and patient.public_url.startswith("https://"):
        yield Checked(
            "proxies",
            "warning",
            "none is named, though the public address is encrypted",
            "name the address of your proxy with --proxy, or all limits are shared",
        )
    else:
        yield Checked("proxies", "ok", "none")


def _is_everybody(proxy: str) -> bool:
    try:
        return proxy == "*" or ip_network(proxy, strict=False).prefixlen == 0
    except ValueError:
        return False


def examine_store(patient: Patient) -> Iterator[Checked]:
    """Open the store and look at it; nothing in it is changed."""
    from spancrew.stores import open_sql, path_of

    try:
        path = path_of(patient.address)
        if path is not None and not path.exists():
            yield _no_store(path)
            yield disk_space(path)
            return
        if path is not None:
            yield from file_rights(path)
            yield disk_space(path)
        with closing(open_sql(patient.address, upgrade=False)) as store:
            yield Checked("store", "ok", store.place)
            yield from _inside(store, patient.now)
    except SpancrewError as error:
        problem, _, remedy = str(error).partition("; ")
        yield Checked("store", "problem", problem, remedy)


def _no_store(path: Path) -> Checked:
    return Checked(
        "store",
        "warning",
        f"there is no store {path}",
        "'spancrew serve' makes one; or name another --folder or --store",
    )


def file_rights(path: Path) -> Iterator[Checked]:
    """See that only the owner can read what people have entered, and that we are the owner."""
    files = [each for end in ("", "-wal", "-shm") if (each := Path(f"{path}{end}")).exists()]
    for each in files:
        known = each.stat()
        if known.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            rights = stat.filemode(known.st_mode)
            yield Checked(
                "rights",
                "problem",
                f"others can read or write {each} ({rights})",
                f"chmod 600 {each}",
            )
            return
        if known.st_uid != os.geteuid():
            yield Checked(
                "rights",
                "warning",
                f"{each} belongs to user {known.st_uid}, not to you",
                "run the server and this command as that user",
            )
            return
    yield Checked("rights", "ok", "only you can read the store")


def disk_space(path: Path) -> Checked:
    """See that there is room to write."""
    usage = shutil.disk_usage(path.absolute().parent)
    share = usage.free / usage.total
    found = f"{share:.0%} free ({usage.free / 1e9:,.1f} GB)"
    if share >= _LITTLE:
        return Checked("disk", "ok", found)
    verdict: Verdict = "warning" if share >= _TOO_LITTLE else "problem"
    return Checked("disk", verdict, found, "make room, or nothing can be saved soon")


def _inside(store: "SqlStore", now: float) -> Iterator[Checked]:
    from spancrew.stores import last_backup, reading

    with reading(store.engine) as connection:
        applied = set(connection.exec_driver_sql("SELECT version FROM schema").scalars())
        yield schema_of(applied)
        if not applied:
            return
        if store.engine.dialect.name == "sqlite":
            yield pages_of(connection.exec_driver_sql("PRAGMA quick_check(5)").scalars().all())
        newest = connection.exec_driver_sql("SELECT max(at) FROM journal").scalar()
        there = None
        if store.engine.dialect.name == "postgresql":
            query = "SELECT extract(epoch FROM clock_timestamp())"
            there = float(connection.exec_driver_sql(query).scalar() or 0.0)
    yield clock(now, newest, there)
    yield backup_age(last_backup(store.engine), newest, now)


def schema_of(applied: Collection[int]) -> Checked:
    """Compare the schema of a store with ours; one that is newer cannot be opened at all."""
    from spancrew.server import SCHEMA_STEPS

    lacking = [step.name for step in SCHEMA_STEPS if step.number not in applied]
    if not lacking:
        return Checked("schema", "ok", f"step {max(applied)}, as this spancrew has it")
    if not applied:
        found, remedy = "there are no tables yet", "'spancrew serve' makes them"
    else:
        found = f"made by an older spancrew; without {', '.join(lacking)}"
        remedy = "the server upgrades it when it is started; make a backup before"
    return Checked("schema", "warning", found, remedy)


def pages_of(said: Iterable[str]) -> Checked:
    """Say what SQLite found when it looked at all pages."""
    damages = [each for each in said if each != "ok"]
    if not damages:
        return Checked("pages", "ok", "no damage found; 'spancrew store check' looks closer")
    return Checked(
        "pages",
        "problem",
        damages[0],
        "stop the server, keep the file, and restore a backup with 'spancrew store restore'",
    )


def clock(now: float, newest: float | None, there: float | None) -> Checked:
    """Compare the clock with the newest event, and with the clock of the database."""
    behind = (newest or 0.0) - now
    apart = 0.0 if there is None else abs(there - now)
    remedy = "set the clock, and keep it right: timedatectl set-ntp true"
    if behind > _SLOW:
        found = f"{behind:,.0f} seconds behind the newest event of the store"
        return Checked("clock", "problem" if behind > _WRONG else "warning", found, remedy)
    if apart > _SLOW:
        found = f"{apart:,.0f} seconds apart from the clock of the database"
        return Checked("clock", "problem" if apart > _WRONG else "warning", found, remedy)
    return Checked("clock", "ok", "not behind the newest event of the store")


def backup_age(last: float | None, newest: float | None, now: float) -> Checked:
    """See that there is a backup of what the store holds, and that it is not too old."""
    remedy = "make one, every day: spancrew store backup FILE"
    if newest is None:
        return Checked("backup", "ok", "there is nothing to back up yet")
    if last is None:
        return Checked("backup", "warning", "there was never one", remedy)
    hours = (now - last) / 3600
    found = f"the last one is {hours:,.0f} hours old"
    if now - last <= _OLD or last >= newest:
        return Checked("backup", "ok", found)
    return Checked("backup", "warning", found, remedy)
