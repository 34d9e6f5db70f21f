"""Data sets in files: one ``read`` that recognises what it is given, one ``write``.

May import core, metrics and everything of the domain.
"""

from spancrew.formats._base import (
    Discontinuous,
    Format,
    Overlaps,
    Progress,
    Reading,
    ReadOptions,
    Repair,
    Split,
)
from spancrew.formats._label_studio_regions import label_studio_regions, label_studio_spans
from spancrew.formats._registry import (
    BUNDLED,
    appearing,
    format_for,
    formats,
    read,
    recognise,
    write,
)

__all__ = [
    "BUNDLED",
    "Discontinuous",
    "Format",
    "Overlaps",
    "Progress",
    "ReadOptions",
    "Reading",
    "Repair",
    "Split",
    "appearing",
    "format_for",
    "formats",
    "label_studio_regions",
    "label_studio_spans",
    "read",
    "recognise",
    "write",
]
