"""A SAT solver begun again and again, with the clauses in another order each time: finds, never refutes.

Source: Luby, Sinclair, Zuckerman, Optimal speedup of Las Vegas algorithms (Information Processing Letters
1993).
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from functools import cached_property

from schedsolve.backends.sat import SatQuestion, SatSearch
from schedsolve.modelkit.search import GivenUpError
from schedsolve.problem import Problem
from schedsolve.schedule import Schedule

RUN_SECONDS = 30.0
"""The unit of the runs' lengths."""
SLICE_SECONDS = 2.5
"""How long a solver is left alone: it finds later what it is often interrupted in."""


def luby() -> Iterator[int]:
    """1, 1, 2, 1, 1, 2, 4, ...: within a constant factor as good as if the times' distribution were known."""
    yield 1
    before = [1]
    while True:
        block = [*before, 2 * before[-1]]
        yield from block
        before += block


class RestartedSearch:
    """A search for a model that is begun anew after 30 seconds, 60 or 120 (`luby`), with the variables and
    clauses shuffled, as the time that a solver takes may differ tenfold with their order.

    build: the question. seed: of the orders.
    """

    def __init__(self, build: Callable[[], SatQuestion], seed: int) -> None:
        self._build = build
        self._rng = random.Random(seed)
        self._runs = luby()
        self._search: SatSearch | None = None
        self._left = 0.0

    @cached_property
    def _question(self) -> SatQuestion:
        return self._build()

    def advance(self, seconds: float) -> bool | None:
        """Work for about so many seconds; True: found, None: not yet. Raises GivenUpError when there is no
        model.
        """
        if self._search is None:
            shuffled = self._question.shuffled
            self._search = SatSearch(lambda: shuffled(self._rng), slice_seconds=SLICE_SECONDS)
            self._left = RUN_SECONDS * next(self._runs)
        begun = time.process_time()
        answer = self._search.advance(min(self._left, seconds))
        self._left -= time.process_time() - begun
        if answer is False:
            raise GivenUpError
        if answer is None and self._left <= 0:
            self.close()
        return answer

    def found(self) -> tuple[Problem, Schedule]:
        """The schedule found, after `advance` returned True, and the problem that it solves."""
        assert self._search is not None
        return self._search.found()

    def evidence(self) -> None:
        """Nothing: its refutations are not kept."""

    def close(self) -> None:
        """Give the solver's memory back."""
        if self._search is not None:
            self._search.close()
            self._search = None
