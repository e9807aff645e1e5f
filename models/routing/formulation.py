"""Searches for the routing model: the plain formula solved by SAT, and a separate CP-SAT model.

Neither uses the theorem that the multiplicity suffices, so both test it; see `claims`.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from schedsolve.backends.cpsat import CpModel, Reader, decide_by_cpsat
from schedsolve.backends.sat import SatQuestion, decide_by_sat
from schedsolve.modelkit.search import Decision, Question, RunningSearch
from schedsolve.problem import Problem
from schedsolve.schedule import Call, Schedule

from .claims import RoutingFormula, formula_size, routing_formula
from .constructions import ports_to
from .rules import UpstreamPorts, messages_of, processor_count, turning_level

LITERALS_A_SECOND = 1_000_000


def sat_search(question: Question) -> RunningSearch | None:
    """Decide by SAT and the plain formula whether `question.value` rounds suffice."""
    problem, rounds = question.problem, question.value

    def build() -> SatQuestion:
        f = routing_formula(problem, rounds)

        return SatQuestion(
            f.cnf, [], lambda true: (problem, decode(f, true)), {"kind": "refutation", "rounds": rounds}
        )

    return decide_by_sat(question, formula_size(problem, rounds), build, literals_a_second=LITERALS_A_SECOND)


def decode(f: RoutingFormula, true: set[int]) -> Schedule:
    """Return the schedule that a satisfying assignment encodes, given as the set of true variables."""
    calls: list[list[Call]] = [[] for _ in range(f.rounds)]
    for i, (source, destination) in enumerate(f.messages):
        top = turning_level(source, destination)
        router = next(r for r in range(1 << top) if f.taken[i, top, r] in true)
        t = next(t for t in range(1, f.rounds + 1) if f.sent[i, t] in true)
        calls[t - 1].append(Call(source, destination, payload=ports_to(router, top)))
    return Schedule(tuple(map(tuple, calls)))


def cpsat_search(question: Question) -> RunningSearch | None:
    """Decide by CP-SAT whether `question.value` rounds suffice, with a variable per port, not per router."""
    problem, rounds = question.problem, question.value
    messages = len(problem.parameters["messages"])
    size = messages**2 * (rounds + processor_count(problem.network).bit_length())
    return decide_by_cpsat(
        question,
        size,
        lambda model: choose_ports(model, problem, rounds),
        literals_a_second=LITERALS_A_SECOND,
    )


def choose_ports(model: CpModel, problem: Problem, rounds: int) -> Reader:
    """Declare the rounds and the upstream ports of all messages, and return the reader of a solution.

    - Every message is sent in exactly one round.
    - Two messages of the same round whose sources differ only in the lowest x > 0 bits, and which both go
      up to level x or higher, take different ports at some level below x; the same holds for destinations.
      (Then they pass different routers of level x, and of all levels above it.)
    - Two messages from the same source, or to the same destination, are not sent in the same round.
    """
    messages = messages_of(problem)
    tops = [turning_level(*message) for message in messages]
    sent = [
        [model.boolean(f"message_{i}_sent_t{t}") for t in range(1, rounds + 1)] for i in range(len(messages))
    ]
    ports = [
        [model.boolean(f"message_{i}_level_{level}_port") for level in range(top)]
        for i, top in enumerate(tops)
    ]
    for row in sent:
        model.exactly_one(row)
    for i, j in combinations(range(len(messages)), 2):
        spans = {(a ^ b).bit_length() for a, b in zip(messages[i], messages[j], strict=True)}
        spans = {x for x in spans if x <= min(tops[i], tops[j])}
        if not spans:
            continue
        apart = []
        for level in range(min(spans)):
            apart.append(model.boolean())
            model.clause([-apart[-1], ports[i][level], ports[j][level]])
            model.clause([-apart[-1], -ports[i][level], -ports[j][level]])
        for t in range(rounds):
            model.clause([-sent[i][t], -sent[j][t], *apart])

    def read(value: Callable[[int], int]) -> tuple[Problem, Schedule]:
        calls: list[list[Call]] = [[] for _ in range(rounds)]
        for i, (source, destination) in enumerate(messages):
            chosen = UpstreamPorts(value(x) for x in ports[i])
            calls[next(t for t in range(rounds) if value(sent[i][t]))].append(
                Call(source, destination, payload=chosen)
            )
        return problem, Schedule(tuple(map(tuple, calls)))

    return read


DECISIONS = (
    Decision("routers formula", "sat", True, sat_search, splits=True),
    Decision("ports model", "cpsat", True, cpsat_search, by_default=False),
)
