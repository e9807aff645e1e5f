"""Integer programmes as strategies: any solver that PuLP finds decides whether a value suffices, and CP-SAT
does where a model has no CP-SAT model of its own.
"""

from __future__ import annotations

from schedsolve.backends.cpsat import CpSearch, declare_program
from schedsolve.backends.pulp import PulpSearch, refuse_solver
from schedsolve.errors import InputError
from schedsolve.modelkit.formulation import Wish
from schedsolve.modelkit.record import Model
from schedsolve.modelkit.search import Question, Search, Strategy

BACKEND, CPSAT = "pulp", "cpsat"


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


def cpsat_strategy(model: Model) -> Strategy | None:
    """The integer programme by CP-SAT, where no strategy of the model's own takes a question there.

    None for a model without a formulation.
    """
    kinds = model.formulations
    if kinds is None:
        return None
    own = [strategy for strategy in model.strategies if strategy.backend == CPSAT]
    integer = kinds.integer

    def start(question: Question) -> Search | None:
        for strategy in own:
            taken = strategy.start(question)
            if taken is not None:
                taken.close()
                return None
        return CpSearch(declare_program(integer(Wish(question.problem, question.value))))

    return Strategy("integer programme", CPSAT, True, start, by_default=False)
