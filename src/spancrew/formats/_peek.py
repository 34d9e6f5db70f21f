"""Look at the beginning of a JSON file without parsing the whole."""

import re

_PART = re.compile(r'"((?:[^"\\]|\\.)*)"\s*(:?)|[{}\[\]]', re.DOTALL)


def first_fields(head: str) -> frozenset[str]:
    """Return the field names of the first object, as far as the head shows them.

    >>> sorted(first_fields('[{"id": 1, "data": {"text": "a }"}, "annot'))
    ['data', 'id']
    """
    depth = 0
    fields = set()
    for part in _PART.finditer(head, max(head.find("{"), 0)):
        if part[1] is not None:
            if depth == 1 and part[2]:
                fields.add(part[1])
        elif part[0] in "{[":
            depth += 1
        else:
            depth -= 1
            if depth <= 0:
                break
    return frozenset(fields)
