from __future__ import annotations

import random
from itertools import pairwise

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedsolve.modelkit.form import Path
from schedsolve.modelkit.result import Status
from schedsolve.modelkit.schedule import Call
from schedsolve.modelkit.search import Effort, Question
from schedsolve.models import build_problem
from schedsolve.models.line.constructions.algorithms import ALGORITHMS
from schedsolve.models.line.constructions.gossip_annealing import (
    DROPPED,
    ENDS,
    Trails,
    annealed_gossip,
)
from schedsolve.models.line.formulation import annealing_search
from schedsolve.models.line.rules import broken_rule, replay
from schedsolve.network.graph import Network
from schedsolve.solving.solve import solve

PORTS = (None, 1, 2, 3)
ANNEALING = next(algorithm for algorithm in ALGORITHMS if algorithm.name == "gossip-annealing")

networks = st.tuples(st.integers(1, 9), st.integers(0, 12), st.randoms(use_true_random=False)).map(
    lambda drawn: connected(*drawn)
)


def connected(node_count: int, more_edges: int, generator: random.Random) -> Network:
    """A random tree with more edges."""
    graph = nx.Graph()
    graph.add_nodes_from(range(node_count))
    graph.add_edges_from((v, generator.randrange(v)) for v in range(1, node_count))
    for _ in range(more_edges if node_count > 1 else 0):
        graph.add_edge(*generator.sample(range(node_count), 2))
    return Network.from_networkx(graph)


@pytest.mark.parametrize(
    ("spec", "rounds"),
    [
        ("path:1", 0),
        ("path:2", 1),
        ("cycle:3", 1),
        ("petersen", 2),
        ("grid:3x5", 3),
        ("grid:4x4", 3),
        ("torus:5x5", 3),
        ("hypercube:5", 3),
        ("butterfly:3", 3),
        ("ccc:3", 4),
    ],
)
def test_known_gossips(spec: str, rounds: int) -> None:
    network = Network.from_spec(spec)
    found = annealed_gossip(network, None, Effort(1, 120, rounds))
    assert len(found) == rounds


@pytest.mark.parametrize("ports", [1, 2])
def test_few_ports(ports: int) -> None:
    network = Network.from_spec("petersen")
    found = annealed_gossip(network, ports, Effort(1, 120, 5 - ports))
    assert len(found) == 5 - ports


@pytest.mark.parametrize("spec", ["grid:4x4", "grid:3x5"])
def test_solve_closes_what_greedy_exchanges_left_open(spec: str) -> None:
    result = solve(build_problem("line", "gossip", Network.from_spec(spec)), time_limit=120)
    assert (result.status, result.value) == (Status.OPTIMAL, 3)


def test_a_search_goes_on_in_slices() -> None:
    problem = build_problem("line", "gossip", Network.from_spec("butterfly:3"))
    search = annealing_search(Question(problem, 3))
    assert search is not None
    while not search.advance(0.01):
        pass
    found = replay(*search.found())
    assert (found.violation, found.value) == (None, 3)
    assert search.evidence() is None
    search.close()


def test_a_search_is_for_gossips_outside_of_trees() -> None:
    for task, spec, rounds in (
        ("broadcast", "cycle:5", 2),
        ("gossip", "path:5", 4),
        ("gossip", "cycle:5", 0),
    ):
        problem = build_problem("line", task, Network.from_spec(spec))
        assert annealing_search(Question(problem, rounds)) is None


@settings(max_examples=60)
@given(networks, st.sampled_from(PORTS), st.integers(0, 3))
def test_whatever_is_built_is_a_gossip(network: Network, ports: int | None, seed: int) -> None:
    problem = build_problem("line", "gossip", network, {} if ports is None else {"ports": ports})
    if ANNEALING.refuse(problem) is None:
        schedule = ANNEALING.build(problem, Effort(seed, seconds=0.01))
        assert replay(problem, schedule).violation is None


@settings(max_examples=60)
@given(networks, st.sampled_from(PORTS), st.lists(st.booleans(), max_size=40), st.randoms())
def test_changes_keep_trails(
    network: Network, ports: int | None, kept: list[bool], generator: random.Random
) -> None:
    """Every edge stays on one trail, nodes within their ports, and what is taken back was never there."""
    if not network.edges:
        return
    trails = Trails.of(network, ports, generator)
    for keep in kept:
        before = list(trails.onward), [list(nodes) for nodes in trails.called]
        undo = trails.change(generator)
        if not keep:
            trails.take_back(undo)
            assert (trails.onward, trails.called) == before
        _refuse_broken_trails(trails)
    calls = trails.calls()
    assert broken_rule(network, ports, tuple(Call(u, v, True, Path(path)) for u, v, path in calls)) is None
    called = {(v, u) for v, nodes in enumerate(trails.called) for u in nodes if v < u}
    assert {(u, v) for u, v, _ in calls} == called


def _refuse_broken_trails(trails: Trails) -> None:
    ways: dict[int, list[int]] = {}
    for arc, to in enumerate(trails.onward):
        if to >= 0:
            assert trails.head[to ^ 1] == trails.head[arc]
            assert to ^ 1 != arc
            assert trails.onward[to ^ 1] == arc ^ 1
        else:
            ways[arc] = [arc ^ 1]
            while trails.onward[ways[arc][-1]] >= 0:
                ways[arc].append(trails.onward[ways[arc][-1]])
    for arc, way in ways.items():
        v, last = trails.head[arc], way[-1]
        ends = trails.onward[arc] == ENDS == trails.onward[last]
        assert trails.called[v][trails.place[arc]] == (trails.head[last] if ends else v)
        assert all(trails.head[a] == trails.head[b ^ 1] for a, b in pairwise(way))
    for arcs in trails.arriving:
        states = [trails.onward[arc] for arc in arcs]
        if trails.ports is None:
            assert DROPPED not in states
        else:
            assert states.count(ENDS) == min(trails.ports, sum(to < 0 for to in states))
