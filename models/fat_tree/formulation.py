"""Searches by SAT for tasks on the fat-tree: the plain formulas, and formulas made smaller."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from time import process_time as clock

from schedsolve.backends.sat import SatQuestion, SatSearch, decide_by_sat
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Bound
from schedsolve.modelkit.schedule import Call, Message, Schedule
from schedsolve.modelkit.search import Decision, Question, RunningSearch

from .claims.runs_formula import RunsFormula, runs_formula, runs_formula_size, sending_rules
from .constructions.searched_broadcast import LITERALS_A_SECOND, sat_search
from .rules import Operands, Run, replay, wanted_runs
from .rules.tree import in_rounds, tree_of
from .search.aligned_runs import aligned_runs_formula, aligned_runs_size
from .search.halves import halves_search

LARGEST_RUNS_FORMULA = 3_000_000
"""The most literals of a formula of runs that is tried: 8 processors."""
LEAST_BOUND_SECONDS = 2.0
"""The least time spent on the broadcast in a product or prefix for a bound."""
LARGEST_ALIGNED_FORMULA = 6_000_000
"""The most literals of a formula of aligned runs that is tried: 16 processors."""
SOLVER_OF_PREFIXES = "glucose4"
"""This solver finds prefixes of 16 processors in seconds, others in minutes."""
WHOLE: Run = (0, 0)
"""Stands for all that a processor holds, where a formula does not specify the run."""


def runs_search(question: Question) -> SatSearch | None:
    """Decide by its plain formula whether a product or a prefix takes at most `question.value`."""
    problem, time = question.problem, question.value
    tree, rounds = tree_of(problem), in_rounds(problem)

    def build() -> SatQuestion:
        f = runs_formula(tree, time, wanted_runs(problem, tree.processors), rounds=rounds)
        evidence = {"kind": "refutation", "rounds": time, "formula": "runs"}
        return SatQuestion(f.cnf, [], lambda true: decode_runs(problem, f, true), evidence)

    return decide_by_sat(
        question,
        runs_formula_size(tree, time, rounds=rounds),
        build,
        largest=LARGEST_RUNS_FORMULA,
        literals_a_second=LITERALS_A_SECOND,
    )


def aligned_runs_search(question: Question) -> RunningSearch | None:
    """Search for a prefix in which messages carry aligned runs only (`search.aligned_runs`)."""
    problem, time = question.problem, question.value
    tree, rounds = tree_of(problem), in_rounds(problem)
    if problem.task != "prefix":
        return None

    def build() -> SatQuestion:
        f = aligned_runs_formula(tree, time, wanted_runs(problem, tree.processors), rounds=rounds)
        return SatQuestion(f.cnf, [], lambda true: decode_runs(problem, f, true))

    return decide_by_sat(
        replace(question, certify=False),
        aligned_runs_size(tree, time, rounds=rounds),
        build,
        largest=LARGEST_ALIGNED_FORMULA,
        literals_a_second=LITERALS_A_SECOND,
        solver=SOLVER_OF_PREFIXES,
    )


def decode_runs(problem: Problem, f: RunsFormula, true: set[int]) -> tuple[Problem, Schedule]:
    """Return the problem and the schedule that a satisfying assignment of a formula of runs encodes."""
    sent = sorted((t, p, q, run) for (p, q, run, t), x in f.messages.items() if x in true)
    return problem, only_needed(problem, f, sent)


def ordered_tree_search(question: Question) -> RunningSearch | None:
    """Search for a product in which each processor but the root sends once, to its parent in a tree.

    - Every processor but the root sends exactly once, to one receiver, and not before the messages sent to
      it have arrived.
    - With the processors on a line, no two messages cross, and none passes over the root; then what a
      processor sends is the product of a run of operands.
    - Processors, channels and rounds obey their rules.
    """
    problem, time = question.problem, question.value
    tree, rounds = tree_of(problem), in_rounds(problem)
    size = time * tree.processors**2 * 20 + tree.processors**4 // 8
    if problem.task != "product":
        return None
    return decide_by_sat(
        replace(question, certify=False),
        size,
        lambda: _ordered_tree(problem, RunsFormula(tree, time, rounds), problem.sources[0]),
        literals_a_second=LITERALS_A_SECOND,
    )


def _ordered_tree(problem: Problem, f: RunsFormula, root: int) -> SatQuestion:
    n, cnf = f.tree.processors, f.cnf
    f.begins = [cnf.new() for _ in range(f.last + 1)] if f.rounds else []
    for p, q in f.pairs():
        for t in range(f.last + 1 - f.delay(p, q)):
            if p != root:
                f.messages[p, q, WHOLE, t] = cnf.new()
    sending_rules(f)
    sent = {(p, t): cnf.new() for p in range(n) if p != root for t in range(f.last + 1)}
    arc = {(a, b): cnf.new() for a in range(n) for b in range(a + 1, n)}
    for p in range(n):
        cnf.add(*(x for (sender, *_), x in f.messages.items() if sender == p)) if p != root else None
    for (p, q, _, t), message in f.messages.items():
        cnf.add(-message, arc[min(p, q), max(p, q)])
        cnf.add(-message, sent[p, t])
        if t:
            cnf.add(-message, -sent[p, t - 1])
        if q != root:
            cnf.add(-message, -sent[q, t + f.delay(p, q) - 1])
    cnf.extend([-sent[p, t - 1], sent[p, t]] for p, t in sent if t)
    cnf.extend([-x] for (a, b), x in arc.items() if a < root < b)
    cnf.extend([-arc[a, c], -arc[b, d]] for a, b, c, d in combinations(range(n), 4))

    def decode(true: set[int]) -> tuple[Problem, Schedule]:
        spans = [(p, p) for p in range(n)]
        messages = []
        for t, p, q in sorted((t, p, q) for (p, q, _, t), x in f.messages.items() if x in true):
            messages.append((t, p, q, spans[p]))
            spans[q] = min(spans[p][0], spans[q][0]), max(spans[p][1], spans[q][1])
        return problem, schedule_of_messages(f, messages)

    return SatQuestion(cnf, [], decode)


def schedule_of_messages(f: RunsFormula, messages: Sequence[tuple[int, int, int, Run]]) -> Schedule:
    """Return the schedule of messages, each a time, a sender, a receiver and a run, in the order of time."""
    if not f.rounds:
        return Schedule(messages=tuple(Message(p, q, t, Operands(run)) for t, p, q, run in messages))
    times = sorted({t for t, *_ in messages})
    return Schedule(
        tuple(tuple(Call(p, q, payload=Operands(run)) for u, p, q, run in messages if u == t) for t in times)
    )


def only_needed(problem: Problem, f: RunsFormula, messages: list[tuple[int, int, int, Run]]) -> Schedule:
    """Return the schedule without messages that are not needed; later messages are tried first."""
    for message in reversed(messages):
        fewer = [m for m in messages if m is not message]
        if replay(problem, schedule_of_messages(f, fewer)).violation is None:
            messages = fewer
    return schedule_of_messages(f, messages)


def searched_bound(problem: Problem, start: int, seconds: float) -> Bound | None:
    """Return the greatest bound above `start` that the broadcast in a product or prefix proves in time."""
    found = None
    if problem.task == "broadcast":
        return None
    end = clock() + max(seconds, LEAST_BOUND_SECONDS)
    value = start
    while (search := sat_search(Question(problem, value, True, end - clock()))) is not None:
        answer = None
        while answer is None and clock() < end:
            answer = search.advance(min(0.2, end - clock()))
        evidence = search.evidence() if answer is False else None
        search.close()
        if answer is not False:
            break
        value += 2 - value % 2 if in_rounds(problem) else 1
        found = Bound(
            "lower",
            value,
            "part of the task is a broadcast, which takes as long (broadcast formula, sat)",
            evidence,
            by="search",
        )
    return found


def _search(question: Question) -> RunningSearch | None:
    return (sat_search if question.problem.task == "broadcast" else runs_search)(question)


DECISIONS = (
    Decision("plain formula", "sat", True, _search, splits=True),
    Decision("two halves", "sat", True, halves_search),
    Decision("aligned runs", "sat", False, aligned_runs_search),
    Decision("ordered tree", "sat", False, ordered_tree_search),
)
