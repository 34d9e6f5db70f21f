"""Make docstrings fit for Markdown: examples become code blocks, references code type."""  # noqa: INP001

import re
from typing import Any

from griffe import Extension, Object

_EXAMPLE = re.compile(r"^>>> .*(?:\n.+)*", re.MULTILINE)
_REFERENCE = re.compile(r":(?:class|func|meth):`([^`]+)`")


class Docstrings(Extension):
    """Rewrites the docstring of every object before it is rendered."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Put a fence around each example and take the roles off references."""
        if obj.docstring is not None:
            fenced = _EXAMPLE.sub(r"```pycon\n\g<0>\n```", obj.docstring.value)
            obj.docstring.value = _REFERENCE.sub(r"`\1`", fenced)
