"""Policies by name."""

from collections.abc import Mapping
from typing import Any

from spancrew.core import from_spec, registered, spec_of
from spancrew.policies._base import Policy

_GROUP, _KIND = "spancrew.policies", "policy"


def policies() -> dict[str, type[Policy]]:
    """Return the class of every installed policy by name."""
    return dict(registered(_GROUP))


def policy(spec: str | Mapping[str, Any]) -> Policy:
    """Return the policy that a text or a mapping describes.

    >>> policy("cucb:scale=0.2") == policy({"policy": "cucb", "scale": 0.2})
    True
    """
    return from_spec(spec, _KIND, policies())


def policy_name(policy: Policy) -> str:
    """Return the text that describes a policy, without options that are at their default.

    >>> from spancrew.policies import Cucb
    >>> policy_name(Cucb(scale=0.2)), policy_name(Cucb())
    ('cucb:scale=0.2', 'cucb')
    """
    return spec_of(policy, policies())
