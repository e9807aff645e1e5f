"""The CP-SAT backend: an interface for declaring models, and a search that runs in time slices."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cache
from typing import Any

from schedsolve.backends.shared_highs import give_own_highs
from schedsolve.modelkit.formulas.integer_program import NO_FRACTIONS, whole_row
from schedsolve.modelkit.formulas.linear_program import Sense
from schedsolve.modelkit.formulation import IntegerFormulation
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Schedule
from schedsolve.runtime.errors import InputError
from schedsolve.runtime.limits.timeout import timeout

Reader = Callable[[Callable[[int], int]], tuple[Problem, Schedule]]
"""Reads the schedule, and the problem that it solves, from the values of the variables."""

STOP_AGAIN_SECONDS = 0.05
"""How long to wait for a solver that is told to stop before it is told again."""
LEAST_SECONDS = 0.01
"""The least time of a slice."""
ALL = 0.9
"""A slice that may take such a part of the time left takes the whole."""
LONGEST_OUTSIDE = 8.0
"""The most work of a slice outside the main thread."""


@cache
def _model_class() -> Any:
    """Return the class of models of OR-Tools, without the methods' old names.

    They would be made for each model, which would take longer than many a model, and keep it from being freed
    when it is no longer used.
    """
    give_own_highs("ortools")
    from ortools.sat.python import cp_model

    return type("Model", (cp_model.CpModel,), {"_add_pre_pep8_methods": lambda self: None})


class CpModel:
    """A CP-SAT model under construction.

    Variables are numbers >= 1; minus the number of a boolean variable is its negation.
    """

    def __init__(self) -> None:
        self.model = _model_class()()
        self.variables: list[Any] = [None]

    def _remember(self, variable: Any) -> int:
        self.variables.append(variable)
        return len(self.variables) - 1

    def _literal(self, literal: int) -> Any:
        return self.variables[literal] if literal > 0 else self.variables[-literal].negated()

    def boolean(self, name: str = "") -> int:
        """Return a fresh boolean variable."""
        return self._remember(self.model.new_bool_var(name))

    def integer(self, low: int, high: int, name: str = "") -> int:
        """Return a fresh integer variable from low to high; if low > high, the model has no solution."""
        if low > high:
            self.model.add_bool_or([])
        return self._remember(self.model.new_int_var(low, max(low, high), name))

    def clause(self, literals: Iterable[int]) -> None:
        """Require that at least one of the literals holds."""
        self.model.add_bool_or([self._literal(x) for x in literals])

    def at_most_one(self, literals: Iterable[int]) -> None:
        """Require that at most one of the literals holds."""
        self.model.add_at_most_one([self._literal(x) for x in literals])

    def linear(self, coefficients: Mapping[int, int], sense: Sense, right: int) -> None:
        """Require that the sum of coefficients times variables is in relation `sense` to `right`."""
        from ortools.sat.python import cp_model

        left = cp_model.LinearExpr.weighted_sum(
            [self.variables[x] for x in coefficients], list(coefficients.values())
        )
        if not coefficients:
            if not {"<=": right >= 0, ">=": right <= 0, "=": right == 0}[sense]:
                self.model.add_bool_or([])
        elif sense == "=":
            self.model.add(left == right)
        else:
            self.model.add(left <= right if sense == "<=" else left >= right)

    def at_most_of(self, literals: Iterable[int], most: int) -> None:
        """Require that at most `most` of the literals hold."""
        self.model.add(sum(self._literal(x) for x in literals) <= most)

    def at_least(self, weights: Mapping[int, int], least: int) -> None:
        """Require that the weights of the variables that hold add up to at least `least`."""
        self.model.add(sum(weight * self.variables[x] for x, weight in weights.items()) >= least)

    def balance(self, left: Iterable[int], right: Iterable[int]) -> None:
        """Require that the variables of both sides have the same sum."""
        self.model.add(sum(self.variables[x] for x in left) == sum(self.variables[x] for x in right))


def declare_program(formulation: IntegerFormulation) -> Callable[[CpModel], Reader]:
    """Return a function that declares an integer program as a CP-SAT model and returns its reader.

    The costs are left out, so the model only decides feasibility. Rows with fractions are multiplied by
    their least common denominator, so that nothing is rounded.

    Raises
    ------
    InputError
        If a variable is not an integer or has no bound.
    """
    program = formulation.program
    if not program.is_pure:
        raise InputError(f"CP-SAT {NO_FRACTIONS}")

    def declare(model: CpModel) -> Reader:
        numbers = [
            model.boolean(x.name) if x.is_binary else model.integer(0, int(x.upper or 0), x.name)
            for x in program.variables
        ]
        for _, row in program.rows:
            whole = whole_row(row)
            model.linear(
                {numbers[x]: int(a) for x, a in whole.coefficients.items()}, whole.sense, int(whole.right)
            )
        by_name = {x.name: number for x, number in zip(program.variables, numbers, strict=True)}
        return lambda value: formulation.decode(lambda name: value(by_name[name]))

    return declare


@dataclass(frozen=True)
class CpOptimum:
    """A solution of a model: `value` returns a variable's value, and no solution costs below `bound`."""

    value: Callable[[int], int]
    bound: int


