"""What a service says over HTTP: JSON, or why it refuses."""

from typing import Any

_LONGEST = 300


def json_of(reply: Any) -> Any:
    """Return the JSON of a reply; None if it has none."""
    try:
        return reply.json()
    except ValueError:
        return None


def reason_of(reply: Any) -> str:
    """Return why a request was refused, as far as it is said."""
    found = json_of(reply)
    error = found.get("error", found) if isinstance(found, dict) else found
    detail = error.get("detail", error) if isinstance(error, dict) else error
    return str(detail or "without a reason")[:_LONGEST]
