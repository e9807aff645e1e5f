"""Random small problems, solved and by brute force: the values agree, and the results pass strictly."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import networkx as nx

from schedsolve.certify.check import check_data
from schedsolve.modelkit.search import Options
from schedsolve.models import build_problem
from schedsolve.network.graph import Network
from schedsolve.result import result_to_json
from schedsolve.solving.solve import solve
from tests.reference import brute_force, fat_tree_brute_force, line_brute_force, routing_reference
from tests.reference.systolic_brute_force import (
    systolic_accumulation_rounds,
    systolic_broadcast_rounds,
    systolic_gossip_rounds,
)

Case = tuple[str, str, Network, dict[str, Any], int | None]
"""Model, task, network, options, and the least value by brute force; None when nothing suffices."""


def random_graph(random: Random, most: int) -> nx.Graph:
    """A connected graph of 2 to so many nodes: a random tree and some edges more."""
    n = random.randint(2, most)
    graph = nx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from((v, random.randrange(v)) for v in range(1, n))
    for _ in range(random.randrange(n)):
        u, v = random.sample(range(n), 2)
        graph.add_edge(u, v)
    return graph


def matching_case(random: Random) -> Case:
    """Telegraph or telephone rounds, any task."""
    model = random.choice(("telegraph", "telephone"))
    graph, two_way = random_graph(random, 5), model == "telephone"
    network, node = Network.from_networkx(graph), random.randrange(len(graph))
    task = random.choice(("gossip", "broadcast", "accumulation", "multicast", "best", "worst"))
    if task == "gossip":
        return model, task, network, {}, brute_force.gossip_rounds(graph, two_way)
    if task == "broadcast":
        rounds = brute_force.broadcast_rounds(graph, two_way, [node])
        return model, task, network, {"source": node}, rounds
    if task == "accumulation":
        return model, task, network, {"root": node}, brute_force.accumulation_rounds(graph, two_way)[node]
    if task == "multicast":
        targets = random.sample(range(len(graph)), random.randint(1, len(graph)))
        rounds = brute_force.multicast_rounds(graph, two_way, [node], [targets])[0]
        return model, task, network, {"source": node, "targets": targets}, rounds
    choice, choose = ("min", min) if task == "best" else ("max", max)
    rounds = choose(brute_force.broadcast_rounds(graph, two_way, [v]) for v in graph)
    return model, "broadcast", network, {"source": choice}, rounds


def systolic_case(random: Random) -> Case:
    """Telegraph or telephone rounds with a period."""
    model = random.choice(("telegraph", "telephone"))
    graph, two_way, period = random_graph(random, 4), model == "telephone", random.randint(1, 4)
    network, node = Network.from_networkx(graph), random.randrange(len(graph))
    task = random.choice(("gossip", "broadcast", "accumulation"))
    if task == "gossip":
        return model, task, network, {"period": period}, systolic_gossip_rounds(graph, two_way, period)
    if task == "broadcast":
        rounds = systolic_broadcast_rounds(graph, two_way, period, node)
        return model, task, network, {"period": period, "source": node}, rounds
    rounds = systolic_accumulation_rounds(graph, two_way, period, node)
    return model, task, network, {"period": period, "root": node}, rounds


def line_case(random: Random) -> Case:
    """Long-distance calls."""
    graph, ports = random_graph(random, 5), random.choice((None, 1, 2))
    network, node = Network.from_networkx(graph), random.randrange(len(graph))
    options: dict[str, Any] = {"ports": "all" if ports is None else ports}
    if random.random() < 0.4 and len(graph) < 5:
        return "line", "gossip", network, options, line_brute_force.gossip_rounds(graph, ports)
    rounds = line_brute_force.broadcast_rounds(graph, ports, node)
    return "line", "broadcast", network, {**options, "source": node}, rounds


def fat_tree_case(random: Random) -> Case:
    """Broadcasts in small fat-trees with random capacities, by the clock or in rounds."""
    height = random.randint(1, 2)
    capacities = [1]
    for _ in range(height):
        capacities.append(random.randint(capacities[-1], 2 * capacities[-1]))
    rounds = random.random() < 0.5
    n = 1 << height
    brute = fat_tree_brute_force.round_optimum if rounds else fat_tree_brute_force.clock_optimum
    options = {
        "capacity_table": capacities,
        "timing": "rounds" if rounds else "clock",
        "source": random.randrange(n),
    }
    return "fat-tree", "broadcast", Network.from_spec(f"fat-tree:{n}"), options, brute(n, capacities)


def routing_case(random: Random) -> Case:
    """A few messages through the routers."""
    n = random.choice((2, 4, 8))
    pairs = [tuple(random.sample(range(n), 2)) for _ in range(random.randint(1, 4))]
    messages = sorted(set(pairs))
    least = routing_reference.least_rounds(n, messages)  # type: ignore[arg-type]
    options = {"messages": [list(pair) for pair in messages]}
    return "routing", "deliver", Network.from_spec(f"fat-tree:{n}"), options, least


CASES: tuple[Callable[[Random], Case], ...] = (
    matching_case, matching_case, systolic_case, line_case, fat_tree_case, routing_case,
)  # fmt: skip


def try_problem(random: Random) -> tuple[str, str]:
    """Solve a random problem and compare: what came of it, and a finding, "" when there is none."""
    model, task, network, options, least = random.choice(CASES)(random)
    backend = random.choice((None, None, "cpsat")) if model in ("telegraph", "telephone") else None
    problem = build_problem(model, task, network, options)
    certify = backend is None
    result = solve(
        problem, Options(time_limit=60, certify=certify, backend=backend, seed=random.randrange(9))
    )
    named = f"{model} {task} on {network.edges}, {options}, backend {backend}"
    infeasible = least is None
    if result.status != ("infeasible" if infeasible else "optimal") or result.value != least:
        return "disagreement", f"{named}: {result.status} {result.value}, by brute force {least}"
    report = check_data(json.loads(json.dumps(result_to_json(result))))
    if report.failed or (certify and not report.complete):
        return "not certified", f"{named}: {report.summary}"
    return "agreed", ""
