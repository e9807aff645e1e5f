"""Broadcasts refuted by the covering relaxation alone, beside the other searches: proves lower bounds, finds
nothing.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from schedsolve.modelkit.search import GivenUpError, Question
from schedsolve.problem import Problem

from ..bounds.covering import LONGEST_CONFIRMATION, confirmation_seconds, search_weights
from ..claims.lower_bounds import as_broadcast


class CoveringSearch:
    """A search that refutes a number of rounds for a broadcast, multicast or accumulation by weights of which
    they reach too little, or gives up.

    problem: with given sources. rounds: the number to be refuted.
    """

    def __init__(self, problem: Problem, rounds: int) -> None:
        self._rounds = rounds
        self._steps: Iterator[tuple[int, ...] | None] = search_weights(
            as_broadcast(problem), problem.sources, problem.targets, rounds
        )
        self._weights: tuple[int, ...] | None = None

    def advance(self, seconds: float) -> bool | None:
        """Work for about so many seconds; False: refuted, None: not decided yet. Raises GivenUpError when no
        weights are found.
        """
        end = time.monotonic() + seconds
        for weights in self._steps:
            if weights is not None:
                self._weights = weights
                return False
            if time.monotonic() >= end:
                return None
        raise GivenUpError

    def found(self) -> NoReturn:
        """Not to be asked for: `advance` never says that there is a schedule. Raises ValueError."""
        raise ValueError("the covering relaxation refutes, and finds no schedule")

    def evidence(self) -> Mapping[str, Any]:
        """After `advance` returned False: the weights, for `covering_claim`."""
        assert self._weights is not None
        return {"kind": "covering", "rounds": self._rounds, "weights": list(self._weights)}

    def close(self) -> None:
        """Give the memory back."""
        self._steps = iter(())


def covering_search(question: Question) -> CoveringSearch | None:
    """Refute that so many rounds suffice by the covering relaxation, where its weights are confirmed in
    time.
    """
    problem, rounds = question.problem, question.value
    if problem.task == "gossip" or problem.choice or rounds < 1:
        return None
    seconds = confirmation_seconds(as_broadcast(problem), problem.sources, rounds)
    return CoveringSearch(problem, rounds) if seconds <= min(LONGEST_CONFIRMATION, question.seconds) else None
