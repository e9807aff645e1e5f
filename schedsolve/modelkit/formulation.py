"""How a model writes its problems down for other solvers.

As an integer program and as a formula, each with the way back to a schedule.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Call
from schedsolve.runtime.errors import InputError

if TYPE_CHECKING:
    from schedsolve.modelkit.formulas.cnf import Cnf
    from schedsolve.modelkit.formulas.integer_program import IntegerProgram

Value = int | Fraction
Solved = tuple[Problem, Any]
"""A schedule, and the problem that it solves, its source or root given."""


@dataclass(frozen=True)
class FormulationRequest:
    """What a formulation asks.

    Attributes
    ----------
    problem
        With a given source or root, or the best one.
    value
        The most that a schedule may take, in the model's objective; None for no limit, where a model can do
        without.
    minimise
        Ask for the least value up to `value`, not just whether it suffices. A formula only asks the latter.
    packets
        The number of packets that a message is cut into; None to leave it open.
    """

    problem: Problem
    value: Value | None
    minimise: bool = False
    packets: int | None = None

    @property
    def limit(self) -> int:
        """The value as a whole number.

        Raises
        ------
        InputError
            If there is none.
        """
        if self.value is None or self.value != int(self.value):
            raise InputError("the formulation needs a whole number that a schedule may take at most")
        return int(self.value)


@dataclass(frozen=True)
class IntegerFormulation:
    """An integer or linear program for a request.

    Attributes
    ----------
    decode
        Turns the value of a variable, by its name, into a schedule.
    calls
        By name of the variable, what it means that it is 1: the round (or time) and the call, where a
        variable stands for one.
    meaning
        What a solution means, in one sentence.
    scale
        How many times the value the program's objective is, where it minimises.
    """

    program: IntegerProgram
    decode: Callable[[Callable[[str], float]], Solved]
    meaning: str
    calls: Mapping[str, tuple[int, Call]] = field(default_factory=dict)
    scale: int = 1


@dataclass(frozen=True)
class CnfFormulation:
    """A formula that has a model exactly when the request's value suffices.

    Attributes
    ----------
    names
        Of its variables; those that are not named only count or abbreviate.
    decode
        Turns the true variables of a model into a schedule.
    """

    cnf: Cnf
    names: Mapping[int, str]
    decode: Callable[[set[int]], Solved]
    meaning: str
    calls: Mapping[str, tuple[int, Call]] = field(default_factory=dict)


@dataclass(frozen=True)
class Formulations:
    """The formulations of a model's problems.

    Attributes
    ----------
    integer
        The integer or linear program.
    formula
        The formula; None where there is none.
    takes_packets
        Whether a number of packets may be asked for, which makes all variables whole.
    bounds_only
        Whether the program without packets is a lower bound, whose solutions are no schedules.
    denominator
        The number that makes the values of a problem with that many packets whole.
    needs_value
        Whether a program needs the most that a schedule may take.
    calls_may_be_forbidden
        Whether the integer program, when it does not minimise, has a solution for every schedule without
        useless calls: it assumes no symmetry and no order, so that variables of calls may be set to 0.
    """

    integer: Callable[[FormulationRequest], IntegerFormulation]
    formula: Callable[[FormulationRequest], CnfFormulation] | None = None
    takes_packets: bool = False
    bounds_only: bool = False
    denominator: Callable[[Problem, int], int] = lambda _, packets: packets
    needs_value: bool = True
    calls_may_be_forbidden: bool = False


def is_one(value: float) -> bool:
    """Whether a solver's value of a 0/1 variable is 1."""
    return value > 0.5


def calls_of_rounds(
    calls: Mapping[str, tuple[int, Call]], value: Callable[[str], float], rounds: int
) -> tuple[tuple[Call, ...], ...]:
    """Return the calls whose variables are 1, round by round."""
    found: list[list[Call]] = [[] for _ in range(rounds)]
    for name, (t, call) in calls.items():
        if is_one(value(name)):
            found[t - 1].append(call)
    return tuple(map(tuple, found))
