"""The search for protocols of the linear cost model: flow programs, packings, and all schedules of a few
packets in tiny networks.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, islice, permutations, product

import pytest

from schedsolve.models.linear_cost.bounds import aggregated_bound
from schedsolve.models.linear_cost.claims.table import table
from schedsolve.models.linear_cost.constructions.flow_costs import (
    FlowOptimum,
    coordinate_call_graphs,
    least_flow_costs,
)
from schedsolve.models.linear_cost.constructions.packing import packed_on, packing_size
from schedsolve.models.linear_cost.constructions.pipelined import pipelined_trees, unequal_costs
from schedsolve.models.linear_cost.constructions.protocol import Protocol, digit
from schedsolve.models.linear_cost.rules import Shape
from schedsolve.models.linear_cost.search.coordinate_orders import orders, packet_counts, search
from tests.reference.linear_cost_replay import second_replay

LONG = 60.0


def cyclic(dimension: int, rounds: int) -> tuple[int, ...]:
    """The order 1, 2, .., T, 1, 2, .."""
    return tuple(t % dimension + 1 for t in range(rounds))


def flow(ports: int, dimension: int, order: Sequence[int]) -> FlowOptimum:
    """The optimum of the flow program, which there is."""
    optimum = least_flow_costs(ports, dimension, order, LONG)
    assert optimum is not None
    return optimum


def costs_of(ports: int, dimension: int, order: Sequence[int], protocol: Protocol) -> list[Fraction]:
    """The costs of a protocol's rounds, replayed; every message goes along a line of its round's
    coordinate.
    """
    seen = second_replay((ports + 1) ** dimension, None, ports, protocol.packet_count, protocol.rounds)
    assert seen.is_complete(protocol.packet_count)
    for coordinate, messages in zip(order, protocol.rounds, strict=True):
        for u, v, _ in messages:
            assert [
                i for i in range(1, dimension + 1) if digit(u, i, ports + 1) != digit(v, i, ports + 1)
            ] == [coordinate]
    return seen.costs


CYCLIC = [
    (1, 3, 3, "3/2"),
    (1, 4, 3, "7/4"),
    (1, 2, 2, "4/3"),
    (1, 4, 0, "4"),
    (2, 2, 4, "2/3"),
    (2, 3, 3, "6/7"),
    (3, 2, 3, "1/2"),
    (1, 4, 7, "11/8"),
    (2, 5, 8, "19/25"),
]


@pytest.mark.parametrize(("ports", "dimension", "extra", "value"), CYCLIC)
def test_the_flow_program_of_cyclic_orders(ports: int, dimension: int, extra: int, value: str) -> None:
    """Known values; the multipliers prove them: the cuts they weigh have at most one arc in every round, and
    their sum is the value.
    """
    optimum = flow(ports, dimension, cyclic(dimension, dimension + extra))
    assert optimum.value == sum(optimum.costs) == Fraction(value)
    assert all(y > 0 and 0 <= i < len(optimum.cuts) for i, y in optimum.multipliers.items())
    assert sum(optimum.multipliers.values()) == optimum.value
    for t in range(dimension + extra):
        assert sum(y * optimum.cuts[i][t] for i, y in optimum.multipliers.items()) <= 1
    assert all(
        sum(arcs * cost for arcs, cost in zip(cut, optimum.costs, strict=True)) >= 1 for cut in optimum.cuts
    )


@pytest.mark.parametrize(
    ("ports", "dimension", "extra"), [(1, 3, 2), (1, 3, 7), (1, 4, 6), (2, 2, 3), (2, 3, 6), (3, 2, 5)]
)
def test_no_protocol_with_cyclic_coordinates_is_below_the_flow(
    ports: int, dimension: int, extra: int
) -> None:
    """Every cut holds for the costs of its rounds, and the optimum is not above its cost."""
    order = cyclic(dimension, dimension + extra)
    optimum = flow(ports, dimension, order)
    protocols = [pipelined_trees(ports, dimension, extra)] + (
        [unequal_costs(ports, dimension)] if extra == dimension + 3 else []
    )
    for protocol in protocols:
        costs = costs_of(ports, dimension, order, protocol)
        assert all(
            sum(arcs * cost for arcs, cost in zip(cut, costs, strict=True)) >= 1 for cut in optimum.cuts
        )
        assert optimum.value <= protocol.cost
    assert optimum.value >= max(d.value for d in table(ports, (ports + 1) ** dimension).all_f(extra))


@pytest.mark.parametrize(("ports", "dimension"), [(1, 2), (1, 3), (2, 2), (3, 1)])
def test_no_flooding_along_random_coordinates_is_below_the_flow(ports: int, dimension: int) -> None:
    """Random capacities, and over every arc random packets that the receiver lacks: those that reach everyone
    meet every cut.
    """
    rng = random.Random(ports * 10 + dimension)
    complete = 0
    for order in islice(orders(dimension, dimension + 3, 1), 12):
        optimum = flow(ports, dimension, order)
        for _ in range(30):
            count = rng.randint(1, 4)
            protocol = flooding(ports, dimension, order, count, [rng.randint(1, count) for _ in order], rng)
            seen = second_replay((ports + 1) ** dimension, None, ports, count, protocol.rounds)
            assert seen.legal
            if seen.is_complete(count):
                complete += 1
                assert sum(seen.costs) >= optimum.value
                assert all(
                    sum(arcs * cost for arcs, cost in zip(cut, seen.costs, strict=True)) >= 1
                    for cut in optimum.cuts
                )
    assert complete > 20


def flooding(
    ports: int,
    dimension: int,
    order: Sequence[int],
    count: int,
    capacities: Sequence[int],
    rng: random.Random,
) -> Protocol:
    """What random nodes send when they send all that they can, up to the capacity of the round."""
    radix, nodes = ports + 1, (ports + 1) ** dimension
    owned = [set(range(count)), *(set[int]() for _ in range(nodes - 1))]
    rounds = []
    for coordinate, capacity in zip(order, capacities, strict=True):
        step = radix ** (coordinate - 1)
        pairs = [(u, u + j * step - u // step % radix * step) for u in range(nodes) for j in range(radix)]
        lacking = {(u, v): sorted(owned[u] - owned[v]) for u, v in pairs}
        sends = [
            (u, v, tuple(rng.sample(fresh, min(capacity, len(fresh)))))
            for (u, v), fresh in lacking.items()
            if fresh
        ]
        for _, v, packets in sends:
            owned[v].update(packets)
        rounds.append(tuple(sends))
    return Protocol(count, tuple(rounds))


def test_orders_that_reach_too_few_nodes_have_no_flow() -> None:
    """An order that leaves a coordinate out has no finite optimum; neither has one that is given no time a
    known one.
    """
    assert least_flow_costs(1, 3, (1, 2, 1, 2), LONG) is None
    assert least_flow_costs(2, 2, (2, 2, 2), LONG) is None
    assert least_flow_costs(1, 3, (1, 2, 3), 0.0) is None


def test_the_packing_of_a_flow_optimum() -> None:
    """Where the coordinates come in turn, the packets go along their lines, no more of them than the
    capacities, and the protocol costs as much as the flow program says: cuts and packings have one value.
    """
    for ports, dimension, extra in (
        *((1, 2, r) for r in range(5)),
        *((1, 3, r) for r in range(6)),
        *((2, 2, r) for r in range(5)),
        (1, 4, 2),
        (1, 4, 3),
        (1, 4, 7),
        (1, 5, 1),
        (3, 2, 1),
        (3, 2, 2),
    ):
        order = cyclic(dimension, dimension + extra)
        optimum = flow(ports, dimension, order)
        found = None
        graphs = coordinate_call_graphs(ports, dimension, order)
        for count in packet_counts(graphs, optimum):
            capacities = [int(cost * count) for cost in optimum.costs]
            assert [Fraction(capacity, count) for capacity in capacities] == list(optimum.costs)
            found = packed_on((ports + 1) ** dimension, graphs, capacities, count, extra, LONG)
            if found is not None:
                assert found.packet_count == count
                costs = costs_of(ports, dimension, order, found)
                assert all(
                    cost <= Fraction(capacity, count)
                    for cost, capacity in zip(costs, capacities, strict=True)
                )
                assert sum(costs) == found.cost == optimum.value
                break
        assert found is not None


IMPOSSIBLE = [
    (1, 3, cyclic(3, 6), (1, 1, 1, 1, 1, 1), 5),
    (1, 3, cyclic(3, 6), (1, 1, 1, 1, 1, 0), 4),
    (1, 3, cyclic(3, 6), (1, 0, 1, 1, 1, 1), 4),
    (2, 2, (1, 1, 1, 2), (1, 1, 1, 1), 2),
    (1, 3, (1, 2, 1, 2), (1, 1, 1, 1), 1),
    (2, 2, cyclic(2, 4), (1, 1, 1, 1), 6),
]


@pytest.mark.parametrize(("ports", "dimension", "order", "capacities", "count"), IMPOSSIBLE)
def test_impossible_packings(
    ports: int, dimension: int, order: tuple[int, ...], capacities: tuple[int, ...], count: int
) -> None:
    """Capacities that cost less than the bounds allow, or that a coordinate lacks, have no protocol."""
    graphs = coordinate_call_graphs(ports, dimension, order)
    for emissions in (0, len(order) - dimension):
        assert packed_on((ports + 1) ** dimension, graphs, capacities, count, emissions, LONG) is None


def test_packings_that_are_too_large_are_not_tried() -> None:
    """The number of variables is that of nodes, links, rounds and packets."""
    assert packing_size(coordinate_call_graphs(2, 3, cyclic(3, 6)), 7) == 27 * 2 * 6 * 7
    large = coordinate_call_graphs(1, 12, cyclic(12, 24))
    assert packed_on(1 << 12, large, (1,) * 24, 24, 12, LONG) is None


@pytest.mark.parametrize(
    ("ports", "dimension", "extra", "below", "value"),
    [
        (1, 3, 3, "2", "3/2"),
        (1, 4, 3, "2", "7/4"),
        (2, 2, 4, "1", "2/3"),
        pytest.param(2, 5, 8, "13/17", "19/25", marks=pytest.mark.slow),
        # By default the command line shows the same: test_cli.py, test_explore_searches.
        pytest.param(1, 7, 10, "17/11", "20/13", marks=pytest.mark.slow),
    ],
)
def test_the_search_from_scratch(ports: int, dimension: int, extra: int, below: str, value: str) -> None:
    """It finds the best known protocols without a construction, those that refute the conjecture among
    them.
    """
    shape = Shape(ports, (ports + 1) ** dimension, extra)
    told: list[str] = []
    protocol, optimum = next(search(shape, Fraction(below), LONG, 0, told.append))
    seen = second_replay(shape.nodes, None, ports, protocol.packet_count, protocol.rounds)
    assert seen.is_complete(protocol.packet_count)
    assert len(protocol.rounds) <= shape.rounds
    assert sum(seen.costs) == optimum.value == Fraction(value) < Fraction(below)
    assert told[0] == "order 1: costs of the rounds"


def test_the_search_yields_only_what_is_cheaper() -> None:
    """Nothing below a bound that is met, nothing without time; else each protocol costs less than the one
    before.
    """
    shape = Shape(1, 8, 3)
    assert list(search(shape, Fraction(3, 2), 0.3)) == []
    assert list(search(shape, Fraction(3), 0.0)) == []
    costs = [protocol.cost for protocol, _ in search(Shape(1, 8, 2), Fraction(9), 0.5)]
    assert costs == sorted(set(costs), reverse=True)


def test_orders() -> None:
    """They are distinct, every coordinate occurs and they appear first in the order 1, 2, ..; the cyclic one
    comes first; seeds differ.
    """
    for dimension, rounds in ((1, 3), (2, 2), (3, 6), (4, 11), (5, 13)):
        found = list(islice(orders(dimension, rounds, 0), 40))
        assert found[0] == cyclic(dimension, rounds)
        assert len(set(found)) == len(found)
        for order in found:
            assert len(order) == rounds
            assert list(dict.fromkeys(order)) == list(range(1, dimension + 1))
        assert found == list(islice(orders(dimension, rounds, 0), 40))
    assert list(islice(orders(4, 11, 1), 40)) != list(islice(orders(4, 11, 2), 40))
    assert list(orders(1, 4, 0)) == [(1, 1, 1, 1)]
    assert sorted(orders(2, 3, 0)) == [(1, 1, 2), (1, 2, 1), (1, 2, 2)]


def rounds_of(nodes: int, ports: int, weak: bool) -> list[tuple[tuple[int, int], ...]]:
    """All sets of arcs that a round may use, to which none can be added."""
    pairs = list(permutations(range(nodes), 2) if weak else combinations(range(nodes), 2))

    def fits(chosen: Iterable[tuple[int, int]]) -> bool:
        ends = [(v, i if weak else 0) for pair in chosen for i, v in enumerate(pair)]
        return all(ends.count(end) <= ports for end in ends)

    legal = [
        set(chosen) for size in range(len(pairs) + 1) for chosen in combinations(pairs, size) if fits(chosen)
    ]
    most = [chosen for chosen in legal if not any(chosen < other for other in legal)]
    return [
        tuple(sorted(chosen | set() if weak else chosen | {(v, u) for u, v in chosen})) for chosen in most
    ]


def owners_after(
    owners: int, arcs: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, tuple[tuple[int, int], ...]]]:
    """Who may own a packet after a round, and over which arcs it went."""
    ways: dict[int, list[tuple[int, int]]] = {}
    for u, v in arcs:
        if owners >> u & 1 and not owners >> v & 1:
            ways.setdefault(v, []).append((u, v))
    for chosen in product(*([None, *arcs_to] for arcs_to in ways.values())):
        used = tuple(arc for arc in chosen if arc is not None)
        yield owners | sum(1 << v for _, v in used), used


@cache
def least_cost(nodes: int, ports: int, count: int, length: int, weak: bool = False) -> list[Fraction | None]:
    """For every number of rounds up to `length` the least cost with so many packets, by all states: who owns
    each packet, in order.
    """
    states = {(1,) * count: 0}
    done = ((1 << nodes) - 1,) * count
    found: list[Fraction | None] = []
    options = rounds_of(nodes, ports, weak)
    renamed = [
        [sum(1 << (0, *image)[v] for v in range(nodes) if m >> v & 1) for m in range(1 << nodes)]
        for image in permutations(range(1, nodes))
    ]
    for _ in range(length):
        after = dict(states)
        for state, cost in states.items():
            for arcs in options:
                reached: dict[tuple[tuple[int, ...], tuple[tuple[tuple[int, int], int], ...]], None] = {
                    ((), ()): None
                }
                for owners in state:
                    reached = {
                        (
                            tuple(sorted((*masks, new))),
                            tuple(
                                sorted(
                                    {**(load := dict(loads)), **{a: load.get(a, 0) + 1 for a in used}}.items()
                                )
                            ),
                        ): None
                        for masks, loads in reached
                        for new, used in owners_after(owners, arcs)
                    }
                for masks, loads in reached:
                    total = cost + max((amount for _, amount in loads), default=0)
                    key = min(tuple(sorted(image[m] for m in masks)) for image in renamed)
                    if total < after.get(key, 10**9):
                        after[key] = total
        states = after
        found.append(Fraction(states[done], count) if done in states else None)
    return found


TINY = [
    (2, 1, 3, 4, False),
    (2, 1, 3, 4, True),
    (3, 1, 4, 6, False),
    (3, 1, 3, 5, True),
    (3, 2, 3, 4, False),
    (4, 1, 3, 6, False),
    (4, 3, 2, 3, False),
]


@pytest.mark.parametrize(("nodes", "ports", "most", "length", "weak"), TINY)
def test_brute_force_never_beats_a_bound(nodes: int, ports: int, most: int, length: int, weak: bool) -> None:
    """All schedules of a few packets in networks of two to four nodes; where a number of packets suits, the
    bound is met.
    """
    least = Shape(ports, nodes, 0).dimension
    best: dict[int, Fraction] = {}
    for count in range(1, most + 1):
        for rounds, cost in enumerate(least_cost(nodes, ports, count, length, weak), 1):
            assert (cost is None) == (rounds < least)
            if cost is not None:
                best[rounds] = min(cost, best.get(rounds, cost))
    for rounds, cost in best.items():
        shape = Shape(ports, nodes, rounds - least)
        bound = aggregated_bound(shape)
        assert bound is not None
        assert bound.value <= cost
        derived = table(ports, nodes).all_f(rounds - least)
        assert all(d.value <= cost for d in derived)
        if shape.is_perfect and not weak and ports * shape.extra_rounds < most:
            assert derived[0].value == cost
