"""Compiles the moves of both annealings of gossips, as `make setup` does.

Numba keeps what it compiles, so that no later process waits for it.
"""

from __future__ import annotations

import random
from importlib.util import find_spec

from schedsolve.network.graph import Network

from .gossip_annealing import GossipAnnealing
from .gossip_mending import GossipMending


def compile_moves() -> None:
    """Try a move of each annealing; nothing without numba."""
    if find_spec("numba") is None:
        return
    network, rng = Network.from_spec("cycle:4"), random.Random(0)
    GossipAnnealing(network, two_way=True, rounds=2, symmetries=(), generator=rng).anneal(1, 1.0, 0.5)
    GossipMending(network, two_way=True, rounds=[[], []], generator=rng).anneal(1, 1.0, 0.5)


if __name__ == "__main__":
    compile_moves()
