"""Gossip refuted by pairs of distant nodes: the formula says what trying everything says, and what is refused
as a proof.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, ClassVar

import networkx as nx
import pytest

from schedsolve.backends.sat import SatQuestion, decide
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.search import GivenUpError, Question, RunningSearch
from schedsolve.models.matching.claims.distant_pairs import (
    PREMISE,
    Pair,
    distant_pairs_formula,
    formula_size,
    windows,
)
from schedsolve.models.matching.claims.refutations import refuted
from schedsolve.models.matching.formulation.distant_pairs import (
    LEAST_NODES,
    distant_pairs_search,
    levels_of_pairs,
    orders_of_pairs,
)
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError
from tests.evidence import builders
from tests.models.matching.problems import posed
from tests.models.matching.refutations import FAILS, proven
from tests.reference.brute_force import arcs_of, connected_graphs, least_rounds, strongly_connected_digraphs

Json = dict[str, Any]


def _some_pairs(n: int, rng: Random) -> list[Pair]:
    """Each pair with a chance that is the same for all of them."""
    chance = rng.choice([0.15, 0.4, 1.0])
    return [(i, j) for i in range(n) for j in range(n) if i != j and rng.random() < chance] or [(0, n - 1)]


def _by_trying_everything(graph: nx.Graph, two_way: bool, pairs: list[Pair]) -> int:
    """The fewest rounds in which the items of these pairs arrive."""
    n = graph.number_of_nodes()
    goal = tuple(sum(1 << i for i, j in pairs if j == v) for v in range(n))
    [found] = least_rounds(n, arcs_of(graph), two_way, tuple(1 << v for v in range(n)), [goal])
    assert found is not None
    return found


def _refuted(network: Network, two_way: bool, rounds: int, pairs: list[Pair]) -> bool:
    """Whether the formula has no model; its size is about what it is said to be."""
    asked = windows(network, rounds, pairs)
    cnf = distant_pairs_formula(network, two_way, rounds, asked, pairs).cnf
    literals = sum(map(len, cnf.clauses))
    assert literals / 3 <= formula_size(network, two_way, rounds, asked) <= 3 * literals + 100
    answer, _ = decide(cnf, 60)
    assert answer is not None
    return not answer


def test_the_same_as_by_trying_everything() -> None:
    """In both modes, on connected graphs and in one mode on strongly connected digraphs, for random pairs."""
    rng = Random(3)
    graphs = [*connected_graphs(4), *connected_graphs(5)[::4], nx.path_graph(6)]
    cases = [(graph, two_way) for graph in graphs if len(graph) > 1 for two_way in (False, True)]
    cases += [(graph, False) for graph in strongly_connected_digraphs(4)[::9]]
    gaps = set()
    for graph, two_way in cases:
        network = Network.from_networkx(graph)
        pairs = _some_pairs(network.node_count, rng)
        best = _by_trying_everything(graph, two_way, pairs)
        farthest = max(network.distances_from([i])[j] or 0 for i, j in pairs)
        for rounds in range(farthest, best + 2):
            assert _refuted(network, two_way, rounds, pairs) == (rounds < best), (graph.edges, pairs)
        gaps.add(best - farthest)
    assert gaps >= {0, 1, 2, 3}


def test_a_pair_farther_than_the_rounds() -> None:
    """It is for its distance to refute, and neither is a node's own item of use."""
    path = Network.from_spec("path:4")
    for pair in ((0, 3), (1, 1)):
        with pytest.raises(ClaimError, match="at a distance from 1 to 2"):
            windows(path, 2, [(0, 2), pair])
    with pytest.raises(ClaimError, match="at a distance"):
        windows(Network.of([(0, 1), (1, 2)], directed=True), 3, [(2, 0)])


def test_windows() -> None:
    """On a path an item that has one spare round may be late by one at every node, not before its goal."""
    path = Network.from_spec("path:5")
    assert windows(path, 4, [(0, 3)]) == {0: [(1, 1, 2), (2, 2, 3), (3, 3, 4)]}
    assert windows(path, 4, [(0, 3), (0, 1)]) == {0: [(1, 1, 4), (2, 2, 3), (3, 3, 4)]}
    assert windows(path, 3, [(0, 3)]) == {0: [(1, 1, 1), (2, 2, 2), (3, 3, 3)]}


@pytest.fixture(scope="module")
def cycle() -> tuple[Problem, Json]:
    """What refutes one round less than a two-way gossip takes on five nodes."""
    problem = posed("telephone", "gossip", "cycle:5")
    return problem, builders.distant_pairs(problem)


def test_a_proof_is_replayed(cycle: tuple[Problem, Json]) -> None:
    """It proves the bound, also with one pair more, and not with only a few of its pairs."""
    problem, evidence = cycle
    assert evidence["premise"] == PREMISE
    assert proven(problem, evidence) == 4
    with pytest.raises(ClaimError, match=FAILS):
        proven(problem, evidence | {"pairs": evidence["pairs"][:3]})
    with pytest.raises(ClaimError, match=FAILS):
        proven(problem, evidence | {"rounds": 4})


