"""The bounds of the kernel are those of the models' claims, and never above the optimum."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random

import networkx as nx
import pytest

from schedsolve.kernel.wrong import WrongError
from schedsolve.modelkit.problem import Problem
from schedsolve.models import build_problem, model_of
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError, InputError
from tests.export.kernel.posed import bound_of, posed, problem_of
from tests.reference import brute_force
from tests.reference.brute_force import atlas

ROUND_TASKS = ("gossip", "broadcast", "multicast", "accumulation")


def random_network(rng: Random, n: int, directed: bool, **attributes: object) -> Network:
    """A connected network, sometimes a tree."""
    graph: nx.Graph = nx.random_labeled_tree(n, seed=rng.randrange(10**9))
    for _ in range(rng.choice([0, 1, n])):
        graph.add_edge(*rng.sample(range(n), 2))
    if directed:
        graph = nx.DiGraph(
            (u, v) if rng.random() < 0.8 else (v, u) for e in graph.edges for u, v in (e, e[::-1])
        )
    return Network.from_networkx(graph)


def random_rounds(rng: Random) -> Problem:
    """A problem of some model of rounds."""
    model, task = rng.choice(["telegraph", "telephone", "line"]), rng.choice(ROUND_TASKS)
    network = random_network(rng, rng.randint(2, 9), model == "telegraph" and rng.random() < 0.3)
    options: dict[str, object] = {}
    if task != "gossip":
        start = "min" if task != "multicast" and rng.random() < 0.2 else rng.randrange(network.node_count)
        options["root" if task == "accumulation" else "source"] = str(start)
    if task == "multicast":
        options["targets"] = ",".join(map(str, rng.sample(range(network.node_count), 2)))
    if model == "line":
        options["ports"] = rng.choice(["all", "1", "2"])
    return build_problem(model, task, network, options)


def posed_at_random(seed: int, count: int) -> Iterator[Problem]:
    """So many problems that can be posed."""
    rng, made = Random(seed), 0
    while made < count:
        try:
            yield random_rounds(rng)
        except InputError:
            continue
        made += 1


def compare(problem: Problem, kinds: list[str]) -> int:
    """Assert that the kernel's bounds of these kinds are the claims'; of how many it has a proof."""
    compared = 0
    for kind in kinds:
        proof = posed(problem).bundle.proof({"kind": kind})
        if proof is None or proof.lower_bound is None:
            continue
        try:
            expected = model_of(problem).claims[kind](problem, {"kind": kind})
        except ClaimError:
            continue
        compared += 1
        assert bound_of(posed(problem), {"kind": kind}, expected) == expected, (problem, kind)
    return compared


def test_counting_and_distance_and_trees() -> None:
    """In rounds, of every kind that the kernel computes."""
    counted = 0
    for problem in posed_at_random(1, 150):
        counted += compare(problem, list(model_of(problem).claims))
    assert counted > 300


@pytest.mark.parametrize("two_way", [False, True])
def test_no_bound_is_above_the_optimum(two_way: bool) -> None:
    """On all connected graphs of up to five nodes, one-way four: the bounds are the optimum at most."""
    for graph in atlas()[1 : 53 if two_way else 19]:
        if not nx.is_connected(graph) or len(graph) < 2:
            continue
        problem = build_problem(
            "telephone" if two_way else "telegraph", "gossip", Network.from_networkx(graph)
        )
        best = brute_force.gossip_rounds(graph, two_way)
        for kind in ("distance", "degree-growth", "odd-order", "tree-gossip"):
            try:
                assert bound_of(posed(problem), {"kind": kind}, 0) <= best, (kind, graph.edges)
            except WrongError:
                continue


OTHERS = [
    "fat-tree broadcast fat-tree:16",
    "fat-tree broadcast fat-tree:32 --capacity log",
    "fat-tree prefix fat-tree:8 --timing rounds",
    "fat-tree product fat-tree:64 --capacity sqrt --timing rounds",
    "routing deliver fat-tree:8 --pattern random:4",
    "synchronous alltoall cycle:5 --steps 3",
    "synchronous gather leaf-spine:2,2,1 --root 0 --steps 2 --chunks 3",
    "synchronous allreduce dgx1 --steps 3",
    "synchronous reduce-scatter dgx1 --steps 2",
    "synchronous allgather cycle:6 --steps 2",
    "synchronous broadcast leaf-spine:2,3,2 --source 1 --steps 2",
    "pipelined allreduce dgx1",
    "pipelined allreduce a100:2",
]


@pytest.mark.parametrize("line", OTHERS)
def test_other_models(line: str) -> None:
    """By the clock, in rounds of routers, in steps and in the steady state; "infeasible" is no number."""
    problem = problem_of(line)
    kinds = [bound.evidence["kind"] for bound in model_of(problem).bounds(problem) if bound.evidence]
    if "distance" in kinds and problem.model == "synchronous":
        assert bound_of(posed(problem), {"kind": "distance"}, 1) == float("inf")
        kinds.remove("distance")
    for bound in model_of(problem).bounds(problem):
        if bound.evidence and bound.evidence["kind"] in kinds:
            proof = posed(problem).bundle.proof(bound.evidence)
            if proof is not None and proof.lower_bound is not None:
                found = bound_of(posed(problem), dict(bound.evidence), bound.value)
                assert Fraction(found) == Fraction(bound.value), bound


def test_packets() -> None:
    """The short rules are the table's where these decide, and never more than the table."""
    rests = 0
    for nodes in (*range(2, 10), 16):
        for ports in (1, 2):
            for extra in range(4):
                problem = problem_of(
                    f"linear-cost broadcast complete:{nodes} --ports {ports} --extra-rounds {extra}"
                )
                derived = model_of(problem).claims["derived"](problem, {})
                proof = posed(problem).bundle.proof({"kind": "derived"})
                assert proof is not None
                rests += bool(proof.rests_on)
                if not proof.rests_on:
                    assert bound_of(posed(problem), {"kind": "derived"}, derived) == derived
    assert 0 < rests < 30
