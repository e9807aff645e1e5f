"""The extensions: folders beside the core that the core finds by name and does not import.

An extension is a package with an `EXTENSION`, and a line here. What it registers are texts that name a module
of its package, such as "page.page", or something in one, such as "times:times"; it is loaded when it is used.
Without its folder and its line everything else works as before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from pkgutil import resolve_name
from types import ModuleType
from typing import Any

from schedsolve.runtime.errors import InputError

EXTENSIONS = (
    "export",
    "machines",
    "experiments",
    "drawing",
)
"""The registry: a line for every extension."""


@dataclass(frozen=True)
class Extension:
    """What an extension registers.

    Attributes
    ----------
    verbs
        Its verbs of the command line with their summaries; `commands.VERB:add_VERB` adds one.
    options
        By the name of a verb that is not its own, what adds options to the parser of that verb.
    names
        What `schedsolve` gives by these names.
    modules
        Names of modules of its own, as they are imported from `schedsolve`.
    formats
        By the format of a JSON file, what checks its claims, given the data and the check of a result.
    file_checks
        What checks files that are not JSON data of schedsolve: given the file's name and the arguments of
        `check` by name, a report, or None for a file of another kind.
    functions
        What the core and other extensions ask for, by name.
    """

    verbs: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    modules: Mapping[str, str] = field(default_factory=dict)
    formats: Mapping[str, str] = field(default_factory=dict)
    file_checks: Sequence[str] = ()
    functions: Mapping[str, str] = field(default_factory=dict)


@cache
def extensions() -> Mapping[str, Extension]:
    """Return what the extensions register, by their names."""
    return {name: import_module(f"schedsolve.{name}").EXTENSION for name in EXTENSIONS}


def _loaded(extension: str, place: str) -> Any:
    return resolve_name(f"schedsolve.{extension}.{place}".rstrip("."))


def registered(field_name: str) -> dict[str, tuple[str, str]]:
    """Return the entries of a field of all extensions: by name, the extension and its text."""
    return {
        name: (extension, text)
        for extension, one in extensions().items()
        for name, text in getattr(one, field_name).items()
    }


def find(field_name: str, name: str) -> Any:
    """Return what is registered by a name, None where no extension registers it."""
    found = registered(field_name).get(name)
    return None if found is None else _loaded(*found)


def add_verb_of_extension(verb: str, commands: Any) -> None:
    """Add a verb that an extension registers to the command line."""
    extension, _ = registered("verbs")[verb]
    _loaded(extension, f"commands.{verb}:add_{verb}")(commands)


def installed(extension: str) -> bool:
    """Return whether an extension is there."""
    return extension in EXTENSIONS


def ask(extension: str, function: str) -> Any:
    """Return what an extension registers by a name for others: a function, or a module.

    Raises
    ------
    InputError
        That names the extension, if it is not there.
    """
    if not installed(extension):
        raise InputError(f"this needs the extension {extension} of schedsolve, which is not installed")
    return _loaded(extension, extensions()[extension].functions[function])


def checked_by_extensions(file: str, given: Mapping[str, Any]) -> Any:
    """Return the report of the extension that knows the kind of a file; None where none does.

    Parameters
    ----------
    file
        Its name.
    given
        The arguments of `check`, by name.
    """
    checks = (_loaded(name, place) for name, one in extensions().items() for place in one.file_checks)
    return next((report for check in checks if (report := check(file, given)) is not None), None)


def options_for(verb: str) -> Iterator[Callable[..., None]]:
    """Yield what adds options of extensions to the parser of a verb."""
    for name, one in extensions().items():
        if verb in one.options:
            yield _loaded(name, one.options[verb])


def part_of_model(package: str, folder: str) -> Any:
    """Return the module of a package of an extension that is for one model, None where it has none.

    Parameters
    ----------
    package
        With a module for every model that needs one, named after the model's folder.
    folder
        That folder.
    """
    name = f"{package}.{folder}"
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        return None


def public_module(name: str) -> ModuleSpec | None:
    """Return the spec of a module that an extension gives to `schedsolve`, such as `schedsolve.draw`."""
    found = registered("modules").get(name.rpartition(".")[2])
    return None if found is None else ModuleSpec(name, _Alias(".".join(["schedsolve", *found]).rstrip(".")))


class _Alias(Loader):
    """Loads a module under another name."""

    def __init__(self, module: str) -> None:
        self.module = module

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the module."""
        return import_module(self.module)

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing, as the module is there."""
