"""The SAT backend: PySAT's solvers, run in slices."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from threading import Thread
from typing import Any

from schedsolve.formulas.cnf import Cnf
from schedsolve.formulas.proof import pack_proof
from schedsolve.modelkit.refutation import LARGEST_FORMULA, LITERALS_A_SECOND, affordable
from schedsolve.modelkit.search import Question
from schedsolve.problem import Problem
from schedsolve.schedule import Schedule

USUAL_SOLVER = "cadical195"
FIRST_SLICE = 500
LARGEST_SLICE = 20_000
LARGEST_PROOF = 5_000_000
"""Lines of a proof beyond which it is not kept."""


@dataclass(frozen=True)
class SatQuestion:
    """What a SAT solver is asked.

    cnf: the formula. lemmas: literals that hold in every model, each following by unit propagation from the
    formula and those before it.
    decode: turns a model, as the set of its true variables, into a schedule and the problem that it solves.
    branching: the variables by which the formula is split where many workers share it, such as its calls;
    all variables when there are none. split_first: those of them by which it is split before anything else.
    evidence: what a refutation says of itself besides the proof; empty when its proof is of no use.
    cases: literals such that in some model, if there is one, just one of them holds; refuted one after the
    other, with what was learnt before, and in the end none is assumed.
    """

    cnf: Cnf
    lemmas: Sequence[int]
    decode: Callable[[set[int]], tuple[Problem, Schedule]]
    evidence: Mapping[str, Any] = field(default_factory=dict)
    branching: Sequence[int] = ()
    split_first: Sequence[int] = field(default=(), kw_only=True)
    cases: Sequence[int] = ()

    def shuffled(self, rng: random.Random) -> SatQuestion:
        """The same question with its variables numbered anew and its clauses in another order; without what
        a refutation needs.
        """
        numbers = list(range(1, self.cnf.variable_count + 1))
        rng.shuffle(numbers)
        literal = [0, *numbers, *(-number for number in reversed(numbers))]
        clauses = [[literal[x] for x in clause] for clause in self.cnf.clauses]
        clauses += [[literal[lemma]] for lemma in self.lemmas]
        rng.shuffle(clauses)

        def decoded(true: set[int]) -> tuple[Problem, Schedule]:
            return self.decode({v for v, number in enumerate(numbers, 1) if number in true})

        return SatQuestion(Cnf(self.cnf.variable_count, clauses), [], decoded)


class SatSearch:
    """A search for a model of a formula that can be run in slices (`schedsolve.modelkit.record.Search`).

    The question is built, and the solver started, with the first slice.

    with_proof: keep a proof of the refutation. solver: PySAT's name of the solver. slice_seconds: about the
    longest that the solver is left alone.
    """

    def __init__(
        self,
        build: Callable[[], SatQuestion],
        *,
        with_proof: bool = False,
        solver: str = USUAL_SOLVER,
        slice_seconds: float = 0.5,
    ) -> None:
        self._slice_seconds = slice_seconds
        self._build = build
        self._name = solver
        self._with_proof = with_proof
        self._solver: Any = None
        self._cube: Sequence[int] = ()
        self._cases: list[int] = []
        self._slice = FIRST_SLICE
        self._thread = _Thread()

    @cached_property
    def question(self) -> SatQuestion:
        """What the solver is asked."""
        return self._build()

    def hold(self, cube: Sequence[int]) -> None:
        """Before the first slice: look only for models in which these literals hold."""
        self._cube = cube

    def decoding(self, change: Callable[[Problem, Schedule], tuple[Problem, Schedule]]) -> SatSearch:
        """The search before its first slice, with everything it may find changed like this."""

        def build() -> SatQuestion:
            question = self._build()
            return replace(question, decode=lambda true: change(*question.decode(true)))

        return SatSearch(
            build,
            with_proof=self._with_proof,
            solver=self._name,
            slice_seconds=self._slice_seconds,
        )

    def _start(self) -> None:
        from pysat.solvers import Solver

        self._solver = Solver(
            name=self._name, bootstrap_with=self.question.cnf.clauses, with_proof=self._with_proof
        )
        for literal in (*self.question.lemmas, *self._cube):
            self._solver.add_clause([literal])
        self._cases = list(reversed(self.question.cases))

    def advance(self, seconds: float) -> bool | None:
        """Work for about so many seconds, counted in conflicts; True: found, False: refuted, None: not
        decided yet.
        """
        end = time.monotonic() + seconds
        if self._solver is None:
            self._start()
        while True:
            begun = time.monotonic()
            self._solver.conf_budget(self._slice)
            answer = self._solve_slice()
            now = time.monotonic()
            if answer is False and self._cases:
                self._cases.pop()
                answer = None
            if answer is not None or now >= end:
                return answer
            if now - begun < self._slice_seconds / 5:
                self._slice = min(2 * self._slice, LARGEST_SLICE)
            elif now - begun > self._slice_seconds:
                self._slice = max(self._slice // 2, FIRST_SLICE)

    def _solve_slice(self) -> bool | None:
        """One call of the solver.

        All cases left are assumed, one true and the others false: a variable that is not might be eliminated,
        and brought back without a word in the proof.
        """
        assumed = [*self._cases[-1:], *(-literal for literal in self._cases[:-1])]
        return self._thread.solve(self._solver, assumed)

    def found(self) -> tuple[Problem, Schedule]:
        """The schedule found, after `advance` returned True, and the problem that it solves."""
        return self.question.decode(self.model())

    def model(self) -> set[int]:
        """The true variables, after `advance` returned True."""
        return {literal for literal in self._solver.get_model() if literal > 0}

    def evidence(self) -> Mapping[str, Any] | None:
        """After `advance` returned False: the proof, with what it says of itself; None when none was kept or
        it is too long.
        """
        lines = self.proof()
        if lines is None:
            return None
        lemmas = (f"{literal} 0" for literal in self.question.lemmas)
        return {**self.question.evidence, **pack_proof([*lemmas, *lines])}

    def proof(self) -> list[str] | None:
        """After `advance` returned False: the lines of the proof, behind the lemmas of the question; None
        when none was kept or it is too long.
        """
        if not self._with_proof or self._solver is None:
            return None
        lines: list[str] = self._solver.get_proof()
        return lines if len(lines) <= LARGEST_PROOF else None

    def close(self) -> None:
        """Give the solver's memory back."""
        if self._solver is not None:
            solver, self._solver = self._solver, None
            self._thread.end(solver)


