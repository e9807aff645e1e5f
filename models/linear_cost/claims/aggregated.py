"""A linear program that bounds f_T(r) from below.

It knows round costs, classes of information, and how many nodes hold each of them.

The bits are put into classes by the round in which the source first sends them. Variables, for a message of
size 1 in R = T + r rounds:

- `cost[t]`, the cost of round t; their sum is minimised.
- `size[s]`, how much the source first sends in round s, for s = 1..r+1: what is first sent later cannot reach
  N_T nodes.
- `held[s, t]`, for s <= t <= R, the copies of class s outside the source after round t, an amount of up to
  (N-1) size[s].
- `given[s, t]` and `passed[s, t]`, what of it is new in round t, from the source and from other nodes.

Constraints, each true of every broadcast with out-degree and in-degree at most k:

- The classes make up the message.
- Copies come from the source or from others: held[s, t] = held[s, t-1] + given[s, t] + passed[s, t]; none is
  held before round s.
- The source sends a bit to k nodes at most, and first in its round: given[s, t] <= k size[s], given[s, s] >=
  size[s].
- A copy is passed on to k nodes at most: passed[s, t] <= k held[s, t-1].
- In the end every node holds everything: held[s, R] = (N-1) size[s].
- In a round the source sends at most k messages: the sum of given[s, t] over s is at most k cost[t].
- So does every informed node, and every node but the source receives at most k: given and passed together are
  at most k cost[t] min(N_(t-1), N-1), passed alone at most k cost[t] (min(N_(t-1), N) - 1).
- The inequalities of `Table.before_and_after`, for every number of rounds at the beginning and at the end.
- What is first sent after round a is known to N_(t-1-a) nodes at most before round t. So of the classes later
  than a, given and passed together are at most k cost[t] min(N_(t-1-a), N-1), passed alone at most k cost[t]
  (min(N_(t-1-a), N) - 1).
- Among N = N_T nodes, k times the costs after round a+T, and cost[t] for any t of the T rounds before them,
  together are at least what is first sent after round a, the set U. If a node knows nothing of U after round
  a+T, it receives all of U afterwards. If every node knows some of it, the nodes that do have become k+1
  times as many in each of these T rounds, so each but the source has received one message that has any of U:
  some node that one of round t, and all of U but cost[t] afterwards.

Any dual solution proves a bound, by weak duality (`dual_bound` of
`schedsolve.modelkit.formulas.linear_program`). Amounts held are measured in units of N - 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from schedsolve.modelkit.formulas.linear_program import LinearProgram

from ..rules import Shape
from .table import table

MOST_ROUNDS = 40
"""Rounds beyond which the program is not built: it has about R^2 variables and R^3 coefficients."""
UNIT = 10**6


class Transfers(NamedTuple):
    """The variables `given` and `passed`, by class and round."""

    given: Mapping[tuple[int, int], int]
    passed: Mapping[tuple[int, int], int]


def aggregated_program(shape: Shape) -> LinearProgram:
    """Return the program for so many ports, nodes and extra rounds; there must be two nodes or more."""
    k, others, rounds = shape.ports, shape.nodes - 1, shape.rounds
    program = LinearProgram()
    cost = {t: program.variable(cost=1, upper=1) for t in range(1, rounds + 1)}
    size = {s: program.variable(upper=1) for s in range(1, shape.extra_rounds + 2)}
    program.add(dict.fromkeys(size.values(), 1), "=", 1)
    given: dict[tuple[int, int], int] = {}
    passed: dict[tuple[int, int], int] = {}
    for s, measure in size.items():
        before: int | None = None
        for t in range(s, rounds + 1):
            given[s, t] = program.variable(upper=1)
            program.add({given[s, t]: others, measure: -k}, "<=", 0)
            gain = {given[s, t]: 1}
            if before is None:
                program.add({given[s, t]: others, measure: -1}, ">=", 0)
            else:
                passed[s, t] = program.variable(upper=1)
                program.add({passed[s, t]: 1, before: -k}, "<=", 0)
                gain |= {passed[s, t]: 1, before: 1}
            held = program.variable(upper=1)
            program.add({**gain, held: -1}, "=", 0)
            before = held
        assert before is not None
        program.add({before: 1, measure: -1}, "=", 0)
    transfers = Transfers(given, passed)
    for t, price in cost.items():
        from_source = {x: others for (_, round_), x in given.items() if round_ == t}
        program.add({**from_source, price: -k}, "<=", 0)
        _add_messages(program, shape, transfers, t, price, 0)
    _add_derived_bounds(program, shape, cost)
    for a in range(1, shape.extra_rounds + 1):
        for t in range(a + 1, rounds + 1):
            _add_messages(program, shape, transfers, t, cost[t], a)
    if shape.is_perfect:
        _add_late_receipts(program, shape, cost, size)
    return program


def tidy(bound: Fraction) -> Fraction:
    """Return the bound, rounded down to a multiple of 1/UNIT when its denominator is larger."""
    return bound if bound.denominator <= UNIT else Fraction(bound * UNIT // 1, UNIT)


def _add_derived_bounds(program: LinearProgram, shape: Shape, cost: dict[int, int]) -> None:
    """Add the inequalities of `Table.before_and_after`."""
    bounds = table(shape.ports, shape.nodes)
    for s in range(1, shape.rounds):
        start = {cost[t] for t in range(1, s + 1)}
        sent = bounds.f(shape.extra_rounds - s)
        received = bounds.g(s - shape.dimension)
        for derived, weighed in ((sent, start), (received, set(cost.values()) - start)):
            if derived is None:
                program.add(dict.fromkeys(weighed, shape.ports), ">=", 1)
            else:
                weights: dict[int, Fraction] = {
                    x: shape.ports * derived.value if x in weighed else Fraction(1) for x in cost.values()
                }
                program.add(weights, ">=", derived.value)


def _add_messages(
    program: LinearProgram, shape: Shape, transfers: Transfers, t: int, price: int, after: int
) -> None:
    """Bound what the messages of round t carry of the classes later than `after`."""
    k, others = shape.ports, shape.nodes - 1
    senders = min((k + 1) ** (t - 1 - after), shape.nodes)
    passed = {x: others for (s, round_), x in transfers.passed.items() if round_ == t and s > after}
    given = {x: others for (s, round_), x in transfers.given.items() if round_ == t and s > after}
    program.add({**given, **passed, price: -k * min(senders, others)}, "<=", 0)
    program.add({**passed, price: -k * (senders - 1)}, "<=", 0)


def _add_late_receipts(
    program: LinearProgram, shape: Shape, cost: dict[int, int], size: dict[int, int]
) -> None:
    """Bound what some node still lacks T rounds after round a, for every a from 0 to r, if N = (k+1)^T."""
    for a in range(shape.extra_rounds + 1):
        last = a + shape.dimension
        late = {cost[t]: shape.ports for t in cost if t > last} | {size[s]: -1 for s in size if s > a}
        for t in range(a + 1, last + 1):
            program.add({**late, cost[t]: 1}, ">=", 0)
