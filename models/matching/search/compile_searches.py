"""Compiles the searches for schedules that numba compiles, as `make setup` does.

Numba keeps what it compiles, so that no later process waits for it.
"""

from __future__ import annotations

import random
from importlib.util import find_spec

from schedsolve.network.graph import Network

from ..constructions.gossip_annealing import GossipAnnealing
from ..constructions.gossip_mending import GossipMending
from .covering_ascents import CoveringAscents


def compile_searches() -> None:
    """Take a step of each search; nothing without numba."""
    if find_spec("numba") is None:
        return
    from .loose_trees import LooseTrees

    network, rng = Network.from_spec("cycle:4"), random.Random(0)
    GossipAnnealing(network, two_way=True, rounds=2, symmetries=(), generator=rng).anneal(1, 1.0, 0.5)
    GossipMending(network, two_way=True, rounds=[[], []], generator=rng).anneal(1, 1.0, 0.5)
    CoveringAscents(network, range(4), 2).ascend([0], 2, None, steps=1)
    LooseTrees(network, [0], [[]], 2, rng).anneal(1, 1.0)


if __name__ == "__main__":
    compile_searches()
