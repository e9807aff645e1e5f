"""How fast knowledge grows at most by one-way calls in networks of degree 3: a certificate in fractions.

Theorem 3 of docs/theorems.md. In the universal covering tree let K be the number of items that a node
knows and x_1, x_2, x_3 the batches of its edges, as in `.prices`, and let every edge have the direction of
its last use. For a node with m edges that came in last the certificate gives a quadratic form q_m of
these, the same for edges of one direction, with q_m >= K^2 and, for every kind of call u -> v,

    rate^2 (q(u) + q(v)) >= q(u after) + q(v after)    wherever 0 <= x_l <= K.

Such an inequality is proven by whole multipliers N >= 0: left minus right is P + sum of N_ij g_i g_j,
where the g's are the x_l and the K - x_l, and P is positive definite, which elimination in fractions
shows. The sum of q over all nodes of the network then grows by rate^2 a round at most, and is n times n^2
at least after a gossip.

The certificate was found by a semidefinite programme; nothing rests on how.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from schedsolve.errors import ClaimError
from schedsolve.problem import Problem

from ..rules import is_two_way

CERTIFICATE = Path(__file__).with_name("growth.json")
DEGREE = 3

Vector = tuple[int, ...]
"""A linear expression in the variables K, x_1, x_2, x_3 of one node, or of u and then v."""
Matrix = list[list[Fraction]]


def cubic_growth(problem: Problem) -> int | None:
    """The least M with n^2 <= c rate^(2M), for one-way gossip in a network of degree 3 at most."""
    network = problem.network
    if problem.task != "gossip" or is_two_way(problem):
        return None
    if any(len({*near, *network.predecessors[v]}) > DEGREE for v, near in enumerate(network.successors)):
        return None
    rate, start = proven_growth()
    rounds, most = 0, start
    while most < network.node_count**2:
        rounds, most = rounds + 1, most * rate * rate
    return rounds


@cache
def proven_growth() -> tuple[Fraction, Fraction]:
    """The rate and the greatest q_m(1, 1, 1, 1) of the shipped certificate, which is verified."""
    data = json.loads(CERTIFICATE.read_text(encoding="utf-8"))
    return verified_growth(data)


def verified_growth(data: Mapping[str, Any]) -> tuple[Fraction, Fraction]:
    """The rate that a certificate proves, and the greatest q_m(1, 1, 1, 1). Raises ClaimError when it proves
    none.
    """
    unit: int = data["unit"]
    rate = Fraction(data["rate"][0], data["rate"][1])
    forms = [_form(m, data["forms"][m], unit) for m in range(DEGREE + 1)]
    kinds = list(_kinds())
    if len(data["calls"]) != len(kinds) or len(data["squares"]) != len(forms):
        raise ClaimError("there are multipliers for each of 18 kinds of call and 4 forms")
    for (incoming, m_u, m_v), multipliers in zip(kinds, data["calls"], strict=True):
        difference = [[Fraction(0)] * 8 for _ in range(8)]
        for factor, m, node in _terms(incoming, m_u, m_v, rate * rate):
            _add(difference, factor, forms[m], node)
        way = "in" if incoming else "out"
        name = f"a call over an edge last used {way}, between nodes with {m_u} and {m_v} edges in"
        _require_positive(difference, multipliers, unit, name)
    for m, multipliers in enumerate(data["squares"]):
        difference = [list(row) for row in forms[m]]
        difference[0][0] -= 1
        _require_positive(difference, multipliers, unit, f"the form of a node with {m} edges in")
    return rate, max(sum((value for row in form for value in row), Fraction(0)) for form in forms)


def _form(m: int, coefficients: Mapping[str, int], unit: int) -> Matrix:
    """q_m as a symmetric matrix; the first m edges came in last.

    coefficients: of K^2 (KK), K times the sum of the batches in (KI) and out (KO), the sums of squares
    (II, OO), and of products of two different edges, both in (IJ), both out (OP), one of each (IO).
    """
    matrix = [[Fraction(0)] * 4 for _ in range(4)]
    matrix[0][0] = Fraction(coefficients["KK"], unit)
    for i in range(1, 4):
        for j in range(i + 1):
            one, other = "I" if i <= m else "O", "I" if 0 < j <= m else "O"
            if j == 0:
                name = f"K{one}"
            elif i == j:
                name = 2 * one
            else:
                name = {"II": "IJ", "OO": "OP"}.get(one + other, "IO")
            value = Fraction(coefficients[name], unit)
            matrix[i][j] = matrix[j][i] = value if i == j else value / 2
    return matrix


def _kinds() -> Iterator[tuple[bool, int, int]]:
    """Every kind of call: whether its edge came in last at the caller, and how many edges did at both
    ends.
    """
    for incoming in (True, False):
        for m_u in range(1, 4) if incoming else range(3):
            for m_v in range(3) if incoming else range(1, 4):
                yield incoming, m_u, m_v


def _terms(
    incoming: bool, m_u: int, m_v: int, growth: Fraction
) -> Iterator[tuple[Fraction, int, list[Vector]]]:
    """The four forms of the inequality of a call: factor, m, and the node's variables, edges that came in
    first.
    """
    u = [_unit(place) for place in range(4)]
    v = [_unit(place) for place in range(4, 8)]
    yield growth, m_u, u
    yield growth, m_v, v
    sold = 1 if incoming else m_u + 1
    bought = m_v + 1 if incoming else 1
    edges_in = [u[i] for i in range(1, m_u + 1) if i != sold]
    edges_out = [u[i] for i in range(m_u + 1, 4) if i != sold]
    yield Fraction(-1), len(edges_in), [u[0], *edges_in, *edges_out, (0,) * 8]
    batch = u[sold]
    edges_in = [_sum(v[i], batch) for i in range(1, m_v + 1) if i != bought] + [v[bought]]
    edges_out = [_sum(v[i], batch) for i in range(m_v + 1, 4) if i != bought]
    yield Fraction(-1), len(edges_in), [_sum(v[0], batch), *edges_in, *edges_out]


def _unit(place: int) -> Vector:
    return tuple(1 if i == place else 0 for i in range(8))


def _sum(one: Vector, other: Vector) -> Vector:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def _add(matrix: Matrix, factor: Fraction, form: Matrix, node: Sequence[Vector]) -> None:
    """Add a multiple of a form of the node's variables to the matrix of a form of all variables."""
    for i, row in enumerate(form):
        for j, value in enumerate(row):
            weight = factor * value
            for a, x in enumerate(node[i]):
                for b, y in enumerate(node[j]):
                    if weight and x and y:
                        matrix[a][b] += weight * x * y


