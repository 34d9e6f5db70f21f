"""A rule for import-linter: a room is entered by its door, never by a private file."""

from typing import cast

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output

Import = tuple[str, str]
"""Who imports what, both as full names of modules."""


class PrivateFiles(Contract):
    """No room imports a file of another room whose name begins with an underscore.

    A room is a package directly below ``package``. Of a room that has ``doors``, other rooms
    import only these modules.
    """

    type_name = "private_files"

    package = fields.StringField()
    doors = fields.SetField(subfield=fields.StringField(), required=False)

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:  # noqa: ARG002
        """Return whether all imports between rooms go through a door."""
        # A field holds its value once the contract is built, which its type does not say.
        doors = frozenset(cast("set[str]", self.doors or ()))
        inside = [name for name in graph.modules if name.startswith(f"{self.package}.")]
        found = [
            (importer, imported)
            for importer in inside
            for imported in graph.find_modules_directly_imported_by(importer)
            if imported.startswith(f"{self.package}.") and is_forbidden(importer, imported, doors)
        ]
        return ContractCheck(kept=not found, metadata={"found": sorted(found)})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print who imports what is private."""
        found: list[Import] = check.metadata["found"]
        for importer, imported in found:
            output.print_error(f"{importer} imports {imported}, which is private to its room")


def is_forbidden(importer: str, imported: str, doors: frozenset[str]) -> bool:
    """Tell whether an import enters another room elsewhere than by a door.

    >>> is_forbidden("house.cli._serve", "house.stores._sql", frozenset())
    True
    >>> is_forbidden("house.stores._open", "house.stores._sql", frozenset())
    False
    >>> doors = frozenset({"house.server", "house.server.start"})
    >>> is_forbidden("house.cli", "house.server.desk", doors)
    True
    >>> is_forbidden("house.cli", "house.server.start", doors)
    False
    """
    theirs = imported.split(".")
    if importer.split(".")[:2] == theirs[:2]:
        return False
    if any(part.startswith("_") for part in theirs[2:]):
        return True
    has_doors = any(door.split(".")[:2] == theirs[:2] for door in doors)
    return has_doors and imported not in doors
