"""The CP-SAT model that one would write for a matching model in an hour: a yardstick of the benchmarks.

Rounds are tried from zero on; each number of them is a model of its own, so that the first that has a
schedule is proven to be the least. The model has the rules of the paper and nothing that helps: no bound, no
distances, no symmetry breaking.

`python -m benchmarks.plain_cpsat MODEL TASK NETWORK --time-limit SECONDS`
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from ortools.sat.python import cp_model

from schedsolve.modelkit.problem import Problem
from schedsolve.models import build_problem
from schedsolve.network.graph import Network

Made = TypeVar("Made")


def model_of(problem: Problem, rounds: int) -> cp_model.CpModel:
    """Return the model that is feasible exactly if the gossip, or the broadcast from node 0, takes at most
    `rounds` rounds.

    held[v, i, t] says that node v holds item i after round t. In every round

    - a node takes part in at most one call;
    - a node holds an item only if it held it before, or a caller hands it over;
    - a caller hands over only what it held before.
    """
    network = problem.network
    nodes = range(network.node_count)
    items = nodes if problem.task == "gossip" else range(1)
    model = cp_model.CpModel()
    held = {(v, i, t): model.new_bool_var("") for v in nodes for i in items for t in range(rounds + 1)}
    for v in nodes:
        for i in items:
            model.add(held[v, i, 0] == int(v == i))
            model.add(held[v, i, rounds] == 1)
    two_way = problem.model == "telephone"
    for t in range(1, rounds + 1):
        calls = {a: model.new_bool_var("") for a in (network.edges if two_way else network.arcs)}
        for v in nodes:
            model.add_at_most_one(used for (a, b), used in calls.items() if v in (a, b))
        handed: dict[tuple[int, int], list[cp_model.IntVar]] = {(v, i): [] for v in nodes for i in items}
        for (a, b), used in calls.items():
            for u, v in ((a, b), (b, a)) if two_way else ((a, b),):
                for i in items:
                    move = model.new_bool_var("")
                    model.add_implication(move, used)
                    model.add_implication(move, held[u, i, t - 1])
                    handed[v, i].append(move)
        for (v, i), moves in handed.items():
            model.add_bool_or([held[v, i, t].Not(), held[v, i, t - 1], *moves])
    return model


def solved(model: cp_model.CpModel, seconds: float) -> bool | None:
    """Return whether a model has a solution, with one worker; None where that is not known in time."""
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = seconds
    return {cp_model.OPTIMAL: True, cp_model.INFEASIBLE: False}.get(solver.solve(model))


def decided_from_zero(
    model: Callable[[int], Made], decide: Callable[[Made, float], bool | None], time_limit: float
) -> tuple[int, bool]:
    """Return a lower bound on the rounds, and whether it is the optimum.

    Parameters
    ----------
    model
        Of a number of rounds.
    decide
        Whether a model has a solution, None where so many seconds do not tell.
    time_limit
        CPU seconds, for building the models and solving them.
    """
    start = time.process_time()
    rounds = 0
    while time.process_time() - start < time_limit:
        made = model(rounds)
        left = time_limit - (time.process_time() - start)
        found = decide(made, left) if left > 0 else None
        if found is not False:
            return rounds, found is True
        rounds += 1
    return rounds, False


def least_rounds(problem: Problem, time_limit: float) -> tuple[int, bool]:
    """Return a lower bound on the rounds, and whether it is the optimum, as `decided_from_zero` does."""
    return decided_from_zero(lambda rounds: model_of(problem, rounds), solved, time_limit)


def answer_in_json(
    program: str, least: Callable[[Problem, float], tuple[int, bool]], arguments: Sequence[str] | None
) -> int:
    """Solve the problem that the command line names and print the answer as a JSON object; the exit status is
    0.
    """
    parser = argparse.ArgumentParser(
        prog=f"python -m {program}", description="Solve one problem with a plain model."
    )
    for name in ("model", "task", "network"):
        parser.add_argument(name, metavar=name.upper())
    parser.add_argument("--time-limit", type=float, required=True, metavar="SECONDS", help="CPU seconds")
    parsed = parser.parse_args(arguments)
    problem = build_problem(parsed.model, parsed.task, Network.from_spec(parsed.network))
    start = time.process_time()
    rounds, proven = least(problem, parsed.time_limit)
    answer = {
        "status": "optimal" if proven else "limit",
        "value": rounds if proven else None,
        "lower_bound": rounds,
        "solve_cpu_seconds": time.process_time() - start,
    }
    print(json.dumps(answer))
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Solve one problem and print the answer as a JSON object; the exit status is 0."""
    return answer_in_json("benchmarks.plain_cpsat", least_rounds, arguments)


if __name__ == "__main__":
    raise SystemExit(main())