class _Thread:
    """The calls of a solver, each in a thread of its own.

    In the main thread PySAT would answer Ctrl-C by jumping out of the solver; like this the call ends first,
    and the solver stays fit for use.
    """

    def __init__(self) -> None:
        self._running: Future[bool | None] | None = None

    def solve(self, solver: Any, assumed: Sequence[int]) -> bool | None:
        """One call, under assumptions."""
        with ThreadPoolExecutor(1) as thread:
            self._running = thread.submit(solver.solve_limited, assumptions=assumed, expect_interrupt=True)
            return self._running.result()

    def end(self, solver: Any) -> None:
        """Wait for the call that a deadline may have left under way, and free the solver's memory.

        That too in a thread of its own: were it cut short by a signal before the solver has noted that the
        memory is free, its destructor would free it a second time.
        """
        if self._running is not None and not self._running.done():
            # CaDiCaL cannot be told to end it: PySAT says so by this error.
            with suppress(NotImplementedError):
                solver.interrupt()
            wait([self._running])
        release = Thread(target=solver.delete)
        release.start()
        release.join()


class AssumptionSolver:
    """One solver for a formula that is asked again and again under other assumptions, and keeps what it
    learns.

    lemmas: literals that hold in every model. solver: PySAT's name of the solver.
    """

    def __init__(self, cnf: Cnf, lemmas: Sequence[int], *, solver: str = "glucose4") -> None:
        from pysat.solvers import Solver

        self._thread = _Thread()
        self._solver: Any = Solver(name=solver, bootstrap_with=cnf.clauses)
        for literal in lemmas:
            self._solver.add_clause([literal])

    def solve(self, assumed: Sequence[int], conflicts: int) -> bool | None:
        """Whether there is a model in which these literals hold; None when so many conflicts do not decide
        it.
        """
        self._solver.conf_budget(conflicts)
        return self._thread.solve(self._solver, assumed)

    def model(self) -> Sequence[int]:
        """After `solve` returned True: for every variable, in order, it or its negation."""
        found: list[int] = self._solver.get_model()
        return found

    def close(self) -> None:
        """Give the solver's memory back."""
        self._thread.end(self._solver)


def find_model(cnf: Cnf, seconds: float) -> set[int] | None:
    """The true variables of a model of a formula; None when there is none or none was found in about so many
    seconds.
    """
    answer, true = decide(cnf, seconds)
    return true if answer else None


def decide(cnf: Cnf, seconds: float) -> tuple[bool | None, set[int]]:
    """Whether a formula has a model, None when that is not decided in about so many seconds; and its true
    variables.
    """

    def no_schedule(_: set[int]) -> tuple[Problem, Schedule]:
        raise ValueError("a bare formula has no schedule")

    search = SatSearch(lambda: SatQuestion(cnf, [], no_schedule))
    try:
        answer = search.advance(seconds)
        return answer, search.model() if answer else set()
    finally:
        search.close()


def decide_by_sat(
    question: Question,
    size: int,
    build: Callable[[], SatQuestion],
    *,
    largest: int = LARGEST_FORMULA,
    literals_a_second: float = LITERALS_A_SECOND,
    solver: str = USUAL_SOLVER,
) -> SatSearch | None:
    """The search for a model of a formula of about so many literals; None when the formula is too large, or
    writing it down would take the time left.
    """
    if not affordable(question, size, largest=largest, literals_a_second=literals_a_second):
        return None
    return SatSearch(build, with_proof=question.certify, solver=solver)
