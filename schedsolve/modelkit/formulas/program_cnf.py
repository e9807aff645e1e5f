"""Integer programs as formulas: a row is a decision diagram over the bits of its variables.

A row is turned into "the weights of the true literals sum to at most b". The diagram's node (i, b) says that
so much suffices for the literals from number i on: it implies node (i + 1, b), and, where literal i is true,
node (i + 1, b - weight). Equal nodes are one. A constraint that a single clause says is that clause.

References
----------
Een and Sorensson, Translating pseudo-Boolean constraints into SAT (JSAT 2006), section 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from schedsolve.modelkit.formulas.cnf import Cnf
from schedsolve.modelkit.formulas.integer_program import (
    MOST_TERMS,
    NO_FRACTIONS,
    IntegerProgram,
    whole_row,
)
from schedsolve.modelkit.formulas.program_files import bits_of
from schedsolve.runtime.errors import InputError


def cnf_of_program(program: IntegerProgram) -> tuple[Cnf, dict[str, list[tuple[int, int]]], list[str]]:
    """Return a formula that has a model exactly when a pure program has a solution; costs are left out.

    Returns
    -------
    The formula; by name of a variable its bits, each a number and a weight; and the names of all bits,
    numbered from 1.

    Raises
    ------
    InputError
        If a variable is not an integer or has no bound, and if the formula would be too large.
    """
    if not program.is_pure:
        raise InputError(f"a formula {NO_FRACTIONS}")
    weights, names = bits_of(program)
    cnf = Cnf(len(names))
    for _, row in program.rows:
        whole = whole_row(row)
        terms = [(int(a) * weight, bit) for x, a in whole.coefficients.items() for bit, weight in weights[x]]
        right = int(whole.right)
        if whole.sense != ">=":
            _at_most(cnf, terms, right)
        if whole.sense != "<=":
            _at_most(cnf, [(-a, bit) for a, bit in terms], -right)
        if len(cnf.clauses) > MOST_TERMS:
            raise InputError(f"the formula would have more than {MOST_TERMS} clauses")
    return cnf, {x.name: bits for x, bits in zip(program.variables, weights, strict=True)}, names


def value_of(bits: Sequence[tuple[int, int]], true: set[int]) -> int:
    """Return the value of a variable in a model."""
    return sum(weight for bit, weight in bits if bit in true)


def _at_most(cnf: Cnf, terms: Sequence[tuple[int, int]], most: int) -> None:
    """Require that the sum of the coefficients of true bits is at most `most`."""
    # A bit that counts -a is a, less what its negation counts.
    most -= sum(a for a, _ in terms if a < 0)
    weighted = sorted(((abs(a), bit if a > 0 else -bit) for a, bit in terms if a), reverse=True)
    rest = [0]
    for weight, _ in reversed(weighted):
        rest.append(rest[-1] + weight)
    rest.reverse()
    if rest[0] <= most:
        return
    if most < 0:
        never = cnf.new()
        cnf.extend([[never], [-never]])
        return
    if rest[0] - weighted[-1][0] <= most:
        cnf.add(*(-literal for _, literal in weighted))
        return
    _diagram(cnf, weighted, rest, most)


def _diagram(cnf: Cnf, weighted: Sequence[tuple[int, int]], rest: Sequence[int], most: int) -> None:
    """Require that the true literals weigh at most `most`, which is at least 0 and less than all weigh.

    Parameters
    ----------
    cnf
        The formula.
    weighted
        Weights above 0 with their literals, the greatest first.
    rest
        What all literals from each number on weigh.
    most
        The limit.
    """
    # None at the top: what it implies holds in any case.
    level: Mapping[int, int | None] = {most: None}
    for i, (weight, literal) in enumerate(weighted):
        below: dict[int, int] = {}
        for budget, node in level.items():
            given = [] if node is None else [-node]
            for left, more in ((budget, []), (budget - weight, [-literal])):
                if left < 0:
                    cnf.add(*given, *more)
                elif left < rest[i + 1]:
                    if left not in below:
                        below[left] = cnf.new()
                    cnf.add(*given, *more, below[left])
        level = below
