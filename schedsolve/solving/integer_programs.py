"""Integer programs as decisions and improvements.

For any solver that PuLP finds, and for CP-SAT.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from fractions import Fraction
from itertools import count
from math import ceil

from schedsolve.modelkit.formulation import FormulationRequest, Formulations
from schedsolve.modelkit.record import Model
from schedsolve.modelkit.result import Value
from schedsolve.modelkit.search import Decision, Finding, Improvement, Question, RunningSearch
from schedsolve.runtime.errors import InputError
from schedsolve.solving.searches import clock_of

BACKEND, CPSAT = "pulp", "cpsat"
PACKET_SECONDS = 60.0
"""How long numbers of packets are tried without a time limit."""


def is_pulp(backend: str | None) -> bool:
    """Return whether a backend is PuLP with one of its solvers: "pulp" or "pulp:SOLVER"."""
    return backend is not None and backend.split(":")[0] == BACKEND


def refuse_backend(model: Model, backend: str) -> None:
    """Raise InputError when the backend's solver is not to be had, or the model has no formulation."""
    if model.formulations is None:
        raise InputError(f"{model.name} has no formulation as an integer program")
    from schedsolve.backends.pulp import refuse_solver

    refuse_solver(_solver_of(backend))


def _solver_of(backend: str) -> str | None:
    return backend.partition(":")[2] or None


def program_decisions(model: Model, backend: str) -> list[Decision]:
    """Return the decision of a backend by a model's integer program, for PuLP or CP-SAT, if there is one."""
    kinds = model.formulations
    if kinds is None or not (is_pulp(backend) or (backend == CPSAT and not kinds.takes_packets)):
        return []
    if kinds.bounds_only:
        return []

    def start(question: Question) -> RunningSearch:
        request = FormulationRequest(question.problem, question.value)
        return _search(kinds, backend, request, question.seconds)

    return [Decision(_name(backend), backend.split(":", maxsplit=1)[0], True, start)]


def _name(backend: str) -> str:
    by = "" if backend == CPSAT else f", {_solver_of(backend) or 'CBC'}"
    return f"integer program{by}"


def _search(kinds: Formulations, backend: str, request: FormulationRequest, seconds: float) -> RunningSearch:
    """Return a search for a schedule that a request asks for, by its integer program."""
    if backend == CPSAT:
        from schedsolve.backends.cpsat import CpSearch, declare_program

        return CpSearch(declare_program(kinds.integer(request)), seconds)
    from schedsolve.backends.pulp import PulpSearch

    return PulpSearch(lambda: kinds.integer(request), seconds, _solver_of(backend))


def program_improvements(model: Model, backend: str) -> list[Improvement]:
    """Return the improvements of a backend: schedules of a program's least value, without a lower bound.

    Of a model whose program asks for the least value by itself it is the schedule that PuLP finds. Of one
    whose program has whole numbers, or schedules, for a number of packets only they are the best with 1, 2,
    3, ... packets, each number until there is nothing better.
    """
    kinds = model.formulations
    if kinds is None or not (is_pulp(backend) or backend == CPSAT):
        return []
    if not kinds.takes_packets or (is_pulp(backend) and not kinds.bounds_only):
        return [_least_value(kinds, backend)] if is_pulp(backend) and not kinds.needs_value else []

    def run(question: Question) -> Iterator[Finding]:
        clock = clock_of(backend.split(":", maxsplit=1)[0])
        end = clock() + min(question.seconds, PACKET_SECONDS)
        best: Value | None = question.best
        for packets in count(1):
            while True:
                # Values with so many packets are multiples of 1 / whole; the next one below the best.
                whole = kinds.denominator(question.problem, packets)
                most = None if best is None else Fraction(ceil(best * whole) - 1, whole)
                left = end - clock()
                if left <= 0 or (best is not None and best <= question.value):
                    return
                if most is not None and most < question.value:
                    break
                request = FormulationRequest(question.problem, most, packets=packets)
                answer = None
                with closing(_search(kinds, backend, request, left)) as search:
                    while answer is None and clock() < end:
                        answer = search.advance(min(1.0, max(0.01, end - clock())))
                        yield None
                    found = search.found() if answer else None
                if found is None:
                    break
                best = model.replay(*found).value
                yield found

    return [Improvement(f"{_name(backend)}, packets", backend.split(":", maxsplit=1)[0], run)]


def _least_value(kinds: Formulations, backend: str) -> Improvement:
    """Return the improvement that asks a program for its least value."""

    def run(question: Question) -> Iterator[Finding]:
        request = FormulationRequest(question.problem, None, minimise=True)
        answer = None
        with closing(_search(kinds, backend, request, question.seconds)) as search:
            while answer is None:
                answer = search.advance(1.0)
                yield None
            if answer:
                yield search.found()

    return Improvement(f"{_name(backend)}, least value", backend.split(":", maxsplit=1)[0], run)
