"""The fat-tree for other solvers: broadcasts by counts, products and prefixes by what every message carries.

Size, for N processors of height h and T units of time: O(T N h) variables for a broadcast; O(T N^4) for a
product or prefix.

Source: the rules of the model; Bilardi, Codenotti, Del Corso, Pinotti, Resta, section 2 and section 4.2.
"""

from __future__ import annotations

from schedsolve.modelkit.formulation import CnfFormulation, Formulations, IntegerFormulation, Solved, Wish

from ..claims.formula import broadcast_formula
from ..claims.runs_formula import runs_formula
from ..formulation import only_needed, schedule_from_places
from ..rules import wanted_runs
from ..rules.tree import in_rounds, tree_of
from . import broadcast, runs


def integer_formulation(wish: Wish) -> IntegerFormulation:
    """The integer programme for "so much time suffices", or for the least time up to there."""
    if wish.problem.task == "broadcast":
        return broadcast.integer_formulation(wish)
    return runs.integer_formulation(wish)


def cnf_formulation(wish: Wish) -> CnfFormulation:
    """The plain formula of the claims, with the names of its variables."""
    return _broadcast_formula(wish) if wish.problem.task == "broadcast" else _runs_formula(wish)


def _broadcast_formula(wish: Wish) -> CnfFormulation:
    problem = wish.problem
    f = broadcast_formula(tree_of(problem), wish.limit, rounds=in_rounds(problem))

    def read(true: set[int]) -> Solved:
        sent = [place for place, x in f.sends.items() if x in true]
        received = [place for place, x in f.receives.items() if x in true]
        return problem, schedule_from_places(problem, f, sent, received)

    return CnfFormulation(f.cnf, f.names(), read, broadcast.meaning(wish))


def _runs_formula(wish: Wish) -> CnfFormulation:
    problem, tree = wish.problem, tree_of(wish.problem)
    f = runs_formula(tree, wish.limit, wanted_runs(problem, tree.processors), rounds=in_rounds(problem))

    def read(true: set[int]) -> Solved:
        sent = [(t, p, q, run) for (p, q, run, t), x in f.messages.items() if x in true]
        return problem, only_needed(problem, f, sorted(sent))

    return CnfFormulation(f.cnf, f.names(), read, runs.meaning(wish))


FORMULATIONS = Formulations(integer_formulation, cnf_formulation)
