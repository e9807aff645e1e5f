"""The SAT backend: PySAT's solvers, run in slices."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from threading import Thread
from typing import TYPE_CHECKING, Any

from schedsolve.modelkit.formulas.cnf import Cnf
from schedsolve.modelkit.formulas.proof import pack_proof, text_of_binary_proof
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.refutation import LARGEST_FORMULA, LITERALS_A_SECOND, affordable
from schedsolve.modelkit.schedule import Schedule
from schedsolve.modelkit.search import Question
from schedsolve.runtime.limits.own_limits import met

if TYPE_CHECKING:
    from concurrent.futures import Future

USUAL_SOLVER = "cadical195"
NO_ELIMINATION = {"elim": 0, "decompose": 0}
"""The options of CaDiCaL with which each variable stays in the formula."""
FIRST_SLICE = 500
LARGEST_SLICE = 20_000
LARGEST_PROOF = 5_000_000
"""The most lines of a proof that is kept."""


@dataclass(frozen=True)
class SatQuestion:
    """A question for a SAT solver.

    Attributes
    ----------
    cnf
        The formula.
    lemmas
        Literals that hold in every model; each follows by unit propagation from the formula and the lemmas
        before it.
    decode
        Turns a model, given as the set of its true variables, into the problem and a schedule that solves it.
    evidence
        The fields of a refutation other than the proof; empty if a proof would be of no use.
    branching
        The variables by which the formula is split between many workers, such as its calls; if empty, all
        variables.
    split_first
        Those of them by which it is split before all others.
    cases
        Literals such that, if there is a model, exactly one of them holds in some model. They are refuted one
        after the other, keeping the learnt clauses; in the end none is assumed.
    """

    cnf: Cnf
    lemmas: Sequence[int]
    decode: Callable[[set[int]], tuple[Problem, Schedule]]
    evidence: Mapping[str, Any] = field(default_factory=dict)
    branching: Sequence[int] = ()
    split_first: Sequence[int] = field(default=(), kw_only=True)
    cases: Sequence[int] = ()

    def shuffled(self, rng: random.Random) -> SatQuestion:
        """Return the question with its variables renumbered and its clauses reordered at random.

        It lacks what a refutation needs.
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
    """A search for a model of a formula that runs in slices (`schedsolve.modelkit.search.RunningSearch`).

    The first slice builds the question and starts the solver.

    Parameters
    ----------
    build
        Makes the question.
    with_proof
        Whether to keep a proof of the refutation.
    solver
        PySAT's name of the solver.
    slice_seconds
        About the longest time that the solver runs without interruption.
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
        self._cube: tuple[int, ...] = ()
        self._keeps_variables = False
        self._cases: list[int] = []
        self._slice = FIRST_SLICE
        self._thread = _Thread()

    @cached_property
    def question(self) -> SatQuestion:
        """The question that the solver is asked."""
        return self._build()

    def keep_variables(self) -> None:
        """Have the solver, before its first slice, eliminate no variable, so that `hold` may come later.

        An eliminated variable that a later clause has is restored without any trace in the proof.
        """
        self._keeps_variables = True

    def interrupt_every(self, seconds: float) -> None:
        """Have the solver run from now on for about so many seconds at the longest without interruption."""
        self._slice_seconds = seconds

    def hold(self, literals: Sequence[int]) -> None:
        """Restrict the search to models in which all these literals hold too.

        After the first slice it needs `keep_variables`; what was learnt so far holds with them as well.
        """
        self._cube = (*self._cube, *literals)
        if self._solver is not None:
            self._add_units(literals)

    def decoding(self, change: Callable[[Problem, Schedule], tuple[Problem, Schedule]]) -> SatSearch:
        """Return this search, before its first slice, with `change` applied to whatever it finds."""

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

        self._solver = Solver(name=self._name, with_proof=self._with_proof)
        if self._keeps_variables and self._name == USUAL_SOLVER:
            self._solver.configure(NO_ELIMINATION)
        self._solver.append_formula(self.question.cnf.clauses)
        self._add_units((*self.question.lemmas, *self._cube))
        self._cases = list(reversed(self.question.cases))

    def _add_units(self, literals: Sequence[int]) -> None:
        for literal in literals:
            self._solver.add_clause([literal])

    def advance(self, seconds: float) -> bool | None:
        """Search for about `seconds`, in slices that are measured in conflicts.

        Returns
        -------
        True if a model was found, False if there is none, None if that is not decided yet.
        """
        end = time.process_time() + seconds
        if self._solver is None:
            self._start()
        while True:
            begun = time.process_time()
            self._solver.conf_budget(self._slice)
            answer = self._solve_slice()
            now = time.process_time()
            if answer is False and self._cases:
                self._cases.pop()
                answer = None
            if now - begun > self._slice_seconds:
                self._slice = max(self._slice // 2, FIRST_SLICE)
            if answer is not None or now >= end:
                return answer
            if now - begun < self._slice_seconds / 5:
                self._slice = min(2 * self._slice, LARGEST_SLICE)

    def _solve_slice(self) -> bool | None:
        """Call the solver once and return its answer.

        All remaining cases are assumed, one true and the others false: a variable without an assumption
        might be eliminated and later restored without any trace in the proof.
        """
        assumed = [*self._cases[-1:], *(-literal for literal in self._cases[:-1])]
        return self._thread.solve(self._solver, assumed)

    def found(self) -> tuple[Problem, Schedule]:
        """Return the problem and the schedule found that solves it, after `advance` returned True."""
        return self.question.decode(self.model())

    def model(self) -> set[int]:
        """Return the true variables, after `advance` returned True."""
        return {literal for literal in self._solver.get_model() if literal > 0}

    def evidence(self) -> Mapping[str, Any] | None:
        """Return the refutation with its packed proof, after `advance` returned False.

        None if no proof was kept or it is too long.
        """
        lines = self.proof()
        if lines is None:
            return None
        lemmas = (f"{literal} 0" for literal in self.question.lemmas)
        return {**self.question.evidence, **pack_proof([*lemmas, *lines])}

    def proof(self) -> list[str] | None:
        """Return the lines of the proof, without the question's lemmas, after `advance` returned False.

        The proof follows from the formula and these lemmas; None if none was kept or it is too long.
        """
        if not self._with_proof or self._solver is None:
            return None
        lines = _lines_of_proof(self._solver)
        return lines if len(lines) <= LARGEST_PROOF else None

    def close(self) -> None:
        """Free the solver's memory."""
        if self._solver is not None:
            solver, self._solver = self._solver, None
            self._thread.end(solver)


