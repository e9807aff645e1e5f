"""What a model tells the rest of schedsolve about itself: its record, and the parts of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from schedsolve.errors import ClaimError, InputError
from schedsolve.formulas.cnf import Cnf
from schedsolve.modelkit.analysis import Analysis
from schedsolve.modelkit.bundle import Bundle, no_bundle
from schedsolve.modelkit.form import ScheduleForm
from schedsolve.modelkit.formulation import Formulations
from schedsolve.modelkit.movement import Movement
from schedsolve.modelkit.search import Algorithm, Improvement, Strategy
from schedsolve.modelkit.story import Story, story_of_rounds
from schedsolve.network.graph import Network
from schedsolve.problem import Problem
from schedsolve.result import Bound, Objective, Value
from schedsolve.schedule import Schedule


@dataclass(frozen=True)
class Replay:
    """What a referee saw.

    value: the schedule's value in the model's objective.
    violation: the first broken rule, or who still misses what at the end; None for a legal, complete
    schedule.
    legal: whether every rule is kept, even if somebody still misses something at the end.
    notes: what a reader should see confirmed besides, a line each.
    """

    value: Value
    violation: str | None = None
    legal: bool = False
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Parameter:
    """A parameter of a task: an option of the command line and a key in problem files.

    name: the key; as an option with hyphens for underscores. metavar: what the option takes; None for a
    switch, which is true or absent.
    read: turns text or JSON into the canonical JSON value for a network; raises InputError.
    default: the canonical value when none is given; None when the parameter may be absent. Raises InputError
    when it must be given.
    """

    name: str
    metavar: str | None
    help: str
    read: Callable[[Any, Network], Any]
    default: Callable[[Network], Any]

    @property
    def option(self) -> str:
        """The option of the command line."""
        return f"--{self.name.replace('_', '-')}"


@dataclass(frozen=True)
class Model:
    """The record of a document model: everything the command line and `solve` need to know of it.

    variant: the parameter that a problem of this record has; None in the record that is for all problems of
    its name without it.
    tasks: the parameters of every task, by the task's name.
    check: raises InputError for a problem that the model cannot pose.
    machines: whether the model has a use for bandwidths and switches; others are posed on plain graphs.
    complete: the problem with the parameters written out that follow from others; done once before `check`.
    pose: the problem with the parameters written out that take work to find; done once before `check` for a
    problem that is asked anew, not for one that a file holds. Raises UnsettledError when they are not found.
    replay: the referee. form: of its schedules.
    bounds: the lower bounds that are cheap to compute.
    claims: for every kind of evidence, the function that computes the bound it proves; raises ClaimError when
    it proves nothing.
    retired: kinds of evidence that are no longer read, each with the last version that reads it.
    existence: likewise for evidence that schedules of some value exist, where none is written down.
    strategies: the ways to decide values. improvements: the ways to improve a side.
    refutation: for evidence of the kind "refutation", the bound that it proves and the formula that its proof
    must refute.
    searched_bound: a lower bound above a given one that takes a search of so many seconds; None when it finds
    none.
    promising_nodes: nodes that are likely to be the best source or root of a problem that leaves it open.
    symmetries: automorphisms of the network (images of the nodes in order) that map the problem to itself.
    horizon: a value that is enough whenever any value is, with the proof in its docstring: a lower bound
    above it proves that there is no schedule. None when every problem that `check` lets pass has one.
    analyse: what a legal schedule shows of how information travels.
    story: a legal schedule as pictures tell it.
    movement: a legal, complete schedule as data that move in steps, which programs are made of; with the
    number of chunks of a unit where that is open. Raises InputError where a schedule is none.
    bundle: what the program that verifies a result alone is made of. Raises InputError where there is none.
    formulations: how problems are written down for other solvers, as an integer programme, as a formula and
    for CP-SAT; None where they are not.
    next_value: the least value above a given one that a schedule can have; 1 more unless the model says
    otherwise.
    """

    name: str
    summary: str
    source: str
    objective: Objective
    tasks: Mapping[str, Sequence[Parameter]]
    check: Callable[[Problem], None]
    replay: Callable[[Problem, Any], Replay]
    form: ScheduleForm
    bounds: Callable[[Problem], Iterable[Bound]]
    claims: Mapping[str, Callable[[Problem, Mapping[str, Any]], Value]]
    algorithms: Sequence[Algorithm]
    retired: Mapping[str, str] = field(default_factory=dict)
    existence: Mapping[str, Callable[[Problem, Mapping[str, Any]], Value]] = field(default_factory=dict)
    strategies: Sequence[Strategy] = ()
    improvements: Sequence[Improvement] = ()
    refutation: Callable[[Problem, Mapping[str, Any]], tuple[Value, Cnf]] = lambda problem, _: _no_refutation(
        problem
    )
    searched_bound: Callable[[Problem, Any, float], Bound | None] = lambda problem, start, seconds: None
    promising_nodes: Callable[[Problem], Sequence[int]] = lambda _: (0,)
    symmetries: Callable[[Problem], Sequence[tuple[int, ...]]] = lambda _: ()
    analyse: Callable[[Problem, Schedule], Analysis] = lambda problem, _: _no_analysis(problem)
    story: Callable[[Problem, Any], Story] = story_of_rounds
    movement: Callable[[Problem, Any, int | None], Movement] = lambda problem, *_: _no_movement(problem)
    bundle: Callable[[Problem], Bundle] = no_bundle
    formulations: Formulations | None = None
    next_value: Callable[[Problem, int], Value] = lambda _, value: value + 1
    variant: str | None = None
    horizon: Callable[[Problem], int | None] = lambda _: None
    machines: bool = False
    complete: Callable[[Problem], Problem] = lambda problem: problem
    pose: Callable[[Problem], Problem] = lambda problem: problem

    @property
    def title(self) -> str:
        """The name, with the option that asks for this variant of the model."""
        return self.name if self.variant is None else f"{self.name} --{self.variant}"


def _no_refutation(problem: Problem) -> NoReturn:
    raise ClaimError(f"no bound of {problem.model} is proven by a refutation")


def _no_movement(problem: Problem) -> NoReturn:
    raise InputError(f"{problem.model} schedules are not written as programs")


def _no_analysis(problem: Problem) -> NoReturn:
    raise InputError(f"there is no analysis of {problem.model} schedules")
