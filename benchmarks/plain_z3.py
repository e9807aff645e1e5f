"""The models that one would write for z3 in an hour: a yardstick of the benchmarks.

For the matching models that of `plain_cpsat`, from zero rounds on. For collectives in steps the formulation
of Cai, Liu, Maleki, Musuvathi, Mytkowicz, Nelson, Saarikivi, Synthesizing optimal collective algorithms
(PPoPP 2021), which msccl-tools gives to z3 too: when a chunk arrives at a node, and from where.

`python -m benchmarks.plain_z3 MODEL TASK NETWORK --time-limit SECONDS`
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import z3

from benchmarks.plain_cpsat import answer_in_json, decided_from_zero
from schedsolve.modelkit.problem import Problem
from schedsolve.models.synchronous.rules import collective_of


def matching_model(problem: Problem, rounds: int) -> Any:
    """Return the solver of a model that is satisfiable exactly if the gossip, or the broadcast from node 0,
    takes at most `rounds` rounds.

    held[v, i, t] says that node v holds item i after round t. In every round

    - a node takes part in at most one call;
    - a node holds an item only if it held it before, or a caller who held it before hands it over.
    """
    network = problem.network
    nodes = range(network.node_count)
    items = nodes if problem.task == "gossip" else range(1)
    solver = z3.Solver()
    held = {(v, i, t): z3.Bool(f"held_{v}_{i}_{t}") for v in nodes for i in items for t in range(rounds + 1)}
    for v in nodes:
        for i in items:
            solver.add(held[v, i, 0] if v == i else z3.Not(held[v, i, 0]), held[v, i, rounds])
    two_way = problem.model == "telephone"
    for t in range(1, rounds + 1):
        calls = {a: z3.Bool(f"call_{a}_{t}") for a in (network.edges if two_way else network.arcs)}
        for v in nodes:
            of_node = [used for a, used in calls.items() if v in a]
            if of_node:
                solver.add(z3.AtMost(*of_node, 1))
        callers: dict[int, list[tuple[int, Any]]] = {v: [] for v in nodes}
        for (u, v), used in calls.items():
            callers[v].append((u, used))
            if two_way:
                callers[u].append((v, used))
        for v in nodes:
            for i in items:
                told = [z3.And(used, held[u, i, t - 1]) for u, used in callers[v]]
                solver.add(z3.Implies(held[v, i, t], z3.Or(held[v, i, t - 1], *told)))
    return solver


def steps_model(problem: Problem) -> Any:
    """Return the solver of a model that is satisfiable exactly if the collective can be done in its steps,
    rounds and chunks, on a network without switches.

    arrives[v, c] is the step in which node v gets chunk c, 0 where it starts there.
    """
    network, asked = problem.network, problem.parameters
    chunks, steps, rounds = asked["chunks"], asked["steps"], asked["rounds"]
    solver, shipments = z3.Solver(), collective_of(problem).shipments
    lasts = [z3.Int(f"rounds_{step}") for step in range(1, steps + 1)]
    solver.add(z3.Sum(lasts) <= rounds, *(length >= 1 for length in lasts))
    widths = network.bandwidth_of
    carried: dict[tuple[tuple[int, int], int], list[Any]] = {}
    for c in range(chunks * len(shipments)):
        shipment = shipments[c // chunks]
        arrives = [z3.Int(f"arrives_{v}_{c}") for v in range(network.node_count)]
        sent = {link: z3.Bool(f"sent_{link}_{c}") for link in widths}
        for v, at in enumerate(arrives):
            if v == shipment.origin:
                solver.add(at == 0)
                continue
            incoming = [sent[link] for link in widths if link[1] == v]
            solver.add(at >= 1, z3.Implies(at <= steps, z3.PbEq([(one, 1) for one in incoming], 1)))
            if v in shipment.destinations:
                solver.add(at <= steps)
        for (u, v), used in sent.items():
            solver.add(z3.Implies(used, arrives[u] < arrives[v]))
            for step in range(1, steps + 1):
                carried.setdefault(((u, v), step), []).append(z3.And(used, arrives[v] == step))
    for (link, step), sends in carried.items():
        for length in range(1, rounds - steps + 2):
            most = z3.PbLe([(one, 1) for one in sends], int(widths[link] * length))
            solver.add(z3.Implies(lasts[step - 1] == length, most))
    return solver


def satisfiable(solver: Any, seconds: float | None = None) -> bool | None:
    """Return whether a model has a solution; None where it is not known after so many seconds."""
    if seconds is not None:
        solver.set("timeout", max(1, int(1000 * seconds)))
    answer = solver.check()
    return None if answer == z3.unknown else bool(answer == z3.sat)


def least_rounds(problem: Problem, time_limit: float) -> tuple[int, bool]:
    """Return a lower bound on the rounds, and whether it is the optimum; `time_limit` is CPU time."""
    return decided_from_zero(lambda rounds: matching_model(problem, rounds), satisfiable, time_limit)


def main(arguments: Sequence[str] | None = None) -> int:
    """Solve one problem and print the answer as a JSON object; the exit status is 0."""
    return answer_in_json("benchmarks.plain_z3", least_rounds, arguments)


if __name__ == "__main__":
    raise SystemExit(main())
