"""Prices that bound one-way gossip in networks of small degree: computed by linear programming once, and
shipped.

`python -m schedsolve.models.matching.bounds.prices` computes them anew (`make prices`), each checked by
the claim.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from schedsolve.formulas.linear_program import LinearProgram

SHIPPED = Path(__file__).with_name("prices.json")
UNIT = 2520
"""What one item is worth; the optima are fractions with small denominators."""
THRIFT = Fraction(1, 10**5)
"""The weight of the prices' sum beside the gain: of all best prices it picks some of which none can be
lower.
"""
COARSE = (1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 26)
"""Batches told apart where there would be too many states."""


@dataclass(frozen=True)
class Question:
    """For which degree and rounds prices are wanted, and how finely: see `..claims.prices.Prices`."""

    degree: int
    rounds: int
    timed: bool
    sizes: tuple[int, ...] = ()


QUESTIONS = (
    Question(3, 4, False),
    Question(3, 5, True),
    Question(3, 6, True),
    Question(3, 7, True, COARSE),
    Question(4, 5, False),
    Question(4, 6, False),
)


@cache
def shipped_prices() -> tuple[Mapping[str, Any], ...]:
    """The evidence that comes with the package."""
    return tuple(json.loads(SHIPPED.read_text(encoding="utf-8")))


State = tuple[tuple[tuple[int, int], int], ...]
"""For every edge of a node its tag, (round, direction) of the last use, and the batch there."""


@dataclass
class _Programme:
    """The linear programme of a question, while it is set up.

    prices: the variable of a round, tag and batch. A tag (round, direction) is a caller's with direction 1.
    """

    question: Question
    program: LinearProgram = field(default_factory=LinearProgram)
    prices: dict[tuple[int, tuple[int, int], int], int] = field(default_factory=dict)

    @property
    def limit(self) -> int:
        """More than anybody can learn or earn."""
        return int(4**self.question.rounds)

    def price(self, t: int, tag: tuple[int, int], batch: int) -> int:
        """The variable of a price."""
        key = t, tag, batch
        if key not in self.prices:
            self.prices[key] = self.program.variable(THRIFT, self.limit)
        return self.prices[key]

    def gain(self, cost: int = 0) -> int:
        """A fresh variable for what can be gained from a round on."""
        return self.program.variable(cost, self.limit)


def _used(question: Question, t: int, direction: int) -> tuple[int, int]:
    return (t if question.timed else 0, direction)


def _batches(states: Iterator[State] | Sequence[State]) -> dict[tuple[int, int], list[int]]:
    seen = {(tag, batch) for state in states for tag, batch in state if batch}
    tags = {tag for tag, _ in seen}
    return {tag: sorted(batch for other, batch in seen if other == tag) for tag in tags}


def _deals(
    question: Question, t: int, state: State, batches: Mapping[tuple[int, int], list[int]]
) -> Iterator[tuple[bool, tuple[int, int], int, State]]:
    """The deals open to a node: whether it sells, the seller's tag, the batch, and the node afterwards."""
    for edge in dict.fromkeys(state):
        rest = list(state)
        rest.remove(edge)
        (when, direction), batch = edge
        if batch:
            yield True, (when, direction), batch, tuple(sorted([*rest, (_used(question, t, 1), 0)]))
        for brought in batches.get((when, -direction), ()):
            more = [(tag, _up(question.sizes, known + brought)) for tag, known in rest]
            after = tuple(sorted([*more, (_used(question, t, -1), batch)]))
            yield False, (when, -direction), brought, after


def _up(sizes: Sequence[int], batch: int) -> int:
    return min((size for size in sizes if size >= batch), default=batch)


def computed_prices(question: Question) -> dict[str, Any]:
    """The evidence for a question: best prices, rounded, with the gain that the claim's programme finds for
    them.

    For every round and state a variable bounds what a node can still gain; every deal is a row. In the last
    round a deal's row does not depend on the rest of the state.
    """
    from schedsolve.backends.lp import solve_lp

    from ..claims.prices import Prices, best_gain

    made = _Programme(question)
    start: State = (((0, 0), 1),) * question.degree
    layer = {start: made.gain(1)}
    for t in range(1, question.rounds):
        layer = _add_round(made, t, layer)
    _add_last_round(made, layer)
    solution = solve_lp(made.program)
    if solution is None:
        raise AssertionError(f"no prices were found for {question}")
    table = [
        [t, direction * (when or 1), batch, round(solution.values[variable] * UNIT)]
        for (t, (when, direction), batch), variable in sorted(made.prices.items())
    ]
    prices = Prices(
        question.degree,
        question.rounds,
        question.timed,
        question.sizes,
        UNIT,
        {(t, tag, batch): price for t, tag, batch, price in table},
    )
    return {
        "degree": question.degree,
        "rounds": question.rounds,
        "tags": "round" if question.timed else "direction",
        "sizes": list(question.sizes),
        "unit": UNIT,
        "gain": best_gain(prices),
        "prices": table,
    }


def _add_round(made: _Programme, t: int, layer: Mapping[State, int]) -> dict[State, int]:
    """Add the rows of a round before the last; the states after it with their variables."""
    question, program = made.question, made.program
    batches = _batches(list(layer))
    following: dict[State, int] = {}

    def after(state: State) -> int:
        if state not in following:
            following[state] = made.gain()
        return following[state]

    for state, gain in layer.items():
        program.add({gain: 1, after(state): -1}, ">=", 0)
        for sells, tag, batch, new in _deals(question, t, state, batches):
            price = made.price(t, tag, batch)
            program.add({gain: 1, price: -1 if sells else 1, after(new): -1}, ">=", 0 if sells else batch)
    return following


def _add_last_round(made: _Programme, layer: Mapping[State, int]) -> None:
    """Add the rows of the last round."""
    program, t = made.program, made.question.rounds
    batches = _batches(list(layer))
    bargain = {tag: made.gain() for tag in batches}
    for tag, sizes in batches.items():
        for batch in sizes:
            program.add({bargain[tag]: 1, made.price(t, tag, batch): 1}, ">=", batch)
    for state, gain in layer.items():
        for (when, direction), batch in dict.fromkeys(state):
            if batch:
                program.add({gain: 1, made.price(t, (when, direction), batch): -1}, ">=", 0)
            if (when, -direction) in bargain:
                program.add({gain: 1, bargain[when, -direction]: -1}, ">=", 0)


def main() -> None:
    """Compute all prices anew and write them where they are shipped."""
    found = []
    for question in QUESTIONS:
        evidence = computed_prices(question)
        print(question, 1 + Fraction(evidence["gain"], UNIT), len(evidence["prices"]), "prices", flush=True)
        found.append(evidence)
    lines = ",\n".join(json.dumps(evidence, separators=(",", ":")) for evidence in found)
    SHIPPED.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
