"""The ways in which a problem is worked on: the model's constructions that fit it, and the searches of the
backend asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from schedsolve.modelkit.record import Model
from schedsolve.modelkit.search import Algorithm, Improvement, Options, Question, Search, Strategy
from schedsolve.problem import Problem
from schedsolve.solving.integer_programs import program_improvements, program_strategies
from schedsolve.solving.searches import RepeatedConstruction

CONSTRUCTION_SHARE = 0.2
"""The share of the time, relative to a deciding search, that a searching construction gets beside it."""


@dataclass
class Ways:
    """What of a model is used on a problem with one value to find, under these options."""

    model: Model
    problem: Problem
    options: Options

    @cached_property
    def placed(self) -> list[Problem]:
        """The problem with its source given: itself, or one for each promising node."""
        if not self.problem.choice:
            return [self.problem]
        return [self.problem.at_node(node) for node in self.model.promising_nodes(self.problem)]

    def algorithms(self, *, thorough: bool, patient: bool = False) -> list[Algorithm]:
        """The constructions that fit the problem wherever it is placed; thorough: the searching ones;
        patient: with those that take much longer than others.
        """
        fitting = (
            a
            for a in self.model.algorithms
            if a.thorough == thorough and (patient or not a.patient) and self.problem.task in a.tasks
        )
        return [a for a in fitting if all(a.refuse(problem) is None for problem in self.placed)]

    @cached_property
    def improvements(self) -> list[Improvement]:
        """The model's improvements of the backend asked for; without one, its usual ones."""
        if asked := self.options.backend:
            own = [improvement for improvement in self.model.improvements if improvement.backend == asked]
            return own + program_improvements(self.model, asked)
        return [i for i in self.model.improvements if i.by_default and i not in self.refused]

    @cached_property
    def refused(self) -> dict[Improvement, str]:
        """The model's usual improvements that are not tried on this problem, with the reason."""
        answers = [(i, i.refuse(self.problem)) for i in self.model.improvements if i.by_default]
        return {improvement: why for improvement, why in answers if why is not None}

    @cached_property
    def strategies(self) -> list[Strategy]:
        """The model's strategies of the backend asked for; without one, its usual ones and the searching
        constructions.
        """
        if asked := self.options.backend:
            own = [strategy for strategy in self.model.strategies if strategy.backend == asked]
            return own + program_strategies(self.model, asked)

        def repeat(algorithm: Algorithm) -> Strategy:
            def start(question: Question) -> Search | None:
                value, seed = question.value, self.options.seed
                return RepeatedConstruction(self.model, algorithm, self.placed, value, seed)

            name = f"{algorithm.name}: {algorithm.source}"
            return Strategy(name, "construction", False, start, share=CONSTRUCTION_SHARE)

        usual = [strategy for strategy in self.model.strategies if strategy.by_default]
        return usual + [repeat(algorithm) for algorithm in self.algorithms(thorough=True, patient=True)]

    def is_serious(self, way: Strategy | Improvement) -> bool:
        """Whether a way is gone on with until the end: it can prove something, or it searches up to a time
        limit.
        """
        searches = self.options.time_limit is not None and way.backend != "construction"
        return isinstance(way, Improvement) or way.refutes or searches
