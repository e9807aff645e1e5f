"""The habits of the sources: short files and functions, lazy imports, one reader of numbers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from tests.test_architecture import (
    FILES,
    PAPERS,
    ROOT,
    SLOW,
    SOLVERS,
    imports,
    module_name,
    package,
)

PYTHON_FILES = [
    file for folder in ("schedsolve", "models", "benchmarks", "studies", "notebooks", "tests")
    for file in (ROOT / folder).rglob("*.py") if not any(parent.is_symlink() for parent in file.parents)
]  # fmt: skip
NUMBER_MAKERS = {"Fraction", "Decimal", "int", "float", "complex", "eval", "literal_eval"}
"""What makes a number of text, without a limit."""
NO_FILE_DATA = {
    ("schedsolve.certify.propagation", "_literals"): "a proof of characters that proof_lines has seen",
    ("schedsolve.models.synchronous.claims.bandwidth", "worst_rounds_per_chunk"): "a network's bandwidths",
    ("schedsolve.models.synchronous.claims.compositions", "joined_proof"): "a solver's proof, not yet saved",
}
"""Functions of rules, claims and certify that make numbers without the reader, and of what."""


def number_makers(tree: ast.AST, function: str = "") -> Iterator[tuple[str, int]]:
    """The function and the line of every call that may make a number of text: of one of `NUMBER_MAKERS`, or
    of `map` with one of them. A constant is no text of a file, and a quotient of two numbers takes none.
    """
    for node in ast.iter_child_nodes(tree):
        inside = node.name if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else function
        if isinstance(node, ast.Call):
            called, *given = (ast.unparse(x).rpartition(".")[2] for x in (node.func, *node.args))
            values = (x.operand if isinstance(x, ast.UnaryOp) else x for x in node.args)
            constant = all(isinstance(x, ast.Constant) for x in values)
            quotient = called == "Fraction" and len(node.args) == 2
            if (called in NUMBER_MAKERS and not constant and not quotient) or (
                called == "map" and given[0] in NUMBER_MAKERS
            ):
                yield inside, node.lineno
        yield from number_makers(node, inside)


def test_numbers_of_files_are_read_by_one_reader() -> None:
    """Rules, claims and certify make numbers of text by the number reader alone, but for the functions of
    `NO_FILE_DATA`, each of which still does.
    """
    found = set()
    for file in FILES:
        module = module_name(file)
        parts = module.split(".")
        if module.startswith("schedsolve.certify.text."):
            continue
        if package(module) == "certify" or (len(parts) > 3 and parts[3] in ("rules", "claims")):
            for function, line in number_makers(ast.parse(file.read_text(encoding="utf-8"))):
                assert (module, function) in NO_FILE_DATA, f"{module}, line {line}: no number by the reader"
                found.add((module, function))
    assert found == set(NO_FILE_DATA)


@pytest.mark.parametrize(
    "call",
    [
        "Fraction(x)",
        "fractions.Fraction(x)",
        "int(x)",
        "float(x + 1)",
        "int(-x)",
        "map(int, x)",
        "Fraction(*x)",
    ],
)
def test_a_number_made_of_text_is_found(call: str) -> None:
    """Each way to make a number of text, made on purpose, is found with its function."""
    tree = ast.parse(f"class A:\n    def f(x):\n        return [{call}, Fraction(0), Fraction(1, y)]")
    assert list(number_makers(tree)) == [("f", 3)]


def _words(file: Path) -> Iterator[str]:
    """The string constants of a file that are no documentation."""
    nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
    prose = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            yield node.value


def test_the_shared_packages_name_no_model_and_no_paper() -> None:
    """No string constant outside of models/ names a model or a paper, and no import a part of a model."""
    from schedsolve.models import models
    from schedsolve.network.named.families import families

    names_of_families = {family.name for family in families()}
    names = {model.name for model in models().values()}
    named = re.compile(r"\b(" + "|".join(sorted(names - {"line"})) + rf")\b|^line$|{PAPERS}")
    for file in FILES:
        module = module_name(file)
        of_models = module.startswith(OF_MODELS) or ".by_model" in module or module == "schedsolve.machines"
        if package(module) == "models" or of_models:
            continue
        assert not {m for m in imports(file) if m.startswith("schedsolve.models.")}, module
        if not module.startswith("schedsolve.network."):
            found = [text for text in _words(file) if text not in names_of_families and named.search(text)]
            assert not found, f"{module}: {found}"


OF_MODELS = (
    "schedsolve.drawing.demonstration", "schedsolve.experiments.designs.rounds_formula",
    "schedsolve.machines.streams", "schedsolve.machines.commands.steps",
)  # fmt: skip
"""What an extension keeps for single models beside its folders by_model/."""


def statements(whole: ast.AST) -> Iterator[ast.AST]:
    """What of a syntax tree may hold functions: statements at any depth, and what these consist of."""
    for part in ast.iter_child_nodes(whole):
        if isinstance(part, ast.stmt | ast.excepthandler | ast.match_case):
            yield part
            yield from statements(part)


def too_long(text: str) -> Iterator[str]:
    """What of a file is too long: itself over 400 lines, a line over 110 characters, a function over 60 lines
    with its docstring.
    """
    lines = text.splitlines()
    if len(lines) > 400:
        yield f"{len(lines)} lines"
    yield from (f"line {number}" for number, line in enumerate(lines, 1) if len(line) > 110)
    # Shorter files have no function that is too long.
    for node in statements(ast.parse(text)) if len(lines) >= 60 else ():
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            if node.end_lineno - node.lineno >= 60:
                yield node.name


COMPILED = {"compiled_covering", "compiled_sets", "loose_trees", "mending_moves", "symmetric_moves"}


@pytest.mark.parametrize("file", PYTHON_FILES, ids=lambda file: file.relative_to(ROOT).as_posix())
def test_files_are_read_in_one_sitting(file: Path) -> None:
    """Files and their functions are short, those of tests too; a line of a test may be a long text."""
    found = list(too_long(file.read_text(encoding="utf-8")))
    if file.is_relative_to(ROOT / "tests"):
        found = [one for one in found if not one.startswith("line ")]
    assert not found


def test_what_is_too_long_is_found() -> None:
    """One line, character or line of a function more than may be, and none where it is just short enough."""
    for extra in (0, 1):
        function = "def f():\n" + "    0\n" * (59 + extra)
        assert list(too_long(function)) == ["f"] * extra
        assert list(too_long("0\n" * (400 + extra))) == ["401 lines"] * extra
        assert list(too_long("#" * (110 + extra))) == ["line 1"] * extra


@pytest.mark.parametrize("ending", ["js", "css", "html"])
def test_the_pages_parts_are_read_in_one_sitting(ending: str) -> None:
    """Neither is a script, a style or a template of the page longer than 400 lines."""
    for file in (ROOT / "schedsolve").rglob(f"*.{ending}"):
        assert len(file.read_text(encoding="utf-8").splitlines()) <= 400, file.name


def test_slow_packages_are_imported_lazily() -> None:
    """No module imports numpy, networkx, a solver and their like at its top level, type checking aside; nor
    one of the modules that numba compiles, which do, as their functions are compiled where they are defined.
    """
    for file in FILES:
        if file.stem in COMPILED:
            continue
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = (
                    [alias.name for alias in node.names]
                    if isinstance(node, ast.Import)
                    else [node.module or ""]
                )
                first, last = ({name.split(".")[end] for name in names} for end in (0, -1))
                if isinstance(node, ast.ImportFrom):
                    last |= {alias.name for alias in node.names}
                assert not first & (SOLVERS | SLOW), module_name(file)
                assert not last & COMPILED, module_name(file)


def test_texts_of_others_are_escaped_in_one_module() -> None:
    """No other module has an escape of HTML, XML or the shell of its own, or writes CSV."""
    own = {"html", "xml.sax.saxutils", "shlex"}
    for file in FILES:
        if module_name(file) != "schedsolve.runtime.files.escapes":
            assert not own & {name.removesuffix(".escape") for name in imports(file)}, module_name(file)
            assert "csv.writer" not in file.read_text(encoding="utf-8"), module_name(file)


def broken_sentences(tree: ast.AST) -> Iterator[str]:
    """The docstrings with a comma before a full stop, a sentence twice in a row, or a sentence that ends with
    nothing but the name of a parameter behind a semicolon.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            text = " ".join((ast.get_docstring(node) or "").split())
            sentences = re.split(r"(?<=[.;]) ", text)
            names = {node.arg for node in ast.walk(node) if isinstance(node, ast.arg)}
            lonely = [x for before, x in pairwise(sentences) if before[-1:] == ";" and x[:-1] in names]
            if ",." in text or lonely or any(x.strip(".;") == y.strip(".;") for x, y in pairwise(sentences)):
                yield text


def test_docstrings_are_whole_sentences() -> None:
    """No docstring was cut at a wrong place."""
    for file in FILES:
        assert not list(broken_sentences(ast.parse(file.read_text(encoding="utf-8")))), module_name(file)


@pytest.mark.parametrize("text", ["If a node is unknown,.", "None for n. None for n.", "Map a link; turned."])
def test_a_broken_sentence_is_found(text: str) -> None:
    """Each of the three kinds, and none in a whole sentence."""
    function = 'def f(turned: bool):\n    """{}"""'
    assert list(broken_sentences(ast.parse(function.format(text)))) == [text]
    assert not list(broken_sentences(ast.parse(function.format("Map a link; it may be turned."))))
