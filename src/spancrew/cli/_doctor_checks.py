"""What `spancrew doctor` looks at outside the store: packages and addresses."""

import re
import sqlite3
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from ipaddress import ip_network
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from spancrew.server import AlertLimits

DoctorVerdict = Literal["ok", "warning", "problem"]
_SHOWN = ("numpy", "numba", "sqlalchemy", "fastapi", "uvicorn", "pydantic", "psycopg")


@dataclass(frozen=True, slots=True)
class DoctorFinding:
    """What a check found, and what to do about it if it is not well."""

    check: str
    verdict: DoctorVerdict
    found: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Patient:
    """What is examined: a store, and how the server is started."""

    address: str
    host: str
    public_url: str | None
    proxies: tuple[str, ...]
    limits: "AlertLimits"
    now: float


def python_version() -> DoctorFinding:
    """Say which Python and which spancrew run."""
    version = ".".join(map(str, sys.version_info[:3]))
    return DoctorFinding(
        "python",
        "ok",
        f"Python {version}, spancrew {metadata.version('spancrew')}, "
        f"SQLite {sqlite3.sqlite_version}",
    )


def installed_packages() -> DoctorFinding:
    """Look for all packages that the server needs."""
    missing = [name for name in _needed() if _version(name) is None]
    if missing:
        return DoctorFinding(
            "packages",
            "problem",
            f"{', '.join(missing)} are not installed",
            "pip install 'spancrew[server]'",
        )
    return DoctorFinding(
        "packages", "ok", ", ".join(f"{name} {_version(name)}" for name in _SHOWN)
    )


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


def public_address(patient: Patient) -> DoctorFinding:
    """See that browsers reach the server in a way that keeps secrets."""
    url, is_local = patient.public_url, patient.host in {"127.0.0.1", "::1", "localhost"}
    if url is None:
        if is_local:
            return DoctorFinding("address", "ok", f"{patient.host}: this machine only")
        return DoctorFinding(
            "address",
            "warning",
            f"{patient.host} without a public address",
            "set --public-url https://... so that links and cookies are right",
        )
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        return DoctorFinding(
            "address", "problem", f"public URL {url!r}", "write it as https://crew.example"
        )
    if parts.scheme == "http" and parts.hostname not in {"127.0.0.1", "localhost"}:
        return DoctorFinding(
            "address",
            "warning",
            f"{url} is not encrypted",
            "put a proxy with TLS in front, and set --public-url to its https:// address",
        )
    return DoctorFinding("address", "ok", url)


def trusted_proxies(patient: Patient) -> Iterator[DoctorFinding]:
    """See that not everybody can claim to be a proxy."""
    everybody = [each for each in patient.proxies if _is_everybody(each)]
    if everybody:
        yield DoctorFinding(
            "proxies",
            "problem",
            f"{', '.join(everybody)} lets everybody claim any address",
            "name the addresses of your proxies with --proxy",
        )
    elif patient.proxies:
        yield DoctorFinding("proxies", "ok", ", ".join(patient.proxies))
    elif patient.public_url and patient.public_url.startswith("https://"):
        yield DoctorFinding(
            "proxies",
            "warning",
            "none is named, though the public address is encrypted",
            "name the address of your proxy with --proxy, or all limits are shared",
        )
    else:
        yield DoctorFinding("proxies", "ok", "none")


def _is_everybody(proxy: str) -> bool:
    try:
        return proxy == "*" or ip_network(proxy, strict=False).prefixlen == 0
    except ValueError:
        return False
