"""What browsers may do with our answers: nothing with data, little with pages."""

_FRAMED = "frame-ancestors https:"
_NEVER_FRAMED = "frame-ancestors 'none'"

API_CSP = f"default-src 'none'; {_NEVER_FRAMED}; base-uri 'none'; form-action 'none'"
PAGE_CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; "
    f"{_NEVER_FRAMED}"
)
MTURK_CSP = PAGE_CSP.replace("form-action 'self'", "form-action https://*.mturk.com").replace(
    _NEVER_FRAMED, f"{_FRAMED}//*.mturk.com"
)
"""For the one page that MTurk shows within its own, and that hands a code back to it."""


def may_be_framed(policy: str) -> bool:
    """Tell whether a policy lets somebody show a page within their own.

    >>> may_be_framed(MTURK_CSP), may_be_framed(PAGE_CSP), may_be_framed(API_CSP)
    (True, False, False)
    """
    return _FRAMED in policy
