"""How the matching models are solved: the plain formula plus what makes it fast, and a CP-SAT model of its
own.

The claim that M rounds do not suffice rests on the plain formula of the claims. What is added to it here
changes no answer:

- Distance windows: a node does not hold an item before the round that equals its distance from the item's
  origin.
- Symmetry: among the schedules that the network's automorphisms make of one another, only one whose first
  round is lexicographically largest is looked for (`claims.formula.break_symmetries`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count
from math import inf

from schedsolve.backends.cpsat import CpModel, CpSearch, Reader
from schedsolve.backends.sat import SatQuestion, SatSearch
from schedsolve.modelkit.refutation import (
    LARGEST_FORMULA,
    LITERALS_A_SECOND,
    break_symmetries,
    moved_links,
    problem_symmetries,
)
from schedsolve.modelkit.search import Search, Strategy
from schedsolve.network.graph import Network
from schedsolve.problem import Problem
from schedsolve.schedule import Schedule

from .claims.formula import RoundsFormula, broadcast_formula, formula_size, rounds_formula
from .claims.lower_bounds import as_broadcast
from .constructions.algorithms import Pairs, as_schedule
from .constructions.broadcast_search import best_prefixes
from .constructions.useful_calls import only_useful_calls
from .rules import is_two_way

SHORTEST_PREFIX, LONGEST_PREFIX, PREFIXES_A_LENGTH, PREFIX_SECONDS = 3, 7, 3, 2.0
"""Which greedy beginnings of a broadcast are tried, and for how long each at first."""


def sat_search(
    problem: Problem, rounds: int, *, certify: bool = False, seconds: float = inf
) -> Search | None:
    """Decide "`rounds` rounds suffice" by the plain formula with distance windows and symmetry breaking.

    certify: keep a proof; its first lemmas are the distance windows, which follow from the plain formula
    round by round.
    seconds: the time left; None is given when the formula alone would take it, or is too large.
    """
    if too_large(problem, rounds, seconds):
        return None

    def build() -> SatQuestion:
        formula = rounds_formula(problem, rounds)
        symmetries = problem_symmetries(problem, len(formula.links)) if rounds else []
        break_symmetries(formula, problem, symmetries)
        evidence = {
            "kind": "refutation",
            "rounds": rounds,
            "symmetries": [list(image) for image in symmetries],
        }
        return SatQuestion(
            formula.cnf, too_early(problem, formula), lambda true: decode(problem, formula, true), evidence
        )

    return SatSearch(build, with_proof=certify)


def time_symmetric_search(problem: Problem, rounds: int, kind: int, seconds: float = inf) -> Search | None:
    """Look for a gossip schedule that run backwards, and moved by an involution of the network, is itself.

    - A call is made in round t if and only if its image, turned round, is made in round M + 1 - t.

    A gossip schedule run backwards is one again, so there often is such a schedule, and half of it determines
    the rest.

    kind: which involution; 0 is the identity, the others one for every number of fixed nodes, fixed edges and
    edges turned round.
    """
    network = problem.network
    if problem.task != "gossip" or network.directed or too_large(problem, rounds, seconds):
        return None
    involutions = [
        image for image in problem_symmetries(problem, 1) if all(image[x] == v for v, x in enumerate(image))
    ]
    kinds = {
        _involution_kind(network, image): image
        for image in reversed([tuple(range(network.node_count)), *involutions])
    }
    if kind >= len(kinds):
        return None
    image = kinds[sorted(kinds, reverse=True)[kind]]

    def build() -> SatQuestion:
        formula = rounds_formula(problem, rounds)
        moved = moved_links(formula, image, turned=True)
        for t in range(1, rounds + 1):
            for a, b in enumerate(moved):
                formula.cnf.clauses.append([-formula.call(a, t), formula.call(b, rounds + 1 - t)])
        return SatQuestion(
            formula.cnf, too_early(problem, formula), lambda true: decode(problem, formula, true)
        )

    return SatSearch(build)


class PrefixSearch:
    """A broadcast search that takes the first rounds from greedy passes and leaves the rest to SAT; it finds,
    and never refutes.

    Prefixes of three to seven rounds are tried in turn, the promising ones first, each for a while; then
    others, for longer.

    problem: with a given source. rounds: the number of rounds of the schedules looked for, more than the
    shortest prefix.
    """

    def __init__(self, problem: Problem, rounds: int) -> None:
        self._problem = problem
        self._network = as_broadcast(problem)
        self._rounds = rounds
        self._trials = self._all_trials()
        self._prefix: Pairs = []
        self._suffix: SatSearch | None = None
        self._left = 0.0

    def _all_trials(self) -> Iterator[tuple[Pairs, float]]:
        """Prefixes, each with the seconds that its completion may take."""
        for tour in count():
            for length in range(SHORTEST_PREFIX, min(LONGEST_PREFIX, self._rounds - 1) + 1):
                problem = self._problem
                for prefix in best_prefixes(
                    self._network,
                    problem.sources,
                    problem.targets,
                    prefix_rounds=length,
                    count=PREFIXES_A_LENGTH,
                    seed=tour,
                ):
                    yield prefix, PREFIX_SECONDS * 2**tour

    def advance(self, seconds: float) -> bool | None:
        """Work for about so many seconds; True: found, None: not yet."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self._suffix is None:
                self._prefix, self._left = next(self._trials)
                self._suffix = self._completion()
            begun = time.monotonic()
            answer = self._suffix.advance(min(self._left, end - begun))
            self._left -= time.monotonic() - begun
            if answer:
                return True
            if answer is False or self._left <= 0:
                self.close()
        return None

    def _completion(self) -> SatSearch:
        """A search for the rounds after the prefix, with all that it informs as sources."""
        informed = sorted({*self._problem.sources, *(v for calls in self._prefix for _, v in calls)})
        rounds = self._rounds - len(self._prefix)

        def build() -> SatQuestion:
            formula = broadcast_formula(self._network, informed, self._problem.targets, rounds)
            windows = _windows(formula, [informed])
            return SatQuestion(formula.cnf, windows, lambda true: self._whole(formula.calls(true)))

        return SatSearch(build)

    def _whole(self, rest: Pairs) -> tuple[Problem, Schedule]:
        return self._problem, only_useful_calls(
            self._problem, as_schedule(self._problem, [*self._prefix, *rest])
        )

    def found(self) -> tuple[Problem, Schedule]:
        """The schedule found, after `advance` returned True, and the problem that it solves."""
        assert self._suffix is not None
        return self._suffix.found()

    def evidence(self) -> None:
        """Nothing: it never refutes."""

    def close(self) -> None:
        """Give the solver's memory back."""
        if self._suffix is not None:
            self._suffix.close()
            self._suffix = None


