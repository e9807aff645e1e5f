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
    Solved,
)

from ..claims.formula import broadcast_formula
from ..claims.runs_formula import runs_formula
from ..constructions.searched_broadcast import schedule_from_places
from ..formulation import only_needed
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
    return _broadcast_formula(request) if request.problem.task == "broadcast" else _runs_formula(request)


def _broadcast_formula(request: FormulationRequest) -> CnfFormulation:
    problem = request.problem
    f = broadcast_formula(tree_of(problem), request.limit, rounds=in_rounds(problem))

    def read(true: set[int]) -> Solved:
        sent = [place for place, x in f.sends.items() if x in true]
        received = [place for place, x in f.receives.items() if x in true]
        return problem, schedule_from_places(problem, f, sent, received)

    return CnfFormulation(f.cnf, f.names(), read, broadcast.meaning(request))


def _runs_formula(request: FormulationRequest) -> CnfFormulation:
    problem, tree = request.problem, tree_of(request.problem)
    f = runs_formula(tree, request.limit, wanted_runs(problem, tree.processors), rounds=in_rounds(problem))

    def read(true: set[int]) -> Solved:
        sent = [(t, p, q, run) for (p, q, run, t), x in f.messages.items() if x in true]
        return problem, only_needed(problem, f, sorted(sent))

    return CnfFormulation(f.cnf, f.names(), read, runs.meaning(request))


FORMULATIONS = Formulations(integer_formulation, cnf_formulation)
