"""What must hold for the line model on every network: bounds, algorithms, ports, relabelling, and maximum
flows.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field, replace
from typing import Any

import networkx as nx
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from schedsolve.modelkit.form import Path
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Status
from schedsolve.modelkit.schedule import Call, Schedule
from schedsolve.modelkit.search import Effort, Options, Question
from schedsolve.models import build_problem, model_of
from schedsolve.models.line.claims.trees import tree_multicast_time
from schedsolve.models.line.constructions.flow_search import _Search, flow_broadcast
from schedsolve.models.line.constructions.gossip_search import line_gossip
from schedsolve.models.line.constructions.spanning_trees import tree_based_broadcast
from schedsolve.models.line.constructions.tree_broadcast import Rounds
from schedsolve.models.line.formulation import sat_search
from schedsolve.models.line.rules import replay
from schedsolve.network.graph import Network
from schedsolve.solving.solve import solve

pytestmark = pytest.mark.usefixtures("little_time_for_heuristics")

TASKS = ("broadcast", "multicast", "accumulation", "gossip")
PORTS = ("all", 1, 2)
FAMILIES = (
    *(
        "path:1",
        "path:2",
        "path:6",
        "cycle:7",
        "complete:5",
        "star:1",
        "star:6",
        "tree:2,3",
        "tree:1,0",
        "grid:3x4",
        "grid:1x1",
    ),
    *(
        "torus:3x4",
        "hypercube:0",
        "hypercube:3",
        "ccc:3",
        "butterfly:3",
        "debruijn:1",
        "debruijn:4",
        "shuffle-exchange:4",
        "harary:3,8",
    ),
    *("knodel:3,10", "petersen", "random-regular:3,10,1", "random-tree:12,4", "fat-tree:8", "graph6:EhEG"),
)


@dataclass(frozen=True)
class Case:
    """A task and a graph on the nodes 0..n-1, with options that name nodes."""

    task: str
    graph: nx.Graph
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def problem(self) -> Problem:
        return build_problem("line", self.task, Network.from_networkx(self.graph), self.options)

    def optimum(self) -> int:
        """The value of `solve`, which must be proven."""
        result = solve(self.problem, Options(time_limit=60))
        assert result.status is Status.OPTIMAL
        assert isinstance(result.value, int)
        return result.value


@st.composite
def cases(draw: st.DrawFn, most_nodes: int = 7) -> Case:
    """Connected graphs and digraphs in which node 0 reaches all, of an accumulation all reach node 0; with a
    task for them.
    """
    task = draw(st.sampled_from(TASKS))
    n = draw(st.integers(1, 5 if task == "gossip" else most_nodes))
    graph = nx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from((draw(st.integers(0, v - 1)), v) for v in range(1, n))
    graph.add_edges_from((u, v) for u in range(n) for v in range(u) if draw(st.integers(0, 2)) == 0)
    options: dict[str, Any] = {"ports": draw(st.sampled_from(PORTS))}
    node = draw(st.integers(0, n - 1))
    if task != "gossip" and draw(st.booleans()):
        node = 0
        directed = nx.DiGraph()
        directed.add_nodes_from(range(n))
        tree = set(nx.bfs_edges(graph, 0))
        extra = [(u, v) for u, v in graph.to_directed().edges if (u, v) not in tree and draw(st.booleans())]
        directed.add_edges_from(sorted([*tree, *extra]))
        graph = directed.reverse() if task == "accumulation" else directed
    if task != "gossip":
        options["root" if task == "accumulation" else "source"] = node
    if task == "multicast":
        options["targets"] = draw(st.lists(st.integers(0, n - 1), min_size=1, unique=True))
    return Case(task, graph, options)


def renumbered(case: Case, image: list[int]) -> Case:
    """The case with node v renamed to image[v]."""
    options = dict(case.options)
    for name in {"root", "source"} & set(options):
        options[name] = image[options[name]]
    if "targets" in options:
        options["targets"] = [image[v] for v in options["targets"]]
    graph = type(case.graph)()
    graph.add_nodes_from(range(len(image)))
    graph.add_edges_from((image[u], image[v]) for u, v in case.graph.edges)
    return Case(case.task, graph, options)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(cases(), st.integers(0, 10**6))
def test_relabelling_changes_nothing(case: Case, seed: int) -> None:
    """The optimum is that of the renumbered network, the bounds too, and a schedule moves along."""
    image = list(range(len(case.graph)))
    random.Random(seed).shuffle(image)
    moved = renumbered(case, image)
    result = solve(case.problem)
    assert result.value == moved.optimum()
    assert result.schedule is not None
    assert replay(moved.problem, result.schedule.moved(image)).violation is None
    model = model_of(case.problem)
    assert [(b.value, b.evidence) for b in model.bounds(case.problem)] == [
        (b.value, b.evidence) for b in model.bounds(moved.problem)
    ]


@settings(derandomize=True, deadline=None, max_examples=60)
@given(cases(), st.integers(0, 10**6))
def test_one_more_edge_never_hurts(case: Case, seed: int) -> None:
    """An edge (or arc) added at random leaves the optimum or makes it smaller."""
    more = list(nx.non_edges(case.graph))
    assume(more)
    graph = case.graph.copy()
    graph.add_edge(*random.Random(seed).choice(more))
    assert replace(case, graph=graph).optimum() <= case.optimum()


@settings(derandomize=True, deadline=None, max_examples=40)
@given(cases())
def test_one_more_port_never_hurts(case: Case) -> None:
    """1, 2, 3 ports, and all."""
    values = [replace(case, options={**case.options, "ports": ports}).optimum() for ports in (1, 2, 3, "all")]
    assert values == sorted(values, reverse=True)


@settings(derandomize=True, deadline=None, max_examples=80)
@given(cases(), st.integers(0, 3))
def test_bounds_optimum_and_constructions_are_in_order(case: Case, seed: int) -> None:
    """Lower bounds <= optimum <= every construction; the optimum is found and one round less refuted by the
    formula, too.
    """
    problem = case.problem
    model, value = model_of(problem), case.optimum()
    assert all(isinstance(bound.value, int) and bound.value <= value for bound in model.bounds(problem))
    for algorithm in model.algorithms:
        if problem.task in algorithm.tasks and algorithm.refuse(problem) is None:
            seen = replay(problem, algorithm.build(problem, Effort(seed, 0.01, value)))
            assert seen.violation is None, algorithm.name
            assert isinstance(seen.value, int)
            assert seen.value >= value, algorithm.name
    if value and not (problem.task == "gossip" and case.options["ports"] == 1):
        search = sat_search(Question(problem, value - 1))
        assert search is not None
        assert search.advance(60) is False
        search.close()


def posed(task: str, network: Network, ports: int | str) -> Problem:
    """A task on a network: from node 0, to every third node."""
    targets = {"targets": list(network.labels[::3])} if task == "multicast" else {}
    return build_problem("line", task, network, {"ports": ports, **targets})


@pytest.mark.parametrize("spec", FAMILIES)
def test_algorithms_replay_on_every_family(spec: str) -> None:
    """Every algorithm that does not refuse builds a legal and complete schedule, not below any lower bound;
    some algorithm always does.
    """
    network = Network.from_spec(spec)
    for task in TASKS:
        for ports in PORTS:
            problem = posed(task, network, ports)
            model = model_of(problem)
            lower = max(int(bound.value) for bound in model.bounds(problem))
            able = [a for a in model.algorithms if task in a.tasks and a.refuse(problem) is None]
            assert able
            for algorithm in able:
                seen = replay(problem, algorithm.build(problem, Effort(0, 0.01, lower)))
                assert seen.violation is None, (algorithm.name, task, ports)
                assert int(seen.value) >= lower, (algorithm.name, task, ports)


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("ports", PORTS)
def test_one_and_two_nodes(task: str, ports: int | str) -> None:
    """Nothing to do, one call, and with an arc each way one call as well."""
    for n in (1, 2):
        asked = {"targets": [n - 1]} if task == "multicast" else {}
        problem = build_problem("line", task, Network.from_spec(f"path:{n}"), {"ports": ports, **asked})
        assert solve(problem).value == n - 1
        if task != "gossip" and n == 2:
            both = Network(2, ((0, 1), (1, 0)), directed=True)
            assert solve(build_problem("line", task, both, {"ports": ports, **asked})).value == 1


def scheduled(problem: Problem, rounds: Rounds) -> str | None:
    """What the referee objects to in the rounds of a construction."""
    two_way = problem.task == "gossip"
    return replay(
        problem,
        Schedule(tuple(tuple(Call(u, v, two_way, Path(path)) for u, v, path in calls) for calls in rounds)),
    ).violation


def most_calls(network: Network, informed: set[int], ports: int | None) -> int:
    """How many uninformed nodes can be called in one round, by networkx's maximum flow.

    An undirected edge is an arc each way: a flow that uses both can do without them.
    """
    graph = nx.DiGraph()
    graph.add_nodes_from(["from", "to", *range(network.node_count)])
    for u, v in network.arcs:
        graph.add_edge(u, v, capacity=1)
    for v in range(network.node_count):
        if v in informed:
            graph.add_edge("from", v, capacity=len(network.arcs) if ports is None else ports)
        else:
            graph.add_edge(v, "to", capacity=1)
    return int(nx.maximum_flow_value(graph, "from", "to"))


@pytest.mark.parametrize("seed", range(30))
def test_flow_broadcast_calls_as_many_as_a_maximum_flow_allows(seed: int) -> None:
    """In every round, from one source or two, in graphs and digraphs."""
    rng = random.Random(seed)
    n = rng.randint(3, 14)
    edges = {(rng.randrange(v), v) for v in range(1, n)} | {
        (u, v) for v in range(n) for u in range(v) if rng.random() < 0.15
    }
    directed = seed % 3 == 0
    arcs = edges | {(v, u) for u, v in edges if rng.random() < 0.5} if directed else edges
    network = Network(n, tuple(arcs), directed=directed)
    sources = [0] if seed % 2 else [0, n - 1]
    for ports in (1, 2, None):
        rounds = flow_broadcast(network, sources, range(n), ports, Effort(seed, 0))
        problem = build_problem("line", "broadcast", network, {"source": sources, "ports": ports or "all"})
        assert scheduled(problem, rounds) is None
        informed = set(sources)
        for calls in rounds:
            assert len(calls) == most_calls(network, informed, ports)
            informed |= {callee for _, callee, _ in calls}


@pytest.mark.parametrize(("spec", "rounds"), [("random-regular:4,500", 4), ("grid:30x30", 5)])
def test_spread_nodes_are_informed_first(spec: str, rounds: int) -> None:
    """The bound by growth is met, which takes nearly all calls that are possible in every round."""
    network = Network.from_spec(spec)
    found = flow_broadcast(network, [0], range(network.node_count), None, Effort(0, 20.0, rounds))
    assert len(found) == rounds
    problem = build_problem("line", "broadcast", network, {"source": 0})
    assert scheduled(problem, found) is None


def test_nodes_that_are_spread() -> None:
    """The sources come first; then nodes with new ones around them, as many as rounds can inform."""
    network = Network.from_spec("path:9")
    search = _Search(network, [0], range(9), 1, random.Random(0), math.inf)
    assert search.spread(0) == {0}
    assert len(search.spread(1)) == 2
    chosen = search.spread(4)
    assert {0} < chosen
    assert all(chosen & {v - 1, v, v + 1} for v in range(9))


@pytest.mark.parametrize("ports", [1, 2, None])
@pytest.mark.parametrize("seed", range(8))
def test_line_gossip_completes(seed: int, ports: int | None) -> None:
    """On random connected graphs, with no time for improvements and with a little."""
    rng = random.Random(seed)
    n = rng.randint(1, 16)
    edges = {(rng.randrange(v), v) for v in range(1, n)} | {
        (u, v) for v in range(n) for u in range(v) if rng.random() < 0.1
    }
    network = Network(n, tuple(edges))
    problem = build_problem("line", "gossip", network, {"ports": ports or "all"})
    for limit in (0, 0.02):
        rounds = line_gossip(network, ports, Effort(seed, limit))
        assert scheduled(problem, rounds) is None


@pytest.mark.parametrize("seed", range(20))
def test_tree_based_broadcast_is_never_above_its_first_tree(seed: int) -> None:
    """With seed 0 the search starts from a tree of shortest paths, undirected or directed, and only improves
    on it.
    """
    rng = random.Random(seed)
    n = rng.randint(2, 16)
    edges = {(rng.randrange(v), v) for v in range(1, n)} | {
        (u, v) for v in range(n) for u in range(v) if rng.random() < 0.2
    }
    network = Network(n, tuple(edges), directed=seed % 3 == 0)
    targets = range(n) if seed % 2 else rng.sample(range(n), rng.randint(1, n))
    first = tree_based_broadcast(network, 0, targets, Effort(0, 0))
    better = tree_based_broadcast(network, 0, targets, Effort(0, 0.05))
    problem = build_problem("line", "multicast", network, {"source": 0, "targets": list(targets)})
    assert scheduled(problem, first) is None
    assert scheduled(problem, better) is None
    assert len(better) <= len(first)
    parents: dict[int, int] = {0: 0}
    queue = [0]
    for v in queue:
        for w in network.successors[v]:
            if w not in parents:
                parents[w] = v
                queue.append(w)
    tree = Network(n, tuple((u, v) for v, u in parents.items() if v != u), directed=network.directed)
    assert len(first) == tree_multicast_time(tree, 0, targets)
