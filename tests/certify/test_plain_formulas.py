"""The plain formulas of the matching models against brute force, and the kernel that replays refutations."""

from __future__ import annotations

from itertools import product

import networkx as nx
import pytest

from schedsolve.certify.propagation import replay_refutation
from schedsolve.modelkit.formulas.cnf import Cnf
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.refutation import break_symmetries
from schedsolve.models import build_problem
from schedsolve.models.matching.claims.formula import refutation_formula, rounds_formula
from schedsolve.network.automorphisms import automorphisms
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError
from tests.reference.brute_force import (
    accumulation_rounds,
    atlas,
    broadcast_rounds,
    gossip_rounds,
    multicast_rounds,
)


def questions() -> list[Problem]:
    """Small problems of every task in both modes, the undirected ones on all connected graphs with two to
    four nodes.
    """
    graphs = [g for g in atlas() if 2 <= len(g) <= 4 and nx.is_connected(g)]
    found = []
    for model, graph in product(("telegraph", "telephone"), graphs):
        network = Network.from_networkx(graph)
        last = network.node_count - 1
        for task, options in (
            ("gossip", {}),
            ("broadcast", {"source": 0}),
            ("broadcast", {"source": "min"}),
            ("accumulation", {"root": last}),
            ("multicast", {"source": [0], "targets": [last]}),
        ):
            found.append(build_problem(model, task, network, options))
    return found


def least_rounds(problem: Problem) -> int:
    """The least number of rounds by brute force."""
    graph, two_way = problem.network.to_networkx(), problem.model == "telephone"
    if problem.task == "gossip":
        return gossip_rounds(graph, two_way)
    if problem.choice == "min":
        return min(broadcast_rounds(graph, two_way, [v]) for v in graph)
    if problem.task == "accumulation":
        return accumulation_rounds(graph, two_way)[problem.sources[0]]
    return multicast_rounds(graph, two_way, problem.sources, [problem.targets])[0]


def satisfiable(cnf: Cnf) -> bool:
    """Whether the formula has a model."""
    from pysat.solvers import Solver

    with Solver(name="glucose4", bootstrap_with=cnf.clauses) as solver:
        return bool(solver.solve())


def test_the_plain_formula_means_what_it_says() -> None:
    """On small networks the plain formula has a model for exactly the numbers of rounds that a brute-force
    search finds to suffice, and breaking all symmetries changes nothing.
    """
    for problem in questions():
        best = least_rounds(problem)
        symmetries = automorphisms(problem.network)
        if problem.task != "gossip" and not problem.choice:
            kept = (set(problem.sources), set(problem.targets))
            symmetries = tuple(s for s in symmetries if all({s[v] for v in part} == part for part in kept))
        for rounds in range(best + 2):
            formula = rounds_formula(problem, rounds)
            assert satisfiable(formula.cnf) == (rounds >= best), (problem, rounds)
            break_symmetries(formula, problem, symmetries if rounds else ())
            assert satisfiable(formula.cnf) == (rounds >= best), (problem, rounds, "symmetries")


def test_the_kernel_accepts_a_resolution_and_refuses_a_jump() -> None:
    """The replay accepts lemmas that follow by unit propagation, and no others."""
    square = [[1, 2], [1, -2], [-1, 2], [-1, -2]]
    assert replay_refutation(square, 2, ["1 0", "0"]) == 2
    assert replay_refutation(square, 2, ["1 0", "d 1 2 0"]) == 1
    with pytest.raises(ClaimError, match="does not follow"):
        replay_refutation(square, 2, ["0"])
    with pytest.raises(ClaimError, match="does not follow"):
        replay_refutation([[1, 2]], 2, ["1 0"])
    with pytest.raises(ClaimError, match="without a contradiction"):
        replay_refutation([[1, 2], [-1, 2]], 2, ["2 0"])
    with pytest.raises(ClaimError, match="not a clause"):
        replay_refutation(square, 2, ["1"])


def test_a_refutation_speaks_of_a_number_of_rounds() -> None:
    """Evidence with no number of rounds, or with symmetries of another shape, is refused."""
    problem = build_problem("telephone", "gossip", Network.from_spec("path:3"))
    for bad in (
        {},
        {"rounds": -1},
        {"rounds": "2"},
        {"rounds": 2, "symmetries": [3]},
        {"rounds": 2, "symmetries": [["a"]]},
    ):
        with pytest.raises(ClaimError):
            refutation_formula(problem, bad)
