"""Gossip schedules that a group of symmetries keeps: finds, and never refutes."""

from __future__ import annotations

import random
from collections.abc import Hashable
from functools import partial

from schedsolve.backends.restarts import SearchesInTurn, Trials
from schedsolve.backends.sat import SatQuestion, SatSearch
from schedsolve.modelkit.formulas.cnf import Cnf
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.refutation import affordable, moved_links, problem_symmetries
from schedsolve.modelkit.schedule import Schedule
from schedsolve.modelkit.search import Question, RunningSearch
from schedsolve.modelkit.task import Demand, is_replayable
from schedsolve.network.orbits import first_of_orbit

from ..claims.formula import RoundsFormula, formula_size, gossip_formula
from ..constructions.schedule_groups import (
    Group,
    drawn_groups,
    generators_of,
    groups_of,
    has_useful_calls,
    kind_of,
    size_of,
    unturned,
)
from ..rules import is_two_way
from .sat import LARGEST_GOSSIP, decode, windows

SOLVER = "glucose4"
"""It refutes large groups in hundredths of a second, and finds gossips sooner than cadical195 does."""
GROUP_SECONDS = 0.5
"""How long a group of symmetries is tried at first; every tour doubles it."""
UNDECIDED = 8
"""A tour ends after so many groups that are not decided in their time; every tour doubles the number."""
MOST_TOURS = 5
"""After so many tours the search ends."""
ASYMMETRIC_NODES = 50
"""From so many nodes, one-way gossips in networks without automorphisms are left to other searches."""
TOWERS = 40
"""Each tour draws so many towers of groups."""
LARGE_SECONDS, LARGE_TOURS, LARGE_TOWERS = 4.0, 2, 20
"""The same of large groups; a tour tries all kinds, and the second takes four times as long for each."""


def symmetric_search(question: Question) -> RunningSearch | None:
    """Look for a gossip schedule among those that some automorphisms leave as they are.

    Some of these may be run backwards in time; None for another task, and where the formulas would be too
    large.

    Groups of such symmetries are tried in turn, the largest first, as their formulas are the smallest, each
    for a while, until some are not decided; then others, and more of them for longer, five times. A kind of
    group that is refuted is not tried again.
    """
    problem = question.problem
    large = not is_two_way(problem) and problem.network.node_count >= ASYMMETRIC_NODES
    if problem.task != "gossip" or (large and not problem_symmetries(problem, 1)):
        return None
    size = formula_size(problem, question.value)
    fits = affordable(question, size // 8, largest=LARGEST_GOSSIP)
    return SearchesInTurn(_groups_in_turn(question)) if fits else None


def large_groups_search(question: Question) -> RunningSearch | None:
    """Look for a gossip schedule that a group keeps which is so large that the formula becomes small.

    It is for networks whose whole formula is too large; None for others, and for other tasks.
    """
    problem = question.problem
    size = formula_size(problem, question.value)
    large = problem.task == "gossip" and is_replayable(problem.network.node_count)
    if not large or affordable(question, size, largest=LARGEST_GOSSIP):
        return None
    fits = affordable(question, size // problem.network.node_count, largest=LARGEST_GOSSIP)
    return SearchesInTurn(_large_groups_in_turn(question)) if fits else None


def _large_groups_in_turn(question: Question) -> Trials:
    """Search for schedules that large groups keep, one of each kind, and again those that are not decided."""
    problem, rounds, network = question.problem, question.value, question.problem.network
    size, rng = formula_size(problem, rounds), random.Random(question.seed)
    groups = {
        kind_of(network, group): group
        for group in groups_of(network, rng, LARGE_TOWERS)
        if has_useful_calls(network, group, two_way=is_two_way(problem))
        and affordable(question, size // len(unturned(group)), largest=LARGEST_GOSSIP)
    }
    for tour in range(LARGE_TOURS):
        for kind in sorted(groups, key=lambda kind: size_of(groups[kind]), reverse=True):
            build = partial(symmetric_question, problem, rounds, groups[kind])
            if (yield SatSearch(build, solver=SOLVER), LARGE_SECONDS * 4**tour):
                del groups[kind]


def _groups_in_turn(question: Question) -> Trials:
    """Search for schedules that groups keep, in every tour one group of each kind that is not refuted."""
    problem, rounds, network = question.problem, question.value, question.problem.network
    size, refuted = formula_size(problem, rounds), set[Hashable]()
    known = [tuple(range(network.node_count)), *problem_symmetries(problem, 1)]
    rng = random.Random(question.seed)
    for tour in range(MOST_TOURS):
        groups = {
            kind_of(network, group): group
            for group in drawn_groups(known, rng, TOWERS, turning=not network.directed)
            if affordable(question, size // len(unturned(group)), largest=LARGEST_GOSSIP)
        }
        open_kinds = [kind for kind in groups if kind not in refuted]
        undecided = 0
        for kind in sorted(open_kinds, key=lambda kind: size_of(groups[kind]), reverse=True):
            build = partial(symmetric_question, problem, rounds, groups[kind])
            if (yield SatSearch(build, solver=SOLVER), GROUP_SECONDS * 2**tour):
                refuted.add(kind)
            else:
                undecided += 1
                if undecided == UNDECIDED * 2**tour:
                    break


def symmetric_question(problem: Problem, rounds: int, group: Group) -> SatQuestion:
    """Return what finds the gossip schedules of so many rounds that a group of symmetries keeps.

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
    moves = []
    for symmetry in generators_of(group):
        moved = moved_links(formula, symmetry.image, turned=symmetry.turned)
        times = range(formula.rounds, 0, -1) if symmetry.turned else range(1, last)
        moves.append([0, *(formula.call(moved[a], t) for t in times for a in links)])
    return first_of_orbit(1 + formula.rounds * len(links), moves)
