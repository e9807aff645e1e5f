"""Ascents of the covering relaxation by compiled code, for searches that ask for thousands of them."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any, NamedTuple

from schedsolve.network.graph import Network

if TYPE_CHECKING:
    from ..bounds.covering_visits import Floats


class Ascended(NamedTuple):
    """What an ascent found.

    Attributes
    ----------
    gap
        The greatest quotient (sum of weights - covering value) / sum of weights.
    weights
        Of all nodes, that have it.
    called
        For every arc how often an informed node calls it first, from 0 to 1: nearly a fractional optimum of
        the relaxation.
    """

    gap: float
    weights: Floats
    called: Floats


class CoveringAscents:
    """Ascents in one network, for any set of informed nodes.

    Parameters
    ----------
    network
        Undirected or directed.
    targets
        Nodes from 0 that must be informed.
    rounds
        The most that are left.
    """

    def __init__(self, network: Network, targets: Collection[int], rounds: int) -> None:
        import numpy as np

        from . import compiled_covering as compiled

        self._compiled: Any = compiled
        n = network.node_count
        outward = [(u, v) for u in range(n) for v in network.successors[u]]
        place = {(u, v): j for u in range(n) for j, v in enumerate(network.successors[u])}
        inward = sorted(range(len(outward)), key=lambda a: outward[a][1])
        degrees = np.bincount([u for u, _ in outward], minlength=n)
        few = degrees <= compiled.EXACT_CALLEES
        sizes = np.where(few, (rounds + 1) << np.minimum(degrees, compiled.EXACT_CALLEES), 0)
        self._arcs = compiled.Arcs(
            first=np.append(0, degrees.cumsum()),
            head=np.array([v for _, v in outward], int),
            first_into=np.append(0, np.bincount([v for _, v in outward], minlength=n).cumsum()),
            into=np.array(inward, int),
            opposite=np.array([place.get((v, u), compiled.NONE) for u, v in outward], int),
            start=np.where(few, np.append(0, sizes.cumsum()[:-1]), compiled.NONE),
        )
        shape = (rounds + 1, len(outward))
        self._tables = compiled.Tables(
            value=np.zeros(shape),
            times=np.zeros(shape),
            last=np.zeros(int(sizes.sum()), np.int8),
            ranked=np.zeros(shape if not few.all() else (1, 1), np.int64),
        )
        self.arcs = outward
        """All arcs, in the order of `Ascended.called`."""
        self._wanted = np.isin(np.arange(n), list(targets))

    def ascend(
        self,
        informed: Collection[int],
        rounds: int,
        weights: Floats | None,
        *,
        steps: int,
    ) -> Ascended:
        """Return what so many steps of an ascent come to; at least one target is not informed.

        informed: nodes that know the message. rounds: that are left, at least 1. weights: to begin with; None
        for one of every target.
        """
        import numpy as np

        compiled, n = self._compiled, len(self._wanted)
        is_informed = np.zeros(n, np.bool_)
        is_informed[list(informed)] = True
        best = np.ones(n) if weights is None else weights.copy()
        called = np.zeros(len(self.arcs))
        gap = compiled.ascend(
            self._arcs,
            self._tables,
            is_informed,
            self._wanted,
            rounds,
            steps,
            best,
            called,
        )
        return Ascended(gap, best, called * (1 - compiled.MEMORY))
