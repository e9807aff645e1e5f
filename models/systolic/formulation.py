"""The searches of the systolic models: the plain formulas with additions.

If the number of rounds is at most the period, nothing repeats and the model without a period decides.
Otherwise the plain formula of the claims decides, with two additions that change no answer: distance
windows, as in the model without a period, and symmetry breaking in the calls of round 1, except on
trees.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from schedsolve.backends.sat import SatQuestion, SatSearch, decide_by_sat
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.refutation import (
    CallsFormula,
    break_symmetries,
    problem_symmetries,
)
from schedsolve.modelkit.schedule import Schedule
from schedsolve.modelkit.search import Decision, Question, RunningSearch
from schedsolve.models.matching.claims.formula import RoundsFormula
from schedsolve.models.matching.formulation import DECISIONS as MATCHING_DECISIONS
from schedsolve.models.matching.formulation.sat import too_early
from schedsolve.models.matching.rules import is_two_way
from schedsolve.network.automorphisms import Automorphism

from .claims.formula import (
    TreeFormula,
    formula_size,
    horizon,
    nothing_repeats,
    systolic_formula,
    without_period,
)
from .constructions.algorithms import repeated, systolic_broadcast
from .constructions.useful_calls import only_useful_slots
from .rules import period_of


class _WithPeriod:
    """A search of the model without a period, for at most as many rounds as the period has.

    It has the interface of `schedsolve.modelkit.search.RunningSearch`.
    """

    def __init__(self, problem: Problem, search: RunningSearch) -> None:
        self._problem = problem
        self._search = search

    def advance(self, seconds: float) -> bool | None:
        """Search for about `seconds`; return True: found, False: refuted, None: not decided yet."""
        return self._search.advance(seconds)

    def found(self) -> tuple[Problem, Schedule]:
        """Return the problem and the schedule found that solves it."""
        return _with_period(self._problem, *self._search.found())

    def evidence(self) -> Mapping[str, Any] | None:
        """Return the evidence of the refutation."""
        return self._search.evidence()

    def close(self) -> None:
        """Free the memory."""
        self._search.close()


def _with_period(problem: Problem, placed: Problem, schedule: Schedule) -> tuple[Problem, Schedule]:
    """Return the problem with its source or root given, and the schedule with the problem's period."""
    return problem.with_parameters(**placed.parameters), Schedule(schedule.rounds, period_of(problem))


def _where_nothing_repeats(decision: Decision) -> Decision:
    def start(question: Question) -> RunningSearch | None:
        if not nothing_repeats(question.problem, question.value):
            return None
        search = decision.start(replace(question, problem=without_period(question.problem)))
        if isinstance(search, SatSearch):
            return search.decoding(partial(_with_period, question.problem))
        return search and _WithPeriod(question.problem, search)

    return replace(decision, name=f"{decision.name}, no round repeated", start=start, after=0.0)


def sat_search(question: Question) -> RunningSearch | None:
    """Return the search by the plain formula with distance windows and symmetry breaking.

    None if nothing repeats or the formula is too large.
    """
    problem = question.problem
    rounds = min(question.value, horizon(problem))
    if nothing_repeats(problem, rounds):
        return None

    def build() -> SatQuestion:
        formula = systolic_formula(problem, rounds)
        symmetries = _symmetries(problem, formula)
        break_symmetries(formula, problem, symmetries)
        evidence = {
            "kind": "refutation",
            "rounds": rounds,
            "symmetries": [list(image) for image in symmetries],
        }
        return SatQuestion(
            formula.cnf,
            _windows(problem, formula),
            lambda true: decode(problem, formula, true),
            evidence,
            formula.call_variables,
        )

    return decide_by_sat(question, formula_size(problem, rounds), build)


def _symmetries(problem: Problem, formula: CallsFormula) -> Sequence[Automorphism]:
    if problem.network.is_tree or formula.rounds < 1:
        return []
    return problem_symmetries(problem, len(formula.links))


