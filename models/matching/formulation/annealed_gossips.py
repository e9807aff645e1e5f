"""Gossips found by annealing among the schedules with a group of symmetries: finds, never refutes."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from importlib.util import find_spec
from itertools import count

from schedsolve.modelkit.search import Question, RunningSearch
from schedsolve.network.automorphism_generators import automorphism_generators
from schedsolve.task import is_replayable

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

FIRST_MOVES = 100_000
"""The moves that each group gets in the first tour; every tour doubles them."""
HOT, COLD = (8.0, 4.0), 0.7
"""The temperatures at the start of the tours in turn, and at the end of a run, in missing pairs."""
MOVES = 1_000
"""The moves between two looks at the time."""
TOWERS = 12
"""Each tour draws groups along so many chains of subgroups."""
FEWEST_KINDS = 12
"""So many kinds of groups, those that came nearest, are kept at least from one tour to the next."""
ASYMMETRIC_NODES = 50
"""From so many nodes, networks without automorphisms are left to other searches; one-way, all are."""
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


class AnnealedGossips(FindingSearch):
    """Annealing with one group of symmetries after the other.

    Each tour anneals once with each kind of group; the next takes twice the moves, leaves out the kinds of
    groups that came least near to a gossip, and draws others.
    """

    def _search(self) -> Iterator[None]:
        """Anneal, tour by tour; some moves or a drawing of groups a step."""
        network, two_way = self._problem.network, is_two_way(self._problem)
        large = not two_way or network.node_count >= ASYMMETRIC_NODES
        if large and not automorphism_generators(network, steps=AUTOMORPHISM_STEPS):
            # An involution in time alone hinders more than it helps.
            return
        kept, left_out = dict[Hashable, Group](), set[Hashable]()
        for tour in count():
            groups = dict(kept)
            for group in groups_of(network, self._rng, TOWERS):
                kind = kind_of(network, group)
                if kind not in left_out and has_useful_calls(network, group, two_way=two_way):
                    groups.setdefault(kind, group)
                yield
            missing: dict[Hashable, int] = {}
            for kind, group in groups.items():
                annealing = GossipAnnealing(
                    network,
                    two_way=two_way,
                    rounds=self._rounds,
                    symmetries=generators_of(group),
                    generator=self._rng,
                )
                if annealing.slots:
                    yield from self._anneal(annealing, HOT[tour % len(HOT)], FIRST_MOVES << tour)
                    missing[kind] = annealing.missing
                if self._found is not None:
                    yield
                    return
            if not missing:
                return
            nearest = sorted(missing, key=lambda kind: missing[kind])
            fewer = max(FEWEST_KINDS, len(nearest) // 2)
            kept = {kind: groups[kind] for kind in nearest[:fewer]}
            left_out.update(nearest[fewer:])

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
