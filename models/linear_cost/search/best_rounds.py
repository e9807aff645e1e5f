"""Which number of rounds is best for given prices.

Rows of bounds and schedules until all others are excluded.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from math import isqrt
from typing import Any

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Bound
from schedsolve.modelkit.schedule import Schedule
from schedsolve.modelkit.search import Algorithm, Effort, Finding, Question
from schedsolve.runtime.errors import InputError, counted

from ..bounds import program_bounds, steady_bound
from ..claims.best_rounds import MOST_ROWS, first_rounds, prices, with_rounds
from ..claims.staircase import staircase, widths
from ..claims.table import table
from ..constructions.algorithms import ALGORITHMS
from ..constructions.least_rounds import least_rounds
from ..constructions.packed_algorithms import PACKED_ALGORITHMS
from ..rules import packet_count, replay, shape_of
from .branching import branching

SCAN_SECONDS, ROW_SECONDS = 45.0, 12.0
MOST_NAMED = 12
"""Numbers of rounds that are not excluded up to which each is named."""
MOST_COSTLY_ROUNDS = 300
"""Rounds beyond which only the quick bounds and constructions are used."""
QUICK, ROWS_APART = tuple(reversed(ALGORITHMS)), 5
"""Constructions that search nothing, and for how many rows they are tried first."""


@dataclass
class Row:
    """What is known for one number of rounds."""

    problem: Problem
    rounds: int
    cost: Fraction
    evidence: Mapping[str, Any]
    upper: Fraction | None = None

    @property
    def possible(self) -> bool:
        """Whether a broadcast in so many rounds is not refuted: no round costs more than 1."""
        return self.cost <= self.rounds


@dataclass
class Scan:
    """The rows that a least time is looked for in, from the first number of rounds on."""

    problem: Problem
    end: float
    rows: list[Row] = field(default_factory=list)
    best: Fraction | None = None
    schedule: Schedule | None = None

    def __post_init__(self) -> None:
        self.alpha, self.tau = prices(self.problem)
        self.first = first_rounds(self.problem)
        ports = self.problem.parameters["ports"]
        self.width = widths(self.problem.network, self.problem.sources[0], ports)[1]
        self.rest, self.rest_evidence = Fraction(1, self.width), None
        found = steady_bound(with_rounds(self.problem, self.first), 10.0)
        if found is not None and found.value > self.rest:
            self.rest, self.rest_evidence = Fraction(found.value), found.evidence

    def least(self, row: Row) -> Fraction:
        """No broadcast in so many rounds takes less time."""
        return self.alpha * row.rounds + self.tau * max(row.cost, self.rest)

    def run(self) -> Iterator[Finding]:
        """Schedules, and what the rows prove: at once, and whenever they prove more."""
        if self.problem.network.node_count > 1:
            yield from self._extend(self._guess())
            yield self.bound()
            for row in self._rows_apart():
                yield from self._construct(row, QUICK)
            half = (time.process_time() + self.end) / 2
            for row in self._promising():
                yield from self._construct(row, (*QUICK, *PACKED_ALGORITHMS))
                if time.process_time() > half:
                    break
            yield from self._extend(None)
            yield self.bound()
            yield from self._refine()
        yield self.bound()

    def _rows_apart(self) -> Iterator[Row]:
        """Yield the last row, which is near the best number of rounds, and some before it."""
        place = len(self.rows) - 1
        for _ in range(ROWS_APART):
            if place >= 0:
                yield self.rows[place]
            place = place // 2 if place else -1

    def _guess(self) -> int:
        """About the best number of rounds, (T + r) / (k r + 1) being the cost."""
        ports, t = self.width, self.first
        ratio = self.tau * max(1, ports * t - 1) / self.alpha
        return t + min(MOST_ROWS // 2, isqrt(int(ratio)) // ports + 2)

    def _extend(self, rounds: int | None) -> Iterator[None]:
        """Add rows up to so many rounds, or while the best time known could be undercut."""
        while len(self.rows) < MOST_ROWS and time.process_time() < self.end:
            following = self.first + len(self.rows)
            if rounds is not None and following > rounds:
                return
            if rounds is None and self.best is not None and self._rest_time(following) >= self.best:
                return
            self.rows.append(self._row(following))
            yield

    def _rest_time(self, rounds: int) -> Fraction:
        return self.alpha * rounds + self.tau * self.rest

    def _row(self, rounds: int) -> Row:
        problem = with_rounds(self.problem, rounds)
        shape = shape_of(problem)
        derived = table(shape.ports, shape.nodes).f(shape.extra_rounds)
        step = Fraction(staircase(problem, {}))
        if derived is not None and derived.value >= step:
            return Row(problem, rounds, derived.value, {"kind": "derived"})
        return Row(problem, rounds, step, {"kind": "staircase"})

    def _promising(self) -> Iterator[Row]:
        """Yield the open rows, those of the least possible time first."""
        tried: set[int] = set()
        while True:
            left = [r for r in self.rows if r.rounds not in tried and self._open(r)]
            if not left:
                return
            row = min(left, key=lambda r: (self.least(r), r.rounds))
            tried.add(row.rounds)
            yield row

    def _open(self, row: Row) -> bool:
        return row.possible and (self.best is None or self.least(row) < self.best)

    def _construct(self, row: Row, algorithms: Sequence[Algorithm]) -> Iterator[Finding]:
        for algorithm in algorithms:
            if not self._open(row) or (row.upper is not None and row.upper <= row.cost):
                return
            if algorithm.refuse(row.problem) is None and time.process_time() < self.end:
                with suppress(InputError):
                    seconds = min(2.0, max(0.0, self.end - time.process_time()))
                    schedule = algorithm.build(row.problem, Effort(seconds=seconds)).without_empty_end()
                    yield self._offer(row, schedule)
                yield None

    def _offer(self, row: Row, schedule: Schedule) -> Finding:
        seen = replay(row.problem, schedule)
        value = Fraction(seen.value)
        if seen.violation or (row.upper is not None and value >= row.upper):
            return None
        row.upper = value
        elapsed = self.alpha * len(schedule.rounds) + self.tau * value
        if self.best is not None and elapsed >= self.best:
            return None
        self.best, self.schedule = elapsed, schedule
        return self.problem, schedule

    def _refine(self) -> Iterator[Finding]:
        """Better bounds, and for few nodes schedules, for the open rows."""
        for row in self._promising():
            if time.process_time() > self.end or row.rounds > MOST_COSTLY_ROUNDS:
                return
            left = min(ROW_SECONDS, self.end - time.process_time())
            for found in (f for search in self._searches(row, left) for f in search):
                if isinstance(found, Bound) and Fraction(found.value) > row.cost and found.evidence:
                    row.cost, row.evidence = Fraction(found.value), found.evidence
                    yield self.bound()
                elif isinstance(found, tuple):
                    yield self._offer(row, found[1])
                yield None
                if not self._open(row):
                    break
            yield from self._extend(None)

    def _searches(self, row: Row, seconds: float) -> Iterator[Iterator[Finding]]:
        yield iter(program_bounds(row.problem, seconds))
        yield iter(branching(row.problem, row.upper, seconds))

    def bound(self) -> Bound:
        """Return the bound that the rows prove, and which numbers of rounds are not excluded."""
        rest = self._rest_time(self.first + len(self.rows))
        least = min([rest, *(self.least(row) for row in self.rows if row.possible)])
        beyond = self.best is None or rest < self.best
        reason = f"scan of the numbers of rounds, {self._told()}{self._left(list(self._open_names(beyond)))}"
        rows = [dict(row.evidence) for row in self.rows]
        evidence = {"kind": "best rounds", "rows": rows, "rest": self.rest_evidence}
        return Bound("lower", least, reason, evidence, by="search")

    def _open_names(self, beyond: bool) -> Iterator[str]:
        """Yield the numbers of rounds that are not excluded, in words."""
        open_rows = [row.rounds for row in self.rows if self._open(row)]
        yield from map(str, open_rows[:MOST_NAMED])
        if len(open_rows) > MOST_NAMED:
            yield "..."
        if beyond:
            yield f"more than {self.first + len(self.rows) - 1}"

    def _told(self) -> str:
        """Return the best number of rounds that is known, and its packets."""
        if self.schedule is None or self.best is None:
            return ""
        rounds, packets = len(self.schedule.rounds), packet_count(self.schedule)
        size = Fraction(self.problem.parameters.get("length", 1)) / packets
        least = least_rounds(self.problem.network, self.problem.sources[0], self.problem.parameters["ports"])
        extra = f" (r = {rounds - least.upper})" if least.proven else ""
        each = f"{packets} packets of size {size} = {float(size):.6g}"
        return f"best known {counted(rounds, 'round')}{extra}, {each}, time {float(self.best):.6g}; "

    def _left(self, names: Sequence[str]) -> str:
        if not names:
            return "every other number of rounds is excluded"
        return f"not excluded: {', '.join(names)}"


def scan(question: Question) -> Iterator[Finding]:
    """Improve a problem with prices: yield better schedules and bounds."""
    seconds = min(question.seconds, SCAN_SECONDS)
    yield from Scan(question.problem, time.process_time() + seconds).run()
