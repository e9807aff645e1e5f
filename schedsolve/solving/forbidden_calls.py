"""Solving with forbidden calls: the optimum among the schedules without certain calls in certain rounds.

A lower bound on the problem itself holds all the more when calls are forbidden, as every schedule without
them is one of the problem. What else a solve relies on does not carry over: symmetries, constructions,
theorems that say how much suffices. So beyond that bound each number of rounds is decided by the integer
program of the model, which assumes nothing of the kind, with the variables of the forbidden calls at 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import ceil
from typing import Any

from schedsolve.backends.cpsat import CpSearch, declare_program
from schedsolve.errors import InputError, shown
from schedsolve.formulas.integer_program import Family, compare
from schedsolve.modelkit.formulation import FormulationRequest, Formulations, Solved
from schedsolve.modelkit.record import Model
from schedsolve.modelkit.search import Clock, Options, Progress
from schedsolve.models import model_of
from schedsolve.network.graph import Network
from schedsolve.number_reader import plain_integer
from schedsolve.problem import Problem
from schedsolve.result import Bound, Result, Status
from schedsolve.schedule import Call, Schedule
from schedsolve.solving.best_known import verdict
from schedsolve.solving.solve_loop import SolveLoop

Forbidden = frozenset[tuple[int, int, int]]
"""Rounds, senders and receivers by number; of a two-way call both directions."""


def solve_without(
    model: Model, problem: Problem, options: Options, clock: Clock, calls: Iterable[Any]
) -> Result:
    """Return the optimum among the schedules without the forbidden calls.

    Parameters
    ----------
    model, problem
        The problem and its model's record.
    options, clock
        How to solve it, and for how long.
    calls
        Pairs (round, call) with rounds from 1; a call is (u, v) by the user's nodes, or a call of a schedule.

    Raises
    ------
    InputError
        If a call is none of the network's, or if the model cannot forbid calls in such a problem.
    """
    kinds = _formulations(model, problem, options)
    forbidden = read_forbidden(problem.network, calls)
    free = SolveLoop(model, problem.with_parameters(rounds=None), options, clock).solve()
    free = replace(free, problem=problem, forbidden=forbidden)
    if free.status is Status.INFEASIBLE or free.value is None or free.lower_bound is None:
        return _decided(free, clock)
    if avoids(free.indexed, forbidden):
        return _decided(free, clock)
    # How many rounds suffice whenever any do is said of the problem in which all calls are allowed.
    return _search(kinds, replace(_postponed(model, free), horizon=None), options, clock)


def _formulations(model: Model, problem: Problem, options: Options) -> Formulations:
    """Return the formulations of a problem whose calls can be forbidden.

    Raises
    ------
    InputError
        If they cannot, or if a certificate is asked for.
    """
    kinds = model.formulations
    if kinds is None or not kinds.calls_may_be_forbidden or problem.task == "accumulation":
        raise InputError(
            f"calls cannot be forbidden in {model.title} {problem.task}; fix the variables of"
            " `formulation(...).calls` and solve that"
        )
    if problem.choice == "max" or problem.period is not None:
        raise InputError("calls are forbidden for a given source or the best one, and without a period")
    if options.certify:
        raise InputError("there is no certificate for a problem with forbidden calls: no checker reads it")
    return kinds


def read_forbidden(network: Network, calls: Iterable[Any]) -> Forbidden:
    """Return forbidden calls by number.

    Raises
    ------
    InputError
        If one has another form, or is along no link of the network.
    """
    found = set()
    for entry in calls:
        t, call = entry if isinstance(entry, Sequence) and len(entry) == 2 else (None, None)
        t = plain_integer(t)
        if type(t) is not int or t < 1 or not isinstance(call, Sequence) or len(call) < 2:
            raise InputError(f"a forbidden call is (round, (u, v)) with rounds from 1, not {shown(entry)}")
        u, v = network.node(call[0]), network.node(call[1])
        two_way = isinstance(call, Call) and call.two_way
        arcs = {(u, v), (v, u)} if two_way else {(u, v)}
        if not arcs & network.arc_set:
            raise InputError(f"there is no link from {shown(call[0])} to {shown(call[1])}")
        found |= {(t, *arc) for arc in arcs & network.arc_set}
    return frozenset(found)


def is_forbidden(t: int, call: Call, forbidden: Forbidden) -> bool:
    """Return whether a call in round t is forbidden; a two-way call is if either direction is."""
    return (t, call.sender, call.receiver) in forbidden or (
        call.two_way and (t, call.receiver, call.sender) in forbidden
    )


def avoids(schedule: Any, forbidden: Forbidden) -> bool:
    """Return whether a schedule does without the forbidden calls."""
    assert isinstance(schedule, Schedule)
    return not any(
        is_forbidden(t, call, forbidden) for t, calls in enumerate(schedule.rounds, 1) for call in calls
    )


def _postponed(model: Model, free: Result) -> Result:
    """Return the result with its schedule after the last round with a forbidden call."""
    assert isinstance(free.indexed, Schedule)
    idle = max(t for t, _, _ in free.forbidden)
    schedule = replace(free.indexed, rounds=((),) * idle + free.indexed.rounds)
    seen = model.replay(free.placed, schedule)
    assert seen.violation is None, seen.violation
    lower = tuple(bound for bound in free.bounds if bound.side == "lower")
    reason = f"the schedule without forbidden calls, from round {idle + 1} on"
    upper = Bound("upper", seen.value, reason, by="construction")
    return replace(free, value=seen.value, indexed=schedule, bounds=(*lower, upper))


def _search(kinds: Formulations, result: Result, options: Options, clock: Clock) -> Result:
    """Decide one number of rounds after the other, until one suffices."""
    problem = result.problem.with_parameters(rounds=None)
    try:
        while result.lower_bound != result.value and not _answered(result):
            assert result.value is not None
            assert result.lower_bound is not None
            value = ceil(result.lower_bound)
            options.report(
                Progress(f"deciding {value} rounds", result.lower_bound, result.value, clock.elapsed)
            )
            request = FormulationRequest(problem, value)
            answer, found = _decide(kinds, request, result.forbidden, clock)
            if answer is None:
                break
            result = _with_schedule(result, found) if found else _with_refutation(result, value)
    except KeyboardInterrupt:
        clock.interrupted = True
    return _decided(result, clock)


def _answered(result: Result) -> bool:
    """Return whether a number of rounds that was asked about is decided."""
    asked = result.problem.asked
    if asked is None or result.value is None or result.lower_bound is None:
        return False
    return result.value <= asked or result.lower_bound > asked


def _decide(
    kinds: Formulations, request: FormulationRequest, forbidden: Forbidden, clock: Clock
) -> tuple[bool | None, Solved | None]:
    """Return whether a number of rounds suffices, with the schedule; None if the time is over before."""
    formulation = kinds.integer(request)
    numbers = {x.name: number for number, x in enumerate(formulation.program.variables)}
    rows = tuple(
        compare([numbers[name]], "<=")
        for name, (t, call) in formulation.calls.items()
        if is_forbidden(t, call, forbidden)
    )
    if rows:
        formulation.program.families.append(Family("forbidden_calls", "No forbidden call is made.", rows))
    search = CpSearch(declare_program(formulation), clock.left)
    while not clock.over:
        answer = search.advance(1.0)
        if answer is not None:
            return answer, search.found() if answer else None
    return None, None


def _with_schedule(result: Result, found: Solved) -> Result:
    """Return the result with a better schedule, which is replayed, and whose calls are looked through.

    Raises
    ------
    AssertionError
        If the schedule is illegal or has a forbidden call.
    """
    problem, schedule = found
    seen = model_of(problem).replay(problem, schedule)
    assert seen.violation is None, seen.violation
    assert avoids(schedule, result.forbidden)
    node = problem.sources[0] if result.problem.choice else None
    upper = Bound("upper", seen.value, "found by search (integer program, cpsat)", by="search")
    return replace(
        result, value=seen.value, indexed=schedule, node_index=node, bounds=(*result.bounds, upper)
    )


def _with_refutation(result: Result, value: int) -> Result:
    said = f"refuted by search: {result.objective.suffices(value, negated=True)} without the forbidden calls"
    bound = Bound("lower", value + 1, f"{said} (integer program, cpsat)", by="search")
    return replace(result, lower_bound=value + 1, bounds=(*result.bounds, bound))


def _decided(result: Result, clock: Clock) -> Result:
    """Return the result with the status that its bounds have."""
    status = result.status
    if status is not Status.INFEASIBLE:
        status = verdict(result.problem.asked, result.lower_bound or 0, result.value)
    if status is Status.INFEASIBLE:
        lower = tuple(bound for bound in result.bounds if bound.side == "lower")
        result = replace(result, value=None, lower_bound=None, indexed=None, node_index=None, bounds=lower)
    # What proves a bound to a checker proves it of the problem in which all calls are allowed.
    return replace(
        result,
        status=status,
        bounds=tuple(replace(bound, evidence=None) for bound in result.bounds),
        runtime_seconds=clock.elapsed,
        interrupted=clock.interrupted,
        exhausted=not clock.over,
        untried=(),
    )
