"""One-way gossip by its inner rounds: the formula says what trying everything says of the rounds between the
first and the last, and what is refused as a proof.
"""

from __future__ import annotations

from itertools import combinations, product
from random import Random
from typing import Any

import networkx as nx
import pytest
from pysat.solvers import Solver

from schedsolve.backends.sat import SatSearch, decide
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.search import GivenUpError, Options, Question
from schedsolve.models.matching.claims.fewest_calls import PREMISE as FEWEST_CALLS
from schedsolve.models.matching.claims.inner_rounds import (
    PREMISE,
    InnerRoundsFormula,
    Places,
    inner_rounds_formula,
)
from schedsolve.models.matching.claims.refutations import refuted
from schedsolve.models.matching.formulation.inner_rounds import inner_rounds_search
from schedsolve.network.automorphisms import automorphisms
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError
from schedsolve.solving.solve import solve
from tests.evidence import builders
from tests.models.matching.problems import posed
from tests.models.matching.refutations import FAILS, proven
from tests.reference.brute_force import (
    arcs_of,
    connected_graphs,
    gossip_rounds,
    least_rounds,
    strongly_connected_digraphs,
)

Json = dict[str, Any]


def _by_trying_everything(graph: nx.Graph) -> int:
    """Two more than the fewest rounds that bring the items of some half of the nodes to some half, where each
    of these items is known to its own node alone at first.
    """
    n = graph.number_of_nodes()
    halves = [frozenset(nodes) for nodes in combinations(range(n), (n + 1) // 2)]
    found = []
    for origins in halves:
        items = sum(1 << v for v in origins)
        start = tuple((1 << v) & items for v in range(n))
        goals = [tuple(items if v in half else 0 for v in range(n)) for half in halves]
        found += [
            value for value in least_rounds(n, arcs_of(graph), False, start, goals) if value is not None
        ]
    return 2 + min(found)


def _random_graphs() -> list[nx.Graph]:
    """Six nodes, some networks directed."""
    rng, found = Random(2), []
    for directed in (False, True) * 4:
        graph = nx.cycle_graph(6, nx.DiGraph if directed else nx.Graph)
        graph.add_edges_from(rng.sample(range(6), 2) for _ in range(rng.randrange(4)))
        found.append(graph)
    return found


def test_the_same_as_by_trying_everything() -> None:
    """With all automorphisms, on connected graphs and strongly connected digraphs."""
    graphs = [*connected_graphs(4), *connected_graphs(5), *strongly_connected_digraphs(4)[::5]]
    answers = []
    for graph in [*graphs, *_random_graphs()]:
        network = Network.from_networkx(graph)
        best, needed = gossip_rounds(graph, False), _by_trying_everything(graph)
        assert needed <= max(best, 2)
        for rounds in range(4, best + 1):
            formula = inner_rounds_formula(network, rounds, automorphisms(network))
            answer, _ = decide(formula.cnf, 600.0)
            assert answer == (rounds >= needed), (graph.edges, rounds)
            answers.append(answer)
    assert answers.count(False) > 30


def _all_pairs(network: Network) -> set[tuple[int, int]]:
    numbers = range((network.node_count + 1) // 4 + 1)
    return set(product(numbers, numbers))


def _true(variables: Any, true: set[int]) -> int:
    return sum(x in true for x in variables)


def _one_way(n: int, *steps: int) -> Network:
    """Node v has arcs to v plus each of the steps."""
    return Network(n, tuple(sorted((v, (v + step) % n) for v in range(n) for step in steps)), directed=True)


@pytest.mark.parametrize(
    "network", [*map(Network.from_spec, ("cycle:7", "cycle:8", "complete:8")), _one_way(8, 1, 3)]
)
def test_the_places_of_a_model(network: Network) -> None:
    """They are disjoint, count half of the nodes, and those alone see only others; numbers of merged ones
    that are excluded do not come up.
    """
    rounds, met = 7, set()
    for pair in sorted(_all_pairs(network)):
        formula = inner_rounds_formula(network, rounds, excluded=_all_pairs(network) - {pair})
        answer, true = decide(formula.cnf, 600.0)
        if answer:
            met.add(pair)
            merged = [_true(ends.merged.values(), true) for ends in (formula.starts, formula.ends)]
            assert tuple(merged) == pair
            for places, one in ((formula.starts, network), (formula.ends, network.reversed())):
                _check_places(places, one, true)
    assert len(met) > 1
    formula = inner_rounds_formula(network, rounds, excluded=_all_pairs(network))
    assert decide(formula.cnf, 600.0)[0] is False


def _check_places(places: Places, network: Network, true: set[int]) -> None:
    pairs = [link for link, x in places.pairs.items() if x in true]
    merged = [arc for arc, x in places.merged.items() if x in true]
    alone = [v for v, x in enumerate(places.alone) if x in true]
    taken = [v for link in (*pairs, *merged) for v in link]
    assert len({*taken, *alone}) == len(taken) + len(alone)
    assert len(pairs) + 2 * len(merged) + len(alone) == (network.node_count + 1) // 2
    assert [v for v, x in enumerate(places.seconds) if x in true] == sorted(v for _, v in merged)
    assert all({v} | set(network.successors[v]) <= {v, *taken} for v in alone)


def _formula(network: Network, rounds: int) -> InnerRoundsFormula:
    return inner_rounds_formula(network, rounds, automorphisms(network))


def test_of_images_the_largest() -> None:
    """On a cycle of six nodes a second node of a merged place, at any end, means that node 0 is one of items;
    without any a pair means nodes 0 and 1. On a directed cycle the other end may be anywhere.
    """
    undirected = Network.from_spec("cycle:6")
    directed = _one_way(6, 1)
    for network in (undirected, directed):
        f = _formula(network, 12)
        starts, ends, first = f.starts, f.ends, f.starts.pairs[0, 1]
        none = [-x for x in (*starts.seconds, *ends.seconds)]
        with Solver(name="minisat22", bootstrap_with=f.cnf.clauses) as solver:
            assert not solver.solve([-starts.seconds[0], starts.seconds[1]])
            assert solver.solve([-starts.seconds[0], ends.seconds[1]]) == network.directed
            assert solver.solve([starts.seconds[0], ends.seconds[1]])
            assert not solver.solve([*none, -first, starts.pairs[1, 2]])
            assert solver.solve([*none, first, ends.pairs[1, 2]])


def test_run_backwards_the_largest() -> None:
    """Without any automorphism the places of items are at least those of who has to know all."""
    for network in (Network.from_spec("path:6"), _one_way(6, 1)):
        f = inner_rounds_formula(network, 12)
        none = [-x for x in (*f.starts.seconds, *f.ends.seconds)]
        with Solver(name="minisat22", bootstrap_with=f.cnf.clauses) as solver:
            merged = [-f.starts.seconds[0], f.ends.seconds[0]]
            pairs = [*none, -f.starts.pairs[0, 1], f.ends.pairs[0, 1]]
            for later in (merged, pairs):
                assert solver.solve(later) == network.directed


def test_who_is_alone() -> None:
    """On a directed cycle the next node is of a pair or merged, and the node before need not be; backwards it
    is the other way round.
    """
    formula = inner_rounds_formula(_one_way(6, 1), 12)
    with Solver(name="minisat22", bootstrap_with=formula.cnf.clauses) as solver:
        for places, following in ((formula.starts, 1), (formula.ends, 5)):
            for v in (1, 5):
                free = [-x for link, x in (*places.pairs.items(), *places.merged.items()) if v in link]
                assert solver.solve([places.alone[0], *free]) == (v != following)


@pytest.fixture(scope="module")
def cycle() -> tuple[Problem, Json]:
    """What refutes five rounds, with prices."""
    problem = posed("telegraph", "gossip", "cycle:6")
    return problem, builders.inner_rounds(problem)


def test_a_proof_is_replayed(cycle: tuple[Problem, Json]) -> None:
    """The premise is named, with prices, and the bound follows; it is no proof by fewest calls."""
    problem, evidence = cycle
    assert evidence["premise"] == PREMISE
    assert evidence["outer_calls"]
    assert proven(problem, evidence) == 6
    with pytest.raises(ClaimError, match=FAILS):
        proven(problem, evidence | {"premise": FEWEST_CALLS})


def test_what_is_refused(cycle: tuple[Problem, Json]) -> None:
    """More rounds, other symmetries and problems, and too many symmetries."""
    problem, evidence = cycle
    for changed, says in (
        ({"rounds": 6}, "no price|earns more|allow"),
        ({"rounds": 6, "outer_calls": []}, FAILS),
        ({"rounds": 3}, f"{PREMISE}: .* at least 4 rounds"),
        ({"symmetries": [[1, 0, 2, 3, 4, 5]]}, "no automorphism"),
        ({"symmetries": [[0, 1, 2, 3, 4, 5]] * 12000}, "too many symmetries"),
    ):
        with pytest.raises(ClaimError, match=says):
            proven(problem, evidence | changed)
    for other in (posed("telephone", "gossip", "cycle:6"), posed("telegraph", "broadcast", "cycle:6")):
        with pytest.raises(ClaimError, match="for one-way gossip"):
            refuted(other, evidence | {"outer_calls": []})


def test_the_search(cycle: tuple[Problem, Json]) -> None:
    """It refutes, with a proof, or gives up where it finds a model; other tasks and few rounds it leaves."""
    search = inner_rounds_search(Question(posed("telegraph", "gossip", "petersen"), 6, certify=True))
    assert isinstance(search, SatSearch)
    while (answer := search.advance(1.0)) is None:
        pass
    assert answer is False
    found = search.evidence()
    assert found is not None
    assert proven(posed("telegraph", "gossip", "petersen"), dict(found)) == 7
    search = inner_rounds_search(Question(cycle[0], 6))
    assert isinstance(search, SatSearch)
    while (answer := search.advance(1.0)) is None:
        pass
    assert answer
    with pytest.raises(GivenUpError):
        search.found()
    assert inner_rounds_search(Question(cycle[0], 3)) is None
    assert inner_rounds_search(Question(cycle[0], 12)) is None
    for model, spec in (("telephone", "cycle:6"), ("telegraph", "path:17")):
        assert inner_rounds_search(Question(posed(model, "gossip", spec), 5)) is None
    for spec, rounds, tried in (("path:20", 8, True), ("path:20", 9, False), ("complete:20", 8, False)):
        begun = inner_rounds_search(Question(posed("telegraph", "gossip", spec), rounds))
        assert (begun is not None) == tried


def test_solve_goes_on_where_it_gives_up() -> None:
    """On a path of three nodes with a triangle the inner rounds allow one round less than a gossip takes."""
    network = Network.from_networkx(nx.lollipop_graph(3, 2))
    result = solve(posed("telegraph", "gossip", network), Options(time_limit=60))
    assert (result.status, result.value) == ("optimal", gossip_rounds(nx.lollipop_graph(3, 2), False))
