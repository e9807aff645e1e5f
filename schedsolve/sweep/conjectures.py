"""Conjectures: sharp linear inequalities between an optimum and invariants of the network.

For every invariant z, and every two invariants x and z, a linear program finds the inequality
`y <= a*x + b*z + c` (or >=) that holds in every row of a table and has the least total slack. Its solver
uses floats, so the slopes are rounded to fractions with small denominators; the constant is then
computed exactly, as the one with which the inequality holds in every row and is an equation in some. An
inequality is left out if another one is an equation wherever it is.

In the manner of TxGraffiti (R. Davila, 2023) and of Fajtlowicz's Graffiti.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any, Literal

from schedsolve.errors import InputError, shown
from schedsolve.formulas.linear_program import LinearProgram
from schedsolve.network.invariants import INVARIANTS, TRUTHS
from schedsolve.result import value_to_json
from schedsolve.sweep.hypotheses import HypothesisTable

LARGEST_DENOMINATOR = 12
LP_SECONDS = 10.0
MOST_PER_SIDE = 8
"""The most conjectures shown for each side."""
_LINEAR = tuple(name for name in INVARIANTS if name not in TRUTHS and name != "degrees")

Point = tuple[Fraction, ...]


@dataclass(frozen=True)
class Conjecture:
    """An inequality that holds in every row.

    `text` is an expression, `tight` the networks for which it is an equation, and `rows` the number of rows
    in which it was tested.
    """

    text: str
    tight: tuple[str, ...]
    rows: int


def conjectures(table: HypothesisTable, target: str) -> list[Conjecture]:
    """Return inequalities that bound a column from above and from below, those most often tight first.

    Only rows whose target is proven optimal count.

    Parameters
    ----------
    table
        The rows.
    target
        The column to bound: "value", or a joined column such as "telephone_gossip".

    Raises
    ------
    InputError
        If there is no such column, or if fewer than three rows count.
    """
    if target != "value" and target not in table.joined:
        raise InputError(
            f"a conjecture is about value or the optimum of a task ({', '.join(sorted(table.joined))}), not"
            f" {shown(target)}"
        )
    at = {name: i for i, name in enumerate(table.columns)}
    rows: Sequence[Sequence[Any]] = [
        row
        for row in table.rows
        if row[at[target]] is not None and (target != "value" or row[at["status"]] == "optimal")
    ]
    if target != "value":
        rows = list({row[at["network_id"]]: row for row in rows}.values())
    if len(rows) < 3:
        raise InputError(f"there are {len(rows)} rows whose {target} is known; a conjecture takes 3 or more")
    names = [
        name
        for name in _LINEAR
        if len({row[at[name]] for row in rows}) > 1 and all(row[at[name]] is not None for row in rows)
    ]
    heights = [Fraction(row[at[target]]) for row in rows]
    networks = [row[at["network"]] for row in rows]
    found: list[Conjecture] = []
    sides: tuple[Literal["<=", ">="], ...] = ("<=", ">=")
    for side in sides:
        proposed: dict[str, Conjecture] = {}
        for count in (0, 1, 2):
            for chosen in combinations(names, count):
                points = [tuple(Fraction(row[at[name]]) for name in chosen) for row in rows]
                slopes = _slopes(points, heights, side)
                if slopes is not None and (count == 0 or all(slopes)):
                    made = _made(
                        target, side, dict(zip(chosen, slopes, strict=True)), points, heights, networks
                    )
                    proposed.setdefault(made.text, made)
        found += _best(list(proposed.values()))
    return found


def _slopes(points: Sequence[Point], heights: Sequence[Fraction], side: Literal["<=", ">="]) -> Point | None:
    """Return the slopes of the plane above (or below) all heights with the least sum of distances."""
    if not points[0]:
        return ()
    extreme: dict[Point, Fraction] = {}
    better = max if side == "<=" else min
    for point, height in zip(points, heights, strict=True):
        extreme[point] = better(height, extreme.get(point, height))
    program, sign = LinearProgram(), 1 if side == "<=" else -1
    # A free number is the difference of two that are not negative.
    variables = [
        (program.variable(sign * total), program.variable(-sign * total))
        for total in (*(sum(p[i] for p in extreme) for i in range(len(points[0]))), Fraction(len(extreme)))
    ]
    for point, height in extreme.items():
        row = {}
        for (plus, minus), x in zip(variables, (*point, Fraction(1)), strict=True):
            row[plus], row[minus] = x, -x
        program.add(row, ">=" if side == "<=" else "<=", height)
    from schedsolve.backends.lp import float_solution

    solution = float_solution(program, LP_SECONDS)
    if solution is None:
        return None
    values = [solution.values[plus] - solution.values[minus] for plus, minus in variables]
    return tuple(Fraction(value).limit_denominator(LARGEST_DENOMINATOR) for value in values[:-1])


def _made(
    target: str,
    side: Literal["<=", ">="],
    slopes: Mapping[str, Fraction],
    points: Sequence[Point],
    heights: Sequence[Fraction],
    networks: Sequence[str],
) -> Conjecture:
    """Return the inequality with these slopes whose constant makes it hold everywhere and tight somewhere."""
    rests = [
        height - sum((a * x for a, x in zip(slopes.values(), point, strict=True)), Fraction(0))
        for point, height in zip(points, heights, strict=True)
    ]
    constant = max(rests) if side == "<=" else min(rests)
    tight = [network for network, rest in zip(networks, rests, strict=True) if rest == constant]
    text = f"{target} {side} {_sum_text(slopes, constant)}"
    return Conjecture(text, tuple(dict.fromkeys(tight)), len(heights))


def _sum_text(slopes: Mapping[str, Fraction], constant: Fraction) -> str:
    """Return the sum as an expression such as "2*n - 3/2*girth + 1"."""
    parts = [(a, name if abs(a) == 1 else f"{value_to_json(abs(a))}*{name}") for name, a in slopes.items()]
    if constant or not parts:
        parts.append((constant, str(value_to_json(abs(constant)))))
    first, *rest = parts
    text = ("-" if first[0] < 0 else "") + first[1]
    return text + "".join(f" {'-' if a < 0 else '+'} {word}" for a, word in rest)


def _best(proposed: Sequence[Conjecture]) -> list[Conjecture]:
    """Return the inequalities most often tight, without those tight only where an earlier one is."""
    kept: list[Conjecture] = []
    for one in sorted(proposed, key=lambda c: (-len(c.tight), len(c.text))):
        if not any(set(one.tight) <= set(other.tight) for other in kept):
            kept.append(one)
    return kept[:MOST_PER_SIDE]
