"""The notebook of the documentation runs from top to bottom, and says what it said before.

After a change on purpose, ``python -m tests.test_notebook`` runs it and keeps the new outputs.
"""

import re
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

from tests.conftest import ROOT

NOTEBOOK = ROOT / "docs" / "tutorial" / "notebook.ipynb"
_OURS = re.compile(r"^[A-Z]\w+\(")


def run(folder: Path) -> Any:
    """Return the notebook with the outputs of a run in a folder."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)  # type: ignore[no-untyped-call]
    client = NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(folder)}})
    client.execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # when it was run
    notebook.metadata["language_info"] = {"name": "python"}
    return notebook


def said(notebook: Any) -> list[str]:
    """Return what our values print; DataFrames look different in other versions of pandas."""
    outputs = [each for cell in notebook.cells for each in cell.get("outputs", ())]
    texts = [each.get("data", {}).get("text/plain", "") for each in outputs]
    return [text for text in texts if _OURS.match(text)]


def kinds(notebook: Any) -> list[str]:
    """Return what the outputs are made of."""
    outputs = [each for cell in notebook.cells for each in cell.get("outputs", ())]
    return [", ".join(sorted(each.get("data", {each.output_type: ""}))) for each in outputs]


def test_the_notebook_runs_and_says_what_it_said(tmp_path: Path) -> None:
    """An error in a cell ends it; nothing is printed but values."""
    kept = nbformat.read(NOTEBOOK, as_version=4)  # type: ignore[no-untyped-call]
    again = run(tmp_path)

    assert said(again) == said(kept)
    assert len(said(kept)) >= 7
    assert kinds(again) == kinds(kept)


def test_the_notebook_loads_nothing_from_elsewhere() -> None:
    """And names no place of the machine on which it was run."""
    text = NOTEBOOK.read_text("utf-8")

    assert not re.findall(r"https?://(?!www\.w3\.org)[\w./-]+", text)
    assert str(Path.home()) not in text
    assert str(ROOT) not in text


if __name__ == "__main__":
    nbformat.write(run(ROOT), NOTEBOOK)  # type: ignore[no-untyped-call]
