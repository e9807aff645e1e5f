"""Broadcasts whose first rounds are greedy and whose last rounds SAT completes: finds, never refutes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import count

from schedsolve.backends.sat import SatQuestion, SatSearch
from schedsolve.modelkit.refutation import affordable
from schedsolve.modelkit.search import Question, Search
from schedsolve.problem import Problem
from schedsolve.schedule import Schedule

from ..claims.formula import broadcast_formula, formula_size
from ..claims.lower_bounds import as_broadcast
from ..constructions.algorithms import Pairs, as_schedule
from ..constructions.broadcast_search import best_prefixes
from ..constructions.useful_calls import only_useful_calls
from .sat import windows

SHORTEST_PREFIX, LONGEST_PREFIX, PREFIXES_A_LENGTH, PREFIX_SECONDS = 3, 7, 3, 2.0
"""Which greedy beginnings of a broadcast are tried, and for how long each at first."""


class PrefixSearch:
    """A broadcast search that takes the first rounds from greedy passes and leaves the rest to SAT; it finds,
    and never refutes.

    Prefixes of three to seven rounds are tried in turn, the promising ones first, each for a while; then
    others, for longer.

    problem: with a given source. rounds: the number of rounds of the schedules looked for, more than the
    shortest prefix.
    """

    def __init__(self, problem: Problem, rounds: int) -> None:
        self._problem = problem
        self._network = as_broadcast(problem)
        self._rounds = rounds
        self._trials = self._all_trials()
        self._prefix: Pairs = []
        self._suffix: SatSearch | None = None
        self._left = 0.0

    def _all_trials(self) -> Iterator[tuple[Pairs, float]]:
        """Prefixes, each with the seconds that its completion may take."""
        for tour in count():
            for length in range(SHORTEST_PREFIX, min(LONGEST_PREFIX, self._rounds - 1) + 1):
                problem = self._problem
                for prefix in best_prefixes(
                    self._network,
                    problem.sources,
                    problem.targets,
                    prefix_rounds=length,
                    count=PREFIXES_A_LENGTH,
                    seed=tour,
                ):
                    yield prefix, PREFIX_SECONDS * 2**tour

    def advance(self, seconds: float) -> bool | None:
        """Work for about so many seconds; True: found, None: not yet."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self._suffix is None:
                self._prefix, self._left = next(self._trials)
                self._suffix = self._completion()
            begun = time.monotonic()
            answer = self._suffix.advance(min(self._left, end - begun))
            self._left -= time.monotonic() - begun
            if answer:
                return True
            if answer is False or self._left <= 0:
                self.close()
        return None

    def _completion(self) -> SatSearch:
        """A search for the rounds after the prefix, with all that it informs as sources."""
        informed = sorted({*self._problem.sources, *(v for calls in self._prefix for _, v in calls)})
        rounds = self._rounds - len(self._prefix)

        def build() -> SatQuestion:
            formula = broadcast_formula(self._network, informed, self._problem.targets, rounds)
            early = windows(formula, [informed])
            return SatQuestion(formula.cnf, early, lambda true: self._whole(formula.calls(true)))

        return SatSearch(build)

    def _whole(self, rest: Pairs) -> tuple[Problem, Schedule]:
        return self._problem, only_useful_calls(
            self._problem, as_schedule(self._problem, [*self._prefix, *rest])
        )

    def found(self) -> tuple[Problem, Schedule]:
        """The schedule found, after `advance` returned True, and the problem that it solves."""
        assert self._suffix is not None
        return self._suffix.found()

    def evidence(self) -> None:
        """Nothing: it never refutes."""

    def close(self) -> None:
        """Give the solver's memory back."""
        if self._suffix is not None:
            self._suffix.close()
            self._suffix = None


def prefix_search(question: Question) -> Search | None:
    """Look for a broadcast, multicast or accumulation schedule whose first rounds are greedy
    (`PrefixSearch`).
    """
    problem, rounds = question.problem, question.value
    if problem.task == "gossip" or problem.choice or rounds <= SHORTEST_PREFIX:
        return None
    return PrefixSearch(problem, rounds) if affordable(question, formula_size(problem, rounds)) else None
