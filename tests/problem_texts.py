"""The texts of problems that files can have, as they stand in the sources."""

import ast
from collections.abc import Iterator
from pathlib import Path

import spancrew

SOURCE = Path(spancrew.__file__).parent
_CALLS = {"FormatError", "expected", "repair", "Repair", "Loss", "add", "skip"}
HOLE = "{}"


def problem_texts(*rooms: str) -> set[str]:
    """Return every text of an error, a repair or a loss, with ``{}`` where a value goes."""
    return {text for path in _files(rooms) for text in _texts_in(path) if _is_text(text)}


def _files(rooms: tuple[str, ...]) -> list[Path]:
    return [path for room in rooms for path in sorted((SOURCE / room).glob("*.py"))]


def _is_text(text: str) -> bool:
    """Tell whether there is a word in it: names of kinds and signs are none."""
    is_markup = text.startswith("#")
    words = text.replace(HOLE, "")
    return " " in text.strip() and not is_markup and any(map(str.isalpha, words))


def _texts_in(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text("utf-8"))
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        named = {**_named(tree), **_named(function)}
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and _name(node) in _CALLS | _errors(node):
                values = [*node.args, *(each.value for each in node.keywords)]
                for value in values:
                    yield from _written(value, named)


def _name(call: ast.Call) -> str:
    found = call.func
    if isinstance(found, ast.Name):
        return found.id
    return found.attr if isinstance(found, ast.Attribute) else ""


def _errors(call: ast.Call) -> set[str]:
    """Return the name of an error of the domain, which gets its place later."""
    name = _name(call)
    is_ours = name.startswith(("Invalid", "Unknown", "Duplicate")) and name != "InvalidArrayError"
    return {name} if is_ours else set()


def _named(scope: ast.Module | ast.FunctionDef) -> dict[str, list[ast.expr]]:
    """Return what variables of a function stand for, or those of a module outside functions."""
    found: dict[str, list[ast.expr]] = {}
    for node in ast.walk(scope) if isinstance(scope, ast.FunctionDef) else scope.body:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    found.setdefault(target.id, []).append(node.value)
    return found


def _written(node: ast.expr, named: dict[str, list[ast.expr]], depth: int = 0) -> Iterator[str]:
    """Yield the texts that an expression can be."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(
            str(part.value) if isinstance(part, ast.Constant) else HOLE for part in node.values
        )
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                yield from _written(part.value, named, depth + 1)
    elif isinstance(node, ast.IfExp):
        yield from _written(node.body, named, depth)
        yield from _written(node.orelse, named, depth)
    elif isinstance(node, ast.Name) and depth < 3:
        for value in named.get(node.id, []):
            yield from _written(value, named, depth + 1)
