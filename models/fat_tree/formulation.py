"""How broadcasts on the fat-tree are solved: the plain formula by SAT, and the same counts as a CP-SAT
model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from time import monotonic as clock

from schedsolve.backends.cpsat import CpModel, Reader, decide_by_cpsat
from schedsolve.backends.sat import SatQuestion, SatSearch, decide_by_sat
from schedsolve.modelkit.search import Question, Search, Strategy
from schedsolve.problem import Problem
from schedsolve.result import Bound
from schedsolve.schedule import Call, Message, Schedule

from .claims.formula import (
    BroadcastFormula,
    broadcast_formula,
    declare_variables,
    formula_size,
)
from .claims.runs_formula import RunsFormula, runs_formula, runs_formula_size, sending_rules
from .rules import Operands, Run, replay, wanted_runs
from .rules.tree import in_rounds, tree_of
from .search.aligned_runs import aligned_runs_formula, aligned_runs_size
from .search.halves import halves_search

LITERALS_A_SECOND = 600_000
"""How fast a formula is written down and loaded; one that would take the whole time left is not begun."""
LARGEST_SEARCHED_FORMULA = 1_500_000
"""The most literals of a formula of a broadcast that is worked on: 128 processors with w = 1."""
LARGEST_RUNS_FORMULA = 3_000_000
"""The most literals of a formula of runs that is worked on: 8 processors."""
LEAST_BOUND_SECONDS = 2.0
"""How long the broadcast in a product or prefix is worked on for a bound, at least."""
LARGEST_ALIGNED_FORMULA = 6_000_000
"""The most literals of a formula of aligned runs that is worked on: 16 processors."""
SOLVER_OF_PREFIXES = "glucose4"
"""It finds prefixes of 16 processors in seconds that take others minutes."""
WHOLE: Run = (0, 0)
"""Stands for all that a processor holds, where a formula does not say which run that is."""
Places = Iterable[tuple[int, int, int]]
"""Processors, times and heights of what is sent, or received."""


def sat_search(question: Question) -> SatSearch | None:
    """Decide by the plain formula whether a broadcast takes at most so long; a refutation refutes it for a
    product and a prefix as well.
    """
    problem, time = question.problem, question.value
    tree, rounds = tree_of(problem), in_rounds(problem)

    def build() -> SatQuestion:
        f = broadcast_formula(tree, time, rounds=rounds)

        def decode(true: set[int]) -> tuple[Problem, Schedule]:
            sent = [place for place, x in f.sends.items() if x in true]
            received = [place for place, x in f.receives.items() if x in true]
            return problem, schedule_from_places(problem, f, sent, received)

        return SatQuestion(f.cnf, [], decode, {"kind": "refutation", "rounds": time, "formula": "broadcast"})

    return decide_by_sat(
        question,
        formula_size(tree, time, rounds=rounds),
        build,
        largest=LARGEST_SEARCHED_FORMULA,
        literals_a_second=LITERALS_A_SECOND,
    )


def runs_search(question: Question) -> SatSearch | None:
    """Decide by its plain formula whether a product or a prefix takes at most so long."""
    problem, time = question.problem, question.value
    tree, rounds = tree_of(problem), in_rounds(problem)

    def build() -> SatQuestion:
        f = runs_formula(tree, time, wanted_runs(problem, tree.processors), rounds=rounds)

        def decode(true: set[int]) -> tuple[Problem, Schedule]:
            return problem, _sent_runs(problem, f, true)

        return SatQuestion(f.cnf, [], decode, {"kind": "refutation", "rounds": time, "formula": "runs"})

    return decide_by_sat(
        question,
        runs_formula_size(tree, time, rounds=rounds),
        build,
        largest=LARGEST_RUNS_FORMULA,
        literals_a_second=LITERALS_A_SECOND,
    )


def aligned_runs_search(question: Question) -> Search | None:
    """Look for a prefix in which messages carry aligned runs only (`search.aligned_runs`)."""
    problem, time = question.problem, question.value
    tree, rounds = tree_of(problem), in_rounds(problem)
    if problem.task != "prefix":
        return None

    def build() -> SatQuestion:
        f = aligned_runs_formula(tree, time, wanted_runs(problem, tree.processors), rounds=rounds)
        return SatQuestion(f.cnf, [], lambda true: (problem, _sent_runs(problem, f, true)))

    return decide_by_sat(
        replace(question, certify=False),
        aligned_runs_size(tree, time, rounds=rounds),
        build,
        largest=LARGEST_ALIGNED_FORMULA,
        literals_a_second=LITERALS_A_SECOND,
        solver=SOLVER_OF_PREFIXES,
    )


def _sent_runs(problem: Problem, f: RunsFormula, true: set[int]) -> Schedule:
    """The schedule of a model of a formula of runs."""
    sent = sorted((t, p, q, run) for (p, q, run, t), x in f.messages.items() if x in true)
    return only_needed(problem, f, sent)


def ordered_tree_search(question: Question) -> Search | None:
    """Look for a product in which every processor but the root sends once, to its parent in a tree, after all
    its children.

    - Every processor but the root sends exactly once, to one receiver, and not before the messages sent to it
      have arrived.
    - No two messages lead across each other when the processors stand in a line, and none leads over the
      root; then what a processor sends is the product of a run of operands.
    - Processors, channels and rounds keep their rules.
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
    """The schedule of messages, each with its time, its sender, its receiver and what it carries, in the
    order of time.
    """
    if not f.rounds:
        return Schedule(messages=tuple(Message(p, q, t, Operands(run)) for t, p, q, run in messages))
    times = sorted({t for t, *_ in messages})
    return Schedule(
        tuple(tuple(Call(p, q, payload=Operands(run)) for u, p, q, run in messages if u == t) for t in times)
    )


