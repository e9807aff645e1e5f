"""The arrows of the design: who may import whom, computed from the imports.

`python tests/test_architecture.py` prints the layers.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOLVERS = {"ortools", "pysat", "pulp", "highspy", "scipy", "flint"}
SLOW = {"matplotlib", "networkx", "numba", "numpy", "pandas", "polars", "pyarrow", "dask", "distributed"}
PROOF_REPLAY = "schedsolve.certify.propagation"
EXTENSIONS = ("export", "machines", "experiments", "drawing")
LAYERS = (
    ("kernel", "runtime"),
    ("extensions",),
    ("network",),
    ("modelkit",),
    ("backends",),
    ("models",),
    ("certify",),
    ("solving",),
    ("",),
    ("commands",),
    EXTENSIONS,
    ("__main__",),
)
"""The layers, the lowest first: an import goes to a lower layer, or stays within its package. "" is what
`import schedsolve` gives, which loads by name. The extensions stand beside one another and import none of
each other; nothing below imports them.
"""
MOST_PACKAGES = 16
"""Packages and files at the top of schedsolve/."""
DATA_PACKAGES = {"kernel", "runtime", "network", "modelkit", "extensions"}
TEMPLATE = (ROOT / "models" / "TEMPLATE.md").read_text(encoding="utf-8")
PAPERS = (
    "Hromkovic|Klasing|Pardubska|Cohen|Beauquier|Delmas|Perennes|Bilardi|Codenotti|Strumpen|Krishnamurthy"
)

Graph = Mapping[str, frozenset[str]]


def module_name(file: Path) -> str:
    """The name under which a file is imported; `models` is a package of schedsolve."""
    parts = list(file.relative_to(ROOT).with_suffix("").parts)
    if parts[-1] == "__init__":
        parts.pop()
    return ".".join(parts if parts[0] == "schedsolve" else ["schedsolve", *parts])


@cache
def imports(file: Path) -> frozenset[str]:
    """Every module that a file imports, wherever in the file, relative imports resolved."""
    return frozenset(_imports(file))


def _imports(file: Path) -> Iterator[str]:
    package = module_name(file).split(".")
    if file.name != "__init__.py":
        package = package[:-1]
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            names = [f"{module}.{alias.name}" for alias in node.names]
            submodules = [name for name in names if name in NAMES]
            yield from submodules
            if len(submodules) < len(names):
                yield module


FILES = sorted(
    file
    for folder in ("schedsolve", "models")
    for file in (ROOT / folder).rglob("*.py")
    if not any(parent.is_symlink() for parent in file.parents)
)
NAMES = {module_name(file) for file in FILES}


@cache
def import_graph() -> Graph:
    """Every module of the project with those of the project that it imports."""
    graph = {module_name(file): (imports(file) & NAMES) - {module_name(file)} for file in FILES}
    assert len(graph) == len(FILES)
    return graph


def layers(graph: Graph) -> list[list[str]]:
    """The modules layer by layer: each above all that it imports. Raises ValueError that names a circle."""
    layer: dict[str, int] = {}
    under_way: list[str] = []

    def visit(module: str) -> int:
        if module in under_way:
            raise ValueError("a circle: " + " -> ".join([*under_way[under_way.index(module) :], module]))
        if module not in layer:
            under_way.append(module)
            layer[module] = 1 + max((visit(other) for other in sorted(graph[module])), default=-1)
            under_way.pop()
        return layer[module]

    for module in sorted(graph):
        visit(module)
    return [sorted(m for m in layer if layer[m] == number) for number in range(max(layer.values()) + 1)]


def package(module: str) -> str:
    """The package of a module: what follows `schedsolve.` in its name."""
    return module.split(".")[1] if "." in module else ""


def part(module: str) -> str:
    """The part of a model that a module belongs to, such as "rules"; "" for one of no model."""
    name = module.split(".")
    return "" if len(name) < 3 or name[1] != "models" else name[3] if len(name) > 3 else "__init__"


def package_graph() -> Graph:
    """Every package with those that its modules import from."""
    packages = {package(module) for module in import_graph()}
    return {
        one: frozenset(
            package(other)
            for module, others in import_graph().items()
            if package(module) == one
            for other in others
        )
        - {one}
        for one in packages
    }


def test_the_files_are_found() -> None:
    """The checks below look at something."""
    assert {
        "schedsolve.commands.cli",
        "schedsolve.models.matching.rules",
        "schedsolve.certify.check",
    } <= NAMES
    assert "schedsolve.modelkit.problem" in import_graph()["schedsolve.solving.solve"]


def test_there_is_no_circle(capsys: pytest.CaptureFixture[str]) -> None:
    """The modules stand in layers, and so do the packages; both are printed."""
    with capsys.disabled():
        print("", *_printed(), sep="\n")


def _printed() -> Iterator[str]:
    for title, graph in (("packages", package_graph()), ("modules", import_graph())):
        for number, names in enumerate(layers(graph)):
            if title == "packages":
                yield f"{title}, layer {number:2}: {', '.join(name or 'schedsolve' for name in names)}"
            else:
                yield f"{title}, layer {number:2}: {len(names)}"


def test_a_circle_is_named() -> None:
    """An import that closes a circle, made on purpose, is found: from graph to files, as it once was."""
    graph = dict(import_graph())
    graph["schedsolve.network.graph"] |= {"schedsolve.network.named.spec"}
    with pytest.raises(ValueError, match=r"schedsolve\.network\.graph"):
        layers(graph)


def test_no_arrow_goes_up() -> None:
    """Every import goes to a lower layer, or stays in its package."""
    layer = {name: number for number, names in enumerate(LAYERS) for name in names}
    assert set(package_graph()) <= set(layer)
    for module, others in import_graph().items():
        for other in others:
            below = layer[package(other)] < layer[package(module)] or package(other) == package(module)
            assert below, f"{module} imports {other}"


def _extension(module: str) -> str:
    return package(module) if package(module) in EXTENSIONS else ""


def test_no_extension_is_imported_from_outside() -> None:
    """Neither the core nor another extension imports one, nowhere in a file and not for types alone."""
    found = [
        f"{module} imports {other}"
        for module, others in import_graph().items()
        for other in others
        if _extension(other) not in ("", _extension(module))
    ]
    assert not found


def test_the_extensions_are_those_of_the_registry() -> None:
    from schedsolve.extensions import EXTENSIONS as REGISTERED

    assert set(REGISTERED) == set(EXTENSIONS)


def test_the_top_is_small() -> None:
    """A newcomer sees few packages, and hardly a file beside them."""
    assert len(package_graph()) <= MOST_PACKAGES
    flat = {file.name for file in FILES if file.parent == ROOT / "schedsolve"}
    assert flat == {"__init__.py", "__main__.py", "extensions.py"}


@pytest.mark.parametrize("file", FILES, ids=module_name)
def test_only_backends_import_a_solver(file: Path) -> None:
    """Only backends, and by name the replay of proofs in another solver, import a solver."""
    name = module_name(file)
    if package(name) == "backends" or name == PROOF_REPLAY:
        return
    assert not {module.split(".")[0] for module in imports(file)} & SOLVERS


def test_the_kernel_is_apart() -> None:
    """What verifies a bundle imports Python's standard library and parts of its own kind, by `from`, and no
    name of a newer Python than 3.9.
    """
    newer = {"pairwise", "bit_count", "batched", "Self", "StrEnum", "tomllib"}
    for file in FILES:
        if package(module_name(file)) != "kernel":
            continue
        tree = ast.parse(file.read_text(encoding="utf-8"), feature_version=(3, 9))
        for module in imports(file):
            outside = module.split(".")[0]
            assert (
                package(module) == "kernel" if outside == "schedsolve" else outside in sys.stdlib_module_names
            )
        names = {getattr(node, "id", getattr(node, "attr", None)) for node in ast.walk(tree)}
        names |= {alias.name for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) for alias in n.names}
        assert not names & newer, file.name
        keywords = {k.arg for node in ast.walk(tree) if isinstance(node, ast.Call) for k in node.keywords}
        assert "strict" not in keywords, file.name


def _judges(others: frozenset[str], kinds: set[str]) -> set[str]:
    """The modules among some that are neither data nor, of a model, in one of these parts."""
    return {
        name
        for name in others
        if package(name) not in DATA_PACKAGES
        and not (package(name) == "models" and name.count(".") > 2 and name.split(".")[3] in kinds)
    }


def test_rules_and_claims_import_data_rules_and_claims() -> None:
    """A referee imports data and referees; claims import claims too; nothing that finds or solves."""
    for module, others in import_graph().items():
        parts = module.split(".")
        if len(parts) > 3 and parts[1] == "models" and parts[3] in ("rules", "claims"):
            kinds = {"rules"} if parts[3] == "rules" else {"rules", "claims"}
            assert not _judges(others, kinds), module


def test_certify_is_apart_from_the_solver() -> None:
    """certify/ imports data, itself and the registry: no model's parts, no backend, no solve."""
    for module, others in import_graph().items():
        if package(module) == "certify":
            outside = {name for name in others if package(name) not in DATA_PACKAGES | {"certify"}}
            assert outside <= {"schedsolve.models"}, module


