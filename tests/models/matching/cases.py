"""Drawn problems of the matching models, their optima by brute force, and their rules once more."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import networkx as nx
from hypothesis import strategies as st

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Status
from schedsolve.modelkit.schedule import Call, Schedule
from schedsolve.models import build_problem
from schedsolve.network.graph import Network
from schedsolve.solving.solve import solve
from tests.reference.brute_force import (
    accumulation_rounds,
    gossip_rounds,
    multicast_rounds,
)

Rounds = list[list[Call]]


ONE_MESSAGE = ("broadcast", "multicast")


@dataclass(frozen=True)
class Case:
    """A model, a task and a graph on the nodes 0..n-1, with options that name nodes."""

    model: str
    task: str
    graph: nx.Graph
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def problem(self) -> Problem:
        return build_problem(self.model, self.task, Network.from_networkx(self.graph), self.options)

    @property
    def two_way(self) -> bool:
        return self.model == "telephone"

    def brute_force(self) -> int:
        """The optimum by the oracle."""
        if self.task == "gossip":
            return gossip_rounds(self.graph, self.two_way)
        if self.task == "accumulation":
            root: int = self.options["root"]
            return accumulation_rounds(self.graph, self.two_way)[root]
        targets = self.options.get("targets", range(self.graph.number_of_nodes()))
        return multicast_rounds(self.graph, self.two_way, self.options["source"], [targets])[0]


@st.composite
def cases(
    draw: st.DrawFn, tasks: Sequence[str] = (*ONE_MESSAGE, "accumulation", "gossip"), most_nodes: int = 6
) -> Case:
    """Connected graphs, for telegraph sometimes (strongly connected) digraphs, with a task for them."""
    model, task = draw(st.sampled_from(["telegraph", "telephone"])), draw(st.sampled_from(tasks))
    n = draw(
        st.integers(1, most_nodes if task in ONE_MESSAGE or model == "telephone" else min(4, most_nodes))
    )
    graph = nx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from((draw(st.integers(0, v - 1)), v) for v in range(1, n))
    graph.add_edges_from((u, v) for u in range(n) for v in range(u) if draw(st.booleans()))
    if model == "telegraph" and draw(st.booleans()):
        graph = graph.to_directed()
        for arc in draw(st.permutations(sorted(graph.edges()))):
            graph.remove_edge(*arc)
            if not nx.is_strongly_connected(graph):
                graph.add_edge(*arc)
                break
    nodes = st.lists(st.integers(0, n - 1), min_size=1, unique=True)
    options: dict[str, Any] = {}
    if task == "accumulation":
        options = {"root": draw(st.integers(0, n - 1))}
    elif task in ONE_MESSAGE:
        options = {"source": draw(nodes)[:2]} | ({"targets": draw(nodes)} if task == "multicast" else {})
    return Case(model, task, graph, options)


def optimum(case: Case) -> int:
    result = solve(case.problem)
    assert result.status is Status.OPTIMAL
    assert isinstance(result.value, int)
    return result.value


def some_schedule(problem: Problem, seed: int) -> Schedule:
    """A legal and complete schedule of random rounds, full of useless calls."""
    generator = random.Random(seed)
    two_way = problem.model == "telephone"
    rounds: Rounds = []
    while not accepts(problem, rounds):
        busy: set[int] = set()
        calls = []
        for u, v in generator.sample(problem.network.arcs, len(problem.network.arcs)):
            if busy.isdisjoint((u, v)) and generator.random() < 0.8:
                busy |= {u, v}
                calls.append(Call(u, v, two_way))
        rounds.append(calls)
    return Schedule(tuple(map(tuple, rounds)))


def accepts(problem: Problem, rounds: Sequence[Sequence[Call]]) -> bool:
    """Whether the rounds are legal and do the task: the rules once more, with sets in place of bit masks."""
    graph, n = problem.network.to_networkx(), problem.network.node_count
    one_message = problem.task in ONE_MESSAGE
    everyone = set(range(n))
    know: dict[int, set[Any]] = {
        v: ({"message"} if v in problem.sources else set()) if one_message else {v} for v in range(n)
    }
    for calls in rounds:
        ends = [end for call in calls for end in (call.sender, call.receiver)]
        if len(set(ends)) < len(ends):
            return False
        before = {v: set(items) for v, items in know.items()}
        for call in calls:
            if call.two_way != (problem.model == "telephone") or not graph.has_edge(
                call.sender, call.receiver
            ):
                return False
            know[call.receiver] |= before[call.sender]
            if call.two_way:
                know[call.sender] |= before[call.receiver]
    if one_message:
        return all(know[v] for v in problem.targets)
    return all(know[v] == everyone for v in (problem.sources if problem.task == "accumulation" else everyone))
