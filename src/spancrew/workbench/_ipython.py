"""Draw bare data sets in a notebook, too."""

import sys

from spancrew.core import Dataset
from spancrew.workbench._drawn import drawn_dataset


def draw_datasets() -> bool:
    """Let IPython draw a :class:`Dataset` with its spans in colour; tell whether it runs.

    The room ``core`` draws nothing, so IPython is told how to. Called on import.
    """
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is None:
        return False
    shell.display_formatter.formatters["text/html"].for_type(Dataset, drawn_dataset)
    return True
