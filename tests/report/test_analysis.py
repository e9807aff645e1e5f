"""Analyses of schedules: time-paths against a search through all of them, collisions and crossings on paths,
and what is printed.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedsolve.errors import InputError
from schedsolve.modelkit.analysis import Analysis, TimePath
from schedsolve.models.matching.analysis import analyse, time_paths
from schedsolve.models.matching.rules import replay
from schedsolve.models.systolic.analysis import (
    Directions,
    collisions,
    crossings,
    next_slot,
    path_directions,
    path_order,
    period_strip,
)
from schedsolve.models.systolic.analysis import analyse as analyse_systolic
from schedsolve.network.graph import Network
from schedsolve.problem import Problem
from schedsolve.report.analysis import analysis_lines, analysis_to_json, path_text
from schedsolve.schedule import Call, Schedule

Pair = tuple[int, int]
Seeds = st.integers(0, 2**32)


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


def directions_of_calls(calls: Sequence[Call]) -> set[Pair]:
    return {(u, v) for u, v, *_ in calls} | {(v, u) for u, v, two_way, *_ in calls if two_way}


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


def gossip(network: Network, **parameters: Any) -> Problem:
    return Problem("telegraph", "gossip", network, parameters)


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
        for target, found in enumerate(time_paths(network.node_count, schedule, source)):
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


def periodic(period_rounds: Sequence[Sequence[Pair]], rounds: int) -> Schedule:
    return Schedule.one_way(period_rounds[t % len(period_rounds)] for t in range(rounds))


def crossed_twice() -> tuple[Network, list[list[Pair]]]:
    """P_6 on the labels 1..6 with period 4: two multiples of the period are crossed at node 3, where there is
    no collision.
    """
    network = Network.from_labels(range(1, 7), [(v, v + 1) for v in range(1, 6)], name="six")
    return network, [[(0, 1), (3, 2), (4, 5)], [(1, 0), (2, 3), (5, 4)], [(1, 2), (3, 4)], [(2, 1), (4, 3)]]


def between_ends(analysis: Analysis) -> tuple[TimePath, TimePath]:
    there, back = analysis.spreads[0].path(len(analysis.spreads) - 1), analysis.spreads[-1].path(0)
    assert there
    assert back
    return there, back


def test_crossings_without_a_collision() -> None:
    """A schedule whose collisions are more than k/2 apart, against Claim 1 in the proof of Lemma 3.5; the
    weights bridge the gap.
    """
    network, period_rounds = crossed_twice()
    schedule = periodic(period_rounds, 10)
    assert replay(gossip(network), schedule).violation is None
    directions = path_directions((0, 1, 2, 3, 4, 5), schedule, 4)
    assert {network.labels[c.node] for c in collisions(directions)} == {2, 5}
    analysis = analyse_systolic(gossip(network, period=4), schedule)
    assert [(network.labels[c.node], c.weight) for c in crossings(*between_ends(analysis), 4)] == [
        (2, 1),
        (3, 2),
        (4, 0),
        (5, 1),
    ]
    assert any(
        "crosses 4 multiples" in remark and "9 rounds" in remark for remark in analysis.notes[-1].remarks
    )


def test_smallest_crossing_without_a_collision() -> None:
    """On P_3 with period 4, of the orders of the four calls at the inner node one crosses two multiples of 4
    without a collision.
    """
    schedule = periodic([[(0, 1)], [(1, 0)], [(2, 1)], [(1, 2)]], 6)
    problem = gossip(Network.from_spec("path:3"), period=4)
    assert replay(problem, schedule).violation is None
    assert collisions(path_directions((0, 1, 2), schedule, 4)) == ()
    assert [row[3] for row in analyse_systolic(problem, schedule).notes[-1].rows] == [2]


def random_period(generator: random.Random, n: int, k: int) -> list[list[Pair]]:
    """One-way rounds on a path 0-1-...-(n-1) in which every arc has a slot of the period, some more than
    one.
    """
    slots: dict[Pair, set[int]] = {}
    busy: list[set[int]] = [set() for _ in range(n)]

    def use(u: int, v: int, slot: int) -> None:
        slots.setdefault((u, v), set()).add(slot)
        busy[u].add(slot)
        busy[v].add(slot)

    for v in range(n - 1):
        for arc, slot in zip(
            [(v, v + 1), (v + 1, v)], generator.sample(sorted(set(range(k)) - busy[v]), 2), strict=True
        ):
            use(*arc, slot)
    for _ in range(generator.randint(0, 2 * n)):
        v, slot = generator.randrange(n - 1), generator.randrange(k)
        if slot not in busy[v] | busy[v + 1]:
            use(*generator.choice([(v, v + 1), (v + 1, v)]), slot)
    return [[arc for arc in slots if slot in slots[arc]] for slot in range(k)]


@given(Seeds)
@settings(max_examples=120, deadline=None)
def test_delays_are_at_least_twice_the_weight(seed: int) -> None:
    """For the earliest time-paths and others, D is no multiple of the period, and the delays at a node are at
    least twice its weight.
    """
    generator = random.Random(seed)
    n, k = generator.randint(2, 9), generator.randint(4, 8)
    schedule = periodic(random_period(generator, n, k), 40 * n)
    earliest = between_ends(analyse(gossip(Network.from_spec(f"path:{n}")), schedule))
    for x, y in [earliest, [late_path(generator, schedule, path.nodes) for path in earliest]]:
        found = crossings(x, y, k)
        for c in found:
            assert c.before % k != 0 != c.after % k
            assert c.weight == sum(1 for d in range(c.before + 1, c.after) if d % k == 0)
            assert c.forward_delay + c.backward_delay == c.after - c.before - 2
            assert c.forward_delay + c.backward_delay >= 2 * c.weight
        assert [c.node for c in found] == list(range(1, n - 1))
        assert max(x.global_time, y.global_time) >= n - 1 + sum(c.weight for c in found)


def late_path(generator: random.Random, schedule: Schedule, nodes: Sequence[int]) -> TimePath:
    """A time-path along the nodes that lets some calls pass by."""
    rounds = [0]
    for arc in pairwise(nodes):
        for number in range(rounds[-1] + 1, len(schedule.rounds) + 1):
            if arc in directions_of_calls(schedule.rounds[number - 1]):
                last = number
                if generator.random() < 0.5:
                    break
            if number > rounds[-1] + 30:
                break
        rounds.append(last)
    return TimePath(tuple(nodes), tuple(rounds[1:]))


def literal_collisions(d: Directions) -> list[tuple[int, int, str]]:
    """The collisions by the words of Definition 3.4, in its own numbering: nodes and slots from 1."""
    n, k = len(d.nodes), d.period
    s, q = (
        {i + 1: slots for i, slots in enumerate(d.forward)},
        {i + 1: slots for i, slots in enumerate(d.backward)},
    )

    def following(slots: frozenset[int], i: int) -> int:
        return min([a for a in slots if i < a <= k] + [b + k for b in slots if 1 <= b <= i])

    found = []
    for m in range(2, n):
        for i in range(1, k + 1):
            right, left = following(s[m], i), following(q[m - 1], i)
            from_right, from_left = following(q[m], i), following(s[m - 1], i)
            cases = {
                "i": i in s[m - 1] and from_right < right < left,
                "ii": i in q[m] and from_left < left < right,
                "iii": i in s[m - 1] and from_right < left < right,
                "iv": i in q[m] and from_left < right < left,
            }
            found += [(d.nodes[m - 1], i, name) for name, holds in cases.items() if holds]
    return found


@given(Seeds)
@settings(max_examples=80, deadline=None)
def test_collisions_are_those_of_the_definition(seed: int) -> None:
    """Collisions agree with the four conditions as printed, and the two directions do not depend on how the
    path is numbered.
    """
    generator = random.Random(seed)
    n, k = generator.randint(2, 8), generator.randint(4, 8)
    image = generator.sample(range(n), n)
    moved = [[(image[u], image[v]) for u, v in calls] for calls in random_period(generator, n, k)]
    network = Network(n, tuple((image[v], image[v + 1]) for v in range(n - 1)))
    order = path_order(network)
    assert order == tuple(image if image[0] < image[-1] else reversed(image))
    directions = path_directions(order, periodic(moved, k + 3), k)
    found = collisions(directions)
    assert [(c.node, c.slot, c.case) for c in found] == literal_collisions(directions)
    assert all(c.forward_delay + c.backward_delay == 2 for c in found)


def test_next_slot() -> None:
    """The next moment of a slot is in this period or the next; the slot itself comes round one period
    later.
    """
    assert [next_slot({2, 5}, q, 6) for q in range(1, 7)] == [2, 5, 5, 5, 8, 8]
    assert next_slot(set(), 3, 6) is None


@pytest.mark.parametrize("spec", ["cycle:4", "star:5", "grid:2x2", "complete:3"])
def test_other_networks_are_no_path(spec: str) -> None:
    """A network with a cycle or a node of degree 3 has no order along a path."""
    assert path_order(Network.from_spec(spec)) is None


def texts(analysis: Analysis, *ends: Any) -> str:
    """All that is printed, after the JSON was seen to be plain and every line to be one."""
    json.dumps(analysis_to_json(analysis, *ends), allow_nan=False)
    lines = analysis_lines(analysis, *ends)
    assert all(line and line.isprintable() for line in lines)
    return "\n".join(lines)


@pytest.mark.parametrize("model", ["telegraph", "telephone"])
@pytest.mark.parametrize("make", [analyse, analyse_systolic])
def test_smallest_networks(make: Callable[[Problem, Schedule], Analysis], model: str) -> None:
    """One node has nothing to do; two nodes have no inner node."""
    two_way = model == "telephone"
    alone = make(Problem(model, "gossip", Network.from_spec("path:1"), {"period": 1}), Schedule(()))
    assert (alone.complexity, alone.pair_count, alone.critical_paths) == (0, 0, ())
    assert "complexity 0" in texts(alone, 0, 0)
    pair = Problem(model, "gossip", Network.from_spec("path:2"), {"period": 2})
    nothing = make(pair, Schedule(()))
    assert (nothing.complexity, nothing.last_arrival, len(nothing.unreached), nothing.critical_paths) == (
        None,
        0,
        2,
        (),
    )
    assert "0 -> 1, 1 -> 0" in texts(nothing)
    schedule = Schedule.two_way([[(0, 1)]]) if two_way else Schedule.one_way([[(0, 1)], [(1, 0)]])
    done = make(pair, schedule)
    assert done.complexity == len(schedule.rounds)
    assert ("1 + 0 = 1 rounds" in texts(done)) == (make is analyse_systolic and not two_way)


def test_what_is_printed_of_a_path() -> None:
    """The critical pairs with their time-paths, the delays per node, the strip, collisions and crossings, in
    the network's labels.
    """
    network, period_rounds = crossed_twice()
    lines = analysis_lines(analyse_systolic(gossip(network, period=4), periodic(period_rounds, 11)), "1", 6)
    assert lines[:4] == [
        "telegraph gossip on six (6 nodes), period 4",
        "complexity 10: all of 30 pairs reached after round 10; the schedule has 11 rounds",
        "from 1 to 6: global time 9, start delay 0, delays: 1 at 2, 2 at 3, 1 at 5",
        "  1 -1-> 2 -3-> 3 -6-> 4 -7-> 5 -9-> 6",
    ]
    rows = [" ".join(line.split()) for line in lines]
    assert "6 1 5 10 6 -2-> 5 -4-> 4 -5-> 3 -8-> 2 -10-> 1" in rows
    assert "3 4 0 2" in rows
    assert "2 <1 >1 >3 <3" in rows
    assert "2 4 (ii) 1 1" in rows
    assert "3 -5 1 2 2 2 0" in rows
    incomplete = texts(analyse_systolic(gossip(network, period=4), periodic(period_rounds, 9)))
    assert "incomplete: 2 of 30 pairs unreached; the last arrival is in round 9 of 9 rounds" in incomplete
    assert "unreached: 5 -> 1, 6 -> 1" in incomplete
    assert "crosses" not in incomplete


def test_what_is_printed_of_a_tree() -> None:
    """Two-way calls on a tree: the strip with partners, and the patterns with parents and children."""
    network = Network.from_spec("star:4")
    schedule = Schedule.two_way([[(0, 1)], [(0, 2)], [(0, 3)]] * 2)
    shown = texts(analyse_systolic(Problem("telephone", "gossip", network, {"period": 3}), schedule), 3, 1)
    assert "3 -3-> 0 -4-> 1" in shown
    assert "  0     =1  =2  =3" in shown
    assert "  0     C1  C2  C3\n  1      P   N   N" in shown
    assert period_strip(network, Schedule.one_way([[(1, 0)], [(0, 2)]]), 2)[0] == (0, ("<1", ">2"))


def test_long_paths_and_many_pairs_are_cut() -> None:
    """Of many critical pairs ten are shown, and of long time-paths the beginning and the last arc; the path
    asked for is shown in full.
    """
    n = 60
    schedule = Schedule.one_way(
        [[(v, v - 1)] for v in range(n - 1, 0, -1)] + [[(v, v + 1)] for v in range(n - 1)]
    )
    analysis = analyse(gossip(Network.from_spec(f"path:{n}")), schedule)
    lines = analysis_lines(analysis, 0, n - 1)
    assert max(map(len, lines)) <= 160
    assert sum(line.endswith("-118-> 59") for line in lines) == 11
    assert any("0 -60-> 1 -61-> 2 " in line and line.endswith(" more ... -118-> 59") for line in lines)
    assert "  and 49 more" in lines
    assert path_text(analysis.critical_paths[0], range(n)) in " ".join(line.strip() for line in lines)
    assert len(analysis_to_json(analysis)["critical"]) == n - 1


def test_bad_choices_are_refused() -> None:
    """A chosen pair has two nodes of the network, and a source where something starts."""
    schedule = Schedule.one_way([[(0, 1)], [(1, 2)]])
    analysis = analyse(
        Problem("telegraph", "broadcast", Network.from_spec("path:4"), {"source": 0}), schedule
    )
    for ends, fault in {
        (0, None): "two ends",
        (None, 1): "two ends",
        (0, 9): "not a node",
        (1, 2): "starts at 0",
    }.items():
        for show in (analysis_lines, analysis_to_json):
            with pytest.raises(InputError, match=fault):
                show(analysis, *ends)
    assert "from 0 to 3: unreached" in texts(analysis, 0, 3)
    assert analysis_to_json(analysis, 0, 2)["path"]["rounds"] == [1, 2]
    shared = analyse(
        Problem("telegraph", "broadcast", Network.from_spec("path:4"), {"source": [0, 3]}), schedule
    )
    assert "first from 0" in texts(shared, 3, 2)
    assert shared.complexity == 2
