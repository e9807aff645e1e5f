"""Given call graphs: packings of arborescences and flow bounds, against enumeration."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import pytest

from schedsolve import build_problem
from schedsolve.backends.lp import solve_lp
from schedsolve.formulas.linear_program import LinearProgram
from schedsolve.models.linear_cost.rules import Shape, replay
from schedsolve.models.linear_cost.search.arborescences import (
    Packing,
    arc_loads,
    pack_arborescences,
)
from schedsolve.models.linear_cost.search.call_graph_flow import (
    coordinate_call_graphs,
    coordinate_symmetries,
    flow_costs,
)
from schedsolve.models.linear_cost.search.coordinate_flow import least_flow_costs
from schedsolve.models.linear_cost.search.least_arborescence import greedy_arborescence, least_arborescence
from schedsolve.network.families import family_network

CallGraphs = Sequence[frozenset[tuple[int, int]]]
Arborescence = tuple[tuple[int, int, int], ...]

BUTTERFLY = [
    frozenset({(0, 1), (0, 2)}),
    frozenset({(1, 3), (2, 3), (1, 5), (2, 6)}),
    frozenset({(3, 4)}),
    frozenset({(4, 5), (4, 6), (0, 1), (0, 2), (0, 3), (0, 4)}),
]
"""The butterfly of network coding over time: node 3 hears from 1 and 2, but passes one of both messages on
for 5 and 6 only.
"""


def cyclic(dimension: int, extra_rounds: int) -> list[int]:
    """The coordinates 1..T in turn."""
    return [t % dimension + 1 for t in range(dimension + extra_rounds)]


def all_arborescences(nodes: int, call_graphs: CallGraphs) -> list[Arborescence]:
    """Every spanning time-respecting arborescence: a receipt for every node, from a node that received
    before.
    """
    receipts = [
        [(t, u, v) for t, graph in enumerate(call_graphs, 1) for u, v in sorted(graph) if v == w]
        for w in range(1, nodes)
    ]
    found = []
    for choice in product(*receipts):
        when = {0: 0} | {v: t for t, _, v in choice}
        if all(when[u] < t for t, u, _ in choice):
            found.append(tuple(sorted(choice)))
    return found


def full_packing_value(nodes: int, call_graphs: CallGraphs) -> Fraction | None:
    """The least cost by the packing programme with all arborescences at once; None when there is none."""
    everything = all_arborescences(nodes, call_graphs)
    if not everything:
        return None
    program = LinearProgram([1] * len(call_graphs), [1] * len(call_graphs))
    weights = [program.variable(0, 1) for _ in everything]
    program.add(dict.fromkeys(weights, 1), "=", 1)
    for t, graph in enumerate(call_graphs, 1):
        for u, v in graph:
            users = [x for x, a in zip(weights, everything, strict=True) if (t, u, v) in a]
            program.add({t - 1: 1, **dict.fromkeys(users, -1)}, ">=", 0)
    solution = solve_lp(program)
    assert solution is not None
    return solution.bound


def check_packing(call_graphs: CallGraphs, packing: Packing) -> None:
    """The weights and the prices are what they say they are."""
    assert sum(packing.weights.values()) == 1
    assert min(packing.weights.values()) > 0
    for (t, u, v), load in arc_loads(packing.weights).items():
        assert (u, v) in call_graphs[t - 1]
        assert load <= packing.costs[t - 1]
    for t in range(1, len(call_graphs) + 1):
        assert sum(price for (s, _, _), price in packing.prices.items() if s == t) <= 1
    assert all(price >= 0 for price in packing.prices.values())
    assert packing.flow.value <= packing.bound <= packing.cost


def check_protocol(packing: Packing, shape: Shape) -> None:
    """The referee finds the protocol complete, legal and as cheap as the packing says."""
    parameters = {"ports": shape.ports, "extra_rounds": shape.extra_rounds}
    problem = build_problem("linear-cost", "broadcast", family_network(f"complete:{shape.nodes}"), parameters)
    result = replay(problem, packing.protocol().schedule(lambda x: x))
    assert result.violation is None
    assert result.value == packing.cost


def random_call_graphs(generator: random.Random, nodes: int, rounds: int) -> CallGraphs:
    """Call graphs in which about every second node is called in each round."""
    arcs = [(u, v) for u in range(nodes) for v in range(1, nodes) if u != v]
    return [
        frozenset(arc for arc in arcs if generator.random() < 0.6 / (nodes - 1) + 0.1) for _ in range(rounds)
    ]


def test_packing_agrees_with_all_arborescences_at_once() -> None:
    """On random call graphs of up to five nodes the generated packing costs what the programme with every
    arborescence costs.
    """
    generator = random.Random(1)
    reached = 0
    for _ in range(40):
        nodes = generator.randint(2, 5)
        call_graphs = random_call_graphs(generator, nodes, generator.randint(2, 4))
        expected = full_packing_value(nodes, call_graphs)
        packing = pack_arborescences(nodes, call_graphs, 20)
        assert (packing is None) == (expected is None)
        if packing is not None:
            reached += 1
            check_packing(call_graphs, packing)
            assert packing.is_optimal
            assert packing.cost == expected
    assert reached >= 8


@pytest.mark.parametrize(
    ("ports", "dimension", "extra"),
    [
        *((1, 2, r) for r in range(5)),
        *((1, 3, r) for r in range(6)),
        *((2, 2, r) for r in range(5)),
        (1, 4, 2),
        (1, 4, 3),
        (1, 5, 1),
        (3, 2, 1),
    ],
)
def test_packings_reach_the_flow_value_on_cyclic_orders(ports: int, dimension: int, extra: int) -> None:
    """Where the coordinates come in turn, cuts, flows by symmetry and packings have one value, and the
    protocol keeps the rules.
    """
    shape = Shape(ports, (ports + 1) ** dimension, extra)
    call_graphs = coordinate_call_graphs(ports, dimension, cyclic(dimension, extra))
    by_symmetry = least_flow_costs(ports, dimension, cyclic(dimension, extra), 20)
    packing = pack_arborescences(shape.nodes, call_graphs, 20, coordinate_symmetries(ports, dimension))
    assert by_symmetry is not None
    assert packing is not None
    assert packing.flow.value == by_symmetry.value == packing.cost == packing.bound
    check_packing(call_graphs, packing)
    check_protocol(packing, shape)


def test_flow_values_agree_on_random_orders() -> None:
    """The flow programme with and without symmetry has the same value on random orders of the coordinates."""
    generator = random.Random(2)
    for _ in range(12):
        ports, dimension = generator.choice([(1, 2), (1, 3), (2, 2), (3, 2)])
        order = [generator.randint(1, dimension) for _ in range(dimension + generator.randint(0, 3))]
        by_symmetry = least_flow_costs(ports, dimension, order, 20)
        plain = flow_costs((ports + 1) ** dimension, coordinate_call_graphs(ports, dimension, order), 20)
        assert (plain is None) == (by_symmetry is None)
        assert plain is None or by_symmetry is None or plain.value == by_symmetry.value


def test_multipliers_of_cuts_prove_the_flow_value() -> None:
    """The weighted cuts have at most 1 arc in every round, and their weights sum to the value."""
    optimum = flow_costs(7, BUTTERFLY)
    assert optimum is not None
    assert sum(optimum.multipliers.values()) == optimum.value == 2
    for t in range(len(BUTTERFLY)):
        assert sum(weight * optimum.cuts[i][t] for i, weight in optimum.multipliers.items()) <= 1


def test_butterfly_costs_more_than_its_flows() -> None:
    """Packets cannot be mixed: on the butterfly flows ask for 2 and a broadcast costs 9/4, which the prices
    prove.
    """
    packing = pack_arborescences(7, BUTTERFLY, 20)
    assert packing is not None
    check_packing(BUTTERFLY, packing)
    assert packing.flow.value == 2
    assert packing.cost == packing.bound == full_packing_value(7, BUTTERFLY) == Fraction(9, 4)
    least = min(
        sum(packing.prices.get(arc, Fraction(0)) for arc in a) for a in all_arborescences(7, BUTTERFLY)
    )
    assert least == packing.bound
    protocol = packing.protocol()
    assert protocol.cost == Fraction(9, 4)
    assert all(
        (u, v) in graph
        for graph, messages in zip(BUTTERFLY, protocol.rounds, strict=True)
        for u, v, _ in messages
    )


def test_least_arborescence_agrees_with_enumeration() -> None:
    """On random call graphs with random prices the least price is the one found by enumeration; the greedy
    one is no arborescence less.
    """
    generator = random.Random(3)
    for _ in range(25):
        call_graphs = random_call_graphs(generator, 5, 4)
        prices = {
            (t, u, v): Fraction(generator.randint(0, 9), generator.randint(1, 9))
            for t, graph in enumerate(call_graphs, 1)
            for u, v in graph
        }
        everything = all_arborescences(5, call_graphs)
        least, greedy = (
            least_arborescence(5, call_graphs, prices, 20),
            greedy_arborescence(5, call_graphs, prices, generator),
        )
        assert (least is None) == (not everything)
        assert greedy is None or greedy in everything
        if least is not None:
            assert least.arborescence in everything
            assert least.price == least.bound == min(sum(prices[arc] for arc in a) for a in everything)


def test_call_graphs_that_reach_too_few_nodes() -> None:
    """A node that no call reaches in time leaves nothing to pack; one node alone costs nothing; no time, no
    packing.
    """
    late = [frozenset({(1, 2)}), frozenset({(0, 1)})]
    assert flow_costs(3, late) is None
    assert pack_arborescences(3, late, 5) is None
    assert pack_arborescences(7, BUTTERFLY, 0) is None
    alone = pack_arborescences(1, [], 5)
    assert alone is not None
    assert alone.cost == alone.bound == 0


def test_foreign_nodes_are_refused() -> None:
    """An arc of a node that is not there is an error, not a larger network."""
    with pytest.raises(ValueError, match="numbered from 0 to 1"):
        flow_costs(2, [frozenset({(0, 2)})])


def test_symmetries_are_checked() -> None:
    """The symmetries of coordinate orders keep them; a permutation that changes a call graph, or moves the
    source, is refused.
    """
    call_graphs = coordinate_call_graphs(2, 2, [1, 2])
    images = list(coordinate_symmetries(2, 2))
    assert len(set(images)) == 4
    for image in images:
        assert all({(image[u], image[v]) for u, v in graph} == graph for graph in call_graphs)
    for wrong in ([0, 3, 2, 1, 4, 5, 6, 7, 8], [1, 0, 2, 4, 3, 5, 7, 6, 8]):
        with pytest.raises(ValueError, match="symmetry"):
            pack_arborescences(9, call_graphs, 5, [wrong])