def test_checks_of_programs_are_apart_from_what_writes_them() -> None:
    """What a check in machines/ imports, however far, is data, the judge or a reader: nothing that writes,
    times or solves.
    """
    graph = import_graph()
    checks = [module for module in graph if package(module) == "machines" and module.endswith(".check")]
    reached, waiting = set(checks), list(checks)
    while waiting:
        more = {other for other in graph[waiting.pop()] if package(other) == "machines"} - reached
        reached |= more
        waiting += more
    assert checks
    for module in reached:
        assert not module.endswith((".writer", "timing", "textbook", "programs")), module
        outside = (
            {package(other) for other in graph[module]} - DATA_PACKAGES - {"certify", "machines", "models"}
        )
        assert not outside, f"{module} imports from {outside}"


@cache
def may_import() -> Graph:
    """What each part of a model may import besides data, the parts of its own kind and, in `__init__`, all:
    the tables of models/TEMPLATE.md.
    """
    rows = re.findall(r"^\| (`.*?) \|.*\| (.*) \|$", TEMPLATE, flags=re.MULTILINE)
    table: dict[str, frozenset[str]] = {}
    for names, allowed in rows:
        parts = re.findall(r"`(\w+)(?:\.py|/)`", names)
        known = set(table) if allowed.startswith("all above") else set()
        for name in parts:
            table[name] = frozenset({name, *re.findall(r"`(\w+)`", allowed), *known})
    return table


