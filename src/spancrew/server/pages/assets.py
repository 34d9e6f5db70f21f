"""Scripts and styles of the pages: read once, named by their contents, kept for good."""

import gzip
import hashlib
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from fastapi import APIRouter, Request, Response

from spancrew.server.api.content_policy import PAGE_CSP
from spancrew.server.refusals import not_found

PAGES = Path(__file__).parent
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_COMMENT = re.compile(r"^[ \t]*/\*(?:(?!\*/).)*\*/[ \t]*$", re.MULTILINE | re.DOTALL)
_SPACE_IN_CSS = re.compile(r"\s*([{};,])\s*|(?<=:) +")
_FOR_GOOD = "public, max-age=31536000, immutable"
_IMPORT = re.compile(r'from "\./([a-z0-9-]+\.js)"')
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
def modules(page: str) -> tuple[str, ...]:
    """Return all modules that a page needs, so that a browser asks for them at once.

    Those that every page and this page begin with stand first.
    """
    found: dict[str, None] = {}
    left = ["base.js", f"{page}.js"]
    while left:
        name = left.pop(0)
        if name not in found and name in assets():
            found[name] = None
            left += _IMPORT.findall(assets()[name].plain.decode())
    return tuple(found)


@cache
def edition() -> str:
    """Return a name for the contents of all files: it changes when one of them does."""
    digest = hashlib.sha256()
    for name, asset in assets().items():
        digest.update(name.encode() + b"\0" + asset.plain)
    return digest.hexdigest()[:8]


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


@router.get("/offline-worker.js")
async def offline_worker() -> Response:
    """Return the script that keeps the page of a worker: from here it may serve that page."""
    headers = {"Cache-Control": "no-cache", "Content-Security-Policy": PAGE_CSP}
    found = assets()["offline-worker.js"]
    return Response(found.plain, headers=headers, media_type=found.media_type)


def lean(text: str) -> str:
    r"""Return a script or a style without its comments and indents, a fifth of its weight.

    Only whole lines of comment go; no text of ours spans lines.

    >>> lean("// Why.\n\nif (a) {\n  b(); // at once\n}\n")
    'if (a) {\nb(); // at once\n}\n'
    """
    lines = (line.strip() for line in _COMMENT.sub("", text).splitlines())
    return "".join(f"{line}\n" for line in lines if line and not line.startswith("//"))


def leaner(style: str) -> str:
    r"""Return a lean style without the spaces that only people need.

    Texts in a style have none of these signs, and no selector has a space after a colon.

    >>> leaner(".a, .b { color: red; margin: 0 auto }\n.c { content: ' ?'; }\n")
    ".a,.b{color:red;margin:0 auto}.c{content:' ?';}"
    """
    return _SPACE_IN_CSS.sub(r"\1", style)


def _asset(path: Path) -> Asset:
    text = lean(path.read_text("utf-8"))
    plain = (leaner(text) if path.suffix == ".css" else text).encode()
    return Asset(_TYPES[path.suffix], plain, gzip.compress(plain, mtime=0))
