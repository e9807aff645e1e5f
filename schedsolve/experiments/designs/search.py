"""The search for a design: levels of networks with ever more links, and known networks from above."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from schedsolve.experiments.designs.known import known_networks, symmetric_networks
from schedsolve.experiments.designs.levels import Level, Question, decided, digest_of
from schedsolve.experiments.designs.wanted import Wanted
from schedsolve.modelkit.result import Result
from schedsolve.modelkit.schedule import Schedule
from schedsolve.network.classes.canonical_form import Rows
from schedsolve.network.classes.network_class import rows_of
from schedsolve.runtime.errors import counted
from schedsolve.runtime.limits.timeout import timeout
from schedsolve.solving.clock import Clock

Progress = Callable[[str], None]
FEWEST_NODES = 12
"""With fewer nodes the levels are decided before a search would find much."""
FEWEST_NODES_OF_GENG = 10
"""With fewer nodes, the networks that are found do not depend on what is installed."""
SEARCH_SECONDS = 10.0
"""How long a search may look for a network with a number of links."""
FALLBACK_SECONDS = 1.0
"""How long known networks with more rounds are looked for after the time limit."""


class _OutOfTimeError(Exception):
    """The time limit has passed."""


@dataclass
class Sides:
    """What is known of a design.

    Attributes
    ----------
    limit
        Of rounds or steps: no network of the class takes fewer.
    lower
        The fewest links that a network with `reached` rounds may have, as far as levels exclude.
    reached, edges, rows
        The best network: its rounds, its links and itself.
    levels
        Those that were decided to their end.
    all
        Every network with as few rounds and links, in canonical form, where asked for.
    candidates
        Networks with as few rounds, where the one with the least time is wanted.
    schedule
        Of the best network, where the search that found it has one.
    finished
        Whether the search ended by itself.
    time
        Of a time that networks have: no network of the class takes less.
    graphs, digest, others
        Where the class was generated to find the least time: the number of its networks, one of each
        isomorphism class, and the digest of their canonical forms, as in a level; and results that exclude
        those networks of which one look at them does not.
    """

    limit: int
    lower: int
    reached: int | None = None
    edges: int | None = None
    rows: Rows | None = None
    levels: list[Level] = field(default_factory=list)
    all: tuple[Rows, ...] | None = None
    candidates: list[Rows] = field(default_factory=list)
    schedule: Schedule | None = None
    finished: bool = False
    time: Fraction = Fraction(0)
    graphs: int = 0
    digest: str = digest_of(0)
    others: tuple[Result, ...] = ()

    def take(self, limit: int, edges: int, rows: Rows, schedule: Schedule | None = None) -> None:
        """Keep a network if it is better than the best."""
        if self.reached is None or self.edges is None or (limit, edges) < (self.reached, self.edges):
            self.reached, self.edges, self.rows, self.schedule = limit, edges, rows, schedule


class DesignSearch:
    """Finds the least rounds and then the fewest links.

    Parameters
    ----------
    wanted
        What is asked for.
    least
        A number of rounds below which no network comes.
    clock
        Of the time limit.
    every
        Whether all best networks are wanted.
    progress
        Told what is being done.
    decide
        Decides a level, as `schedsolve.experiments.designs.levels.decided` does.
    """

    def __init__(
        self,
        wanted: Wanted,
        least: int,
        clock: Clock,
        *,
        every: bool = False,
        progress: Progress = lambda _: None,
        decide: Callable[..., Level] = decided,
    ) -> None:
        self.wanted, self.clock, self.decide = wanted, clock, decide
        self.every = every
        self.progress = progress
        self.counts = wanted.edge_counts
        first = least if wanted.limit is None else wanted.limit
        self.sides = Sides(first, self.counts[0])

    def run(self) -> Sides:
        """Return what is known when the search ends, by itself or at the time limit."""
        try:
            with self.clock.interrupting(grace=0.0):
                self._search()
                self.sides.finished = True
        except (_OutOfTimeError, KeyboardInterrupt):
            pass
        if not self.sides.finished:
            with timeout(FALLBACK_SECONDS):
                self._fallback()
        return self.sides

    def _search(self) -> None:
        """Ask for more and more rounds, until a network has so few, or decide the one number asked for."""
        limits: Iterator[int] = iter(
            range(self.sides.limit, 4 * self.wanted.members.nodes + 1)
            if self.wanted.limit is None
            else [self.wanted.limit]
        )
        for limit in limits:
            self.sides.limit = limit
            question = self.wanted.question(limit)
            self.sides.lower = next((m for m in self.counts if m >= question.fewest_links), self.counts[0])
            if self._least_edges(question):
                return

    def _least_edges(self, question: Question) -> bool:
        """Decide the levels from the fewest links on; return whether a network was found."""
        if self.wanted.any_links:
            return self._with_any_links(question)
        for rows, edges in self._known(question):
            self.sides.take(question.limit, edges, rows)
        if question.members.nodes >= FEWEST_NODES and self.wanted.edges is None:
            self._by_search(question)
        for edges in self._levels(question):
            self.sides.lower = edges
            if self.sides.reached == question.limit and self.sides.edges == edges and not self.every:
                return True
            apart = question.leaves_apart and question.members.nodes >= FEWEST_NODES
            level = self.decide(
                question,
                edges,
                first=not self.every,
                watch=self._watch(edges),
                geng=self._by_geng(question),
                leaves_apart=apart,
            )
            if level.found:
                self.sides.take(question.limit, edges, level.found[0])
                self.sides.all = level.found if self.every else None
                return True
            self.sides.levels.append(level)
        return False

    def _with_any_links(self, question: Question) -> bool:
        """Find networks with so few rounds, else decide the levels.

        Where the least time is wanted, all known ones are candidates, and the most links come first; else one
        network is enough.
        """
        sides = self.sides
        if question.least_degree > question.members.largest_degree:
            # Every level is empty, and is decided at once.
            known: list[tuple[Rows, int]] = []
        else:
            known = [
                *symmetric_networks(question.members, self.counts[-1]),
                *known_networks(question.members),
            ]
        for rows, edges in sorted(known, key=lambda one: -one[1]):
            if question.holds_for(rows):
                sides.take(question.limit, edges, rows)
                if not self.wanted.timed:
                    return True
                sides.candidates.append(rows)
        if sides.candidates:
            return True
        if question.members.nodes >= FEWEST_NODES and not self.wanted.timed:
            self._by_search(question, fewer=False)
            if sides.reached == question.limit:
                return True
        for edges in reversed(self.counts) if self.wanted.timed else self.counts:
            level = self.decide(
                question, edges, first=True, watch=self._watch(edges), geng=self._by_geng(question)
            )
            if level.found:
                sides.take(question.limit, edges, level.found[0])
                if self.wanted.timed:
                    sides.candidates.append(level.found[0])
                return True
            sides.levels.append(level)
        return False

    def _by_geng(self, question: Question) -> bool:
        return question.members.nodes >= FEWEST_NODES_OF_GENG and question.by_geng

    def _by_search(self, question: Question, *, fewer: bool = True) -> None:
        """Let the model's search find networks with fewer and fewer links, or one, each within its time."""
        sides, n = self.sides, question.members.nodes
        least = max(self.counts[0], question.fewest_links, -(-n * question.least_degree // 2))
        known = sides.edges if sides.reached == question.limit else None
        most = min(self.counts[-1], n * question.limit // 2) if known is None else (known or 0) - 1
        while most >= least:
            search = question.designs.search(question, most)
            if search is None:
                return
            self.progress(
                f"{counted(question.limit, 'round')}: a network with {counted(most, 'link')} is searched for"
            )
            try:
                if not search.advance(min(SEARCH_SECONDS, self.clock.left / 2)):
                    return
                problem, schedule = search.found()
            finally:
                search.close()
            edges = len(problem.network.edges)
            if edges not in self.counts or question.members.why_not(problem.network):
                return
            kept = schedule if schedule.rounds else None
            sides.take(question.limit, edges, rows_of(problem.network), kept)
            if not fewer:
                return
            most = edges - 1

    def _levels(self, question: Question) -> list[int]:
        """Return the numbers of links to decide.

        Where a link more never leads out of the class, no network is found with fewer links than the most if
        none is found with the most.
        """
        if self.wanted.limit is None and not self.wanted.members.limited and self.sides.reached is None:
            most = self.counts[-1]
            if self.wanted.edges is not None and not self._possible(question, most):
                return []
        return [edges for edges in self.counts if edges >= question.fewest_links]

    def _possible(self, question: Question, most: int) -> bool:
        level = self.decide(question, most, first=True, watch=self._watch(most), geng=self._by_geng(question))
        if not level.found:
            self.sides.levels.append(level)
            return False
        self.sides.take(question.limit, most, level.found[0])
        return True

    def _watch(self, edges: int) -> Callable[[int], None]:
        def watch(graphs: int) -> None:
            self.progress(
                f"{counted(self.sides.limit, 'round')}, {counted(edges, 'link')}:"
                f" {counted(graphs, 'network')} decided"
            )
            if self.clock.over:
                raise _OutOfTimeError

        return watch

    def _known(self, question: Question) -> Iterator[tuple[Rows, int]]:
        """Yield known networks on which the question's rounds suffice, with their links."""
        for rows, edges in known_networks(self.wanted.members):
            worse = self.sides.reached is not None and (self.sides.edges or 0) <= edges
            in_time = edges in self.counts and not self.clock.over
            if in_time and not worse and question.holds_for(rows):
                yield rows, edges

    def _fallback(self) -> None:
        """Look for a known network with more rounds, if there is none with the number in work."""
        limit = self.sides.limit
        while self.sides.reached is None and self.wanted.limit is None and limit < self.sides.limit + 3:
            limit += 1
            for rows, edges in known_networks(self.wanted.members):
                if edges in self.counts and self.wanted.question(limit).holds_for(rows):
                    self.sides.take(limit, edges, rows)