def only_needed(problem: Problem, f: RunsFormula, messages: list[tuple[int, int, int, Run]]) -> Schedule:
    """The schedule of some messages without those that nobody misses; the later ones are tried first."""
    for message in reversed(messages):
        fewer = [m for m in messages if m is not message]
        if replay(problem, schedule_of_messages(f, fewer)).violation is None:
            messages = fewer
    return schedule_of_messages(f, messages)


def searched_bound(problem: Problem, start: int, seconds: float) -> Bound | None:
    """For a product or prefix, the greatest bound that its broadcast proves within the time, above the one to
    start from.
    """
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


def schedule_from_places(problem: Problem, f: BroadcastFormula, sent: Places, received: Places) -> Schedule:
    """The schedule in which every message received is paired with one sent at the right time on the other
    side; moved to the source.
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


def cpsat_search(question: Question) -> Search | None:
    """Decide by CP-SAT whether a broadcast takes at most so long."""
    problem, time = question.problem, question.value
    if problem.task != "broadcast":
        return None
    return decide_by_cpsat(
        question,
        formula_size(tree_of(problem), time, rounds=in_rounds(problem)),
        lambda model: _counting_model(model, problem, time),
        literals_a_second=LITERALS_A_SECOND,
    )


def _counting_model(model: CpModel, problem: Problem, time: int) -> Reader:
    """The counts of the plain formula (`claims.formula.broadcast_formula`) as linear constraints.

    - Every processor but the source receives exactly one message, at the time when it begins to be informed.
    - A processor sends at most one message at a time, and none unless it is informed then.
    - In a half of a subtree as many receive at a time as sent to it from the other half, as long before as
      the message takes.
    - Of a subtree of height j, at most w(2^j) processors send at a time to a height above j, and at most
      w(2^j) receive from there.
    - The first processor of a subtree receives from outside of it, and is informed when the first one of its
      other half is.
    - In rounds: messages are sent when a round begins, and no round begins before they have arrived.
    """
    f = BroadcastFormula(tree_of(problem), time, in_rounds(problem))
    declare_variables(f, model.boolean)
    for p in range(f.tree.processors):
        for t in range(f.last + 1):
            model.at_most_one(f.sent(p, t))
        if p:
            model.exactly_one([x for t in range(f.last + 1) for x in f.received(p, t)])
    for (p, t), x in f.informed.items():
        before = [f.informed[p, t - 1]] if (p, t - 1) in f.informed else []
        model.balance([x], [*before, *f.received(p, t)])
        for sent in f.sent(p, t):
            model.clause([-sent, x])
        others = (f.informed.get((p + (1 << (h - 1)), t)) for h in range(1, (p & -p).bit_length()))
        for other in others:
            if other is not None:
                model.clause([-other, x])
    for j in range(f.tree.height):
        for a in range(f.tree.subtrees(j)):
            _subtree_counts(model, f, j, a)
    for (_, t, h), x in f.sends.items() if f.rounds else ():
        model.clause([-x, f.begins[t]])
        for u in range(t + 1, t + h):
            model.clause([-x, -f.begins[u]])

    def read(value: Callable[[int], int]) -> tuple[Problem, Schedule]:
        sent = [place for place, x in f.sends.items() if value(x)]
        received = [place for place, x in f.receives.items() if value(x)]
        return problem, schedule_from_places(problem, f, sent, received)

    return read


def _search(question: Question) -> Search | None:
    return (sat_search if question.problem.task == "broadcast" else runs_search)(question)


def _subtree_counts(model: CpModel, f: BroadcastFormula, j: int, a: int) -> None:
    """The counts of a subtree of height j: what its channels carry, and what its sibling receives from it."""
    part, sibling = range(a << j, (a + 1) << j), range((a ^ 1) << j, ((a ^ 1) + 1) << j)
    for t in range(f.last + 1):
        for crossing in (
            [x for p in part for x in f.sent(p, t, j)],
            [x for p in part for x in f.received(p, t, j)],
        ):
            if len(crossing) > f.tree.capacities[j]:
                model.at_most_of(crossing, f.tree.capacities[j])
        sent = [f.sends[p, t, j + 1] for p in part if (p, t, j + 1) in f.sends]
        arrival = t + f.delay(j + 1)
        model.balance(
            sent, [f.receives[q, arrival, j + 1] for q in sibling if (q, arrival, j + 1) in f.receives]
        )


STRATEGIES = (
    Strategy("plain formula", "sat", True, _search),
    Strategy("two halves", "sat", True, halves_search),
    Strategy("aligned runs", "sat", False, aligned_runs_search),
    Strategy("ordered tree", "sat", False, ordered_tree_search),
    Strategy("counting model", "cpsat", True, cpsat_search, by_default=False),
)
