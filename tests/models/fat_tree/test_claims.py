"""Small parts of the fat-tree's referee and claims that larger tests reach in one case only."""

from __future__ import annotations

from itertools import product
from math import isqrt

import pytest

from schedsolve.modelkit.formulas.cnf import Cnf
from schedsolve.models import build_problem, model_of
from schedsolve.models.fat_tree.claims.crossings import crossing_time
from schedsolve.models.fat_tree.claims.halves_formula import halves_formula
from schedsolve.models.fat_tree.claims.ladder import at_most_one
from schedsolve.models.fat_tree.rules.tree import SHAPES, FatTree, processor_count
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError


class Slow:
    """Nobody informs anybody: a message has one operand, and stays where it comes."""

    def at(self, height: int, time: int) -> int:
        """How many processors a broadcast informs."""
        return 1


def accounted(tree: FatTree, left: int) -> int:
    """The pairs for which messages account in the time, one for each crossing, and for each two crossings
    with one back between: sent at s, at least 4 m before the second, which has `left` - u after it.
    """
    m, across = tree.height, tree.capacities[tree.height - 1]
    once = across * (left + 1)
    twice = sum(1 for s, u in product(range(left + 1), repeat=2) if s + u <= left - 4 * m) * across**2
    return once + twice


@pytest.mark.parametrize(
    "tree", [FatTree(3, (1, 1, 1, 1)), FatTree(4, (1, 1, 1, 1, 1)), FatTree(3, (1, 2, 2, 2))]
)
def test_crossings_with_returns(tree: FatTree) -> None:
    """Where messages are slow those that go back across the root count too."""
    half = 1 << (tree.height - 1)
    time = crossing_time(tree, Slow())  # type: ignore[arg-type]
    assert (
        accounted(tree, time - 2 * tree.height) >= half * half > accounted(tree, time - 1 - 2 * tree.height)
    )


@pytest.mark.parametrize("n", [1 << k for k in range(1, 24)])
def test_capacities_in_whole_numbers(n: int) -> None:
    """The largest whole numbers that are not above n^(2/3) and n^(1/2)."""
    root = SHAPES["two-thirds"](n)
    assert root**3 <= n * n < (root + 1) ** 3
    assert SHAPES["sqrt"](n) == isqrt(n)


def test_what_is_a_fat_tree() -> None:
    """Two processors at least, a power of 2, each node below its half, and no arcs."""
    assert processor_count(Network.from_spec("fat-tree:4")) == 4
    assert processor_count(Network.from_spec("fat-tree:2")) == 2
    for other in (
        Network(1, ()),
        Network(2, ((0, 1),)),
        Network.from_spec("path:7"),
        Network.from_spec("star:5"),
    ):
        assert processor_count(other) is None
    edges = Network.from_spec("fat-tree:2").edges
    assert processor_count(Network(3, edges, directed=True)) is None


@pytest.mark.parametrize("run", [[0], [0, 1, 2], [-1, 0], [0, "1"], ["0", "1"]])
def test_malformed_runs(run: list[object]) -> None:
    """A run is two numbers of 0 or more."""
    problem = build_problem("fat-tree", "prefix", Network.from_spec("fat-tree:2"))
    call = {"from": 0, "to": 1, "operands": run}
    with pytest.raises(InputError, match="operands are the first and the last"):
        model_of(problem).form.read({"rounds": [[call]]}, problem.network)
    read = model_of(problem).form.read({"rounds": [[{**call, "operands": [0, 1]}]]}, problem.network)
    assert [tuple(call.payload or ()) for calls in read.rounds for call in calls] == [(0, 1)]


def test_what_crosses_the_root() -> None:
    """As many messages as the channel below the root carries, and as a half has processors."""
    assert halves_formula(FatTree(2, (1, 1, 9)), 5).across == 1
    assert halves_formula(FatTree(2, (1, 2, 2)), 5).across == 2
    assert halves_formula(FatTree(2, (1, 9, 9)), 5).across == 2


def test_at_most_one_of_any_number() -> None:
    """By pairs and by a ladder: just one literal may hold, whichever it is."""
    from pysat.solvers import Solver

    for count in range(1, 9):
        cnf = Cnf()
        literals = [cnf.new() for _ in range(count)]
        at_most_one(cnf, literals)
        with Solver("minisat22", bootstrap_with=cnf.clauses) as solver:
            for one, other in product(literals, repeat=2):
                assert solver.solve(assumptions=[one, other]) == (one == other)
            assert solver.solve(assumptions=[-x for x in literals])
