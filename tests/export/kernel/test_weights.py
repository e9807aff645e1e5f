"""Bounds by weights of evidence: prices, lengths, cuts and groups drawn at random prove in the kernel just
what they prove by the models' claims, and nothing where these refuse them.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import networkx as nx

from schedsolve.kernel.wrong import WrongError
from schedsolve.modelkit.problem import Problem
from schedsolve.models import build_problem, model_of
from schedsolve.network.automorphisms import automorphisms
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError, InputError
from tests.export.kernel.posed import bound_of, posed

REFUSED = (WrongError, ArithmeticError, LookupError, TypeError, ValueError)


def machine(rng: Random) -> Network:
    """A small network with bandwidths, sometimes with switches, sometimes with arcs, often symmetric."""
    n = rng.randint(2, 5)
    graph: nx.Graph = rng.choice([nx.cycle_graph(max(n, 3)), nx.star_graph(n), nx.path_graph(n + 1)])
    widths: list[Any] = rng.choice([[1], [1, 2, Fraction(1, 2)]])
    if rng.random() < 0.3:
        graph = nx.DiGraph([(u, v) for e in graph.edges for u, v in (e, e[::-1])])
    for edge in graph.edges:
        graph.edges[edge]["bandwidth"] = rng.choice(widths)
    if rng.random() < 0.4:
        graph.nodes[rng.choice(list(graph))]["switch"] = True
    return Network.from_networkx(graph)


def drawn(rng: Random, model: str, tasks: list[str]) -> Problem:
    """A problem of the model that can be posed."""
    while True:
        network, task = machine(rng), rng.choice(tasks)
        options: dict[str, Any] = {"steps": rng.randint(1, 3)} if model == "synchronous" else {}
        if task in ("gather", "reduce", "broadcast", "scatter"):
            end = "root" if task in ("gather", "reduce") else "source"
            options[end] = rng.randrange(network.node_count)
        if model == "synchronous" and rng.random() < 0.3:
            options["chunks"] = rng.randint(1, 3)
        if model == "pipelined" or task in ("allgatherv", "alltoallv"):
            options |= group(rng, task, network)
        try:
            return build_problem(model, task, network, options)
        except InputError:
            continue


def group(rng: Random, task: str, network: Network) -> dict[str, Any]:
    """Some of the compute nodes, or all, and sizes where the task has them."""
    compute = network.compute_nodes
    count = rng.randint(2, len(compute)) if len(compute) > 1 else 0
    sizes: list[Any] = [rng.randint(0, 3) for _ in range(count)]
    if task == "alltoallv":
        sizes = [[rng.randint(0, 3) for _ in range(count)] for _ in range(count)]
    ranks = {"ranks": rng.sample(compute, count)} if count > 1 else {}
    return ranks | ({"sizes": sizes} if task in ("allgatherv", "alltoallv") else {})


def rows(rng: Random, problem: Problem, most: int) -> list[list[Any]]:
    """Prices of links in steps."""
    steps = problem.parameters["steps"]
    places = [(u, v, s) for u, v in problem.network.arcs for s in range(1, steps + 1)]
    chosen = rng.sample(places, rng.randint(1, min(most, len(places))))
    return [[*place, rng.choice([1, 2, "1/2", 0, "-1" if rng.random() < 0.02 else 1])] for place in chosen]


def tree_prices(rng: Random) -> tuple[Problem, dict[str, Any]]:
    """Of links, for tasks that copy."""
    problem = drawn(rng, "synchronous", ["allgather", "broadcast", "reduce", "reduce-scatter", "alltoall"])
    return problem, {"kind": "tree-prices", "links": rows(rng, problem, 8)}


def way_prices(rng: Random) -> tuple[Problem, dict[str, Any]]:
    """Of links, and where chunks are copied shares of destinations, with symmetries or without."""
    problem = drawn(rng, "synchronous", ["allgather", "broadcast", "reduce", "gather", "alltoall", "scatter"])
    evidence: dict[str, Any] = {"kind": "prices", "links": rows(rng, problem, 12)}
    compute = problem.network.compute_nodes
    if problem.task in ("allgather", "broadcast", "reduce") and len(compute) > 2:
        evidence["tables"] = [
            {
                "shipment": rng.randrange(len(compute) if problem.task == "allgather" else 1),
                "to": rng.choice(compute),
                "prices": rng.sample(evidence["links"], rng.randint(1, len(evidence["links"]))),
            }
            for _ in range(rng.randint(1, 2))
        ]
        if rng.random() < 0.5:
            images = automorphisms(problem.network)
            identity = list(range(problem.network.node_count))
            evidence["symmetries"] = [identity, *map(list, images[: rng.randint(0, 3)])]
        if rng.random() < 0.3:
            del evidence["links"]
    return problem, evidence


def part_prices(rng: Random) -> tuple[Problem, dict[str, Any]]:
    """Of a part of an allreduce."""
    problem = drawn(rng, "synchronous", ["allreduce"])
    inner = {"kind": rng.choice(["tree-prices", "bandwidth"]), "links": rows(rng, problem, 8)}
    node, task = rng.choice(problem.network.compute_nodes), rng.choice(["broadcast", "reduce"])
    return problem, {"kind": "part", "task": task, "node": node, "evidence": inner}


STEADY = ["allgather", "broadcast", "alltoall", "scatter", "gather", "reduce", "reduce-scatter", "allreduce"]
STEADY += ["allgatherv", "alltoallv"]


def cuts(rng: Random) -> tuple[Problem, dict[str, Any]]:
    """Any nodes."""
    problem = drawn(rng, "pipelined", STEADY)
    nodes = [v for v in range(problem.network.node_count) if rng.random() < 0.5]
    return problem, {"kind": "cut", "nodes": nodes}


def groups(rng: Random) -> tuple[Problem, dict[str, Any]]:
    """Any groups, disjoint or not."""
    problem = drawn(rng, rng.choice(["pipelined", "synchronous"]), ["allreduce"])
    place = [rng.randrange(3) for _ in range(problem.network.node_count)]
    found = [[v for v, p in enumerate(place) if p == group] for group in range(3)]
    if rng.random() < 0.2 and found[0]:
        found[1].append(found[0][0])
    return problem, {"kind": "counting", "groups": [group for group in found if group]}


def lengths(rng: Random) -> tuple[Problem, dict[str, Any]]:
    """Of links, with symmetries or without."""
    problem = drawn(rng, "pipelined", ["alltoall", "alltoallv", "scatter", "gather"])
    whole = problem.task == "alltoall" and "ranks" not in problem.parameters
    images = list(automorphisms(problem.network)[:2]) if whole else []
    given = [[u, v, rng.choice([1, 2, "1/3", 0])] for u, v in problem.network.arcs if rng.random() < 0.7]
    return problem, {"kind": "lengths", "lengths": given, "symmetries": [list(image) for image in images]}


DRAWN: dict[Callable[[Random], tuple[Problem, dict[str, Any]]], int] = {
    tree_prices: 60,
    way_prices: 150,
    part_prices: 40,
    cuts: 120,
    groups: 60,
    lengths: 60,
}


def test_weights_prove_what_the_claims_say() -> None:
    """Where the claims refuse them, the kernel refuses them or proves nothing above 0."""
    for draw, count in DRAWN.items():
        rng, proven = Random(draw.__name__), 0
        for _ in range(count):
            problem, evidence = draw(rng)
            try:
                expected: Any = Fraction(model_of(problem).claims[evidence["kind"]](problem, evidence))
            except ClaimError:
                expected = None
            try:
                found: Any = Fraction(bound_of(posed(problem), evidence, expected))
            except REFUSED:
                found = None
            assert (found or None) == (expected or None), (problem, evidence)
            proven += bool(expected)
        assert proven > count // 5, draw.__name__