def _windows(problem: Problem, formula: CallsFormula) -> list[int]:
    """Return what is not known yet in early rounds, as literals.

    Each follows by unit propagation from the formula and the literals before it.
    """
    if isinstance(formula, RoundsFormula):
        return too_early(problem, formula)
    if not isinstance(formula, TreeFormula):
        return []
    depth = _depths_behind(formula)
    return [
        -formula.known(a, t) for t in range(formula.rounds + 1) for a in range(len(depth)) if t < depth[a]
    ]


def _depths_behind(formula: TreeFormula) -> list[int]:
    """Return for every arc the number of arcs on the longest path that ends with it."""
    network = formula.network
    number = {arc: a for a, arc in enumerate(network.arcs)}
    waiting = [len(network.successors[u]) - 1 for u, _ in network.arcs]
    depth = [1] * len(network.arcs)
    ready = [a for a, count in enumerate(waiting) if not count]
    for a in ready:
        u, v = network.arcs[a]
        for w in network.successors[v]:
            if w != u:
                after = number[v, w]
                depth[after] = max(depth[after], depth[a] + 1)
                waiting[after] -= 1
                if not waiting[after]:
                    ready.append(after)
    return depth


def decode(problem: Problem, formula: CallsFormula, true: set[int]) -> tuple[Problem, Schedule]:
    """Return the problem with its source given, and the schedule that a model of the formula describes.

    Calls of the period that the schedule does not need are left out.

    Parameters
    ----------
    problem
        The problem of the formula.
    formula
        The plain formula.
    true
        The true variables of the model.
    """
    pairs = formula.calls(true)
    if isinstance(formula, RoundsFormula) and problem.task != "gossip":
        if problem.choice == "min":
            problem = problem.at_node(
                next(v for v in range(formula.network.node_count) if formula.held(v, 0, 0) in true)
            )
        calls = Schedule.two_way(pairs) if is_two_way(problem) else Schedule.one_way(pairs)
        return problem, systolic_broadcast(problem, calls.reversed() if formula.reversed_time else calls)
    if problem.task == "gossip":
        return problem, only_useful_slots(problem, repeated(problem, pairs[: period_of(problem)]))
    return decode_connection(problem, pairs)


def decode_connection(problem: Problem, pairs: list[list[tuple[int, int]]]) -> tuple[Problem, Schedule]:
    """Return a schedule of one message from the calls of a period that connect its sources with its targets.

    Parameters
    ----------
    problem
        The problem, of one message.
    pairs
        The calls of every slot as (caller, callee).

    Returns
    -------
    The problem with its source given, and the schedule.
    """
    network = problem.broadcast_network
    if problem.choice == "min":
        problem = problem.at_node(_source_of_all(network.node_count, pairs))
    informed = set(problem.sources)
    rounds: list[list[tuple[int, int]]] = []
    while not informed.issuperset(problem.targets):
        calls = [(u, v) for u, v in pairs[len(rounds) % len(pairs)] if u in informed and v not in informed]
        informed.update(v for _, v in calls)
        rounds.append(calls)
    calls_made = Schedule.two_way(rounds) if is_two_way(problem) else Schedule.one_way(rounds)
    return problem, systolic_broadcast(
        problem, calls_made.reversed() if problem.task == "accumulation" else calls_made
    )


def _source_of_all(node_count: int, pairs: list[list[tuple[int, int]]]) -> int:
    """Return a node from which all others can be reached along the pairs; there must be one."""
    after: list[list[int]] = [[] for _ in range(node_count)]
    for u, v in (pair for calls in pairs for pair in calls):
        after[u].append(v)
    for start in range(node_count):
        reached = [start]
        seen = {start}
        for u in reached:
            fresh = [v for v in after[u] if v not in seen]
            seen.update(fresh)
            reached += fresh
        if len(seen) == node_count:
            return start
    raise AssertionError("no node reaches all others")


DECISIONS = (
    Decision("periodic formula", "sat", True, sat_search, splits=True),
    *(_where_nothing_repeats(decision) for decision in MATCHING_DECISIONS),
)
