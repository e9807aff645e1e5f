"""What the integer programs of all synchronous collectives share: steps, rounds, sends and links."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from schedsolve.modelkit.formulas.integer_program import IntegerProgram, compare
from schedsolve.modelkit.formulas.linear_program import Row
from schedsolve.modelkit.formulation import is_one
from schedsolve.network.graph import Network

from ..claims.hops import Route


@dataclass
class Steps:
    """The variables of a program that every collective has.

    Attributes
    ----------
    steps, rounds
        How many steps there are, and the most rounds of all together.
    sent
        By chunk, number of the route and step.
    longer
        By step and number of rounds r from 2: "the step lasts r rounds at least".
    counted
        The variables of the first rounds of the steps, where the rounds are minimised.
    """

    network: Network
    chunks: int
    steps: int
    rounds: int
    routes: list[Route]
    program: IntegerProgram = field(default_factory=IntegerProgram)
    sent: dict[tuple[int, int, int], int] = field(default_factory=dict)
    longer: dict[tuple[int, int], int] = field(default_factory=dict)
    counted: list[int] = field(default_factory=list)

    def declare_rounds(self) -> None:
        """Declare the variables of the lengths of the steps."""
        for s in range(1, self.steps + 1):
            for r in range(2, self.rounds - self.steps + 2):
                self.longer[s, r] = self.program.variable(f"step_{s}_lasts_{r}")

    def minimise_rounds(self) -> None:
        """Make all rounds the objective."""
        self.counted = [self.program.variable(f"step_{s}_lasts_1") for s in range(1, self.steps + 1)]
        self.program.costs = dict.fromkeys([*self.counted, *self.longer.values()], 1)

    def is_true(self, variable: int, value: Callable[[str], float]) -> bool:
        """Whether a 0/1 variable is 1 in a solution, by the values of the names."""
        return is_one(value(self.program.variables[variable].name))

    def lengths(self, value: Callable[[str], float]) -> list[int]:
        """Return the rounds of every step in a solution."""
        longer = {key for key, x in self.longer.items() if self.is_true(x, value)}
        return [1 + sum(step == s for step, _ in longer) for s in range(1, self.steps + 1)]


def name_of_send(chunk: int, route: Route, step: int) -> str:
    """Return the name of the variable "the chunk is sent over the route in the step"."""
    via = "".join(f"_{w}" for w in route.switches)
    return f"chunk_{chunk}_from_{route.sender}_to_{route.receiver}_in_{step}{via and '_via' + via}"


def links_carry_their_bandwidth(x: Steps) -> Iterator[Row]:
    """In every step a link carries at most its bandwidth times the rounds of the step."""
    load: dict[tuple[tuple[int, int], int], list[int]] = defaultdict(list)
    for (_, i, s), sent in x.sent.items():
        for link in x.routes[i].links:
            load[link, s].append(sent)
    for (link, s), sends in load.items():
        bandwidth = Fraction(x.network.bandwidth_of[link])
        longer = {x.longer[s, r]: bandwidth.numerator for r in range(2, x.rounds + 1) if (s, r) in x.longer}
        yield compare(dict.fromkeys(sends, bandwidth.denominator), "<=", longer, bandwidth.numerator)


def rounds_of_a_step_come_in_order(x: Steps) -> Iterator[Row]:
    """When a step lasts r + 1 rounds it also lasts r rounds."""
    for (s, r), longer in x.longer.items():
        if (s, r - 1) in x.longer:
            yield compare([longer], "<=", [x.longer[s, r - 1]])


def every_step_lasts_a_round(x: Steps) -> Iterator[Row]:
    """Every step lasts a round at least, which the objective counts."""
    for first in x.counted:
        yield compare([first], "=", constant=1)


def all_rounds(x: Steps) -> Iterator[Row]:
    """All steps together last at most as many rounds as are asked for, and each lasts one at least."""
    if x.rounds < x.steps:
        missing = x.program.variable("round_that_is_missing")
        yield compare([missing], ">=", constant=1)
        yield compare([missing], "<=")
    elif x.longer:
        yield compare(list(x.longer.values()), "<=", constant=x.rounds - x.steps)


SHARED: tuple[Callable[[Steps], Iterator[Row]], ...] = (
    links_carry_their_bandwidth,
    rounds_of_a_step_come_in_order,
    every_step_lasts_a_round,
    all_rounds,
)
