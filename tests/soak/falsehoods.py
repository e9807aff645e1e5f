"""What is false in a saved result: its claims against the truth by brute force, which reads the problem from
the file by itself; where that is too large, against what the solver finds, apart from the check.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from schedsolve.modelkit.problem import Problem, problem_id
from schedsolve.modelkit.search import Options
from schedsolve.models import read_problem
from schedsolve.network.named.families import family_network, is_family
from schedsolve.runtime.errors import InputError
from schedsolve.solving.solve import solve
from tests.soak.collectives import PIPELINED, SYNCHRONOUS, saved_truth
from tests.soak.questions import question_of
from tests.soak.truths import ORACLES, Truth, truth

Data = Any

BEYOND = Fraction(10**9)
"""The least value of what cannot be done at all."""


class Known(NamedTuple):
    """What is known of a problem's least value: at least and at most, None for nothing known; of the least
    period; and by what.
    """

    least: Fraction
    most: Fraction | None
    period: int | None
    by: str


def truth_of_rounds(data: Data) -> Truth | None:
    """The truth of a saved problem of a round model; None where a brute force would take too long."""
    question = question_of(data)
    options = question.options
    if question.model == "linear-cost" and not {"total_rounds", "alpha"} & options.keys():
        # Files of version 0.1.0 count extra rounds beyond those of the complete network.
        rounds, reached = options.get("extra_rounds", 0), 1
        while reached < question.nodes:
            reached, rounds = reached * (1 + options["ports"]), rounds + 1
        question = question.having(total_rounds=rounds)
    return truth(question)


TRUTHS: dict[str, Callable[[Data], Truth | None]] = {
    **dict.fromkeys(ORACLES, truth_of_rounds),
    **dict.fromkeys((SYNCHRONOUS, PIPELINED), saved_truth),
}
"""By model what tells the truth of a saved problem."""


def known_of(data: Data, problem: Problem) -> Known:
    """What is known of a problem, a number of rounds asked for left aside. data: the problem in its file."""
    tell = TRUTHS.get(problem.model)
    found = None if tell is None else tell(data)
    if found is None:
        asked = problem.with_parameters(rounds=None)
        return _by_solver(problem_id(asked), asked)
    least = None if found.least is None else Fraction(found.least)
    return Known(BEYOND if least is None else least, least, found.period, "brute force")


_SOLVED: dict[str, Known] = {}


def _by_solver(key: str, problem: Problem) -> Known:
    if key not in _SOLVED:
        result = solve(problem, Options(time_limit=5))
        least = BEYOND if result.status == "infeasible" else Fraction(result.lower_bound or 0)
        most = None if result.value is None else Fraction(result.value)
        schedule: Any = result.schedule
        settled = problem.period == "min" and result.status == "optimal"
        _SOLVED[key] = Known(least, most, schedule.period if settled else None, "the solver")
    return _SOLVED[key]


def falsehood(data: Data) -> tuple[str | None, str]:
    """Something false that a result claims, None when nothing is found; and by what that is judged."""
    problem = read_problem(data["problem"])
    name = problem.network.name
    if is_family(name) and not isinstance(data["problem"]["network"], str):
        try:
            same = family_network(name) == problem.network
        except InputError:
            same = False
        if not same:
            return f"the network is not {name}", "the families"
    known = known_of(data["problem"], problem)
    return _false_bound(data, known) or _false_status(data, problem, known) or _false_node(data), known.by


def _false_bound(data: Data, known: Known) -> str | None:
    uppers = [b["value"] for b in data["bounds"] if b["side"] == "upper"] + [data.get("value")]
    lowers = [b["value"] for b in data["bounds"] if b["side"] == "lower"] + [data.get("lower_bound")]
    if (data.get("certificate") or {}).get("lower"):
        lowers += [b["value"] for b in data["certificate"]["lower"]]
    for value in uppers:
        if value is not None and Fraction(value) < known.least:
            return f"an upper bound {value}, where at least {known.least} is needed"
    for value in lowers:
        if value is not None and known.most is not None and Fraction(value) > known.most:
            return f"a lower bound {value}, where {known.most} suffices"
    return None


def _false_status(data: Data, problem: Problem, known: Known) -> str | None:
    status, asked, most = data["status"], problem.asked, known.most
    if status == "infeasible" and most is not None and (asked is None or most <= asked):
        return f"infeasible, though {most} suffices"
    if status == "feasible" and (asked is None or known.least > asked):
        return f"feasible, though at least {known.least} is needed"
    if status == "optimal" and (
        data.get("value") is None or (most is not None and Fraction(data["value"]) > most)
    ):
        return f"optimal, though {most} suffices"
    if known.period is not None and status == "optimal" and data.get("period") != known.period:
        return f"the least period, though that is {known.period}"
    return None


def _false_node(data: Data) -> str | None:
    """Whether another node than the best or the worst is named, where a brute force says which these are."""
    if data.get("node") is None or data["status"] != "optimal" or data["problem"]["model"] not in ORACLES:
        return None
    question = question_of(data["problem"])
    network = data["problem"]["network"]
    labels = (
        list(family_network(network).labels)
        if isinstance(network, str)
        else [one["id"] for one in network["nodes"]]
    )
    if data["node"] not in labels:
        return f"node {data['node']}, which there is not"
    node = labels.index(data["node"])
    name = "root" if question.task == "accumulation" else "source"
    period = data["period"] if question.options.get("period") == "min" else question.options.get("period")
    found = truth(question.having(**{name: node, "period": period}))
    if found is not None and found.least != Fraction(data["value"]):
        return f"that node {node} has {data['value']}, though it has {found.least}"
    return None
