"""Gossip refuted by pairs of distant nodes: `claims.distant_pairs` holds the premise and the formula.

Few pairs near one another are refuted soonest, if they can be: more make the formula larger and decide no
sooner, and pairs all over the network hardly meet. So pairs are taken in the order of their nearness to one
of them, twice as many whenever a schedule fulfils them, and otherwise the others' turn comes.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from operator import itemgetter
from typing import Any

from schedsolve.backends.sat import SatQuestion, SatSearch
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Schedule
from schedsolve.modelkit.search import GivenUpError, Question, RunningSearch
from schedsolve.network.graph import Network

from ..claims.distant_pairs import PREMISE, Pair, distant_pairs_formula, formula_size, windows
from ..rules import is_two_way

LEAST_NODES, MOST_NODES = 24, 500
"""Where other formulas decide sooner, and where a minute is better spent on finding schedules."""
MOST_SPARE = 2
"""Pairs with more spare rounds than that, or none with fewer, have refuted nothing in a minute."""
SOLVER = "glucose4"
"""It refutes such formulas somewhat sooner than others."""
MIDDLES, ORDERS = 24, 4
"""Round how many pairs the others are looked at, and how many of the orders are kept."""
DENSE = 256
"""How many of the nearest pairs say how dense they are."""
FEWEST_PAIRS = 64
FIRST_SECONDS, LONGER = 1.5, 4.0
"""How long a formula is tried at first, and how many times longer in the next turn."""
LARGEST = 4_000_000
"""The most literals of a formula."""


def distant_pairs_search(question: Question) -> RunningSearch | None:
    """Refute so many rounds by pairs of distant nodes; it finds no schedule."""
    problem, rounds = question.problem, question.value
    n = problem.network.node_count
    if problem.task != "gossip" or not LEAST_NODES <= n <= MOST_NODES or rounds >= 2 * n:
        return None
    return DistantPairsSearch(problem, rounds, certify=question.certify, seed=question.seed)


@dataclass
class _Level:
    """Pairs with at most so many spare rounds, in some orders, and the fewest that may be refuted.

    whole: the search with all of them, in any order, once it has begun; the next turn resumes it.
    """

    orders: Sequence[Sequence[Pair]]
    size: int = FEWEST_PAIRS
    whole: SatSearch | None = None


class DistantPairsSearch:
    """A search that refutes rounds by pairs (`schedsolve.modelkit.search.RunningSearch`).

    Parameters
    ----------
    problem
        A gossip.
    rounds
        The rounds that are to be refuted.
    certify
        Whether to keep a proof.
    seed
        Of the random choice of the pairs in the middle.
    """

    def __init__(self, problem: Problem, rounds: int, *, certify: bool, seed: int) -> None:
        self._problem, self._rounds, self._certify = problem, rounds, certify
        self._rng = random.Random(seed)
        self._search: SatSearch | None = None
        self._levels: list[_Level] = []
        self._trials = self._all_trials()
        self._left = 0.0
        self._answer: bool | None = None

    def advance(self, seconds: float) -> bool | None:
        """Search for about `seconds`.

        Returns
        -------
        False if some pairs are refuted, None otherwise.

        Raises
        ------
        GivenUpError
            If all pairs with few spare rounds can be fulfilled.
        """
        end = time.process_time() + seconds
        while True:
            if self._search is None:
                self._search = next(self._trials, None)
                if self._search is None:
                    raise GivenUpError
            begun = time.process_time()
            self._answer = self._search.advance(max(0.01, min(self._left, end - begun)))
            self._left -= time.process_time() - begun
            if self._answer is False:
                return False
            if self._answer or self._left <= 0:
                self._end_trial()
            if time.process_time() >= end:
                return None

    def _all_trials(self) -> Iterator[SatSearch]:
        """Yield a search for so many pairs of each level in turn, and set its time.

        The next turn goes back from the last level: in the first they answer soon or not at all.
        """
        levels = self._levels = [_Level(orders) for orders in self._orders()]
        for turn in count():
            for level in levels:
                order = level.orders[turn % len(level.orders)]
                yield from self._of_level(level, order, FIRST_SECONDS * LONGER**turn)
            levels = [level for level in reversed(levels) if level.size]
            if not levels:
                return

    def _of_level(self, level: _Level, order: Sequence[Pair], seconds: float) -> Iterator[SatSearch]:
        """Yield a search for twice the fewest pairs and, unless that is decided or are all, for the fewest.

        A level whose pairs all arrive, or whose formulas are too large, is left with none.
        """
        doubled = True
        while level.size and doubled:
            sizes = [s for s in (2 * level.size, level.size) if self._affordable(order[:s])]
            if sizes and sizes[0] >= len(order):
                del sizes[1:]
            level.size, doubled = level.size if sizes else 0, False
            for size in sizes:
                self._left = seconds
                if size < len(order):
                    yield self._begin(order[:size])
                else:
                    level.whole = level.whole or self._begin(order)
                    yield level.whole
                if self._answer:
                    doubled = size > level.size
                    level.size = 2 * size if size < len(order) else 0
                    break

    def _orders(self) -> list[list[list[Pair]]]:
        """For every level its pairs in the densest orders."""
        network = self._problem.network
        levels = levels_of_pairs(network, self._rounds)
        middles = self._rng.sample(levels[0], min(MIDDLES, len(levels[0]))) if levels else []
        return [orders_of_pairs(network, middles, pairs, self._rng)[:ORDERS] for pairs in levels]

    def _affordable(self, pairs: Sequence[Pair]) -> bool:
        network = self._problem.network
        asked = windows(network, self._rounds, pairs)
        return formula_size(network, is_two_way(self._problem), self._rounds, asked) <= LARGEST

    def _begin(self, pairs: Sequence[Pair]) -> SatSearch:
        network, rounds = self._problem.network, self._rounds

        def build() -> SatQuestion:
            asked = windows(network, rounds, pairs)
            formula = distant_pairs_formula(network, is_two_way(self._problem), rounds, asked, pairs)
            evidence = {
                "kind": "refutation",
                "premise": PREMISE,
                "rounds": rounds,
                "pairs": [list(pair) for pair in pairs],
            }
            return SatQuestion(formula.cnf, [], _no_schedule, evidence)

        return SatSearch(build, with_proof=self._certify, solver=SOLVER)

    def found(self) -> tuple[Problem, Schedule]:
        """Raise GivenUpError: the search never finds a schedule."""
        raise GivenUpError

    def evidence(self) -> Mapping[str, Any] | None:
        """Return the refutation, after `advance` returned False; None if no proof was kept."""
        assert self._search is not None
        return self._search.evidence()

    def _end_trial(self) -> None:
        """Free the solver's memory, unless the next turn may resume it."""
        if self._search is not None:
            if self._answer is not None or all(level.whole is not self._search for level in self._levels):
                self._search.close()
            self._search = None

    def close(self) -> None:
        """Free the memory of all solvers."""
        for search in (self._search, *(level.whole for level in self._levels)):
            if search is not None:
                search.close()
        self._search = None


