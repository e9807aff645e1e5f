"""Integer programs as the text of LP, MPS and OPB files, in which all numbers are integers.

Rows and costs with fractions are multiplied by their least common denominator, so that nothing is
rounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from textwrap import wrap
from typing import Any

from schedsolve.modelkit.formulas.integer_program import (
    NO_FRACTIONS,
    IntegerProgram,
    Variable,
    whole_costs,
    whole_row,
)
from schedsolve.modelkit.formulas.linear_program import Number, Row
from schedsolve.runtime.errors import InputError
from schedsolve.runtime.files.escapes import in_comment

WIDTH = 100
JOINED = 10_000
"""Lines that are joined at a time: a list of all would take as much memory again as their text."""


def lp_text(program: IntegerProgram, comments: Iterable[str] = ()) -> str:
    """Return the program as an LP file (of CPLEX; CBC, HiGHS, SCIP, GLPK and Gurobi read it)."""
    return _text(chain(comment_lines("\\", comments), _lp_lines(program)))


def _lp_lines(program: IntegerProgram) -> Iterator[str]:
    names = [x.name for x in program.variables]
    costs, _ = whole_costs(program.costs)
    yield from ("Minimize", *_wrapped(["obj:", *_terms(costs, names)]), "Subject To")
    for family in program.families:
        yield from comment_lines("\\", [f"{family.name}: {family.rule}"])
        for number, row in enumerate(family.rows, 1):
            whole = whole_row(row)
            terms = _terms(whole.coefficients, names)
            yield from _wrapped([f"{family.name}_{number}:", *terms, f"{whole.sense} {whole.right}"])
    bounded = [x for x in program.variables if not x.is_binary and x.upper is not None]
    if bounded:
        yield from ("Bounds", *(f" 0 <= {x.name} <= {_bound(x)}" for x in bounded))
    binary = [x.name for x in program.variables if x.is_binary]
    general = [x.name for x in program.variables if x.integer and not x.is_binary]
    for title, chosen in (("Binary", binary), ("General", general)):
        if chosen:
            yield from (title, *(f" {name}" for name in chosen))
    yield "End"


def _text(lines: Iterable[str]) -> str:
    """Return the lines as the text of a file."""
    left, parts = iter(lines), []
    while part := [*islice(left, JOINED)]:
        parts.append("\n".join([*part, ""]))
    return "".join(parts)


def _bound(x: Variable) -> int:
    """Return the upper bound of a variable as an integer."""
    assert x.upper is not None
    if x.upper != int(x.upper):
        raise ValueError(f"the bound {x.upper} of {x.name} is not an integer")
    return int(x.upper)


def comment_lines(mark: str, comments: Iterable[str]) -> list[str]:
    """Return comments as lines of limited length that begin with `mark`; continuation lines are indented."""
    return [
        f"{mark} {part}"
        for line in comments
        for part in wrap(in_comment(line), WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    ]


def _terms(coefficients: Mapping[int, Number], names: list[str]) -> list[str]:
    """Return the terms of a linear expression; 0 times the first variable for an empty one.

    The file formats do not allow an empty expression.
    """
    terms: list[str] = []
    for x, a in coefficients.items() or [(0, 0)]:
        sign = "- " if a < 0 else "+ " if terms else ""
        size = "" if abs(a) == 1 else f"{abs(a)} "
        terms.append(f"{sign}{size}{names[x]}")
    return terms


def _wrapped(words: Iterable[str]) -> Iterator[str]:
    """Yield the words in lines of limited length, the first indented less; no word is divided."""
    line = ""
    for word in words:
        if len(line) + len(word) > WIDTH:
            yield line
            line = "  "
        line += f" {word}"
    yield line


def mps_text(program: IntegerProgram, comments: Iterable[str] = ()) -> str:
    """Return the program as an MPS file, in the columns of the fixed format as far as names are short."""
    rules = (f"{family.name}: {family.rule}" for family in program.families)
    return _text(chain(comment_lines("*", [*comments, *rules]), _mps_lines(program)))


def _mps_lines(program: IntegerProgram) -> Iterator[str]:
    yield from ("NAME schedsolve", "ROWS", " N  obj")
    letters = {"<=": "L", ">=": "G", "=": "E"}
    yield from (f" {letters[row.sense]} {name}" for name, row in program.rows)
    yield "COLUMNS"
    yield from _columns(program)
    yield "RHS"
    rights = ((name, whole_row(row).right) for name, row in program.rows)
    yield from (f"    RHS       {name:<8}  {right}" for name, right in rights if right)
    yield "BOUNDS"
    for variable in program.variables:
        if variable.is_binary:
            yield f" BV BND       {variable.name}"
        elif variable.upper is not None:
            yield f" UP BND       {variable.name:<8}  {_bound(variable)}"
        elif variable.integer:
            yield f" PL BND       {variable.name}"
    yield "ENDATA"


def _columns(program: IntegerProgram) -> Iterator[str]:
    """Yield the lines of the columns, integers between markers; an unused variable has a cost of 0."""
    costs, _ = whole_costs(program.costs)
    # Of each column the names of its rows and its coefficients in turn, which takes less than pairs of them.
    columns: list[list[Any]] = [
        ["obj", costs[x]] if x in costs else [] for x in range(len(program.variables))
    ]
    for name, row in program.rows:
        for x, a in whole_row(row).coefficients.items():
            columns[x] += name, a
    inside = False
    for variable, entries in zip(program.variables, columns, strict=True):
        if variable.integer != inside:
            inside = variable.integer
            yield f"    MARK      'MARKER'                 '{'INTORG' if inside else 'INTEND'}'"
        pairs = iter(entries or ("obj", 0))
        yield from (f"    {variable.name:<8}  {row:<8}  {a}" for row, a in zip(pairs, pairs, strict=True))
    if inside:
        yield "    MARK      'MARKER'                 'INTEND'"


def opb_text(program: IntegerProgram, comments: Iterable[str] = ()) -> str:
    """Return the program as a pseudo-Boolean file (OPB).

    Its variables are x1, x2, ..., named in comments. A variable with an upper bound above 1 is a sum of
    weighted bits.

    Raises
    ------
    InputError
        If a variable is not an integer or has no bound.
    """
    if not program.is_pure:
        raise InputError(f"OPB {NO_FRACTIONS}")
    weights, names = bits_of(program)
    costs, _ = whole_costs(program.costs)

    def body() -> Iterator[str]:
        if costs:
            yield f"min: {_weighted(costs, weights)} ;"
        for family in program.families:
            yield from comment_lines("*", [f"{family.name}: {family.rule}"])
            for row in family.rows:
                whole = whole_row(row)
                if whole.sense == "<=":
                    whole = Row({x: -a for x, a in whole.coefficients.items()}, ">=", -whole.right)
                yield f"{_weighted(whole.coefficients, weights)} {whole.sense} {whole.right} ;"

    head = [f"* #variable= {len(names)} #constraint= {program.row_count}", *comment_lines("*", comments)]
    meanings = (f"* x{number} = {name}" for number, name in enumerate(names, 1))
    return _text(chain(head, meanings, body()))


def bits_of(program: IntegerProgram) -> tuple[list[list[tuple[int, int]]], list[str]]:
    """Return the bits whose weighted sum is each variable, as (number, weight), and the bits' names.

    Bits are numbered from 1. A 0/1 variable is its own bit. Bit `name_bit2` has the weight 4; the last bit's
    weight is what makes the sum of all end at the upper bound.
    """
    weights: list[list[tuple[int, int]]] = []
    names: list[str] = []
    for x in program.variables:
        left, bits = _bound(x), []
        if x.is_binary:
            names.append(x.name)
            bits = [(len(names), 1)]
            left = 0
        while left:
            weight = min(1 << len(bits), left)
            names.append(f"{x.name}_bit{len(bits)}")
            bits.append((len(names), weight))
            left -= weight
        weights.append(bits)
    return weights, names


def _weighted(coefficients: Mapping[int, Number], weights: list[list[tuple[int, int]]]) -> str:
    terms = [(a * weight, bit) for x, a in coefficients.items() for bit, weight in weights[x]]
    return " ".join(f"{a:+d} x{bit}" for a, bit in terms) or "+0 x1"