def unlike_the_template(graph: Graph) -> Iterator[str]:
    """Every import of a part of a model that the table does not allow it."""
    for module, others in graph.items():
        for other in others if part(module) else ():
            wanted = part(other) if package(other) == "models" else package(other)
            if wanted not in DATA_PACKAGES and wanted not in may_import()[part(module)]:
                yield f"{module} imports {other}"


def test_the_parts_of_a_model_import_what_the_template_allows() -> None:
    """Every part of every model imports data and what the table of models/TEMPLATE.md names, nothing else."""
    assert not [*unlike_the_template(import_graph())]


@pytest.mark.parametrize(
    ("module", "other"),
    [
        ("matching.rules", "models.matching.claims"),
        ("line.claims.formula", "backends.sat"),
        ("pipelined.bounds", "models.pipelined.formulation.search"),
        ("fat_tree.constructions.groups", "models.fat_tree.formulation"),
        ("matching.bounds.covering", "models"),
        ("routing.simulation.clock", "models.routing.constructions"),
        ("linear_cost.formulation", "solving.solve"),
    ],
)
def test_an_import_unlike_the_template_is_found(module: str, other: str) -> None:
    """An import that the table does not allow, made on purpose, is found."""
    graph = {f"schedsolve.models.{module}": frozenset({f"schedsolve.{other}"})}
    assert len([*unlike_the_template(graph)]) == 1


def test_a_model_has_the_parts_of_the_template() -> None:
    """Every model has rules and claims, and no part that models/TEMPLATE.md does not name."""
    used = set()
    for folder in (
        path for path in (ROOT / "models").iterdir() if path.is_dir() and path.name != "__pycache__"
    ):
        parts = {
            path.stem for path in folder.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
        }
        assert {"rules", "claims", "__init__"} <= parts <= set(may_import()), folder.name
        used |= parts
    assert used == set(may_import())


if __name__ == "__main__":
    print("\n".join(_printed()))
