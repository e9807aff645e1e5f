"""Maximum flows without a solver, against networkx and against the backend."""

from __future__ import annotations

from random import Random
from typing import Any

import networkx as nx
import pytest

from schedsolve.backends.max_flow import LARGEST_SUM, MaximumFlows
from schedsolve.modelkit.formulas import flows as formulas_flows
from schedsolve.modelkit.formulas.flows import FlowNetwork, RootedFlows

Arcs = dict[tuple[int, int], int]


def random_arcs(rng: Random, n: int, largest: int = 9) -> Arcs:
    """Arcs at every node, with capacities of 0 or more."""
    pairs = [
        (u, v) for u in range(n) for v in range(n) if u != v and (rng.random() < 0.5 or v == (u + 1) % n)
    ]
    return {pair: rng.randint(0, largest) for pair in pairs}


@pytest.mark.parametrize("seed", range(60))
def test_values_and_cuts(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The value is networkx's, the cut has it as its capacity, and the flow conserves and fits; with sweeps
    before the shortest paths, and without.
    """
    monkeypatch.setattr(formulas_flows, "MOST_SWEEPS", formulas_flows.MOST_SWEEPS * (seed % 2))
    rng = Random(seed)
    n = rng.randint(2, 9)
    arcs = random_arcs(rng, n)
    graph = nx.DiGraph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from((u, v, {"capacity": c}) for (u, v), c in arcs.items())
    expected = nx.maximum_flow_value(graph, 0, n - 1)
    flows = FlowNetwork(n, list(arcs), list(arcs.values()))
    value, side = flows.cut([0], [n - 1])
    assert value == expected == sum(c for (u, v), c in arcs.items() if u in side and v not in side)
    for carried in (flows.flow(), _backend_flow(arcs, n, expected)):
        surplus = [0] * n
        for ((u, v), c), x in zip(arcs.items(), carried, strict=True):
            assert 0 <= x <= c
            surplus[u] -= x
            surplus[v] += x
        assert surplus == [-expected, *[0] * (n - 2), expected]
    assert flows.maximum_flow([0], [n - 1], 2) == min(2, expected)


def _backend_flow(arcs: Arcs, n: int, expected: int) -> list[int]:
    backend = MaximumFlows([u for u, _ in arcs], [v for _, v in arcs], list(arcs.values()), 9)
    assert backend.value(0, n - 1) == expected
    return backend.flow()


@pytest.mark.parametrize("seed", range(20))
def test_several_sources(seed: int) -> None:
    """Many sources are one with arcs without limit to all of them."""
    rng = Random(seed)
    n = rng.randint(4, 8)
    arcs = random_arcs(rng, n)
    joined = arcs | {(n, 0): 10**6, (n, 1): 10**6}
    value = FlowNetwork(n, list(arcs), list(arcs.values())).maximum_flow([0, 1], [2, 3])
    both = joined | {(2, n + 1): 10**6, (3, n + 1): 10**6}
    assert value == FlowNetwork(n + 2, list(both), list(both.values())).maximum_flow([n], [n + 1])


@pytest.mark.parametrize("factor", [1, LARGEST_SUM])
def test_changed_and_huge_capacities(factor: int) -> None:
    """Beyond the solver's numbers flows are exact too; capacities may change in between."""
    flows = MaximumFlows([0, 1, 0], [1, 2, 2], [3 * factor, 2 * factor, factor], 9 * factor)
    assert flows.value(0, 2) == 3 * factor
    flows.set_capacity(1, 9 * factor)
    assert flows.value(0, 2) == 4 * factor
    assert flows.source_side() == {0}
    assert flows.flow() == [3 * factor, 3 * factor, factor]


def test_nothing_to_carry() -> None:
    """No way is a flow of 0, whose cut is where the sinks can be reached from."""
    assert FlowNetwork(3, [(0, 1)], [5]).cut([0], [2]) == (0, frozenset({0, 1}))


@pytest.mark.parametrize("sweeps", [0, formulas_flows.MOST_SWEEPS])
def test_as_much_as_is_enough(sweeps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Over several paths and to several sinks at once, and no more."""
    monkeypatch.setattr(formulas_flows, "MOST_SWEEPS", sweeps)
    arcs = [(0, 1), (0, 2), (1, 3), (2, 3), (0, 4)]
    flows = FlowNetwork(5, arcs, [3, 4, 3, 4, 5])
    for enough in range(14):
        assert flows.maximum_flow([0], [3, 4], enough) == min(enough, 12)
        assert flows.flow()[0] + flows.flow()[1] + flows.flow()[4] == min(enough, 12)
    assert flows.maximum_flow([0], [3, 4]) == 12
    flows.set_capacity(4, 1)
    assert flows.maximum_flow([0], [3, 4]) == 8


def test_flow_that_is_taken_back() -> None:
    """The shortest path takes an arc that the longer ones need to go round."""
    arcs = [(0, 1), (1, 2), (2, 5), (0, 3), (3, 2), (1, 4), (4, 5)]
    flows = FlowNetwork(6, arcs, [1] * 7)
    assert flows.maximum_flow([0], [5]) == 2
    assert flows.flow() == [1, 0, 1, 1, 1, 1, 1]


@pytest.mark.parametrize("seed", range(60))
def test_flows_that_go_on(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Flow gets to a node, whatever it did before, just when a new flow does; over paths, and over more of
    them than are looked for one by one.
    """
    monkeypatch.setattr(formulas_flows, "MOST_PATHS", (0, 1, 32)[seed % 3])
    rng = Random(seed)
    n = rng.randint(3, 10)
    arcs = random_arcs(rng, n, largest=4)
    needed, order = rng.randint(1, 7), rng.sample(range(1, n), n - 1)
    flows, joined = RootedFlows(n, list(arcs), list(arcs.values()), [0]), [0]
    again = FlowNetwork(n, list(arcs), list(arcs.values()))
    for v in order:
        enough = again.maximum_flow(joined, [v], needed) == needed
        assert [flows.spread_to(v, needed) for _ in range(2)] == [enough] * 2
        if not enough:
            break
        joined.append(v)


@pytest.mark.parametrize("seed", range(60))
def test_paths_among_few_nodes(seed: int) -> None:
    """Given up early, they never say that enough gets to a node where it does not."""
    rng = Random(seed)
    n = rng.randint(3, 12)
    arcs = random_arcs(rng, n, largest=3)
    needed = rng.randint(1, 5)
    flows, joined = RootedFlows(n, list(arcs), list(arcs.values()), [0]), [0]
    again = FlowNetwork(n, list(arcs), list(arcs.values()))
    for v in rng.sample(range(1, n), n - 1):
        enough = again.maximum_flow(joined, [v], needed) == needed
        assert enough or not flows.spread_to(v, needed, 2)
        flows.join(v)
        joined.append(v)


def test_a_sweep_goes_through_parallel_arcs() -> None:
    """All that comes to a node goes on through both arcs to the next, shared between them."""
    arcs = [(0, 1), (0, 1), (1, 2), (1, 2), (2, 3), (2, 3)]
    for capacities, most in (([1, 2, 3, 4, 5, 5], 3), ([9, 2, 3, 4, 1, 5], 6), ([9, 2, 3, 4, 5, 5], 7)):
        flows = FlowNetwork(4, arcs, capacities)
        assert flows.maximum_flow([0], [3]) == most
        assert all(0 <= x <= c for x, c in zip(flows.flow(), capacities, strict=True))
        assert [sum(flows.flow()[i : i + 2]) for i in (0, 2, 4)] == [most] * 3


def test_sources_at_all_distances_are_served_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a ladder with a source at each node, one search for distances finds nearly all of the flow."""
    monkeypatch.setattr(formulas_flows, "MOST_SWEEPS", 0)
    searches = []
    distances = FlowNetwork._distances

    def counted(*given: Any) -> list[int] | None:
        searches.append(given)
        return distances(*given)

    monkeypatch.setattr(FlowNetwork, "_distances", counted)
    n = 60
    sides = [(v, v + 2) for v in range(n - 2)] + [(v, v + 1) for v in range(0, n, 2)]
    arcs = [*sides, *((v, u) for u, v in sides), *((n, v) for v in range(1, n))]
    capacities = [n // 2] * (2 * len(sides)) + [1] * (n - 1)
    assert FlowNetwork(n + 1, arcs, capacities).maximum_flow([n], [0]) == n - 1
    assert len(searches) < 6


def test_flow_all_the_way_round_a_cycle_is_found_once() -> None:
    """Two units get to every node of a cycle, one each way; the long way stays."""
    n = 500
    arcs = [(v, (v + d) % n) for v in range(n) for d in (1, -1)]
    flows = RootedFlows(n, arcs, [1] * len(arcs), [0])
    assert all(flows.spread_to(v, 2) for v in range(1, n))
    assert flows.looked_at < 10 * n
    assert not RootedFlows(n, arcs, [1] * len(arcs), [0]).spread_to(1, 3)
