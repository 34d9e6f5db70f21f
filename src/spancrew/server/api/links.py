"""Addresses that are given to people."""

from fastapi import Request

from spancrew.server.settings import ServerSettings


def link_url(base: str, secret: str) -> str:
    """Return the address of a link; the secret stands where browsers send it to nobody.

    >>> link_url("https://crew.example/", "s3cret")
    'https://crew.example/enter#s3cret'
    """
    return f"{base.rstrip('/')}/enter#{secret}"


def entry_url(base: str, key: str) -> str:
    """Return the address for the workers of a crowd platform, which adds who they are."""
    return f"{base.rstrip('/')}/join/{key}"


def base_of(request: Request, settings: ServerSettings) -> str:
    """Return the address that browsers use."""
    return settings.public_url or str(request.base_url)
