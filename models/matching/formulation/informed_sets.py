"""Broadcasts refuted by the covering relaxation.

At once, or after branching on who is informed after every round: proves lower bounds, finds nothing.

`claims.informed_sets` says what the tree proves; here it is grown, level by level.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Generator, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.search import GivenUpError, Question
from schedsolve.network.automorphisms import Automorphism, automorphisms
from schedsolve.runtime.errors import ClaimError

from ..bounds.covering import LONGEST_CONFIRMATION, MOST_STEPS, Ascent, confirmation_seconds, confirmed
from ..bounds.searched import broadcast_sources, covering_evidence
from ..claims.informed_sets import informed_after

if TYPE_CHECKING:
    from ..bounds.covering_visits import Floats

QUICK_LEAF = 0.004
"""In seconds: where confirming a leaf takes longer, the sources are branched on only if they are close to a
leaf.
"""
CLOSE_GAP = -0.08
"""The least part of the weight by which the sources may miss being a leaf, to be close to one."""
LONGEST_TREE = 60.0
"""In seconds: a tree whose leaves would take longer to confirm is given up."""
MOST_STATES = 2000
"""A tree of more states is given up."""
LEAF_STEPS = 40
"""Steps of the ascent for a state; it begins with the weights of the state before."""
WEIGHTS_TRIED = 3
"""So many weights, those that refuted most recently, are tried for a state first."""

State = frozenset[int]


class _Open(NamedTuple):
    """A state to be looked at.

    Attributes
    ----------
    start
        Weights to begin with.
    """

    informed: State
    start: Floats | None


class InformedSetsSearch:
    """A search that refutes a number of rounds for a task with one message, or gives up.

    For a gossip it is the broadcast from a node farthest from some other, which the gossip contains.

    Level by level, a state is a leaf if weights are found from which the rounds left reach too little; else
    it is branched on. Of the states that automorphisms make of one another, those that keep the state before
    and the targets, or the sources and the targets, one is kept.

    problem: with given sources, or a gossip. rounds: the number to be refuted, at least 1.
    """

    def __init__(self, problem: Problem, rounds: int) -> None:
        self._network = problem.broadcast_network
        self._targets = tuple(sorted(set(problem.targets)))
        self._rounds = rounds
        self._problem, sources = problem, broadcast_sources(problem)
        self._leaf_seconds = confirmation_seconds(self._network, sources, rounds)
        self._start = frozenset(sources)
        self._used: dict[Automorphism, None] = {}
        self._weights: dict[tuple[int, ...], int] = {}
        self._recent: deque[tuple[int, ...]] = deque(maxlen=WEIGHTS_TRIED)
        self._levels: list[list[tuple[State, int | None]]] = []
        self._steps = self._grow()

    def advance(self, seconds: float) -> bool | None:
        """Work for about so many seconds; False: refuted, None: not decided yet.

        Raises
        ------
        GivenUpError
            If the tree grows too large, or is seen to reach everybody.
        """
        end = time.process_time() + seconds
        for _ in self._steps:
            if time.process_time() >= end:
                return None
        return False

    def _grow(self) -> Iterator[None]:
        """Grow the tree, a step of an ascent at a time, until no state is left to be branched on."""
        level = [_Open(self._start, None)]
        count = 1
        for left in range(self._rounds, -1, -1):
            states: list[tuple[State, int | None]] = []
            self._levels.append(states)
            # By every set in the orbits of those kept: what carries the one that is kept to it.
            seen: dict[State, Automorphism | None] = {}
            following: list[_Open] = []
            for informed, start in level:
                if informed.issuperset(self._targets):
                    raise GivenUpError
                ascent = Ascent(self._network, informed, self._targets, left, start)
                number = yield from self._leaf(ascent, informed, left)
                states.append((informed, number))
                if number is None:
                    self._hope(ascent, left)
                    for after in self._branches(informed, seen):
                        following.append(_Open(after, ascent.best_weights))
                        count += 1
                        if count > MOST_STATES or count * self._leaf_seconds > LONGEST_TREE:
                            raise GivenUpError
            if not following:
                return
            level = following

    def _hope(self, ascent: Ascent, left: int) -> None:
        """Raise GivenUpError when the sources, in a network of some size, are far from being a leaf."""
        if left == self._rounds and self._leaf_seconds > QUICK_LEAF and ascent.best_gap < CLOSE_GAP:
            raise GivenUpError

    def _leaf(self, ascent: Ascent, informed: State, left: int) -> Generator[None, None, int | None]:
        """Yield the number of weights with which a state is a leaf, or None."""
        for known in reversed(self._recent):
            yield
            if confirmed(self._network, informed, left, known):
                return self._weights[known]
        for found in ascent.steps(MOST_STEPS if left == self._rounds else LEAF_STEPS):
            yield
            if found is not None and confirmed(self._network, informed, left, found):
                weights = tuple(int(w) for w in found)
                self._recent.append(weights)
                return self._weights.setdefault(weights, len(self._weights))
        return None

    def _branches(self, informed: State, seen: dict[State, Automorphism | None]) -> Iterator[State]:
        """Yield the states after a round from this one that are no images of those seen before.

        They join those seen.
        """
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
        """Not to be asked for: `advance` never says that there is a schedule.

        Raises
        ------
        ValueError
        """
        raise ValueError("the covering relaxation refutes, and finds no schedule")

    def evidence(self) -> Mapping[str, Any]:
        """After `advance` returned False.

        The weights, for `covering_claim`, or the tree, for `informed_sets_claim`.
        """
        vectors = [list(weights) for weights in self._weights]
        if len(self._levels) == 1:
            return covering_evidence(self._problem, self._rounds, vectors[0])
        return {
            "kind": "informed-sets",
            "rounds": self._rounds,
            "symmetries": [list(image) for image in self._used],
            "weights": vectors,
            "levels": [
                [
                    {"informed": sorted(informed)} | ({} if number is None else {"weights": number})
                    for informed, number in states
                ]
                for states in self._levels
            ],
        }

    def close(self) -> None:
        """Give the memory back."""
        self._steps = iter(())
        self._levels = []


def informed_sets_search(question: Question) -> InformedSetsSearch | None:
    """Refute that so many rounds suffice by branching on informed sets.

    The covering relaxation refutes the leaves, where weights are confirmed in time.
    """
    problem, rounds = question.problem, question.value
    if problem.choice or rounds < 1:
        return None
    seconds = confirmation_seconds(problem.broadcast_network, broadcast_sources(problem), rounds)
    longest = min(LONGEST_CONFIRMATION, question.seconds)
    return InformedSetsSearch(problem, rounds) if seconds <= longest else None
