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
from spancrew.formats._registry import (
    BUNDLED,
    appearing,
    format_for,
    formats,
    read,
    recognise,
    write,
)
from spancrew.formats._table_frame import DataFrame, frame_of, is_frame, pandas_frame

__all__ = [
    "BUNDLED",
    "DataFrame",
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
    "frame_of",
    "is_frame",
    "pandas_frame",
    "read",
    "recognise",
    "write",
]
