"""The line model against brute force on all tiny networks, against known values, and its theorems against
both deciding searches.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

import networkx as nx
import pytest
from pysat.solvers import Solver

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Status
from schedsolve.modelkit.search import Options
from schedsolve.models import build_problem
from schedsolve.models.line.claims.formula import line_formula, refutation_formula
from schedsolve.models.line.claims.lower_bounds import LOWER_BOUNDS
from schedsolve.models.line.constructions.one_port import one_port_multicast
from schedsolve.models.line.constructions.tree_broadcast import tree_broadcast, tree_multicast
from schedsolve.models.line.constructions.tree_gossip import tree_gossip
from schedsolve.models.line.formulation import sat_search
from schedsolve.models.line.rules import replay
from schedsolve.network.graph import Network
from schedsolve.solving.solve import solve
from tests.models.decisions import Start, cpsat_search, wrong_decisions
from tests.reference.brute_force import connected_graphs, orbit_representatives, strongly_connected_digraphs
from tests.reference.line_brute_force import (
    accumulation_rounds,
    broadcast_rounds,
    gossip_rounds,
    multicast_rounds,
)

Asked = tuple[Problem, int]

BACKENDS: dict[str, Start] = {"sat": sat_search, "cpsat": cpsat_search}
TASKS = ("broadcast", "multicast", "accumulation", "gossip")
PORTS = (1, 2, None)
STEPS = [6, pytest.param(1, marks=pytest.mark.slow)]
"""Of the networks with at most 5 nodes, every how many-th is tried."""


@pytest.fixture(autouse=True)
def _little_time_for_heuristics(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searching heuristics get a moment only, so that tests are quick and more is left for the deciding
    searches.
    """
    monkeypatch.setattr("schedsolve.solving.solve_loop.FIRST_EFFORT_SECONDS", 0.02)


def posed(task: str, network: Network | str, ports: int | None = None, **options: Any) -> Problem:
    """A problem of the line model."""
    asked = options if ports is None else {**options, "ports": ports}
    return build_problem(
        "line", task, Network.from_spec(network) if isinstance(network, str) else network, asked
    )


def solved(
    task: str, network: Network | str, ports: int | None = None, *, backend: str | None = None, **options: Any
) -> int:
    """The optimum, which must be proven on both sides, by a schedule that the referee accepts."""
    problem = posed(task, network, ports, **options)
    result = solve(problem, Options(backend=backend))
    assert result.status is Status.OPTIMAL
    assert result.value == result.lower_bound
    assert result.schedule is not None
    seen = replay(problem if result.node is None else problem.at_node(result.node), result.schedule)
    assert (seen.violation, seen.value) == (None, result.value)
    assert isinstance(result.value, int)
    return result.value


def digraphs() -> list[nx.DiGraph]:
    """All strongly connected digraphs with two or three nodes, every fourth with four, and a few in which
    node 0 reaches all.
    """
    found = [
        *strongly_connected_digraphs(2),
        *strongly_connected_digraphs(3),
        *strongly_connected_digraphs(4)[::4],
    ]
    return [
        *found,
        *(
            nx.DiGraph(arcs)
            for arcs in ([(0, 1), (1, 2)], [(0, 1), (0, 2), (1, 3), (2, 3)], [(0, 1), (1, 2), (1, 3), (3, 4)])
        ),
    ]


@cache
def questions(task: str, step: int) -> list[Asked]:
    """Problems and their values by brute force, for every `step`-th of all connected graphs with at most 5
    nodes, and digraphs.

    With one source or root of every orbit, the best one, and in a multicast two sets of targets and two
    sources. A gossip with one port among 5 nodes with 7 edges or more is left out: hard for a formula, and
    settled by the odd number of nodes.
    """
    found: list[Asked] = []
    for graph, ports in product([*connected_graphs(), *digraphs()][::step], PORTS):
        network = Network.from_networkx(graph)
        strong = not graph.is_directed() or nx.is_strongly_connected(graph)
        if task == "gossip":
            if not graph.is_directed() and (ports != 1 or len(graph) < 5 or graph.number_of_edges() < 7):
                found.append((posed(task, network, ports), gossip_rounds(graph, ports)))
            continue
        for options, value in _asked(graph, task, ports, strong):
            found.append((posed(task, network, ports, **options), value))
    return found


