"""Crossings and collisions of periodic gossip on paths, against the words of the definitions."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings

from schedsolve.drawing.analysis.analysis import Analysis, TimePath
from schedsolve.drawing.analysis.by_model.matching import analyse
from schedsolve.drawing.analysis.by_model.systolic import (
    Directions,
    collisions,
    conflicts,
    crossings,
    next_slot,
    path_directions,
)
from schedsolve.drawing.analysis.by_model.systolic import analyse as analyse_systolic
from schedsolve.modelkit.schedule import Schedule
from schedsolve.models.matching.rules import replay
from schedsolve.network.graph import Network
from schedsolve.network.named.trees import is_path, path_order
from tests.models.gossips import Pair, Seeds, crossed_twice, directions_of_calls, gossip, periodic


def between_ends(analysis: Analysis) -> tuple[TimePath, TimePath]:
    there, back = analysis.spreads[0].path(len(analysis.spreads) - 1), analysis.spreads[-1].path(0)
    assert there
    assert back
    return there, back


# Definition 3.4 and Figure 1 of the paper: the collisions at a node x_m of a path.
@pytest.mark.parametrize(
    ("calls", "case", "delays"),
    [
        ([(0, 1), (2, 1), (1, 2), (1, 0)], "i", (1, 1)),
        ([(2, 1), (0, 1), (1, 0), (1, 2)], "ii", (1, 1)),
        ([(0, 1), (2, 1), (1, 0), (1, 2)], "iii", (2, 0)),
        ([(2, 1), (0, 1), (1, 2), (1, 0)], "iv", (0, 2)),
    ],
)
def test_the_collisions_of_figure_1(calls: list[Pair], case: str, delays: Pair) -> None:
    """Both directions arrive at the inner node before either goes on: each waits for a round, or one for
    two.
    """
    schedule = periodic([[call] for call in calls], 8)
    directions = path_directions((0, 1, 2), schedule, 4)
    (found,) = collisions(directions)
    paths = between_ends(analyse(gossip(Network.from_spec("path:3")), schedule))
    assert conflicts(directions, *paths) == (found,)
    assert (found.node, found.slot, found.case) == (1, 1, case)
    assert (found.forward_delay, found.backward_delay) == delays


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


def test_collisions_far_apart_with_an_odd_period() -> None:
    """A gossip on P_6 with period 5 whose collisions are 3 apart, against Claim 2b in the proof of Lemma 3.6,
    which allows floor(5/2) between two, and against Claim 2.
    """
    forward, backward = (5, 3, 4, 3, 5), (4, 1, 5, 2, 4)
    rounds: list[list[tuple[int, int]]] = [[] for _ in range(5)]
    for v, (there, back) in enumerate(zip(forward, backward, strict=True)):
        rounds[there - 1].append((v, v + 1))
        rounds[back - 1].append((v + 1, v))
    schedule = periodic(rounds, 40)
    seen = replay(gossip(Network.from_spec("path:6")), schedule)
    assert seen.violation is None
    directions = path_directions((0, 1, 2, 3, 4, 5), schedule, 5)
    assert {c.node for c in collisions(directions)} == {1, 4}


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
@settings(max_examples=40, deadline=None)
def test_conflicts_are_those_of_the_definition(seed: int) -> None:
    """By its words: after round i + 1 of some period, X has come to the node of an i-collision and not gone
    on, and so has Y in some period. The delays of the two there sum to at least 2.
    """
    generator = random.Random(seed)
    n, k = generator.randint(2, 9), generator.randint(4, 8)
    schedule = periodic(random_period(generator, n, k), 40 * n)
    earliest = between_ends(analyse(gossip(Network.from_spec(f"path:{n}")), schedule))
    directions = path_directions(tuple(range(n)), schedule, k)
    for x, y in [earliest, [late_path(generator, schedule, path.nodes) for path in earliest]]:
        there, back = (0, *x.rounds), (0, *y.rounds)
        literal = []
        for c in collisions(directions):
            moments = range(c.slot % k + 1, 40 * n, k)
            x_meets = any(there[c.node] <= moment < there[c.node + 1] for moment in moments)
            y_meets = any(back[n - 1 - c.node] <= moment < back[n - c.node] for moment in moments)
            literal += [c] if x_meets and y_meets else []
        assert list(conflicts(directions, x, y)) == literal
        delays = {c.node: c.forward_delay + c.backward_delay for c in crossings(x, y, k)}
        assert all(delays[c.node] >= 2 for c in literal)


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
    assert order == (image if image[0] < image[-1] else image[::-1])
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
    assert not is_path(Network.from_spec(spec))
