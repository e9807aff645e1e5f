"""The searches of the line model: the plain formula with symmetry breaking, and annealing over trails.

Distances say little here, because a call may use any path; so there are no time windows. Symmetry is
broken in the arcs that round 1 uses.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass

from schedsolve.backends.sat import SatQuestion, decide_by_sat
from schedsolve.modelkit.form import Path
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.refutation import (
    LARGEST_FORMULA,
    LITERALS_A_SECOND,
    break_symmetries,
    problem_symmetries,
)
from schedsolve.modelkit.schedule import Call, Schedule
from schedsolve.modelkit.search import Decision, Question, RunningSearch
from schedsolve.modelkit.useful_calls import traced_calls

from .claims.formula import LineFormula, formula_size, line_formula
from .constructions.algorithms import schedule_of
from .constructions.flow_search import simple_path
from .constructions.gossip_annealing import Annealing
from .constructions.tree_broadcast import Rounds
from .rules import ports_of

SLOWER = 3.0
"""The time to write a literal of these formulas, relative to the matching model's."""
LARGEST_GOSSIP = 1_000_000
"""The most literals of a gossip's formula. Its clauses are short: the solver takes up to 400 bytes for each
literal, and larger ones that were tried stayed open for 40 seconds.
"""


def sat_search(question: Question) -> RunningSearch | None:
    """Return the search by the plain formula with symmetry breaking; None if the formula is too large."""
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
        question,
        formula_size(problem, rounds),
        build,
        largest=LARGEST_GOSSIP if problem.task == "gossip" else LARGEST_FORMULA,
        literals_a_second=LITERALS_A_SECOND / SLOWER,
    )


def decode(problem: Problem, formula: LineFormula, true: set[int]) -> tuple[Problem, Schedule]:
    """Return the problem with its source given, and the schedule that a model of the formula describes.

    Useless calls are left out.

    Parameters
    ----------
    problem
        The problem of the formula.
    formula
        The plain formula.
    true
        The true variables of the model.
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
        return problem, traced_calls(problem.demands(), schedule)
    # The formula's port rule counts useful calls only, so useless calls of the broadcast are removed before
    # it is run backwards.
    root = problem.parameters["root"]
    broadcast = Problem(
        problem.model, "broadcast", formula.network, {"source": root, "ports": problem.parameters["ports"]}
    )
    return problem, traced_calls(broadcast.demands(), schedule).reversed()


def _paths_of_round(formula: LineFormula, t: int, true: set[int]) -> Iterator[tuple[int, ...]]:
    """Yield the paths of the calls of round t, traced back from their last arcs."""
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


def annealing_search(question: Question) -> RunningSearch | None:
    """Return a search for a gossip by annealing over trails, which never refutes; None for other tasks.

    It is also None in trees, which have an optimal algorithm, and for fewer than one round.
    """
    problem, rounds = question.problem, question.value
    if problem.task != "gossip" or problem.network.is_tree or rounds < 1:
        return None
    generator = random.Random(question.seed)
    return _AnnealingSearch(problem, Annealing(problem.network, ports_of(problem), rounds, generator))


@dataclass
class _AnnealingSearch:
    """Simulated annealing that runs in time slices."""

    problem: Problem
    annealing: Annealing
    rounds: Rounds | None = None

    def advance(self, seconds: float) -> bool | None:
        """Search for `seconds`; return True if a gossip was found, None otherwise."""
        self.rounds = self.annealing.gossip(time.process_time() + seconds)
        return None if self.rounds is None else True

    def found(self) -> tuple[Problem, Schedule]:
        """Return the problem and the gossip, after `advance` returned True."""
        return self.problem, traced_calls(
            self.problem.demands(), schedule_of(self.problem, self.rounds or [])
        )

    def evidence(self) -> None:
        """Return None, because annealing never refutes."""

    def close(self) -> None:
        """Drop the gossip."""
        self.rounds = None


DECISIONS = (
    Decision("paths formula", "sat", True, sat_search),
    Decision("annealing over trails", "construction", False, annealing_search, share=0.5),
)
