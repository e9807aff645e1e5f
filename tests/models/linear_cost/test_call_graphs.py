"""Given call graphs: packings of arborescences and flow bounds, against enumeration."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import pytest

from schedsolve.backends.lp import solve_lp
from schedsolve.modelkit.formulas.linear_program import LinearProgram
from schedsolve.models.linear_cost.claims.call_graph_evidence import _weight
from schedsolve.models.linear_cost.claims.call_graph_tree import Prefix, Setting, prices_bound
from schedsolve.models.linear_cost.constructions.flow_costs import (
    coordinate_call_graphs,
    flow_costs,
    least_flow_costs,
)
from schedsolve.models.linear_cost.search.leaf_packing import LeafPacking, arc_loads, pack, protocol_of
from schedsolve.network.named.families import family_network
from schedsolve.runtime.errors import ClaimError

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
    """The least cost by the packing program with all arborescences at once; None when there is none."""
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


def packed(nodes: int, call_graphs: CallGraphs) -> LeafPacking | None:
    """The cheapest packing for these call graphs of a complete network."""
    return pack(*posed(nodes, call_graphs), time.process_time() + 60)


def posed(nodes: int, call_graphs: CallGraphs) -> tuple[Setting, Prefix]:
    """The call graphs as a prefix of all rounds."""
    setting = Setting(family_network(f"complete:{nodes}"), 0, nodes, False, len(call_graphs))
    return setting, Prefix(tuple(tuple(sorted(graph)) for graph in call_graphs), 1, ())


def check_packing(nodes: int, call_graphs: CallGraphs, packing: LeafPacking) -> None:
    """The weights and the prices are what they say they are: they prove each other."""
    assert sum(packing.weights.values()) == 1
    assert min(packing.weights.values()) > 0
    loads = arc_loads(packing.weights)
    assert all((u, v) in call_graphs[t - 1] for t, u, v in loads)
    rounds = range(1, len(call_graphs) + 1)
    heaviest = [max((x for (s, _, _), x in loads.items() if s == t), default=Fraction(0)) for t in rounds]
    assert sum(heaviest) == packing.cost == prices_bound(*posed(nodes, call_graphs), packing.prices)
    flow = flow_costs(nodes, call_graphs)
    assert flow is not None
    assert flow.value <= packing.cost


def random_call_graphs(generator: random.Random, nodes: int, rounds: int) -> CallGraphs:
    """Call graphs in which about every second node is called in each round."""
    arcs = [(u, v) for u in range(nodes) for v in range(1, nodes) if u != v]
    return [
        frozenset(arc for arc in arcs if generator.random() < 0.6 / (nodes - 1) + 0.1) for _ in range(rounds)
    ]


def test_packing_agrees_with_all_arborescences_at_once() -> None:
    """On random call graphs of up to five nodes the generated packing costs what the program with every
    arborescence costs.
    """
    generator = random.Random(1)
    reached = 0
    for _ in range(40):
        nodes = generator.randint(2, 5)
        call_graphs = random_call_graphs(generator, nodes, generator.randint(2, 4))
        expected = full_packing_value(nodes, call_graphs)
        packing = packed(nodes, call_graphs)
        assert (packing is None) == (expected is None)
        if packing is not None:
            reached += 1
            check_packing(nodes, call_graphs, packing)
            assert packing.cost == expected
    assert reached >= 8


def test_flow_values_agree_on_random_orders() -> None:
    """The flow program with and without symmetry has the same value on random orders of the coordinates."""
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
    packing = packed(7, BUTTERFLY)
    assert packing is not None
    check_packing(7, BUTTERFLY, packing)
    assert packing.cost == full_packing_value(7, BUTTERFLY) == Fraction(9, 4)
    least = min(
        sum(packing.prices.get(arc, Fraction(0)) for arc in a) for a in all_arborescences(7, BUTTERFLY)
    )
    assert least == packing.cost
    protocol = protocol_of(packing.weights, len(BUTTERFLY))
    assert protocol.cost == Fraction(9, 4)
    assert all(
        (u, v) in graph
        for graph, messages in zip(BUTTERFLY, protocol.rounds, strict=True)
        for u, v, _ in messages
    )


def test_call_graphs_that_reach_too_few_nodes() -> None:
    """A node that no call reaches in time leaves nothing to pack."""
    late = [frozenset({(1, 2)}), frozenset({(0, 1)})]
    assert flow_costs(3, late) is None
    assert packed(3, late) is None


def test_foreign_nodes_are_refused() -> None:
    """An arc of a node that is not there is an error, not a larger network."""
    with pytest.raises(ValueError, match="numbered from 0 to 1"):
        flow_costs(2, [frozenset({(0, 2)})])


def test_multipliers() -> None:
    """Whole numbers and fractions of 0 or more."""
    assert [_weight(text) for text in (0, 3, "1/2", "0")] == [0, 3, Fraction(1, 2), 0]
    for text in (-1, "-1/2", "x", None, 0.5, True):
        with pytest.raises(ClaimError, match="no multiplier"):
            _weight(text)
