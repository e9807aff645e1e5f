"""One-way gossip with busy ends: the same answers as brute force where nodes may be idle in the first round
and in the last, and what is refused as a proof.
"""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import networkx as nx
import pytest
from pysat.solvers import Solver

from schedsolve.backends.sat import decide
from schedsolve.modelkit.problem import Problem
from schedsolve.models.matching.claims.busy_ends import PREMISE, busy_ends_refuted, short_ends
from schedsolve.models.matching.claims.ends import calls_left, pairs_excluded
from schedsolve.models.matching.claims.fewest_calls import PREMISE as FEWEST_CALLS
from schedsolve.models.matching.claims.fewest_calls import fewest_calls_formula
from schedsolve.models.matching.claims.refutations import refuted
from schedsolve.models.matching.formulation.sat import _fewest_calls_allowed, decode
from schedsolve.models.matching.rules import replay
from schedsolve.network.automorphisms import automorphisms
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError
from tests.evidence import builders
from tests.models.matching.problems import posed
from tests.models.matching.refutations import FAILS, proven
from tests.reference.brute_force import connected_graphs, gossip_rounds, strongly_connected_digraphs

Json = dict[str, Any]


def _suffices(problem: Problem, rounds: int) -> bool:
    """Whether the formula has a model; one is replayed."""
    network = problem.network
    formula = fewest_calls_formula(problem, rounds, automorphisms(network), short=short_ends(network))
    answer, true = decide(formula.cnf, 600.0)
    assert answer is not None
    if answer:
        assert replay(*decode(problem, formula, true)).violation is None
    return answer


def test_the_same_as_by_brute_force() -> None:
    """On graphs and digraphs, many of them with short ends."""
    graphs = [*connected_graphs(4), *connected_graphs(5), *strongly_connected_digraphs(3)]
    graphs += strongly_connected_digraphs(4)
    graphs += [nx.path_graph(6), nx.Graph([(0, 1), (0, 2), (0, 3), (1, 2), (3, 4), (4, 5)])]
    short = [graph for graph in graphs if any(short_ends(Network.from_networkx(graph)))]
    assert len(short) == 20
    for graph in [*short, *graphs[::9]]:
        problem, best = (
            posed("telegraph", "gossip", Network.from_networkx(graph)),
            gossip_rounds(graph, False),
        )
        for rounds in range(max(3, best - 1), best + 1):
            assert _suffices(problem, rounds) == (rounds == best), (graph.edges, rounds)


@pytest.mark.parametrize("spec", ["star:6", "path:6", "tree:2,2", "kautz:2,2", "petersen"])
def test_the_short_ends(spec: str) -> None:
    """Those sets of senders that no other contains, and fewer than half of the nodes; and of receivers."""
    network = Network.from_spec(spec)
    half = network.node_count // 2
    for one, found in zip((network, network.reversed()), short_ends(network), strict=True):
        able = {nodes for nodes in _subsets(network, half) if _all_call(one, nodes)}
        largest = {nodes for nodes in able if not any(nodes < other for other in able)}
        assert set(found) == {nodes for nodes in largest if len(nodes) < half}


def _subsets(network: Network, most: int) -> list[frozenset[int]]:
    nodes = range(network.node_count)
    return [frozenset(chosen) for size in range(most + 1) for chosen in combinations(nodes, size)]


def _all_call(network: Network, senders: frozenset[int]) -> bool:
    graph = nx.Graph((("from", u), v) for u, v in network.arcs if u in senders and v not in senders)
    tops = [node for node in graph if isinstance(node, tuple)]
    return len(tops) == len(senders) and (
        not tops or len(nx.bipartite.hopcroft_karp_matching(graph, tops)) == 2 * len(tops)
    )