def test_what_is_refused(cycle: tuple[Problem, Json]) -> None:
    """Other tasks, too many rounds, and what are no pairs of nodes."""
    problem, evidence = cycle
    for changed, says in (
        ({"rounds": 10}, "too large"),
        ({"rounds": None}, "how many rounds"),
        ({"pairs": [[0, 5]]}, "pairs of node numbers"),
        ({"pairs": [[0, -1]]}, "pairs of node numbers"),
        ({"pairs": [[0, True]]}, "pairs of node numbers"),
        ({"pairs": [[0, 1, 2]]}, "pairs of node numbers"),
        ({"pairs": {"0": 1}}, "pairs of node numbers"),
        ({"pairs": [[0, 0]]}, "at a distance from 1"),
        ({"pairs": []}, FAILS),
    ):
        with pytest.raises(ClaimError, match=says):
            proven(problem, evidence | changed)
    with pytest.raises(ClaimError, match="for gossip"):
        refuted(posed("telephone", "broadcast", "cycle:5"), evidence)


def test_pairs_in_order() -> None:
    """Those with the fewest spare rounds first; then the nearest to a pair, either way round."""
    path = Network.from_spec("path:6")
    tightest, more = levels_of_pairs(path, 6)
    assert len(levels_of_pairs(path, 5)) == 3
    assert sorted(tightest) == [(0, 5), (5, 0)]
    assert sorted(more) == [(0, 4), (0, 5), (1, 5), (4, 0), (5, 0), (5, 1)]
    orders = orders_of_pairs(path, [(0, 5)], more, Random(0))
    assert [set(order[:2]) for order in orders] == [{(0, 5), (5, 0)}]
    assert [set(order) for order in orders] == [set(more)]
    assert levels_of_pairs(path, 7) == [], "all have two at least"


def _ended(search: RunningSearch | None) -> bool:
    """Whether a search refutes; otherwise it gives up."""
    assert search is not None
    try:
        while (answer := search.advance(0.5)) is None:
            pass
    except GivenUpError:
        return False
    finally:
        search.close()
    return answer is False


@pytest.mark.parametrize(
    ("model", "spec", "rounds"),
    [("telephone", "ccc:5", 11), ("telephone", "small-world:4,200,0.2", 10)],
)
def test_the_search(model: str, spec: str, rounds: int) -> None:
    """It refutes what no other search does, with a proof by some of the pairs."""
    problem = posed(model, "gossip", spec)
    search = distant_pairs_search(Question(problem, rounds, certify=True))
    assert search is not None
    while (answer := search.advance(0.5)) is None:
        pass
    assert answer is False
    evidence = search.evidence()
    search.close()
    assert evidence is not None
    assert proven(problem, dict(evidence)) == rounds + 1


def test_the_search_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where all pairs arrive, none has few spare rounds, or formulas are too large; other tasks and small
    networks it leaves.
    """
    gossip = posed("telephone", "gossip", "path:30")
    assert not _ended(distant_pairs_search(Question(gossip, 30)))
    assert not _ended(distant_pairs_search(Question(gossip, 50)))
    assert distant_pairs_search(Question(gossip, 60)) is None
    assert distant_pairs_search(Question(posed("telephone", "broadcast", "path:30"), 30)) is None
    small = posed("telephone", "gossip", f"path:{LEAST_NODES - 1}")
    assert distant_pairs_search(Question(small, 22)) is None
    monkeypatch.setattr("schedsolve.models.matching.formulation.distant_pairs.LARGEST", 100)
    assert not _ended(distant_pairs_search(Question(gossip, 30)))


class Undecided:
    """A search that answers nothing, each slice of which takes a second."""

    made: ClassVar[list[Undecided]] = []
    seconds: ClassVar[float] = 0.0

    def __init__(self, build: Callable[[], SatQuestion], **_: object) -> None:
        self.pairs = len(build().evidence["pairs"])
        self.slices, self.closed = 0, False
        self.made.append(self)

    def advance(self, _: float) -> None:
        assert not self.closed
        self.slices += 1
        Undecided.seconds += 1.0

    def close(self) -> None:
        self.closed = True


def test_all_pairs_of_a_level_are_one_search_in_all_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Others begin again in another order, and their memory is free at once. Where all fit, fewer do not."""
    monkeypatch.setattr("schedsolve.models.matching.formulation.distant_pairs.SatSearch", Undecided)
    monkeypatch.setattr("time.process_time", lambda: Undecided.seconds)
    problem = posed("telephone", "gossip", "torus:5x5")
    all_pairs, more = map(len, levels_of_pairs(problem.network, 5))
    search = distant_pairs_search(Question(problem, 5))
    assert search is not None
    for _ in range(200):
        assert search.advance(0.5) is None
    whole, *others = sorted(Undecided.made, key=lambda one: one.pairs != all_pairs)
    assert whole.slices > 30
    assert not whole.closed
    assert all(one.pairs not in (all_pairs, more) for one in others)
    tried = [one.pairs for one in others]
    assert tried.count(64) in (tried.count(128), tried.count(128) - 1), "none with fewer than all of them"
    assert sum(one.closed for one in others) >= len(others) - 1
    search.close()
    assert all(one.closed for one in Undecided.made)
