"""Turn a table of functions into commands, and their blocks of options into single options."""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, getdoc, signature
from typing import Any

import typer

Command = Callable[..., None]


def group(
    name: str, about: str, commands: Mapping[str, Command], *inner: typer.Typer
) -> typer.Typer:
    """Return a command with commands of its own, and with groups of them."""
    made = typer.Typer(name=name, help=about, no_args_is_help=True)
    add_commands(made, commands)
    for each in inner:
        made.add_typer(each)
    return made


def add_commands(app: typer.Typer, commands: Mapping[str, Command]) -> None:
    """Add commands by their names."""
    for name, command in commands.items():
        app.command(name, help=_unwrapped(command))(_with_single_options(command))


def _unwrapped(command: Command) -> str:
    """Return the docstring with each paragraph on one line, for the terminal to wrap."""
    return "\n\n".join(" ".join(each.split()) for each in (getdoc(command) or "").split("\n\n"))


def _with_single_options(command: Command) -> Command:
    """Return a command that takes the fields of its blocks as options.

    A block is a parameter whose type is a dataclass. Typer knows nothing of blocks, so it gets a
    signature in which their fields stand in their place.
    """
    blocks: dict[str, Any] = {}
    parameters: list[Parameter] = []
    for each in signature(command).parameters.values():
        if is_dataclass(each.annotation):
            blocks[each.name] = each.annotation
            parameters += map(_parameter, fields(each.annotation))
        else:
            # By keyword alone, required ones may follow those with a default.
            parameters.append(each.replace(kind=Parameter.KEYWORD_ONLY))

    @wraps(command)
    def call(**options: Any) -> None:
        made = {
            name: block(**{field.name: options.pop(field.name) for field in fields(block)})
            for name, block in blocks.items()
        }
        command(**options, **made)

    vars(call)["__signature__"] = Signature(parameters)
    return call


def _parameter(field: "Field[Any]") -> Parameter:
    default = Parameter.empty if field.default is MISSING else field.default
    return Parameter(field.name, Parameter.KEYWORD_ONLY, default=default, annotation=field.type)