def least_solution(model: CpModel, costs: Mapping[int, int], seconds: float) -> CpOptimum | None:
    """Return the cheapest solution found by one worker within a time limit; None if none is found.

    Parameters
    ----------
    model
        The model, which is given an objective.
    costs
        The costs of variables, at least 0; the other variables cost nothing.
    seconds
        The time limit.
    """
    model.model.minimize(sum(cost * model.variables[x] for x, cost in costs.items()))
    solver, found = _solved(model, max_time_in_seconds=seconds)
    if not found:
        return None
    # With integer costs the bound is an integer; it comes as a float, whose error must not raise it.
    return CpOptimum(
        lambda x: solver.value(model.variables[x]),
        max(0, math.ceil(solver.best_objective_bound * (1 - 1e-14) - 1e-6)),
    )


def some_solution(model: CpModel, work: float) -> Callable[[int], int] | None:
    """Return the values of a solution found by one worker; None if none is found.

    Parameters
    ----------
    model
        The model. The same model always gives the same solution.
    work
        The limit in units of deterministic work, each about a second of an idle machine.
    """
    solver, found = _solved(model, max_deterministic_time=work)
    return (lambda x: solver.value(model.variables[x])) if found else None


def _solved(model: CpModel, **limit: float) -> tuple[Any, bool | None]:
    """Return the solver after one worker's search, and whether there is a solution; None if that is open."""
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.catch_sigint_signal = False
    for name, value in limit.items():
        setattr(solver.parameters, name, value)
    answers = {cp_model.OPTIMAL: True, cp_model.FEASIBLE: True, cp_model.INFEASIBLE: False}
    return solver, answers.get(_interruptible(solver, model.model))


def _interruptible(solver: Any, model: Any) -> Any:
    """Run a solver in a thread, so that a signal ends it at once, and return its status."""
    with ThreadPoolExecutor(1) as thread:
        running = thread.submit(solver.solve, model)
        try:
            return running.result()
        finally:
            # The solver ignores being stopped before it has begun.
            while not running.done():
                solver.stop_search()
                wait([running], STOP_AGAIN_SECONDS)


class CpSearch:
    """A CP-SAT search that runs in time slices (`schedsolve.modelkit.search.RunningSearch`).

    Every slice starts again, so each does twice the work of the last, and one that may take all the time left
    does all the work: a model that takes some work is solved with less than three times as much, and with no
    more if nothing else is searched for. Work is CP-SAT's own deterministic measure, at most about a second
    of an idle machine a unit, so a busy machine changes how long a slice takes and not what it tries.

    Parameters
    ----------
    declare
        Declares a formulation in a fresh model and returns how to read a schedule from the values of its
        variables.
    seconds
        The CPU time left.
    """

    def __init__(self, declare: Callable[[CpModel], Reader], seconds: float = math.inf) -> None:
        self._declare = declare
        self._end = time.process_time() + seconds
        self._work = 0.0
        self._model: CpModel | None = None
        self._read: Reader | None = None
        self._solver: Any = None

    def advance(self, seconds: float) -> bool | None:
        """Search with one worker, for about `seconds` or twice as long as in the last slice.

        Only the main thread can be interrupted, so slices in others stay short.

        Returns
        -------
        True if a solution was found, False if there is none, None if that is not decided yet.
        """
        if self._model is None:
            self._model = CpModel()
            self._read = self._declare(self._model)
        self._work = max(seconds, 2 * self._work)
        left = max(LEAST_SECONDS, self._end - time.process_time())
        if threading.current_thread() is not threading.main_thread():
            self._work = min(self._work, max(seconds, LONGEST_OUTSIDE))
            self._solver, found = _solved(self._model, max_deterministic_time=min(self._work, left))
            return found
        found, work = None, math.inf if seconds > ALL * left else self._work
        with timeout(left, of_processor=True):
            self._solver, found = _solved(self._model, max_deterministic_time=work)
        return found

    def found(self) -> tuple[Problem, Schedule]:
        """Return the problem and the schedule found that solves it, after `advance` returned True."""
        assert self._model is not None
        assert self._read is not None
        variables = self._model.variables
        return self._read(lambda x: self._solver.value(variables[x]))

    def evidence(self) -> None:
        """Return None, because CP-SAT gives no proof about the user's model."""

    def close(self) -> None:
        """Drop the model."""
        self._model = self._solver = None