def prefix_search(problem: Problem, rounds: int, seconds: float = inf) -> Search | None:
    """Look for a broadcast, multicast or accumulation schedule whose first rounds are greedy
    (`PrefixSearch`).
    """
    if (
        problem.task == "gossip"
        or problem.choice
        or rounds <= SHORTEST_PREFIX
        or too_large(problem, rounds, seconds)
    ):
        return None
    return PrefixSearch(problem, rounds)


def _involution_kind(network: Network, image: Sequence[int]) -> tuple[int, int, int]:
    """The numbers of nodes that stay, of edges that stay, and of edges that are turned round."""
    fixed = sum(image[v] == v for v in range(network.node_count))
    still = sum(image[u] == u and image[v] == v for u, v in network.edges)
    return fixed, still, sum(image[u] == v for u, v in network.edges)


def too_early(problem: Problem, formula: RoundsFormula) -> list[int]:
    """Distance windows: "node v does not hold an item of origin s after fewer than dist(s, v) rounds", as
    literals, round by round.

    In this order each follows from the formula and those before it by unit propagation.
    """
    if problem.task == "gossip":
        return _windows(formula, [[i] for i in range(formula.network.node_count)])
    return _windows(formula, [] if problem.choice else [problem.sources])


def _windows(formula: RoundsFormula, origins: Sequence[Sequence[int]]) -> list[int]:
    """The distance windows of a formula; origins: for every item the nodes that hold it at the start."""
    early = []
    for i, sources in enumerate(origins):
        for v, distance in enumerate(formula.network.distances_from(sources)):
            last = formula.rounds if distance is None else min(distance - 1, formula.rounds)
            early += [formula.held(v, i, t) for t in range(last + 1)]
    return [-variable for variable in sorted(early)]


