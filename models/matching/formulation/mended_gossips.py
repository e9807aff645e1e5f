"""Gossips found by annealing from greedy rounds: finds, never refutes."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from itertools import count

from schedsolve.modelkit.search import Effort, Question, RunningSearch
from schedsolve.modelkit.task import is_replayable

from ..constructions.algorithms import as_schedule
from ..constructions.gossip_mending import GossipMending
from ..constructions.gossip_search import search_gossip
from ..rules import is_two_way
from .finding import FindingSearch

FIRST_MOVES, GROWTH = 200_000, 3
"""The moves of the first run, and how many times as many each run takes as the last."""
HOT, COLD = (4.0, 8.0), 0.7
"""The temperatures at the start of the runs in turn, and at their end, in missing pairs."""
REGULAR_HOT, REGULAR_COLD = (3.0, 4.0), 1.4
"""The same for two-way calls where all nodes have as many neighbors.

There hardly a node is idle, and pairs are missing four at a time: those of two nodes that share their last
call, and of two items that share their first. Below such an end hardly any are risked.
"""
ONE_WAY_HOT = (1 / 8, 1 / 4)
"""The temperatures at the start for one-way calls, in missing pairs for each node, if that is more."""
MOVES = 5_000
"""The moves between two looks at the time."""
LARGEST_STATE = 400_000_000
"""The most bytes that what is kept of all nodes after all rounds may take."""
BYTES = 64
"""What is kept of a node after a round, besides its three bit sets."""


def mended_gossip_search(question: Question) -> RunningSearch | None:
    """Look for a gossip of so many rounds by annealing.

    None for another task, where it is too large, and where numba, which compiles its moves, is not installed,
    as for a Python that is newer than it.
    """
    problem, rounds = question.problem, question.value
    n = problem.network.node_count
    if problem.task != "gossip" or rounds < 1 or n < 2 or not is_replayable(n):
        return None
    large = rounds * n * (BYTES + 3 * n // 8) > LARGEST_STATE
    return None if large or find_spec("numba") is None else MendedGossips(question)


class MendedGossips(FindingSearch):
    """Annealing runs from greedy rounds, each longer than the last."""

    def _search(self) -> Iterator[None]:
        """Anneal, run by run; some moves a step."""
        network, two_way = self._problem.network, is_two_way(self._problem)
        greedy = search_gossip(network, Effort(self._seed, seconds=0.0), two_way=two_way)
        greedy = (greedy + [[] for _ in range(self._rounds)])[: self._rounds]
        for run in count():
            mending = GossipMending(network, two_way=two_way, rounds=greedy, generator=self._rng)
            hot, cold = self._temperatures(run)
            moves = FIRST_MOVES * GROWTH**run
            factor = (cold / hot) ** (MOVES / moves)
            for step in range(moves // MOVES):
                if mending.missing:
                    mending.anneal(MOVES, hot * factor**step, hot * factor ** (step + 1))
                    yield
            if not mending.missing:
                self._found = as_schedule(self._problem, mending.calls())
                yield
                return

    def _temperatures(self, run: int) -> tuple[float, float]:
        """Return the temperatures at the start and at the end of a run."""
        kind, network = run % len(HOT), self._problem.network
        if not is_two_way(self._problem):
            return max(HOT[kind], network.node_count * ONE_WAY_HOT[kind]), COLD
        if len({len(near) for near in network.successors}) == 1:
            return REGULAR_HOT[kind], REGULAR_COLD
        return HOT[kind], COLD
