"""Random small problems, solved and by brute force: value, status and both bounds agree, and the results pass
strictly.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from random import Random

from schedsolve.backends.cpsat import CpSearch, declare_program
from schedsolve.backends.sat import decide
from schedsolve.certify.check import check_data
from schedsolve.modelkit.formulation import FormulationRequest
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Bound, Result, Value, result_to_json
from schedsolve.modelkit.search import Options
from schedsolve.models import model_of
from schedsolve.runtime.errors import InputError
from schedsolve.solving.constructions import all_bounds, construct
from schedsolve.solving.solve import solve
from tests.soak import drawn
from tests.soak.questions import Question
from tests.soak.truths import Least, TooLargeError, Truth, cost_of_packets, truth

DRAWN: tuple[Callable[[Random], Question], ...] = (drawn.matching, *drawn.MODELS.values())
BACKENDS: dict[str, tuple[str | None, ...]] = {
    "telegraph": (None, None, None, "sat", "cpsat", "pulp"),
    "telephone": (None, None, None, "sat", "cpsat", "pulp"),
    "line": (None, None, None, "sat", "cpsat", "pulp"),
    "fat-tree": (None, None, "sat", "cpsat", "pulp"),
    "routing": (None, None, "sat", "cpsat", "pulp"),
}
"""What to solve with; no backend, the usual, for the other models."""
SECONDS, FORMULATION_SECONDS = 60.0, 5.0


def draw(random: Random) -> tuple[Question, Truth]:
    """A random question that a brute force answers."""
    one = random.choice(DRAWN)
    while True:
        question = one(random)
        known = truth(question)
        if known is not None:
            return question, known


def try_problem(random: Random) -> tuple[str, str]:
    """Solve a random problem and compare: what came of it, and a finding, "" when there is none."""
    question, known = draw(random)
    backend = random.choice(BACKENDS.get(question.model, (None,)))
    named = f"{question}, backend {backend}"
    try:
        problem = question.problem()
    except InputError as error:
        if known.least is None:
            return "refused", ""
        return "disagreement", f"{named}: refused ({error}), by brute force {known.least}"
    certify = backend is None
    options = Options(time_limit=SECONDS, certify=certify, backend=backend, seed=random.randrange(9))
    result = solve(problem, options)
    wrong = difference(question, known, result)
    if wrong is None and random.random() < 0.3:
        wrong = one_sided(problem, known.least)
    if wrong is None and random.random() < 0.3:
        wrong = formulated(question, problem, known.least, random.randint(1, 3))
    if wrong:
        return "disagreement", f"{named}: {wrong}; by brute force {known.least}"
    if result.status in ("bounded", "unknown"):
        left = f"{named}: {result.lower_bound}..{result.value}, by brute force {known.least}"
        return ("left open", left) if backend is None else ("left open by one backend", "")
    report = check_data(json.loads(json.dumps(result_to_json(result))))
    certified = not report.failed and (report.complete or not certify)
    return ("agreed", "") if certified else ("not certified", f"{named}: {report.summary}")


def difference(question: Question, known: Truth, result: Result) -> str | None:
    """What a result says that is not so; None when all of it may be. A result may leave open what it does not
    know.
    """
    least, asked = known.least, question.options.get("rounds")
    wrong = wrong_side(least, _claimed(result))
    if wrong:
        return wrong
    possible = least is not None and (asked is None or least <= asked)
    settled = ("feasible" if asked is not None else "optimal") if possible else "infeasible"
    if result.status not in (settled, "bounded", "unknown"):
        return f"{result.status} {result.value}"
    if result.status == "optimal" and not result.value == result.lower_bound == least:
        return f"optimal {result.value}, lower bound {result.lower_bound}"
    return _wrong_node(question, result) or _wrong_period(question, known, result)


def _claimed(result: Result) -> Iterator[tuple[str, Value, str]]:
    """Every bound: its side, its value, and what it is called."""
    if result.value is not None:
        yield "upper", result.value, "the value"
    if result.lower_bound is not None:
        yield "lower", result.lower_bound, "the lower bound"
    yield from _named(result.bounds)


def _named(bounds: Iterable[Bound]) -> Iterator[tuple[str, Value, str]]:
    for bound in bounds:
        yield bound.side, bound.value, f"the {bound.side} bound by {bound.reason}"


def wrong_side(least: Least, claimed: Iterable[tuple[str, Value, str]]) -> str | None:
    """The first claim that is on the wrong side of the truth."""
    for side, value, name in claimed:
        if side == "upper" and (least is None or Fraction(value) < least):
            return f"{name} is {value}"
        if side == "lower" and least is not None and Fraction(value) > least:
            return f"{name} is {value}"
    return None


def _wrong_node(question: Question, result: Result) -> str | None:
    """Whether the node that a result names as the best or the worst does not have its value."""
    if result.node is None or result.status != "optimal":
        return None
    name = "root" if question.task == "accumulation" else "source"
    of_node = truth(question.having(**{name: result.node, "period": _fixed(question, result)}))
    if of_node is not None and of_node.least != result.value:
        return f"node {result.node} has {of_node.least}, not {result.value}"
    return None


def _fixed(question: Question, result: Result) -> int | None:
    period = question.options.get("period")
    return result.schedule.period if period == "min" else period


def _wrong_period(question: Question, known: Truth, result: Result) -> str | None:
    """Whether another period than the least is named, or one is excluded that is not."""
    if question.options.get("period") != "min":
        return None
    if result.status == "optimal" and result.schedule.period != known.period:
        return f"the least period {result.schedule.period}, which is {known.period}"
    for period, bounds in (result.shorter_periods or {}).items():
        shorter = truth(question.having(period=period))
        if shorter is not None and (wrong := wrong_side(shorter.least, _named(bounds))):
            return f"of period {period}, with {shorter.least}: {wrong}"
    return None


def one_sided(problem: Problem, least: Least) -> str | None:
    """What the bounds that need no search, and the algorithms, say that is not so."""
    if problem.period == "min":
        return None
    wrong = wrong_side(least, _named(all_bounds(problem, seconds=0.5)))
    if wrong or problem.rounds is not None or problem.choice == "max":
        return wrong
    built = construct(problem, seconds=0.1)
    return wrong_side(least, [("upper", one.value, one.algorithm.name) for one in built])


def formulated(question: Question, problem: Problem, least: Least, packets: int) -> str | None:
    """What a formulation for other solvers says that is not so: whether the least value suffices, the one
    below, and 0; where the message is cut, of so many packets.
    """
    kinds = model_of(problem).formulations
    if kinds is None or problem.choice == "max" or problem.period == "min":
        return None
    if kinds.bounds_only:
        return of_packets(question, problem, packets)
    free = problem.with_parameters(rounds=None)
    for value in {0, 1, 3} if least is None else {0, max(0, int(least) - 1), int(least)}:
        request = FormulationRequest(free, value)
        answers = {
            "integer program": CpSearch(declare_program(kinds.integer(request))).advance(FORMULATION_SECONDS)
        }
        if kinds.formula is not None:
            answers["formula"] = decide(kinds.formula(request).cnf, FORMULATION_SECONDS)[0]
        for name, answer in answers.items():
            if answer not in (None, least is not None and value >= least):
                return f"the {name} for {value} says {answer}"
    return None


def of_packets(question: Question, problem: Problem, packets: int) -> str | None:
    """What the program for so many packets finds that is not so."""
    try:
        least = cost_of_packets(question, packets)
    except TooLargeError:
        return None
    formulations = model_of(problem).formulations
    assert formulations is not None
    for value in [None] if least is None else [least - Fraction(1, packets), least]:
        if value is not None and value < 0:
            continue
        search = CpSearch(
            declare_program(formulations.integer(FormulationRequest(problem, value, packets=packets)))
        )
        answer = search.advance(FORMULATION_SECONDS)
        if answer not in (None, value is not None and value == least):
            return f"of {packets} packets at most {value}: {answer}, where the least is {least}"
        if answer and model_of(problem).replay(*search.found()).value != least:
            return f"of {packets} packets a schedule that costs not {least}"
    return None