def decode(problem: Problem, formula: RoundsFormula, true: set[int]) -> tuple[Problem, Schedule]:
    """The schedule that a model of the formula stands for, without its useless calls, and the problem with
    its source given.
    """
    pairs = formula.calls(true)
    schedule = Schedule.two_way(pairs) if is_two_way(problem) else Schedule.one_way(pairs)
    if problem.choice == "min":
        problem = problem.at_node(
            next(v for v in range(formula.network.node_count) if formula.held(v, 0, 0) in true)
        )
    return problem, only_useful_calls(problem, schedule.reversed() if formula.reversed_time else schedule)


def cpsat_search(problem: Problem, rounds: int, seconds: float = inf) -> Search | None:
    """Decide "`rounds` rounds suffice" by CP-SAT."""
    if too_large(problem, rounds, seconds):
        return None
    return CpSearch(
        lambda model: (cpsat_gossip if problem.task == "gossip" else cpsat_broadcast)(model, problem, rounds)
    )


def cpsat_broadcast(
    model: CpModel, problem: Problem, rounds: int, *, most_calls: int | None = None
) -> Reader:
    """A broadcast or multicast as a scheduling problem, an accumulation as a broadcast run backwards.

    - A source is informed in round 0, every other informed node v in a round informed[v] from its distance,
      or M if that is less, to M.
    - Every target that is no source is called by exactly one node, every other node by at most one.
    - A node that calls is a source or is called itself, in an earlier round.
    - No two calls by one node lie in the same round.
    - No node takes part in more than `most_calls` calls, if that is given.
    """
    reverse = problem.task == "accumulation"
    network = problem.network.reversed() if reverse else problem.network
    sources = range(network.node_count) if problem.choice else problem.sources
    distance = network.distances_from(sources)
    start = {v: model.boolean() for v in range(network.node_count)} if problem.choice else {}
    if start:
        model.exactly_one(start.values())
    informed = {
        v: model.integer(
            0 if start else min(distance[v] or 0, rounds), 0 if v in sources and not start else rounds
        )
        for v in range(network.node_count)
    }
    called = {(u, v): model.boolean() for u, v in network.arcs if start or v not in sources}
    for v in range(network.node_count):
        callers = [called[u, v] for u in network.predecessors[v] if (u, v) in called]
        if start:
            callers.append(start[v])
            model.at_most(informed[v], 0, when=start[v])
        elif v in sources:
            callers = []
        if v in problem.targets and (callers or v not in sources):
            model.exactly_one(callers)
        else:
            model.at_most_one(callers)
        if start or v not in sources:
            for u in network.successors[v]:
                if (v, u) in called:
                    model.clause([-called[v, u], *callers])
    for (u, v), arc in called.items():
        model.later(informed[u], informed[v], when=arc)
    for u in range(network.node_count):
        model.distinct_slots([(informed[v], called[u, v]) for v in network.successors[u] if (u, v) in called])
        if most_calls is not None:
            model.at_most_of([called[arc] for arc in called if u in arc], most_calls)

    def read(value: Callable[[int], int]) -> tuple[Problem, Schedule]:
        pairs: list[list[tuple[int, int]]] = [[] for _ in range(rounds)]
        for (u, v), arc in called.items():
            if value(arc):
                pairs[value(informed[v]) - 1].append((u, v))
        found = Schedule.two_way(pairs) if is_two_way(problem) else Schedule.one_way(pairs)
        chosen = problem
        if start:
            chosen = problem.at_node(next(v for v, literal in start.items() if value(literal)))
        return chosen, only_useful_calls(chosen, found.reversed() if reverse else found)

    return read


