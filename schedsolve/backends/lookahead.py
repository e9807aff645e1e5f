"""Lookahead: choose the variables by which a formula is split into cases.

A variable is judged by what unit propagation derives from either of its values.

Source: Heule, Kullmann, Wieringa, Biere, Cube and conquer: guiding CDCL SAT solvers by lookaheads
(HVC 2011).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

from schedsolve.backends.sat import SatQuestion
from schedsolve.modelkit.formulas.cubes import Cube, Part

MOST_CANDIDATES = 300
"""The most variables that are evaluated before the formula is split by one of them."""
MOST_FIRST_PARTS = 5000
"""The most parts into which a formula is split by the variables of `SatQuestion.split_first`."""
WORTH_OF_A_CONFLICT = 10_000
"""A value that unit propagation refutes counts as if this number of literals followed from it."""


def split(question: SatQuestion, cube: Cube, number: int) -> list[Part]:
    """Return the parts of a cube, at least `number` that unit propagation does not refute if possible.

    First, the variables of `question.split_first` are given values, one after the other. Then the part with
    the most open variables is split, by the variable whose two values have the most consequences, until
    there are enough parts.

    Parameters
    ----------
    question
        The question with the formula, its lemmas and its branching variables.
    cube
        The cube to split; () for the whole formula.
    number
        The number of parts wanted; those that propagation refutes do not count.
    """
    from pysat.solvers import Solver

    with Solver(name="minisat22", bootstrap_with=question.cnf.clauses) as solver:
        for literal in question.lemmas:
            solver.add_clause([literal])
        lookahead = _Lookahead(solver, question)
        waiting, done = lookahead.parts_by(question.split_first, cube)
        while waiting and len(waiting) + sum(not part.closed for part in done) < number:
            largest = max(waiting, key=lambda part: part.size)
            waiting.remove(largest)
            variable = None if largest.closed else lookahead.best_variable(largest.cube)
            if variable is None:
                done.append(largest)
                continue
            for literal in (variable, -variable):
                part = lookahead.part((*largest.cube, literal))
                (done if part.closed else waiting).append(part)
    return waiting + done


class _Lookahead:
    """Unit propagation in a formula, by a solver of PySAT that holds the formula."""

    def __init__(self, solver: Any, question: SatQuestion) -> None:
        self.solver = solver
        variables = question.branching or range(1, question.cnf.variable_count + 1)
        self.variables = [v for v in variables if not (self._holds(v) or self._holds(-v))]
        """The branching variables that propagation alone does not fix."""

    def _holds(self, literal: int) -> bool:
        """Return whether propagation alone makes a literal true; such literals are in no trail."""
        found: tuple[bool, list[int]] = self.solver.propagate(assumptions=[literal])
        return found == (True, [])

    def _open(self, cube: Cube) -> tuple[bool, int, list[int]]:
        """Propagate a cube and return whether it is consistent, its trail's length, and the open variables.

        The trail's length is the number of variables that it fixes, those of the cube included.
        """
        consistent, trail = self.solver.propagate(assumptions=list(cube))
        fixed = {abs(literal) for literal in trail}
        return consistent, len(fixed), [v for v in self.variables if v not in fixed]

    def part(self, cube: Cube) -> Part:
        """Return the cube with its size."""
        consistent, _, left = self._open(cube)
        return Part(cube, len(left), not consistent)

    def parts_by(self, variables: Sequence[int], cube: Cube) -> tuple[list[Part], list[Part]]:
        """Split a cube by `variables`; return the open parts, and those that propagation refutes.

        None of the variables is open in an open part, except where that would take more than
        MOST_FIRST_PARTS parts: then there are fewer and larger ones.
        """
        standing, closed, pending = list[Part](), list[Part](), deque([cube])
        while pending:
            earliest = pending.popleft()
            consistent, _, left = self._open(earliest)
            variable = next((v for v in variables if v in left), None)
            if not consistent:
                closed.append(Part(earliest, len(left), closed=True))
            elif variable is None or len(standing) + len(pending) >= MOST_FIRST_PARTS:
                standing.append(Part(earliest, len(left)))
            else:
                pending += [(*earliest, variable), (*earliest, -variable)]
        return standing, closed

    def best_variable(self, cube: Cube) -> int | None:
        """Return the variable by which to split a cube; None if all are fixed."""
        _, known, left = self._open(cube)

        def consequences(literal: int) -> int:
            consistent, trail = self.solver.propagate(assumptions=[*cube, literal])
            return len(trail) - known if consistent else WORTH_OF_A_CONFLICT

        def worth(variable: int) -> tuple[int, int]:
            one, other = consequences(variable), consequences(-variable)
            return one * other, one + other

        return max(left[:MOST_CANDIDATES], key=worth, default=None)
