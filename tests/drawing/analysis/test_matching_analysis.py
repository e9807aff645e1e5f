"""Time-paths of schedules against a search through all of them, and what an analysis says of a gossip and of
other tasks.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise

import networkx as nx
from hypothesis import given, settings

from schedsolve.drawing.analysis.analysis import TimePath
from schedsolve.drawing.analysis.by_model.matching import analyse, spreads
from schedsolve.drawing.analysis.text import path_text
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Call, Schedule
from schedsolve.modelkit.task import broadcast_demand
from schedsolve.models.matching.rules import replay
from schedsolve.network.graph import Network
from tests.models.gossips import Pair, Seeds, directions_of_calls


def random_network(generator: random.Random, n: int) -> Network:
    """A random tree with some more edges."""
    graph = nx.empty_graph(n)
    graph.add_edges_from((generator.randrange(v), v) for v in range(1, n))
    graph.add_edges_from((u, v) for u in range(n) for v in range(u) if generator.random() < 0.2)
    return Network.from_networkx(graph)


def random_rounds(
    generator: random.Random, network: Network, count: int, two_way: bool
) -> tuple[tuple[Call, ...], ...]:
    """Legal rounds, some of them sparse."""
    rounds = []
    for _ in range(count):
        busy: set[int] = set()
        calls = []
        chance = generator.choice([0.3, 0.9])
        for u, v in generator.sample(network.arcs, len(network.arcs)):
            if busy.isdisjoint((u, v)) and generator.random() < chance:
                busy |= {u, v}
                calls.append(Call(u, v, two_way))
        rounds.append(tuple(calls))
    return tuple(rounds)


def every_time_path(
    schedule: Schedule, nodes: tuple[int, ...], rounds: tuple[int, ...] = ()
) -> Iterator[TimePath]:
    """Every time-path that goes on from the given one, itself included, by the words of the definition."""
    yield TimePath(nodes, rounds)
    for number in range((rounds or (0,))[-1] + 1, len(schedule.rounds) + 1):
        for u, v in directions_of_calls(schedule.rounds[number - 1]):
            if u == nodes[-1] and v not in nodes:
                yield from every_time_path(schedule, (*nodes, v), (*rounds, number))


def is_time_path(path: TimePath, schedule: Schedule) -> bool:
    """Whether the path is simple, its rounds increase, and its calls are in the schedule."""
    arcs = zip(pairwise(path.nodes), path.rounds, strict=True)
    simple = len(set(path.nodes)) == len(path.nodes) and all(a < b for a, b in pairwise(path.rounds))
    return simple and all(arc in directions_of_calls(schedule.rounds[number - 1]) for arc, number in arcs)


@given(Seeds)
@settings(max_examples=60, deadline=None)
def test_earliest_time_paths_are_the_best_of_all(seed: int) -> None:
    """The global time of the time-path found is the least of all time-paths between the two nodes; without
    any there is none.
    """
    generator = random.Random(seed)
    network = random_network(generator, generator.randint(1, 5))
    schedule = Schedule(random_rounds(generator, network, generator.randint(0, 6), generator.random() < 0.5))
    for source in range(network.node_count):
        best: dict[int, int] = {}
        for path in every_time_path(schedule, (source,)):
            assert path.global_time == (path.rounds or (0,))[-1]
            best[path.nodes[-1]] = min(path.global_time, best.get(path.nodes[-1], path.global_time))
        (spread,) = spreads(broadcast_demand(network.node_count, [source]), schedule)
        for target in range(network.node_count):
            found = spread.path(target)
            assert (found.global_time if found else None) == best.get(target)
            if found:
                assert (found.nodes[0], found.nodes[-1], is_time_path(found, schedule)) == (
                    source,
                    target,
                    True,
                )


def first_arrivals(schedule: Schedule, n: int) -> dict[Pair, int]:
    """The round after which v first knows the item of u, by (u, v), from replaying sets."""
    know = {v: {v} for v in range(n)}
    found = {(v, v): 0 for v in range(n)}
    for number, calls in enumerate(schedule.rounds, 1):
        before = {v: set(items) for v, items in know.items()}
        for u, v in directions_of_calls(calls):
            know[v] |= before[u]
        found |= {(u, v): number for v in range(n) for u in know[v] - before[v]}
    return found


@given(Seeds)
@settings(max_examples=40, deadline=None)
def test_analysis_of_a_gossip(seed: int) -> None:
    """Arrivals, complexity, critical pairs, unreached pairs and delays per node of a gossip agree with
    replaying what every node knows.
    """
    generator = random.Random(seed)
    n, two_way = generator.randint(2, 12), generator.random() < 0.5
    problem = Problem("telephone" if two_way else "telegraph", "gossip", random_network(generator, n))
    schedule = Schedule(random_rounds(generator, problem.network, generator.randint(1, 40), two_way))
    arrivals = first_arrivals(schedule, n)
    analysis = analyse(problem, schedule)
    for u, spread in enumerate(analysis.spreads):
        assert (spread.origins, spread.wanted) == ((u,), tuple(v for v in range(n) if v != u))
        assert spread.arrivals == tuple(arrivals.get((u, v)) for v in range(n))
    last = max(arrivals.values())
    complete = len(arrivals) == n * n
    assert (analysis.pair_count, analysis.last_arrival, analysis.complexity) == (
        n * (n - 1),
        last,
        last if complete else None,
    )
    assert complete == (replay(problem, schedule).violation is None)
    if complete:
        assert replay(problem, Schedule(schedule.rounds[:last])).violation is None
        assert replay(problem, Schedule(schedule.rounds[: last - 1])).violation is not None
    unreached = [(u, v) for u in range(n) for v in range(n) if (u, v) not in arrivals]
    assert [(spread.origins[0], v) for spread, v in analysis.unreached] == unreached
    if last:
        paths = analysis.critical_paths
        assert [(p.nodes[0], p.nodes[-1]) for p in paths] == sorted(
            pair for pair in arrivals if arrivals[pair] == last
        )
        assert sum(d.waiting + d.starting for d in analysis.node_delays) == sum(p.global_delay for p in paths)
        assert all(d.paths == sum(d.node in p.nodes for p in paths) for d in analysis.node_delays)


@given(Seeds)
@settings(max_examples=30, deadline=None)
def test_pairs_of_the_other_tasks(seed: int) -> None:
    """A message goes from the nearest of its sources, in time, to the targets; an accumulation goes into its
    root.
    """
    generator = random.Random(seed)
    n = generator.randint(1, 9)
    network = random_network(generator, n)
    schedule = Schedule(random_rounds(generator, network, generator.randint(0, 12), False))
    arrivals = first_arrivals(schedule, n)
    sources, targets = (sorted(generator.sample(range(n), generator.randint(1, n))) for _ in range(2))
    for task, goals in (("broadcast", list(range(n))), ("multicast", targets)):
        (spread,) = analyse(
            Problem("telegraph", task, network, {"source": sources, "targets": targets}), schedule
        ).spreads
        assert (spread.origins, spread.wanted) == (
            tuple(sources),
            tuple(v for v in goals if v not in sources),
        )
        for v in range(n):
            earliest = min((arrivals[s, v] for s in sources if (s, v) in arrivals), default=None)
            path = spread.path(v)
            assert spread.arrivals[v] == earliest == (path.global_time if path else None)
            assert path is None or (path.nodes[0] in sources and is_time_path(path, schedule))
    root = generator.randrange(n)
    into = analyse(Problem("telegraph", "accumulation", network, {"root": root}), schedule)
    assert [(s.origins[0], v) for s, v in into.pairs()] == [(u, root) for u in range(n) if u != root]
    assert into.last_arrival == max(arrivals.get((u, root), 0) for u in range(n))


def test_delays_of_a_time_path() -> None:
    """The example of every term: arcs in rounds 3, 4 and 8."""
    path = TimePath((5, 2, 7, 0), (3, 4, 8))
    assert (path.start_delay, path.delays, path.global_delay, path.global_time) == (2, (0, 3), 5, 8)
    assert path_text(path, "abcdefgh") == "f -3-> c -4-> h -8-> a"
    assert (TimePath((4,), ()).global_time, TimePath((4,), ()).global_delay, TimePath((4,), ()).delays) == (
        0,
        0,
        (),
    )
