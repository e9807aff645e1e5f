"""How a program for other solvers counts: in units, as fractions, or in packets, as whole numbers.

With P packets a unit is cut into P equal parts, none of which is divided. Then every amount is a whole number
of packets, and the time a multiple of 1 / (P B), where B is the least common multiple of the numerators of
the bandwidths.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, lcm

from schedsolve.modelkit.formulas.integer_program import IntegerProgram, compare
from schedsolve.modelkit.formulas.linear_program import Row
from schedsolve.modelkit.formulation import FormulationRequest
from schedsolve.modelkit.problem import Problem
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError

from ..rules.demand import Link

MOST_PACKETS = 10_000


def time_scale(problem: Problem, packets: int) -> int:
    """Return the number by which times with so many packets are whole."""
    return packets * lcm(*(b.numerator for b in problem.network.bandwidth_of.values()))


@dataclass(frozen=True)
class Measure:
    """What the variables of a program count.

    Attributes
    ----------
    parts
        Of which a unit consists: its packets, or 1 where amounts are fractions.
    scale
        How many times the time the variable of the time is.
    """

    network: Network
    limit: Fraction | None
    parts: int
    scale: int
    whole: bool

    @staticmethod
    def of(request: FormulationRequest) -> Measure:
        """Return the measure of what is asked.

        Raises
        ------
        InputError
            For too many packets.
        """
        packets, problem = request.packets, request.problem
        if packets is not None and packets > MOST_PACKETS:
            raise InputError(f"--packets takes at most {MOST_PACKETS}")
        scale = 1 if packets is None else time_scale(problem, packets)
        limit = None if request.value is None else Fraction(request.value)
        return Measure(problem.network, limit, packets or 1, scale, packets is not None)

    def amount(self, program: IntegerProgram, name: str, most: int) -> int:
        """Return a variable for an amount, of which no more than `most` units are of use."""
        return program.variable(name, upper=most * self.parts if self.whole else None, integer=self.whole)

    def time(self, program: IntegerProgram, units: int) -> int:
        """Return the variable of the time, in which so many units may have to cross one link."""
        slowest = min(map(Fraction, self.network.bandwidth_of.values()))
        upper = ceil(units * self.scale / slowest) if self.whole else None
        return program.variable("time", upper=upper, integer=self.whole)

    def load(self, time: int, link: Link, carried: Iterable[int]) -> Row:
        """Return the row "what a link carries is its bandwidth times the time at most"."""
        bandwidth = Fraction(self.network.bandwidth_of[link])
        return compare(carried, "<=", {time: bandwidth * self.parts / self.scale})

    def limited(self, time: int) -> Iterator[Row]:
        """Yield the row "the time is at most what was asked for", where anything was."""
        if self.limit is not None:
            limit = self.limit * self.scale
            yield compare([time], "<=", [], floor(limit) if self.whole else limit)
