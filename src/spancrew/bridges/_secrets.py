"""What a service is called with: a secret of the environment, and whom to trust."""

import os
from functools import cache
from typing import Any

from spancrew.bridges._packages import needed
from spancrew.errors import SpancrewError


def secret(variable: str, remedy: str, refusal: type[SpancrewError]) -> str:
    """Return the value of an environment variable; refuse what cannot be a token."""
    token = os.environ.get(variable, "").strip()
    if not token:
        raise refusal(f"the environment variable {variable} is not set: {remedy}")
    if not (token.isascii() and token.isprintable()) or " " in token:
        raise refusal(f"{variable} has characters that no token has: copy it again")
    return token


@cache
def certificates() -> Any:
    """Return whom to trust; reading it takes a tenth of a second."""
    return needed("httpx", "server").create_ssl_context()
