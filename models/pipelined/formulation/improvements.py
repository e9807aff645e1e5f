"""The searches of the pipelined model for the loop that solves: each for its tasks."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.ranks import forwarding, relays_of
from schedsolve.modelkit.result import Bound
from schedsolve.modelkit.search import Question

from ..rules.demand import FLOW_TASKS, REDUCTIONS, TREE_TASKS, unbalanced_switches
from ..rules.schedule import PipelinedSchedule
from .reductions import search_sums
from .search import Finding, search_flows, search_trees
from .symmetric_trees import search_symmetric


def improve_trees(question: Question) -> Iterator[Bound | tuple[Problem, PipelinedSchedule] | None]:
    """`search_trees` for the loop that solves."""
    if question.problem.task in TREE_TASKS and not _branches(question.problem):
        yield from _answers(question.problem, search_trees(question.problem, question.seconds))


def improve_symmetric(question: Question) -> Iterator[Bound | tuple[Problem, PipelinedSchedule] | None]:
    """`search_symmetric` for the loop that solves."""
    problem = question.problem
    if problem.task in TREE_TASKS or problem.task in REDUCTIONS:
        lower = Fraction(question.value)
        yield from _answers(problem, search_symmetric(problem, lower, question.seconds))


def improve_flows(question: Question) -> Iterator[Bound | tuple[Problem, PipelinedSchedule] | None]:
    """`search_flows` for the loop that solves."""
    if question.problem.task in FLOW_TASKS:
        yield from _answers(question.problem, search_flows(question.problem, question.seconds))


def improve_sums(question: Question) -> Iterator[Bound | tuple[Problem, PipelinedSchedule] | None]:
    """`search_sums` for the loop that solves."""
    if question.problem.task in REDUCTIONS or _branches(question.problem):
        yield from _answers(question.problem, search_sums(question.problem, question.seconds))


def _branches(problem: Problem) -> bool:
    """Whether trees of the task gain by branching at switches, or at relays that are not balanced."""
    relays = frozenset() if problem.task in FLOW_TASKS else relays_of(problem)
    return "switches_copy" in problem.parameters or any(
        w in relays for w in unbalanced_switches(forwarding(problem).network)
    )


def _answers(
    problem: Problem, findings: Iterator[Finding]
) -> Iterator[Bound | tuple[Problem, PipelinedSchedule] | None]:
    for finding in findings:
        yield (problem, finding) if isinstance(finding, PipelinedSchedule) else finding
