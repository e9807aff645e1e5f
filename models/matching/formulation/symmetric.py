"""Gossip schedules that a group of symmetries keeps: finds, and never refutes."""

from __future__ import annotations

import random
import time
from collections.abc import Hashable, Iterator

from schedsolve.backends.sat import SatQuestion, SatSearch
from schedsolve.formulas.cnf import Cnf
from schedsolve.modelkit.refutation import affordable, moved_links, problem_symmetries
from schedsolve.modelkit.search import GivenUpError, Question, Search
from schedsolve.problem import Problem
from schedsolve.schedule import Schedule
from schedsolve.task import Demand

from ..claims.formula import RoundsFormula, formula_size, gossip_formula
from ..rules import is_two_way
from .sat import decode, windows
from .schedule_groups import Group, drawn_groups, kind_of, size_of, unturned

GROUP_SECONDS = 0.3
"""How long a group of symmetries is tried at first; every tour doubles it."""
MOST_TOURS = 5
"""After so many tours the search ends."""
TOWERS = 12
"""Each tour draws so many towers of groups."""


def symmetric_search(question: Question) -> Search | None:
    """Look for a gossip schedule that a group of symmetries keeps (`SymmetricSearch`)."""
    size = formula_size(question.problem, question.value)
    fits = question.problem.task == "gossip" and affordable(question, size // 8)
    return SymmetricSearch(question) if fits else None


class SymmetricSearch:
    """A gossip search among the schedules that automorphisms of the network, some of them run backwards in
    time, make nothing else of; it finds, and never refutes.

    Groups of such symmetries are tried in turn, the largest first, as their formulas are the smallest, each
    for a while; then others, for longer, five times. A kind of group that is refuted is not tried again.
    """

    def __init__(self, question: Question) -> None:
        self._question = question
        self._trials = self._all_trials()
        self._refuted: set[Hashable] = set()
        self._kind: Hashable = None
        self._search: SatSearch | None = None
        self._left = 0.0

    def _all_trials(self) -> Iterator[tuple[Group, Hashable, float]]:
        """Groups with their kinds and the seconds that each may take, one of every kind in a tour."""
        problem, network = self._question.problem, self._question.problem.network
        size = formula_size(problem, self._question.value)
        known = [tuple(range(network.node_count)), *problem_symmetries(problem, 1)]
        rng = random.Random(self._question.seed)
        for tour in range(MOST_TOURS):
            groups = {
                kind_of(network, group): group
                for group in drawn_groups(known, rng, TOWERS, turning=not network.directed)
                if affordable(self._question, size // len(unturned(group)))
            }
            open_kinds = [kind for kind in groups if kind not in self._refuted]
            for kind in sorted(open_kinds, key=lambda kind: size_of(groups[kind]), reverse=True):
                yield groups[kind], kind, GROUP_SECONDS * 2**tour

    def advance(self, seconds: float) -> bool | None:
        """Work for about so many seconds; True: found, None: not yet. Raises GivenUpError when all groups
        have been tried.
        """
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self._search is None:
                self._next()
            begun = time.process_time()
            assert self._search is not None
            answer = self._search.advance(max(0.01, min(self._left, end - time.monotonic())))
            self._left -= time.process_time() - begun
            if answer:
                return True
            if answer is False:
                self._refuted.add(self._kind)
            if answer is False or self._left <= 0:
                self.close()
        return None

    def _next(self) -> None:
        trial = next(self._trials, None)
        if trial is None:
            raise GivenUpError
        group, self._kind, self._left = trial
        problem, rounds = self._question.problem, self._question.value
        self._search = SatSearch(lambda: symmetric_question(problem, rounds, group))

    def found(self) -> tuple[Problem, Schedule]:
        """The schedule found, after `advance` returned True, and the problem that it solves."""
        assert self._search is not None
        return self._search.found()

    def evidence(self) -> None:
        """Nothing: it never refutes."""

    def close(self) -> None:
        """Give the solver's memory back."""
        if self._search is not None:
            self._search.close()
            self._search = None


def symmetric_question(problem: Problem, rounds: int, group: Group) -> SatQuestion:
    """What finds the gossip schedules of so many rounds that a group of symmetries keeps.

    - The calls that the symmetries make of one another are one variable.
    - Of the items that the automorphisms that are not turned make of one another, the first is brought to all
      nodes; so are the others then.
    """
    network = problem.network
    least = {min(symmetry.image[v] for symmetry in unturned(group)) for v in range(network.node_count)}
    items = sorted(least)
    demand = Demand(
        len(items),
        tuple(sum((v == origin) << i for i, origin in enumerate(items)) for v in range(network.node_count)),
        ((1 << len(items)) - 1,) * network.node_count,
    )
    formula = gossip_formula(network, demand, is_two_way(problem), rounds)
    first = _first_calls(formula, group)
    held = range(len(first), formula.cnf.variable_count + 1)
    literal = [*first, *held, *(-variable for variable in reversed(held)), *(-call for call in first[:0:-1])]
    cnf = Cnf(formula.cnf.variable_count, [[literal[x] for x in clause] for clause in formula.cnf.clauses])

    def decoded(true: set[int]) -> tuple[Problem, Schedule]:
        return decode(problem, formula, {call for call in formula.call_variables if first[call] in true})

    return SatQuestion(cnf, windows(formula, [[origin] for origin in items]), decoded)


def _first_calls(formula: RoundsFormula, group: Group) -> list[int]:
    """For every variable of a call, from 1, the least one that the symmetries make of it."""
    links, last = range(len(formula.links)), formula.rounds + 1
    moves = [
        (moved_links(formula, symmetry.image, turned=symmetry.turned), symmetry.turned) for symmetry in group
    ]
    return [0] + [
        min(formula.call(moved[a], last - t if turned else t) for moved, turned in moves)
        for t in range(1, formula.rounds + 1)
        for a in links
    ]
