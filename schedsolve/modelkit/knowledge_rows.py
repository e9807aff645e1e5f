"""What integer programs of rounds share.

Who knows what at the start and in the end, which rounds are used, and which node a solution chose as the
source.

A node's knowledge is a variable `knows_v_i_t3`, "node v knows item i after round 3"; item i starts at node i,
and a single message is item 0. `used_t3` says that something happens in round 3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Protocol

from schedsolve.modelkit.formulas.integer_program import IntegerProgram, compare
from schedsolve.modelkit.formulas.linear_program import Row
from schedsolve.modelkit.formulation import is_one
from schedsolve.modelkit.problem import Problem


class UsesRounds(Protocol):
    """The variables of a program in which rounds may stay unused."""

    @property
    def used(self) -> Mapping[int, int]:
        """By the round, from 1, the variable "it is used"; empty where nothing is minimised."""


class Knowledge(Protocol):
    """The variables of a program in which nodes learn items."""

    @property
    def problem(self) -> Problem:
        """What is solved."""

    @property
    def rounds(self) -> int:
        """The number of rounds."""

    @property
    def items(self) -> range:
        """The items."""

    @property
    def knows(self) -> Mapping[tuple[int, int, int], int]:
        """By node, item and round, the variable "the node knows the item after the round"."""


def used_rounds(program: IntegerProgram, rounds: int) -> dict[int, int]:
    """Declare the variables "round t is used", whose number is minimised, and return them by the round."""
    used = {t: program.variable(f"used_t{t}") for t in range(1, rounds + 1)}
    program.costs = dict.fromkeys(used.values(), 1)
    return used


def used_rounds_come_first(x: UsesRounds) -> Iterator[Row]:
    """No round is used after one that is not."""
    for t in x.used:
        if t > 1:
            yield compare([x.used[t]], "<=", [x.used[t - 1]])


def start_knowledge(x: Knowledge) -> Iterator[Row]:
    """Before round 1 a node knows just what it starts with; with the source left open one node knows it."""
    n = x.problem.network.node_count
    if x.problem.choice:
        yield compare([x.knows[v, 0, 0] for v in range(n)], "=", constant=1)
        return
    for v in range(n):
        for i in x.items:
            known = v == i if x.problem.task == "gossip" else v in x.problem.sources
            yield compare([x.knows[v, i, 0]], "=", constant=int(known))


def goal_knowledge(x: Knowledge) -> Iterator[Row]:
    """After the last round every node knows what is its goal."""
    for v in x.problem.targets:
        for i in x.items:
            yield compare([x.knows[v, i, x.rounds]], "=", constant=1)


def at_start(problem: Problem, value: Callable[[str], float]) -> Problem:
    """Return the problem with its source or root given, as a solution chose it.

    Parameters
    ----------
    problem
        The problem.
    value
        Of a variable in the solution, by its name.
    """
    if not problem.choice:
        return problem
    nodes = range(problem.network.node_count)
    return problem.at_node(next(v for v in nodes if is_one(value(f"knows_{v}_0_t0"))))
