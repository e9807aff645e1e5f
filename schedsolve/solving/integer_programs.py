"""Integer programmes as strategies and improvements: any solver that PuLP finds works on them, and CP-SAT
where a model has no CP-SAT model of its own.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from fractions import Fraction
from itertools import count
from math import ceil

from schedsolve.backends.cpsat import CpSearch, declare_program
from schedsolve.backends.pulp import PulpSearch, refuse_solver
from schedsolve.errors import InputError
from schedsolve.modelkit.formulation import Wish
from schedsolve.modelkit.record import Model
from schedsolve.modelkit.search import Finding, Improvement, Question, Search, Strategy
from schedsolve.result import Value

BACKEND, CPSAT = "pulp", "cpsat"
PACKET_SECONDS = 60.0
"""How long numbers of packets are tried without a time limit."""


def is_pulp(backend: str | None) -> bool:
    """Whether a backend is PuLP with one of its solvers: "pulp" or "pulp:SOLVER"."""
    return backend is not None and backend.split(":")[0] == BACKEND


def refuse_backend(model: Model, backend: str) -> None:
    """Raise InputError for "pulp:SOLVER" when that solver is not to be had, or a model without a
    formulation.
    """
    if model.formulations is None:
        raise InputError(f"{model.name} has no formulation as an integer programme")
    refuse_solver(_solver_of(backend))


def _solver_of(backend: str) -> str | None:
    return backend.partition(":")[2] or None


def program_strategies(model: Model, backend: str) -> list[Strategy]:
    """The strategies of a backend that decide values by a model's integer programme: one for PuLP, and one
    for CP-SAT, which takes what no strategy of the model's own takes there.
    """
    kinds = model.formulations
    if kinds is None or kinds.takes_packets or not (is_pulp(backend) or backend == CPSAT):
        return []
    own = [strategy for strategy in model.strategies if strategy.backend == backend]

    def start(question: Question) -> Search | None:
        for strategy in own:
            taken = strategy.start(question)
            if taken is not None:
                taken.close()
                return None
        return _search(model, backend, Wish(question.problem, question.value), question.seconds)

    return [Strategy(_name(backend), backend.split(":", maxsplit=1)[0], True, start, by_default=False)]


def _name(backend: str) -> str:
    by = "" if backend == CPSAT else f", {_solver_of(backend) or 'CBC'}"
    return f"integer programme{by}"


def _search(model: Model, backend: str, wish: Wish, seconds: float) -> Search:
    """A search for a schedule that a wish asks for, by its integer programme."""
    assert model.formulations is not None
    integer = model.formulations.integer
    if backend == CPSAT:
        return CpSearch(declare_program(integer(wish)))
    return PulpSearch(lambda: integer(wish), seconds, _solver_of(backend))


def program_improvements(model: Model, backend: str) -> list[Improvement]:
    """For models whose programme is exact for a number of packets only: the best schedules with 1, 2, 3, ...
    packets, each number until there is nothing better. They give no lower bound.
    """
    kinds = model.formulations
    if kinds is None or not kinds.takes_packets or not (is_pulp(backend) or backend == CPSAT):
        return []

    def run(question: Question) -> Iterator[Finding]:
        end = time.monotonic() + min(question.seconds, PACKET_SECONDS)
        best: Value | None = question.best
        for packets in count(1):
            while True:
                # Costs with so many packets are multiples of 1 / packets; the next one below the best.
                most = None if best is None else Fraction(ceil(best * packets) - 1, packets)
                left = end - time.monotonic()
                if left <= 0 or (best is not None and best <= question.value):
                    return
                if most is not None and most < question.value:
                    break
                search = _search(model, backend, Wish(question.problem, most, packets=packets), left)
                answer = None
                while answer is None and time.monotonic() < end:
                    answer = search.advance(min(1.0, max(0.01, end - time.monotonic())))
                    yield None
                found = search.found() if answer else None
                search.close()
                if found is None:
                    break
                best = model.replay(*found).value
                yield found

    return [
        Improvement(f"{_name(backend)}, packets", backend.split(":", maxsplit=1)[0], run, by_default=False)
    ]
