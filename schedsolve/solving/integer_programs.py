"""Integer programmes as a strategy: any solver that PuLP finds decides whether a value suffices."""

from __future__ import annotations

from schedsolve.backends.pulp import PulpSearch, refuse_solver
from schedsolve.errors import InputError
from schedsolve.modelkit.formulation import Wish
from schedsolve.modelkit.record import Model
from schedsolve.modelkit.search import Question, Search, Strategy

BACKEND = "pulp"


def is_pulp(backend: str | None) -> bool:
    """Whether a backend is PuLP with one of its solvers: "pulp" or "pulp:SOLVER"."""
    return backend is not None and backend.split(":")[0] == BACKEND


def pulp_strategy(model: Model, backend: str) -> Strategy:
    """The strategy of "pulp" (CBC) or "pulp:SOLVER".

    Raises InputError for a solver that is not to be had, or a model without a formulation.
    """
    solver = backend.partition(":")[2] or None
    kinds = model.formulations
    if kinds is None:
        raise InputError(f"{model.name} has no formulation as an integer programme")
    refuse_solver(solver)
    integer = kinds.integer

    def start(question: Question) -> Search:
        return PulpSearch(lambda: integer(Wish(question.problem, question.value)), question.seconds, solver)

    return Strategy(f"integer programme, {solver or 'CBC'}", BACKEND, True, start, by_default=False)