def _require_positive(matrix: Matrix, multipliers: Sequence[int], unit: int, name: str) -> None:
    """Raise ClaimError unless the form is proven to be positive wherever 0 <= x_l <= K: it is so when the
    rest that the multipliers leave is positive definite.
    """
    size = len(matrix)
    sides: list[Vector] = []
    for node in range(0, size, 4):
        for edge in range(1, 4):
            known, batch = (tuple(1 if i == at else 0 for i in range(size)) for at in (node, node + edge))
            sides += [batch, tuple(k - x for k, x in zip(known, batch, strict=True))]
    pairs = [(i, j) for j in range(len(sides)) for i in range(j + 1)]
    if len(multipliers) != len(pairs) or any(type(value) is not int or value < 0 for value in multipliers):
        raise ClaimError(f"{name}: there are {len(pairs)} multipliers, whole numbers of 0 or more")
    rest = [list(row) for row in matrix]
    for (i, j), value in zip(pairs, multipliers, strict=True):
        for a in range(size):
            for b in range(size):
                product = sides[i][a] * sides[j][b] + sides[j][a] * sides[i][b]
                rest[a][b] -= Fraction(value * product, 2 * unit)
    for pivot in range(size):
        if rest[pivot][pivot] <= 0:
            raise ClaimError(f"{name}: the multipliers do not prove the inequality")
        for row in range(pivot + 1, size):
            factor = rest[row][pivot] / rest[pivot][pivot]
            for column in range(pivot, size):
                rest[row][column] -= factor * rest[pivot][column]
