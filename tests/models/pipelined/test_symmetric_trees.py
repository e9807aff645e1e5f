"""Trees of large machines under symmetries, and groups of balls around compute nodes."""

from __future__ import annotations

import json
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from schedsolve import Network, Options, build_problem, solve
from schedsolve.certify.check import check_data
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Bound, result_to_json
from schedsolve.models.pipelined.bounds import lower_bounds
from schedsolve.models.pipelined.bounds.strength import goes_both_ways
from schedsolve.models.pipelined.formulation.grown_trees import grown_tree
from schedsolve.models.pipelined.formulation.symmetric_trees import (
    counting_by_lengths,
    groups_by_radius,
    grown_columns,
    search_symmetric,
)
from schedsolve.models.pipelined.rules import replay
from schedsolve.models.pipelined.rules.schedule import PipelinedSchedule
from schedsolve.network.automorphism_generators import automorphism_generators
from tests.reference.allreduce_strength import partitions


def posed(task: str, network: Network | str, **parameters: Any) -> Problem:
    network = Network.from_spec(network) if isinstance(network, str) else network
    return build_problem("pipelined", task, network, parameters)


def switched(random: Random, compute: int, switches: int) -> Network:
    """A connected network whose last nodes are switches."""
    count = compute + switches
    order = random.sample(range(count), count)
    edges = {tuple(sorted((order[random.randrange(i)], order[i]))) for i in range(1, count)}
    edges |= {tuple(sorted(random.sample(range(count), 2))) for _ in range(random.randint(0, 7))}
    bandwidths = tuple(Fraction(random.randint(1, 6), random.choice((1, 2))) for _ in edges)
    links = tuple((u, v) for u, v in sorted(edges))
    return Network(count, links, bandwidths=bandwidths, switches=frozenset(range(compute, count)))


def best_groups(network: Network) -> Fraction:
    """What counting proves at best, over all ways to put nodes, switches perhaps in none, into groups."""
    best = Fraction(0)
    for parts in partitions(list(range(network.node_count + 1))):
        groups = [part for part in parts if network.node_count not in part]
        outside = next(set(part) for part in parts if network.node_count in part)
        if len(groups) < 2 or not outside <= {*network.switches, network.node_count}:
            continue
        if any(set(group) <= network.switches for group in groups):
            continue
        of = {v: i for i, group in enumerate(groups) for v in group}
        into = sum(
            (Fraction(b) for (u, v), b in network.bandwidth_of.items() if v in of and of.get(u) != of[v]),
            Fraction(0),
        )
        best = max(best, Fraction(2 * (len(groups) - 1)) / into)
    return best


def test_switches_against_all_groups() -> None:
    """With switches, trees and groups of balls meet at what the best groups prove."""
    random = Random(45)
    for _ in range(25):
        compute = random.randint(2, 5)
        problem = posed("allreduce", switched(random, compute, random.randint(1, 7 - compute)))
        columns = grown_columns(problem)
        for _ in columns.solve(60, None):
            pass
        schedule, bound = columns.schedule(), counting_by_lengths(problem, columns.best)
        assert schedule is not None
        assert replay(problem, schedule).violation is None
        assert schedule.time == bound.value == best_groups(problem.network), problem.network.edges


@pytest.mark.parametrize(
    ("task", "network", "value"),
    [
        ("allgather", "hypercube:6", Fraction(63, 6)),
        ("reduce-scatter", "torus:7x9", Fraction(62, 4)),
        ("allreduce", "leaf-spine:6,8,2", None),
        ("allgather", "a100:8", Fraction(7, 25)),
        ("broadcast", "torus:7x7", Fraction(1, 4)),
    ],
)
def test_trees_stand_for_their_images(task: str, network: str, value: Fraction | None) -> None:
    """A file with symmetries, checked in every claim; its trees have few roots."""
    problem = posed(task, network)
    result = solve(problem, Options(certify=True, time_limit=60))
    assert result.status == "optimal"
    assert value is None or result.value == value
    report = check_data(json.loads(json.dumps(result_to_json(result))))
    assert report.complete, report.text


def test_search_under_symmetries() -> None:
    """One root stands for all; and where there is nothing to share, nothing is searched for."""
    problem = posed("allgather", "torus:7x7")
    lower = max(Fraction(bound.value) for bound in lower_bounds(problem))
    *_, schedule = search_symmetric(problem, lower, 60)
    assert isinstance(schedule, PipelinedSchedule)
    assert schedule.symmetries
    assert {tree.root for tree in schedule.trees} == {0}
    assert replay(problem, schedule).violation is None
    assert schedule.time == lower == 12
    assert list(search_symmetric(posed("allgather", "torus:3x3"), lower, 60)) == []
    assert list(search_symmetric(posed("reduce", "torus:7x7", ordered=True, root=0), lower, 60)) == []


def test_a_clos_without_links() -> None:
    """Leaves and spines of which some links are dead, 48 compute nodes: both sides from the search."""
    hosts, leaves = range(48), range(48, 54)
    links = [(h, 48 + h // 8) for h in hosts] + [(leaf, s) for leaf in leaves for s in range(54, 57)]
    for dead in ((48, 55), (50, 54), (50, 56)):
        links.remove(dead)
    bandwidths = tuple(1 if u < 48 else 2 for u, _ in links)
    network = Network(57, tuple(links), bandwidths=bandwidths, switches=frozenset(range(48, 57)))
    problem = posed("allreduce", network)
    found = [one for one in search_symmetric(problem, Fraction(0), 60) if one]
    bound, schedule = found
    assert isinstance(bound, Bound)
    assert isinstance(schedule, PipelinedSchedule)
    assert replay(problem, schedule).violation is None
    assert schedule.time == bound.value == Fraction(47, 24)


def test_trees_grow_by_the_nearest() -> None:
    """As cheap as the cheapest spanning tree where lengths are symmetric; a switch is no end of a way."""
    random = Random(7)
    for _ in range(30):
        network = switched(random, 4, 2)
        lengths = {}
        for u, v in network.edges:
            lengths[u, v] = lengths[v, u] = float(random.randint(1, 9))
        costs = []
        for root in range(4):
            tree = grown_tree(network, lengths, root)
            assert tree is not None
            assert sorted(way[-1] for way in tree) == [v for v in range(4) if v != root]
            assert all(set(way[1:-1]) <= network.switches for way in tree)
            costs.append(sum(lengths[way[i], way[i + 1]] for way in tree for i in range(len(way) - 1)))
        assert len(set(costs)) == 1
    alone = Network(3, ((0, 1), (1, 0), (2, 0)), True)
    assert grown_tree(alone, dict.fromkeys(alone.arcs, 1.0), 0) is None


def test_groups_grow_through_switches() -> None:
    """Balls around the ends of a path of two switches meet in its middle."""
    path = Network(4, ((0, 2), (2, 3), (3, 1)), switches=frozenset({2, 3}))
    lengths = dict.fromkeys(path.arcs, 1.0)
    groups = list(groups_by_radius(path, lengths))
    assert groups == [[frozenset({0}), frozenset({1})], [frozenset({0, 2}), frozenset({1, 3})]]
    assert goes_both_ways(posed("allreduce", path))
    assert not goes_both_ways(posed("allreduce", path, switches_copy=True))
    assert automorphism_generators(path)