def _asked(
    graph: nx.Graph, task: str, ports: int | None, strong: bool
) -> Iterator[tuple[dict[str, Any], int]]:
    n = graph.number_of_nodes()
    nodes = orbit_representatives(graph) if strong else [0]
    if task == "multicast":
        sets = list(dict.fromkeys([(n - 1,), tuple(range(0, n, 2)), tuple(range(1, n))]))
        for sources in [(nodes[-1],), (0, n - 1)]:
            if len(set(sources)) == len(sources) and all(sets):
                for targets, value in zip(sets, multicast_rounds(graph, ports, sources, sets), strict=True):
                    yield {"source": list(sources), "targets": list(targets)}, value
        return
    if task == "accumulation":
        nodes = nodes if strong else [n - 1]
        if not all(nx.has_path(graph, v, root) for root in nodes for v in graph):
            return
        name, values = "root", dict(zip(nodes, accumulation_rounds(graph, ports, nodes), strict=True))
    else:
        name, values = "source", {v: broadcast_rounds(graph, ports, v) for v in nodes}
    for node, value in values.items():
        yield {name: node}, value
    if strong:
        yield {name: "min"}, min(values.values())


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("task", TASKS)
def test_sat_decides_as_brute_force_does(task: str, step: int) -> None:
    """The formula with broken symmetries, as it is solved: one round less is refuted, the optimum found."""
    assert [
        wrong
        for problem, value in questions(task, step)
        for wrong in wrong_decisions(sat_search, problem, value)
    ] == []


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("task", TASKS)
def test_cpsat_decides_as_brute_force_does(task: str, step: int) -> None:
    """The integer program; every third question."""
    assert [
        wrong
        for problem, value in questions(task, step)[::3]
        for wrong in wrong_decisions(cpsat_search, problem, value)
    ] == []


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("task", TASKS)
def test_the_plain_formula_means_what_it_says(task: str, step: int) -> None:
    """As a proof refutes it: without symmetry breaking it has a model for exactly the numbers of rounds that
    suffice.
    """
    for problem, best in questions(task, step):
        for rounds in range(max(0, best - 1), best + 2):
            with Solver(name="glucose4", bootstrap_with=line_formula(problem, rounds).cnf.clauses) as solver:
                assert solver.solve() == (rounds >= best), (problem, rounds)
        if best:
            bound, cnf = refutation_formula(problem, {"rounds": best - 1})
            with Solver(name="glucose4", bootstrap_with=cnf.clauses) as solver:
                assert (bound, solver.solve()) == (best, False)


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("task", TASKS)
def test_lower_bounds_are_below_brute_force(task: str, step: int) -> None:
    """No theorem claims more than the optimum."""
    for problem, best in questions(task, step):
        assert max((bound.compute(problem) or 0 for bound in LOWER_BOUNDS), default=0) <= best, problem


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("task", TASKS)
def test_solve_gives_the_values_of_brute_force(task: str, step: int) -> None:
    """Bounds, constructions and searches together, on every fifth question; all ports never need more rounds
    than one.
    """
    values = {
        (p.task, p.network, str({**p.parameters, "ports": 0}), p.parameters["ports"]): value
        for p, value in questions(task, step)
    }
    for (name, network, options, ports), value in values.items():
        assert values[name, network, options, "all"] <= value <= values.get((name, network, options, 1), 3), (
            network,
            options,
            ports,
        )
    for problem, value in questions(task, step)[::5]:
        result = solve(problem)
        assert (result.status, result.value) == (Status.OPTIMAL, value), problem


@pytest.mark.parametrize("backend", [None, "sat", "cpsat"])
@pytest.mark.parametrize(("task", "network", "ports", "value"), [
    ("broadcast", "path:1", None, 0),
    ("broadcast", "path:2", 1, 1),
    ("accumulation", "path:1", 1, 0),
    ("accumulation", "path:2", None, 1),
    ("gossip", "path:1", None, 0),
    ("gossip", "path:2", 1, 1),
    ("broadcast", "path:9", 1, 4),
    ("broadcast", "torus:3x3", None, 2),
    ("broadcast", "star:9", None, 1),
    ("broadcast", "star:9", 1, 4),
    ("broadcast", "complete:9", 2, 2),
    ("gossip", "star:6", None, 2),
])  # fmt: skip
def test_known_values(task: str, network: str, ports: int | None, value: int, backend: str | None) -> None:
    """One and two nodes, powers of the ports and one, by every backend."""
    assert solved(task, network, ports, backend=backend) == value


