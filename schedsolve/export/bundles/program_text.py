"""A program as one text, put together from those definitions of the kernel that some of its functions use."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from pprint import pformat
from textwrap import indent
from typing import Any

KERNEL = "schedsolve.kernel"
WIDEST = 100
"""Columns of a program."""
FUTURE = "from __future__ import annotations"


@dataclass(frozen=True)
class Part:
    """A part of the kernel.

    Attributes
    ----------
    about
        Its docstring.
    definitions
        The text of every function, class and constant by name, in order.
    uses
        For each of them the names that it uses.
    libraries
        For every name from the standard library the import that gives it.
    kernel
        For every name from another part that part.
    """

    about: str
    definitions: dict[str, str]
    uses: dict[str, frozenset[str]]
    libraries: dict[str, str]
    kernel: dict[str, str]


@cache
def part(name: str) -> Part:
    """Return the part in a file of the kernel."""
    file = import_module(f"{KERNEL}.{name}").__file__
    assert file is not None
    whole = Path(file).read_text(encoding="utf-8")
    lines, tree = whole.splitlines(), ast.parse(whole)
    definitions, uses, libraries, kernel = {}, {}, {}, {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.level:
            kernel.update({alias.name: node.module or "" for alias in node.names})
        elif isinstance(node, ast.ImportFrom):
            libraries.update({a.name: f"from {node.module} import {a.name}" for a in node.names})
        elif isinstance(node, ast.Import):
            libraries.update({alias.name: f"import {alias.name}" for alias in node.names})
        elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            own = _name_of(node)
            first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
            definitions[own] = "\n".join(filter(None, lines[first - 1 : node.end_lineno]))
            uses[own] = frozenset(n.id for n in ast.walk(node) if isinstance(n, ast.Name))
    return Part(ast.get_docstring(tree) or "", definitions, uses, libraries, kernel)


def _name_of(node: ast.stmt) -> str:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return node.name
    assert isinstance(node, ast.Assign)
    return ast.unparse(node.targets[0])


def program(functions: Iterable[Callable[..., object]]) -> tuple[str, str]:
    """Return the imports, and the definitions that the functions of the kernel use.

    They are among these themselves; each part stands behind those on which it builds, under its docstring as
    a comment.

    Raises ValueError where two definitions that are needed have the same name.
    """
    roots = [(f.__module__.removeprefix(f"{KERNEL}."), f.__name__) for f in functions]
    order: dict[str, set[str]] = {}
    for place, name in roots:
        _need(place, name, order, {name for _, name in roots})
    chosen = [name for place in order for name in part(place).definitions if name in order[place]]
    if len(set(chosen)) < len(chosen):
        raise ValueError(f"a name twice among {sorted(chosen)}")
    imported = {
        part(place).libraries[name]
        for place, names in order.items()
        for own in names
        for name in part(place).uses[own] & set(part(place).libraries)
    }
    sections = [_section(place, names) for place, names in _in_order(order)]
    return "\n".join(_joined(imported)), "\n".join(sections)


def _need(place: str, name: str, order: dict[str, set[str]], roots: set[str]) -> None:
    """Note a definition, and all that it uses; of a table by the names of functions the rows of the roots."""
    if name in order.get(place, ()):
        return
    order.setdefault(place, set()).add(name)
    here = part(place)
    for other in sorted(here.uses[name] | {f"{name}[{root!r}]" for root in roots}):
        if other in here.kernel:
            _need(here.kernel[other], other, order, roots)
        elif other in here.definitions:
            _need(place, other, order, roots)


def _in_order(order: dict[str, set[str]]) -> Iterator[tuple[str, set[str]]]:
    """Yield the parts, each behind those of which it uses something."""
    done: set[str] = set()

    def visit(place: str) -> Iterator[tuple[str, set[str]]]:
        if place in done:
            return
        done.add(place)
        for name in part(place).definitions:
            for other in sorted(part(place).uses[name] & set(part(place).kernel)):
                if name in order[place]:
                    yield from visit(part(place).kernel[other])
        yield place, order[place]

    for place in order:
        yield from visit(place)


def _section(place: str, names: set[str]) -> str:
    here = part(place)
    about = "\n".join(f"# {line}" for line in here.about.splitlines() if line)
    texts = [text for name, text in here.definitions.items() if name in names]
    return about + "\n" + "\n".join(texts)


def _joined(imports: Iterable[str]) -> list[str]:
    """Import statements in order, those from one module in one."""
    whole, names = [], dict[str, list[str]]()
    for line in sorted(imports):
        match = re.fullmatch(r"from (\S+) import (\S+)", line)
        if match:
            names.setdefault(match[1], []).append(match[2])
        else:
            whole.append(line.removeprefix("import "))
    joined = [f"from {module} import {', '.join(each)}" for module, each in names.items()]
    return [f"import {', '.join(whole)}", *joined] if whole else joined


def literal(value: Any, room: int = WIDEST) -> str:
    """Return a value of JSON as Python writes it, in lines of at most `room` columns.

    The first is but one shorter.
    """
    if not isinstance(value, Mapping) or len(repr(value)) < room:
        return pformat(value, width=room, compact=True)
    lines = [""]
    for name, each in value.items():
        left = room - 4 if isinstance(each, Mapping) else room - 8 - len(repr(name))
        text = f"{name!r}: {literal(each, left)},"
        if "\n" in text or len(lines[-1]) + len(text) > room - 5:
            lines.append("")
        lines[-1] += f" {text}" if lines[-1] else text
        if "\n" in text:
            lines.append("")
    return "{\n" + indent("\n".join(line for line in lines if line), "    ") + "\n}"
