"""The maximum flow backend: integer flows in networks with arcs given as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from schedsolve.backends.shared_highs import give_own_highs
from schedsolve.modelkit.formulas.flows import FlowNetwork

LARGEST_SUM = 1 << 60
"""The largest sum of capacities that cannot overflow."""


def minimum_cut(tails: Any, heads: Any, capacities: Any, source: int, sink: int) -> tuple[int, set[int]]:
    """Return the value of a maximum flow, and the nodes on the source's side of a minimum cut.

    Parameters
    ----------
    tails, heads, capacities
        Numpy arrays with an entry for every arc; capacities are integers of up to 2^50.
    source, sink
        Two distinct nodes.

    Raises
    ------
    ValueError
        If the solver finds no maximum flow.
    """
    give_own_highs("ortools")
    from ortools.graph.python import max_flow

    flow = max_flow.SimpleMaxFlow()
    flow.add_arcs_with_capacity(tails, heads, capacities)
    if flow.solve(source, sink) != flow.OPTIMAL:
        raise ValueError("the maximum flow was not found; are the capacities too large?")
    return flow.optimal_flow(), set(flow.get_source_side_min_cut())


class MaximumFlows:
    """Repeated maximum flows in one network whose capacities change.

    If a sum of capacities may exceed the range of the solver's integers, the flows are computed by
    `schedsolve.modelkit.formulas.flows` instead.

    Parameters
    ----------
    tails, heads, capacities
        An entry for every arc, integers; arcs are numbered from 0.
    largest
        The largest capacity that any arc ever has.
    """

    def __init__(
        self, tails: Sequence[int], heads: Sequence[int], capacities: Sequence[int], largest: int
    ) -> None:
        import numpy

        give_own_highs("ortools")
        from ortools.graph.python import max_flow

        self._last = (-1, -1)
        self._plain: FlowNetwork | None = None
        if largest * max(1, len(tails)) > LARGEST_SUM:
            nodes = 1 + max((*tails, *heads), default=-1)
            self._plain = FlowNetwork(nodes, list(zip(tails, heads, strict=True)), capacities)
            return
        self._flow = max_flow.SimpleMaxFlow()
        self._flow.add_arcs_with_capacity(
            numpy.array(tails, dtype=numpy.int32),
            numpy.array(heads, dtype=numpy.int32),
            numpy.array(capacities, dtype=numpy.int64),
        )

    def set_capacity(self, arc: int, capacity: int) -> None:
        """Change the capacity of an arc."""
        if self._plain is not None:
            self._plain.set_capacity(arc, capacity)
        else:
            self._flow.set_arc_capacity(arc, capacity)

    def value(self, source: int, sink: int) -> int:
        """Return the value of a maximum flow.

        Parameters
        ----------
        source, sink
            Two distinct nodes, both of which have arcs.

        Raises
        ------
        ValueError
            If the solver finds no maximum flow.
        """
        self._last = (source, sink)
        if self._plain is not None:
            return self._plain.maximum_flow([source], [sink])
        if self._flow.solve(source, sink) != self._flow.OPTIMAL:
            raise ValueError("the maximum flow was not found; are the capacities too large?")
        return int(self._flow.optimal_flow())

    def source_side(self) -> frozenset[int]:
        """Return the nodes on the source's side of a minimum cut, for the last flow."""
        if self._plain is not None:
            return self._plain.cut(self._last[:1], self._last[1:])[1]
        return frozenset(self._flow.get_source_side_min_cut())

    def flow(self) -> list[int]:
        """Return the flow of every arc in the last flow."""
        if self._plain is not None:
            return self._plain.flow()
        return [int(self._flow.flow(arc)) for arc in range(self._flow.num_arcs())]
