"""The address of a campaign as the crowd platforms want it."""

from ipaddress import ip_address
from urllib.parse import urlsplit
from xml.sax.saxutils import escape

from spancrew.bridges._base import PlatformName

_FILLED_IN = ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")
_SCHEMA = (
    "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2006-07-14/"
    "ExternalQuestion.xsd"
)


def study_link(url: str) -> str:
    """Return the address for a study on Prolific, with what it fills in for each person.

    >>> study_link("https://label.example/join/k")[:53]
    'https://label.example/join/k?PROLIFIC_PID={{%PROLIFIC'
    """
    return f"{url}?{'&'.join(f'{name}={{{{%{name}%}}}}' for name in _FILLED_IN)}"


def external_question(url: str) -> str:
    """Return the question of a HIT on MTurk, which adds itself who comes.

    >>> "<ExternalURL>https://l.example/k</ExternalURL>" in external_question(
    ...     "https://l.example/k"
    ... )
    True
    """
    return (
        f'<ExternalQuestion xmlns="{_SCHEMA}"><ExternalURL>{escape(url)}</ExternalURL>'
        "<FrameHeight>0</FrameHeight></ExternalQuestion>"
    )


def completion_link(code: str) -> str:
    """Return where Prolific wants people to be sent at the end."""
    return f"https://app.prolific.com/submissions/complete?cc={code}"


def link_problem(url: str, platform: PlatformName) -> str | None:
    """Say why people from elsewhere cannot open an address; None if they can.

    >>> link_problem("https://label.example/join/k", "mturk") is None
    True
    """
    parts = urlsplit(url)
    if _is_here(parts.hostname or ""):
        return (
            f"{parts.hostname} is this machine or this network, where nobody else can come in: "
            "start the server with --public-url and the address that others see"
        )
    if platform == "mturk" and parts.scheme != "https":
        return "MTurk shows pages from https addresses only: put the server behind a proxy"
    return None


def _is_here(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return "." not in host
    return not address.is_global
