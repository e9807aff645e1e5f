"""Conjectures: sharp linear inequalities between an optimum and invariants of the network.

For every invariant z, and every two invariants x and z, a linear program finds the inequality
`y <= a*x + b*z + c` (or >=) that holds in every row of a table and has the least total slack. Its solver
uses floats, so the slopes are rounded to fractions with small denominators; the constant is then
computed exactly, as the one with which the inequality holds in every row and is an equation in some. Premises
such as "tree" restrict the rows; with one, inequalities have one invariant, which may be the optimum of
another task. An inequality is left out if wherever it is an equation, one of those before it is.

In the manner of TxGraffiti (R. Davila, 2023) and of Fajtlowicz's Graffiti.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from math import lcm
from operator import mul
from typing import Any, Literal

from schedsolve.experiments.sweeps.expressions import compiled
from schedsolve.experiments.sweeps.hypotheses import HypothesisTable
from schedsolve.modelkit.formulas.linear_program import LinearProgram
from schedsolve.modelkit.result import value_to_json
from schedsolve.network.classes.invariants import INVARIANTS, TRUTHS
from schedsolve.runtime.errors import InputError, shown

PREMISES = (
    "tree",
    "bipartite",
    "planar",
    "vertex_transitive",
    "min_degree == max_degree",
    "2*m == n*(n - 1)",
    "2*m == n*(n - 1) and n % 2 == 0",
    "2*m == n*(n - 1) and n % 2 == 1",
)
"""The classes of networks for which inequalities are sought: trees, ..., regular and complete networks."""
LARGEST_DENOMINATOR = 12
LP_SECONDS = 10.0
MOST_PER_SIDE, MOST_PER_PREMISE = 8, 4
"""The most conjectures shown for each side, of all networks and of those of a premise."""
_LINEAR = (*(name for name in INVARIANTS if name not in TRUTHS and name != "degrees"), "ceil(log2(n))")

Side = Literal["<=", ">=", "=="]

Point = tuple[int, ...]


@dataclass(frozen=True)
class Conjecture:
    """An inequality that holds in every row for which its premise does.

    `tight` are the networks for which it is an equation, and `rows` counts those in which it was tested.
    """

    target: str
    side: Side
    bound: str
    tight: tuple[str, ...]
    rows: int
    premise: str | None = None

    @property
    def inequality(self) -> str:
        """The inequality alone."""
        return f"{self.target} {self.side} {self.bound}"

    @property
    def text(self) -> str:
        """The conjecture as an expression, which can be tested as a claim."""
        return self.inequality if self.premise is None else f"not ({self.premise}) or {self.inequality}"


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
    found: list[Conjecture] = []
    joined = _other_tasks(table, target)
    for premise in (None, *PREMISES):
        kept = rows if premise is None else [row for row in rows if _holds(premise, table.columns, row)]
        if len(kept) >= 3 and (premise is None or len(kept) < len(rows)):
            names = _LINEAR if premise is None else (*_LINEAR, *joined)
            found += _of_premise(table, target, premise, kept, names, found)
    return _equations(found)


def _equations(found: Sequence[Conjecture]) -> list[Conjecture]:
    """Return the conjectures, with an equation for two that bound the target from both sides by the same."""
    sides: dict[tuple[str | None, str], set[Side]] = {}
    for one in found:
        sides.setdefault((one.premise, one.bound), set()).add(one.side)
    both = {key for key, known in sides.items() if len(known) > 1}
    return [
        replace(one, side="==") if (one.premise, one.bound) in both else one
        for one in found
        if one.side == "<=" or (one.premise, one.bound) not in both
    ]


def _other_tasks(table: HypothesisTable, target: str) -> list[str]:
    """Return a column for each task on the same network but the target's, which is also in `value`."""
    questions = {table.tasks.get(target)} if target in table.joined else set(table.tasks.values())
    names = []
    for name, question in table.tasks.items():
        if question not in questions:
            questions.add(question)
            names.append(name)
    return names


def _holds(premise: str, columns: Sequence[str], row: Sequence[Any]) -> bool:
    return compiled(premise, columns)[0](row) is True


