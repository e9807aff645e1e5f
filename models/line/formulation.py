"""How the line model is solved: the plain formula with symmetry breaking, and CP-SAT models of their own.

A distance says little here, as a call may go any way; so there are no windows. Symmetry is broken in the arcs
that round 1 uses.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise

from schedsolve.backends.cpsat import CpModel, Reader, decide_by_cpsat
from schedsolve.backends.sat import SatQuestion, decide_by_sat
from schedsolve.modelkit.form import Path
from schedsolve.modelkit.refutation import (
    LITERALS_A_SECOND,
    break_symmetries,
    problem_symmetries,
)
from schedsolve.modelkit.search import Question, Search, Strategy
from schedsolve.problem import Problem
from schedsolve.schedule import Call, Schedule

from .claims.formula import LineFormula, formula_size, line_formula
from .constructions.algorithms import schedule_of
from .constructions.flow_search import flow_paths, simple_path
from .constructions.gossip_annealing import Annealing
from .constructions.tree_broadcast import Rounds
from .constructions.useful_calls import only_useful_calls
from .rules import path_of, ports_of

SLOWER = 3.0
"""How much longer a literal of these formulas takes to write than one of the matching model's."""


def sat_search(question: Question) -> Search | None:
    """Decide by the plain formula with symmetry breaking whether so many rounds suffice."""
    problem, rounds = question.problem, question.value

    def build() -> SatQuestion:
        formula = line_formula(problem, rounds)
        symmetries = problem_symmetries(problem, len(formula.links)) if rounds else []
        break_symmetries(formula, problem, symmetries)
        evidence = {
            "kind": "refutation",
            "rounds": rounds,
            "symmetries": [list(image) for image in symmetries],
        }
        return SatQuestion(
            formula.cnf,
            [],
            lambda true: decode(problem, formula, true),
            evidence,
            formula.call_variables,
        )

    return decide_by_sat(
        question, formula_size(problem, rounds), build, literals_a_second=LITERALS_A_SECOND / SLOWER
    )


def decode(problem: Problem, formula: LineFormula, true: set[int]) -> tuple[Problem, Schedule]:
    """The schedule that a model of the formula stands for, without its useless calls, and the problem with
    its source given.
    """
    if problem.choice == "min":
        problem = problem.at_node(
            next(v for v in range(formula.network.node_count) if formula.known(v, 0, 0) in true)
        )
    two_way = problem.task == "gossip"
    rounds = [
        tuple(Call(p[0], p[-1], two_way, Path(p)) for p in _paths_of_round(formula, t, true))
        for t in range(1, formula.rounds + 1)
    ]
    schedule = Schedule(tuple(rounds))
    if not formula.reversed_time:
        return problem, only_useful_calls(problem, schedule)
    # The formula's port rule counts useful calls only, so those of the broadcast go before it is run
    # backwards.
    root = problem.parameters["root"]
    broadcast = Problem(
        problem.model, "broadcast", formula.network, {"source": root, "ports": problem.parameters["ports"]}
    )
    return problem, only_useful_calls(broadcast, schedule).reversed()


def _paths_of_round(formula: LineFormula, t: int, true: set[int]) -> Iterator[tuple[int, ...]]:
    """The paths of the calls of a round, followed back from where they end."""
    for last in range(len(formula.links)):
        if formula.ends[last, t] not in true:
            continue
        arc = last
        nodes = [formula.links[arc][1]]
        while True:
            nodes.append(formula.links[arc][0])
            if formula.starts[arc, t] in true:
                break
            arc = next(a for a, turn in formula.before[arc, t] if turn in true)
        path = simple_path(nodes[::-1])
        if len(path) > 1:
            yield path


def annealing_search(question: Question) -> Search | None:
    """Look for a gossip in so many rounds by annealing over trails, which never says that there is none."""
    problem, rounds = question.problem, question.value
    if problem.task != "gossip" or problem.network.is_tree or rounds < 1:
        return None
    generator = random.Random(question.seed)
    return _AnnealingSearch(problem, Annealing(problem.network, ports_of(problem), rounds, generator))


@dataclass
class _AnnealingSearch:
    """An annealing that is gone on with in slices."""

    problem: Problem
    annealing: Annealing
    rounds: Rounds | None = None

    def advance(self, seconds: float) -> bool | None:
        """Go on for so many seconds."""
        self.rounds = self.annealing.gossip(time.monotonic() + seconds)
        return None if self.rounds is None else True

    def found(self) -> tuple[Problem, Schedule]:
        """The gossip, after `advance` returned True."""
        return self.problem, only_useful_calls(self.problem, schedule_of(self.problem, self.rounds or []))

    def evidence(self) -> None:
        """Nothing: it never refutes."""

    def close(self) -> None:
        """Forget the gossip."""
        self.rounds = None


def cpsat_search(question: Question) -> Search | None:
    """Decide by CP-SAT whether so many rounds suffice; a gossip in trees only."""
    problem, rounds = question.problem, question.value
    network, n = problem.network, problem.network.node_count
    gossip = problem.task == "gossip"
    size = 20 * rounds * (n**3 if gossip else len(network.arcs))
    if gossip and not network.is_tree:
        return None
    declare = _tree_gossip if gossip else _message_flow
    return decide_by_cpsat(question, size, lambda model: declare(model, problem, rounds))


