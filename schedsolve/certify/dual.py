"""What a dual solution proves about a linear program, computed exactly and without a solver.

Weak duality: multiply every row with a multiplier of the right sign and add up. What then remains of the costs, the reduced costs, is
bounded by the bounds of the variables: a dual need not be feasible to prove something, only its violations need bounded variables.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from schedsolve.errors import ClaimError
from schedsolve.linear_program import LinearProgram, Number


def dual_bound(program: LinearProgram, multipliers: Mapping[int, Number] | Sequence[Number]) -> Fraction:
    """The lower bound on the program's value that the multipliers prove.

    multipliers: by number of the row; rows that are left out of a mapping have 0. A row >= takes a multiplier >= 0, a row <= one <= 0.
    Raises ClaimError for a multiplier of the wrong sign or of no row, and where a reduced cost meets a missing bound of its variable.
    """
    return _bound(program, program.costs, multipliers)


def check_infeasible(program: LinearProgram, multipliers: Mapping[int, Number] | Sequence[Number]) -> None:
    """Check that the multipliers prove that no values meet the rows and bounds: with all costs 0 they prove more than 0.

    Raises ClaimError when they do not.
    """
    bound = _bound(program, [0] * len(program.costs), multipliers)
    if bound <= 0:
        raise ClaimError(f"the multipliers add the rows up to 0 >= {bound}, which is no contradiction")


def _bound(program: LinearProgram, costs: Sequence[Number], multipliers: Mapping[int, Number] | Sequence[Number]) -> Fraction:
    weights = multipliers if isinstance(multipliers, Mapping) else dict(enumerate(multipliers))
    reduced = [Fraction(c) for c in costs]
    bound = Fraction(0)
    for i, weight in weights.items():
        if not 0 <= i < len(program.rows):
            raise ClaimError(f"a multiplier for row {i}, of {len(program.rows)}")
        row = program.rows[i]
        if (row.sense == ">=" and weight < 0) or (row.sense == "<=" and weight > 0):
            raise ClaimError(f"the multiplier {weight} of row {i}, which is {row.sense}, has the wrong sign")
        if weight:
            bound += Fraction(weight) * row.right
            for j, a in row.coefficients.items():
                reduced[j] -= Fraction(weight) * a
    for j, rest in enumerate(reduced):
        if rest:
            limit = program.lower[j] if rest > 0 else program.upper[j]
            if limit is None:
                raise ClaimError(f"variable {j} has the reduced cost {rest} and no {'lower' if rest > 0 else 'upper'} bound")
            bound += rest * limit
    return bound