@pytest.mark.parametrize(
    ("task", "network", "ports", "value"),
    [
        ("broadcast", "hypercube:7", None, 3),
        ("broadcast", "grid:8x8", None, 4),
        ("broadcast", "torus:8x8", None, 3),
        ("gossip", "petersen", None, 2),
        ("gossip", "cycle:8", None, 3),
        ("gossip", "grid:3x3", None, 3),
        ("gossip", "cycle:6", 1, 3),
    ],
)
def test_values_found_by_search(task: str, network: str, ports: int | None, value: int) -> None:
    """Larger networks, solved to proven optimality."""
    assert solved(task, network, ports) == value


def test_one_port_broadcast_takes_the_logarithm_anywhere() -> None:
    """Farley: ceil(log2 n) rounds in every connected network, from the best and the worst source too."""
    for graph in connected_graphs(6)[::6]:
        n = graph.number_of_nodes()
        for source in ("min", "max", 0):
            assert solved("broadcast", Network.from_networkx(graph), 1, source=source) == (n - 1).bit_length()


def trees(most: int) -> list[nx.Graph]:
    """All trees of 2 to `most` nodes."""
    return [tree for n in range(2, most + 1) for tree in nx.nonisomorphic_trees(n)]


def away_from(tree: nx.Graph, source: int) -> Network:
    """The tree with all its edges directed away from the source."""
    return Network(
        tree.number_of_nodes(), tuple((int(u), int(v)) for u, v in nx.bfs_edges(tree, source)), directed=True
    )


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("directed", [False, True])
def test_tree_protocols_take_the_least_rounds_by_search(directed: bool, step: int) -> None:
    """Trees with at most 8 nodes, from every source: SAT finds no shorter one, and one as short."""
    for tree in trees(8)[::step]:
        for source in tree:
            network = away_from(tree, source) if directed else Network.from_networkx(tree)
            problem = posed("broadcast", network, source=source)
            assert [*wrong_decisions(sat_search, problem, len(tree_broadcast(network, source)))] == []


def test_one_port_protocols_in_trees_take_the_least_rounds_by_search() -> None:
    """Farley's protocol from the middle node of all trees with at most 7 nodes."""
    for tree in trees(7):
        network, source = Network.from_networkx(tree), tree.number_of_nodes() // 2
        rounds = len(one_port_multicast(network, source, range(network.node_count)))
        assert [*wrong_decisions(sat_search, posed("broadcast", network, 1, source=source), rounds)] == []


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("backend", BACKENDS)
def test_tree_gossip_takes_the_least_rounds_by_search(backend: str, step: int) -> None:
    """Trees with at most 7 nodes."""
    for tree in trees(7)[::step]:
        problem = posed("gossip", Network.from_networkx(tree))
        assert [*wrong_decisions(BACKENDS[backend], problem, len(tree_gossip(problem.network)))] == []


def random_tree(n: int, rng: random.Random) -> Network:
    """A tree in which every node hangs on one of a random number of nodes before it."""
    reach = rng.choice([1, 2, 4, n])
    return Network(n, tuple((rng.randrange(max(0, v - reach), v), v) for v in range(1, n)))


@pytest.mark.parametrize(
    "seed", [1, 2, 3, *(pytest.param(seed, marks=pytest.mark.slow) for seed in [0, *range(4, 20)])]
)
def test_larger_tree_protocols_take_the_least_rounds_by_search(seed: int) -> None:
    """Trees of 12 to 60 nodes, one in four above 30, a broadcast and a multicast from a random source, by
    CP-SAT.
    """
    rng = random.Random(seed)
    n = rng.randint(12, 30) if seed % 4 else rng.randint(31, 60)
    network, source = random_tree(n, rng), rng.randrange(n)
    problem = posed("broadcast", network, source=source)
    assert [*wrong_decisions(cpsat_search, problem, len(tree_broadcast(network, source)))] == []
    targets = rng.sample(range(n), rng.randint(2, n))
    problem = posed("multicast", network, source=source, targets=targets)
    assert [*wrong_decisions(cpsat_search, problem, len(tree_multicast(network, source, targets)))] == []
