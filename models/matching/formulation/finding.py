"""Searches for a schedule of a number of rounds, step by step, that never refute."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterator
from time import process_time

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Schedule
from schedsolve.modelkit.search import GivenUpError, Question

from ..constructions.useful_calls import only_useful_calls


class FindingSearch(ABC):
    """A search that finds and never refutes (`schedsolve.modelkit.search.RunningSearch`).

    What it does depends on the question, and not on how the time is sliced.
    """

    def __init__(self, question: Question) -> None:
        self._problem, self._rounds, self._seed = question.problem, question.value, question.seed
        self._rng = random.Random(question.seed)
        self._found: Schedule | None = None
        self._steps = self._search()

    @abstractmethod
    def _search(self) -> Iterator[None]:
        """Search until `_found` is set, and yield once more then; end where nothing is left to try."""

    def advance(self, seconds: float) -> bool | None:
        """Search for about `seconds` of processor time; True: found, None: not yet.

        Raises
        ------
        GivenUpError
            If nothing is left to try.
        """
        end = process_time() + seconds
        for _ in self._steps:
            if self._found is not None:
                return True
            if process_time() >= end:
                return None
        raise GivenUpError

    def found(self) -> tuple[Problem, Schedule]:
        """Return the problem, and the schedule found without useless calls, after `advance` returned True."""
        assert self._found is not None
        return self._problem, only_useful_calls(self._problem, self._found)

    def evidence(self) -> None:
        """Return None: it never refutes."""
        return

    def close(self) -> None:
        """Give the memory of what runs back."""
        self._steps = iter(())