def _no_schedule(true: set[int]) -> tuple[Problem, Schedule]:
    """Give up: a model says little of the calls far from the pairs."""
    raise GivenUpError


def levels_of_pairs(network: Network, rounds: int) -> list[list[Pair]]:
    """Return the pairs with the least number of spare rounds, those with one more too, and so on.

    The spare rounds of a pair are those beyond its distance, at most MOST_SPARE. None if all have that many.
    """
    by_spare: dict[int, list[Pair]] = {}
    for i in range(network.node_count):
        for j, distance in enumerate(network.distances_from([i])):
            if distance and 0 <= rounds - distance <= MOST_SPARE:
                by_spare.setdefault(rounds - distance, []).append((i, j))
    if min(by_spare, default=MOST_SPARE) == MOST_SPARE:
        return []
    found = list[list[Pair]]()
    for spare in sorted(by_spare):
        found.append([*(found[-1] if found else ()), *by_spare[spare]])
    return found


def orders_of_pairs(
    network: Network, middles: Sequence[Pair], pairs: Sequence[Pair], rng: random.Random
) -> list[list[Pair]]:
    """Return the pairs by their nearness to each of some pairs in the middle, those alike in random order.

    Pairs are near one another where their first and their second nodes are, or, in the other direction, the
    first of one and the second of the other. The order round which pairs are densest comes first: nodes
    there are the busiest.
    """
    found = []
    for middle in middles:
        first, second = (_known(network.distances_from([v]), network.node_count) for v in middle)
        nearness = {(i, j): min(first[i] + second[j], first[j] + second[i]) for i, j in pairs}
        order = list(pairs)
        rng.shuffle(order)
        order.sort(key=nearness.__getitem__)
        found.append((sum(nearness[pair] for pair in order[:DENSE]), order))
    found.sort(key=itemgetter(0))
    return [order for _, order in found]


def _known(distances: Sequence[int | None], far: int) -> list[int]:
    return [far if distance is None else distance for distance in distances]
