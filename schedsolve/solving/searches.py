"""Searches under way: which get a slice of time next, and constructions and improvements as such searches."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from schedsolve.errors import InputError
from schedsolve.modelkit.record import Model
from schedsolve.modelkit.search import (
    Algorithm,
    Effort,
    Finding,
    GivenUpError,
    Improvement,
    Question,
    Strategy,
)
from schedsolve.problem import Problem
from schedsolve.result import Bound, Value

SLICE_SECONDS = 0.2
LONGEST_SLICE_SECONDS = 1.0
MOST_REFUSALS = 20
"""In a row, of a construction that is run with one seed after the other."""


class Improving(Protocol):
    """An improvement under way."""

    def advance(self, seconds: float) -> bool | None:
        """Work for about so many seconds; True: found something, False: nothing is left, None: go on."""

    def findings(self) -> list[Bound | tuple[Problem, Any]]:
        """What was found since the last time this was asked."""

    def close(self) -> None:
        """End it."""


@dataclass
class ImprovementRun:
    """An improvement as a search that runs in slices (`Improving`)."""

    improvement: Improvement
    question: Question
    _found: list[Bound | tuple[Problem, Any]] = field(default_factory=list)
    _steps: Iterator[Finding] | None = None

    def advance(self, seconds: float) -> bool | None:
        """Work for about so many seconds; True: found something, False: nothing is left, None: go on."""
        end = time.monotonic() + seconds
        if self._steps is None:
            self._steps = self.improvement.run(self.question)
        for finding in self._steps:
            if finding is not None:
                self._found.append(finding)
                return True
            if time.monotonic() >= end:
                return None
        return False

    def findings(self) -> list[Bound | tuple[Problem, Any]]:
        """What was found since the last time this was asked."""
        found, self._found = self._found, []
        return found

    def close(self) -> None:
        """Forget it."""
        self._steps = None


@dataclass
class Task:
    """A search or an improvement that is under way.

    value: what a search decides; None of an improvement. search: a Search, or Improving. splits: whether the
    search decides one formula, which can be split into cubes. share: in place of the way's own.
    """

    way: Strategy | Improvement
    value: Value | None
    search: Any
    used: float = 0.0
    lost: bool = False
    splits: bool = False
    share: float | None = None

    @property
    def served(self) -> float:
        """The time used, weighed: the one with the least is next."""
        return self.used / (self.share or self.way.share)

    def advance(self, left: float) -> bool | None:
        """Run one slice, which grows with the time used so far, within the time left."""
        start = time.monotonic()
        answer = None
        try:
            slice_seconds = min(max(SLICE_SECONDS, self.used / 2), LONGEST_SLICE_SECONDS, left)
            answer = self.search.advance(max(0.01, slice_seconds))
        except (GivenUpError, EOFError, OSError):
            # It gives up, or the process that ran it is gone; the system may have ended it for its memory.
            self.lost = True
        self.used += time.monotonic() - start
        return answer


class RepeatedConstruction:
    """A searching construction as a search: every slice runs it with another seed, on one of the placed
    problems in turn.
    """

    def __init__(
        self, model: Model, algorithm: Algorithm, problems: list[Problem], value: Any, seed: int
    ) -> None:
        self.model = model
        self.algorithm = algorithm
        self.problems = problems
        self.value = value
        self.seed = seed
        self.built: tuple[Problem, Any] | None = None
        self.refusals = 0

    def advance(self, seconds: float) -> bool | None:
        """Run the algorithm once, for about so many seconds; True: found, None: not yet.

        Raises GivenUpError when it has refused the problem too often in a row.
        """
        self.seed += 1
        problem = self.problems[self.seed % len(self.problems)]
        try:
            schedule = self.algorithm.build(
                problem, Effort(self.seed, seconds, self.value)
            ).without_empty_end()
        except InputError as error:
            self.refusals += 1
            if self.refusals == MOST_REFUSALS:
                raise GivenUpError(str(error)) from error
            return None
        self.refusals = 0
        if self.model.replay(problem, schedule).value > self.value:
            return None
        self.built = problem, schedule
        return True

    def found(self) -> tuple[Problem, Any]:
        """The schedule built, after `advance` returned True, and the problem that it solves."""
        assert self.built is not None
        return self.built

    def evidence(self) -> None:
        """Nothing: it never refutes."""

    def close(self) -> None:
        """Forget the schedule."""
        self.built = None
