"""The maximum flow backend: integer flows in networks with arcs given as arrays."""

from __future__ import annotations

from typing import Any


def minimum_cut(tails: Any, heads: Any, capacities: Any, source: int, sink: int) -> tuple[int, set[int]]:
    """The value of a maximum flow, and the nodes on the source's side of a minimum cut.

    tails, heads, capacities: numpy arrays with an entry for every arc; capacities are integers of up to 2^50.
    """
    from ortools.graph.python import max_flow

    flow = max_flow.SimpleMaxFlow()
    flow.add_arcs_with_capacity(tails, heads, capacities)
    if flow.solve(source, sink) != flow.OPTIMAL:
        raise ValueError("the maximum flow was not found; are the capacities too large?")
    return flow.optimal_flow(), set(flow.get_source_side_min_cut())
