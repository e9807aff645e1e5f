"""Randomised restarts of a SAT solver, with variables and clauses shuffled for every run.

Such searches find schedules; they never yield evidence that there is none.

Source: Luby, Sinclair, Zuckerman, Optimal speedup of Las Vegas algorithms (Information Processing Letters
1993).
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Generator, Iterator

from schedsolve.backends.sat import SatQuestion, SatSearch
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Schedule
from schedsolve.modelkit.search import GivenUpError

Trials = Generator[tuple[SatSearch, float], bool, None]
"""Yields searches, each with its limit of CPU seconds; is sent whether the last one was refuted."""
RUN_SECONDS = 30.0
"""The length of a run is a multiple of this unit."""
SLICE_SECONDS = 2.5
"""The time between interruptions of a solver: frequent ones make it slower at finding a model."""


def luby() -> Iterator[int]:
    """Yield Luby's sequence 1, 1, 2, 1, 1, 2, 4, ... (Luby, Sinclair, Zuckerman 1993).

    Restarts of these lengths are within a logarithmic factor of the best strategy that knows the
    distribution of running times.
    """
    yield 1
    before = [1]
    while True:
        block = [*before, 2 * before[-1]]
        yield from block
        before += block


def restarts(build: Callable[[], SatQuestion], seed: int) -> Trials:
    """Yield searches for a model of one formula, each with the variables and clauses shuffled.

    They run for RUN_SECONDS times the numbers of `luby`, since a solver's running time may vary tenfold with
    the order of the clauses. The generator ends when a search is refuted.

    Parameters
    ----------
    build
        Makes the question; called once.
    seed
        The seed of the random number generator that shuffles.
    """
    question, rng = build(), random.Random(seed)
    for length in luby():
        search = SatSearch(lambda: question.shuffled(rng), slice_seconds=SLICE_SECONDS)
        if (yield search, RUN_SECONDS * length):
            return


class SearchesInTurn:
    """A search that runs others in turn until one finds a schedule.

    It has the interface of `schedsolve.modelkit.search.RunningSearch`.
    """

    def __init__(self, trials: Trials) -> None:
        self._trials = trials
        self._search: SatSearch | None = None
        self._left = 0.0
        self._refuted: bool | None = None

    def advance(self, seconds: float) -> bool | None:
        """Search for about `seconds`.

        Returns
        -------
        True if a schedule was found, None otherwise.

        Raises
        ------
        GivenUpError
            If all searches have been tried.
        """
        end = time.process_time() + seconds
        while time.process_time() < end:
            if self._search is None:
                self._begin()
            assert self._search is not None
            begun = time.process_time()
            answer = self._search.advance(max(0.01, min(self._left, end - time.process_time())))
            self._left -= time.process_time() - begun
            if answer:
                return True
            if answer is False or self._left <= 0:
                self._refuted = answer is False
                self.close()
        return None

    def _begin(self) -> None:
        try:
            # The first value of a generator must be requested by `next`.
            self._search, self._left = (
                next(self._trials) if self._refuted is None else self._trials.send(self._refuted)
            )
        except StopIteration:
            raise GivenUpError from None

    def found(self) -> tuple[Problem, Schedule]:
        """Return the problem and the schedule found that solves it, after `advance` returned True."""
        assert self._search is not None
        return self._search.found()

    def evidence(self) -> None:
        """Return None, because this search never refutes."""

    def close(self) -> None:
        """Free the solver's memory."""
        if self._search is not None:
            self._search.close()
            self._search = None
