"""Broadcasts that SAT finds by the plain formula of the claims."""

from __future__ import annotations

from collections.abc import Iterable

from schedsolve.backends.sat import SatQuestion, SatSearch, decide_by_sat
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Call, Message, Schedule
from schedsolve.modelkit.search import Question

from ..claims.formula import BroadcastFormula, broadcast_formula, formula_size
from ..rules.tree import in_rounds, tree_of

LITERALS_A_SECOND = 600_000
"""The literals that are written and loaded per second; a formula that takes all the time left is not begun.
"""
LARGEST_SEARCHED_FORMULA = 1_500_000
"""The most literals of a broadcast formula that is tried: 128 processors with w = 1."""
Places = Iterable[tuple[int, int, int]]
"""Processors, times and heights of messages that are sent, or received."""


def sat_search(question: Question) -> SatSearch | None:
    """Decide by the plain formula whether a broadcast takes at most `question.value`.

    A refutation holds for a product and a prefix as well.
    """
    problem, time = question.problem, question.value
    tree, rounds = tree_of(problem), in_rounds(problem)

    def build() -> SatQuestion:
        f = broadcast_formula(tree, time, rounds=rounds)
        evidence = {"kind": "refutation", "rounds": time, "formula": "broadcast"}
        return SatQuestion(f.cnf, [], lambda true: decode(problem, f, true), evidence)

    return decide_by_sat(
        question,
        formula_size(tree, time, rounds=rounds),
        build,
        largest=LARGEST_SEARCHED_FORMULA,
        literals_a_second=LITERALS_A_SECOND,
    )


def decode(problem: Problem, f: BroadcastFormula, true: set[int]) -> tuple[Problem, Schedule]:
    """Return the problem and the schedule that a satisfying assignment encodes, the set of true variables."""
    sent = [place for place, x in f.sends.items() if x in true]
    received = [place for place, x in f.receives.items() if x in true]
    return problem, schedule_from_places(problem, f, sent, received)


def schedule_from_places(problem: Problem, f: BroadcastFormula, sent: Places, received: Places) -> Schedule:
    """Return the schedule that pairs each received message with one sent at the right time on the other side.

    It is moved to the source.
    """
    waiting: dict[tuple[int, int, int], list[int]] = {}
    for p, t, h in sorted(sent, reverse=True):
        waiting.setdefault((p >> (h - 1), t, h), []).append(p)
    source = problem.sources[0]
    pairs: dict[int, list[tuple[int, int]]] = {}
    for q, arrival, h in sorted(received):
        t = arrival - f.delay(h)
        sender = waiting[(q >> (h - 1)) ^ 1, t, h].pop()
        pairs.setdefault(t, []).append((sender ^ source, q ^ source))
    if f.rounds:
        return Schedule(tuple(tuple(Call(u, v) for u, v in pairs[t]) for t in sorted(pairs)))
    return Schedule(messages=tuple(Message(u, v, t) for t in sorted(pairs) for u, v in pairs[t]))
