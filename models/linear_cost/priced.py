"""Broadcasts of least communication time.

The model's variant with prices, in which the number of rounds is free.

A round costs alpha, and tau for every unit of its largest message; the whole message has the length L.

References
----------
Beauquier, Delmas, Perennes (INRIA RR-3827, 1999), Definition 1.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from schedsolve.modelkit.evidence import EvidenceKind, Holds, fields
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.record import Model, Parameter, Replay
from schedsolve.modelkit.result import LEAST_TIME, Bound
from schedsolve.modelkit.schedule import Schedule
from schedsolve.modelkit.search import Algorithm, Effort, Improvement, Search
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError, shown
from schedsolve.runtime.files.number_reader import measured_number

from .claims.best_rounds import best_rounds, first_rounds, prices, with_rounds
from .rules import replay

if TYPE_CHECKING:
    from schedsolve.modelkit.formulation import Formulations


def _price(name: str, *, positive: bool) -> Callable[[Any, Network], str]:
    def read(value: Any, _: Network) -> str:
        price = measured_number(value if isinstance(value, str) else shown(value))
        if price is None or price < 0 or (positive and not price):
            least = "above 0" if positive else "of 0 or more"
            raise InputError(f"--{name} takes a number {least}, such as 2.5 or 1/3; not {shown(value)}")
        return str(price)

    return read


def _needs_tau(_: Network) -> str:
    raise InputError("for the best number of rounds give both --alpha and --tau")


PRICES = (
    Parameter(
        "alpha",
        "A",
        "linear-cost: start-up time of a round; with --tau: find the best number of rounds",
        _price("alpha", positive=True),
        _needs_tau,
    ),
    Parameter(
        "tau", "B", "linear-cost: time for a message of size 1", _price("tau", positive=False), _needs_tau
    ),
    Parameter(
        "length",
        "L",
        "linear-cost: size of the whole message, with --alpha and --tau (default 1)",
        _price("length", positive=False),
        lambda _: None,
    ),
)


def replay_time(problem: Problem, schedule: Schedule) -> Replay:
    """Return the schedule's time; legal when it is a broadcast in its own number of rounds."""
    seen = replay(with_rounds(problem, max(1, len(schedule.rounds))), schedule)
    alpha, tau = prices(problem)
    return replace(seen, value=alpha * len(schedule.rounds) + tau * Fraction(seen.value))


def bounds(problem: Problem) -> Iterator[Bound]:
    """Yield the least number of rounds, and the least that a node receives."""
    evidence: dict[str, Any] = {"kind": "best rounds", "rows": [], "rest": None}
    value = best_rounds({})(problem, evidence)
    yield Bound("lower", value, "the least number of rounds, and the whole message through k ports", evidence)


def _fastest(problem: Problem, effort: Effort) -> Schedule:
    from .constructions.packed_algorithms import fastest

    return fastest(with_rounds(problem, first_rounds(problem) + problem.network.node_count), effort)


def _priced(algorithm: Algorithm) -> Algorithm:
    """Return an algorithm for given rounds as one for any: the fastest of 0, 1, 2, 4, ... extra rounds."""

    def tried(problem: Problem) -> Iterator[Problem]:
        first, extra = first_rounds(problem), 0
        while extra <= 2 * problem.network.node_count:
            yield with_rounds(problem, first + extra)
            extra = max(1, 2 * extra)

    def refuse(problem: Problem) -> str | None:
        answers = [algorithm.refuse(given) for given in tried(problem)]
        return None if None in answers else answers[-1]

    def build(problem: Problem, effort: Effort) -> Schedule:
        found: list[Schedule] = []
        end = time.process_time() + effort.seconds
        why = ""
        for given in tried(problem):
            if algorithm.refuse(given) is None and (not found or time.process_time() < end):
                try:
                    found.append(algorithm.build(given, effort).without_empty_end())
                except InputError as error:
                    why = str(error)
        if not found:
            raise InputError(why)
        return min(found, key=lambda schedule: replay_time(problem, schedule).value)

    source = f"{algorithm.source}; the fastest of a few numbers of rounds"
    return replace(algorithm, source=source, refuse=refuse, build=build, rival=True)


def _searches() -> Iterator[Search]:
    from .search.best_rounds import scan

    yield Algorithm(
        "fastest-broadcast",
        "the whole message in the least number of rounds that is known",
        frozenset({"broadcast"}),
        lambda _: None,
        _fastest,
    )
    yield Improvement("numbers of rounds", "lp", scan)
    from .constructions.algorithms import ALGORITHMS

    yield from map(_priced, ALGORITHMS)


def priced_formulations() -> Formulations:
    """Return how these problems are written down for other solvers."""
    from .integer_program import PRICED

    return PRICED


def priced(model: Model) -> Model:
    """Return the variant of a model of least cost."""
    (parameters,) = model.tasks.values()
    shared = tuple(p for p in parameters if p.name not in ("extra_rounds", "total_rounds"))
    return replace(
        model,
        variant="alpha",
        objective=replace(LEAST_TIME, states_rounds=True, one=""),
        tasks={"broadcast": (*shared, *PRICES)},
        replay=replay_time,
        bounds=bounds,
        evidence={
            **{kind: replace(known, lower=None) for kind, known in model.evidence.items()},
            "best rounds": EvidenceKind(
                fields(rows=Holds.EVIDENCE, rest=Holds.EVIDENCE), best_rounds(model.claims)
            ),
        },
        complete=lambda problem, _: problem,
        load_formulations=priced_formulations,
        searches=_searches,
    )
