"""Searches at work, in slices: what each finds, and whether it has ended."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Protocol

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.record import Model
from schedsolve.modelkit.result import Bound
from schedsolve.modelkit.search import (
    Algorithm,
    Decision,
    Effort,
    Finding,
    Found,
    GivenUpError,
    Improvement,
    Question,
    RunningSearch,
)
from schedsolve.runtime.errors import InputError
from schedsolve.runtime.limits.own_limits import met

MOST_REFUSALS = 20
"""The largest number of consecutive failures of a randomised construction."""


class Slice(NamedTuple):
    """What a search finds in a slice of the time, and whether it has ended."""

    found: tuple[Found, ...] = ()
    ended: bool = False


Clock = Callable[[], float]

PULP = "pulp"
"""The backend whose solver runs in a process of its own."""


def clock_of(backend: str) -> Clock:
    """Return what a search in this process is timed by: other programs on the machine do not count."""
    return time.monotonic if backend == PULP else time.process_time


class Run(Protocol):
    """A search at work."""

    @property
    def clock(self) -> Clock:
        """What its seconds are measured by: CPU time, or the clock if another process does the work."""

    def advance(self, seconds: float) -> Slice:
        """Work for about `seconds`.

        Raises
        ------
        GivenUpError
            If the search will not find anything more.
        """

    def close(self) -> None:
        """Free the memory; the run is not used any more."""


@dataclass
class ImprovementRun:
    """An improvement at work (`Run`)."""

    improvement: Improvement
    question: Question

    @cached_property
    def _findings(self) -> Iterator[Finding]:
        return self.improvement.run(self.question)

    @property
    def clock(self) -> Clock:
        """What its seconds are measured by."""
        return clock_of(self.improvement.backend)

    def advance(self, seconds: float) -> Slice:
        """Work for about `seconds`, or until something is found."""
        end = self.clock() + seconds
        for finding in self._findings:
            if finding is not None:
                return Slice((finding,))
            if self.clock() >= end:
                return Slice()
        return Slice(ended=True)

    def close(self) -> None:
        """Do nothing: the memory goes with the run."""


@dataclass
class DecisionRun:
    """A decision at work (`Run`): it ends with a schedule, or with the lower bound that it proves, if any."""

    model: Model
    decision: Decision
    question: Question
    search: RunningSearch

    @property
    def clock(self) -> Clock:
        """What its seconds are measured by."""
        return clock_of(self.decision.backend)

    def advance(self, seconds: float) -> Slice:
        """Work for about `seconds`, or until the value is decided."""
        answer = self.search.advance(seconds)
        if answer is None:
            return Slice()
        if answer:
            return Slice((self.search.found(),), ended=True)
        return Slice((self.refutation(),) if self.decision.refutes else (), ended=True)

    def refutation(self) -> Bound:
        """Return the lower bound that is proven once the search has refuted the value."""
        proven = self.model.next_value(self.question.problem, self.question.value)
        said = self.model.objective.suffices(self.question.value, negated=True)
        reason = f"refuted by search: {said} ({self.decision.name}, {self.decision.backend})"
        taken, of = getattr(self.search, "taken", (0, 0))
        if taken:
            reason += f"; {taken} of {of} cubes taken from the store, not recomputed"
        return Bound("lower", proven, reason, self.search.evidence(), by="store" if taken else "search")

    def close(self) -> None:
        """End the search."""
        self.search.close()


@dataclass
class RepeatedConstruction:
    """A searching construction as a search (`schedsolve.modelkit.search.RunningSearch`).

    Every slice runs it with another seed, on one of the problems in turn.

    Attributes
    ----------
    problems
        With their source or root given.
    value
        The most that a schedule may have.
    """

    model: Model
    algorithm: Algorithm
    problems: list[Problem]
    value: Any
    seed: int
    built: tuple[Problem, Any] | None = None
    refusals: int = 0

    def advance(self, seconds: float) -> bool | None:
        """Run the algorithm once, for about `seconds`; return True if it found a schedule, else None.

        Raises
        ------
        GivenUpError
            If it has refused the problem too often in a row.
        """
        self.seed += 1
        problem = self.problems[self.seed % len(self.problems)]
        try:
            effort = Effort(self.seed, seconds, self.value)
            schedule = self.algorithm.build(problem, effort).without_empty_end()
        except InputError as error:
            self.refusals += 1
            if self.refusals == MOST_REFUSALS:
                met("tries without a schedule", MOST_REFUSALS)
                raise GivenUpError(str(error)) from error
            return None
        self.refusals = 0
        if self.model.replay(problem, schedule).value > self.value:
            return None
        self.built = problem, schedule
        return True

    def found(self) -> tuple[Problem, Any]:
        """Return, after `advance` returned True, the problem that it solved and the schedule."""
        assert self.built is not None
        return self.built

    def evidence(self) -> None:
        """Return None: it never refutes."""

    def close(self) -> None:
        """Forget the schedule."""
        self.built = None
