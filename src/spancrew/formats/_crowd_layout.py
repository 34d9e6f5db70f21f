"""Find out which folder of a crowd directory is whose."""

from pathlib import Path
from typing import NamedTuple

from spancrew.errors import FormatError, Place
from spancrew.formats._file_names import visible

_GOLD = {"groundtruth", "gold", "expert"}
_ENDINGS = {".txt", ".final", ".conll", ".iob", ".iob2", ".bio", ".tsv"}


class CrowdLayout(NamedTuple):
    """The files of gold and of each worker by the name of the document.

    ``ignored`` are files and folders that are neither.
    """

    gold: dict[str, Path]
    workers: dict[str, dict[str, Path]]
    ignored: tuple[Path, ...]

    @property
    def documents(self) -> list[str]:
        """Return the names of all documents in alphabetical order."""
        return sorted({*self.gold, *(name for files in self.workers.values() for name in files)})

    @property
    def files(self) -> list[Path]:
        """Return all files of gold and workers."""
        return [path for files in (self.gold, *self.workers.values()) for path in files.values()]

    def files_of(self, document: str) -> list[Path]:
        """Return all files of one document."""
        folders = (self.gold, *self.workers.values())
        return [files[document] for files in folders if document in files]


def is_crowd_directory(root: Path) -> bool:
    """Tell whether there is one folder of gold, with folders beside it or nothing at all."""
    if not root.is_dir():
        return False
    gold = [folder for folder in _folders(root) if is_gold(folder)]
    if len(gold) != 1:
        return False
    # Hugging Face may have a split "gold", and brat a folder of it.
    if any(path.suffix in {".arrow", ".ann"} for path in gold[0].iterdir()):
        return False
    return len(_folders(root)) > 1 or len(visible(root)) == 1


def layout_of(root: Path) -> CrowdLayout:
    """Look at folders and names; refuse what can be understood in two ways."""
    if not root.is_dir():
        raise FormatError.expected(Place(str(root)), "a file", "a folder with a folder per worker")
    gold = _gold_folder(root)
    others = [folder for folder in _folders(root) if folder != gold]
    parts = set() if gold is None else {part.name for part in _parts(gold)}
    container = _container(root, others, parts)
    workers = others if container is None else _folders(container)
    if gold is None and not workers:
        raise FormatError.expected(
            Place(str(root)), "no folder of a worker", "a folder per worker beside the gold"
        )
    sources = [*workers, *([] if gold is None else [gold])]
    above = [root] if container is None else [root, container]
    beside = [path for folder in above for path in visible(folder)]
    inside = [
        path for folder in sources for path in _folders(folder) if path not in _parts(folder)
    ]
    return CrowdLayout(
        {} if gold is None else _documents(gold),
        {folder.name: _documents(folder) for folder in workers},
        tuple(path for path in [*beside, *inside] if path not in {*sources, *above}),
    )


def document_name(file_name: str) -> str:
    """Return the name of the document in a file, without endings.

    >>> document_name("reuters.12.txt"), document_name("reuters.12.txt.final.txt")
    ('reuters.12', 'reuters.12')
    """
    name, dot, ending = file_name.rpartition(".")
    return document_name(name) if name and dot + ending in _ENDINGS else file_name


def is_gold(folder: Path) -> bool:
    """Tell whether the name of a folder says that there is gold in it."""
    plain = folder.name.casefold().replace("_", "").replace("-", "").replace(" ", "")
    return plain in _GOLD


def _gold_folder(root: Path) -> Path | None:
    found = [folder for folder in _folders(root) if is_gold(folder)]
    if len(found) > 1:
        raise FormatError.expected(
            Place(str(root)),
            f"{len(found)} folders of gold ({', '.join(folder.name for folder in found)})",
            "one",
        )
    return found[0] if found else None


def _container(root: Path, folders: list[Path], parts: set[str]) -> Path | None:
    """Return the folder that holds the workers' folders, if there is one."""
    found = [
        folder for folder in folders if any(sub.name not in parts for sub in _folders(folder))
    ]
    if len(found) > 1:
        raise FormatError.expected(
            Place(str(root)),
            f"{len(found)} folders with folders in them "
            f"({', '.join(folder.name for folder in found)})",
            "the folders of the workers in one of them, or beside the gold",
        )
    return found[0] if found else None


def _documents(folder: Path) -> dict[str, Path]:
    """Return the files by the names of their documents; the part, if any, stands in front."""
    found: dict[str, Path] = {}
    files = [(path.name, path) for path in visible(folder)]
    files += [
        (f"{part.name}/{path.name}", path) for part in _parts(folder) for path in visible(part)
    ]
    for full, path in files:
        if path.is_dir():
            continue
        name = document_name(full)
        if name in found:
            raise FormatError.expected(
                Place(str(path)), f"document {name!r} again", f"only {found[name].name}"
            )
        found[name] = path
    return found


def _parts(folder: Path) -> list[Path]:
    """Return the folders that documents are in, such as test and val, if none stands beside."""
    return [] if any(path.is_file() for path in visible(folder)) else _folders(folder)


def _folders(folder: Path) -> list[Path]:
    return [path for path in visible(folder) if path.is_dir()]