class _Thread:
    """The calls of a solver, each in a thread of its own.

    In the main thread PySAT would answer Ctrl-C by jumping out of the solver. In another thread the call
    ends first, and the solver stays usable.
    """

    def __init__(self) -> None:
        self._running: Future[bool | None] | None = None

    def solve(self, solver: Any, assumed: Sequence[int]) -> bool | None:
        """Call the solver once under assumptions and return its answer."""
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(1) as thread:
            self._running = thread.submit(solver.solve_limited, assumptions=assumed, expect_interrupt=True)
            return self._running.result()

    def end(self, solver: Any) -> None:
        """Wait for a call that a timeout may have left running, and free the solver's memory.

        The memory is freed in a thread of its own as well: if a signal interrupted this before the solver has
        recorded that the memory is free, its destructor would free it a second time.
        """
        if self._running is not None and not self._running.done():
            # PySAT raises this for CaDiCaL, which cannot be interrupted.
            with suppress(NotImplementedError):
                solver.interrupt()
            from concurrent.futures import wait

            wait([self._running])
        release = Thread(target=solver.delete)
        release.start()
        release.join()


class AssumptionSolver:
    """A solver for one formula that is called repeatedly under different assumptions.

    It keeps what it learns.

    Parameters
    ----------
    cnf
        The formula.
    lemmas
        Literals that hold in every model.
    solver
        PySAT's name of the solver.
    """

    def __init__(self, cnf: Cnf, lemmas: Sequence[int], *, solver: str = "glucose4") -> None:
        from pysat.solvers import Solver

        self._thread = _Thread()
        self._solver: Any = Solver(name=solver, bootstrap_with=cnf.clauses)
        for literal in lemmas:
            self._solver.add_clause([literal])

    def solve(self, assumed: Sequence[int], conflicts: int) -> bool | None:
        """Return whether the formula has a model in which the assumed literals hold.

        None if that is not decided within the given number of conflicts.
        """
        self._solver.conf_budget(conflicts)
        return self._thread.solve(self._solver, assumed)

    def model(self) -> Sequence[int]:
        """Return, after `solve` returned True, for every variable in order either it or its negation."""
        found: list[int] = self._solver.get_model()
        return found

    def close(self) -> None:
        """Free the solver's memory."""
        self._thread.end(self._solver)


def find_model(cnf: Cnf, seconds: float) -> set[int] | None:
    """Return the true variables of a model of a formula.

    None if there is none or none was found within about `seconds`.
    """
    answer, true = decide(cnf, seconds)
    return true if answer else None


def decide(cnf: Cnf, seconds: float) -> tuple[bool | None, set[int]]:
    """Return whether a formula has a model, and the true variables of one.

    None, and no variables, if it is not decided within about `seconds`.
    """

    def no_schedule(_: set[int]) -> tuple[Problem, Schedule]:
        raise ValueError("a bare formula has no schedule")

    search = SatSearch(lambda: SatQuestion(cnf, [], no_schedule))
    try:
        answer = search.advance(seconds)
        if answer is None:
            met("seconds for a formula", seconds)
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
    """Return the search for a model of a formula; None if the formula is too large.

    Parameters
    ----------
    question
        The question to decide, with the time left for it.
    size
        The approximate number of literals of the formula.
    build
        Makes the question for the solver.
    largest
        The largest permitted size.
    literals_a_second
        The speed of writing the formula; one that takes the time left to write is too large as well.
    solver
        PySAT's name of the solver.
    """
    if not affordable(question, size, largest=largest, literals_a_second=literals_a_second):
        met("literals of a formula", min(largest, literals_a_second * question.seconds))
        return None
    return SatSearch(build, with_proof=question.certify, solver=solver)


def _lines_of_proof(solver: Any) -> list[str]:
    """Return the lines of a solver's proof, which CaDiCaL writes in the binary format."""
    import pysolvers

    if USUAL_SOLVER not in type(solver.solver).__name__.lower():
        found: list[str] = solver.get_proof()
        return found
    pysolvers.flushpr(solver.solver.prfp)
    solver.solver.prfile.seek(0)
    return text_of_binary_proof(solver.solver.prfile.read())
