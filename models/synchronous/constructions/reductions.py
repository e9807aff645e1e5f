"""Constructions of reductions: those of copying tasks run backwards."""

from __future__ import annotations

from dataclasses import replace

from schedsolve.modelkit.search import Algorithm, Effort
from schedsolve.problem import Problem

from ..rules.mirror import MIRRORED, backwards, mirrored
from ..rules.steps import StepSchedule


def with_reductions(algorithm: Algorithm) -> Algorithm:
    """An algorithm for copying tasks, and for the reductions that are these run backwards."""
    tasks = {task for task, copying in MIRRORED.items() if copying in algorithm.tasks}

    def refuse(problem: Problem) -> str | None:
        if "ordered" in problem.parameters:
            return "it does not keep the order of the nodes"
        return algorithm.refuse(mirrored(problem))

    def build(problem: Problem, effort: Effort) -> StepSchedule:
        schedule: StepSchedule = algorithm.build(mirrored(problem), effort)
        return backwards(schedule) if problem.task in MIRRORED else schedule

    return replace(algorithm, tasks=algorithm.tasks | tasks, refuse=refuse, build=build)
