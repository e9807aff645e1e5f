"""Searches under way: which get a slice of time next, and searching constructions as searches."""

from __future__ import annotations

import time
from dataclasses import dataclass

from schedsolve.errors import InputError
from schedsolve.modelkit.record import Model
from schedsolve.modelkit.search import Algorithm, Effort, Search, Strategy
from schedsolve.problem import Problem
from schedsolve.schedule import Schedule

SLICE_SECONDS = 0.2
LONGEST_SLICE_SECONDS = 1.0


@dataclass
class SearchTask:
    """A search that is under way for a number of rounds."""

    strategy: Strategy
    rounds: int
    search: Search
    used: float = 0.0
    lost: bool = False

    @property
    def served(self) -> float:
        """The time used, weighed: the search with the least is next."""
        return self.used / self.strategy.share

    def advance(self, left: float) -> bool | None:
        """Run one slice, which grows with the time used so far, within the time left."""
        start = time.monotonic()
        answer = None
        try:
            answer = self.search.advance(
                max(0.01, min(max(SLICE_SECONDS, self.used / 2), LONGEST_SLICE_SECONDS, left))
            )
        except (EOFError, OSError):
            # The process that ran the search is gone; the system may have ended it for its memory.
            self.lost = True
        self.used += time.monotonic() - start
        return answer


class RepeatedConstruction:
    """A searching construction as a search: every slice runs it with another seed, on one of the placed
    problems in turn.
    """

    def __init__(
        self, model: Model, algorithm: Algorithm, problems: list[Problem], rounds: int, seed: int
    ) -> None:
        self.model = model
        self.algorithm = algorithm
        self.problems = problems
        self.rounds = rounds
        self.seed = seed
        self.built: tuple[Problem, Schedule] | None = None

    def advance(self, seconds: float) -> bool | None:
        """Run the algorithm once, for about so many seconds; True: found, None: not yet."""
        self.seed += 1
        problem = self.problems[self.seed % len(self.problems)]
        try:
            schedule = self.algorithm.build(
                problem, Effort(self.seed, seconds, self.rounds)
            ).without_empty_end()
        except InputError:
            return None
        if self.model.replay(problem, schedule).value > self.rounds:
            return None
        self.built = problem, schedule
        return True

    def found(self) -> tuple[Problem, Schedule]:
        """The schedule built, after `advance` returned True, and the problem that it solves."""
        assert self.built is not None
        return self.built

    def evidence(self) -> None:
        """Nothing: it never refutes."""

    def close(self) -> None:
        """Forget the schedule."""
        self.built = None
