"""Scripts and styles of the pages: read once, named by their contents, kept for good."""

import gzip
import hashlib
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from fastapi import APIRouter, Request, Response

from spancrew.server._refusals import not_found

PAGES = Path(__file__).parent / "pages"
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_FOR_GOOD = "public, max-age=31536000, immutable"
_NAME = re.compile(r"[a-z0-9-]{1,60}\.(css|js|svg)")

router = APIRouter(include_in_schema=False)


class Asset(NamedTuple):
    """A file as it is sent, plain and packed."""

    media_type: str
    plain: bytes
    packed: bytes


@cache
def assets() -> dict[str, Asset]:
    """Return all files by name."""
    files = sorted(p for p in (PAGES / "assets").iterdir() if p.suffix in _TYPES)
    return {path.name: _asset(path) for path in files}


@cache
def edition() -> str:
    """Return a name for the contents of all files: it changes when one of them does."""
    digest = hashlib.sha256()
    for name, asset in assets().items():
        digest.update(name.encode() + b"\0" + asset.plain)
    return digest.hexdigest()[:12]


@router.get("/assets/{made}/{name}")
async def asset(made: str, name: str, request: Request) -> Response:
    """Return a file; an edition that is gone gets today's file, which is not kept."""
    found = assets().get(name) if _NAME.fullmatch(name) else None
    if found is None:
        raise not_found("file")
    headers = {
        "Cache-Control": _FOR_GOOD if made == edition() else "no-cache",
        "Vary": "Accept-Encoding",
    }
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        return Response(found.packed, headers=headers, media_type=found.media_type)
    return Response(found.plain, headers=headers, media_type=found.media_type)


def _asset(path: Path) -> Asset:
    plain = path.read_bytes()
    return Asset(_TYPES[path.suffix], plain, gzip.compress(plain, mtime=0))
