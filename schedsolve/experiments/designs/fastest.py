"""The search for the network of a class in which a task takes the least time."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from schedsolve.experiments.designs.known import known_networks, symmetric_networks
from schedsolve.experiments.designs.levels import digest_of, form_hash
from schedsolve.experiments.designs.search import Progress, Sides
from schedsolve.experiments.designs.wanted import Wanted
from schedsolve.modelkit.result import Result, Value, value_to_json
from schedsolve.modelkit.search import Options
from schedsolve.network.classes.canonical_form import Rows
from schedsolve.network.classes.network_class import network_of, rows_of
from schedsolve.runtime.errors import counted
from schedsolve.solving.clock import Clock
from schedsolve.solving.solve import solve

SECONDS_AFTER_INTERRUPT = 2.0
"""How long known networks are solved after Ctrl-C or SIGTERM, so that it leaves one."""


@dataclass
class FastestSearch:
    """The networks of a class, in the order of what one look at each shows, solved until none is better.

    Attributes
    ----------
    asked
        What is asked for.
    progress
        Told what is being done.
    sides
        What is known.
    """

    asked: Wanted
    progress: Progress
    sides: Sides = field(default_factory=lambda: Sides(0, 0, finished=True))
    hashes: int = 0
    whole: bool = False
    looks: list[tuple[Fraction, int, Rows]] = field(default_factory=list)
    solved: list[tuple[Fraction, Result]] = field(default_factory=list)
    best: Result | None = None

    def run(self, clock: Clock) -> Result | None:
        """Return the task on the fastest network that is found until the time limit, None without one."""
        asked, sides = self.asked, self.sides
        self.bound = asked.designs.bound(asked.task, asked.members, asked.edges)
        self._search(clock)
        sides.time, sides.digest = self.bound, digest_of(self.hashes if self.whole else 0)
        if self.whole:
            sides.others = tuple(result for look, result in self.solved if look < self.bound)
        else:
            sides.graphs = 0
        if self.best is not None:
            network = self.best.problem.network
            sides.rows, sides.edges = rows_of(network), len(network.edges)
        return self.best

    def _search(self, clock: Clock) -> None:
        """Solve known networks that none of the class can beat, then generate the class, in half the time.

        Where the class is not generated to its end, the known networks are all solved.
        """
        try:
            self._look_at_known(clock)
            first = [look for look in self.looks if look[0] == self.bound]
            if self._solve(first, clock) == self.bound:
                return
            known, self.looks, self.solved = self.looks, [], []
            half = Clock(Options(time_limit=None if clock.limit is None else clock.limit / 2))
            with half.interrupting(grace=0.0):
                self._generate()
                self.whole = True
            self.looks += [] if self.whole else known
        except KeyboardInterrupt:
            clock = Clock(Options(time_limit=SECONDS_AFTER_INTERRUPT))
        self.looks.sort()
        self._solve(self.looks, clock)
        self.bound = max(self.bound, self._bound())

    def _solve(self, looks: list[tuple[Fraction, int, Rows]], clock: Clock) -> Value | None:
        """Solve the networks in this order while they may be better; return the best time."""
        for position, (look, _, rows) in enumerate(looks):
            value = None if self.best is None else self.best.value
            if value is not None and value <= look:
                break
            self.progress(
                f"{position} of {counted(len(looks), 'network')} solved, time {value_to_json(value)}"
            )
            left = None if clock.limit is None else max(0.0, clock.left)
            result = solve(self.asked.problem(network_of(rows)), Options(time_limit=left, certify=True))
            self.solved.append((look, result))
            if result.value is not None and (value is None or result.value < value):
                self.best = result
            if result.interrupted or clock.over:
                break
        return None if self.best is None else self.best.value

    def _generate(self) -> None:
        for edges in self.asked.edge_counts:
            for rows in self.asked.members.members(edges):
                if self.sides.graphs % 64 == 0:
                    self.progress(f"{counted(self.sides.graphs, 'network')} generated")
                self._look_at(rows, edges)
                self.sides.graphs += 1
                self.hashes += form_hash(rows)

    def _look_at_known(self, clock: Clock) -> None:
        for rows, edges in known_networks(self.asked.members):
            if self.asked.edges is None or edges <= self.asked.edges:
                self._look_at(rows, edges)
        for rows, edges in symmetric_networks(self.asked.members, self.asked.edge_counts[-1]):
            if clock.over:
                return
            self._look_at(rows, edges)

    def _look_at(self, rows: Rows, edges: int) -> None:
        self.looks.append((self.asked.designs.look(self.asked.problem(network_of(rows))), edges, rows))

    def _bound(self) -> Fraction:
        """Return a time that no network of the class goes below: the least of their lower bounds."""
        if not self.whole:
            return Fraction(0)
        bounds = [look for look, _, _ in self.looks[len(self.solved) :]]
        bounds += [max(look, Fraction(result.lower_bound or 0)) for look, result in self.solved]
        return min(bounds)
