"""Whether collectives in steps can be done, by a model with a variable for every chunk, link and step: where
going through all sends takes too long.

Written apart from the package; the formulation of Cai et al. (PPoPP 2021), with a variable for "node v holds
chunk c after step s" in place of arrival times.
"""

from __future__ import annotations

from ortools.sat.python import cp_model

from tests.reference.synchronous_search import Links, wanted_chunks


def feasible_by_programme(
    task: str, nodes: int, links: Links, chunks: int, steps: int, rounds: int, root: int = 0
) -> bool:
    """Whether so many chunks pass in so many steps of so many rounds together."""
    start, goal = wanted_chunks(task, nodes, chunks, root)
    if rounds < steps:
        return False
    model = cp_model.CpModel()
    length = [model.new_int_var(1, rounds, "") for _ in range(steps)]
    model.add(sum(length) <= rounds)
    held = {
        (c, v, s): model.new_bool_var("")
        for c in range(len(start))
        for v in range(nodes)
        for s in range(steps + 1)
    }
    sent = {(c, e, s): model.new_bool_var("") for c in range(len(start)) for e in links for s in range(steps)}
    for (c, v, s), x in held.items():
        if s == 0:
            model.add(x == (start[c] >> v & 1))
        else:
            model.add(x <= held[c, v, s - 1] + sum(sent[c, e, s - 1] for e in links if e[1] == v))
        if s == steps and goal[c] >> v & 1:
            model.add(x == 1)
    for (c, (u, _), s), y in sent.items():
        model.add(y <= held[c, u, s])
    for e, bandwidth in links.items():
        for s in range(steps):
            model.add(sum(sent[c, e, s] for c in range(len(start))) <= bandwidth * length[s])
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    status = solver.solve(model)
    assert status in (cp_model.OPTIMAL, cp_model.FEASIBLE, cp_model.INFEASIBLE)
    return bool(status != cp_model.INFEASIBLE)