def _message_flow(model: CpModel, problem: Problem, rounds: int) -> Reader:
    """A broadcast or multicast by a flow of calls over the arcs, round by round; an accumulation as a
    broadcast run backwards.

    - A node is informed at the start if and only if it is a source; with the source left open one node is. A
      node stays informed, and every target is informed in the end.
    - An edge is used in one direction at most.
    - At every node, the arcs used into it and the calls that it makes are as many as the arcs used out of it
      and, in the round in which it is informed, one more.
    - The calls that a node makes are no more than its ports, and none unless it was informed before the
      round.
    """
    reverse = problem.task == "accumulation"
    network = problem.network.reversed() if reverse else problem.network
    n, ports = network.node_count, ports_of(problem)
    informed = [[model.boolean() for _ in range(n)] for _ in range(rounds + 1)]
    if problem.choice:
        model.exactly_one(informed[0])
    else:
        for v in range(n):
            model.clause([informed[0][v] if v in problem.sources else -informed[0][v]])
    for v in problem.targets:
        model.clause([informed[rounds][v]])
    used = [{arc: model.boolean() for arc in network.arcs} for _ in range(rounds)]
    made = [
        [model.integer(0, len(out) if ports is None else min(ports, len(out))) for out in network.successors]
        for _ in range(rounds)
    ]
    for t in range(rounds):
        for u, v in network.arcs:
            if u < v and (v, u) in used[t] and not network.directed:
                model.at_most_one([used[t][u, v], used[t][v, u]])
        for v in range(n):
            out = [used[t][v, w] for w in network.successors[v]]
            into = [used[t][u, v] for u in network.predecessors[v]]
            model.at_most(made[t][v], 0, when=-informed[t][v])
            model.clause([-informed[t][v], informed[t + 1][v]])
            model.balance([*into, made[t][v], informed[t][v]], [*out, informed[t + 1][v]])

    def read(value: Callable[[int], int]) -> tuple[Problem, Schedule]:
        placed = (
            problem.at_node(next(v for v in range(n) if value(informed[0][v]))) if problem.choice else problem
        )
        found = []
        for t in range(rounds):
            fresh = [v for v in range(n) if value(informed[t + 1][v]) and not value(informed[t][v])]
            arcs = [arc for arc, x in used[t].items() if value(x)]
            paths = flow_paths(fresh, arcs, [value(x) for x in made[t]])
            found.append(tuple(Call(path[0], path[-1], False, Path(path)) for path in paths))
        schedule = Schedule(tuple(found))
        return placed, only_useful_calls(placed, schedule.reversed() if reverse else schedule)

    return read


def _tree_gossip(model: CpModel, problem: Problem, rounds: int) -> Reader:
    """A gossip in a tree by the pairs that call each other.

    - The paths of the pairs that call each other in a round load every edge at most once; no node is in more
      calls than it has ports.
    - A node knows just its own item at the start, and all items in the end.
    - A node that knows an item after a round knew it before, or calls in the round somebody who did.
    """
    network, n, ports = problem.network, problem.network.node_count, ports_of(problem)
    pairs = list(combinations(range(n), 2))
    paths = {pair: path_of(network, Call(*pair)) or () for pair in pairs}
    calls = [{pair: model.boolean() for pair in pairs} for _ in range(rounds)]
    known = [[[model.boolean() for _ in range(n)] for _ in range(n)] for _ in range(rounds + 1)]
    for v in range(n):
        for i in range(n):
            model.clause([known[0][v][i] if v == i else -known[0][v][i]])
            model.clause([known[rounds][v][i]])
    for t in range(rounds):
        for edge in network.edges:
            model.at_most_one(
                [
                    x
                    for pair, x in calls[t].items()
                    if edge in {(min(e), max(e)) for e in pairwise(paths[pair])}
                ]
            )
        for v in range(n):
            mine = {a + b - v: x for (a, b), x in calls[t].items() if v in (a, b)}
            if ports is not None:
                model.at_most_of(mine.values(), ports)
            for i in range(n):
                told = []
                for u, x in mine.items():
                    told.append(model.boolean())
                    model.clause([-told[-1], x])
                    model.clause([-told[-1], known[t][u][i]])
                model.clause([-known[t + 1][v][i], known[t][v][i], *told])

    def read(value: Callable[[int], int]) -> tuple[Problem, Schedule]:
        found = [
            tuple(Call(*pair, True, Path(paths[pair])) for pair, x in calls[t].items() if value(x))
            for t in range(rounds)
        ]
        return problem, only_useful_calls(problem, Schedule(tuple(found)))

    return read


STRATEGIES = (
    Strategy("paths formula", "sat", True, sat_search),
    Strategy("flow model", "cpsat", True, cpsat_search, by_default=False),
    Strategy("annealing over trails", "construction", False, annealing_search, share=0.5),
)
