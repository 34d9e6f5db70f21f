"""Addresses that events may be sent to: not into the network of the server."""

import asyncio
import ipaddress
import socket
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from spancrew.server.api.form_fields import checked_url
from spancrew.server.refusals import invalid

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class Target(NamedTuple):
    """Where a delivery goes: ``url`` with the address that was checked, and the name asked for."""

    url: str
    host: str
    name: str


def checked_hook(url: str, *, private: bool) -> str:
    """Return an address for webhooks; https only, but http to this machine itself."""
    checked_url(url, "url")
    parts = urlsplit(url)
    if parts.fragment:
        raise invalid("url: an address without # is expected")
    if private or parts.scheme == "https" or is_loopback(parts.hostname or ""):
        return url
    raise invalid("url: events go over https only", "use an address that begins with https://")


async def target_of(url: str, *, private: bool) -> Target:
    """Look a name up and return where to connect; refuse private addresses with an OSError.

    The connection goes to the address that was checked, so that a name that means something else a
    moment later leads nowhere.
    """
    parts = urlsplit(url)
    name = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    found = await asyncio.get_running_loop().getaddrinfo(name, port, type=socket.SOCK_STREAM)
    addresses = [ipaddress.ip_address(str(each[4][0]).partition("%")[0]) for each in found]
    if not private and not is_loopback(name):
        bad = [str(address) for address in addresses if not _is_public(address)]
        if bad:
            raise OSError(f"{name} is {bad[0]}, an address of a private network")
    return Target(_with_host(parts, addresses[0], port), parts.netloc, name)


def is_loopback(name: str) -> bool:
    """Tell whether a name means this machine by its own words, not by what some server says."""
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def _is_public(address: Address) -> bool:
    inner = getattr(address, "ipv4_mapped", None) or address
    return bool(inner.is_global) and not inner.is_multicast


def _with_host(parts: SplitResult, address: Address, port: int) -> str:
    host = f"[{address}]" if address.version == 6 else str(address)
    return parts._replace(netloc=f"{host}:{port}").geturl()
