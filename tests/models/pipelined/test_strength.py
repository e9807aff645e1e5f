"""The strength of networks against the formula for all partitions, and the trees that attain it."""

from __future__ import annotations

import json
from fractions import Fraction
from random import Random

import pytest

from schedsolve import Network, Options, build_problem, solve
from schedsolve.certify.check import check_data
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Bound, result_to_json
from schedsolve.models.pipelined.bounds import lower_bounds
from schedsolve.models.pipelined.bounds.strength import has_strength, strength
from schedsolve.models.pipelined.formulation.reductions import search_sums
from schedsolve.models.pipelined.formulation.spanning_trees import spanning_trees
from schedsolve.models.pipelined.rules import replay
from schedsolve.models.pipelined.rules.schedule import PipelinedSchedule
from schedsolve.network.groups import bandwidth_between
from tests.reference.allreduce_strength import least_time


def weighted(edges: dict[tuple[int, int], Fraction]) -> Network:
    count = 1 + max(v for edge in edges for v in edge)
    return Network(count, tuple(edges), bandwidths=tuple(edges.values()))


def random_edges(random: Random, count: int, more: int) -> dict[tuple[int, int], Fraction]:
    """A random tree and some more edges, with bandwidths of which some are fractions."""
    edges = {(random.randrange(v), v) for v in range(1, count)}
    while len(edges) < min(count - 1 + more, count * (count - 1) // 2):
        u, v = sorted(random.sample(range(count), 2))
        edges.add((u, v))
    return {edge: Fraction(random.randint(1, 5), random.choice((1, 1, 2, 3))) for edge in sorted(edges)}


def allreduce(network: Network, **parameters: bool) -> Problem:
    return build_problem("pipelined", "allreduce", network, parameters)


def optimum(network: Network) -> Fraction:
    """The strength's time, whose groups and trees both show it."""
    found = strength(network)
    between = bandwidth_between(network, found.groups, inward=True) / 2
    assert sorted(v for group in found.groups for v in group) == list(range(network.node_count))
    assert found.rate == between / (len(found.groups) - 1)
    *_, schedule = spanning_trees(network)
    assert schedule is not None
    seen = replay(allreduce(network), schedule)
    assert (seen.violation, seen.value) == (None, 1 / found.rate)
    return schedule.time


def test_against_all_partitions() -> None:
    """Small networks with bandwidths that are fractions: the best partition, and trees that meet it."""
    random = Random(44)
    for _ in range(60):
        edges = random_edges(random, random.randint(2, 7), random.randint(0, 9))
        network = weighted(edges)
        scale = 6
        whole = [(u, v, int(b * scale)) for (u, v), b in edges.items()]
        assert optimum(network) == scale * least_time(network.node_count, whole), edges


@pytest.mark.parametrize(
    ("spec", "time"),
    [
        ("path:2", Fraction(1)),
        ("star:9", Fraction(1)),
        ("cycle:7", Fraction(6, 7)),
        ("complete:7", Fraction(2, 7)),
        ("hypercube:5", Fraction(31, 80)),
        ("torus:5x5", Fraction(24, 50)),
        ("petersen", Fraction(9, 15)),
    ],
)
def test_families(spec: str, time: Fraction) -> None:
    """(n - 1) / m where no denser part is, and 1 on trees."""
    assert optimum(Network.from_spec(spec)) == time


def test_irregular_machine() -> None:
    """A torus without a node and two links, with links of two kinds: optimal and checked in every claim."""
    torus = Network.from_spec("torus:7x7")
    edges = [(u - 1, v - 1) for u, v in torus.edges if u and (u, v) not in ((8, 9), (20, 27))]
    network = Network(48, tuple(edges), bandwidths=tuple(1 + i % 3 // 2 for i in range(len(edges))))
    result = solve(allreduce(network), Options(time_limit=60))
    assert result.status == "optimal"
    report = check_data(json.loads(json.dumps(result_to_json(result))))
    assert report.complete, report.text


def test_two_dense_parts() -> None:
    """Two complete networks and a link between them: the groups are these two."""
    part = [(u, v) for v in range(6) for u in range(v)]
    edges = [*part, *((u + 6, v + 6) for u, v in part), (2, 9)]
    found = strength(Network(12, tuple(edges)))
    assert found.rate == 1
    assert sorted(map(sorted, found.groups)) == [[*range(6)], [*range(6, 12)]]
    bound = max(lower_bounds(allreduce(Network(12, tuple(edges)))), key=lambda bound: bound.value)
    assert bound.value == 1


def test_where_it_is_the_rate() -> None:
    """Not with switches, with links of two bandwidths, in the nodes' order, or for other tasks."""
    path = Network.from_spec("path:3")
    assert has_strength(allreduce(path))
    both = tuple((u, v) for e in path.edges for u, v in (e, e[::-1]))
    assert has_strength(allreduce(Network(3, both, True)))
    assert not has_strength(allreduce(Network(3, both, True, bandwidths=(1, 1, 1, 2))))
    assert not has_strength(allreduce(Network(3, (*both[:3], (2, 1), (2, 0)), True)))
    assert not has_strength(allreduce(path, ordered=True))
    assert not has_strength(allreduce(Network(3, path.edges, switches=frozenset({1}))))
    assert not has_strength(build_problem("pipelined", "allgather", path, {}))


def test_search_of_large_networks() -> None:
    """What constructions leave: a theorem where a reduce-scatter and an allgather do, trees elsewhere."""
    torus = (found for found in search_sums(allreduce(Network.from_spec("torus:9x9")), 60) if found)
    exist, written = next(torus), next(torus)
    assert isinstance(exist, Bound)
    assert isinstance(written, PipelinedSchedule)
    assert exist.value == written.time == Fraction(80, 162)
    *_, small = search_sums(allreduce(Network.from_spec("torus:3x3")), 60)
    assert isinstance(small, PipelinedSchedule)
    assert {tree.root for tree in small.trees} == set(range(9))
    *_, trees = search_sums(allreduce(Network.from_spec("path:9")), 60)
    assert isinstance(trees, PipelinedSchedule)
    assert trees.time == 1
    assert all(len(way) == 2 for tree in trees.trees for way in tree.paths)
