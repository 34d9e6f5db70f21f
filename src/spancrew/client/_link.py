"""Links that let somebody in: the address of a server and a secret."""

from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

from spancrew.errors import SpancrewError


class Link(NamedTuple):
    """Where to go, and what to show there."""

    url: str
    secret: str

    @classmethod
    def of(cls, text: str) -> "Link":
        """Take a link apart.

        >>> Link.of("http://127.0.0.1:8000/enter#abc")
        Link(url='http://127.0.0.1:8000', secret='abc')
        """
        parts = urlsplit(text.strip())
        said = parse_qs(parts.query).get("token", [])
        secret = parts.fragment or (said[0] if said else parts.path.rpartition("/")[2])
        if parts.scheme not in {"http", "https"} or not parts.netloc or not secret:
            raise SpancrewError(
                f"{text!r} is no link of a spancrew server: copy all of it, from http to the end"
            )
        return cls(f"{parts.scheme}://{parts.netloc}", secret)
