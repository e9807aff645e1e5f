"""The linear cost model.

Broadcast of a message cut into packets, by k ports, in T + r rounds of least total cost.

References
----------
Beauquier, Delmas, Perennes, Tight bounds for broadcasting in the linear cost model (INRIA RR-3827, 1999).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from schedsolve.modelkit.parameters import ONE_SOURCE, flag, number
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.record import Model, Parameter
from schedsolve.modelkit.result import LEAST_COST, Bound
from schedsolve.modelkit.search import Search
from schedsolve.runtime.errors import InputError, UnsettledError

from .claims import EVIDENCE
from .claims.least_rounds import is_computed, premise, refuted
from .claims.staircase import certain_rounds
from .priced import priced
from .rules import FORM, replay, rounds_allowed, shape_of

if TYPE_CHECKING:
    from schedsolve.modelkit.formulation import Formulations

MOST_PORTS, MOST_EXTRA_ROUNDS, MOST_TOTAL_ROUNDS = 1000, 200, 100_000


LINEAR_PORTS = Parameter(
    "ports",
    "K",
    "linear-cost: how many links a node uses in a round (default 1)",
    number("ports", 1, MOST_PORTS, "linear-cost"),
    lambda _: 1,
)
EXTRA_ROUNDS = Parameter(
    "extra_rounds",
    "R",
    "how many rounds there are beyond T, the least number for the network and its ports (default 0)",
    number("extra-rounds", 0, MOST_EXTRA_ROUNDS, "linear-cost"),
    lambda _: None,
)
TOTAL_ROUNDS = Parameter(
    "total_rounds",
    "R",
    "linear-cost: how many rounds there are in all, in place of --extra-rounds",
    number("total-rounds", 0, MOST_TOTAL_ROUNDS, "linear-cost"),
    lambda _: None,
)
WEAK_PORTS = flag(
    "weak_ports", "count the ports for sending and for receiving apart, in place of full-duplex links"
)


def complete(problem: Problem, saved: bool) -> Problem:
    """Return the problem with its numbers of rounds filled in.

    It has 0 extra rounds if it gives no number of rounds, and, if it is not read from a file, its number of
    rounds in all, which follows from T of its network.

    Raises InputError when both numbers of rounds are given; UnsettledError while T is not known.
    """
    parameters = problem.parameters
    if not {"extra_rounds", "total_rounds"} & parameters.keys():
        problem = problem.with_parameters(extra_rounds=0)
    if saved:
        return problem
    if "total_rounds" in parameters:
        if "extra_rounds" in parameters:
            raise InputError("give --extra-rounds or --total-rounds, not both")
        return problem
    _refuse(problem)
    from .constructions.least_rounds import evidence_of, least_rounds

    known = least_rounds(problem.network, problem.sources[0], shape_of(problem).ports)
    if not known.proven:
        raise UnsettledError(
            f"the least number T of rounds of a broadcast is between {known.lower} and {known.upper} here,"
            " and not known; give --total-rounds in place of --extra-rounds"
        )
    posed = problem.with_parameters(total_rounds=known.upper + problem.parameters["extra_rounds"])
    return replace(posed, evidence=None if is_computed(problem.network) else evidence_of(problem, known))


def check(problem: Problem) -> None:
    """Raise InputError when the problem cannot be posed.

    Arcs, several sources, an open source, nodes out of reach, or extra rounds and rounds in all whose
    difference cannot be T.

    T is known of complete networks and trees; of others only that it is not below `certain_rounds`, and the
    rest is for `premise`. Extra rounds alone stand in files of version 0.1.0, and of users: there T is that
    of the complete network with as many nodes, so that they are read where it is T of the network itself.
    """
    _refuse(problem)
    parameters, network = problem.parameters, problem.network
    extra, total = parameters.get("extra_rounds"), parameters.get("total_rounds")
    if extra is None:
        return
    if total is not None and extra > total:
        raise InputError("there are more extra rounds than rounds in all")
    said = rounds_allowed(problem) - extra
    least, known = certain_rounds(network, problem.sources[0], parameters["ports"]), is_computed(network)
    if total is None and not (known and said == least):
        raise InputError(
            f'"extra_rounds" alone count from the {said} rounds of a complete network, as version 0.1.0 reads'
            ' them; on this network give "total_rounds"'
        )
    if said < least or (known and said > least):
        words = "" if known else " or more"
        raise InputError(f"with {extra} extra rounds there are {least + extra}{words} in all, not {total}")


def _refuse(problem: Problem) -> None:
    if problem.network.directed:
        raise InputError("linear-cost has full-duplex links: give an undirected network")
    if problem.choice or len(problem.sources) > 1:
        raise InputError("linear-cost broadcasts from one given source, such as --source 0")
    if not problem.network.is_connected:
        raise InputError("the network is disconnected; a broadcast needs it connected")


def _bounds(problem: Problem) -> Iterable[Bound]:
    from .formulation import derived_bounds

    return derived_bounds(problem)


def _searches() -> Iterator[Search]:
    from .formulation import ALL_ALGORITHMS, IMPROVEMENTS

    yield from ALL_ALGORITHMS
    yield from IMPROVEMENTS


def _formulations() -> Formulations:
    from .integer_program import FORMULATIONS

    return FORMULATIONS


COMMON = Model(
    name="linear-cost",
    summary="packets over k full-duplex links a node; a round costs as much as its largest message",
    source="Beauquier, Delmas, Perennes (INRIA RR-3827, 1999)",
    objective=LEAST_COST,
    tasks={"broadcast": (ONE_SOURCE, LINEAR_PORTS, EXTRA_ROUNDS, TOTAL_ROUNDS, WEAK_PORTS)},
    check=check,
    complete=complete,
    replay=replay,
    form=FORM,
    bounds=_bounds,
    evidence=EVIDENCE,
    searches=_searches,
    load_formulations=_formulations,
)
MODELS = (
    replace(
        COMMON,
        horizon=rounds_allowed,
        refutation=refuted,
        premise=premise,
    ),
    priced(COMMON),
)
