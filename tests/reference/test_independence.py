"""The brute forces share no code with the package: no file here imports it, by itself or through another."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ALLOWED = (sys.stdlib_module_names - {"importlib", "runpy", "subprocess"}) | {"networkx", "numpy", "ortools"}
"""What a brute force may import besides its neighbours."""


def imported(text: str) -> Iterator[str]:
    """The modules that a file imports, wherever in it; an import by a name that is computed is "?"."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield f"{'.' * node.level}{node.module or ''}"
        elif isinstance(node, ast.Name) and node.id in ("__import__", "eval", "exec"):
            yield "?"


def foreign(text: str) -> list[str]:
    """What a file imports that could bring the package: neither the standard library, nor graphs, numbers and
    solvers, nor another brute force.
    """
    return [
        name
        for name in imported(text)
        if name.split(".")[0] not in ALLOWED and not name.startswith("tests.reference.")
    ]


BRUTE_FORCES = sorted(file for file in HERE.glob("*.py") if not file.stem.startswith("test_"))


@pytest.mark.parametrize("file", BRUTE_FORCES, ids=lambda file: file.stem)
def test_no_brute_force_imports_the_package(file: Path) -> None:
    """Neither schedsolve nor anything that could bring it."""
    assert foreign(file.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "line",
    [
        "import schedsolve",
        "from schedsolve.modelkit.problem import Problem",
        "def f():\n    from schedsolve.network import graph",
        "from tests.soak import differences",
        "from ..models.line import rules",
        "__import__('schedsolve')",
    ],
)
def test_an_import_is_seen(line: str) -> None:
    """Each way of importing it is refused."""
    assert foreign(line)
