"""The arrows of the design: who may import whom."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOLVERS = {"ortools", "pysat", "pulp", "highspy", "scipy"}
DATA = {
    "schedsolve.modelkit.analysis",
    "schedsolve.network.automorphisms",
    "schedsolve.formulas.cnf",
    "schedsolve.errors",
    "schedsolve.network.families",
    "schedsolve.formulas.linear_program",
    "schedsolve.modelkit.record",
    "schedsolve.network.graph",
    "schedsolve.network.files",
    "schedsolve.modelkit.parameters",
    "schedsolve.problem",
    "schedsolve.formulas.proof",
    "schedsolve.result",
    "schedsolve.schedule",
    "schedsolve.modelkit.story",
    "schedsolve.task",
    "schedsolve.modelkit.theorem_bounds",
}
OUTSIDE = {"networkx", "numpy", "argparse"}


def module_name(file: Path) -> str:
    """The name under which a file is imported; `models` is `schedsolve.models`."""
    parts = list(file.relative_to(ROOT).with_suffix("").parts)
    if parts[-1] == "__init__":
        parts.pop()
    return ".".join(["schedsolve", *parts] if parts[0] == "models" else parts)


def imports(file: Path) -> Iterator[str]:
    """Every module that a file imports, wherever in the file, relative imports resolved."""
    package = module_name(file).split(".")
    if file.name != "__init__.py":
        package = package[:-1]
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


FILES = sorted(
    file
    for folder in ("schedsolve", "models")
    for file in (ROOT / folder).rglob("*.py")
    if "schedsolve/models" not in file.as_posix()
)
NAMES = {module_name(file) for file in FILES}


def project_imports(file: Path) -> set[str]:
    """The project's modules that a file imports."""
    return {name for name in imports(file) if name in NAMES and name != module_name(file)}


def test_the_files_are_found() -> None:
    """The checks below look at something."""
    assert {"schedsolve.cli", "schedsolve.models.matching.rules", "schedsolve.certify.check"} <= NAMES


@pytest.mark.parametrize("file", FILES, ids=module_name)
def test_only_backends_import_a_solver(file: Path) -> None:
    """Only backends, and by name the replay of proofs in another solver, import a solver."""
    name = module_name(file)
    if name.startswith("schedsolve.backends.") or name == "schedsolve.certify.propagation":
        return
    assert not {module.split(".")[0] for module in imports(file)} & SOLVERS


@pytest.mark.parametrize("file", [f for f in FILES if module_name(f) in DATA], ids=module_name)
def test_data_imports_only_data(file: Path) -> None:
    """The shared data modules know no model, no solver and no command line."""
    assert project_imports(file) <= DATA


@pytest.mark.parametrize("file", [f for f in FILES if f.name == "rules.py"], ids=module_name)
def test_a_referee_imports_data_and_referees_only(file: Path) -> None:
    """A rules.py imports data, and other models' rules where it extends them."""
    assert {name for name in project_imports(file) if not name.endswith(".rules")} <= DATA


@pytest.mark.parametrize("file", [f for f in FILES if ".claims" in module_name(f)], ids=module_name)
def test_claims_import_data_rules_and_claims_only(file: Path) -> None:
    """Claims import data, rules and claims; no formulation, no construction, no backend."""
    others = {name for name in project_imports(file) if not name.endswith(".rules") and ".claims" not in name}
    assert others <= DATA


@pytest.mark.parametrize(
    "file", [f for f in FILES if module_name(f).startswith("schedsolve.certify")], ids=module_name
)
def test_certify_is_apart_from_the_solver(file: Path) -> None:
    """certify/ imports data and the registry; no model's rooms, no backend, no solve."""
    others = {name for name in project_imports(file) if not name.startswith("schedsolve.certify")}
    assert others <= DATA | {"schedsolve.models"}


@pytest.mark.parametrize(
    "file",
    [f for f in FILES if module_name(f).startswith(("schedsolve.models", "schedsolve.backends"))],
    ids=module_name,
)
def test_models_and_backends_do_not_look_up(file: Path) -> None:
    """Models and backends import neither solve nor the command line nor the reports."""
    upper = (
        "schedsolve.solving.solve",
        "schedsolve.solving.pursuit",
        "schedsolve.cli",
        "schedsolve.report",
        "schedsolve.certify",
    )
    assert not {name for name in project_imports(file) if name.startswith(upper)}


@pytest.mark.parametrize("file", FILES, ids=module_name)
def test_files_are_read_in_one_sitting(file: Path) -> None:
    """No file is longer than 400 lines."""
    assert len(file.read_text(encoding="utf-8").splitlines()) <= 400


def test_slow_packages_are_imported_lazily() -> None:
    """No module imports networkx, numpy or a solver at its top level outside of type checking."""
    for file in FILES:
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = (
                    [alias.name for alias in node.names]
                    if isinstance(node, ast.Import)
                    else [node.module or ""]
                )
                assert not {name.split(".")[0] for name in names} & (SOLVERS | OUTSIDE - {"argparse"}), (
                    module_name(file)
                )
