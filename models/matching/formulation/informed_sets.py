"""Broadcasts refuted by branching on who is informed after every round: proves lower bounds, finds nothing.

`claims.informed_sets` says what the tree proves; here it is grown, level by level.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from schedsolve.errors import ClaimError
from schedsolve.modelkit.search import GivenUpError, Question
from schedsolve.network.automorphisms import Automorphism, automorphisms
from schedsolve.problem import Problem

from ..bounds.covering import confirmation_seconds, refuting_weights
from ..claims.informed_sets import informed_after
from ..claims.lower_bounds import as_broadcast

LONGEST_LEAF = 0.03
"""In seconds: networks where it takes longer to confirm the weights of one leaf are not branched on."""
LONGEST_CONFIRMATION = 30.0
"""In seconds: a tree whose leaves would take longer to confirm is given up."""
MOST_STATES = 150
"""A tree of more states is given up."""

State = frozenset[int]


class InformedSetsSearch:
    """A search that refutes a number of rounds for a broadcast, multicast or accumulation, or gives up.

    Level by level, a state is a leaf if weights are found from which the rounds left reach too little; else
    it is branched on. Of the states that automorphisms make of one another, those that keep the state before
    and the targets, or the sources and the targets, one is kept.

    problem: with given sources. rounds: the number to be refuted, at least 1.
    """

    def __init__(self, problem: Problem, rounds: int) -> None:
        self._network = as_broadcast(problem)
        self._targets = tuple(sorted(set(problem.targets)))
        self._rounds = rounds
        self._leaf_seconds = confirmation_seconds(self._network, problem.sources, rounds)
        self._start = frozenset(problem.sources)
        self._used: dict[Automorphism, None] = {}
        self._levels: list[list[tuple[State, tuple[int, ...] | None]]] = []
        self._steps = self._grow()

    def advance(self, seconds: float) -> bool | None:
        """Work for about so many seconds; False: refuted, None: not decided yet. Raises GivenUpError when the
        tree grows too large, or is seen to reach everybody.
        """
        end = time.monotonic() + seconds
        for _ in self._steps:
            if time.monotonic() >= end:
                return None
        return False

    def _grow(self) -> Iterator[None]:
        """Grow the tree, a state a step, until no state is left to be branched on."""
        level: list[State] = [self._start]
        count = 1
        for left in range(self._rounds, -1, -1):
            states: list[tuple[State, tuple[int, ...] | None]] = []
            self._levels.append(states)
            # By every set in the orbits of those kept: what carries the one that is kept to it.
            seen: dict[State, Automorphism | None] = {}
            following: list[State] = []
            for informed in level:
                if informed.issuperset(self._targets):
                    raise GivenUpError
                weights = refuting_weights(self._network, informed, self._targets, left)
                states.append((informed, weights))
                yield
                if weights is None:
                    for after in self._branches(informed, seen):
                        following.append(after)
                        count += 1
                        if count > MOST_STATES or count * self._leaf_seconds > LONGEST_CONFIRMATION:
                            raise GivenUpError
                    yield
            if not following:
                return
            level = following

    def _branches(self, informed: State, seen: dict[State, Automorphism | None]) -> Iterator[State]:
        """The states after a round from this one that are no images of those seen before, which they join."""
        images = self._images(informed)
        try:
            bases = informed_after(self._network, informed)
        except ClaimError:
            raise GivenUpError from None
        for after in sorted(bases, key=sorted):
            if after in seen:
                image = seen[after]
                if image is not None:
                    self._used[image] = None
                continue
            for image in images:
                seen.setdefault(frozenset([image[v] for v in after]), image)
            seen[after] = None
            yield after

    def _images(self, informed: State) -> list[Automorphism]:
        """Automorphisms that keep the targets, and the state or the sources."""
        found = [
            automorphisms(self._network, fixing=(tuple(sorted(s)), self._targets))
            for s in (informed, self._start)
        ]
        return list(dict.fromkeys(image for images in found for image in images))

    def found(self) -> NoReturn:
        """Not to be asked for: `advance` never says that there is a schedule. Raises ValueError."""
        raise ValueError("branching on informed sets refutes, and finds no schedule")

    def evidence(self) -> Mapping[str, Any]:
        """After `advance` returned False: the tree, for `informed_sets_claim`."""
        return {
            "kind": "informed-sets",
            "rounds": self._rounds,
            "symmetries": [list(image) for image in self._used],
            "levels": [
                [
                    {"informed": sorted(informed)} | ({} if weights is None else {"weights": list(weights)})
                    for informed, weights in states
                ]
                for states in self._levels
            ],
        }

    def close(self) -> None:
        """Give the memory back."""
        self._steps = iter(())
        self._levels = []


def informed_sets_search(question: Question) -> InformedSetsSearch | None:
    """Refute that so many rounds suffice by branching on informed sets, where a leaf is confirmed quickly."""
    problem, rounds = question.problem, question.value
    if problem.task == "gossip" or problem.choice or rounds < 1:
        return None
    seconds = confirmation_seconds(as_broadcast(problem), problem.sources, rounds)
    return InformedSetsSearch(problem, rounds) if seconds <= LONGEST_LEAF else None
