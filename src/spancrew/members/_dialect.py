"""How a server wants to be asked: each understands a little less or something else."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from spancrew.members._endpoint import RefusedRequestError
from spancrew.members._prompt import schema

_REFUSED = frozenset({400, 415, 422})
_LIMIT, _OTHER_LIMIT = "max_tokens", "max_completion_tokens"
_LESS: dict[str, Literal["json_object", "none"]] = {
    "json_schema": "json_object",
    "json_object": "none",
}


@dataclass(frozen=True, slots=True)
class Dialect:
    """The format of replies that is asked for, the name of the limit, and what is left out."""

    format: Literal["json_schema", "json_object", "none"] = "json_schema"
    limit: str = _LIMIT
    left_out: frozenset[str] = frozenset()

    def body(self, body: dict[str, Any], labels: Sequence[str]) -> dict[str, Any]:
        """Return a request as the server wants it."""
        names = {_LIMIT: self.limit}
        made = {names.get(k, k): v for k, v in body.items() if k not in self.left_out}
        if self.format == "none":
            return made
        asked: dict[str, Any] = {"type": self.format}
        if self.format == "json_schema":
            asked["json_schema"] = {"name": "spans", "strict": True, "schema": schema(labels)}
        return {**made, "response_format": asked}

    def after(self, error: RefusedRequestError) -> "Dialect | None":
        """Return what to try after a refusal: what it names, else less format; None at the end."""
        if error.status not in _REFUSED:
            return None
        if _OTHER_LIMIT in str(error) and self.limit == _LIMIT:
            return replace(self, limit=_OTHER_LIMIT)
        for name in ("temperature", "seed"):
            if f"'{name}'" in str(error) and name not in self.left_out:
                return replace(self, left_out=self.left_out | {name})
        return replace(self, format=_LESS[self.format]) if self.format in _LESS else None