def test_calls_left_by_leaving_nodes_out() -> None:
    """So many nodes are left out in all ways; the calls are the pairs (0, 1), (2, 3) and so on."""
    for p, spare in product(range(1, 5), range(4)):
        nodes = range(p + spare)
        for calls in range((p + spare) // 2 + 1):
            pairs = [{2 * k, 2 * k + 1} for k in range(calls)]
            found = {sum(not pair & {*out} for pair in pairs) for out in combinations(nodes, spare)}
            assert calls_left(calls, spare, p) == found


def test_excluded_numbers_of_more_silent_nodes() -> None:
    """With one node more that is silent in the first round, one of (1, 2) and (2, 2) forbids two calls."""
    assert set(pairs_excluded(0, 0, 4, {(2, 2)})) == {(2, 2)}
    assert set(pairs_excluded(1, 0, 4, {(2, 2)})) == {(2, 2)}
    assert set(pairs_excluded(1, 0, 4, {(1, 2), (2, 2)})) == {(1, 2), (2, 2)}
    assert set(pairs_excluded(1, 1, 3, {(1, 1)})) == {(1, 1), (1, 2), (2, 1), (2, 2)}
    assert set(pairs_excluded(0, 0, 3, ())) == set()


def test_outer_calls_of_short_ends() -> None:
    """In a star one node calls or is called. Where no two silent nodes talk, prices that exclude (0, 0) for
    any three of them forbid it, and those that exclude (1, 1) do not.
    """
    problem = posed("telegraph", "gossip", "star:6")
    short = short_ends(problem.network)
    for pair, allowed in (((0, 0), False), ((1, 1), True)):
        formula = fewest_calls_formula(problem, 12, [], {pair}, short)
        idle = [-formula.call(a, t) for a in range(len(formula.links)) for t in (2, 11)]
        with Solver(name="minisat22", bootstrap_with=formula.cnf.clauses) as solver:
            assert solver.solve(idle) == allowed


@pytest.fixture(scope="module")
def path() -> tuple[Problem, Json]:
    """A path with a short end, and what refutes five rounds, with prices."""
    problem = posed("telegraph", "gossip", "path:6")
    return problem, builders.busy_ends(problem)


def test_a_proof_is_replayed(path: tuple[Problem, Json]) -> None:
    """The premise is named, with prices, and the bound follows; it is no proof by fewest calls."""
    problem, evidence = path
    assert (evidence["premise"], len(evidence["outer_calls"])) == (PREMISE, 2)
    assert [len(sets) for sets in short_ends(problem.network)] == [1, 1]
    assert proven(problem, evidence) == 6
    with pytest.raises(ClaimError, match=FAILS):
        proven(problem, evidence | {"premise": FEWEST_CALLS})


def test_what_is_refused(path: tuple[Problem, Json], monkeypatch: pytest.MonkeyPatch) -> None:
    """More rounds, other symmetries and problems, networks that are too large and sets that are too many."""
    problem, evidence = path
    for changed, says in (
        ({"rounds": 6}, "no price|earns more|allow"),
        ({"rounds": 6, "outer_calls": []}, FAILS),
        ({"rounds": 2}, "at least 3 rounds"),
        ({"symmetries": [[1, 0, 2, 3, 4, 5]]}, "no automorphism"),
    ):
        with pytest.raises(ClaimError, match=says):
            proven(problem, evidence | changed)
    for other, says in (
        (posed("telephone", "gossip", "path:6"), "for one-way gossip"),
        (posed("telegraph", "broadcast", "path:6"), "for one-way gossip"),
        (posed("telegraph", "gossip", "path:17"), "at most 16 nodes"),
    ):
        with pytest.raises(ClaimError, match=f"{PREMISE}: .*{says}"):
            busy_ends_refuted(other, evidence | {"outer_calls": [], "symmetries": []})
    monkeypatch.setattr("schedsolve.models.matching.claims.busy_ends.MOST_SETS", 0)
    with pytest.raises(ClaimError, match="more than 0 sets"):
        refuted(problem, evidence)


def test_where_solve_asks_for_it() -> None:
    """Heawood's graph in seven rounds: prices leave four pairs, and at each end 28 short sets are left."""
    network = Network.from_networkx(nx.heawood_graph())
    asked = _fewest_calls_allowed(posed("telegraph", "gossip", network), 7)
    assert asked is not None
    assert asked.short is not None
    assert [len(sets) for sets in asked.short] == [28, 28]
    every = {(c, d) for c in range(4) for d in range(4)}
    assert every - asked.excluded == {(2, 2), (2, 3), (3, 2), (3, 3)}
    for spec, rounds in (("cycle:14", 8), ("random-regular:3,14", 7), ("circulant:14,1,2", 7)):
        other = _fewest_calls_allowed(posed("telegraph", "gossip", spec), rounds)
        assert (other is not None) == (spec == "random-regular:3,14")
