"""The integer program that one would write for a matching model with PuLP in an afternoon: a yardstick
of the benchmarks.

It is the formulation of the model, minimised (`schedsolve formulate`; its rules are the functions of
`models/matching/formulation/integer_program.py`), given to CBC or HiGHS with a horizon, a number of
rounds in which the task is known to be possible. Nothing else helps the solver: no lower bound, no distances,
no symmetry breaking.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Literal

from schedsolve.backends.pulp import solve_program
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Schedule
from schedsolve.models import build_problem, replay
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError
from schedsolve.solving.formulation_files import formulation

IlpStatus = Literal["optimal", "infeasible", "limit", "not tried"]


@dataclass(frozen=True)
class IlpResult:
    """What the solver made of the program.

    status: "infeasible" says that no schedule fits into the horizon, "limit" that the solver was stopped,
    "not tried" that the program is too large. value, schedule: rounds of the best schedule found, replayed
    by the referee; None without one. variables: how many the program has.
    """

    status: IlpStatus
    variables: int
    value: int | None = None
    schedule: Schedule | None = None


def solve_ilp(
    problem: Problem,
    horizon: int,
    *,
    time_limit: float,
    most_variables: int | None = None,
    solver: str | None = None,
) -> IlpResult:
    """Minimise the rounds of a problem of a matching model with one thread of a solver, CBC unless named.

    horizon: a number of rounds known to suffice. time_limit: CPU seconds for CBC, some of which it counts by
    the wall clock, and seconds by the clock for another solver; building the program comes on top.
    most_variables: a larger program is not built. solver: PuLP's name of it.
    Raises InputError for a problem whose source or root is left open or that asks about a given number of
    rounds, RuntimeError when the solver fails or claims the optimum for what is no schedule.
    """
    if problem.choice or problem.rounds is not None:
        raise InputError("the integer program takes a given source or root, and minimises the rounds")
    variables = variable_count(problem, horizon)
    if most_variables is not None and variables > most_variables:
        return IlpResult("not tried", variables)
    asked = formulation(problem, horizon, minimise=True)
    answer = solve_program(asked.integer.program, time_limit, solver, cpu_seconds=True)
    if answer.status == "infeasible":
        return IlpResult("infeasible", variables)
    if not answer.values:
        return IlpResult("limit", variables)
    optimal = answer.status == "optimal"
    _, schedule = asked.schedule(answer.values)
    seen = replay(problem, schedule)
    if optimal and seen.violation:
        raise RuntimeError(f"the solver's optimum is no schedule: {seen.violation}")
    if seen.violation:
        return IlpResult("limit", variables)
    return IlpResult("optimal" if optimal else "limit", variables, int(seen.value), schedule)


def variable_count(problem: Problem, horizon: int) -> int:
    """The number of binary variables of the program, without building it."""
    items = problem.network.node_count if problem.task == "gossip" else 1
    network = problem.network
    two_way = problem.model == "telephone" and items > 1
    links = network.edges if two_way else network.arcs
    moves = len(network.arcs) * items if items > 1 else 0
    return network.node_count * items * (horizon + 1) + horizon * (1 + len(links) + moves)


def _cpu_seconds() -> float:
    """CPU time of this process and of the children that it waited for."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def main(arguments: Sequence[str] | None = None) -> int:
    """Solve one problem and print the result as a JSON object without its schedule; the exit status is 0."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.textbook_ilp", description="Solve one problem with the integer program."
    )
    parser.add_argument("model", metavar="MODEL")
    parser.add_argument("task", metavar="TASK")
    parser.add_argument("network", metavar="NETWORK")
    parser.add_argument(
        "--horizon", type=int, required=True, metavar="T", help="a number of rounds known to suffice"
    )
    parser.add_argument("--time-limit", type=float, required=True, metavar="SECONDS", help="of the solver")
    parser.add_argument("--most-variables", type=int, metavar="N", help="do not try larger programs")
    parser.add_argument("--solver", metavar="NAME", help="PuLP's name of the solver (default CBC)")
    parsed = parser.parse_args(arguments)
    # Loaded before the clock starts, as are schedsolve's packages.
    import pulp  # noqa: F401

    start = _cpu_seconds()
    problem = build_problem(parsed.model, parsed.task, Network.from_spec(parsed.network))
    result = solve_ilp(
        problem,
        parsed.horizon,
        time_limit=parsed.time_limit,
        most_variables=parsed.most_variables,
        solver=parsed.solver,
    )
    answer = {name: value for name, value in asdict(result).items() if name != "schedule"}
    print(json.dumps({**answer, "solve_cpu_seconds": _cpu_seconds() - start}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
