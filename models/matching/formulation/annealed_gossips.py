"""Gossips found by annealing among the schedules with a group of symmetries: finds, never refutes."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec

from schedsolve.modelkit.search import Question, RunningSearch
from schedsolve.modelkit.task import is_replayable
from schedsolve.network.automorphism_generators import automorphism_generators
from schedsolve.network.orbits import first_of_orbit

from ..constructions.algorithms import as_schedule
from ..constructions.gossip_annealing import GossipAnnealing
from ..constructions.schedule_groups import (
    AUTOMORPHISM_STEPS,
    Group,
    generators_of,
    groups_of,
    has_useful_calls,
    kind_of,
)
from ..rules import is_two_way
from .finding import FindingSearch

FIRST_MOVES, GROWTH = 100_000, 1.5
"""The moves of the first run with a kind of group, and how many times as many each run takes as the last."""
MOST_RUNS = 7
"""After so many runs, three million moves, a kind is left: what it has is found by then, or needs luck."""
HOT, COLD = (8.0, 4.0), 0.7
"""The temperatures at the start of a kind's runs in turn, and at the end of a run, in missing pairs."""
MOVES = 1_000
"""The moves between two looks at the time."""
TOWERS = 12
"""Each drawing of groups is along so many chains of subgroups."""
ASYMMETRIC_NODES = 50
"""From so many nodes, networks without automorphisms are left to other searches; one-way, all are."""
MANY_NODES, SMALL_ORBIT = 128, 8
"""One-way, networks of so many nodes are left to other searches too if automorphisms make fewer than so many
nodes of each, in the mean.
"""
LARGEST_STATE = 200_000_000
"""The most bytes that the bit sets of all nodes after all rounds may take."""
MOST_SLOTS = 200_000
"""The most pairs of a round and a link that calls are chosen from."""


def annealed_gossip_search(question: Question) -> RunningSearch | None:
    """Look for a gossip of so many rounds by annealing.

    None for another task, where it is too large, and without numba, as `mended_gossip_search`.
    """
    problem, rounds = question.problem, question.value
    network = problem.network
    n, links = network.node_count, network.edges if is_two_way(problem) else network.arcs
    if problem.task != "gossip" or rounds < 1 or n < 2 or not is_replayable(n):
        return None
    large = 2 * rounds * n * max(8, n // 8) > LARGEST_STATE or rounds * len(links) > MOST_SLOTS
    return None if large or find_spec("numba") is None else AnnealedGossips(question)


@dataclass
class _Kind:
    """A group of symmetries of a kind, and what annealing with it has come to.

    Attributes
    ----------
    group
        The group.
    runs, moves
        How often it was annealed, and with how many moves in all.
    missing
        The fewest pairs that were missing after a run.
    """

    group: Group
    runs: int = 0
    moves: int = 0
    missing: int = 0

    @property
    def cost(self) -> int:
        """What has gone into it, the more the farther it is from a gossip; 0 before the first run."""
        return self.moves * (self.missing + 1)


class AnnealedGossips(FindingSearch):
    """Annealing with groups of symmetries, one of every kind.

    Each kind is annealed once. Next is always the kind that cost least so far, by its moves and how far from
    a gossip it is, with more moves than in its last run; one that was run often is left. After as many runs
    as there are kinds others are drawn; the search ends where there are none.
    """

    def _search(self) -> Iterator[None]:
        """Anneal, run by run; some moves or a drawing of groups a step."""
        network, two_way = self._problem.network, is_two_way(self._problem)
        if self._has_few_symmetries():
            # An involution in time alone hinders more than it helps.
            return
        kinds, left = dict[Hashable, _Kind](), set[Hashable]()
        while True:
            for group in groups_of(network, self._rng, TOWERS):
                kind = kind_of(network, group)
                if kind not in kinds and kind not in left:
                    if has_useful_calls(network, group, two_way=two_way):
                        kinds[kind] = _Kind(group)
                    else:
                        left.add(kind)
                yield
            for _ in range(len(kinds)):
                if not kinds:
                    return
                least = min(kinds, key=lambda kind: kinds[kind].cost)
                annealing = self._begin(kinds[least].group)
                if annealing.slots:
                    yield from self._run(kinds[least], annealing)
                if not annealing.slots or kinds[least].runs == MOST_RUNS:
                    left.add(least)
                    del kinds[least]
                if self._found is not None:
                    yield
                    return
            if not kinds:
                return

    def _has_few_symmetries(self) -> bool:
        """Return whether other searches find gossips sooner."""
        network, two_way = self._problem.network, is_two_way(self._problem)
        n = network.node_count
        if two_way and n < ASYMMETRIC_NODES:
            return False
        generators = automorphism_generators(network, steps=AUTOMORPHISM_STEPS)
        orbits = len(set(first_of_orbit(n, generators)))
        return orbits == n or (not two_way and n >= MANY_NODES and orbits * SMALL_ORBIT > n)

    def _begin(self, group: Group) -> GossipAnnealing:
        return GossipAnnealing(
            self._problem.network,
            two_way=is_two_way(self._problem),
            rounds=self._rounds,
            symmetries=generators_of(group),
            generator=self._rng,
        )

    def _run(self, kind: _Kind, annealing: GossipAnnealing) -> Iterator[None]:
        """Anneal once more with a kind of group."""
        moves = int(FIRST_MOVES * GROWTH**kind.runs) // MOVES * MOVES
        yield from self._anneal(annealing, HOT[kind.runs % len(HOT)], moves)
        missing = annealing.missing
        kind.missing = min(kind.missing, missing) if kind.runs else missing
        kind.runs += 1
        kind.moves += moves

    def _anneal(self, annealing: GossipAnnealing, hot: float, moves: int) -> Iterator[None]:
        """Anneal with so many moves, or until nothing is missing."""
        factor = (COLD / hot) ** (MOVES / moves)
        for step in range(moves // MOVES):
            if not annealing.missing:
                break
            annealing.anneal(MOVES, hot * factor**step, hot * factor ** (step + 1))
            yield
        if not annealing.missing:
            self._found = as_schedule(self._problem, annealing.calls())
