"""Minimum cuts between a node before round 1 and nodes after the last round, in the time-expanded network.

The time-expanded network has a copy of every node after every round. The copy of node v after round t is
joined to the copy after round t + 1 by an arc of unlimited capacity, since nodes forget nothing, and to
copies of other nodes by what is sent in round t + 1. Because the former arcs are unlimited, a node that is
on the source's side stays there; so a cut is given by the round after which each node is first on that
side.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from schedsolve.backends.max_flow import minimum_cut

UNLIMITED = 1 << 50
"""The capacity of a node's memory."""


def minimum_cuts_in_time(
    nodes: int, rounds: int, arcs: Any, amounts: Any, source: int, targets: Iterable[int]
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield, for every target, the value of a maximum flow to it and a minimum cut.

    The flow is from the source before round 1 to the target after the last round. The cut says for every
    node after which round it is first on the source's side: the source after round 0, a node that never is
    after rounds + 1. An arc from u to v of round t crosses it if cut[u] < t < cut[v].

    Parameters
    ----------
    nodes
        The number of nodes, numbered from 0.
    rounds
        The number of rounds, numbered from 1.
    arcs
        An array with a row (round, sender, receiver) for every arc.
    amounts
        An array of the arcs' capacities, integers from 0 to UNLIMITED.
    source
        The node from which the flow starts.
    targets
        The nodes to which flows are computed, one after the other.
    """
    import numpy

    arcs, amounts = arcs[amounts > 0], amounts[amounts > 0]
    memory = numpy.arange(nodes * rounds, dtype=numpy.int64)
    tails = numpy.concatenate([memory, (arcs[:, 0] - 1) * nodes + arcs[:, 1]])
    heads = numpy.concatenate([memory + nodes, arcs[:, 0] * nodes + arcs[:, 2]])
    capacities = numpy.concatenate([numpy.full(len(memory), UNLIMITED, dtype=numpy.int64), amounts])
    for target in targets:
        size, near = minimum_cut(tails, heads, capacities, source, rounds * nodes + target)
        # The source's side holds all copies of a node from the first one on.
        copies = numpy.bincount(numpy.array(list(near), dtype=int) % nodes, minlength=nodes)
        yield size, tuple((rounds + 1 - copies).tolist())
