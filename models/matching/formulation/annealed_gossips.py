"""Gossips found by annealing among the schedules with a group of symmetries: finds, never refutes."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
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
    kind_of,
    unturned,
)
from ..rules import is_two_way
from .finding import FindingSearch

FIRST_STEPS = 3000
"""The moves that each group gets in the first tour; every tour doubles them."""
HOT, COLD = 4.0, 0.5
"""The temperatures at the start and the end of a run, per symmetry of the group, in missing pairs."""
TOWERS = 12
"""Each tour draws groups along so many chains of subgroups."""
FEWEST_KINDS = 4
"""So many kinds of groups, those that came nearest, are kept at least from one tour to the next."""
ASYMMETRIC_NODES = 50
"""From so many nodes, networks without automorphisms are left to other searches; one-way, all are."""
GREEDY_NODES, NOISE = 250, 0.2
"""From so many nodes a run begins with calls by which much is learnt, up to this relative noise; smaller
networks forget the beginning.
"""
LARGEST_STATE = 200_000_000
"""The most bytes that the bit sets of all nodes after all rounds may take."""
MOST_SLOTS = 200_000
"""The most pairs of a round and a link that calls are chosen from."""


def annealed_gossip_search(question: Question) -> RunningSearch | None:
    """Look for a gossip of so many rounds by annealing; None for another task and where it is too large."""
    problem, rounds = question.problem, question.value
    network = problem.network
    n, links = network.node_count, network.edges if is_two_way(problem) else network.arcs
    if problem.task != "gossip" or rounds < 1 or n < 2 or not is_replayable(n):
        return None
    state = 2 * rounds * n * max(8, n // 8)
    return None if state > LARGEST_STATE or rounds * len(links) > MOST_SLOTS else AnnealedGossips(question)


class AnnealedGossips(FindingSearch):
    """Annealing with one group of symmetries after the other.

    Each tour anneals once with each kind of group; the next takes twice the steps, leaves out the kinds of
    groups that came least near to a gossip, and draws others.
    """

    def _search(self) -> Iterator[None]:
        """Anneal, tour by tour; a move or a drawing of groups a step."""
        network = self._problem.network
        large = not is_two_way(self._problem) or network.node_count >= ASYMMETRIC_NODES
        if large and not automorphism_generators(network, steps=AUTOMORPHISM_STEPS):
            # An involution in time alone hinders more than it helps.
            return
        kept: dict[Hashable, Group] = {}
        for tour in count():
            groups = dict(kept)
            for group in groups_of(network, self._rng, TOWERS):
                groups.setdefault(kind_of(network, group), group)
                yield
            missing: dict[Hashable, int] = {}
            for kind, group in groups.items():
                annealing = self._annealing(group)
                if annealing.slots:
                    annealing.begin(NOISE if network.node_count >= GREEDY_NODES else None)
                    hot = HOT * len(unturned(group))
                    yield from self._anneal(annealing, hot, hot * COLD / HOT, FIRST_STEPS << tour)
                    missing[kind] = annealing.missing
                if self._found is not None:
                    yield
                    return
            if not missing:
                return
            nearest = sorted(missing, key=lambda kind: missing[kind])
            kept = {kind: groups[kind] for kind in nearest[: max(FEWEST_KINDS, len(nearest) // 2)]}

    def _annealing(self, group: Group) -> GossipAnnealing:
        return GossipAnnealing(
            self._problem.network,
            two_way=is_two_way(self._problem),
            rounds=self._rounds,
            symmetries=generators_of(group),
            generator=self._rng,
        )

    def _anneal(self, annealing: GossipAnnealing, hot: float, cold: float, steps: int) -> Iterator[None]:
        """Anneal from a temperature to another in so many steps, or until nothing is missing."""
        temperature, factor = hot, (cold / hot) ** (1 / steps)
        for _ in range(steps):
            if not annealing.missing:
                break
            annealing.step(temperature)
            temperature *= factor
            yield
        if not annealing.missing:
            self._found = as_schedule(self._problem, annealing.calls())
