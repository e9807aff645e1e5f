"""The runner of mutants: what is altered, that a mutant is really run, and what the table says."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest

from tests.mutants import __main__ as runner
from tests.mutants import patching, sampling
from tests.mutants.operators import Mutant, mutants_of, mutated
from tests.mutants.sampling import files, interval, sample

SOURCE = '''
"""Docstring 1."""
MOST = 3


def f(x: int) -> bool:
    if x < MOST and not x == 0:
        raise ValueError(f"{x + 1}")
    return any(y for y, _ in zip(range(x), range(x), strict=True) if y > 1)
'''
ROOT = Path(__file__).parents[2]


def test_what_is_altered() -> None:
    """Comparisons, conditions, constants, functions, filters and results; no messages, docstrings and
    assertions.
    """
    changes = {mutant.what for mutant in mutants_of("f.py", SOURCE)}
    for change in (
        "MOST = 3: 3 -> 4",
        "MOST = 3: 3 -> 2",
        "y > 1: 1 -> 2",
        "x < MOST -> x <= MOST",
        "x == 0 -> x != 0",
        "x < MOST and (not x == 0) -> x < MOST or not x == 0",
        "x < MOST and (not x == 0) -> x < MOST",
        "not x == 0 -> x == 0",
        "if x < MOST and (not x == 0): -> if False:",
        "y > 1 -> y >= 1",
        "y > 1 -> ",
        "any((y for y, _ in zip(range(x), range(x), strict=True) if y > 1)) -> "
        "all((y for y, _ in zip(range(x), range(x), strict=True) if y > 1))",
    ):
        assert change in changes, changes
    assert not any(change.startswith("strict") for change in changes)
    assert not any("ValueError" in change or "Docstring" in change for change in changes)


def test_every_mutant_is_a_program_of_its_own() -> None:
    """It compiles, and differs from the file and from every other."""
    texts = [ast.unparse(mutated(SOURCE, mutant.number)) for mutant in mutants_of("f.py", SOURCE)]
    assert len({*texts, ast.unparse(ast.parse(SOURCE))}) == len(texts) + 1
    with pytest.raises(IndexError):
        mutated(SOURCE, len(texts))


@pytest.mark.parametrize(
    ("what", "function"),
    [("n < 3 -> n <= 3", "odd_gossip_rounds"), ("9 -> 10", "")],
    ids=["inside", "outside"],
)
def test_a_mutant_runs(what: str, function: str) -> None:
    """In a process of its own: by exchanging the code of its function, or by importing its module once
    more.
    """
    file = "schedsolve/modelkit/theorem_bounds.py" if function else "schedsolve/modelkit/formulas/proof.py"
    source = (ROOT / file).read_text(encoding="utf-8")
    found = [m for m in mutants_of(file, source) if m.function == function]
    mutant = next((m for m in found if m.what == what), None)
    if mutant is None:
        file = "models/fat_tree/claims/lower_bounds.py"
        source = (ROOT / file).read_text(encoding="utf-8")
        mutant = next(m for m in mutants_of(file, source) if m.what == "TALLEST_SEQUENCES = 12: 12 -> 11")
    child = os.fork()
    if child == 0:
        code = 9
        try:
            patching.apply(mutant)
            code = _seen(function)
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def _seen(function: str) -> int:
    """0 where the mutant shows."""
    from schedsolve.models import build_problem
    from schedsolve.models.fat_tree.claims.lower_bounds import round_growth
    from schedsolve.models.matching.claims.lower_bounds import odd_order
    from schedsolve.network.graph import Network

    if function:
        problem = build_problem("telephone", "gossip", Network.from_spec("path:3"))
        return int(odd_order(problem) is not None)
    tall = Network.from_spec("fat-tree:4096")
    problem = build_problem("fat-tree", "broadcast", tall, {"timing": "rounds"})
    return int(round_growth(problem) is not None)


def test_the_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    """It repeats with its seed, has every file, and so many mutants of each at most."""
    few = ["models/fat_tree/claims/ladder.py", "models/line/claims/__init__.py", "models/line/rules.py"]
    assert set(few) < set(files())
    monkeypatch.setattr(sampling, "files", lambda: few)
    chosen = sample(1, 2)
    assert chosen == sample(1, 2) != sample(2, 2)
    assert [sum(mutant.file == file for mutant in chosen) for file in few] == [2, 0, 2]


def test_the_interval() -> None:
    """Wilson's, as tables have it."""
    low, high = interval(8, 10)
    assert (round(low, 3), round(high, 3)) == (0.490, 0.943)
    assert interval(0, 0) == (0.0, 1.0)


def test_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is equivalent counts neither as caught nor as tried."""
    mutants = [Mutant("models/line/rules.py", i, 1, "f", f"{i}") for i in range(4)]
    outcomes = ("battery", "tests", "survived", "survived")
    monkeypatch.setattr(runner, "equivalent", lambda: {runner.key_of(mutants[3]): "the same"})
    data = {(m.file, m.number, m.what): (m, said) for m, said in zip(mutants, outcomes, strict=True)}
    assert "| models/line | 4 | 1 | 1 | 0 | 1 | 1 | 67% (21% to 94%) |" in runner.table(data)


def test_the_survivors_have_reasons() -> None:
    """Each entry of the list says why it is let go, and names a file that is mutated."""
    listed = runner.equivalent()
    assert {file for file, _, _ in listed} <= set(files())
    assert all(reason.startswith(("Equivalent", "Let go")) for reason in listed.values())


def test_what_is_listed_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry whose code has changed is named."""
    file = "models/routing/rules.py"
    mutant = mutants_of(file, (ROOT / file).read_text(encoding="utf-8"))[0]
    stale = (file, "f", "gone -> gone")
    monkeypatch.setattr(runner, "equivalent", lambda: {runner.key_of(mutant): "kept", stale: "gone"})
    assert runner.outdated() == [stale]
