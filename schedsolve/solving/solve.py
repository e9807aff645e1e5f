"""Solving a problem.

Bounds, then constructions, then searches that decide numbers of rounds, until both sides meet or a limit
stops it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Unpack

from schedsolve.modelkit.problem import Problem, ScheduleType_co, refuse_no_problem
from schedsolve.modelkit.record import Model
from schedsolve.modelkit.result import Result
from schedsolve.modelkit.search import Asked, Options, asked_options
from schedsolve.models import model_of
from schedsolve.runtime.display.progress import ProgressLine, log
from schedsolve.runtime.errors import InputError, shown
from schedsolve.solving.clock import Clock
from schedsolve.solving.integer_programs import CPSAT, is_pulp, refuse_backend
from schedsolve.solving.least_period import solve_least_period
from schedsolve.solving.solve_loop import SolveLoop
from schedsolve.solving.warm_start import started
from schedsolve.solving.worst_node import solve_worst


def solve(
    problem: Problem[ScheduleType_co],
    options: Options | None = None,
    *,
    forbid: Iterable[tuple[int, Sequence[Any]]] = (),
    **keywords: Unpack[Asked],
) -> Result[ScheduleType_co]:
    """Return the least number of rounds of a problem, with both sides proven where possible.

    If `problem.rounds` is given it is the decision whether so many suffice.

    Every schedule in the result was replayed by the model's referee. A KeyboardInterrupt (Ctrl-C) or the time
    limit ends the solve with the best schedule and bounds found so far.

    ```pycon
    >>> from schedsolve import build_problem
    >>> problem = build_problem("telephone", "broadcast", "path:4", source=1)
    >>> solve(problem).value, solve(problem, forbid=[(1, (1, 2)), (2, (1, 2))]).value
    (2, 4)

    ```

    Parameters
    ----------
    problem
        The problem.
    options
        How to solve it; None for the defaults.
    forbid
        Calls (round, (u, v)) that the schedule must do without, where the model can; the lower bound beyond
        that of the problem itself is then a search's, and there is no certificate.
    keywords
        Fields of `Options`, in place of those in `options`.

    Raises
    ------
    InputError
        If the model does not have the backend, the schedule of `warm_start` does not solve the problem, or
        calls cannot be forbidden.
    """
    refuse_no_problem(problem)
    if not isinstance(forbid, Iterable):
        raise InputError(f"forbid takes a list of calls (round, (u, v)); not {shown(forbid)}")
    options = asked_options(options, keywords).watched()
    log("INFO", "solving %r", problem)
    model = model_of(problem)
    _refuse_unknown_backend(model, problem, options.backend)
    if options.formulation_only:
        _refuse_more_than_formulation(problem, options, list(forbid))
    if options.warm_start is not None:
        options = replace(options, warm_start=started(model, problem, options.warm_start))
    try:
        result = _solve(model, problem, options, list(forbid))
    except InputError as error:
        raise error.with_traceback(None) from None
    finally:
        if isinstance(options.progress, ProgressLine):
            options.progress.clear()
    log("INFO", "solved: %r", result)
    return result


def _solve(model: Model, problem: Problem, options: Options, forbid: list[Any]) -> Result:
    """Solve the problem by the loop that its parameters ask for."""
    clock = Clock(options)
    if forbid:
        from schedsolve.solving.forbidden_calls import solve_without

        return solve_without(model, problem, options, clock, forbid)
    if problem.period == "min":
        return solve_least_period(model, problem, options, clock)
    if problem.choice == "max":
        return solve_worst(model, problem, options, clock)
    return SolveLoop(model, problem, options, clock).solve()


def _refuse_more_than_formulation(problem: Problem, options: Options, forbid: list[Any]) -> None:
    """Raise InputError for what an integer program alone does not answer."""
    if options.backend != CPSAT and not is_pulp(options.backend):
        raise InputError("the formulation alone is for the backends cpsat, pulp and pulp:SOLVER")
    if model_of(problem).formulations is None:
        raise InputError(f"{problem.model} has no formulation as an integer program")
    if forbid or options.warm_start is not None:
        raise InputError("the formulation alone takes no schedule to start from, and no forbidden calls")
    if options.certify:
        raise InputError("what an integer program says is no certificate; ask for --no-certify")
    if problem.choice == "max" or problem.period == "min":
        raise InputError("the formulation alone is for a given node and a given period")


def _refuse_unknown_backend(model: Model, problem: Problem, backend: str | None) -> None:
    """Raise InputError for a backend that the model does not have."""
    backends = sorted({search.backend for search in (*model.decisions, *model.improvements)})
    if model.formulations is not None:
        backends = sorted({*backends, "cpsat", "pulp", "pulp:SOLVER"})
    if backend and is_pulp(backend):
        refuse_backend(model, backend)
    elif backend and backend not in backends:
        raise InputError(
            f"{problem.model} has no backend '{backend}'; its backends are {', '.join(backends)}"
        )
