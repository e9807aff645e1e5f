"""The CP-SAT backend: a small interface in which formulations declare variables and constraints, and a search
that runs in slices.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from schedsolve.errors import InputError
from schedsolve.formulas.integer_program import whole_row
from schedsolve.formulas.linear_program import Sense
from schedsolve.modelkit.formulation import IntegerFormulation
from schedsolve.modelkit.refutation import LARGEST_FORMULA, LITERALS_A_SECOND, affordable
from schedsolve.modelkit.search import Question
from schedsolve.problem import Problem
from schedsolve.schedule import Schedule

Reader = Callable[[Callable[[int], int]], tuple[Problem, Schedule]]
"""Reads the schedule, and the problem that it solves, from the values of the variables."""


class CpModel:
    """A CP-SAT model under construction; variables are numbers >= 1, and minus the number of a boolean is its
    negation.
    """

    def __init__(self) -> None:
        from ortools.sat.python import cp_model

        self.model = cp_model.CpModel()
        self.variables: list[Any] = [None]

    def _remember(self, variable: Any) -> int:
        self.variables.append(variable)
        return len(self.variables) - 1

    def _literal(self, literal: int) -> Any:
        return self.variables[literal] if literal > 0 else self.variables[-literal].negated()

    def boolean(self, name: str = "") -> int:
        """A fresh boolean variable."""
        return self._remember(self.model.new_bool_var(name))

    def integer(self, low: int, high: int, name: str = "") -> int:
        """A fresh integer variable from low to high; when low > high the model has no solution."""
        if low > high:
            self.model.add_bool_or([])
        return self._remember(self.model.new_int_var(low, max(low, high), name))

    def clause(self, literals: Iterable[int]) -> None:
        """At least one of the literals holds."""
        self.model.add_bool_or([self._literal(x) for x in literals])

    def at_most_one(self, literals: Iterable[int]) -> None:
        """At most one of the literals holds."""
        self.model.add_at_most_one([self._literal(x) for x in literals])

    def linear(self, coefficients: Mapping[int, int], sense: Sense, right: int) -> None:
        """The sum of coefficients times variables, compared with the right side."""
        left = sum(a * self.variables[x] for x, a in coefficients.items())
        if not coefficients:
            if not {"<=": right >= 0, ">=": right <= 0, "=": right == 0}[sense]:
                self.model.add_bool_or([])
        elif sense == "=":
            self.model.add(left == right)
        else:
            self.model.add(left <= right if sense == "<=" else left >= right)

    def at_most_of(self, literals: Iterable[int], most: int) -> None:
        """At most so many of the literals hold."""
        self.model.add(sum(self._literal(x) for x in literals) <= most)

    def at_least(self, weights: Mapping[int, int], least: int) -> None:
        """The weights of the variables that hold add up to at least so much."""
        self.model.add(sum(weight * self.variables[x] for x, weight in weights.items()) >= least)

    def exactly_one(self, literals: Iterable[int]) -> None:
        """Exactly one of the literals holds."""
        self.model.add_exactly_one([self._literal(x) for x in literals])

    def at_most(self, variable: int, high: int, *, when: int) -> None:
        """The integer variable is at most `high` when the literal holds."""
        self.model.add(self.variables[variable] <= high).only_enforce_if(self._literal(when))

    def balance(self, left: Iterable[int], right: Iterable[int]) -> None:
        """The sums of both sides, of variables, are the same."""
        self.model.add(sum(self.variables[x] for x in left) == sum(self.variables[x] for x in right))

    def later(self, first: int, second: int, *, when: int) -> None:
        """The second integer variable is larger than the first when the literal holds."""
        self.model.add(self.variables[second] > self.variables[first]).only_enforce_if(self._literal(when))

    def distinct_slots(self, slots: Sequence[tuple[int, int]]) -> None:
        """Of the pairs (integer variable, literal), those whose literals hold have distinct values."""
        self.model.add_no_overlap(
            [
                self.model.new_optional_fixed_size_interval_var(self.variables[x], 1, self._literal(when), "")
                for x, when in slots
            ]
        )


def declare_program(formulation: IntegerFormulation) -> Callable[[CpModel], Reader]:
    """What declares an integer programme as a CP-SAT model, its costs left out: it decides.

    Rows with fractions are multiplied by their least common denominator, so that nothing is rounded. Raises
    InputError for variables that are no whole numbers or have no bound.
    """
    program = formulation.program
    if not program.is_pure:
        raise InputError("CP-SAT is for whole numbers only; this formulation has fractions")

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
    """A solution of a model. value: of a variable. bound: no solution costs less."""

    value: Callable[[int], int]
    bound: int


def least_solution(model: CpModel, costs: Mapping[int, int], seconds: float) -> CpOptimum | None:
    """The cheapest solution found in so many seconds, with one worker; None when none is found.

    costs: at least 0, of variables; those that are left out cost nothing.
    """
    from ortools.sat.python import cp_model

    model.model.minimize(sum(cost * model.variables[x] for x, cost in costs.items()))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.catch_sigint_signal = False
    solver.parameters.max_time_in_seconds = seconds
    if solver.solve(model.model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    # With integer costs the bound is an integer; it comes as a float, whose error must not raise it.
    return CpOptimum(
        lambda x: solver.value(model.variables[x]),
        max(0, math.ceil(solver.best_objective_bound * (1 - 1e-14) - 1e-6)),
    )


def some_solution(model: CpModel, work: float) -> Callable[[int], int] | None:
    """The values of a solution, found with one worker and so much deterministic work (about seconds of an
    idle machine), so that the same model always gives the same; None when none is found.
    """
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.catch_sigint_signal = False
    solver.parameters.max_deterministic_time = work
    if solver.solve(model.model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    return lambda x: solver.value(model.variables[x])


class CpSearch:
    """A CP-SAT search that can be run in slices (`schedsolve.modelkit.record.Search`); a slice starts anew,
    so slices should grow.

    declare: declares a formulation in a fresh model and returns how to read a schedule from the values of its
    variables.
    """

    def __init__(self, declare: Callable[[CpModel], Reader]) -> None:
        self._declare = declare
        self._model: CpModel | None = None
        self._read: Reader | None = None
        self._solver: Any = None

    def advance(self, seconds: float) -> bool | None:
        """Work for at most so many seconds, with one worker; True: found, False: refuted, None: not
        decided.
        """
        from ortools.sat.python import cp_model

        if self._model is None:
            self._model = CpModel()
            self._read = self._declare(self._model)
        self._solver = cp_model.CpSolver()
        self._solver.parameters.num_workers = 1
        self._solver.parameters.catch_sigint_signal = False
        self._solver.parameters.max_time_in_seconds = seconds
        status = self._solver.solve(self._model.model)
        if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return True
        return False if status == cp_model.INFEASIBLE else None

    def found(self) -> tuple[Problem, Schedule]:
        """The schedule found, after `advance` returned True, and the problem that it solves."""
        assert self._model is not None
        assert self._read is not None
        variables = self._model.variables
        return self._read(lambda x: self._solver.value(variables[x]))

    def evidence(self) -> None:
        """Nothing: CP-SAT gives no proof of the user's model."""

    def close(self) -> None:
        """Forget the model."""
        self._model = self._solver = None


def decide_by_cpsat(
    question: Question,
    size: int,
    declare: Callable[[CpModel], Reader],
    *,
    largest: int = LARGEST_FORMULA,
    literals_a_second: float = LITERALS_A_SECOND,
) -> CpSearch | None:
    """The search for a solution of a CP-SAT model of about so many literals; None when it is too large, or
    declaring it would take the time left.
    """
    if not affordable(question, size, largest=largest, literals_a_second=literals_a_second):
        return None
    return CpSearch(declare)
