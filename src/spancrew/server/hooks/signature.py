"""Signatures by which a receiver knows that a delivery is ours and new."""

import hashlib
import hmac

TIMESTAMP = "X-Spancrew-Timestamp"
SIGNATURE = "X-Spancrew-Signature"


def signature(secret: str, timestamp: str, body: bytes) -> str:
    """Return the HMAC-SHA256 over the timestamp, a dot and the body, in hex.

    >>> signature("secret", "1700000000", b"{}")[:16]
    'b8569b78799ff9e3'
    """
    signed = timestamp.encode("ascii") + b"." + body
    return hmac.new(secret.encode("utf-8"), signed, hashlib.sha256).hexdigest()


def headers_of(secret: str, now: float, body: bytes) -> dict[str, str]:
    """Return the headers of a delivery."""
    timestamp = str(int(now))
    return {TIMESTAMP: timestamp, SIGNATURE: f"sha256={signature(secret, timestamp, body)}"}