def _of_premise(
    table: HypothesisTable,
    target: str,
    premise: str | None,
    rows: Sequence[Sequence[Any]],
    names: Sequence[str],
    before: Sequence[Conjecture],
) -> list[Conjecture]:
    """Return what the rows of a premise propose, without what is tight only where others are."""
    at = {name: i for i, name in enumerate(table.columns)}
    networks = [row[at["network"]] for row in rows]
    columns = {target: [Fraction(row[at[target]]) for row in rows]}
    for name in names:
        column = [compiled(name, table.columns)[0](row) for row in rows]
        if None not in column and len(set(column)) > 1:
            columns[name] = [Fraction(value) for value in column]
    scale = lcm(*(value.denominator for column in columns.values() for value in column))
    values = {name: [int(scale * value) for value in column] for name, column in columns.items()}
    heights = values.pop(target)
    found: list[Conjecture] = []
    sides: tuple[Side, ...] = ("<=", ">=")
    for side in sides:
        proposed: dict[str, Conjecture] = {}
        for count in (0, 1, 2) if premise is None else (0, 1):
            for chosen in combinations(values, count):
                points = (
                    list(zip(*(values[name] for name in chosen), strict=True)) if count else [()] * len(rows)
                )
                slopes = _slopes(points, heights, side)
                if slopes is not None and (count == 0 or all(slopes)):
                    named = dict(zip(chosen, slopes, strict=True))
                    bound, tight = _made(side, named, points, heights, networks, scale)
                    proposed.setdefault(bound, Conjecture(target, side, bound, tight, len(rows), premise))
        others = [one for one in before if one.side == side]
        networks_here = len(set(networks))
        found += _best(
            list(proposed.values()), others, networks_here, MOST_PER_PREMISE if premise else MOST_PER_SIDE
        )
    return found


def _slopes(points: Sequence[Point], heights: Sequence[int], side: Side) -> tuple[Fraction, ...] | None:
    """Return the slopes of the plane above (or below) all heights with the least sum of distances."""
    if not points[0]:
        return ()
    extreme: dict[Point, int] = {}
    better = max if side == "<=" else min
    for point, height in zip(points, heights, strict=True):
        extreme[point] = better(height, extreme.get(point, height))
    program, sign = LinearProgram(), 1 if side == "<=" else -1
    # A free number is the difference of two that are not negative.
    variables = [
        (program.variable(sign * total), program.variable(-sign * total))
        for total in (*(sum(p[i] for p in extreme) for i in range(len(points[0]))), len(extreme))
    ]
    for point, height in extreme.items():
        row = {}
        for (plus, minus), x in zip(variables, (*point, 1), strict=True):
            row[plus], row[minus] = x, -x
        program.add(row, ">=" if side == "<=" else "<=", height)
    from schedsolve.backends.lp import float_solution

    solution = float_solution(program, LP_SECONDS)
    if solution is None:
        return None
    values = [solution.values[plus] - solution.values[minus] for plus, minus in variables]
    return tuple(Fraction(value).limit_denominator(LARGEST_DENOMINATOR) for value in values[:-1])


def _made(
    side: Side,
    slopes: Mapping[str, Fraction],
    points: Sequence[Point],
    heights: Sequence[int],
    networks: Sequence[str],
    scale: int,
) -> tuple[str, tuple[str, ...]]:
    """Return the bound with these slopes whose constant makes it hold everywhere, and where it is tight.

    Points and heights are integers, `scale` times the values.
    """
    common = lcm(*(a.denominator for a in slopes.values()))
    factors = [int(common * a) for a in slopes.values()]
    rests = [
        common * height - sum(map(mul, factors, point)) for point, height in zip(points, heights, strict=True)
    ]
    least = max(rests) if side == "<=" else min(rests)
    tight = [network for network, rest in zip(networks, rests, strict=True) if rest == least]
    return _sum_text(slopes, Fraction(least, common * scale)), tuple(dict.fromkeys(tight))


def _sum_text(slopes: Mapping[str, Fraction], constant: Fraction) -> str:
    """Return the sum as an expression such as "2*n - 3/2*girth + 1"."""
    parts = [(a, name if abs(a) == 1 else f"{value_to_json(abs(a))}*{name}") for name, a in slopes.items()]
    if constant or not parts:
        parts.append((constant, str(value_to_json(abs(constant)))))
    first, *rest = parts
    text = ("-" if first[0] < 0 else "") + first[1]
    return text + "".join(f" {'-' if a < 0 else '+'} {word}" for a, word in rest)


def _best(
    proposed: Sequence[Conjecture], others: Sequence[Conjecture], longest: int, most: int
) -> list[Conjecture]:
    """Return the inequalities most often tight, without those tight only where earlier ones or others are.

    Those that are tight for all networks, `longest` of them, stay unless others are tight for all of theirs.
    """
    kept: list[Conjecture] = []
    covered = {network for one in others for network in one.tight}
    equations = {network for one in others if len(one.tight) == one.rows for network in one.tight}
    for one in sorted(proposed, key=lambda c: (-len(c.tight), len(c.text))):
        everywhere = len(one.tight) == longest
        if len(kept) < most and not (equations if everywhere else covered).issuperset(one.tight):
            kept.append(one)
            covered.update(one.tight)
    return kept
