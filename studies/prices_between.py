"""Prices for the rounds of a one-way gossip between the first and the last, computed by linear programming.

`python -m studies.prices_between` writes those that come with the package, each checked by the claim.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from schedsolve.backends.lp import solve_lp
from schedsolve.modelkit.formulas.linear_program import LinearProgram
from schedsolve.models.matching.bounds.prices_between import SHIPPED
from schedsolve.models.matching.claims.market import Key, Market, State, offers_by_tag
from schedsolve.models.matching.claims.prices_between import refutes

UNIT = 10_000
"""What a destination that fails costs; prices are whole numbers of such parts."""
THRIFT = Fraction(1, 10**6)
"""The weight of the prices' sum beside what is earned."""
LIMIT = 100
"""More than any price or gain, as a destination that fails costs 1."""


@dataclass(frozen=True)
class Question:
    """The question for which prices are wanted.

    It is about a degree, the rounds of the whole gossip and a number of items, and says whether prices may
    depend on the round of an edge's last use.
    """

    degree: int
    rounds: int
    wanted: int
    timed: bool = False


QUESTIONS = (
    Question(3, 7, 8),
    Question(4, 7, 9),
    Question(5, 7, 10),
    Question(3, 8, 12, timed=True),
    Question(4, 8, 14),
)


@dataclass
class PriceProgram:
    """A linear program of prices, while it is set up.

    Attributes
    ----------
    width
        In how many ways a node may have to end.
    prices
        The variable of each price.
    layer
        For every state before a round a variable for each of these ways that bounds what a node can still
        earn.
    """

    market: Market
    width: int
    program: LinearProgram = field(default_factory=LinearProgram)
    prices: dict[Key, int] = field(default_factory=dict)
    layer: dict[State, list[int]] = field(default_factory=dict)

    def price(self, key: Key) -> int:
        """Return the variable of a price."""
        if key not in self.prices:
            self.prices[key] = self.program.variable(THRIFT, LIMIT)
        return self.prices[key]

    def earned(self) -> list[int]:
        """Fresh variables for what can be earned from a round on."""
        return [self.program.variable(0, LIMIT) for _ in range(self.width)]

    def begin(self, states: Iterable[State]) -> None:
        """Begin before the first round with these states."""
        self.layer = {state: self.earned() for state in states}

    def paid(self, sign: int, key: Key | None) -> dict[int, int]:
        """Return the coefficients of the prices in "what is paid".

        They stand in "what can be earned is at least what is paid".
        """
        return {} if key is None else {self.price(key): -sign}

    def add_round(self, t: int, seen: Callable[[State], State] = lambda state: state) -> None:
        """Add the rows of a round, for all states before it; the states after it take their place.

        Parameters
        ----------
        t
            The round, from 1.
        seen
            What matters of a state after the round.
        """
        offers = offers_by_tag(edges for _, edges in self.layer)
        following: dict[State, list[int]] = {}
        for state, earned in self.layer.items():
            idle = (0, None, state)
            for sign, key, new in (idle, *self.market.deals(t, state, offers)):
                after = seen(new)
                if after not in following:
                    following[after] = self.earned()
                paid = self.paid(sign, key)
                for now, later in zip(earned, following[after], strict=True):
                    self.program.add({now: 1, later: -1, **paid}, ">=", 0)
        self.layer = following


def computed_prices(question: Question) -> dict[str, Any]:
    """Return the evidence for a question: best prices, rounded.

    The most that nodes of all kinds earn together, an equal number of each two opposite ones, is minimised; a
    destination that fails costs 1.

    Raises
    ------
    AssertionError
        Where the claim refuses them.
    """
    market = Market(question.degree, question.rounds - 2, question.wanted, question.timed, table={})
    made = PriceProgram(market, width=2)
    made.begin([market.start(False), market.start(True)])
    (free, bound), (origin_free, origin_bound) = made.layer.values()
    most = made.program.variable(1, LIMIT)
    made.program.add({most: 1, origin_bound: -1, free: -1}, ">=", 0)
    made.program.add({most: 1, origin_free: -1, bound: -1}, ">=", 0)
    for t in range(1, market.rounds):
        made.add_round(t)
    # After the last round only what is known matters.
    made.add_round(market.rounds, lambda state: (state[0], ()))
    for (known, _), (_, succeeded) in made.layer.items():
        if known >= market.wanted:
            made.program.add({succeeded: 1}, ">=", 1)
    solution = solve_lp(made.program)
    assert solution is not None, f"no prices were found for {question}"
    table = {key: round(solution.values[v] * UNIT) for key, v in sorted(made.prices.items())}
    proven = refutes(replace(market, table=table), 2 * question.wanted - 1)
    assert proven, f"the prices found for {question} prove nothing"
    return {
        "degree": question.degree,
        "rounds": question.rounds,
        "wanted": question.wanted,
        "tags": "round" if question.timed else "direction",
        "prices": [[*key, price] for key, price in table.items()],
    }


def main() -> None:
    """Compute all prices again and write them where they are shipped."""
    found = []
    for question in QUESTIONS:
        evidence = computed_prices(question)
        print(question, len(evidence["prices"]), "prices", flush=True)
        found.append(evidence)
    lines = ",\n".join(json.dumps(evidence, separators=(",", ":")) for evidence in found)
    SHIPPED.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
