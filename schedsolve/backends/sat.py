"""The SAT backend: PySAT's solvers, run in slices."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from schedsolve.cnf import Cnf
from schedsolve.problem import Problem
from schedsolve.schedule import Schedule

Decoder = Callable[[set[int]], tuple[Problem, Schedule]]
"""Turns a model, as the set of its true variables, into a schedule and the problem that it solves."""

FIRST_SLICE = 500
LARGEST_SLICE = 20_000


class SatSearch:
    """A search for a model of a formula that can be run in slices (`schedsolve.model.Search`).

    The formula's builder is called, and the solver started, with the first slice.

    build: makes the formula, and what turns a model of it into a schedule.
    solver: PySAT's name of the solver.
    """

    def __init__(self, build: Callable[[], tuple[Cnf, Decoder]], *, solver: str = "cadical195") -> None:
        self._build = build
        self._name = solver
        self._solver: Any = None
        self._decode: Decoder | None = None
        self._slice = FIRST_SLICE

    def _start(self) -> None:
        from pysat.solvers import Solver

        cnf, self._decode = self._build()
        self._solver = Solver(name=self._name, bootstrap_with=cnf.clauses)

    def advance(self, seconds: float) -> bool | None:
        """Work for about so many seconds, counted in conflicts; True: found, False: refuted, None: not decided yet."""
        end = time.monotonic() + seconds
        if self._solver is None:
            self._start()
        while True:
            begun = time.monotonic()
            self._solver.conf_budget(self._slice)
            answer: bool | None = self._solver.solve_limited(expect_interrupt=True)
            now = time.monotonic()
            if answer is not None or now >= end:
                return answer
            if now - begun < 0.1:
                self._slice = min(2 * self._slice, LARGEST_SLICE)
            elif now - begun > 0.5:
                self._slice = max(self._slice // 2, FIRST_SLICE)

    def found(self) -> tuple[Problem, Schedule]:
        """The schedule found, after `advance` returned True, and the problem that it solves."""
        assert self._decode is not None
        return self._decode({literal for literal in self._solver.get_model() if literal > 0})

    def close(self) -> None:
        """Give the solver's memory back."""
        if self._solver is not None:
            self._solver.delete()
            self._solver = None
