"""One-time codes of an authenticator app: RFC 6238, six digits, a new one every 30 seconds."""

import base64
import hashlib
import hmac
import secrets
from urllib.parse import quote

_SECONDS, _DIGITS = 30, 6
_SLACK = 1
"""Steps by which a clock may be wrong."""


def new_secret() -> str:
    """Return a secret to share with an app, in base 32."""
    return base64.b32encode(secrets.token_bytes(20)).decode()


def app_url(secret: str, account: str) -> str:
    """Return the address by which an app takes over a secret.

    >>> app_url("GEZDGNBV", "ada")
    'otpauth://totp/spancrew:ada?secret=GEZDGNBV&issuer=spancrew'
    """
    return f"otpauth://totp/spancrew:{quote(account)}?secret={secret}&issuer=spancrew"


def code_at(secret: str, step: int) -> str:
    """Return the code of a step of time.

    >>> code_at("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", 1111111109 // 30)  # RFC 6238, appendix B
    '081804'
    """
    digest = hmac.digest(base64.b32decode(secret), step.to_bytes(8, "big"), hashlib.sha1)
    offset = digest[-1] & 15
    number = int.from_bytes(digest[offset : offset + 4], "big") & 0x7FFF_FFFF
    return f"{number % 10**_DIGITS:0{_DIGITS}}"


def step_of(secret: str, code: str, now: float) -> int | None:
    """Return the step of time that a code is of; None if it is of none that is near."""
    here = int(now // _SECONDS)
    for step in range(here - _SLACK, here + _SLACK + 1):
        if hmac.compare_digest(code_at(secret, step).encode(), code.encode("utf-8", "replace")):
            return step
    return None
