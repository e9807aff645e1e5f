"""A linear program that bounds the cost of a broadcast on any network.

It says how much every link is used in every round.

Variables: `cost[t]`, the cost of round t, whose sum is minimised; `used[e, t]`, the cost of round t if its
call graph has the link e, else 0. Constraints, each true of every broadcast in R rounds:

- A link is used at most as much as the round costs.
- A node has K ports: the links at it are used K times the cost at most. With weak ports the arcs are counted
  instead of the links, those that leave a node apart from those that enter it.
- The links of a call graph are K N / 2 at most, rounded down.
- What crosses a cut over time is 1 at least (`call_graph_tree`): the message has to get to the node of the
  far side. The evidence lists the cuts.
- What follows from the costs before and after a round: `staircase`.

In the steady state all rounds are alike: with one round and cuts that are sets of nodes, the program bounds
the cost for every number of rounds. Links that automorphisms which keep the source map to each other have one
variable: the mean of a solution over all of them is a solution.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

from schedsolve.modelkit.formulas.linear_program import LinearProgram, dual_bound
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Value
from schedsolve.network.automorphisms import automorphisms, is_automorphism
from schedsolve.network.graph import Network
from schedsolve.network.orbits import first_of_orbit
from schedsolve.runtime.errors import ClaimError

from ..rules import rounds_allowed
from .aggregated import tidy
from .call_graph_tree import Arc, Cut
from .dual_evidence import multipliers_of
from .staircase import rows_of_costs

LARGEST_FOR_SYMMETRY = 300
"""Nodes up to which automorphisms are looked for."""


@dataclass(frozen=True)
class Timed:
    """The program without cuts.

    Attributes
    ----------
    rounds
        R; None for the steady state.
    """

    network: Network
    source: int
    ports: int
    weak: bool
    rounds: int | None

    @classmethod
    def of(cls, problem: Problem, *, steady: bool = False) -> Timed:
        """Return the program for a problem."""
        return cls(
            problem.network,
            problem.sources[0],
            min(problem.parameters["ports"], max(1, problem.network.node_count - 1)),
            bool(problem.parameters.get("weak_ports")),
            None if steady else rounds_allowed(problem),
        )

    @property
    def periods(self) -> range:
        """The rounds from 1; the steady state has one."""
        return range(1, (self.rounds or 1) + 1)

    @cached_property
    def orbits(self) -> Mapping[Arc, int]:
        """For every arc the number of its class; a link is one class, both ways, unless ports are weak."""
        return link_orbits(self.network, self.source, self.weak)

    @cached_property
    def classes(self) -> int:
        """The number of classes of arcs."""
        return max(self.orbits.values()) + 1

    def build(self, cuts: Sequence[Cut]) -> LinearProgram:
        """Return the program with these cuts.

        The costs are the variables 0..R-1, then for every round the classes in order.
        """
        program = LinearProgram()
        # A round costs 1 at most. The steady state costs N at most, as for a spanning tree.
        most = self.network.node_count if self.rounds is None else 1
        for _ in self.periods:
            program.variable(cost=1, upper=most)
        classes = self.classes
        for _ in range(len(self.periods) * classes):
            program.variable(upper=most)
        limits = self.limits
        for t in self.periods:
            for c in range(classes):
                program.add({self.used(t, c): 1, t - 1: -1}, "<=", 0)
            for counts, links in limits:
                program.add({self.used(t, c): x for c, x in counts} | {t - 1: -links}, "<=", 0)
        if self.rounds is not None:
            deg = [len(s) for s in self.network.successors]
            for before, after, right in rows_of_costs(self, deg):
                costs = {t - 1: before[1] if t <= before[0] else after for t in self.periods}
                program.add(costs, ">=", right)
        for cut in cuts:
            program.add(self.crossing(cut), ">=", 1)
        return program

    def used(self, t: int, c: int) -> int:
        """Return the variable of a class of links in a round."""
        return len(self.periods) + (t - 1) * self.classes + c

    @cached_property
    def limits(self) -> list[tuple[tuple[tuple[int, int], ...], int]]:
        """Return how many links of each class are at a node, or in the network.

        With each comes how many of them a call graph can have.
        """
        found: dict[tuple[tuple[tuple[int, int], ...], int], None] = {}

        def limit(arcs: Sequence[Arc], most: int) -> None:
            counts: dict[int, int] = {}
            for arc in arcs:
                counts[self.orbits[arc]] = counts.get(self.orbits[arc], 0) + 1
            found[tuple(sorted(counts.items())), most] = None

        for v in range(self.network.node_count):
            out = [(v, w) for w in self.network.successors[v]]
            if len(out) > self.ports:
                limit(out, self.ports)
                if self.weak:
                    limit([arc[::-1] for arc in out], self.ports)
        if not self.weak:
            most = self.ports * self.network.node_count // 2
            if len(self.network.edges) > most:
                limit(self.network.edges, most)
        return list(found)

    def crossing(self, cut: Cut) -> dict[int, int]:
        """How many links of every class cross a cut in every round.

        In the steady state a cut is 0 at the nodes of the source's side.
        """
        counts: dict[int, int] = {}
        for (u, v), c in self.orbits.items():
            if self.rounds is None:
                crossed = range(1, 2 if cut[u] == 0 and cut[v] else 1)
            else:
                crossed = range(cut[u] + 1, min(cut[v] - 1, self.rounds) + 1)
            for t in crossed:
                x = self.used(t, c)
                counts[x] = counts.get(x, 0) + 1
        return counts

    def is_cut(self, cut: Any) -> bool:
        """Whether it has the source on its side from the start, and somebody on the other to the end."""
        last = 1 if self.rounds is None else self.rounds + 1
        return (
            isinstance(cut, list)
            and len(cut) == self.network.node_count
            and all(type(t) is int and 0 <= t <= last for t in cut)
            and cut[self.source] == 0
            and max(cut) == last
        )


@lru_cache(maxsize=8)
def link_orbits(network: Network, source: int, directed: bool) -> Mapping[Arc, int]:
    """Numbers of classes of arcs that automorphisms which keep the source map to each other."""
    n = network.node_count
    if network.is_complete:
        # All other nodes can be exchanged: an arc is known by which of its ends is the source.
        ends = {(u, v): (u == source, v == source) for u, v in network.arcs}
        kinds: dict[Any, int] = {}
        return {arc: kinds.setdefault(end if directed else any(end), len(kinds)) for arc, end in ends.items()}
    number = {arc: i for i, arc in enumerate(network.arcs)}
    moves = [] if directed else [[number[v, u] for u, v in number]]
    few = n <= LARGEST_FOR_SYMMETRY
    for image in automorphisms(network, fixing=((source,),), limit=64) if few else ():
        if image[source] == source and is_automorphism(network, image):
            moves.append([number[image[u], image[v]] for u, v in number])
    first, classes = first_of_orbit(len(number), moves), dict[int, int]()
    return {arc: classes.setdefault(first[i], len(classes)) for arc, i in number.items()}


def timed(problem: Problem, evidence: Mapping[str, Any]) -> Value:
    """Return the bound that multipliers of the program's rows prove.

    The evidence lists the program's cuts.
    """
    return _bound(Timed.of(problem), evidence)


def steady(problem: Problem, evidence: Mapping[str, Any]) -> Value:
    """Return the same for the steady state, a bound for every number of rounds."""
    return _bound(Timed.of(problem, steady=True), evidence)


def _bound(program: Timed, evidence: Mapping[str, Any]) -> Fraction:
    cuts = evidence.get("cuts")
    if program.network.node_count < 2:
        raise ClaimError("with one node there is no program")
    if not isinstance(cuts, list) or not all(program.is_cut(cut) for cut in cuts):
        raise ClaimError(
            '"cuts" should be lists of the rounds after which the nodes are on the source\'s side'
        )
    return tidy(dual_bound(program.build([tuple(cut) for cut in cuts]), multipliers_of(evidence)))
