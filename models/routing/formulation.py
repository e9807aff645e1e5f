"""The search for the routing model: the plain formula solved by SAT.

It does not use the theorem that the multiplicity suffices, so it tests it; see `claims`.
"""

from __future__ import annotations

from schedsolve.backends.sat import SatQuestion, decide_by_sat
from schedsolve.modelkit.schedule import Call, Schedule
from schedsolve.modelkit.search import Decision, Question, RunningSearch

from .claims import RoutingFormula, formula_size, routing_formula
from .constructions import ports_to
from .rules import turning_level

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


DECISIONS = (Decision("routers formula", "sat", True, sat_search, splits=True),)
