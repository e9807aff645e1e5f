"""The enumeration of periodic schedules against a plain one, against what must hold between optima, and
against what is stored.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import networkx as nx
import pytest

from tests.reference.brute_force import (
    accumulation_rounds,
    arcs_of,
    broadcast_rounds,
    gossip_rounds,
    orbit_representatives,
)
from tests.reference.systolic_brute_force import (
    Optimum,
    systolic_accumulation_rounds,
    systolic_broadcast_rounds,
    systolic_gossip_rounds,
)
from tests.reference.systolic_optima import PERIODS, optima, stored_optima, tiny_digraphs, tiny_graphs

Call = tuple[int, int]
Knowledge = list[set[int]]

MOST_PERIODS = 2_000  # tried in the plain way
MOST_EDGES = 6  # of graphs with five nodes that are computed again
SEED = 20


def plain_rounds(
    graph: nx.Graph, two_way: bool, period: int, task: str, node: int | None, edge_colouring: bool
) -> int | None:
    """The least number of rounds: every way to fill the slots, each carried out on its own; no calls, no
    periods are left out.
    """
    nodes = set(graph)
    calls = [tuple(edge) for edge in graph.edges()] if two_way else list(arcs_of(graph))
    most = period * (len(nodes) - 1)
    best: int | None = None
    for slots in _periods(_matchings(calls), period, edge_colouring):
        known: Knowledge = [{v} for v in range(len(nodes))]
        for done in range((most if best is None else best - 1) + 1):
            at = nodes if node is None or task == "broadcast" else {node}
            wanted = {node} if task == "broadcast" else nodes
            if all(wanted <= known[v] for v in at):
                best = done
                break
            for u, v in slots[done % period]:
                both = known[u] | known[v]
                known[v] = both
                if two_way:
                    known[u] = both
    return best


def _matchings(calls: list[Call]) -> list[tuple[Call, ...]]:
    """All sets of calls that share no node."""
    sets = (chosen for size in range(len(calls) + 1) for chosen in combinations(calls, size))
    return [chosen for chosen in sets if len({end for call in chosen for end in call}) == 2 * len(chosen)]


def _periods(
    rounds: list[tuple[Call, ...]], period: int, edge_colouring: bool
) -> Iterator[list[tuple[Call, ...]]]:
    """All ways to fill the slots."""
    if period == 0:
        yield []
        return
    for before in _periods(rounds, period - 1, edge_colouring):
        used = {frozenset(call) for calls in before for call in calls} if edge_colouring else set()
        for calls in rounds:
            if used.isdisjoint(frozenset(call) for call in calls):
                yield [*before, calls]


def cases(graph: nx.Graph, period: int) -> Iterator[Optimum]:
    """The tasks of a graph with so many ways to fill the slots that all can be tried in a plain way; values
    of the enumeration.
    """
    for two_way in (False,) if graph.is_directed() else (False, True):
        rounds = _matchings(list(graph.edges()) if two_way else list(arcs_of(graph)))
        if len(rounds) ** period <= MOST_PERIODS:
            value = systolic_gossip_rounds(graph, two_way, period)
            yield Optimum(graph, two_way, "gossip", None, False, period, value)
            for node in orbit_representatives(graph):
                value = systolic_broadcast_rounds(graph, two_way, period, node)
                yield Optimum(graph, two_way, "broadcast", node, False, period, value)
                value = systolic_accumulation_rounds(graph, two_way, period, node)
                yield Optimum(graph, two_way, "accumulation", node, False, period, value)
        edges = graph.to_undirected().number_of_edges()
        if (1 + period * (1 if two_way else 2)) ** edges <= 10 * MOST_PERIODS:
            value = systolic_gossip_rounds(graph, two_way, period, edge_colouring=True)
            yield Optimum(graph, two_way, "gossip", None, True, period, value)


@pytest.mark.parametrize("period", range(1, 6))
def test_the_enumeration_agrees_with_a_plain_one(period: int) -> None:
    tried: Counter[str] = Counter()
    graphs = [graph for graph in tiny_graphs() if graph.number_of_nodes() <= 4]
    for graph in graphs + random.Random(SEED + period).sample(tiny_digraphs(), 20):
        for case in cases(graph, period):
            plain = plain_rounds(graph, case.two_way, period, case.task, case.node, case.edge_colouring)
            assert case.value == plain, (sorted(graph.edges()), case)
            tried[case.task] += 1
    assert set(tried) == {"gossip", "broadcast", "accumulation"}


def keyed(found: Optimum) -> tuple[object, ...]:
    """The question that an optimum answers."""
    return (len(found.graph), arcs_of(found.graph), *found[1:-1])


def test_stored_optima_of_graphs_are_found_again() -> None:
    graphs = [graph for graph in tiny_graphs() if graph.number_of_nodes() < 5]
    larger = [
        graph
        for graph in tiny_graphs()
        if graph.number_of_nodes() == 5 and graph.number_of_edges() <= MOST_EDGES
    ]
    graphs += random.Random(SEED).sample(larger, 4)
    stored = {keyed(found): found.value for found in stored_optima()}
    for graph in graphs:
        for two_way in (False, True):
            for found in optima(graph, two_way):
                assert stored[keyed(found)] == found.value, found


def test_stored_optima_of_digraphs_are_found_again() -> None:
    graphs = random.Random(SEED).sample(tiny_digraphs(), 20)
    stored = {keyed(found): found.value for found in stored_optima(directed=True)}
    for graph in graphs:
        for found in optima(graph, two_way=False):
            assert stored[keyed(found)] == found.value, found


@pytest.mark.parametrize("directed", [False, True])
def test_every_graph_is_stored_with_every_task(directed: bool) -> None:
    expected: Counter[str] = Counter()
    for graph in tiny_digraphs() if directed else tiny_graphs():
        rows = 1 if directed else 2
        expected["gossip"] += 2 * rows * len(PERIODS)
        for task in ("broadcast", "accumulation"):
            expected[task] += rows * len(PERIODS) * len(orbit_representatives(graph))
    stored = list(stored_optima(directed=directed))
    assert Counter(found.task for found in stored) == expected
    assert len({keyed(found) for found in stored}) == len(stored)


@pytest.mark.parametrize("directed", [False, True])
def test_what_must_hold_between_stored_optima(directed: bool) -> None:
    for row in rows_of(list(stored_optima(directed=directed))):
        graph = row[0].graph
        values = [found.value for found in row]
        free = free_rounds(row[0]) if len(graph) <= 4 else 0
        assert [found.period for found in row] == list(PERIODS)
        for period, value in zip(PERIODS, values, strict=True):
            assert value is None or free <= value <= period * (len(graph) - 1)
            if not row[
                0
            ].edge_colouring:  # a multiple of a period is a period too; a long one asks for nothing
                assert value == values[-1] or (values[-1] is not None and period < values[-1])
                assert value is None or all(
                    more is not None and more <= value for more in values[period - 1 :: period]
                )
        assert row[0].edge_colouring or len(graph) > 4 or values[-1] == free


def free_rounds(found: Optimum) -> int:
    """The least number of rounds when no period is asked for."""
    if found.node is None:
        return gossip_rounds(found.graph, found.two_way)
    if found.task == "broadcast":
        return broadcast_rounds(found.graph, found.two_way, [found.node])
    return accumulation_rounds(found.graph, found.two_way)[found.node]


def test_stored_accumulation_is_broadcast_backwards() -> None:
    stored = list(stored_optima())
    values = {
        (arcs_of(found.graph), found.two_way, found.node, found.period): found.value
        for found in stored
        if found.task == "broadcast"
    }
    accumulations = [found for found in stored if found.task == "accumulation"]
    assert len(accumulations) == len(values)
    for found in accumulations:
        assert values[(arcs_of(found.graph), found.two_way, found.node, found.period)] == found.value


def test_an_edge_colouring_never_helps() -> None:
    rows = rows_of([found for found in stored_optima() if found.task == "gossip"])
    for free, coloured in zip(rows[::2], rows[1::2], strict=True):
        assert (free[0].edge_colouring, coloured[0].edge_colouring) == (False, True)
        for less, more in zip(free, coloured, strict=True):
            assert less.graph is more.graph
            assert more.value is None or (less.value is not None and less.value <= more.value)


def rows_of(found: list[Optimum]) -> list[list[Optimum]]:
    """The optima that differ in the period only."""
    return [found[first : first + len(PERIODS)] for first in range(0, len(found), len(PERIODS))]
