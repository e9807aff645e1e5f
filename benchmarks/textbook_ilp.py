"""The integer programme that one would write for a matching model with PuLP and CBC in an afternoon: the
yardstick of the benchmarks.

It is given a horizon T, a number of rounds in which the task is known to be possible, and has these binary
variables:

- used[t]: something happens in round t. Their sum is minimised, and no round is used after one that is not.
- call[a, t]: there is a call along link a in round t. A link is an arc in the one-way mode and an edge in the
  two-way mode.
- know[v, i, t]: node v knows item i after round t.
- move[u, v, i, t]: item i crosses the arc from u to v in round t; the product of a call and of know[u, i, t -
  1], linearised.

Its constraints are the rules of the models:

- In every round a node takes part in at most one call, and in none if the round is not used.
- What moves needs a call along its link, and its sender knew it one round before.
- A node knows an item after a round only if it knew it before or the item moved there in that round.
- Before round 1 a node knows what it starts with, after round T what is its goal.

With a single item (broadcast, multicast) links are arcs in both modes and a call is its own move, as a call
that moves nothing is useless. Both this and the product, in place of the inequality know[v, i, t] <= know[v,
i, t - 1] + know[u, i, t - 1] + 1 - call[a, t], make CBC faster. Nothing else helps it: no lower bound, no
distances, no symmetry breaking.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from schedsolve.errors import InputError
from schedsolve.models import build_problem, get_model
from schedsolve.network.graph import Network
from schedsolve.problem import Problem
from schedsolve.schedule import Schedule

IlpStatus = Literal["optimal", "infeasible", "limit", "not tried"]


@dataclass(frozen=True)
class IlpResult:
    """What CBC made of the programme.

    status: "infeasible" says that no schedule fits into the horizon, "limit" that CBC was stopped, "not
    tried" that the programme is too large. rounds, schedule: the best schedule found, replayed by the
    referee; None without one. variables: how many the programme has.
    """

    status: IlpStatus
    variables: int
    rounds: int | None = None
    schedule: Schedule | None = None


@dataclass(frozen=True)
class _Programme:
    """The programme and its call variables by link and round."""

    ilp: Any
    calls: dict[tuple[tuple[int, int], int], Any]


def solve_ilp(
    problem: Problem, horizon: int, *, time_limit: float, most_variables: int | None = None
) -> IlpResult:
    """Minimise the rounds of a problem of a matching model with one thread of CBC.

    horizon: a number of rounds known to suffice. time_limit: CPU seconds for CBC, some of which it counts by
    the wall clock; building the programme comes on top. most_variables: a larger programme is not built.
    Raises InputError for a problem whose source or root is left open or that asks about a given number of
    rounds, RuntimeError when CBC fails or claims the optimum for what is no schedule.
    Source: the rules of the model; Hromkovic, Klasing, Unger, Wagener, Pardubska (RAIRO 1994), section 2.
    """
    import pulp

    if problem.choice or problem.rounds is not None:
        raise InputError("the integer programme takes a given source or root, and minimises the rounds")
    variables = variable_count(problem, horizon)
    if most_variables is not None and variables > most_variables:
        return IlpResult("not tried", variables)
    programme = _build(problem, horizon)
    start = time.monotonic()
    try:
        # CBC's default is one thread; asked for one it takes its slower, parallel code.
        programme.ilp.solve(pulp.PULP_CBC_CMD(msg=False, timeLimit=time_limit, timeMode="cpu"))
    except pulp.PulpSolverError as error:
        raise RuntimeError(f"CBC failed: {error}") from error
    # A stopped CBC may call the programme infeasible, or leave the fractions of a relaxation: the clock and
    # the referee know better.
    if programme.ilp.status == pulp.LpStatusInfeasible and time.monotonic() - start < time_limit:
        return IlpResult("infeasible", variables)
    optimal = programme.ilp.sol_status == pulp.LpSolutionOptimal
    schedule = _read_schedule(problem, programme, horizon)
    seen = get_model(problem.model).replay(problem, schedule)
    if optimal and seen.violation:
        raise RuntimeError(f"CBC's optimum is no schedule: {seen.violation}")
    if seen.violation:
        return IlpResult("limit", variables)
    return IlpResult("optimal" if optimal else "limit", variables, int(seen.value), schedule)


def variable_count(problem: Problem, horizon: int) -> int:
    """The number of binary variables of the programme."""
    items = problem.demand().item_count
    network = problem.network
    moves = len(network.arcs) * items if items > 1 else 0
    return network.node_count * items * (horizon + 1) + horizon * (1 + len(_links(problem)) + moves)


def _links(problem: Problem) -> tuple[tuple[int, int], ...]:
    """The links that are called: edges where the direction of a call does not matter, else arcs."""
    two_way = problem.model == "telephone" and problem.demand().item_count > 1
    return problem.network.edges if two_way else problem.network.arcs


def _build(problem: Problem, horizon: int) -> _Programme:
    import pulp

    demand, nodes = problem.demand(), range(problem.network.node_count)
    items, rounds = range(demand.item_count), range(1, horizon + 1)

    ilp: Any = pulp.LpProblem("rounds", pulp.LpMinimize)

    def binary(name: str, *indices: int) -> Any:
        return ilp.add_variable("_".join([name, *map(str, indices)]), cat="Binary")

    used = {t: binary("used", t) for t in rounds}
    calls = {(link, t): binary("call", *link, t) for link in _links(problem) for t in rounds}
    know = {(v, i, t): binary("know", v, i, t) for v in nodes for i in items for t in range(horizon + 1)}
    ilp += pulp.lpSum(used.values())
    for t in rounds[1:]:
        ilp += used[t] <= used[t - 1]
    touching: dict[tuple[int, int], list[Any]] = {(v, t): [] for v in nodes for t in rounds}
    for (link, t), call in calls.items():
        for v in link:
            touching[v, t].append(call)
    for (v, t), touched in touching.items():
        ilp += pulp.lpSum(touched) <= used[t]
        for i in items:
            arriving = []
            for u in problem.network.predecessors[v]:
                call = calls[(u, v), t] if ((u, v), t) in calls else calls[(v, u), t]
                move = call
                if demand.item_count > 1:
                    move = binary("move", u, v, i, t)
                    ilp += move <= call
                ilp += move <= know[u, i, t - 1]
                arriving.append(move)
            ilp += know[v, i, t] <= know[v, i, t - 1] + pulp.lpSum(arriving)
    for v in nodes:
        for i in items:
            ilp += know[v, i, 0] == (demand.start[v] >> i & 1)
            if demand.goal[v] >> i & 1:
                ilp += know[v, i, horizon] == 1
    return _Programme(ilp, calls)


def _read_schedule(problem: Problem, programme: _Programme, horizon: int) -> Schedule:
    pairs: list[list[tuple[int, int]]] = [[] for _ in range(horizon)]
    for (link, t), call in programme.calls.items():
        if (call.varValue or 0) > 0.5:
            pairs[t - 1].append(link)
    schedule = Schedule.two_way(pairs) if problem.model == "telephone" else Schedule.one_way(pairs)
    return schedule.without_empty_end()


def _cpu_seconds() -> float:
    """CPU time of this process and of the children that it waited for."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def main(arguments: Sequence[str] | None = None) -> int:
    """Solve one problem and print the result as a JSON object without its schedule; the exit status is 0."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.textbook_ilp", description="Solve one problem with the integer programme."
    )
    parser.add_argument("model", metavar="MODEL")
    parser.add_argument("task", metavar="TASK")
    parser.add_argument("network", metavar="NETWORK")
    parser.add_argument(
        "--horizon", type=int, required=True, metavar="T", help="a number of rounds known to suffice"
    )
    parser.add_argument(
        "--time-limit", type=float, required=True, metavar="SECONDS", help="CPU seconds for CBC"
    )
    parser.add_argument("--most-variables", type=int, metavar="N", help="do not try larger programmes")
    parsed = parser.parse_args(arguments)
    start = _cpu_seconds()
    problem = build_problem(parsed.model, parsed.task, Network.from_spec(parsed.network))
    result = solve_ilp(
        problem, parsed.horizon, time_limit=parsed.time_limit, most_variables=parsed.most_variables
    )
    answer = {name: value for name, value in asdict(result).items() if name != "schedule"}
    print(json.dumps({**answer, "solve_cpu_seconds": _cpu_seconds() - start}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