def cpsat_gossip(
    model: CpModel, problem: Problem, rounds: int, *, period: int | None = None, once: bool = False
) -> Reader:
    """A gossip by the first arrival of every item at every node.

    - In every round every node takes part in at most one call; rounds that are a period apart, if there is a
      period, have the same calls.
    - With `once`, every edge is called at most once in a period, whichever way.
    - Every node learns every item but its own exactly once, through one arc in one round.
    - What is learnt through an arc in a round needs a call along the arc (in the two-way mode: along its
      edge) in that round.
    - What is learnt from a node that is not the item's origin was learnt by that node in an earlier round.
    """
    network, n = problem.network, problem.network.node_count
    two_way = is_two_way(problem)
    links = network.edges if two_way else network.arcs
    link_of = {(u, v): (min(u, v), max(u, v)) if two_way else (u, v) for u, v in network.arcs}
    slots = rounds if period is None else min(period, rounds)
    call = {(link, t): model.boolean() for link in links for t in range(1, slots + 1)}
    for t in range(1, slots + 1):
        for v in range(n):
            model.at_most_one([call[link, t] for link in links if v in link])
    if once:
        for u, v in network.edges:
            model.at_most_one([x for (link, _), x in call.items() if link in ((u, v), (v, u))])
    for t in range(slots + 1, rounds + 1):
        call.update({(link, t): call[link, t - slots] for link in links})
    for i in range(n):
        distance = network.distances_from([i])
        learnt = {
            (u, v, t): model.boolean()
            for u, v in network.arcs
            if v != i
            for t in range((distance[u] or 0) + 1, rounds + 1)
            if distance[u] is not None
        }
        for v in range(n):
            if v != i:
                model.exactly_one([x for (_, head, _), x in learnt.items() if head == v])
        for (u, v, t), x in learnt.items():
            model.clause([-x, call[link_of[u, v], t]])
            if u != i:
                model.clause(
                    [
                        -x,
                        *(
                            learnt[w, u, s]
                            for w in network.predecessors[u]
                            for s in range(1, t)
                            if (w, u, s) in learnt
                        ),
                    ]
                )

    def read(value: Callable[[int], int]) -> tuple[Problem, Schedule]:
        pairs = [[link for link in links if value(call[link, t])] for t in range(1, rounds + 1)]
        found = Schedule.two_way(pairs) if is_two_way(problem) else Schedule.one_way(pairs)
        return problem, found if period else only_useful_calls(problem, found)

    return read


def too_large(problem: Problem, rounds: int, seconds: float) -> bool:
    """Whether the formula for `rounds` rounds is too large, or takes too long to write down when so many
    seconds are left.
    """
    return formula_size(problem, rounds) > min(LARGEST_FORMULA, LITERALS_A_SECOND * seconds)


def _start_time_symmetric(kind: int, problem: Problem, rounds: int, _: bool, seconds: float) -> Search | None:
    return time_symmetric_search(problem, rounds, kind, seconds)


STRATEGIES = (
    Strategy(
        "formula",
        "sat",
        True,
        lambda problem, rounds, certify, s: sat_search(problem, rounds, certify=certify, seconds=s),
    ),
    *(
        Strategy(
            f"schedules symmetric in time, kind {kind}",
            "sat",
            False,
            partial(_start_time_symmetric, kind),
            share=0.1,
        )
        for kind in range(4)
    ),
    Strategy(
        "greedy prefix completed by SAT",
        "sat",
        False,
        lambda problem, rounds, _, s: prefix_search(problem, rounds, s),
    ),
    Strategy(
        "scheduling model",
        "cpsat",
        True,
        lambda problem, rounds, _, s: cpsat_search(problem, rounds, s),
        by_default=False,
    ),
)
