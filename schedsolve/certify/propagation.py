"""Replaying a refutation proof by unit propagation, in another solver than the one that found it.

This is the one module outside the backends that imports a solver: PySAT's MiniSat 2.2, of which nothing is
used but adding clauses and unit propagation; the proofs come from CaDiCaL or Glucose.
"""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from schedsolve.runtime.errors import ClaimError

REBUILD_AFTER = 5000
"""Deleted clauses after which, when they are more than half as many as the clauses left, the propagating
solver is set up again without them: it is then slowed by them more than the setting up takes.
"""


class Witness(Protocol):
    """Somebody who is told of every step of a replay that went through, and changes nothing there."""

    def lemma(self, clause: Sequence[int], trail: Sequence[int]) -> None:
        """Note that the clause was accepted, and joins the formula.

        The literals propagated from the negations of its literals, in the order in which they came.
        """

    def deletion(self, clause: Sequence[int]) -> None:
        """One copy of the clause was deleted; it may propagate until `forgotten`."""

    def forgotten(self) -> None:
        """Note that the clauses deleted so far propagate no more."""


def replay_refutation(
    clauses: Sequence[Sequence[int]],
    variable_count: int,
    proof: Iterable[str],
    witness: Witness | None = None,
) -> int:
    """Check that the proof refutes the formula, lemma by lemma; gives the number of lemmas.

    A lemma is accepted when propagating the negation of its literals gives a conflict; then it joins the
    formula. The proof succeeds when propagation alone gives a conflict in the end. Deletions only make the
    replay faster: fewer clauses can prove nothing more.

    Parameters
    ----------
    clauses, variable_count
        The formula; a lemma speaks of its variables only.
    proof
        Lines as `schedsolve.modelkit.formulas.proof` describes them.
    witness
        Is told of the steps; the last is the empty clause.

    Raises
    ------
    ClaimError
        For the first lemma that does not follow, for a line that is not a clause, or when no refutation
        results.
    """
    formula = _Formula(clauses, witness)
    lemmas = 0
    for number, line in enumerate(proof, 1):
        deletion = line.startswith("d ")
        clause = _literals(line[2:] if deletion else line, variable_count, number)
        if deletion:
            formula.delete(clause)
            continue
        if not formula.follows(clause):
            raise ClaimError(
                f"proof line {number}: the lemma {line[:60]!r} does not follow by unit propagation"
            )
        if not clause:
            return lemmas + 1
        formula.add(clause)
        lemmas += 1
    if not formula.follows([]):
        raise ClaimError(f"the proof ends after {lemmas} lemmas without a contradiction")
    return lemmas


def _literals(line: str, variable_count: int, number: int) -> list[int]:
    try:
        *literals, end = map(int, line.split())
    except ValueError:
        raise ClaimError(f"proof line {number}: {line[:60]!r} is not a clause") from None
    if end != 0 or (
        literals and (0 in literals or max(literals) > variable_count or min(literals) < -variable_count)
    ):
        raise ClaimError(f"proof line {number}: {line[:60]!r} is not a clause over the formula's variables")
    return literals


def _free(solver: Any) -> None:
    """Free a solver's memory, with all signals held back.

    Were it cut short by one before the solver has noted that the memory is free, its destructor would free it
    a second time.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    try:
        solver.delete()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Formula:
    """A growing set of clauses with unit propagation."""

    def __init__(self, clauses: Sequence[Sequence[int]], witness: Witness | None) -> None:
        self.witness = witness
        self.present: Counter[tuple[int, ...]] = Counter(tuple(sorted(clause)) for clause in clauses)
        self.deleted = 0
        self.solver: Any = None
        self._set_up()

    def _set_up(self) -> None:
        from pysat.solvers import Solver

        held = list[int]()
        if self.solver is not None:
            held = self._held()
            _free(self.solver)
        self.solver = Solver(name="minisat22", bootstrap_with=[*self.present, *([x] for x in held)])
        self.deleted = 0

    def _held(self) -> list[int]:
        """Return the literals that propagation alone makes true; none if there is a contradiction already.

        Glucose deletes the clause from which one follows, as satisfied, and says nothing of the literal.
        """
        held = list[int]()
        variables = {abs(literal) for clause in self.present for literal in clause}
        while variables and self._propagated([])[0]:
            consistent, trail = self._propagated([variable := variables.pop()])
            # What an assumption makes true or false did not hold before it, of either sign.
            variables.difference_update(map(abs, trail))
            held += [] if trail else [variable if consistent else -variable]
        return held

    def add(self, clause: Sequence[int]) -> None:
        self.present[tuple(sorted(clause))] += 1
        self.solver.add_clause(clause)

    def delete(self, clause: Sequence[int]) -> None:
        key = tuple(sorted(clause))
        # A unit clause costs nothing to keep, and what it implies is in use everywhere.
        if len(key) > 1 and key in self.present:
            self.present[key] -= 1
            if not self.present[key]:
                del self.present[key]
            self.deleted += 1
            if self.witness is not None:
                self.witness.deletion(clause)
            if self.deleted > REBUILD_AFTER and 2 * self.deleted > len(self.present):
                self._set_up()
                if self.witness is not None:
                    self.witness.forgotten()

    def follows(self, clause: Sequence[int]) -> bool:
        """Whether unit propagation from the negations of the clause's literals gives a conflict."""
        consistent, trail = self._propagated([-literal for literal in clause])
        if not consistent and self.witness is not None:
            self.witness.lemma(clause, trail)
        return not consistent

    def _propagated(self, literals: Sequence[int]) -> tuple[bool, list[int]]:
        """Return whether propagation from the literals ends without a conflict, and what it made true.

        A literal that held before, by propagation alone, is not among those.
        """
        from pysolvers import minisat22_propagate

        # The last 0 says that no main thread calls: there PySAT answers Ctrl-C by a jump out of the solver.
        consistent, trail = minisat22_propagate(self.solver.solver.minisat, literals, 0, 0)
        return bool(consistent), trail or []
