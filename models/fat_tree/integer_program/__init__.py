"""Formulations of the fat-tree for other solvers: broadcasts by counts, others by contents of messages.

Products and prefixes are formulated by what every message carries. Size, for N processors of height h
and T units of time: O(T N h) variables for a broadcast; O(T N^4) for a product or prefix.

Source: the rules of the model; Bilardi, Codenotti, Del Corso, Pinotti, Resta, section 2 and section
4.2.
"""

from __future__ import annotations

from schedsolve.modelkit.formulation import (
    CnfFormulation,
    FormulationRequest,
    Formulations,
    IntegerFormulation,
)

from ..claims.formula import broadcast_formula
from ..claims.runs_formula import runs_formula
from ..constructions.searched_broadcast import decode
from ..formulation import decode_runs
from ..rules import wanted_runs
from ..rules.tree import in_rounds, tree_of
from . import broadcast, runs


def integer_formulation(request: FormulationRequest) -> IntegerFormulation:
    """Return the integer program for "`request.limit` suffices", or for the least time up to it."""
    if request.problem.task == "broadcast":
        return broadcast.integer_formulation(request)
    return runs.integer_formulation(request)


def cnf_formulation(request: FormulationRequest) -> CnfFormulation:
    """Return the plain formula of the claims, with the names of its variables."""
    problem, tree, limit = request.problem, tree_of(request.problem), request.limit
    rounds = in_rounds(problem)
    if problem.task == "broadcast":
        f = broadcast_formula(tree, limit, rounds=rounds)
        return CnfFormulation(
            f.cnf, f.names(), lambda true: decode(problem, f, true), broadcast.meaning(request)
        )
    of_runs = runs_formula(tree, limit, wanted_runs(problem, tree.processors), rounds=rounds)
    names, meaning = of_runs.names(), runs.meaning(request)
    return CnfFormulation(of_runs.cnf, names, lambda true: decode_runs(problem, of_runs, true), meaning)


FORMULATIONS = Formulations(integer_formulation, cnf_formulation)
